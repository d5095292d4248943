"""The teachers and the outputs of their stages: Silent-Face's two networks (minivision-ai) and minifas_se_128, all
Apache-2.0, as ONNX. Students are trained on these outputs; no weights are copied.
"""
import numpy as np
import openvino

from network import VIEWS

FILES = (
    "2.7_80x80_MiniFASNetV2.onnx", "4_0_0_80x80_MiniFASNetV1SE.onnx", "minifas_se_128/minifas_se_128_98.20.onnx")
# Names of the outputs that correspond to Student.maps.
STAGES = (
    ["PRelu_6", "BatchNormalization_14", "Add_23", "Add_32", "Add_41", "Add_50", "BatchNormalization_58", "Add_67",
     "Add_76", "Add_85", "Add_94", "Add_103", "Add_112", "BatchNormalization_120", "Add_129", "Add_138", "PRelu_141",
     "BatchNormalization_143", "Gemm_147"],
    ["PRelu_6", "BatchNormalization_14", "Add_23", "Add_32", "Add_41", "Add_58", "BatchNormalization_66", "Add_75",
     "Add_84", "Add_93", "Add_102", "Add_111", "Add_128", "BatchNormalization_136", "Add_145", "Add_162", "PRelu_165",
     "BatchNormalization_167", "Gemm_171"],
    ["/conv2_dw/prelu/PRelu_output_0", "/conv_23/project/conv/Conv_output_0",
     *(f"/conv_3/model/model.{i}/Add_output_0" for i in range(4)), "/conv_34/project/conv/Conv_output_0",
     *(f"/conv_4/model/model.{i}/Add_output_0" for i in range(6)), "/conv_45/project/conv/Conv_output_0",
     *(f"/conv_5/model/model.{i}/Add_output_0" for i in range(2)), "/conv_6_sep/prelu/PRelu_output_0",
     "/conv_6_dw/conv/Conv_output_0", "output"])


class Teacher:
    """The teacher of one view, for a fixed batch size."""

    def __init__(self, folder, view, size, threads=1):
        core = openvino.Core()
        network = core.read_model(folder / FILES[view])
        network.reshape([size, 3, *2 * VIEWS[view][:1]])
        for name in STAGES[view]:
            if name != "output":  # is one already
                network.add_outputs(name)
        self.network = core.compile_model(
            network, "CPU", {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32"})
        self.outputs = [self.network.output(name) for name in STAGES[view]]
        # Silent-Face takes BGR from 0 to 255, the other RGB from 0 to 1.
        self.channels, self.scale = ([2, 1, 0], 1.0) if view < 2 else ([0, 1, 2], 1 / 255)

    def maps(self, views):
        """Returns the output of each stage; `views` are (batch, 3, side, side), RGB from 0 to 255."""
        found = self.network([np.ascontiguousarray(views[:, self.channels] * np.float32(self.scale))])
        return [found[output] for output in self.outputs]

"""The teacher and the outputs of its stages: face-reidentification-retail-0095 (Intel, Open Model Zoo, Apache-2.0).

The student is trained on these outputs; no weights are copied.
"""
import numpy as np
import openvino

# Names of the operations whose outputs correspond to Student.maps.
STAGES = ("430", "446", "462", "478", "494", "509", "525", "541", "557", "573", "589", "605", "620", "636", "652", "658")


class Teacher:
    """The teacher for a fixed batch size, with the outputs of all stages or of the last only.

    Maps are NHWC, the layout in which they are computed.
    """

    def __init__(self, xml, size, stages=True, precision="f32"):
        core = openvino.Core()
        network = core.read_model(xml)
        operations = {o.get_friendly_name(): o for o in network.get_ordered_ops()}
        if stages:
            network.add_outputs([operations[name].output(0) for name in STAGES[:-1]])
        network.reshape([size, 3, 128, 128])
        names = [o.get_node().input_value(0).get_node().get_friendly_name() for o in network.outputs]
        layout = openvino.preprocess.PrePostProcessor(network)
        for i in range(len(names)):
            layout.output(i).model().set_layout(openvino.Layout("NCHW"))
            layout.output(i).tensor().set_layout(openvino.Layout("NHWC"))
        self.request = core.compile_model(
            layout.build(), "CPU",
            {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": precision}).create_infer_request()
        self.order = [names.index(name) for name in STAGES if name in names]

    def maps(self, pictures):
        """Returns the output of each stage, valid until the next call. `pictures` are (batch, 3, 128, 128) floats, BGR
        from 0 to 255."""
        self.request.infer([pictures], share_inputs=True)
        return [self.request.get_output_tensor(i).data for i in self.order]

    def vectors(self, pictures):
        """Returns unit vectors."""
        found = np.array(self.maps(pictures)[-1]).reshape(len(pictures), -1)
        return found / np.linalg.norm(found, axis=1, keepdims=True)

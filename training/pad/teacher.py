"""The outputs of two published networks: Silent-Face, by minivision-ai, Apache-2.0, as ONNX.

The texture network learns to predict them in addition to its own task, because they were trained on real screens. Their
outputs are never labels: they reject pictures without colour and accept masks.
"""
import numpy as np
import openvino
import torch

NETWORKS = ("2.7_80x80_MiniFASNetV2.onnx", "4_0_0_80x80_MiniFASNetV1SE.onnx")


class Teachers:
    """Both networks, in the order of the network's views of the surroundings, for batches of one size."""

    def __init__(self, folder, size, threads=1):
        core = openvino.Core()
        self.networks = []
        for name in NETWORKS:
            network = core.read_model(folder / name)
            network.reshape([size, 3, 80, 80])
            self.networks.append(core.compile_model(network, "CPU", {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "bf16"}))

    def say(self, views):
        """Probabilities, (batch, 2, classes); the second class is bona fide."""
        found = [
            network([np.ascontiguousarray(view.flip(1).numpy())])[0]  # their input is BGR
            for network, view in zip(self.networks, views)]
        return torch.from_numpy(np.stack(found, 1))

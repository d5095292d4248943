#!/usr/bin/env python3
"""Initialises a network with the near and the closer view's towers of 0.1.0: start.py 0.1.0.xml CUTS start.pt

The old network's normalisation is folded into its weights; it is unfolded here, with the statistics of these cuts.
"""
import sys

import numpy as np
import openvino
import torch
from torch import nn

from cuts import planes, read_cuts
from network import Texture

COUNTS = (7, 4, 4)  # convolutions of the near, the wide and the closer view's tower


def main():
    old, cuts, out = sys.argv[1:]
    torch.manual_seed(20261122)
    found = []
    for node in openvino.Core().read_model(old).get_ordered_ops():
        if node.get_type_name() == "Convolution":
            weights = node.input(1).get_source_output().get_node().data
            add = next(iter(node.output(0).get_target_inputs())).get_node()
            found.append((weights, add.input(1).get_source_output().get_node().data.ravel()))
    near, closer = found[: COUNTS[0]], found[-COUNTS[2] :]
    model = Texture()
    views = planes(read_cuts(cuts + ".u8")[:: 40][:256])
    for tower, weights, view in zip(model.towers, (near, closer), views):
        layers = [m for m in tower.modules() if isinstance(m, (nn.Conv2d, nn.BatchNorm2d))]
        for (kernel, bias), convolution, norm in zip(weights, layers[::2], layers[1::2], strict=True):
            assert convolution.weight.shape == kernel.shape
            convolution.weight.data = torch.from_numpy(np.array(kernel))
            norm.bias.data = torch.from_numpy(np.array(bias))

            def unfold(module, inputs, bias=norm.bias.data.clone()):
                mean, variance = inputs[0].mean((0, 2, 3)), inputs[0].var((0, 2, 3), unbiased=False)
                module.running_mean.data, module.running_var.data = mean, variance
                module.weight.data, module.bias.data = (variance + module.eps).sqrt(), bias + mean

            norm.register_forward_pre_hook(unfold)
        tower.eval()
        with torch.no_grad():
            tower(view / 127.5 - 1)
    torch.save(model.state_dict(), out)


if __name__ == "__main__":
    main()

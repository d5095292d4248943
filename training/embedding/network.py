"""The embedding network: a student with the stage layout of its teacher, so that each stage's output has a target."""
import torch
from torch import nn
from torch.nn import functional

SIDE = 128  # pixels of the input
DIMENSIONS = 256

# Residual bottlenecks of each resolution, after the one that halves it: outputs, hidden channels of the first and of
# the others, number of the others. Outputs are the teacher's.
LAYOUT = ((64, 96, 128, 4), (128, 256, 256, 6), (128, 512, 256, 2))
HEAD = 512


def normalised(layer, outputs, active=True):
    """One slope per layer: the runtime fuses it with the convolution, unlike one per channel."""
    return nn.Sequential(layer, nn.BatchNorm2d(outputs), *[nn.PReLU()] * active)


def pointwise(inputs, outputs, active=True):
    return normalised(nn.Conv2d(inputs, outputs, 1, bias=False), outputs, active)


class Depthwise(nn.Conv2d):
    """A 3x3 convolution per channel."""

    def __init__(self, channels, stride):
        super().__init__(channels, channels, 3, stride, 1, groups=channels, bias=False)

    def forward(self, x):
        if not self.training or self.stride == (1, 1):
            return super().forward(x)
        # In bf16, the gradient of a stride of 2 takes 20 times as long as that of the whole map.
        return functional.conv2d(x, self.weight, padding=1, groups=self.groups)[:, :, ::2, ::2]


class Squeeze(nn.Module):
    """Squeeze-and-excitation: scales each channel by a function of the means of all channels."""

    def __init__(self, channels):
        super().__init__()
        self.weights = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(channels, 16, 1), nn.PReLU(), nn.Conv2d(16, channels, 1), nn.Sigmoid())

    def forward(self, x):
        return x * self.weights(x)


class Bottleneck(nn.Module):
    def __init__(self, inputs, hidden, outputs, stride=1):
        super().__init__()
        self.branch = nn.Sequential(
            pointwise(inputs, hidden), normalised(Depthwise(hidden, stride), hidden),
            pointwise(hidden, outputs, active=False), Squeeze(outputs))
        self.is_residual = stride == 1

    def forward(self, x):
        return x + self.branch(x) if self.is_residual else self.branch(x)


class Places(nn.Module):
    """A weighted sum of the positions of each channel, so that the position of each part of the face counts."""

    def __init__(self, channels, side):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(channels, side, side) / side)

    def forward(self, x):
        return (x * self.weight).sum((2, 3), keepdim=True)


class Student(nn.Module):
    """Maps aligned faces, BGR from 0 to 255, to vectors that are compared by their cosine."""

    def __init__(self):
        super().__init__()
        # The first stage is half as wide as the teacher's: its maps are the largest, and no target constrains them.
        stages, inputs = [nn.Sequential(
            normalised(nn.Conv2d(3, 32, 3, 2, 1, bias=False), 32), normalised(Depthwise(32, 1), 32))], 32
        for outputs, first, hidden, count in LAYOUT:
            half = Bottleneck(inputs, first, outputs, 2)
            if inputs == 32:
                stages[0].append(half)
            else:
                stages.append(half)
            stages += [Bottleneck(outputs, hidden, outputs) for _ in range(count)]
            inputs = outputs
        self.stages = nn.ModuleList([*stages, nn.Sequential(
            pointwise(inputs, HEAD), normalised(Places(HEAD, SIDE // 16), HEAD), nn.Conv2d(HEAD, DIMENSIONS, 1))])

    def maps(self, x):
        """Returns the output of each stage."""
        x, found = x / 127.5 - 1, []
        for stage in self.stages:
            x = stage(x)
            found.append(x)
        return found

    def forward(self, x):
        return self.maps(x)[-1].flatten(1)

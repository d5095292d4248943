"""The student: the public-domain network, with a second head next to its own.

The trunk is that network up to its 128-channel stage (8x8), read from the output of dump-network. Our head preserves
the position of each part of the face, where the public-domain network averages over 2x2 cells: three residual blocks at
4x4, flattened into one layer. The two heads make different errors: together they are better than either.
"""
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

MEAN_COLOUR = (122.782, 117.001, 104.298)
DIMENSIONS = 256


class Block(nn.Module):
    """A residual block of the trunk; when downsampling, its shortcut is the mean of 2x2 pixels."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.stride = stride
        self.first = nn.Conv2d(inputs, outputs, 3, stride, 0 if stride == 2 else 1)
        self.second = nn.Conv2d(outputs, outputs, 3, 1, 1)

    def forward(self, x):
        branch = self.second(F.relu(self.first(x)))
        if self.stride == 2:
            x = F.avg_pool2d(x, 2)
            x = F.pad(x, (0, 0, 0, 0, 0, branch.shape[1] - x.shape[1]))
            side = x.shape[2] - branch.shape[2]
            branch = F.pad(branch, (0, side, 0, side))
        return F.relu(branch + x)


def load_layers(layers, data):
    """Loads weights of convolutions and fully connected layers from the output of dump-network; returns the
    remainder."""
    for layer in layers:
        inputs, outputs, kernel = data[:3]
        shape = (outputs, inputs, kernel, kernel) if kernel else (outputs, inputs)
        if shape != tuple(layer.weight.shape):
            raise SystemExit(f"the network has a layer of {shape}, not {tuple(layer.weight.shape)}")
        count = int(np.prod(shape))
        layer.weight.data = torch.from_numpy(data[3:3 + count].view("<f4").reshape(shape).copy())
        data = data[3 + count:]
        if layer.bias is not None:
            layer.bias.data = torch.from_numpy(data[:outputs].view("<f4").copy())
            data = data[outputs:]
    return data


class Trunk(nn.Module):
    PLAN = [(32, 32, 1)] * 3 + [(32, 64, 2)] + [(64, 64, 1)] * 3 + [(64, 128, 2)] + [(128, 128, 1)] * 2

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 32, 7, 2)
        self.blocks = nn.Sequential(*[Block(*p) for p in self.PLAN])

    def forward(self, x):
        return self.blocks(F.max_pool2d(F.relu(self.stem(x)), 3, 2))

    def load(self, path):
        """Loads the public-domain network's first layers; returns the remainder of the file."""
        return load_layers([self.stem] + [c for b in self.blocks for c in (b.first, b.second)], np.fromfile(path, "<i4"))


class PublicTop(nn.Module):
    """The public-domain network's own 128 numbers, which are compared by distance."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(*[Block(*p) for p in [(128, 256, 2), (256, 256, 1), (256, 256, 1), (256, 256, 2)]])
        self.out = nn.Linear(256, 128, bias=False)

    def forward(self, x):
        return self.out(self.blocks(x).mean((2, 3)))

    def load(self, rest):
        if len(load_layers([c for b in self.blocks for c in (b.first, b.second)] + [self.out], rest)):
            raise SystemExit("the network has more layers than are known here")


class TopBlock(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.first_norm = nn.BatchNorm2d(outputs)
        self.activation = nn.PReLU(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.second_norm = nn.BatchNorm2d(outputs)
        self.shortcut = (
            nn.Sequential(nn.AvgPool2d(2), nn.Conv2d(inputs, outputs, 1, bias=False), nn.BatchNorm2d(outputs))
            if stride == 2
            else nn.Identity()
        )
        self.last = nn.PReLU(outputs)

    def forward(self, x):
        branch = self.second_norm(self.second(self.activation(self.first_norm(self.first(x)))))
        return self.last(branch + self.shortcut(x))


class Top(nn.Module):
    def __init__(self, width=256, blocks=3):
        super().__init__()
        self.norm = nn.BatchNorm2d(128)
        self.blocks = nn.Sequential(TopBlock(128, width, 2), *[TopBlock(width, width, 1) for _ in range(blocks)])
        self.norm_out = nn.BatchNorm2d(width)
        self.out = nn.Linear(width * 16, DIMENSIONS)

    def forward(self, x):
        return self.out(self.norm_out(self.blocks(self.norm(x))).flatten(1))


class Student(nn.Module):
    """A vector whose direction identifies the person; takes RGB chips as (pixel - MEAN_COLOUR) / 256."""

    def __init__(self, **top):
        super().__init__()
        self.trunk = Trunk()
        self.top = Top(**top)

    def forward(self, chips):
        return self.top(self.trunk(chips))

"""The document finder's network: where documents and their edges are in a picture."""
import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

SIDE = 256  # of the input, in pixels; outputs have half
EMPTY = 127.5  # beside the picture


def letterboxed(image):
    """Returns the network's input for a picture, and the columns and rows of the output that are in the picture."""
    scale = SIDE / max(image.size)
    width, height = (max(1, round(side * scale)) for side in image.size)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR  # as the product
    small = cv2.resize(np.asarray(image.convert("RGB")), (width, height), interpolation=how)
    whole = np.full((1, SIDE, SIDE, 3), EMPTY, np.float32)
    whole[0, :height, :width] = small
    return np.ascontiguousarray(whole.transpose(0, 3, 1, 2)), (width + 1) // 2, (height + 1) // 2


def layer(inputs, outputs, size=3, stride=1, active=True):
    return nn.Sequential(nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs),
                         *[nn.ReLU(inplace=True)] * active)


class Residual(nn.Module):
    def __init__(self, channels, layers=1):
        super().__init__()
        self.layers = nn.Sequential(*[layer(channels, channels, active=i < layers - 1) for i in range(layers)])

    def forward(self, x):
        return functional.relu(x + self.layers(x))


class Finder(nn.Module):
    """Maps pictures, RGB from 0 to 255, to two logits per cell of 2×2 pixels: inside a document, on its edge."""

    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList([
            layer(3, 16, stride=2),
            nn.Sequential(layer(16, 32, stride=2), Residual(32)),
            nn.Sequential(layer(32, 64, stride=2), Residual(64)),
            nn.Sequential(layer(64, 96, stride=2), Residual(96, 2)),
            nn.Sequential(layer(96, 128, stride=2), Residual(128, 2))])
        self.whole = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(128, 128, 1), nn.ReLU())
        self.side = nn.ModuleList([layer(96, 96, 1, active=False), layer(64, 64, 1, active=False),
                                   layer(32, 48, 1, active=False), layer(16, 16, 1, active=False)])
        self.deepest = layer(128, 96, 1, active=False)
        self.up = nn.ModuleList([layer(96, 64), layer(64, 48), layer(48, 16), layer(16, 16)])
        self.out = nn.Conv2d(16, 2, 1)

    def forward(self, x):
        x, kept = x / 127.5 - 1, []
        for stage in self.down:
            x = stage(x)
            kept.append(x)
        x = self.deepest(x + self.whole(x))
        for side, up, skip in zip(self.side, self.up, kept[-2::-1]):
            x = up(functional.relu(functional.interpolate(x, scale_factor=2, mode="nearest") + side(skip)))
        return self.out(x)

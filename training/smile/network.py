"""The smile network: a small convolutional tower."""
import torch
from torch import nn

SIDE = 40


def convolution(inputs, outputs, stride=1, kernel=3):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True))


class Tower(nn.Module):
    """Log-odds of a smile and, for training only, of an open mouth."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(convolution(1, 16, 2, 5), convolution(16, 32, 2), convolution(32, 48, 2))
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.3), nn.Linear(48 * 25, 32), nn.ReLU(inplace=True), nn.Linear(32, 2))

    def forward(self, x):
        # Normalises brightness and contrast of the view.
        x = x - x.mean((1, 2, 3), keepdim=True)
        x = x / ((x * x).mean((1, 2, 3), keepdim=True) + 4).sqrt()
        return self.head(self.features(x))


class Smile(nn.Module):
    """Maps (1, 1, side, side) luma as floats to the probability of a smile."""

    def __init__(self):
        super().__init__()
        self.tower = Tower()

    def forward(self, view):
        return torch.sigmoid(self.tower(view)[:, :1])

"""The smile network, a small convolutional tower, and its views: as written by cut-mouths, or shifted, rotated, blurred and
relit."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

SIDE = 40
MARGIN = 64  # pixels per side of a crop; the network's view is its centre
SHARE = 1 / 1.6


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


def luma(cuts):
    """Converts (..., 3) bytes to (...) luma bytes."""
    return (cuts @ np.array([0.299, 0.587, 0.114])).astype(np.uint8)


def views(x, random=None):
    """Converts (n, 1, 64, 64) crops to (n, 1, 40, 40) views; without `random`, exactly as the product does."""
    n = len(x)

    def draw(low, high):
        return torch.rand(n, generator=random) * (high - low) + low

    def column(values):
        return values[:, None, None, None]

    angle, shift, scale, aspect, mirror = torch.zeros(n), torch.zeros(2, n), torch.ones(n), torch.ones(n), torch.ones(n)
    if random:
        angle, scale, aspect = draw(-0.2, 0.2), draw(-0.25, 0.25).exp(), draw(-0.12, 0.12).exp()
        shift = torch.stack([draw(-0.11, 0.11), draw(-0.11, 0.11)])
        mirror = torch.where(draw(0, 1) < 0.5, -1.0, 1.0)
    c, s, scale = angle.cos(), angle.sin(), scale * SHARE
    rows = [
        torch.stack([scale * aspect * c * mirror, -scale * s / aspect, shift[0]], 1),
        torch.stack([scale * aspect * s * mirror, scale * c / aspect, shift[1]], 1)]
    grid = F.affine_grid(torch.stack(rows, 1), (n, 1, SIDE, SIDE), align_corners=False)
    x = F.grid_sample(x, grid, padding_mode="reflection", align_corners=False)
    if not random:
        return x

    # Distant cameras, and motion blur in both directions.
    def far(side):
        return F.interpolate(F.interpolate(x, size=(side, side), mode="area"), size=(SIDE, SIDE), mode="bilinear")

    kind = column(draw(0, 1))
    across = F.avg_pool2d(F.pad(x, (2, 2, 0, 0), mode="reflect"), (1, 5), 1)
    along = F.avg_pool2d(F.pad(x, (0, 0, 1, 1), mode="reflect"), (3, 1), 1)
    for limit, other in ((0.45, along), (0.35, across), (0.25, far(13)), (0.15, far(20))):
        x = torch.where(kind < limit, other, x)
    # Light from one side, exposure, a highlight, noise.
    ys, xs = torch.meshgrid(torch.linspace(-1, 1, SIDE), torch.linspace(-1, 1, SIDE), indexing="ij")
    x = x / 255 * (1 + column(draw(-0.5, 0.5)) * xs + column(draw(-0.5, 0.5)) * ys).clamp(0.3, 2)
    x = x.clamp(1e-3, 1) ** column(draw(-0.5, 0.5).exp())
    place = ((xs - column(draw(-1, 1))) / column(draw(0.1, 0.6))) ** 2
    place = place + ((ys - column(draw(-1, 1))) / column(draw(0.05, 0.45))) ** 2
    x = x + column((draw(0, 1) < 0.15) * draw(0, 0.6)) * torch.exp(-place ** 2)
    x = x + torch.randn(x.shape, generator=random) * column(draw(0, 0.05))
    return x.clamp(0, 1) * 255

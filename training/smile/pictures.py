"""Views as written by cut-mouths, and augmented for the network: shifted, rotated, blurred and relit."""
import numpy as np
import torch
import torch.nn.functional as F

from network import SIDE

MARGIN = 64  # pixels per side of a crop; the network's view is its centre
SHARE = 1 / 1.6


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

"""Attacks drawn on cropped views: cheap, sharp, and unlimited in number.

`training/attacks` simulates whole pictures, including the losses of lens and codec. Here bona fide views become attacks
by the traces visible in good pictures: stripes from the beat of two pixel grids, dots of a print, and the edge of paper
or of a display with another scene outside. Each gets at least one of the three.
"""
import math

import torch
from torch.nn import functional

from network import VIEWS


UNIT = VIEWS[0][0] / 2  # half the near view, in its pixels


def pictured(x, views, random):
    """Attacks made from bona fide views: `x` contains n pictures of 0..255 for each of `views`."""
    n = len(x[0])

    def uniform(low, high, *shape):
        return torch.empty(n, *shape).uniform_(low, high, generator=random)

    def chosen(share):
        return torch.rand(n, generator=random) < share

    kind = torch.rand(n, generator=random)
    stripes, dots = kind < 0.5, (kind >= 0.4) & (kind < 0.65)
    edge = (kind >= 0.65) | chosen(0.4)
    others = torch.randperm(n, generator=random)

    # Tonal effects of a print or a display: veil, contrast, tint.
    grey = chosen(0.12) | dots & chosen(0.4)  # newspapers and office printers have no colour
    weights = torch.tensor([0.299, 0.587, 0.114]).view(1, 3, 1, 1)
    contrast, veil = uniform(0.65, 1.1, 1, 1, 1), uniform(0, 40, 1, 1, 1)
    tint = uniform(0.9, 1.1, 3, 1, 1)
    angle, roll = uniform(0, math.pi, 1, 1), uniform(-0.2, 0.2, 1, 1)
    period, strength = torch.exp(uniform(math.log(1.2), math.log(14), 1, 1)), uniform(0.04, 0.22, 1, 1)
    phases = uniform(0, 2 * math.pi, 1, 1, 1) + uniform(0, 1, 3, 1, 1) * uniform(0, 2 * math.pi, 1, 1, 1)
    bend, slow = uniform(0, 3, 1, 1), uniform(0.01, 0.04, 1, 1)
    crossed = uniform(0, 0.8, 1, 1) * chosen(0.4).view(n, 1, 1)
    dot_period = torch.exp(uniform(math.log(1.2), math.log(6), 1, 1))
    dot_strength, dot_angle = uniform(0.2, 0.9, 1, 1), uniform(0, math.pi / 2, 1, 1)
    extents = 1.0 + 1.2 * torch.rand(n, 4, 1, 1, generator=random) ** 1.3
    border = uniform(0, 0.3, 1, 1) * chosen(0.7).view(n, 1, 1)
    dark = chosen(0.5).view(n, 1, 1, 1)
    border_colour = torch.where(dark, uniform(0, 40, 1, 1, 1), uniform(190, 255, 1, 1, 1)) * tint
    spot, spot_place, spot_size = uniform(20, 120, 1, 1) * chosen(0.25).view(n, 1, 1), uniform(-1, 1, 2, 1, 1), uniform(0.2, 0.8, 1, 1)

    made = []
    for y, (side, reach) in zip(x, views):
        source = y
        steps = (torch.arange(side).float() + 0.5 - side / 2) * (2 * UNIT / side)
        grain = reach * 2 * UNIT / side  # pixels of the near view per pixel of this one
        luma = (y * weights).sum(1, keepdim=True)
        y = torch.where(grey.view(n, 1, 1, 1), luma.expand_as(y), y)
        y = (y * contrast + veil) * tint
        # In pixels of the near view; structures finer than two pixels of this view are averaged out.
        u, v = reach * steps.view(1, 1, -1), reach * steps.view(1, -1, 1)
        across, along = u * angle.cos() + v * angle.sin(), v * angle.cos() - u * angle.sin()
        visible = ((period / grain - 2) / 1.5).clamp(0, 1)
        wave = 2 * math.pi * across / period + bend * torch.sin(2 * math.pi * slow * along)
        grid = torch.cos(wave.unsqueeze(1) + phases) + (crossed * torch.cos(2 * math.pi * along / period)).unsqueeze(1)
        y = y * (1 + (stripes.view(n, 1, 1) * visible * strength).unsqueeze(1) * grid)
        p, q = u * dot_angle.cos() + v * dot_angle.sin(), v * dot_angle.cos() - u * dot_angle.sin()
        dot = 0.5 + 0.25 * (torch.cos(2 * math.pi * p / dot_period) + torch.cos(2 * math.pi * q / dot_period))
        seen = dots.view(n, 1, 1) * dot_strength * ((dot_period / grain - 1.8) / 1).clamp(0, 1)
        tone = (y / 255).clamp(0, 1)
        y = y + seen.unsqueeze(1) * 255 * (torch.sigmoid(8 * (tone - dot.unsqueeze(1))) - tone)
        # In units of half the near view.
        u, v = u / UNIT, v / UNIT
        glare = spot * torch.exp(-((u - spot_place[:, 0]) ** 2 + (v - spot_place[:, 1]) ** 2) / spot_size**2)
        y = y + glare.unsqueeze(1)
        if reach >= 1:  # the closer view contains no edges
            p, q = u * roll.cos() + v * roll.sin(), v * roll.cos() - u * roll.sin()
            out = torch.maximum(
                torch.maximum(p - extents[:, 0], -p - extents[:, 1]), torch.maximum(q - extents[:, 2], -q - extents[:, 3]))
            soft = side / 2 / reach
            beyond = functional.avg_pool2d(source[others], 5, 1, 2)
            framed = y + (border_colour - y) * (0.5 + out * soft).clamp(0, 1).unsqueeze(1)
            framed = framed + (beyond - framed) * (0.5 + (out - border) * soft).clamp(0, 1).unsqueeze(1)
            y = torch.where(edge.view(n, 1, 1, 1), framed, y)
        made.append(y)
    return made

"""Prints of a page, and displays that show it, with their dots and pixels.

Independent of the simulation that the detector of copies was trained with (training/originals), and simpler: both are
drawn with FINE times the resolution of the photo, which is the mean of these pixels.
"""
import math

import numpy as np
from PIL import Image

FINE = 3
# Cyan, magenta, yellow and black: the angle of the screen, and the colour of the ink.
INKS = ((15, (0, 150, 220)), (75, (215, 20, 120)), (0, (250, 225, 20)), (45, (25, 25, 25)))


def grid(width, height, angle, step):
    """Coordinates in units of `step` pixels, turned by `angle` degrees."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / step
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return c * x + s * y, c * y - s * x


def printed(image, mm, rng):
    """A print of 100 to 150 lines per inch of a page with `mm` pixels per millimetre."""
    image = image.resize((image.width * FINE, image.height * FINE), Image.Resampling.BICUBIC)
    step = 25.4 / rng.uniform(100, 150) * mm * FINE
    turn = rng.choice((0, 0, 30))
    tones = 1 - np.asarray(image, np.float32) / 255
    black = tones.min(2) * rng.uniform(0.5, 1)
    page = np.full(tones.shape, rng.uniform(235, 255), np.float32)
    for number, (angle, ink) in enumerate(INKS):
        tone = black if number == 3 else (tones[..., number] - black) / (1 - black + 0.01)
        u, v = grid(*image.size, angle + turn, step)
        threshold = 0.5 + 0.25 * (np.cos(2 * math.pi * u) + np.cos(2 * math.pi * v))
        covered = np.clip((tone - threshold) * 4 + 0.5, 0, 1)[..., None]
        page *= 1 - covered * (1 - np.array(ink, np.float32) / 255)
    return Image.fromarray(page.astype(np.uint8))


def displayed(image, rng):
    """A display with pixels of 1.3 to 3 pixels of the photo, of three stripes each; and the exposure of its photo, since only
    a part of its area is lit."""
    step = rng.uniform(1.3, 3) * FINE
    small = image.resize((round(image.width * FINE / step), round(image.height * FINE / step)), Image.Resampling.BOX)
    size = (image.width * FINE, image.height * FINE)
    page = np.asarray(small.resize(size, Image.Resampling.NEAREST), np.float32)
    u, v = grid(*size, 0, step)
    wide = rng.uniform(0.25, 0.32)
    order = rng.choice(((0, 1, 2), (2, 1, 0)))
    row = (v % 1 < rng.uniform(0.7, 0.95)).astype(np.float32)
    lit = [np.clip((wide / 2 - np.abs((u - (order[i] + 0.5) / 3 + 0.5) % 1 - 0.5)) * step + 0.5, 0, 1) * row for i in range(3)]
    return Image.fromarray((page * np.stack(lit, -1)).astype(np.uint8)), 0.9 / float(np.mean(lit))

"""Lines of machine-readable zones as ink: float arrays from 0 (paper) to 1 (ink), at a given capital height."""
import functools

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from text import ALPHABET

CAP = 40  # height of a capital, pixels
ABOVE, BELOW = 16, 16  # margins above and below it
OCR_B = ["opentype/ocr-b/OCRB.otf", "opentype/ocr-b/OCRBS.otf"]
# Fonts of zones that do not follow the standard (figures, old cards, printers' own fonts).
OTHERS = ["truetype/dejavu/DejaVuSansMono.ttf", "truetype/liberation/LiberationMono-Regular.ttf",
          "truetype/liberation/LiberationMono-Bold.ttf", "opentype/ocr-b/OCRBL.otf"]
FOLDER = "/usr/share/fonts/"


@functools.cache
def _glyphs(path, weight, wide):
    """One array per character, CAP high between its margins; `weight`: additional thickness of its strokes."""
    font = ImageFont.truetype(FOLDER + path, 100)
    # Wide and tall fonts of train_font.py do not fit the smaller canvas.
    at, canvas = (20, (130, 200)) if path in OCR_B + OTHERS else (80, (320, 320))
    probe = Image.new("L", canvas)
    ImageDraw.Draw(probe).text((at, at), "H", fill=255, font=font)
    _, top, _, bottom = probe.getbbox()
    scale = CAP / (bottom - top)
    glyphs = {}
    for c in ALPHABET:
        image = Image.new("L", probe.size)
        ImageDraw.Draw(image).text((at, at), c, fill=255, font=font)
        if weight > 0:
            image = image.filter(ImageFilter.MaxFilter(2 * round(weight / scale / 2) + 1))
        elif weight < 0:
            image = image.filter(ImageFilter.MinFilter(2 * round(-weight / scale / 2) + 1))
        left, _, right, _ = image.getbbox() or (at, 0, at + 1, 0)
        box = (left - 4, top - ABOVE / scale, right + 4, bottom + BELOW / scale)
        size = (max(1, round((box[2] - box[0]) * scale * wide)), CAP + ABOVE + BELOW)
        glyphs[c] = np.asarray(image.resize(size, Image.Resampling.BOX, box=box), np.float32) / 255
    return glyphs


def style(rng, plain=False):
    """The typesetting of a document's zone: font, stroke, pitch (in units of the capital height)."""
    other = not plain and rng.random() < 0.15
    return {
        "font": rng.choice(OTHERS if other else OCR_B),
        "weight": 0 if plain else rng.choice((-3, -2, -1, 0, 0, 1, 2, 4, 6)),
        "pitch": 1.02 if plain else rng.choice((1.02, rng.uniform(0.85, 1.2), rng.uniform(0.72, 1.4))),
        "jitter": 0 if plain else rng.choice((0, 0, 0.5, 1.5)),
        "wide": 1 if plain else rng.choice((0.9, 1, 1.1)),
    }


def line(text, style, rng):
    """The ink, and the x of each character's centre. The left and right margins are half a pitch."""
    glyphs = _glyphs(style["font"], style["weight"], style["wide"])
    pitch = style["pitch"] * CAP
    ink = np.zeros((CAP + ABOVE + BELOW, int(pitch * (len(text) + 1)) + 60), np.float32)
    centres = []
    for i, c in enumerate(text):
        glyph = glyphs[c]
        x = pitch * (i + 1)
        left = round(x - glyph.shape[1] / 2 + rng.uniform(-1, 1) * style["jitter"]) + 30
        down = round(rng.uniform(-1, 1) * style["jitter"])
        glyph = np.roll(glyph, down, axis=0) if down else glyph
        space = ink[:, left:left + glyph.shape[1]]
        np.maximum(space, glyph[:, :space.shape[1]], out=space)
        centres.append(x + 30)
    return ink, centres

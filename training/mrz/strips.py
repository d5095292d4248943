"""Pictures of lines for the recogniser: strips of 32 rows, as cropped by the reader, with their labels."""
import sys
from pathlib import Path

import cv2
import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[2] / "Tests/documents"))
import glyphs
from text import ALPHABET, SIZES, any_form, any_line, zone

HEIGHT = 32  # rows
CAPITAL = 18  # approximate rows of a capital
STRIDE = 4  # columns of a frame
BACKGROUND = len(ALPHABET)
IGNORED = -100


def texture(rng, height, width):
    """Document backgrounds behind text: waves, grain, steps, stripes; mean 0, about -1 to 1."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    total = np.zeros((height, width), np.float32)
    for _ in range(rng.randint(0, 3)):
        bend = rng.uniform(0, 6) * np.sin(x / rng.uniform(15, 120) + rng.uniform(0, 6))
        angle = rng.uniform(0, np.pi)
        phase = (np.cos(angle) * x + np.sin(angle) * (y + bend)) * (2 * np.pi / rng.uniform(4, 60))
        wave = np.sin(phase)
        if rng.random() < 0.5:
            wave = (wave > rng.uniform(0.3, 0.9)).astype(np.float32) * 2 - 1
        total += wave * rng.uniform(0.2, 1)
    if rng.random() < 0.5:
        seed = np.random.default_rng(rng.getrandbits(32))
        small = seed.standard_normal((max(2, height // rng.randint(4, 16)), max(2, width // rng.randint(4, 64))))
        total += cv2.resize(small.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC) * rng.uniform(0.2, 1)
    if rng.random() < 0.2:
        total += np.where(x > rng.uniform(0, width), rng.uniform(-2, 2), 0)
    return total


def photographed(rng, grey, plain):
    """Degrades a strip whose strokes are at camera resolution: blur, noise, compression, light."""
    if rng.random() < 0.6:
        grey = cv2.GaussianBlur(grey, (0, 0), rng.choice((rng.uniform(0.2, 0.8), rng.uniform(0.3, 1.4))))
    if rng.random() < 0.15:
        count = rng.randint(2, 4)
        kernel = np.zeros((5, 5), np.float32)
        cv2.line(kernel, (2 - count // 2, 2 + rng.randint(-1, 1)), (2 + count // 2, 2 + rng.randint(-1, 1)), 1)
        grey = cv2.filter2D(grey, -1, kernel / kernel.sum())
    if rng.random() < 0.6:
        seed = np.random.default_rng(rng.getrandbits(32))
        grey = grey + seed.standard_normal(grey.shape, np.float32) * rng.choice((2, 5, 12, 20))
    if rng.random() < 0.15:  # glare
        y, x = np.mgrid[0:grey.shape[0], 0:grey.shape[1]].astype(np.float32)
        far = ((x - rng.uniform(0, grey.shape[1])) / rng.uniform(10, 60)) ** 2
        far += ((y - rng.uniform(0, grey.shape[0])) / rng.uniform(5, 40)) ** 2
        grey = grey + 255 * rng.uniform(0.1, 0.9) * np.exp(-far)
    grey = np.clip(grey, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        _, code = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(25, 95)])
        grey = cv2.imdecode(code, cv2.IMREAD_GRAYSCALE)
    elif plain and rng.random() < 0.3:  # a two-tone scan
        _, grey = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return grey


def strip(rng):
    """A whole line: u8 array of HEIGHT rows, and the x of each character with its index."""
    if rng.random() < 0.5:
        lines = zone(rng, any_form(rng))
        chosen = rng.randrange(len(lines))
    else:
        length = rng.choice((30, 36, 44))
        lines = [any_line(rng, length) for _ in range(2)]
        chosen = rng.randrange(2)
    style = glyphs.style(rng)
    ink, centres = glyphs.line(lines[chosen], style, rng)
    gap = round(glyphs.CAP * rng.uniform(1.55, 3))  # from line to line
    margin = 70
    canvas = np.zeros((ink.shape[0] + 2 * margin, ink.shape[1] + 2 * margin), np.float32)
    canvas[margin:margin + ink.shape[0], margin:-margin] = ink
    middle = margin + glyphs.ABOVE + glyphs.CAP / 2
    for other, way in ((chosen - 1, -1), (chosen + 1, 1)):  # the visible parts of the lines above and below
        if 0 <= other < len(lines):
            near, _ = glyphs.line(lines[other], style, rng)
            top = margin + way * gap
            a, b = max(0, top), min(canvas.shape[0], top + near.shape[0])
            wide = min(near.shape[1], canvas.shape[1] - margin)
            if b > a:
                place = canvas[a:b, margin:margin + wide]
                np.maximum(place, near[a - top:b - top, :wide], out=place)
    if rng.random() < 0.1:  # a rule, an edge of the card
        row = int(middle + rng.choice((-1, 1)) * glyphs.CAP * rng.uniform(0.8, 1.2))
        canvas[max(0, row):row + rng.randint(1, 6)] = rng.uniform(0.3, 1)
    if rng.random() < 0.15:  # missing ink
        seed = np.random.default_rng(rng.getrandbits(32))
        holes = cv2.resize(seed.random((canvas.shape[0] // 4, canvas.shape[1] // 4), np.float32), canvas.shape[::-1])
        canvas *= np.clip((holes - rng.uniform(0, 0.35)) * 5, 0, 1)
    # Resampled to the camera's resolution, slightly rotated and bent, then to the strip.
    sharp = rng.choice((rng.uniform(4.5, 9), rng.uniform(6, 14), rng.uniform(10, 24)))  # rows of a capital
    scale = sharp / glyphs.CAP
    angle = np.deg2rad(rng.gauss(0, 0.5))
    shear = rng.gauss(0, 0.08)
    bend = rng.gauss(0, 1.5) if rng.random() < 0.5 else 0
    size = (int(canvas.shape[1] * scale), int(canvas.shape[0] * scale))
    if scale < 0.6:
        canvas = cv2.GaussianBlur(canvas, (0, 0), 0.35 / scale)
    y, x = np.mgrid[0:size[1], 0:size[0]].astype(np.float32)
    half = size[0] / 2
    low = (y - middle * scale) + (x - half) * np.float32(np.tan(angle)) + bend * scale * 10 * (((x - half) / half) ** 2 - 0.3)
    over = x + low * shear
    small = cv2.remap(canvas, over / scale, low / scale + middle, cv2.INTER_LINEAR)
    paper = rng.uniform(90, 250)
    dark = paper * rng.uniform(0.05, 0.75)
    strength = rng.choice((0, 0.05, 0.15, 0.3))
    pattern = texture(rng, *small.shape) * (paper - dark) * strength
    grey = paper + pattern - (paper - dark) * small + (pattern * rng.choice((0, -1)) * small)
    if rng.random() < 0.02:
        grey = 255 - grey
    grey = photographed(rng, grey, strength < 0.1)
    # Cropped as by the reader, with errors in position and size.
    grow = CAPITAL / sharp * np.exp(rng.gauss(0, 0.13))
    shift = rng.gauss(0, 1.6)
    turn = np.tan(angle) + rng.gauss(0, 0.006)
    width = int(size[0] * grow)
    if rng.random() < 0.12:  # a coarse scan, enlarged before binarisation
        large = cv2.resize(grey, None, fx=2.5, fy=2.5, interpolation=cv2.INTER_CUBIC)
        level, _ = cv2.threshold(large, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        grey = (large > level + rng.uniform(-30, 30)).astype(np.uint8) * 255
        grow, enlarged = grow / 2.5, 2.5
    else:
        enlarged = 1
    way = cv2.INTER_AREA if grow < 0.7 else rng.choice((cv2.INTER_LINEAR, cv2.INTER_CUBIC))
    if grow < 0.7:
        grey = cv2.GaussianBlur(grey, (0, 0), 0.4 / grow)
        way = cv2.INTER_LINEAR
    matrix = np.float32([[1 / grow, 0, 0], [0, 1 / grow, middle * scale * enlarged - (HEIGHT / 2 + shift) / grow]])
    # Removes the angle: the reader follows the detected line.
    matrix[1, 0] = -turn / grow
    matrix[1, 2] += turn * half * enlarged
    cut = cv2.warpAffine(
        grey, matrix, (width, HEIGHT), flags=way | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)
    places = [((c + margin) * scale * enlarged * grow, ALPHABET.index(t)) for c, t in zip(centres, lines[chosen])]
    return cut, places, glyphs.CAP * style["pitch"] * scale * enlarged * grow


def labels(places, pitch, frames, start=0):
    """The label of each frame: a character at its centre, BACKGROUND between two, IGNORED in doubt."""
    x = start + STRIDE * (np.arange(frames) + 0.5)
    result = np.full(frames, BACKGROUND, np.int64)
    for centre, index in places:
        far = np.abs(x - centre)
        result[far < 0.4 * pitch] = IGNORED
    for centre, index in places:
        far = np.abs(x - centre)
        result[far < max(0.24 * pitch, STRIDE / 2 + 0.01)] = index
    return result


def windows(rng, width):
    """Crops of a line, `width` columns each, with the labels of their frames."""
    cut, places, pitch = strip(rng)
    for start in range(-rng.randint(0, width // 2), cut.shape[1] - width // 4, width):
        a, b = max(0, start), min(cut.shape[1], start + width)
        part = cut[:, a:b]
        if part.shape[1] < width:
            part = np.pad(part, ((0, 0), (a - start, start + width - b)), mode="edge")
        yield part, labels(places, pitch, width // STRIDE, start)

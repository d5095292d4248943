"""Pictures of synthetic documents with a machine-readable zone, as captured by a camera or a scanner.

Needs only numpy and Pillow, so that the product's tests can generate pages with it. The only people shown are the
portraits that the caller supplies.
"""
import functools
import io
import math
import random

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

import glyphs
from text import ALPHABET, SIZES, STATES, word, zone

# Width and height in mm (ICAO 9303-3, 2.3: ID-1, ID-2, ID-3; part 7 for visas).
CARDS = {"TD1": (85.6, 54), "TD2": (105, 74), "TD3": (125, 88), "MRV-A": (120, 80), "MRV-B": (105, 74)}
CAPITAL = 2.45  # mm, OCR-B size 1
PRINT = ["truetype/dejavu/DejaVuSans.ttf", "truetype/dejavu/DejaVuSansMono.ttf", "truetype/dejavu/DejaVuSerif.ttf",
         "truetype/liberation/LiberationSans-Regular.ttf", "truetype/liberation/LiberationSans-Bold.ttf",
         "truetype/liberation/LiberationSerif-Regular.ttf"]


def waves(rng, width, height, strength):
    """A security background: curved lines and slow changes of tone, around 0."""
    small = max(1, max(width, height) // 400)
    w, h = width // small + 1, height // small + 1
    y, x = np.mgrid[0:h, 0:w].astype(np.float32) * small
    total = np.zeros((h, w), np.float32)
    for _ in range(rng.randint(1, 4)):
        bend = rng.uniform(0, 25) * np.sin(x / rng.uniform(20, 300) + y / rng.uniform(20, 300))
        angle = rng.uniform(0, math.pi)
        wave = np.sin((math.cos(angle) * x + math.sin(angle) * y + bend) * (2 * math.pi / rng.uniform(5, 50)))
        total += wave * rng.uniform(0.2, 1)
    slow = np.random.default_rng(rng.getrandbits(32)).standard_normal((4, 5)).astype(np.float32)
    slow = np.asarray(Image.fromarray(slow).resize((w, h), Image.Resampling.BICUBIC))
    total = (total * 0.5 + slow) * strength
    return np.asarray(Image.fromarray(total).resize((width, height), Image.Resampling.BILINEAR))


@functools.cache
def open_font(path, size):
    return ImageFont.truetype(glyphs.FOLDER + path, size)


def font(rng, size, paths=PRINT):
    return open_font(rng.choice(paths), max(6, int(size)))


def write_fields(draw, rng, box, mm, dark):
    """Draws names, dates and captions as on a page; sometimes a bar code or a signature."""
    left, top, right, bottom = box
    y = top
    while y < bottom:
        size = rng.choice((1.2, 1.6, 2.2, 2.6, 3.2)) * mm
        x = left + rng.choice((0, 0, (right - left) * rng.uniform(0.2, 0.7)))
        kind = rng.random()
        if kind < 0.08:
            text = " ".join(str(rng.randint(0, 99)) for _ in range(4))
        elif kind < 0.2:
            text = f"{rng.randint(1, 28):02}.{rng.randint(1, 12):02}.{rng.randint(1950, 2030)}"
        else:
            text = " ".join(word(rng, 2, 10) for _ in range(rng.randint(1, 5)))
            text = rng.choice((str.upper, str.title, str.lower))(text)
        paths = glyphs.OCR_B if rng.random() < 0.1 else PRINT
        draw.text((x, y), text, fill=int(dark * rng.uniform(0.8, 1.4)), font=font(rng, size, paths))
        y += size * rng.uniform(1.2, 2)
    if rng.random() < 0.15:  # a bar code
        x, y = rng.uniform(left, right - 1), rng.uniform(top, bottom)
        high = rng.uniform(3, 10) * mm
        while x < right:
            thick = rng.choice((1, 1, 2, 3)) * mm * 0.25
            draw.rectangle((x, y, x + thick, y + high), fill=20)
            x += thick + rng.choice((1, 2, 3)) * mm * 0.25
    if rng.random() < 0.3:  # a signature
        points = [(left + (right - left) * (0.3 + 0.05 * i + rng.uniform(0, 0.06)), bottom - rng.uniform(0, 6) * mm)
                  for i in range(10)]
        draw.line(points, fill=30, width=max(1, int(0.3 * mm)), joint="curve")


def card(rng, lines, form, mm, portrait=None, plain=False, write=write_fields, style=None):
    """A page with `mm` pixels per millimetre, grey; and for each line: the centres of its first and last character's
    outer edges, and its capital height. `write` draws what is printed above the zone."""
    wide, high = CARDS[form]
    width, height = int(wide * mm), int(high * mm)
    paper = rng.uniform(200, 250) if plain else rng.uniform(120, 250)
    dark = rng.uniform(10, 40) if plain else paper * rng.uniform(0.05, 0.55)
    tone = np.full((height, width), paper, np.float32) + waves(rng, width, height, rng.uniform(0, 6 if plain else 22))
    image = Image.fromarray(np.clip(tone, 0, 255).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    count, length = SIZES[form]
    style = style or glyphs.style(rng, plain)
    # As wide as the standard requires, or as some figures have it.
    used = wide - 2 * (4 if plain else rng.uniform(2, 8))
    capital = min(CAPITAL, used / length / style["pitch"])
    step = capital * (2.6 if plain else rng.uniform(1.6, 3))
    low = high - (5 if plain else rng.uniform(2, 8)) - capital / 2
    first = low - step * (count - 1)
    start = (wide - capital * style["pitch"] * length) * (0.5 if plain else rng.uniform(0.2, 0.8))
    face = None
    if form != "TD1" or not plain and rng.random() < 0.5:
        tall = (first - capital * 2) * rng.uniform(0.5, 0.75)
        if portrait is not None and tall > 8:
            at = (int(rng.uniform(3, 8) * mm), int((first - capital * 2 - tall) * 0.6 * mm))
            size = (int(tall * 0.78 * mm), int(tall * mm))
            image.paste(portrait.convert("L").resize(size, Image.Resampling.BICUBIC), at)
            face = (*at, at[0] + size[0], at[1] + size[1])
    write(draw, rng, (face[2] + 3 * mm if face else 4 * mm, 3 * mm, width - 4 * mm, (first - capital * 2) * mm), mm, dark)
    if not plain and rng.random() < 0.3:  # a separate band below the zone
        top = int((first - capital * 1.5) * mm)
        band = np.asarray(image)[top:].astype(np.float32)
        share = rng.uniform(0.3, 1)
        band = band * (1 - share) + rng.uniform(180, 255) * share
        image.paste(Image.fromarray(np.clip(band, 0, 255).astype(np.uint8)), (0, top))
    page = np.array(image, np.float32)
    truth = []
    for i, text in enumerate(lines):
        ink, centres = glyphs.line(text, style, rng)
        scale = capital * mm / glyphs.CAP
        size = (max(1, round(ink.shape[1] * scale)), max(1, round(ink.shape[0] * scale)))
        ink = np.asarray(Image.fromarray(ink).resize(size, Image.Resampling.BOX if scale < 0.5 else Image.Resampling.BILINEAR))
        middle = (first + i * step) * mm
        top = int(middle - size[1] / 2)
        left = int(start * mm - centres[0] * scale + style["pitch"] * capital * mm / 2)
        a, b = max(0, top), min(page.shape[0], top + ink.shape[0])
        c, d = max(0, left), min(page.shape[1], left + ink.shape[1])
        part = ink[a - top:b - top, c - left:d - left]
        page[a:b, c:d] += (min(dark, paper - 40) - page[a:b, c:d]) * part
        half = style["pitch"] * glyphs.CAP / 2
        truth.append((
            (left + (centres[0] - half) * scale, middle), (left + (centres[-1] + half) * scale, middle), capital * mm))
    return Image.fromarray(np.clip(page, 0, 255).astype(np.uint8)), truth, face


def coefficients(source, target):
    """The eight coefficients of Pillow's perspective transform that maps `target` (four points) to `source`."""
    rows, right = [], []
    for (x, y), (u, v) in zip(target, source):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    return np.linalg.solve(np.array(rows), np.array(right))


def through(back, point):
    """The position of a source point in the target: the inverse of `coefficients`."""
    matrix = np.linalg.inv(np.append(back, 1).reshape(3, 3))
    x, y, w = matrix @ (*point, 1)
    return x / w, y / w


def corners_of(rng, width, height, angle, size, tilt, off):
    """The corners of a page of this shape, rotated, tilted and placed in a picture of this size."""
    w, h = size
    c, s = math.cos(angle), math.sin(angle)
    box_w, box_h = abs(width * c) + abs(height * s), abs(width * s) + abs(height * c)
    scale = min(w / box_w, h / box_h) * off
    middle = (w / 2 + (w - box_w * scale) * rng.uniform(-0.4, 0.4), h / 2 + (h - box_h * scale) * rng.uniform(-0.4, 0.4))
    corners = []
    for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)):
        x, y = x * width * scale, y * height * scale
        x, y = x * (1 + rng.uniform(-tilt, tilt)), y * (1 + rng.uniform(-tilt, tilt))
        corners.append((middle[0] + x * c - y * s, middle[1] + x * s + y * c))
    return corners


def photograph(image, truth, corners, size, scene, rng):
    """Warps the page to these corners in front of a scene. Returns the picture and the ground truth in it."""
    w, h = image.size
    long = max(math.dist(corners[i], corners[(i + 1) % 4]) / math.dist(((0, 0), (w, 0), (w, h), (0, h))[i],
               ((0, 0), (w, 0), (w, h), (0, h))[(i + 1) % 4]) for i in range(4))
    if long < 0.7:  # low-pass before the warp, which interpolates only four pixels
        image = image.filter(ImageFilter.GaussianBlur(0.4 / long))
    back = coefficients(((0, 0), (w, 0), (w, h), (0, h)), corners)
    seen = image.transform(size, Image.Transform.PERSPECTIVE, tuple(back), Image.Resampling.BICUBIC)
    mask = Image.new("L", image.size, 255).transform(size, Image.Transform.PERSPECTIVE, tuple(back), Image.Resampling.BILINEAR)
    scene.paste(seen, (0, 0), mask)
    moved = []
    for a, b, capital in truth:
        middle = ((a[0] + b[0]) / 2, a[1])
        up, down = through(back, (middle[0], a[1] - capital / 2)), through(back, (middle[0], a[1] + capital / 2))
        moved.append((through(back, a), through(back, b), math.dist(up, down)))
    return scene, moved


def degrade(image, rng, hard):
    """Simulates a camera and a file format. `hard` from 0 (a scanner) to 1 (a bad photo)."""
    pixels = np.asarray(image, np.float32)
    shape = pixels.shape
    h, w = shape[:2]
    seed = np.random.default_rng(rng.getrandbits(32))
    if rng.random() < 0.7 * hard:  # light from one side
        slope = np.linspace(-1, 1, w)[None, :] * rng.uniform(-0.3, 0.3) + np.linspace(-1, 1, h)[:, None] * rng.uniform(-0.3, 0.3)
        pixels = pixels * (1 + hard * slope.reshape(h, w, *[1] * (len(shape) - 2)))
    if rng.random() < 0.3 * hard:  # glare
        y, x = np.mgrid[0:h, 0:w].astype(np.float32)
        far = ((x - rng.uniform(0, w)) / (w * rng.uniform(0.03, 0.15))) ** 2 + ((y - rng.uniform(0, h)) / (h * rng.uniform(0.03, 0.15))) ** 2
        pixels = pixels + (255 * rng.uniform(0.2, 0.8) * np.exp(-far)).reshape(h, w, *[1] * (len(shape) - 2))
    image = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    if rng.random() < 0.8:
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0, 0.3 + 0.9 * hard)))
    pixels = np.asarray(image, np.float32)
    pixels = pixels + seed.standard_normal(pixels.shape, np.float32) * rng.uniform(0, 2 + 10 * hard)
    image = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    if rng.random() < 0.8:
        file = io.BytesIO()
        image.save(file, "JPEG", quality=rng.randint(int(90 - 55 * hard), 95))
        image = Image.open(io.BytesIO(file.getvalue()))
        image.load()
    return image


def filled(rng, size, pictures, mode="L"):
    """A background surface: one tone, a pattern, or a photo."""
    if pictures and rng.random() < 0.4:
        return rng.choice(pictures)().convert(mode).resize(size, Image.Resampling.BILINEAR)
    tone = rng.uniform(0, 255) + waves(rng, *size, rng.uniform(0, 40))
    return Image.fromarray(np.clip(tone, 0, 255).astype(np.uint8)).convert(mode)

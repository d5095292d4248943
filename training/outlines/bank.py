#!/usr/bin/env python3
"""Collect the pictures of which scenes.py makes scenes: documents, backgrounds, portraits.

    bank.py BANK.npz --photos FOLDER... --faces FOLDER --portraits FOLDER --documents FOLDER [--count 2400]

`photos` and `faces` are folders of JPEG files, the backgrounds; `portraits` are drawn on generated documents; `documents`
are pictures of whole documents, as for Tests/documents/make_scenes. Uses all processors. Needs what make_scenes needs.
"""
import random
import sys
from multiprocessing import Pool
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

sys.path.append(str(Path(__file__).resolve().parents[1]))
from shared import command, drawing

make_scenes = drawing("make_scenes")
DOCUMENT = 512, 360  # pixels, whatever the format of the document
BACKGROUND = 384
FACES = 1500


def opened(file):
    return Image.open(file).convert("RGB")


def background(image):
    scale = BACKGROUND / min(image.size)
    image = image.resize([max(BACKGROUND, round(side * scale)) for side in image.size], Image.Resampling.BICUBIC)
    left, top = ((side - BACKGROUND) // 2 for side in image.size)
    return np.asarray(image.crop((left, top, left + BACKGROUND, top + BACKGROUND)))


def drawn_background(seed):
    rng = random.Random(f"background {seed}")
    size = (480, 360) if rng.random() < 0.6 else (360, 480)
    # Drawn twice as large, so that lines are as thin as in photos.
    draw = make_scenes.clutter if seed % 3 else make_scenes.surface
    return background(draw(rng, (2 * size[0], 2 * size[1]), None).resize(size, Image.Resampling.BOX))


def coloured(image, portrait, rng):
    """Adds curved lines in colours, a coloured portrait, and sometimes a band along an edge."""
    pixels = np.asarray(image, np.float32).copy()
    height, width = pixels.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    for channel in range(3):
        if rng.random() < 0.7:
            frequency, angle = rng.uniform(0.02, 0.25), rng.uniform(0, np.pi)
            bend = rng.uniform(0, 20) * np.sin((x * np.cos(angle + 1) + y * np.sin(angle + 1)) / rng.uniform(15, 150))
            wave = np.sin((x * np.cos(angle) + y * np.sin(angle) + bend) * frequency * 2 * np.pi)
            pixels[..., channel] += rng.uniform(0, 22) * wave
        pixels[..., channel] += rng.uniform(-40, 40) * (x / width - 0.5) + rng.uniform(-40, 40) * (y / height - 0.5)
    image = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    if rng.random() < 0.7:
        tall = rng.uniform(0.25, 0.6) * height
        size = max(8, int(tall * 0.78)), max(8, int(tall))
        left = rng.uniform(0.02, 0.12) * width if rng.random() < 0.7 else width * rng.uniform(0.6, 0.95) - size[0]
        top = rng.uniform(0.15, 0.85) * (height - size[1])
        image.paste(portrait.resize(size, Image.Resampling.BICUBIC), (int(left), int(top)))
    if rng.random() < 0.3:
        draw, wide = ImageDraw.Draw(image), rng.uniform(3, 20)
        colour = tuple(rng.randrange(256) for _ in range(3))
        kind = rng.randrange(3)
        if kind == 2:
            draw.rectangle((0, 0, width - 1, height - 1), outline=colour, width=int(wide / 3) + 1)
        else:
            draw.rectangle((0, height - wide, width, height) if kind == 0 else (0, 0, wide, height), fill=colour)
    return image


def drawn_document(arguments):
    seed, file = arguments
    rng = random.Random(f"document {seed}")
    portrait = opened(file)
    image, width = make_scenes.drawn(rng, portrait, mm=4)
    if rng.random() < 0.5:
        image = coloured(image, portrait, rng)
    return np.asarray(image.resize(DOCUMENT, Image.Resampling.LANCZOS)), width


def main(bank: Path, *, photos: list[Path], faces: Path, portraits: Path, documents: Path, count: int = 2400):
    rng = random.Random(5)

    def files(folder, most=None):
        found = sorted(folder.rglob("*.jpg"))
        return rng.sample(found, min(most, len(found))) if most else found

    portraits = files(portraits, 600)
    with Pool() as pool:
        seeds = [(seed, portraits[seed % len(portraits)]) for seed in range(count)]
        made = pool.map(drawn_document, seeds, 8)
        drawn = pool.map(drawn_background, range(count), 8)
    specimens = sorted(documents.iterdir())
    np.savez(
        bank, documents=np.stack([pixels for pixels, _ in made]), widths=[width for _, width in made],
        specimens=np.stack([np.asarray(opened(file).resize(DOCUMENT, Image.Resampling.LANCZOS)) for file in specimens]),
        specimen_widths=[int(file.name.split("-")[0]) for file in specimens],
        drawn=np.stack(drawn),
        photos=np.stack([background(opened(file)) for folder in photos for file in files(folder)]),
        faces=np.stack([background(opened(file)) for file in files(faces, FACES)]))


if __name__ == "__main__":
    command(main, __doc__)

#!/usr/bin/env python3
"""Simulates document portraits from photos: those of a chip and of a printed page.

  find PHOTOS -name '*.jpg' | documents.py chip|page OUTPUT

OUTPUT gets one folder per person, like PHOTOS. Everything is simulated and labelled so: no document was printed or
scanned.
chip: 240x320, upright, often grey, JPEG 2000 of 15 to 20 kB (ICAO 9303-9 asks for 15 to 20 kB).
page: the same portrait printed at 300 dots per inch, below lines and a tint, captured by a camera: blurred, lit from
one side, with glare, noise and JPEG.
"""
import hashlib
import sys
import typing
from pathlib import Path

import cv2
import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[1]))
from shared import command

WIDTH, HEIGHT = 240, 320


def portrait(photo, random):
    """Crops the centre of the photo to a portrait's aspect ratio: the face is there in LFW and aligned photos."""
    h, w = photo.shape[:2]
    side = min(h, w)
    cut = int(side * random.uniform(0.72, 0.85))
    x, y = (w - cut) // 2, (h - cut) // 2
    cut_h = min(h - y, int(cut * HEIGHT / WIDTH))
    top = max(0, min(h - cut_h, y - (cut_h - cut) // 2))
    return cv2.resize(photo[top:top + cut_h, x:x + cut], (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)


def chip(photo, random):
    picture = portrait(photo, random)
    if random.random() < 0.3:
        picture = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    wanted = random.uniform(15_000, 20_000)
    # In thousandths of the raw size; the encoder's actual output differs slightly.
    data = cv2.imencode(".jp2", picture, [cv2.IMWRITE_JPEG2000_COMPRESSION_X1000, int(1000 * wanted / picture.size)])[1]
    return data.tobytes(), ".jp2"


def page(photo, random):
    picture = portrait(photo, random).astype("f4")
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype("f4")
    # Printer dots, blurred by the paper.
    picture += random.normal(0, random.uniform(4, 12), picture.shape)
    picture = cv2.GaussianBlur(picture, (0, 0), random.uniform(0.6, 1.3))
    picture = 128 + (picture - 128) * random.uniform(0.65, 0.95) + random.uniform(-15, 20)
    picture *= 1 + random.normal(0, 0.05, 3)  # tint of the laminate
    for _ in range(random.integers(3, 9)):  # security lines
        period, wave, angle = random.uniform(8, 40), random.uniform(2, 12), random.uniform(0, np.pi)
        along = x * np.cos(angle) + y * np.sin(angle)
        across = -x * np.sin(angle) + y * np.cos(angle) + wave * np.sin(2 * np.pi * along / random.uniform(30, 120))
        line = np.exp(-(((across % period) - period / 2) / 0.7) ** 2)[..., None]
        picture += line * random.uniform(-18, 18)
    picture *= 1 + random.normal(0, 0.12) * (x / WIDTH - 0.5)[..., None]
    if random.random() < 0.3:  # glare
        cx, cy, r = random.uniform(0, WIDTH), random.uniform(0, HEIGHT), random.uniform(15, 60)
        picture += 160 * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * r * r))[..., None]
    picture = cv2.GaussianBlur(picture, (0, 0), random.uniform(0.4, 1.0)) + random.normal(0, random.uniform(1, 5), picture.shape)
    return cv2.imencode(".jpg", np.clip(picture, 0, 255).astype("u1"), [1, int(random.uniform(55, 90))])[1].tobytes(), ".jpg"


def main(kind: typing.Literal["chip", "page"], output: Path):
    for line in sys.stdin:
        source = Path(line.rstrip("\n"))
        seed = hashlib.sha256(f"{kind}{source.name}".encode()).digest()[:4]
        random = np.random.default_rng(int.from_bytes(seed, "big"))
        data, suffix = {"chip": chip, "page": page}[kind](cv2.imread(str(source)), random)
        target = output / source.parent.parent.name / source.parent.name / (source.stem + suffix)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


if __name__ == "__main__":
    command(main, __doc__)

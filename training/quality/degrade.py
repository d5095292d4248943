#!/usr/bin/env python3
"""Degrades photos, each in one way typical of cameras, lighting and networks, by a random amount.

    degrade.py OUTPUT < paths

Press photos are mostly good; these photos teach a score about small, blurred, noisy and badly lit faces. A person's
folder keeps its name, and a photo's name gets the kind of degradation as a suffix.
"""
import sys
from pathlib import Path

import cv2
import numpy as np


def small(picture, u):
    factor = 0.22 * (0.9 / 0.22) ** u
    return cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)


def stretched(picture, u):
    height, width = picture.shape[:2]
    return cv2.resize(small(picture, u), (width, height), interpolation=cv2.INTER_LINEAR)


def blurred(picture, u):
    return cv2.GaussianBlur(picture, (0, 0), 0.4 + 3.6 * (1 - u) ** 2)


def moved(picture, u):
    length = 3 + 2 * int(8 * (1 - u))
    kernel = np.zeros((length, length), "f4")
    kernel[length // 2] = 1
    angle = 360 * ((7 * u) % 1)
    turn = cv2.getRotationMatrix2D((length / 2 - 0.5, length / 2 - 0.5), angle, 1)
    kernel = cv2.warpAffine(kernel, turn, (length, length))
    return cv2.filter2D(picture, -1, kernel / kernel.sum())


def noisy(picture, u, random):
    light = 1 - 0.6 * (1 - u)
    return picture * light + random.normal(0, 2 + 23 * (1 - u), picture.shape)


def dark(picture, u):
    return 255 * (picture / 255) ** (1 + 2 * (1 - u)) * (0.12 + 0.8 * u)


def bright(picture, u):
    return picture * (1.2 + 2.8 * (1 - u)) + 60 * (1 - u)


def shaded(picture, u):
    width = picture.shape[1]
    ramp = 1 / (1 + np.exp(-(np.arange(width) - width / 2) / (0.03 * width)))
    ramp = ramp if int(1000 * u) % 2 else ramp[::-1]
    return picture * (0.05 + 0.85 * u + (0.95 - 0.85 * u) * ramp)[None, :, None]


def flat(picture, u):
    share = 0.08 + 0.8 * u
    return picture * share + 200 * (1 - share) * ((3 * u) % 1)


def compressed(picture, u):
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(3 + 40 * u)])[1]
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


def rolled(picture, u):
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 80 * u - 40, 1)
    return cv2.warpAffine(picture, turn, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)


KINDS = [small, stretched, blurred, moved, noisy, dark, bright, shaded, flat, compressed, rolled]


def main():
    random = np.random.default_rng(20261122)
    out = Path(sys.argv[1])
    for i, line in enumerate(sys.stdin):
        path = Path(line.strip())
        kind, u = KINDS[i % len(KINDS)], random.uniform()
        picture = cv2.imread(str(path)).astype("f4")
        if kind is compressed:
            picture = picture.astype("u1")
        worse = kind(picture, u, random) if kind is noisy else kind(picture, u)
        folder = out / path.parent.name
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{path.stem}-{kind.__name__}.jpg"
        cv2.imwrite(str(folder / name), np.clip(worse, 0, 255).astype("u1"), [cv2.IMWRITE_JPEG_QUALITY, 97])


main()

#!/usr/bin/env python3
"""Patches of documents, of prints of documents, and of displays that show them, as a camera records them.

Light is linear, in arrays of height x width x 3; lengths on the document are millimetres. The camera, its distance and
its position are drawn before the medium and from the same distributions, so that they do not reveal the medium.

    simulate.py OUT.npz --documents PICTURES... --portraits FOLDER [--drawn 100] [--pages 6] [--patches 4] [--seed 1]
                [--processes dots lines droplets fine photo]

writes `pages` pages of each class for each document, or of each of the prints `processes`. `documents` are pictures of whole
documents, cropped and upright, named by their width in millimetres (86-name.png, 105-, 125-).
"""
import math
import random
import sys
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

sys.path += [str(Path(__file__).resolve().parents[1] / part) for part in ("", "attacks")]
import optics
from shared import command, drawing

scenes = drawing("make_scenes")
SIDE = 64  # pixels of a patch
CLASSES = ("original", "print", "display")
# Angles of the screens of cyan, magenta, yellow and black in degrees, as usual in offset printing.
SCREENS = (15.0, 75.0, 0.0, 45.0)
# Transmission of the inks in linear light.
INKS = np.array([(0.12, 0.50, 0.80), (0.70, 0.08, 0.30), (0.85, 0.72, 0.10), (0.04, 0.04, 0.04)], np.float32)


class Picture:
    """A document's light with its reductions, to sample it without aliasing."""

    def __init__(self, image, width):
        self.image, self.width, self.height = image.convert("RGB"), width, width * image.height / image.width
        self.levels, self.scales = [], []
        light = optics.TO_LIGHT[np.asarray(self.image)]
        while min(light.shape[:2]) >= 16:
            self.levels.append(light)
            self.scales.append(light.shape[1] / width)
            light = cv2.resize(light, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)

    def sample(self, x, y, step):
        """The light at points in mm that are `step` mm apart."""
        level = min(max(0, math.floor(math.log2(max(1, step * self.scales[0])) + 0.5)), len(self.levels) - 1)
        scale = self.scales[level]
        return cv2.remap(self.levels[level], x * scale - 0.5, y * scale - 0.5, cv2.INTER_LINEAR,
                         borderMode=cv2.BORDER_REPLICATE)


def guilloches(light, mm, rng):
    """Fine lines of inks of their own, as in offset printing: 0.04 to 0.2 mm wide, 1 to 5 to the millimetre."""
    height, width = light.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / mm
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        angle, lines = rng.uniform(0, math.pi), rng.uniform(1, 5)
        phase = lines * (math.cos(angle) * x + math.sin(angle) * y)
        for _ in "ab":
            turn, wave = rng.uniform(0, math.pi), rng.uniform(0.05, 0.6)
            phase += rng.uniform(0, 1.5) * np.sin(wave * (math.cos(turn) * x + math.sin(turn) * y) + rng.uniform(0, 6))
        wide = min(0.7, rng.uniform(0.04, 0.2) * lines)
        covered = np.clip((wide / 2 - np.abs(phase % 1 - 0.5)) * mm / lines + 0.5, 0, 1)
        ink = np.array([rng.uniform(0.05, 1) for _ in range(3)], np.float32)
        light *= 1 - covered[..., None] * ((1 - ink) * np.float32(rng.uniform(0.3, 0.9)))
    return light


def drawn(rng, portrait):
    """A drawn document of 16 pixels per millimetre, with print as sharp as an original's."""
    mm = 16
    image, width = scenes.drawn(rng, portrait, mm)
    size = scenes.SIZES[width]
    light = guilloches(optics.TO_LIGHT[np.asarray(scenes.tinted(image, rng, 0.3))], mm, rng)
    if rng.random() < 0.5:  # a part is printed with droplets, like the portraits of many passports
        left, top = rng.randrange(image.width // 2), rng.randrange(image.height // 2)
        part = light[top:top + image.height // 3, left:left + image.width // 4]
        noise = np.random.default_rng(rng.getrandbits(32))
        drops = noise.random((*part.shape[:2], rng.choice((1, 3))), np.float32)
        share = rng.uniform(0.3, 1)
        part += share * ((drops < part) - part)
    return Picture(Image.fromarray(optics.picture_of(light.transpose(2, 0, 1))), size[0])


class Original:
    def __init__(self, picture, view, rng):
        self.picture = picture

    def light(self, x, y, step):
        return self.picture.sample(x, y, step)


def copied(picture, rng):
    """What a scanner or a camera made of a document: 150 to 600 dpi, often JPEG."""
    scale = min(math.exp(rng.uniform(math.log(6), math.log(24))), picture.scales[0])
    size = (round(picture.width * scale), round(picture.height * scale))
    image = picture.image.resize(size, Image.Resampling.BOX)
    if rng.random() < 0.7:
        image = Image.fromarray(optics.recompressed(np.asarray(image), rng.randint(60, 96), rng.random() < 0.6))
    return Picture(image, picture.width)


class Droplets:
    """A threshold per cell, with little noise of low frequency, as error diffusion has."""

    def __init__(self, rng, side=128):
        noise = np.random.default_rng(rng.getrandbits(32)).standard_normal((4, side, side)).astype(np.float32)
        for plane in noise:
            plane -= cv2.GaussianBlur(plane, (0, 0), 1.2, borderType=cv2.BORDER_REFLECT)
        ranks = noise.reshape(4, -1).argsort(1).argsort(1)
        self.thresholds = ((ranks + 0.5) / side**2).astype(np.float32).reshape(4, side, side).transpose(1, 2, 0).copy()
        self.side = side


class Print:
    """A print of a scan of the document: `dots` or `lines` of a laser printer or copier, `droplets` of an inkjet printer,
    `photo` without a visible screen (dye sublimation), `fine` droplets of 1,200 to 1,440 dpi."""
    KINDS = ("dots", "lines", "droplets")

    def __init__(self, picture, view, rng, kind=None):
        self.picture = copied(picture, rng)
        self.kind = kind or rng.choice(self.KINDS)
        self.frequency = rng.uniform(100, 212) / 25.4  # cycles per mm
        self.cells = math.exp(rng.uniform(math.log(360), math.log(1200))) / 25.4
        self.turn = rng.choice((0, 0, 90, rng.uniform(0, 90)))
        self.soft = rng.uniform(0.15, 0.6)
        self.gain = rng.uniform(0.0, 0.2)
        self.black = rng.uniform(0.3, 1)
        self.paper = np.array([1, rng.uniform(0.96, 1), rng.uniform(0.88, 1.03)], np.float32) * rng.uniform(0.85, 1)
        if self.kind == "fine":
            self.cells = rng.uniform(1200, 1440) / 25.4
        if self.kind in ("droplets", "fine"):
            self.droplets = Droplets(rng)

    def light(self, x, y, step):
        light = np.clip(self.picture.sample(x, y, step), 0.001, 1)
        if self.kind == "photo":
            return light * 0.93 + 0.02
        tones = 1 - light
        black = self.black * tones.min(2, keepdims=True)
        tones = np.concatenate([(tones - black) / (1 - black + 1e-3), black], 2)
        tones = np.clip(tones + self.gain * tones * (1 - tones), 0, 1)
        covered = self._droplets(tones, x, y) if self.kind in ("droplets", "fine") else self._screens(tones, x, y)
        paper = np.broadcast_to(self.paper, light.shape).copy()
        for ink, part in enumerate(INKS):
            paper *= 1 - covered[..., ink:ink + 1] * (1 - part)
        return paper

    def _droplets(self, tones, x, y):
        side = self.droplets.side
        i, j = (np.floor(at * self.cells).astype(np.int32) % side for at in (x, y))
        return (tones > self.droplets.thresholds[j, i]).astype(np.float32)

    def _screens(self, tones, x, y):
        """The share of each ink, 0 to 1, at points where its screen has to give a tone."""
        covered = np.empty_like(tones)
        for ink, screen in enumerate(SCREENS):
            angle, tone = math.radians(screen + self.turn), tones[..., ink]
            cycles = 2 * math.pi * self.frequency
            u = np.cos((cycles * math.cos(angle)) * x + (cycles * math.sin(angle)) * y)
            # Thresholds are about uniform between 0 and 1, so that the covered share is the tone.
            if self.kind == "lines":
                threshold = np.arccos(np.clip(u, -1, 1)) * (1 / math.pi)
            else:
                v = np.cos((cycles * math.cos(angle)) * y - (cycles * math.sin(angle)) * x)
                spot = (u + v) / 2
                threshold = 0.5 - 0.5 * np.sign(spot) * (1 - (1 - np.abs(spot)) ** 1.5)
            covered[..., ink] = np.clip((tone - threshold) / self.soft + tone, 0, 1) * (tone > 0.01)
        return covered


def filled(at, wide, step):
    """The share of an interval of length `step` around `at` in stripes of width `wide` around the integers, exactly."""
    def before(where):
        where = where + wide / 2
        whole = np.floor(where)
        return whole * wide + np.minimum(where - whole, wide)
    return (before(at + step / 2) - before(at - step / 2)) / step


class Display:
    """A display with the document's picture: red, green and blue stripes, or a diamond of OLEDs."""
    KINDS = ("stripes", "diamond")

    def __init__(self, picture, view, rng, kind=None):
        self.picture = copied(picture, rng)
        self.kind = kind or rng.choice(("stripes", "stripes", "diamond"))
        self.pixels = view.resolution / view.ratio  # of the display per mm of the shown document
        self.turn = 0 if rng.random() < 0.7 else rng.uniform(0, 2 * math.pi)
        self.upright = rng.random() < 0.8  # stripes across the rows
        self.order = rng.choice(((0, 1, 2), (2, 1, 0)))
        self.wide, self.high = rng.uniform(0.2, 0.32), rng.uniform(0.65, 0.95)
        self.gamma = math.exp(rng.uniform(math.log(0.8), math.log(1.4)))
        self.black = rng.uniform(0.001, 0.03)
        # Reflections and stray light of the glass reduce the contrast of the grid.
        self.veil = rng.uniform(0, 0.12)

    def light(self, x, y, step):
        c, s = math.cos(self.turn), math.sin(self.turn)
        u, v = (c * x + s * y) * self.pixels, (c * y - s * x) * self.pixels
        column, row = np.floor(u) + 0.5, np.floor(v) + 0.5
        px, py = (c * column - s * row) / self.pixels, (s * column + c * row) / self.pixels
        shown = self.picture.sample(px, py, 1 / self.pixels) ** self.gamma
        shown = self.black + (1 - self.black) * shown
        step = step * self.pixels
        if not self.upright:
            u, v = v, u
        lit = np.empty_like(shown)
        if self.kind == "stripes":
            rows = filled(v - 0.5, self.high, step) / self.high
            for channel, place in enumerate(self.order):
                lit[..., channel] = filled(u - (place + 0.5) / 3, self.wide, step) / self.wide * rows
        else:
            # Green in each pixel; red and blue in alternating ones, turned by 45 degrees.
            lit[..., 1] = filled(u - 0.5, 0.5, step) * filled(v - 0.5, 0.5, step) * 4
            a, b = (u + v) / 2, (u - v) / 2
            for channel, shift in ((0, 0.0), (2, 0.5)):
                lit[..., channel] = filled(a - shift, 0.42, step) * filled(b - shift, 0.42, step) / 0.42**2
        return shown * lit * (1 - self.veil) + self.veil * 0.5


MEDIA = {"original": Original, "print": Print, "display": Display}


class View:
    """Where the camera is. `resolution` is in pixels per mm of the document, `ratio` in pixels per pixel of a display."""

    def __init__(self, rng, picture):
        # No more than twice the resolution of the picture, which would be blurred.
        finest = max(7, min(30, 2 * picture.scales[0]))
        self.resolution = math.exp(rng.uniform(math.log(5), math.log(finest)))
        self.ratio = math.exp(rng.uniform(math.log(0.6), math.log(4)))
        turn = rng.choice((0, 0, 0, 1, 2, 3)) * math.pi / 2
        turn += math.radians(rng.gauss(0, 6)) if rng.random() < 0.8 else rng.uniform(0, math.pi)
        tilt, axis = math.radians(abs(rng.gauss(0, 12))), rng.uniform(0, math.pi)
        c, s = math.cos(axis), math.sin(axis)
        spin = np.array([[c, -s], [s, c]])
        lean = spin @ np.diag([1, 1 / max(0.5, math.cos(tilt))]) @ spin.T
        c, s = math.cos(turn), math.sin(turn)
        self.matrix = np.array([[c, s], [-s, c]]) @ lean / self.resolution  # mm per pixel

    def near(self, rng):
        """The matrix at another place of a page that is seen in perspective."""
        return self.matrix * (1 + rng.gauss(0, 0.03)) + np.array([[rng.gauss(0, 1) for _ in "xy"] for _ in "xy"]) * (
            0.01 / self.resolution)


class Camera:
    """Lens, sensor and processing, all random."""

    def __init__(self, rng):
        # Pixels of the sensor per pixel of the picture; the lens's blur is in pixels of the sensor.
        self.sensor = rng.choice((1, 1, 1, 1.5, 2))
        self.blur = rng.uniform(0.35, 1.1) if rng.random() < 0.8 else rng.uniform(1.1, 2)
        warm = rng.gauss(0, 0.07)
        self.gains = np.exp(np.array([warm, rng.gauss(0, 0.02), -warm])) * math.exp(rng.gauss(-0.15, 0.18))
        self.read = math.exp(rng.uniform(math.log(0.0003), math.log(0.004)))
        self.shot = math.exp(rng.uniform(math.log(0.00003), math.log(0.0008)))
        self.bayer = rng.random() < 0.8
        self.smooth = rng.uniform(0.3, 0.8) if rng.random() < 0.4 else 0  # noise reduction
        self.curve = rng.uniform(-0.15, 0.25)
        self.sharpening = rng.uniform(0.2, 1.2) if rng.random() < 0.5 else 0
        self.quality, self.halved = rng.randint(60, 97), rng.random() < 0.7
        # A second time, as pictures that were sent.
        self.again = rng.randint(60, 92) if rng.random() < 0.2 else None
        self.noise = np.random.default_rng(rng.getrandbits(32))

    def record(self, medium, centre, matrix, view, shape):
        """The picture (uint8) of the medium around a point in mm."""
        count = [max(2, 2 * round(side * self.sensor / 2)) for side in shape]
        fine = max(28 / (view.resolution * self.sensor), 5 / (view.ratio * self.sensor))
        # Not more than 4 and 512 samples in a row, which cost time.
        times = min(4, max(2, min(math.ceil(fine), 512 // max(count)) if shape[0] < 512 else 2))
        rows, columns = (((np.arange(n * times) + 0.5) / times - n / 2) / self.sensor for n in count)
        u, v = columns[None, :].astype(np.float32), rows[:, None].astype(np.float32)
        x = centre[0] + matrix[0, 0] * u + matrix[0, 1] * v
        y = centre[1] + matrix[1, 0] * u + matrix[1, 1] * v
        step = math.sqrt(abs(np.linalg.det(matrix))) / times / self.sensor
        light = medium.light(x.astype(np.float32), y.astype(np.float32), step)
        light = cv2.GaussianBlur(light, (0, 0), self.blur * times)
        light = cv2.resize(light, count[::-1], interpolation=cv2.INTER_AREA)
        return self.develop(light, shape)

    def develop(self, light, shape):
        light = light * self.gains.astype(np.float32)
        light += self.noise.standard_normal(light.shape, np.float32) * np.sqrt(self.read**2 + self.shot * np.maximum(light, 0))
        if self.bayer:
            raw = np.clip(light, 0, 1.2) * (65535 / 1.2)
            mosaic = np.empty(light.shape[:2], np.uint16)
            for top, left, channel in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)):
                mosaic[top::2, left::2] = raw[top::2, left::2, channel]
            light = cv2.cvtColor(mosaic, cv2.COLOR_BayerRGGB2RGB_EA).astype(np.float32) * (1.2 / 65535)
        if self.smooth:
            light = cv2.GaussianBlur(light, (0, 0), self.smooth)
        if light.shape[:2] != tuple(shape):
            light = cv2.resize(light, shape[::-1], interpolation=cv2.INTER_AREA)
        light += self.curve * light * (1 - light)
        if self.sharpening:
            light += self.sharpening * (light - cv2.GaussianBlur(light, (0, 0), 1))
        picture = optics.recompressed(optics.picture_of(light.transpose(2, 0, 1)), self.quality, self.halved)
        return optics.recompressed(picture, self.again, True) if self.again else picture


def page(picture, kind, rng, patches, process=None):
    """Patches of one page, and what was drawn."""
    view, camera = View(rng, picture), Camera(rng)
    medium = MEDIA[kind](picture, view, rng, *([process] if process else []))
    cut, margin = [], 16
    reach = 0.7 * SIDE * np.abs(view.matrix).max()
    for _ in range(patches):
        centre = [rng.uniform(min(reach, side / 2), max(side - reach, side / 2)) for side in (picture.width, picture.height)]
        seen = camera.record(medium, centre, view.near(rng), view, (SIDE + margin, SIDE + margin))
        # Away from the border, and not always on the grid of the JPEG blocks.
        top, left = rng.randint(4, margin - 4), rng.randint(4, margin - 4)
        cut.append(seen[top:top + SIDE, left:left + SIDE])
    return np.stack(cut), {"class": kind, "process": getattr(medium, "kind", ""), "resolution": view.resolution,
                           "ratio": view.ratio, "blur": camera.blur, "sensor": camera.sensor}


def pictures(rng, files, portraits, count):
    """All files once, and drawn documents."""
    for file in files:
        image = Image.open(file).convert("RGB")
        yield file.stem, Picture(image, scenes.SIZES[int(file.name.split("-")[0])][0])
    for number in range(count):
        yield f"drawn {number}", drawn(rng, Image.open(rng.choice(portraits)).convert("RGB"))


def main(
        out: Path, *, portraits: Path, documents: list[Path] = [], drawn: int = 100, pages: int = 6, patches: int = 4,
        seed: int = 1, processes: list[str] = []):
    cv2.setNumThreads(1)
    rng = random.Random(seed)
    cut, rows = [], []
    for name, picture in pictures(rng, documents, sorted(portraits.rglob("*.jpg")), drawn):
        for _ in range(pages):
            for kind, process in [("print", process) for process in processes] or [(kind, None) for kind in CLASSES]:
                found, row = page(picture, kind, rng, patches, process)
                cut.append(found)
                rows.append({"document": name, **row})
        print(name, len(rows), flush=True)
    np.savez(out, patches=np.stack(cut), rows=np.array(rows, dtype=object))


if __name__ == "__main__":
    command(main, __doc__)

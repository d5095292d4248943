#!/usr/bin/env python3
"""Generates pictures of codes, good ones and ones degraded by a camera, with a table of their faults.

    simulate.py OUT [--each 40] [--seed 1] [--backgrounds FOLDER | --plain] [--size 640x480] [--faults LIST]
                [--formats LIST] [--pages]

Each picture is a printed code of a random kind on a background, captured by a camera: perspective, sampling, noise. It
then has one fault, with a random strength relative to the limit up to which zxing-cpp's Python package reads that very
picture, found by bisection: for half of the pictures up to that limit ("read" in the table), for half beyond it, by at
most the factor in FAULTS. All of it is simulated. With --plain, codes are as programs draw them: large, black on white,
on an unlimited background or cropped to the code, and almost without noise. --pages makes pages and patterns instead,
without a code and without a table.

OUT gets PNG files and labels.csv: path, fault, strength, limit, read, format, corners, text.
"""
import csv
import math
import random
import sys
from pathlib import Path

import numpy as np
import zxingcpp
from PIL import Image, ImageDraw, ImageFont

sys.path += [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2] / "Tests/documents")]
from pages import coefficients
from shared import command

FORMATS = {  # weight, alphabet of the text, its minimum and maximum length, pixels per module
    "QRCode": (6, "text", 5, 120, (3, 6)),
    "MicroQRCode": (1, "digits", 3, 10, (4, 7)),
    "RMQRCode": (1, "text", 5, 20, (3, 6)),
    "DataMatrix": (3, "text", 5, 60, (3, 6)),
    "Aztec": (2, "text", 5, 60, (3, 6)),
    "PDF417": (4, "text", 10, 120, (1.8, 2.8)),
    "MaxiCode": (1, "text", 10, 40, (0.9, 1.4)),
    "EAN13": (2, "digits", 12, 12, (2, 4)),
    "EAN8": (1, "digits", 7, 7, (2, 4)),
    "Code39": (1, "capitals", 4, 10, (1.6, 2.4)),
    "Code93": (1, "capitals", 4, 10, (1.8, 3)),
    "Code128": (2, "text", 5, 14, (1.6, 2.4)),
    "ITF": (1, "digits", 8, 14, (2, 3)),
    "DataBarOmni": (1, "gtin", 13, 13, (2, 3.5)),
}
LETTERS = {
    "text": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:/.-", "digits": "0123456789",
    "capitals": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "gtin": "0123456789",
}
FONTS = "/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/truetype/liberation", "/usr/share/fonts/opentype"
FINER = 2  # samples per pixel, along each side
LINEAR = {"EAN13", "EAN8", "Code39", "Code93", "Code128", "ITF", "DataBarOmni"}

# Per fault: the strength without effect, the maximum that is tried, and how far beyond the limit of reading the
# strength goes (a factor of the way from no effect to the limit).
FAULTS = {
    "blurred": (0.0, 12.0, 1.8),  # standard deviation, pixels
    "too-far": (1.0, 8.0, 1.5),  # how much smaller
    "tilted": (0.0, 80.0, 1.15),  # degrees
    "glare": (0.0, 0.9, 1.5),  # fraction of the code's area
    "low-contrast": (0.0, 0.99, 1.0),  # fraction of the contrast that is lost
    "partly-out": (0.0, 0.7, 1.5),  # fraction of the code's width that is outside of the frame
    "too-near": (1.0, 6.0, 1.5),  # how much larger
}


class Scene:
    """One code, one background, one camera; `picture` shows it with one fault."""

    def __init__(self, rng, size, backgrounds, plain=False):
        self.width, self.height = size
        self.is_cut = False  # to the code, with almost no paper around it
        self.seed = rng.randrange(1 << 30)
        names = list(FORMATS)
        self.format = rng.choices(names, [FORMATS[name][0] for name in names])[0]
        _, letters, least, most, pixels = FORMATS[self.format]
        text = "".join(rng.choice(LETTERS[letters]) for _ in range(rng.randint(least, most)))
        if self.format == "ITF" and len(text) % 2:
            text = text[1:]
        if self.format == "RMQRCode":
            text = text.upper()
        code = zxingcpp.create_barcode(text, getattr(zxingcpp.BarcodeFormat, self.format))
        self.modules = np.array(zxingcpp.write_barcode_to_image(code, scale=1), np.uint8)
        self.module = rng.uniform(*pixels)
        rows, columns = self.modules.shape
        if self.format in LINEAR:  # without the writer's human-readable line; bars as high as necessary
            bars = self.modules[rows // 4 : rows // 4 + 1]
            self.modules = np.repeat(bars, max(12, int(columns * rng.uniform(0.25, 0.5))), axis=0)
            rows = self.modules.shape[0]
        # The whole code with its quiet zone fits into the frame.
        side = math.hypot(rows, columns) * self.module
        self.module *= min(1, 0.8 * min(self.width, self.height) / side) if side else 1
        self.angle = rng.uniform(-25, 25) + rng.choice([0, 0, 0, 90, 180, 270])
        self.axis = rng.uniform(0, 360)
        self.edge = rng.uniform(0, 360)
        self.spread = rng.uniform(0.5, 1.0)
        self.ink, self.paper = rng.uniform(15, 60), rng.uniform(190, 245)
        self.level = rng.uniform(0.2, 0.7)
        self.noise = rng.uniform(1, 3)
        room_x = max(0, self.width / 2 - side / 2 - 20)
        room_y = max(0, self.height / 2 - side / 2 - 20)
        self.middle = self.width / 2 + rng.uniform(-room_x, room_x), self.height / 2 + rng.uniform(-room_y, room_y)
        self.background = self.behind(rng, backgrounds)
        if plain:
            self.ink, self.paper, self.noise = rng.uniform(0, 20), 255, rng.uniform(0, 1)
            self.module *= rng.uniform(1, max(1, 0.85 * min(self.width, self.height) / (math.hypot(rows, columns) * self.module)))
            self.middle = self.width / 2, self.height / 2
            if rng.random() < 0.5:
                self.angle = rng.choice([0, 90])
            self.is_cut = rng.random() < 0.4
            if self.is_cut:
                self.module = min(self.module, rng.uniform(1, 3.5))
            self.background = np.full((FINER * self.height, FINER * self.width), 255, np.float32)
        self.ground = sampled(self.background)
        self.grain = np.random.default_rng(self.seed + 1).normal(0, self.noise, (self.height, self.width)).astype(np.float32)
        self.text = self.reads(self.picture(None, 0))

    def behind(self, rng, backgrounds):
        """A photo, or clouds of noise, finer than the frame."""
        size = FINER * self.width, FINER * self.height
        if backgrounds:
            photo = Image.open(rng.choice(backgrounds)).convert("L")
            return np.asarray(photo.resize(size, Image.BICUBIC), np.float32)
        noise = np.random.default_rng(self.seed)
        clouds = sum(
            np.asarray(Image.fromarray(noise.uniform(0, 255, (n, n)).astype(np.uint8)).resize(size, Image.BICUBIC), np.float32)
            for n in (4, 9, 24)
        ) / 3
        return clouds

    def picture(self, fault, strength):
        """Renders the frame as bytes."""
        scale, tilt, shift = self.module, 0.0, (0.0, 0.0)
        rows, columns = self.modules.shape
        if fault == "too-far":
            scale /= strength
        if fault == "too-near":
            scale *= strength
        if fault == "tilted":
            tilt = math.radians(strength)
        middle = np.array(self.middle)
        if fault == "too-near":
            middle = np.array([self.width / 2, self.height / 2])
        # Quiet zones: 4 modules of QR, 10 of linear codes; then some paper.
        quiet = 12 if self.format in LINEAR else 5
        if self.format == "MaxiCode":
            quiet = 20
        fine = max(2, min(8, math.ceil(FINER * scale)))
        ink = np.pad(self.modules, quiet, constant_values=255)
        sheet = np.kron(ink, np.ones((fine, fine), np.uint8))
        turn = math.radians(self.angle)
        turned = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        ux, uy = math.cos(math.radians(self.axis)), math.sin(math.radians(self.axis))
        focal = 1.2 * self.width  # of a typical phone: 45 degrees across

        def project(point):
            """Maps modules, with the origin at the code's centre, to pixels of the frame."""
            x, y = turned @ (np.array(point) * scale)
            # Rotated around the axis (ux, uy) in the code's plane.
            along, across = x * ux + y * uy, -x * uy + y * ux
            depth = 1 + across * math.sin(tilt) / focal
            across *= math.cos(tilt)
            return np.array([along * ux - across * uy, along * uy + across * ux]) / depth

        if fault == "partly-out":
            corners = np.array([project((sx * columns / 2, sy * rows / 2)) for sx in (-1, 1) for sy in (-1, 1)])
            low, high = corners.min(0), corners.max(0)
            side = int(self.edge // 90)
            if side == 0:
                middle[0] = -low[0] - strength * (high[0] - low[0])
            elif side == 1:
                middle[0] = self.width - high[0] + strength * (high[0] - low[0])
            elif side == 2:
                middle[1] = -low[1] - strength * (high[1] - low[1])
            else:
                middle[1] = self.height - high[1] + strength * (high[1] - low[1])
        full = np.array([[-columns / 2 - quiet, -rows / 2 - quiet], [columns / 2 + quiet, -rows / 2 - quiet],
                         [columns / 2 + quiet, rows / 2 + quiet], [-columns / 2 - quiet, rows / 2 + quiet]])
        bare = np.array([[-columns / 2, -rows / 2], [columns / 2, -rows / 2], [columns / 2, rows / 2], [-columns / 2, rows / 2]])
        self.corners = np.array([project(point) + middle for point in bare]).round(1)  # of the last picture
        target = np.array([project(point) + middle for point in full]) * FINER
        h, w = sheet.shape
        source = np.array([[0, 0], [w, 0], [w, h], [0, h]], float)
        # Only the part of the frame covered by the sheet is drawn.
        left, top = (np.clip(np.floor(target.min(0) / FINER), 0, (self.width, self.height))).astype(int)
        right, bottom = (np.clip(np.ceil(target.max(0) / FINER), 0, (self.width, self.height))).astype(int)
        frame = self.ground.copy()
        if right > left and bottom > top:
            box = (slice(top * FINER, bottom * FINER), slice(left * FINER, right * FINER))
            canvas_size = FINER * int(right - left), FINER * int(bottom - top)
            mapped = coefficients(source, target - np.array([left, top]) * FINER)
            warped, mask = (
                np.asarray(layer.transform(canvas_size, Image.PERSPECTIVE, mapped, Image.BILINEAR), np.float32) / 255
                for layer in (Image.fromarray(sheet), Image.new("L", (w, h), 255)))
            code = self.ink + (self.paper - self.ink) * warped
            if fault == "low-contrast":
                paper = self.ink + (self.paper - self.ink) * self.level
                code = paper + (code - paper) * (1 - strength)
            frame[top:bottom, left:right] = sampled(self.background[box] * (1 - mask) + code * mask)
        sigma = self.spread * 0.6
        if fault == "blurred":
            sigma = math.hypot(sigma, strength)
        frame = blurred(frame, sigma)
        if fault == "glare" and strength > 0:
            # A lamp's reflection, saturated at its centre: an ellipse on the code with a soft edge.
            area = strength * rows * columns * scale * scale
            longer = math.sqrt(area / math.pi * 1.6)
            shorter = area / math.pi / longer
            place = middle + turned @ np.array([columns * 0.3 * math.sin(self.seed), rows * 0.3 * math.cos(self.seed)]) * scale
            y, x = np.mgrid[: self.height, : self.width]
            dx, dy = x - place[0], y - place[1]
            a, b = dx * ux + dy * uy, -dx * uy + dy * ux
            distance = np.sqrt((a / longer) ** 2 + (b / shorter) ** 2)
            frame = frame + 400 / (1 + np.exp(np.minimum((distance - 1) * 10, 50)))
        frame = np.clip(frame + self.grain + 0.5, 0, 255).astype(np.uint8)
        if not self.is_cut:
            return frame
        margin = self.seed % 7
        left, top = np.clip(np.floor(self.corners.min(0)).astype(int) - margin, 0, None)
        right, bottom = np.ceil(self.corners.max(0)).astype(int) + margin
        self.corners = self.corners - (left, top)
        return np.ascontiguousarray(frame[top:bottom, left:right])

    def reads(self, frame):
        """The text that zxing-cpp's own package reads."""
        found = zxingcpp.read_barcodes(frame)
        return found[0].text if len(found) == 1 else None

    def limit(self, fault):
        """The maximum strength at which the code is still read, by bisection; None if it is always or never read."""
        none, most, _ = FAULTS[fault]
        if self.reads(self.picture(fault, most)) == self.text:
            return None
        good, bad = none, most
        for _ in range(6):
            middle = (good + bad) / 2
            if self.reads(self.picture(fault, middle)) == self.text:
                good = middle
            else:
                bad = middle
        return bad


def page(rng, size, backgrounds=None):
    """A picture without a code: lines of text in several sizes, machine-readable zones, on plain paper or a document's
    patterned ground, next to photos; or bricks, stripes, cloth; slightly rotated, with varying sharpness and size."""
    width, height = size
    paper = rng.choice([255, rng.uniform(110, 255)])
    ground = np.full((height, width), paper, np.float32)
    if rng.random() < 0.6:
        for _ in range(rng.randint(1, 3)):
            ground += rng.uniform(5, 60) * pattern(rng, width, height)
    picture = Image.fromarray(np.clip(ground, 0, 255).astype(np.uint8))
    draw = ImageDraw.Draw(picture)
    if backgrounds and rng.random() < 0.5:
        side = rng.randint(60, 220)
        picture.paste(Image.open(rng.choice(backgrounds)).convert("L").resize((side, int(side * 1.3))),
                      (rng.randint(0, width // 2), rng.randint(0, height // 2)))
    fonts = sorted(path for folder in FONTS for path in Path(folder).glob("**/*.[to]tf"))
    zones = [path for path in fonts if "OCR" in path.name or "Mono" in path.name]
    kind = rng.choice(["full", "full", "sparse", "sparse", "empty"])
    for _ in range(rng.randint(2, 14) if kind == "sparse" else 0):
        # Isolated words, letters, stamps and seals.
        font = ImageFont.truetype(str(rng.choice(fonts)), rng.choice([8, 10, 12, 16, 20, 26, 36, 60]))
        ink, x, y = int(rng.uniform(0, min(90, paper - 60))), rng.uniform(0, width * 0.9), rng.uniform(0, height * 0.95)
        letters = rng.choice([LETTERS["capitals"], LETTERS["text"][:26], LETTERS["digits"], LETTERS["text"]])
        lines = ["".join(rng.choice(letters) for _ in range(rng.choice([1, 2, 3, 5, 6, 8, 12]))) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        draw.multiline_text((x, y), "\n".join(lines), ink, font)
        left, top, right, bottom = draw.multiline_textbbox((x, y), "\n".join(lines), font)
        room = rng.uniform(2, font.size)
        frame = left - room, top - room, right + room, bottom + room
        if rng.random() < 0.3:
            rng.choice([draw.rectangle, draw.ellipse])(frame, None, ink, rng.randint(1, 5))
        if rng.random() < 0.15:
            for _ in range(rng.randint(1, 4)):
                draw.ellipse((x - room, y - room, x + room, y + room), None, ink, rng.randint(1, 3))
                room *= rng.uniform(1.2, 1.8)
    y = rng.uniform(5, 40) if kind == "full" else height
    while y < height - 10:
        zone = rng.random() < 0.3
        font = ImageFont.truetype(str(rng.choice(zones if zone else fonts)), rng.choice([7, 9, 12, 14, 18, 22, 30, 48]))
        letters = LETTERS["capitals"] + "<<<<<<<<<" if zone else LETTERS["text"] + " " * 12
        ink = int(rng.uniform(0, min(90, paper - 60)))
        x, count = rng.uniform(5, width / 3), rng.choice([30, 36, 44])
        for _ in range(rng.randint(1, 5)):
            if not zone:
                x, count = rng.uniform(5, width / 3), rng.randint(5, 70)
            draw.text((x, y), "".join(rng.choice(letters) for _ in range(count)), ink, font)
            y += font.size * rng.uniform(1.05, 1.6)
        if rng.random() < 0.3:
            draw.rectangle((0, y, width, y + rng.uniform(2, 30)), int(rng.uniform(0, 120)))
        y += rng.uniform(0, 40) * rng.choice([0, 1, 1, 4])
    if rng.random() < 0.7:
        turn = rng.uniform(-20, 20) + rng.choice([0, 0, 90])
        picture = picture.rotate(turn, Image.BICUBIC, fillcolor=int(rng.uniform(0, 255)))
    frame = blurred(np.asarray(picture, np.float32), rng.uniform(0.1, 2.5))
    noise = np.random.default_rng(rng.randrange(1 << 30)).normal(0, rng.uniform(0.5, 3), frame.shape)
    return np.clip(frame + noise + 0.5, 0, 255).astype(np.uint8)


def pattern(rng, width, height):
    """A pattern from -1 to 1: wavy lines as under the text of documents, stripes, bricks, tiles, dots or cloth."""
    y, x = np.mgrid[:height, :width].astype(np.float32)
    turn = rng.uniform(0, math.pi)
    u, v = x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)
    step, other = rng.uniform(4, 40), rng.uniform(4, 40)
    kind = rng.choice(["waves", "waves", "rosette", "stripes", "bricks", "tiles", "dots", "cloth"])
    if kind == "waves":
        v = v + rng.uniform(2, 20) * np.sin(u / rng.uniform(10, 60)) + rng.uniform(0, 6) * np.sin(u / rng.uniform(4, 20))
        return (np.sin(2 * math.pi * v / step) > rng.uniform(0, 0.9)) * 2.0 - 1
    if kind == "rosette":
        dx, dy = x - rng.uniform(0, width), y - rng.uniform(0, height)
        away, angle = np.hypot(dx, dy), np.arctan2(dy, dx)
        away = away * (1 + rng.uniform(0.02, 0.2) * np.sin(angle * rng.randint(5, 24)))
        return (np.sin(2 * math.pi * away / step) > rng.uniform(0, 0.9)) * 2.0 - 1
    if kind == "stripes":
        return np.sign(np.sin(2 * math.pi * v / step) + rng.uniform(-0.7, 0.7))
    if kind == "dots":
        return np.sign(np.sin(2 * math.pi * u / step) * np.sin(2 * math.pi * v / step) - rng.uniform(-0.3, 0.8))
    if kind == "cloth":
        return np.sin(2 * math.pi * u / step) * np.sin(2 * math.pi * v / other)
    row = np.floor(v / step)
    shift = (row % 2) * other / 2 if kind == "bricks" else 0
    gap = rng.uniform(0.05, 0.3)
    stones = np.random.default_rng(rng.randrange(1 << 30)).uniform(-1, 1, 997) * rng.choice([0.3, 1])
    joint = ((v / step) % 1 < gap) | (((u + shift) / other) % 1 < gap)
    cell = (row * 31 + np.floor((u + shift) / other)).astype(int) % 997
    return np.where(joint, 1, stones[cell])


def sampled(canvas):
    """The mean of a canvas's samples per pixel."""
    return sum(canvas[y::FINER, x::FINER] for y in range(FINER) for x in range(FINER)) / FINER**2


def blurred(frame, sigma):
    radius = max(1, math.ceil(3 * sigma))
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    weights /= weights.sum()
    weights = weights.astype(np.float32)
    for axis in (0, 1):
        padded = np.pad(frame.T if axis else frame, [(radius, radius), (0, 0)], mode="edge")
        rows = len(padded) - 2 * radius
        frame = weights[0] * padded[:rows]
        for i, weight in enumerate(weights[1:], 1):
            frame += weight * padded[i : i + rows]
        frame = frame.T if axis else frame
    return frame


def scenes(rng, size, backgrounds, plain):
    while True:
        scene = Scene(rng, size, backgrounds, plain)
        if scene.text is not None:
            yield scene


def main(
        out: Path, *, each: int = 40, seed: int = 1, backgrounds: Path = None, plain: bool = False, size: str = "640x480",
        pages: bool = False, faults: str = ",".join(["none", *FAULTS]), formats: str = ",".join(FORMATS)):
    for option, asked, known in (("formats", formats, FORMATS), ("faults", faults, ["none", *FAULTS])):
        if strange := set(asked.split(",")) - set(known):
            raise SystemExit(f"--{option}: there is no {', '.join(sorted(strange))}, only {', '.join(known)}")
    for name in set(FORMATS) - set(formats.split(",")):
        del FORMATS[name]
    size = tuple(int(side) for side in size.split("x"))
    backgrounds = sorted(backgrounds.glob("**/*.[jp][pn]g")) if backgrounds else None
    out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed)
    stream = scenes(rng, size, backgrounds, plain)
    if pages:
        for i in range(each):
            Image.fromarray(page(rng, size, backgrounds)).save(out / f"page-{i:03d}.png")
        return
    with open(out / "labels.csv", "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["path", "fault", "strength", "limit", "read", "format", "corners", "text"])
        for fault in faults.split(","):
            wanted = {True: each, False: each if fault != "none" else 0}
            while any(wanted.values()):
                scene = next(stream)
                if fault == "none":
                    limit, strength, frame = 0, 0, scene.picture(None, 0)
                else:
                    limit = scene.limit(fault)
                    if limit is None:
                        continue
                    none, most, beyond = FAULTS[fault]
                    way = rng.uniform(0.5, 1) if wanted[True] >= wanted[False] else rng.uniform(1, beyond)
                    strength = min(none + (limit - none) * way, most)
                    frame = scene.picture(fault, strength)
                read = scene.reads(frame) == scene.text
                if not wanted[read]:
                    continue
                wanted[read] -= 1
                name = f"{fault}-{'read' if read else 'lost'}-{wanted[read]:03d}.png"
                Image.fromarray(frame).save(out / name)
                table.writerow([name, fault, f"{strength:.3f}", f"{limit:.3f}", "yes" if read else "no", scene.format,
                                " ".join(map(str, scene.corners.ravel())), scene.text])
                file.flush()


if __name__ == "__main__":
    command(main, __doc__)

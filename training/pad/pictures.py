"""Generates unlabelled training pictures of faces with surroundings; the teachers provide the targets.

Photos of people, prints and screens are blended, composed with other backgrounds, overlaid with artefacts of prints and
displays, and passed through simulated cameras. Pictures are HxWx3 uint8 RGB arrays; boxes are the centre and width of
the face's box in pixels.
"""
import csv
from pathlib import Path

import cv2
import numpy as np

import camera
from network import FACE, VIEWS

EYES = 0.42  # distance between the eyes in box widths
FINEST = 640  # photos are halved while their longer side remains at least this, as by the product
# Offsets in box widths: Silent-Face's boxes are slightly lower; minifas_se_128's detector includes the forehead.
LOWER, HIGHER = 0.03, 0.2


def crop(picture, x, y, length, side):
    """Resamples the square with corner (x, y) and side `length`, reflecting the picture at its edges."""
    scale = length / side
    factor = max(1, int(scale))
    height, width = picture.shape[:2]
    left, top = (max(0, int(v)) // factor * factor for v in (x, y))
    region = picture[top : int(y + length) + 2 * factor, left : int(x + length) + 2 * factor]
    if factor > 1:
        rows, columns = region.shape[:2]
        region = cv2.copyMakeBorder(region, 0, -rows % factor, 0, -columns % factor, cv2.BORDER_REPLICATE)
        size = region.shape[1] // factor, region.shape[0] // factor
        region = cv2.resize(region, size, interpolation=cv2.INTER_AREA)
    start = [(v + scale / 2 - 0.5 - first - (factor - 1) / 2) / factor for v, first in ((x, left), (y, top))]
    step = scale / factor
    return cv2.warpAffine(
        region, np.float32([[step, 0, start[0]], [0, step, start[1]]]), (side, side),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REFLECT)


def views(picture, box):
    """Returns the crops of TextureNetwork.swift; `box` is the centre and width of the face's box in pixels."""
    x, y, w = box
    height, width = picture.shape[:2]
    found = []
    for i, (side, reach) in enumerate(VIEWS):
        if i == FACE:
            length = reach * w
            found.append(crop(picture, x - length / 2, y - HIGHER * w - length / 2, length, side))
        else:
            # Shifted into the picture and no larger than it.
            length = min(reach * w, width, height)
            left = min(max(0, x - length / 2), width - length)
            top = min(max(0, y + LOWER * w - length / 2), height - length)
            found.append(crop(picture, left, top, length, side))
    return found


def decoded(path):
    picture = cv2.imread(str(path))
    while max(picture.shape[:2]) // 2 >= FINEST:
        picture = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(picture[..., ::-1])


def located(table):
    """Yields paths and boxes, as fractions of the picture's size, from the output of cut-faces."""
    for path, *_, x, y, w in csv.reader(open(table), delimiter="\t"):
        yield Path(path), (float(x), float(y), float(w))


def sized(path, box):
    """Returns a picture with the box of its face in pixels."""
    picture = decoded(path)
    height, width = picture.shape[:2]
    return picture, (box[0] * width, box[1] * height, box[2] * width)


def described(path):
    """Returns source, species and subject from a path: SOURCE/SPECIES/FILE, clips/CLIP/FILE, or PERSON/FILE."""
    species, source, name = path.parent.name, path.parents[1].name, path.name
    if source == "clips":
        return source, "replay" if species.endswith("_replay") else "live", species
    if species not in ("live", "print", "screen", "ipad", "iphone", "mask"):
        return "portraits", "live", species
    subject = {"nuaa": name[:4].lstrip("0"), "msu": name.split(".")[0].split("_")[0]}.get(source, "1")
    return source, species, f"{source}-{subject}"


def resized(picture, box, scale):
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    size = [max(8, round(n * scale)) for n in picture.shape[1::-1]]
    return cv2.resize(picture, size, interpolation=how), tuple(v * scale for v in box)


def blended(picture, box, other, other_box, random):
    """Returns a mixture of two faces: averaged, or joined along a soft line."""
    rows, columns = picture.shape[:2]
    scale = box[2] / other_box[2]
    move = np.float32([[scale, 0, box[0] - scale * other_box[0]], [0, scale, box[1] - scale * other_box[1]]])
    other = cv2.warpAffine(other, move, (columns, rows), borderMode=cv2.BORDER_REFLECT)
    share = np.float32(random.uniform(0.25, 0.75))
    if random.random() < 0.5:
        angle = random.uniform(0, 2 * np.pi)
        u = (np.arange(columns, dtype=np.float32) - box[0])[None] * np.cos(angle)
        v = (np.arange(rows, dtype=np.float32) - box[1])[:, None] * np.sin(angle)
        share = 1 / (1 + np.exp(-(u + v + random.normal(0, 0.15) * box[2]) / (random.uniform(0.02, 0.1) * box[2])))
        share = share[..., None].astype(np.float32)
    return (picture * (1 - share) + other * share).astype(np.uint8)


def drawn_room(random):
    """Returns a synthetic background: smooth colours and a few rectangles."""
    coarse = random.uniform(0, 255, (1, 1, 3)) + random.normal(0, random.uniform(3, 40), (*random.integers(2, 6, 2), 3))
    room = cv2.resize(np.clip(coarse, 0, 255).astype(np.float32), (320, 320), interpolation=cv2.INTER_CUBIC)
    for _ in range(random.integers(0, 6)):
        (x0, x1), (y0, y1) = np.sort(random.integers(0, 320, (2, 2)))
        cv2.rectangle(room, (int(x0), int(y0)), (int(x1), int(y1)), tuple(random.uniform(0, 255, 3)), -1)
    return np.clip(room, 0, 255).astype(np.uint8)


def composed(picture, box, room, random):
    """Returns the face before another background: a person, a soft-edged photo, or a print or display with a border."""
    x, y, w = box
    width = w * random.uniform(2.2, 4.2)
    height = width * random.choice([3 / 4, 9 / 16, 4 / 3, 16 / 9, 1])
    height = max(height, 1.6 * w)
    columns, rows = int(width), int(height)
    zoom = max(columns / room.shape[1], rows / room.shape[0]) * random.uniform(1, 1.8)
    room = resized(room, (0, 0, 0), zoom)[0]
    left, top = (random.integers(0, max(1, a - b + 1)) for a, b in ((room.shape[1], columns), (room.shape[0], rows)))
    room = cv2.resize(room[top : top + rows, left : left + columns], (columns, rows))
    if random.random() < 0.5:
        room = room[:, ::-1]
    if random.random() < 0.4:
        room = camera.blurred(np.ascontiguousarray(room), w * random.uniform(0.01, 0.08))
    to_x = columns * 0.5 + random.normal(0, 0.12) * columns
    to_y = rows * 0.48 + random.normal(0, 0.08) * rows
    turn = random.normal(0, 0.07)
    c, s = np.cos(turn), np.sin(turn)
    move = np.float32([[c, -s, to_x - c * x + s * y], [s, c, to_y - s * x - c * y]])
    mask = np.zeros(picture.shape[:2], np.float32)
    kind = random.random()
    soft = 0.0
    border, colour = 0, None
    if kind < 0.35:  # head and shoulders
        centre = int(x), int(y - 0.08 * w)
        cv2.ellipse(mask, centre, (int(0.62 * w), int(0.85 * w)), 0, 0, 360, 1.0, -1)
        body = np.array([(-0.35, 0.5), (0.35, 0.5), (1.2, 1.3), (1.3, 9), (-1.3, 9), (-1.2, 1.3)]) * w + (x, y)
        cv2.fillPoly(mask, [body.astype(np.int32)], 1.0)
        soft = random.uniform(0.01, 0.06) * w
    else:
        ends = 0.55 + 1.4 * random.random(4) ** 1.3
        x0, y0, x1, y1 = x - ends[0] * w, y - ends[1] * w - 0.1 * w, x + ends[2] * w, y + ends[3] * w
        cv2.rectangle(mask, (int(max(0, x0)), int(max(0, y0))), (int(x1), int(y1)), 1.0, -1)
        if kind < 0.6:
            soft = random.uniform(0.03, 0.2) * w
        else:
            border = int(random.uniform(0, 0.25) * w)
            shade = random.uniform(190, 255) if random.random() < 0.5 else random.uniform(0, 45)
            colour = np.clip(shade * random.uniform(0.92, 1.08, 3), 0, 255).astype(np.float32)
    if soft:
        mask[:1], mask[:, :1], mask[:, -1:] = 0, 0, 0
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.4, soft))
    face = cv2.warpAffine(picture, move, (columns, rows), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    share = cv2.warpAffine(mask, move, (columns, rows), flags=cv2.INTER_LINEAR)[..., None]
    out = room.astype(np.float32)
    if border > 1:
        frame = cv2.dilate(share, np.ones((2 * border + 1,) * 2, np.uint8))[..., None]
        out = out * (1 - frame) + colour * frame
    out = out * (1 - share) + face * share
    return out.astype(np.uint8), (to_x, to_y, w)


def traced(picture, box, random):
    """Adds artefacts of prints and displays: moiré, halftone, tint, contrast, veil, reflection."""
    x = picture.astype(np.float32)
    rows, columns = x.shape[:2]
    w = box[2]
    x = (x * random.uniform(0.65, 1.1) + random.uniform(0, 40)) * random.uniform(0.9, 1.1, 3).astype(np.float32)
    kind = random.random()
    u, v = np.arange(columns, dtype=np.float32)[None], np.arange(rows, dtype=np.float32)[:, None]
    if kind < 0.55:
        angle = random.uniform(0, np.pi)
        wave = (u * np.cos(angle) + v * np.sin(angle)) * np.float32(2 * np.pi / np.exp(random.uniform(0.7, 3)))
        along = v * np.cos(angle) - u * np.sin(angle)
        wave = wave + np.float32(random.uniform(0, 3)) * np.sin(along * np.float32(0.1))
        phases = random.uniform(0, 2 * np.pi) + random.uniform(0, 1) * random.uniform(0, 2 * np.pi, 3)
        x *= 1 + np.float32(random.uniform(0.02, 0.2)) * np.cos(wave[..., None] + phases.astype(np.float32))
    if kind > 0.4 and kind < 0.75:
        angle, period = random.uniform(0, np.pi / 2), np.exp(random.uniform(0.7, 1.8))
        p, q = u * np.cos(angle) + v * np.sin(angle), v * np.cos(angle) - u * np.sin(angle)
        dot = 0.5 + 0.25 * (np.cos(p * np.float32(2 * np.pi / period)) + np.cos(q * np.float32(2 * np.pi / period)))
        share = np.float32(random.uniform(0.1, 0.8))
        if random.random() < 0.4:
            x[:] = x.mean(2, keepdims=True)
        x = x * (1 - share) + share * 255 / (1 + np.exp(np.clip(8 * (dot[..., None] - x / 255), -20, 20)))
    if random.random() < 0.3:
        place = np.array(box[:2]) + random.normal(0, 0.6, 2) * w
        size = random.uniform(0.1, 0.6) * w
        spot = np.exp(-((u - place[0]) ** 2 + (v - place[1]) ** 2) / size**2)
        x += np.float32(random.uniform(30, 150)) * spot[..., None]
    return np.clip(x, 0, 255).astype(np.uint8)


PORTRAITS = 0.6  # share of the portraits among the photos; the rest grows with the square root of a group's size
KEPT = 600  # pictures for reuse, about 300 MB


class Pictures:
    """Generates pictures from the photos in the tables, without the sources and subjects in `left`."""

    def __init__(self, tables, left):
        groups = {}
        for table in tables:
            for path, box in located(table):
                source, species, subject = described(path)
                if not {source, subject} & left:
                    groups.setdefault((source, species), []).append((path, box))
        self.names, self.groups = list(groups), list(groups.values())
        weights = np.array([len(group) ** 0.5 for group in self.groups])
        portraits = np.array([source == "portraits" for source, _ in self.names])
        weights[portraits] *= PORTRAITS / weights[portraits].sum()
        weights[~portraits] *= (1 - PORTRAITS) / weights[~portraits].sum()
        self.shares = weights / weights.sum()
        self.drawn = []

    def photo(self, random, group=None):
        group = random.choice(len(self.groups), p=self.shares) if group is None else group
        return sized(*self.groups[group][random.integers(len(self.groups[group]))])

    def draw(self, random):
        """Returns a new picture and its face's box."""
        picture, box = self.photo(random)
        # The crops show no more of the picture.
        x, y, w = box
        reach = 2.2 * w
        left, top = max(0, int(x - reach)), max(0, int(y - reach))
        picture, box = picture[top : int(y + reach), left : int(x + reach)], (x - left, y - top, w)
        scale = min(np.exp(random.uniform(np.log(40), np.log(130))) / w, 1.3)
        picture, box = resized(picture, box, scale)
        if random.random() < 0.25:
            picture = blended(picture, box, *self.photo(random), random)
        if random.random() < 0.15:
            picture = traced(picture, box, random)
        if random.random() < 0.5:
            room = drawn_room(random) if random.random() < 0.3 else self.photo(random)[0]
            picture, box = composed(picture, box, room, random)
        if random.random() < 0.1:
            picture = traced(picture, box, random)
        if random.random() < 0.7:
            height, width = picture.shape[:2]
            before = box
            picture = camera.camera(np.ascontiguousarray(picture), EYES * box[2], random)
            box = (before[0] * picture.shape[1] / width, before[1] * picture.shape[0] / height,
                   before[2] * picture.shape[1] / width)
        return picture, box

    def crops(self, random, count):
        """Returns (count, 3, side, side) crops per view of generated pictures, an eighth of them new."""
        for _ in range(-(-count // 8)):
            picture = self.draw(random)
            if len(self.drawn) < KEPT:
                self.drawn.append(picture)
            else:
                self.drawn[random.integers(KEPT)] = picture
        found = []
        for i in random.integers(len(self.drawn), size=count):
            picture, (x, y, w) = self.drawn[i]
            # More than the detector's variation.
            box = x + random.normal(0, 0.03) * w, y + random.normal(0, 0.03) * w, w * np.exp(random.normal(0, 0.06))
            cuts = views(picture, box)
            gain, offset = random.uniform(0.85, 1.15), random.uniform(-15, 15)
            flip = -1 if random.random() < 0.5 else 1
            found.append([np.clip(view[:, ::flip] * np.float32(gain) + np.float32(offset), 0, 255) for view in cuts])
        return [np.ascontiguousarray(np.stack(view).transpose(0, 3, 1, 2), np.float32) for view in zip(*found)]

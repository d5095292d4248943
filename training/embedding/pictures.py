"""Synthetic faces: blends, warps and exchanges of two people's faces, and simulated effects of cameras and printers.

Every picture is a face as cropped by `align-faces`: 216x216, eyes 60 pixels apart. The teacher sees the picture, the
student the picture with simulated camera effects.
"""
import functools
import hashlib
from pathlib import Path

import cv2
import numpy as np

SIDE = 216
CHIP = 150
# A chip's pixel is 1.15 of a picture's, its corner is at (21.75, 30): AlignedFace.swift.
CHIP_SCALE, CHIP_X, CHIP_Y = 1.15, 21.75, 30.0
# Points by which the teacher's input is aligned: irises, nose tip and mouth corners of the mesh.
TEACHER_POINTS = [468, 469, 4, 61, 291]
# Published with the teacher: right and left eye (in the picture), nose, mouth corners, as fractions of its 128 pixels.
TEACHER_FACE = 128 * np.array(
    [(0.31556875, 0.46157411), (0.68262292, 0.46157411), (0.50026250, 0.64050536), (0.34947187, 0.82469196),
     (0.65343645, 0.82325089)])
MESH = np.r_[0:468:4, 468, 469]  # sufficient for warping
BORDER = np.array([(x, y) for x in np.linspace(0, SIDE, 6) for y in np.linspace(0, SIDE, 6) if x in (0, SIDE) or y in (0, SIDE)])


class Faces:
    """Aligned photos, with their people and collections."""

    def __init__(self, stem):
        self.pictures = np.memmap(f"{stem}.u8", np.uint8, "r").reshape(-1, SIDE, SIDE, 3)
        self.points = np.fromfile(f"{stem}.f4", "<f4").reshape(-1, 470, 2)
        paths = [Path(line) for line in Path(f"{stem}.txt").read_text().split("\n")[:-1]]
        self.paths = paths
        self.people = np.array([f"{p.parent.parent.name}/{p.parent.name}" for p in paths])
        self.sources = np.array([p.parent.parent.name for p in paths])

    @functools.cached_property
    def mirror_order(self):
        """The mirror image of each point: the nearest one of the mirrored mean face."""
        mean = self.points.mean(0)
        flipped = mean.copy()
        flipped[:, 0] = 2 * ((mean[468, 0] + mean[469, 0]) / 2) - flipped[:, 0]
        d = ((mean[:468, None] - flipped[None, :468]) ** 2).sum(2)
        return np.r_[d.argmin(0), 469, 468]

    def held_out(self, part=10):
        """One person in `part`, by a hash of the name: held out, for selecting networks."""
        return np.array([hashlib.sha256(p.encode()).digest()[0] % part == 0 for p in self.people])


def similarity(source, target):
    """The 2x3 similarity transform from `source` to `target` with the least squared distance."""
    s, t = source.mean(0), target.mean(0)
    a, b = source - s, target - t
    norm = (a * a).sum()
    c, d = (a * b).sum() / norm, (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum() / norm
    m = np.array([[c, -d], [d, c]])
    return np.concatenate([m, (t - m @ s)[:, None]], 1)


def teacher_crop(picture, points):
    """The teacher's input, 128x128 BGR."""
    m = similarity(points[TEACHER_POINTS].astype("f8"), TEACHER_FACE)
    return cv2.warpAffine(picture, m, (128, 128), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)[:, :, ::-1]


def chip(picture, zoom=1.0, angle=0.0, x=0.0, y=0.0):
    """150x150 RGB: the product's chip, with the face `zoom` times as large, rotated by `angle` degrees, shifted by
    pixels."""
    c, s = np.cos(np.radians(angle)) / zoom * CHIP_SCALE, np.sin(np.radians(angle)) / zoom * CHIP_SCALE
    middle = np.array([CHIP_X, CHIP_Y]) + CHIP_SCALE * CHIP / 2
    m = np.array([[c, -s, 0], [s, c, 0]])
    m[:, 2] = middle - m[:, :2] @ np.array([CHIP / 2 + x, CHIP / 2 + y])
    m[:, 2] += 0.5 * (m[:, 0] + m[:, 1] - 1)  # pixel centres
    return cv2.warpAffine(
        picture, m, (CHIP, CHIP), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)


def views(picture):
    """The chips that the product embeds for a face (FaceChips.swift): enlarged, and reduced and mirrored."""
    return chip(picture, 1.08), np.ascontiguousarray(chip(picture, 0.92)[:, ::-1])


def warped(picture, points, target):
    """Warps the picture to the landmarks of another face: displacements of the mesh, interpolated smoothly."""
    grid = np.linspace(0, SIDE - 1, 28)
    gx, gy = np.meshgrid(grid, grid)
    nodes = np.stack([gx.ravel(), gy.ravel()], 1).astype("f4")
    anchors = np.concatenate([target[MESH], BORDER]).astype("f4")
    move = np.concatenate([points[MESH] - target[MESH], np.zeros_like(BORDER)]).astype("f4")
    d = (nodes * nodes).sum(1)[:, None] + (anchors * anchors).sum(1)[None] - 2 * nodes @ anchors.T
    w = np.exp(-d / (2 * 10.0**2)) + 1e-9
    field = ((w @ move) / w.sum(1, keepdims=True) + nodes).reshape(28, 28, 2)
    # The nodes are at the corner pixels; cv2.resize would place them at cell centres.
    i = np.arange(SIDE, dtype="f4") * 27 / (SIDE - 1)
    mx, my = np.meshgrid(i, i)
    dense = cv2.remap(field.astype("f4"), mx, my, cv2.INTER_LINEAR)
    return cv2.remap(picture, dense, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def mask(random):
    """The mask of the first face: one side of a soft line, or a soft ellipse around a part of the face."""
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype("f4")
    soft = random.uniform(3, 14)
    if random.random() < 0.6:
        angle = random.uniform(0, 2 * np.pi)
        far = (x - 108 - random.normal(0, 12)) * np.cos(angle) + (y - 110 - random.normal(0, 15)) * np.sin(angle)
    else:
        cx, cy = random.uniform(70, 146), random.uniform(75, 160)
        rx, ry = random.uniform(18, 55, 2)
        far = (np.hypot((x - cx) / rx, (y - cy) / ry) - 1) * min(rx, ry)
    return (1 / (1 + np.exp(np.clip(-far / soft, -30, 30))))[..., None]


def picture_of(faces, random, pick):
    """A face with its landmarks: a photo, or a combination of two. `pick(like=None)` returns an index."""
    a = pick()
    one, points = faces.pictures[a], faces.points[a]
    kind = random.random()
    if kind < 0.3:
        return np.asarray(one), points
    b = pick(like=a)
    other, other_points = faces.pictures[b], faces.points[b]
    # Faces turned to different sides do not blend.
    if np.sign(side_of(points)) != np.sign(side_of(other_points)) and random.random() < 0.8:
        other, other_points = other[:, ::-1], mirrored(other_points, faces.mirror_order)
    share = random.choice([random.uniform(-0.25, 1.25), 0.0, 1.0, 0.5])
    target = points + share * (other_points - points)
    first = warped(np.ascontiguousarray(one), points, target).astype("f4")
    second = warped(np.ascontiguousarray(other), other_points, target).astype("f4")
    if kind < 0.65:
        m = random.choice([random.uniform(0, 1), 0.0, 0.5])
    else:
        m = mask(random)
        if random.random() < 0.5:  # avoids a colour edge along the seam
            second = np.clip(second + (first - second)[60:180, 60:156].mean((0, 1)), 0, 255)
    return (first + (second - first) * m).astype("u1"), target


def side_of(points):
    """Positive if the nose tip is to the right of the irises' centre, in the picture."""
    return points[4, 0] - (points[468, 0] + points[469, 0]) / 2


def mirrored(points, order):
    flipped = points[order].copy()
    flipped[:, 0] = SIDE - flipped[:, 0]
    return flipped


def through_camera(picture, random):
    """The student's chip: misaligned, relit, tinted, at lower resolution, noisy, compressed, occluded."""
    c = chip(
        picture, random.choice([1.08, 0.92, 1.0]) * random.normal(1, 0.025), random.normal(0, 2), *random.normal(0, 1.3, 2))
    if random.random() < 0.5:
        c = c[:, ::-1]
    x = c.astype("f4")
    if random.random() < 0.6:
        x = 255 * np.power(x / 255, np.exp(random.normal(0, 0.25)))
        x = (x - 128) * np.exp(random.normal(0, 0.15)) + 128 + random.normal(0, 10)
        x = x * np.exp(random.normal(0, 0.06, 3))
    if random.random() < 0.15:
        x = np.repeat(x.mean(2, keepdims=True), 3, 2)
    if random.random() < 0.1:  # a lamp on one side
        ramp = np.linspace(-1, 1, CHIP)[None, :, None] * random.normal(0, 0.3)
        x = x * (1 + ramp)
    if random.random() < 0.3:
        small = int(CHIP * random.uniform(0.3, 0.9))
        x = cv2.resize(cv2.resize(x, (small, small), interpolation=cv2.INTER_AREA), (CHIP, CHIP), interpolation=cv2.INTER_LINEAR)
    elif random.random() < 0.2:
        x = cv2.GaussianBlur(x, (0, 0), random.uniform(0.5, 1.8))
    if random.random() < 0.2:
        x = x + random.normal(0, random.uniform(2, 12), (CHIP, CHIP, 1 if random.random() < 0.5 else 3))
    x = np.clip(x, 0, 255).astype("u1")
    if random.random() < 0.3:
        x = cv2.imdecode(cv2.imencode(".jpg", x, [1, int(random.uniform(25, 85))])[1], 1)
    if random.random() < 0.08:  # glare, a hand, a strand of hair
        w, h = random.integers(12, 50, 2)
        px, py = random.integers(0, CHIP - 12, 2)
        x = x.copy()
        x[py:py + h, px:px + w] = random.integers(0, 256, 3)
    return np.ascontiguousarray(x)


def picker(faces, indices, random):
    """Draws photos so that no collection and no often photographed person dominates: half from the news photos, half
    from the other collections, in proportion to the square root of their size; then a person; then a photo."""
    by_source = {}
    for i in indices:
        by_source.setdefault(faces.sources[i], {}).setdefault(faces.people[i], []).append(i)
    names = sorted(by_source)
    weights = np.array([np.sqrt(len(by_source[n])) if n != "lfw" else 0 for n in names])
    weights = weights / weights.sum() * 0.5 + np.array([0.5 if n == "lfw" else 0 for n in names])
    people = {n: [v for _, v in sorted(by_source[n].items())] for n in names}

    def pick(like=None):
        source = faces.sources[like] if like is not None and random.random() < 0.6 else names[random.choice(len(names), p=weights)]
        who = people[source][random.integers(len(people[source]))]
        return who[random.integers(len(who))]

    return pick

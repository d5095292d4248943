"""Generates unlabelled training pictures: faces, blends of two people's faces, and degradations of these.

A face is as cropped by align-faces: 216x216, eyes 60 pixels apart. A `Scene` is such a picture, unmodified or a blend;
networks see it aligned as by the product, clean or degraded as in documents and by phones and webcams. Pictures are
HxWx3 arrays.
"""
import functools
import sys
import zlib
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from network import SIDE

sys.path.append(str(Path(__file__).resolve().parents[1] / "pad"))
import camera

FACE = 216
# Irises, nose tip and mouth corners of the mesh, and their places in the network's input (published with the teacher).
POINTS = [468, 469, 4, 61, 291]
PLACES = SIDE * np.array(
    [(0.31556875, 0.46157411), (0.68262292, 0.46157411), (0.50026250, 0.64050536), (0.34947187, 0.82469196),
     (0.65343645, 0.82325089)])
EYES = 47.0  # distance between the eyes in the network's input, in pixels
MESH = np.r_[0:468:4, 468, 469]  # sufficient for warping
BORDER = np.array([(x, y) for x in np.linspace(0, FACE, 6) for y in np.linspace(0, FACE, 6) if x in (0, FACE) or y in (0, FACE)])
NODES = 28  # of the displacement field, per side
HELD_OUT = 10  # one person in so many
KEPT = 256  # scenes for reuse
SCENES = 4  # drawn at once
REUSED = 4  # times that a scene is used, on average


class Faces:
    """Aligned photos, with their people and collections."""

    def __init__(self, stem):
        self.pictures = np.memmap(f"{stem}.u8", np.uint8, "r").reshape(-1, FACE, FACE, 3)
        self.points = np.fromfile(f"{stem}.f4", "<f4").reshape(-1, 470, 2)
        self.paths = [Path(line) for line in Path(f"{stem}.txt").read_text().split("\n")[:-1]]
        self.people = [path.parent.name for path in self.paths]
        self.sources = ["lfw" if "lfw" in path.parts else path.parent.parent.name for path in self.paths]
        held = np.array([zlib.crc32(name.encode()) % HELD_OUT == 0 for name in self.people])
        self.taught, self.held_out = np.flatnonzero(~held), np.flatnonzero(held)

    @functools.cached_property
    def mirror_order(self):
        """The mirror image of each point: the nearest one of the mirrored mean face."""
        mean = self.points.mean(0)
        flipped = mean.copy()
        flipped[:, 0] = 2 * ((mean[468, 0] + mean[469, 0]) / 2) - flipped[:, 0]
        d = ((mean[:468, None] - flipped[None, :468]) ** 2).sum(2)
        return np.r_[d.argmin(0), 469, 468]

    def input(self, i):
        """Returns the network's input for a photo, BGR."""
        return aligned(self.pictures[i], self.points[i][POINTS])


def similarity(source, target):
    """The 2x3 similarity transform from `source` to `target` with the least squared distance."""
    s, t = source.mean(0), target.mean(0)
    a, b = source - s, target - t
    norm = (a * a).sum()
    c, d = (a * b).sum() / norm, (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum() / norm
    m = np.array([[c, -d], [d, c]])
    return np.concatenate([m, (t - m @ s)[:, None]], 1)


def aligned(picture, points):
    m = similarity(points.astype(np.float64), PLACES)
    return cv2.warpAffine(picture, m, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[..., ::-1]


def misaligned(points, random):
    """Returns the points as located in a worse picture: each off by some pixels, or all turned or moved."""
    points = points.astype(np.float64)
    unit = np.linalg.norm(points[0] - points[1]) / EYES  # pixels of the network's input
    points = points + random.normal(0, random.choice([0.5, 1, 2]), points.shape) * unit
    if random.random() < 0.4:
        turn = random.normal(0, 2) if random.random() < 0.7 else random.uniform(-10, 10)
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        middle = points.mean(0) + random.normal(0, 1.5, 2) * unit
        points = (points - points.mean(0)) @ (np.exp(random.normal(0, 0.05)) * np.array([[c, s], [-s, c]])) + middle
    return points


def mirrored(picture, points, order):
    flipped = points[order].copy()
    flipped[:, 0] = FACE - flipped[:, 0]
    return picture[:, ::-1], flipped


def warped(picture, points, target):
    """Warps the picture to the landmarks of another face: displacements of the mesh, interpolated smoothly."""
    grid = np.linspace(0, FACE - 1, NODES)
    gx, gy = np.meshgrid(grid, grid)
    nodes = np.stack([gx.ravel(), gy.ravel()], 1).astype(np.float32)
    anchors = np.concatenate([target[MESH], BORDER]).astype(np.float32)
    move = np.concatenate([points[MESH] - target[MESH], np.zeros_like(BORDER)]).astype(np.float32)
    d = (nodes * nodes).sum(1)[:, None] + (anchors * anchors).sum(1)[None] - 2 * nodes @ anchors.T
    w = np.exp(-d / (2 * 10.0**2)) + 1e-9
    field = ((w @ move) / w.sum(1, keepdims=True) + nodes).reshape(NODES, NODES, 2)
    # The nodes are at the corner pixels; cv2.resize would place them at cell centres.
    i = np.arange(FACE, dtype=np.float32) * (NODES - 1) / (FACE - 1)
    dense = cv2.remap(field.astype(np.float32), *np.meshgrid(i, i), cv2.INTER_LINEAR)
    return cv2.remap(picture, dense, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def mask(random):
    """The mask of the second face: one side of a soft line, or a soft ellipse around a part of the face."""
    y, x = np.mgrid[0:FACE, 0:FACE].astype(np.float32)
    soft = random.uniform(3, 14)
    if random.random() < 0.6:
        angle = random.uniform(0, 2 * np.pi)
        far = (x - 108 - random.normal(0, 12)) * np.cos(angle) + (y - 110 - random.normal(0, 15)) * np.sin(angle)
    else:
        cx, cy = random.uniform(70, 146), random.uniform(75, 160)
        rx, ry = random.uniform(18, 55, 2)
        far = (np.hypot((x - cx) / rx, (y - cy) / ry) - 1) * min(rx, ry)
    return (1 / (1 + np.exp(np.clip(-far / soft, -30, 30))))[..., None].astype(np.float32)


def side(points):
    """Positive if the nose tip is to the right of the irises' centre, in the picture."""
    return points[4, 0] - (points[468, 0] + points[469, 0]) / 2


class Scene(NamedTuple):
    picture: np.ndarray
    points: np.ndarray  # POINTS
    clean: np.ndarray  # the teacher's unit vector


def printed(picture, random):
    """Halftone of a print, with its contrast."""
    x = picture.astype(np.float32) * random.uniform(0.65, 1) + random.uniform(0, 45)
    if random.random() < 0.3:
        x[:] = x.mean(2, keepdims=True)
    angle, period = random.uniform(0, np.pi / 2), np.exp(random.uniform(0.7, 1.6))
    u, v = np.arange(SIDE, dtype=np.float32)[None], np.arange(SIDE, dtype=np.float32)[:, None]
    p, q = u * np.cos(angle) + v * np.sin(angle), v * np.cos(angle) - u * np.sin(angle)
    turn = np.float32(2 * np.pi / period)
    dot = (0.5 + 0.25 * (np.cos(p * turn) + np.cos(q * turn))).astype(np.float32)[..., None]
    share = np.float32(random.uniform(0.05, 0.5))
    x = x * (1 - share) + share * 255 / (1 + np.exp(np.clip(8 * (dot - x / 255), -20, 20)))
    return np.clip(x, 0, 255).astype(np.uint8)


def glared(picture, random):
    """A reflection, or an object before the face."""
    u, v = np.arange(SIDE, dtype=np.float32)[None], np.arange(SIDE, dtype=np.float32)[:, None]
    x, y = random.uniform(0, SIDE, 2)
    if random.random() < 0.7:
        size = random.uniform(8, 45)
        spot = np.exp(-((u - x) ** 2 + (v - y) ** 2) / size**2)[..., None] * np.float32(random.uniform(40, 180))
        return np.clip(picture + spot, 0, 255).astype(np.uint8)
    picture = picture.copy()
    w, h = random.integers(10, 40, 2)
    picture[int(y) : int(y) + h, int(x) : int(x) + w] = random.integers(0, 256, 3)
    return picture


def jpeg2000(picture, random):
    rate = int(1000 / np.exp(random.uniform(np.log(8), np.log(40))))
    data = cv2.imencode(".jp2", picture, [cv2.IMWRITE_JPEG2000_COMPRESSION_X1000, rate])[1]
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


def degraded(picture, random):
    """Returns the picture as by a document, phone or webcam. `picture` is RGB."""
    if random.random() < 0.08:
        picture = printed(picture, random)
    if random.random() < 0.06:
        picture = glared(picture, random)
    if random.random() < 0.25:
        picture = camera.blurred(picture, random.uniform(0.3, 1.5))
    elif random.random() < 0.06:
        picture = camera.motion_blurred(picture, random.uniform(2, 7), random.uniform(0, 180))
    if random.random() < 0.4:
        small = int(SIDE * np.exp(random.uniform(np.log(0.28), 0)))
        picture = cv2.resize(picture, (small, small), interpolation=cv2.INTER_AREA)
    if random.random() < 0.6:
        picture = camera.colours(picture, random)
    if random.random() < 0.2:
        picture = camera.noisy(picture, random)
    if random.random() < 0.15:
        picture = camera.sharpened(picture, random)
    kind = random.random()
    if kind < 0.3:
        picture = camera.jpeg(picture, random.uniform(25, 90), random.random() < 0.3)
    elif kind < 0.4:
        picture = jpeg2000(np.ascontiguousarray(picture), random)
    if picture.shape[0] < SIDE:
        how = cv2.INTER_LINEAR if random.random() < 0.7 else cv2.INTER_CUBIC
        picture = cv2.resize(picture, (SIDE, SIDE), interpolation=how)
    return picture


def batch(pictures):
    """Returns the (count, 3, side, side) floats of pictures."""
    return np.ascontiguousarray(np.stack(pictures).transpose(0, 3, 1, 2), np.float32)


class Pictures:
    """Generates pictures from the photos that train; `teacher` has a batch size of `SCENES`."""

    def __init__(self, faces, teacher, random):
        self.faces, self.teacher, self.random, self.scenes = faces, teacher, random, []
        self.until = 0.0  # scenes due
        by_source = {}
        for i in faces.taught:
            by_source.setdefault(faces.sources[i], {}).setdefault(faces.people[i], []).append(i)
        self.people = {source: list(people.values()) for source, people in by_source.items()}
        # Half from the news photos, half from the other collections, in proportion to the square root of their size.
        weights = np.array([len(people) ** 0.5 * (source != "lfw") for source, people in self.people.items()])
        self.shares = weights / max(weights.sum(), 1e-9)
        if "lfw" in self.people:
            self.shares = self.shares / max(2 * self.shares.sum(), 1)
            self.shares[list(self.people).index("lfw")] = 1 - self.shares.sum()

    def photo(self, like=None):
        """Returns a random photo's index, in six of ten cases of the same collection as `like`."""
        if like is not None and self.random.random() < 0.6:
            source = self.faces.sources[like]
        else:
            source = list(self.people)[self.random.choice(len(self.people), p=self.shares)]
        people = self.people[source]
        photos = people[self.random.integers(len(people))]
        return photos[self.random.integers(len(photos))]

    def blended(self):
        """Returns a photo, or a blend of two people's, with the landmarks."""
        faces, random = self.faces, self.random
        a = self.photo()
        one, points = np.asarray(faces.pictures[a]), faces.points[a]
        kind = random.random()
        if kind < 0.35:
            return one, points
        b = self.photo(like=a)
        other, other_points = np.asarray(faces.pictures[b]), faces.points[b]
        # Faces turned to different sides do not blend.
        if np.sign(side(points)) != np.sign(side(other_points)) and random.random() < 0.8:
            other, other_points = mirrored(other, other_points, faces.mirror_order)
        share = random.choice([random.uniform(-0.25, 1.25), 0.0, 1.0, 0.5])
        target = points + share * (other_points - points)
        first = warped(one, points, target).astype(np.float32)
        second = warped(np.ascontiguousarray(other), other_points, target).astype(np.float32)
        if kind < 0.65:
            m = np.float32(random.choice([random.uniform(0, 1), 0.0, 0.5]))
        else:
            m = mask(random)
            if random.random() < 0.5:  # avoids a colour edge along the seam
                second = np.clip(second + (first - second)[60:180, 60:156].mean((0, 1)), 0, 255)
        return (first + (second - first) * m).astype(np.uint8), target

    def draw(self):
        """Returns a photo or blend, perhaps mirrored, with the points for its alignment."""
        picture, points = self.blended()
        if self.random.random() < 0.5:
            picture, points = mirrored(picture, points, self.faces.mirror_order)
        return np.ascontiguousarray(picture), points[POINTS]

    def batch(self, count):
        """Returns `count` pictures of random scenes, and the vectors of the clean pictures."""
        self.until += count / REUSED
        while len(self.scenes) < KEPT or self.until >= SCENES:
            drawn = [self.draw() for _ in range(SCENES)]
            vectors = self.teacher.vectors(batch([aligned(*scene) for scene in drawn]))
            for (picture, points), clean in zip(drawn, vectors):
                if len(self.scenes) < KEPT:
                    self.scenes.append(Scene(picture, points, clean))
                else:
                    self.scenes[self.random.integers(KEPT)] = Scene(picture, points, clean)
            self.until = max(0.0, self.until - SCENES)
        found, vectors = [], []
        for i in self.random.integers(len(self.scenes), size=count):
            scene = self.scenes[i]
            kind = self.random.random()
            points = scene.points if kind < 0.15 else misaligned(scene.points, self.random)
            picture = aligned(scene.picture, points)
            found.append(degraded(picture[..., ::-1], self.random)[..., ::-1] if kind > 0.35 else picture)
            vectors.append(scene.clean)
        return batch(found), np.stack(vectors)

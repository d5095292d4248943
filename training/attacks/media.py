"""Media that are held in front of a camera.

A medium is one object in front of one camera. Its random properties are stored in `parameters`; `frame` renders a
picture of it, in its own or another pose. Paper, halftone, pixel grid, lamps and hands keep their properties while the
medium moves.
"""

import math

import numpy as np
from PIL import Image

import optics
from optics import colour, light_of


class Medium:
    """One object in front of one camera."""

    species = ""

    def __init__(self, shape, rng, source=None, difficulty=None):
        self.source = tuple(int(size) for size in (source or shape)[:2])
        self.half = optics.half_sizes(self.source, shape)
        self.difficulty = float(rng.uniform()) if difficulty is None else float(difficulty)
        self.camera = optics.Camera(shape, rng, self.difficulty)
        self.room = room(rng, self.camera.shape)

    @property
    def parameters(self):
        """Every value drawn, as JSON has it."""
        return {"simulated": True, "species": self.species, **_plain(vars(self)), "camera": _plain(vars(self.camera))}

    def _surface(self, pose):
        u, v, _ = optics.unproject(pose, self.camera.xs, self.camera.ys)
        return u, v

    def _coverage(self, distance, pose):
        """The coverage of each pixel by an outline, from the signed distance to it."""
        return np.clip(0.5 - distance * (self.camera.side * pose.scale), 0, 1)

    def _outside(self, u, v, grown=0.0):
        """The approximate signed distance to the source picture's edge, expanded by `grown`."""
        return np.maximum(np.abs(u) - (self.half[0] + grown), np.abs(v) - (self.half[1] + grown))

    def _content(self, picture, pose):
        """Light of the source picture, reduced if the camera sees it smaller."""
        picture = np.ascontiguousarray(picture)
        shrink = pose.scale * self.half[0] * 2 * self.camera.side / picture.shape[1]
        if shrink < 0.8:
            size = [max(8, round(length * shrink)) for length in (picture.shape[1], picture.shape[0])]
            picture = np.asarray(Image.fromarray(picture).resize(size, Image.BICUBIC))
        return light_of(picture)

    def _sample(self, light, u, v):
        """Samples the light of the source picture at positions of the medium."""
        rows, columns = light.shape[1:]
        x = u * (0.5 * columns / self.half[0]) + (columns - 1) / 2
        y = v * (0.5 * rows / self.half[1]) + (rows - 1) / 2
        return optics.bilinear(light, x, y)

    def _shade(self, pose, light, ambient):
        """Illumination of a matt surface, relative to a flat one that faces the camera."""
        _, _, bent = optics.unproject(pose, *self.camera.coarse)
        toward = pose.rotation().T @ light
        diffuse = np.clip(np.sin(bent) * toward[0] - np.cos(bent) * toward[2], 0, None)
        return self.camera.spread(ambient + (1 - ambient) * diffuse / max(0.2, -light[2]))

    def _gleam(self, pose, light, width):
        """A lamp's specular reflection on the surface: 1 at its maximum."""
        xs, ys = self.camera.coarse
        _, _, bent = optics.unproject(pose, xs, ys)
        normal = np.stack([np.sin(bent), np.zeros_like(bent), -np.cos(bent)], -1) @ pose.rotation().T
        view = -np.stack(np.broadcast_arrays(xs, ys, np.float32(optics.FOCAL)), -1)
        view /= np.linalg.norm(view, axis=-1, keepdims=True)
        halfway = view + light
        halfway /= np.linalg.norm(halfway, axis=-1, keepdims=True)
        off = 1 - np.clip((normal * halfway).sum(-1), 0, 1)
        return self.camera.spread(np.exp(-off / width))


class Hands:
    """Hands that hold a sheet or a device at its edges. They are flat shapes that face the camera; their grips move and
    turn with the medium."""

    def __init__(self, rng, half, held=True):
        self.count = int(rng.choice([0, 1, 2], p=[0.35, 0.35, 0.3])) if held else 0
        self.tone = skin(rng)
        self.sleeve = (rng.uniform(0.02, 0.6) * np.exp(rng.normal(0, 0.2, 3))).astype(np.float32)
        # Position of the sleeve's edge on the forearm.
        self.cuff = rng.uniform(0.03, 0.5)
        self.hands = []
        for side in rng.permutation(["left", "right", "below"])[: self.count]:
            self.hands.append((*self._grip(rng, str(side), half), self._shape(rng)))

    @staticmethod
    def _grip(rng, side, half):
        """A point of the edge, and another one farther along it: down, or to the right."""
        along = rng.uniform(-0.4, 0.8)
        if side == "below":
            return (0.6 * along * half[0], half[1]), (0.6 * along * half[0] + 0.01, half[1])
        edge = -half[0] if side == "left" else half[0]
        return (edge, along * half[1]), (edge, along * half[1] + 0.01)

    @staticmethod
    def _shape(rng):
        """Rounded limbs: both ends (outward from the edge, and along it), both radii, and whether covered by a
        sleeve."""
        size = rng.uniform(0.8, 1.3)
        limbs = []

        def limb(start, end, first, last, dressed=False):
            limbs.append((start, end, first * size, last * size, dressed))

        wrist = 0.17 * size, 0.06 * size
        limb(wrist, (1.7, 0.06 * size + 1.5 * rng.uniform(-0.1, 0.7)), 0.045, 0.10, dressed=True)
        # The back of the hand, the ball of the thumb, and the fingers, which end at the edge or behind the medium.
        limb(wrist, (0.09 * size, 0.0), 0.05, 0.062)
        limb((0.14 * size, 0.02 * size), (0.06 * size, -0.045 * size), 0.05, 0.036)
        for finger in range(int(rng.integers(2, 5))):
            by = (0.036 * finger - 0.03) * size
            limb((0.1 * size, 0.9 * by), (rng.uniform(-0.01, 0.035), by + rng.normal(0, 0.006)), 0.024, 0.019)
        # The thumb is on the medium.
        knuckle = 0.01 * size, rng.normal(-0.05, 0.015)
        limb((0.08 * size, -0.035 * size), knuckle, 0.031, 0.024)
        limb(knuckle, (-rng.uniform(0.01, 0.08), knuckle[1] + rng.normal(0, 0.015)), 0.024, 0.020)
        return limbs

    def over(self, light, pose, camera, lamp, dim=1.0):
        """`light` occluded by the hands."""
        for grip, beside, limbs in self.hands:
            light = self._one(light, pose, camera, lamp, dim, grip, beside, limbs)
        return light

    def _one(self, light, pose, camera, lamp, dim, grip, beside, limbs):
        corner = np.array([camera.width / 2, camera.height / 2])
        seen = (optics.project(pose, *zip(grip, beside, (0, 0)), camera.shape) - corner) / camera.side
        along = seen[1] - seen[0]
        along /= max(1e-6, float(np.hypot(*along)))
        out = np.array([along[1], -along[0]])
        if out @ (seen[0] - seen[2]) < 0:
            out = -out
        # At half the resolution: hands have no fine detail here.
        x, y = (camera.xs[:, ::2] - float(seen[0][0])) / pose.scale, (camera.ys[::2] - float(seen[0][1])) / pose.scale
        a, b = x * float(out[0]) + y * float(out[1]), x * float(along[0]) + y * float(along[1])
        height, sleeve, crease = self._relief(a, b, limbs)
        if height.max() <= 0:
            return light
        # Limbs are darker at their edges, and on the side away from the lamp.
        down, across = np.gradient(height, 2 / (camera.side * pose.scale))
        lit = 0.8 + 2 * np.minimum(height, 0.06) + 0.35 * (float(lamp[0]) * across + float(lamp[1]) * down)
        lit = camera.spread(np.clip(lit * crease, 0.15, 1.3)) * dim
        tone = colour(self.tone) + (colour(self.sleeve) - colour(self.tone)) * camera.spread(sleeve)
        cover = camera.spread(np.clip(height * 60, 0, 1))
        return light + (tone * lit - light) * cover

    def _relief(self, a, b, limbs):
        """The height of the limbs, where they are covered by a sleeve, and the darkness of the creases between them."""
        height, sleeve = np.zeros_like(a), np.zeros_like(a)
        crease = np.ones_like(a)
        for (start_a, start_b), (end_a, end_b), first, last, dressed in limbs:
            da, db = end_a - start_a, end_b - start_b
            part = np.clip(((a - start_a) * da + (b - start_b) * db) * (1 / (da * da + db * db + 1e-9)), 0, 1)
            radius = first + (last - first) * part
            off = ((a - start_a - part * da) ** 2 + (b - start_b - part * db) ** 2) / radius**2
            rise = np.sqrt(np.clip(1 - off, 0, 1)) * radius
            meeting = (rise > 0) & (height > 0)
            crease = np.where(meeting, np.minimum(crease, 0.72 + np.abs(rise - height) * 30), crease)
            if dressed:
                sleeve = np.where((rise > height) & (part > self.cuff), np.float32(1), sleeve)
            np.maximum(height, rise, out=height)
        return height, sleeve, crease


def direction(rng):
    """The direction to a lamp: above, in front of the medium, more or less to one side."""
    vector = np.array([rng.normal(0, 0.5), -abs(rng.normal(0.4, 0.35)), -1.0], np.float32)
    return vector / np.linalg.norm(vector)


def skin(rng):
    """Light of skin, from dark to fair."""
    dark, fair = np.array([0.10, 0.05, 0.03], np.float32), np.array([0.68, 0.45, 0.34], np.float32)
    return (dark + (fair - dark) * rng.uniform()) * rng.uniform(0.85, 1.1)


def room(rng, shape):
    """Light of the blurred background behind the medium: random surfaces and objects."""
    height, width = shape
    rows, columns = 48, max(8, round(48 * width / height))
    small = np.empty((3, rows, columns), np.float32)
    small[:] = colour(rng.uniform(0.05, 0.7) * rng.uniform(0.85, 1.05, 3))
    for _ in range(int(rng.integers(3, 11))):
        y, x = rng.uniform(-0.2, 1, 2)
        high, wide = rng.uniform(0.1, 0.9, 2)
        grey = math.exp(rng.uniform(math.log(0.01), math.log(0.9)))
        hue = np.minimum(grey * np.exp(rng.normal(0, 0.12, 3)), 1)
        top, left = max(0, int(y * rows)), max(0, int(x * columns))
        small[:, top : max(0, int((y + high) * rows)), left : max(0, int((x + wide) * columns))] = colour(hue)
    small *= np.exp(optics.resized(rng.normal(0, 0.3, (4, 5)), (rows, columns)))
    return optics.resized(optics.blurred(small, rng.uniform(0.3, 2.0)), shape)


def _plain(values):
    """The numbers, texts, poses and short lists of an object's attributes."""
    result = {}
    for name, value in values.items():
        if isinstance(value, optics.Pose):
            result[name] = value.values()
        elif isinstance(value, dict):
            result[name] = _plain(value)
        elif isinstance(value, (bool, int, str)):
            result[name] = value
        elif isinstance(value, (float, np.floating)):
            result[name] = round(float(value), 5)
        elif isinstance(value, (list, tuple)) or isinstance(value, np.ndarray) and value.size <= 12:
            listed = list(_plain(dict(enumerate(value))).values())
            if len(listed) == len(value):
                result[name] = listed
    return result

"""What is held before a camera.

A medium is one thing before one camera. What it draws from the generator is kept in `parameters`; `frame` takes a
picture of it, in its own pose or in another one. Paper, halftone, pixel grid, lamps and hands stay where they are
while the medium moves.
"""

import math

import numpy as np
from PIL import Image

import optics
from optics import colour, light_of


class Medium:
    """One thing before one camera."""

    species = ""

    def __init__(self, shape, rng, source=None, difficulty=None, background=None):
        self.source = tuple(int(size) for size in (source or shape)[:2])
        self.half = optics.half_sizes(self.source, shape)
        self.difficulty = float(rng.uniform()) if difficulty is None else float(difficulty)
        self.camera = optics.Camera(shape, rng, self.difficulty)
        self.parameters = {
            "simulated": True,
            "species": self.species,
            "size": [*self.camera.shape, *self.source],
            "difficulty": round(self.difficulty, 4),
        }
        self.note(**self.camera.parameters())
        self.room = room(rng, self.camera.shape, background)

    def note(self, **values):
        for name, value in values.items():
            self.parameters[name] = _plain(value)

    def set_pose(self, pose):
        self.pose = pose
        self.note(pose=pose.values())

    def _surface(self, pose):
        u, v, _ = optics.unproject(pose, self.camera.xs, self.camera.ys)
        return u, v

    def _coverage(self, distance, pose):
        """How much of each pixel lies inside an outline, from the signed distance to it."""
        return np.clip(0.5 - distance * (self.camera.side * pose.scale), 0, 1)

    def _outside(self, u, v, grown=0.0):
        """About the signed distance to the source picture's edge, moved out."""
        return np.maximum(np.abs(u) - (self.half[0] + grown), np.abs(v) - (self.half[1] + grown))

    def _content(self, picture, pose):
        """Light of the source picture, made smaller where the camera sees it smaller."""
        picture = np.ascontiguousarray(picture)
        shrink = pose.scale * self.half[0] * 2 * self.camera.side / picture.shape[1]
        if shrink < 0.8:
            size = [max(8, round(length * shrink)) for length in (picture.shape[1], picture.shape[0])]
            picture = np.asarray(Image.fromarray(picture).resize(size, Image.BICUBIC))
        return light_of(picture)

    def _sample(self, light, u, v):
        """Light of the source picture at places of the medium."""
        rows, columns = light.shape[1:]
        x = u * (0.5 * columns / self.half[0]) + (columns - 1) / 2
        y = v * (0.5 * rows / self.half[1]) + (rows - 1) / 2
        return optics.bilinear(light, x, y)

    def _shade(self, pose, light, ambient):
        """Light on a matt surface, over that on a flat one that faces the camera."""
        _, _, bent = optics.unproject(pose, *self.camera.coarse)
        toward = pose.rotation().T @ light
        diffuse = np.clip(np.sin(bent) * toward[0] - np.cos(bent) * toward[2], 0, None)
        return self.camera.spread(ambient + (1 - ambient) * diffuse / max(0.2, -light[2]))

    def _gleam(self, pose, light, width):
        """A lamp's mirror image on the surface: 1 where it is brightest."""
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
    """Hands that hold a sheet or a device at its edges: shapes in the medium's plane, so they move with it."""

    def __init__(self, rng, half, held=True):
        self.count = int(rng.choice([0, 1, 2], p=[0.35, 0.35, 0.3])) if held else 0
        self.tone = skin(rng)
        self.sleeve = (rng.uniform(0.02, 0.6) * np.exp(rng.normal(0, 0.2, 3))).astype(np.float32)
        self.cuff = rng.uniform(0.03, 0.5)
        self.parts = []
        for side in rng.permutation(["left", "right", "below"])[: self.count]:
            self._hold(rng, side, half)

    def _hold(self, rng, side, half):
        along = rng.uniform(-0.4, 0.8)
        size = rng.uniform(0.8, 1.3)

        def at(out, by):
            """`out` from the edge away from the middle, `by` along the edge, downward."""
            if side == "below":
                return along * 0.6 * half[0] + by, half[1] + out
            return (-1 if side == "left" else 1) * (half[0] + out), along * half[1] + by

        def limb(start, end, thick, thin, dressed=False):
            self.parts.append((start, end, thick * size, thin * size, dressed))

        slope = rng.uniform(-0.1, 0.7)
        wrist = at(0.17 * size, 0.06 * size)
        limb(wrist, at(1.7, 0.06 * size + 1.5 * slope), 0.045, 0.10, dressed=True)
        # The back of the hand, the ball of the thumb, and the fingers that end at the edge or behind the medium.
        limb(wrist, at(0.09 * size, 0.0), 0.05, 0.062)
        limb(at(0.14 * size, 0.02 * size), at(0.06 * size, -0.045 * size), 0.05, 0.036)
        for finger in range(int(rng.integers(2, 5))):
            by = (0.036 * finger - 0.03) * size
            limb(at(0.1 * size, by * 0.9), at(rng.uniform(-0.01, 0.035), by + rng.normal(0, 0.006)), 0.024, 0.019)
        # The thumb lies on the medium.
        reach, by = rng.uniform(0.01, 0.08), rng.normal(-0.05, 0.015)
        knuckle = at(0.01 * size, by)
        limb(at(0.08 * size, -0.035 * size), knuckle, 0.031, 0.024)
        limb(knuckle, at(-reach, by + rng.normal(0, 0.015)), 0.024, 0.020)

    def over(self, light, u, v, lamp, dim=1.0):
        """`light` with the hands before it."""
        if not self.parts:
            return light
        u, v = u[::2, ::2], v[::2, ::2]
        height, sleeve = np.zeros_like(u), np.zeros_like(u)
        crease = np.ones_like(u)
        for (ax, ay), (bx, by), thick, thin, dressed in self.parts:
            dx, dy = bx - ax, by - ay
            along = np.clip(((u - ax) * dx + (v - ay) * dy) * (1 / (dx * dx + dy * dy + 1e-9)), 0, 1)
            radius = thick + (thin - thick) * along
            off = ((u - ax - along * dx) ** 2 + (v - ay - along * dy) ** 2) / radius**2
            rise = np.sqrt(np.clip(1 - off, 0, 1)) * radius
            # Where one finger meets another it is dark.
            crease = np.where((rise > 0) & (height > 0), np.minimum(crease, 0.72 + np.abs(rise - height) * 30), crease)
            if dressed:
                sleeve = np.where((rise > height) & (along > self.cuff), np.float32(1), sleeve)
            np.maximum(height, rise, out=height)
        if height.max() <= 0:
            return light
        shape = light.shape[1:]
        # Round parts are darker at their edges, and on the side away from the lamp.
        down, across = np.gradient(height)
        # Their steepness per pixel is that of the medium's own axes.
        steep = 0.35 / max(1e-6, float(np.abs(np.diff(u[u.shape[0] // 2])).mean()))
        lit = 0.8 + 2 * np.minimum(height, 0.06) + steep * (float(lamp[0]) * across + float(lamp[1]) * down)
        lit = optics.resized(np.clip(lit * np.minimum(crease, 1), 0.15, 1.3), shape) * dim
        tone = colour(self.tone) + (colour(self.sleeve) - colour(self.tone)) * optics.resized(sleeve, shape)
        cover = optics.resized(np.clip(height * 60, 0, 1), shape)
        return light + (tone * lit - light) * cover


def direction(rng):
    """Toward a lamp: above, before the medium, more or less to a side."""
    vector = np.array([rng.normal(0, 0.5), -abs(rng.normal(0.4, 0.35)), -1.0], np.float32)
    return vector / np.linalg.norm(vector)


def skin(rng):
    """Light of skin, from dark to fair."""
    dark, fair = np.array([0.10, 0.05, 0.03], np.float32), np.array([0.68, 0.45, 0.34], np.float32)
    return (dark + (fair - dark) * rng.uniform()) * rng.uniform(0.85, 1.1)


def room(rng, shape, background):
    """Light of what is behind the medium, out of focus: a part of a photo, or surfaces and things at random."""
    height, width = shape
    if background is not None:
        background = np.asarray(background)
        rows, columns = background.shape[:2]
        part = rng.uniform(0.4, 1)
        top, left = (int(rng.uniform(0, (1 - part) * size)) for size in (rows, columns))
        cut = background[top : top + max(8, int(rows * part)), left : left + max(8, int(columns * part))]
        small = Image.fromarray(np.ascontiguousarray(cut)).resize((max(8, width // 8), max(8, height // 8)), Image.BOX)
        return optics.resized(light_of(small), shape) * rng.uniform(0.5, 1.1)
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


def _plain(value):
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(one) for one in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (float, np.floating)):
        return round(float(value), 5)
    return value

"""A printed face, cut out and worn as a mask."""

import math

import numpy as np

import optics
from media import skin
from motion import EYES, FACE, MOUTH, NOSE
from optics import Pose, colour
from prints import Print


class Cutout(Print):
    """A printed face, cut out along its outline and worn in front of a head."""

    species = "cutout"

    PARTS = ("eyes", "nose", "mouth")
    HOLES = ((), ("eyes",), ("eyes", "mouth"), ("eyes", "nose"), PARTS)

    def __init__(self, shape, rng, *, source=None, holes=None, face=None, difficulty=None):
        super().__init__(shape, rng, source=source, difficulty=difficulty)
        hard = self.difficulty
        drawn = self.HOLES[int(rng.choice(len(self.HOLES), p=[0.1, 0.45, 0.2, 0.1, 0.15]))]
        self.holes = drawn if holes is None else tuple(holes)
        for hole in self.holes:
            if hole not in self.PARTS:
                raise ValueError(f"no such hole: {hole}; there are {', '.join(self.PARTS)}")
        self.face = self._face(face)
        # A mask follows the head: slightly turned, and curved around it.
        self.pose = Pose(
            yaw=rng.normal(0, 6), pitch=rng.normal(0, 5), roll=rng.normal(0, 4), x=rng.normal(0, 0.02),
            y=rng.normal(0, 0.02), scale=rng.uniform(0.9, 1.25), bend=abs(rng.normal(0.7, 0.5)), axis=rng.normal(0, 5))
        self.rule()
        # The outline: half its width and height relative to the face's, its squareness, and its irregularity.
        self.outline = rng.uniform(0.50, 0.62), rng.uniform(0.52, 0.64), rng.uniform(2.0, 2.6)
        self.wander = [rng.normal(0, 0.02 * (1.2 - hard)) for _ in range(6)]
        self.hole_sizes = {part: rng.uniform(0.8, 1.25) for part in self.PARTS}
        # The cut edge shows the white paper's thickness.
        self.rim = rng.uniform(0, 0.006) * (1.2 - hard)
        self.shadow = rng.uniform(0.2, 0.8)
        self.gap = rng.uniform(0.004, 0.03)
        self.wearer = Wearer(self, rng)
        self.margin = 0.0

    def _face(self, face):
        """Centre, width, height (in the medium's units) and roll (radians) of the face, from a box in pixels."""
        rows, columns = self.source
        if face is None:
            face = FACE[0] * columns, FACE[1] * rows, FACE[2] * columns, FACE[3] * rows
        x, y, width, height, roll = (*face, 0.0)[:5]
        unit = 2 * self.half[0] / columns
        middle = (x + width / 2) * unit - self.half[0], (y + height / 2) * unit - self.half[1]
        return [float(value) for value in (*middle, width * unit, height * unit, math.radians(roll))]

    def in_face(self, u, v):
        """Normalises coordinates to the face: relative to its width and height, from its centre."""
        x, y, width, height, roll = self.face
        u, v = u - x, v - y
        return (u * math.cos(roll) + v * math.sin(roll)) / width, (v * math.cos(roll) - u * math.sin(roll)) / height

    def frame(self, picture, rng, pose=None, time=0.0, behind=None):
        """Renders the mask in `pose`. `behind` is the light of everything behind it; without it, this medium's wearer
        moves along with the mask."""
        pose = pose or self.pose
        u, v = self._surface(pose)
        p, q = self.in_face(u, v)
        edge = self._mask(p, q)
        printed = self._printed(picture, pose, u, v)
        if self.rim:
            rim = np.clip(1 + edge / self.rim, 0, 1) * (edge < 0)
            printed += (colour(self.paper) - printed) * (0.6 * rim)
        inside = self._coverage(edge, pose)
        # The mask is curved around the head; what is behind it is not.
        head = behind
        if head is None:
            head = self.wearer.light(*self.in_face(*self._surface(pose.moved(bend=-pose.bend))))
        # The mask casts a shadow on the face behind it, away from the light.
        shift = [self.gap * float(part) / size for part, size in zip(self.light, self.face[2:4])]
        away = self._mask(p + shift[0], q + shift[1])
        head = head * (1 - self.shadow * np.clip(0.5 - away * (0.7 / self.gap), 0, 1))
        light = head + (self._lit(printed, pose) - head) * inside
        light = self.camera.focused(light)
        return self.camera.develop(self._screened(light, inside, pose, u, v), rng)

    def _mask(self, p, q):
        """The approximate signed distance to the cut: negative on the paper."""
        _, _, width, height, _ = self.face
        wide, high, square = self.outline
        # Narrower at the chin.
        a = p * (1 + 0.18 * np.clip(q / high, -1, 1)) / wide
        b = q / high
        radius = (np.abs(a) ** square + np.abs(b) ** square) ** (1 / square)
        angle = np.arctan2(b, a)
        for order, size in enumerate(self.wander):
            radius += (size / (order + 1)) * np.cos((order + 2) * angle + order)
        distance = (radius - 1) * (0.5 * min(width, height))
        for hole in self._hole_distances(p, q):
            np.maximum(distance, -hole, out=distance)
        return distance

    def _hole_distances(self, p, q):
        shapes = [(eye, 0.125, 0.062, "eyes") for eye in EYES] + [(NOSE, 0.11, 0.13, "nose"), (MOUTH, 0.19, 0.065, "mouth")]
        for (x, y), wide, high, part in shapes:
            if part not in self.holes:
                continue
            wide, high = wide * self.hole_sizes[part], high * self.hole_sizes[part]
            radius = np.sqrt(((p - (x - 0.5)) / wide) ** 2 + ((q - (y - 0.5)) / high) ** 2)
            yield (radius - 1) * (high * self.face[3])


class Wearer:
    """The drawn head behind a mask: clothes, neck, hair, skin, eyes and mouth."""

    def __init__(self, mask, rng):
        self.mask = mask
        self.tone = skin(rng)
        self.exposure = rng.uniform(0.75, 1.15)
        self.hair = np.array([1, 0.8, 0.6], np.float32) * rng.uniform(0.01, 0.15)
        self.clothes = (rng.uniform(0.02, 0.5) * np.exp(rng.normal(0, 0.2, 3))).astype(np.float32)
        self.hooded = bool(rng.uniform() < 0.3)
        self.grown = rng.uniform(0.92, 1.12)
        self.drop = rng.uniform(-0.06, 0.06)
        self.iris = rng.uniform(0.02, [0.15, 0.1, 0.12]).astype(np.float32)
        self.open = rng.uniform(0.6, 1.1)
        self.gaze = rng.normal(0, 0.01)
        self.folds = np.exp(rng.normal(0, 0.12, (12, 12))).astype(np.float32)
        self.strands = np.exp(rng.normal(0, 0.35, (3, 70))).astype(np.float32)

    def light(self, p, q):
        mask = self.mask
        # At half the size: the head behind a mask is slightly out of focus.
        p, q = p[::2, ::2], q[::2, ::2] - self.drop
        light = optics.resized(mask.room, p.shape)

        def paint(distance, hue, sharpness):
            hue = colour(hue) if np.size(hue) == 3 else hue
            light[...] += (hue - light) * np.clip(0.5 - distance * sharpness, 0, 1)

        def ellipse(x, y, wide, high):
            return np.sqrt(((p - x) / wide) ** 2 + ((q - y) / high) ** 2) - 1

        folds, strands = optics.resized(self.folds, p.shape), optics.resized(self.strands, p.shape)
        lit = 1 + 0.7 * np.clip(p * float(mask.light[0]), -0.5, 0.5)
        tone, grown = colour(self.tone), self.grown
        body = np.abs(p) * 0.42 - (q - 0.68) - 0.35 * np.clip(1 - np.abs(p), 0, 1)
        paint(body, colour(self.clothes) * (lit * (1 - 0.2 * np.clip(np.abs(p), 0, 2)) * folds), 20)
        paint(np.maximum(np.abs(p) - 0.3, 0.2 - q), tone * (lit * (0.75 - 0.9 * np.abs(p))), 25)
        hair = ellipse(0, -0.1, 0.62 * grown, 0.66 * grown)
        cap = colour(self.clothes) * folds if self.hooded else colour(self.hair) * strands
        paint(hair, cap * (lit * (1.1 - 0.6 * np.clip(hair + 1, 0, 1) ** 4)), 14)
        round_off = 1.05 - 0.5 * np.clip(np.abs(p) * 1.6 - 0.2, 0, 1)
        paint(ellipse(0, 0, 0.5 * grown, 0.57 * grown), tone * (lit * round_off * np.sqrt(folds)), 18)
        for x, y in EYES:
            self._eye(paint, ellipse, p - (x - 0.5), q + self.drop - (y - 0.5), x - 0.5, y - 0.5 - self.drop)
        nose = np.clip(-ellipse(0, 0.1 - self.drop, 0.12, 0.1), 0, 1)
        light *= 1 + 0.4 * nose * np.sign(p * float(mask.light[0]))
        low = 0.26 - self.drop
        paint(ellipse(0, low, 0.17, 0.045), self.tone * [0.8, 0.5, 0.48], 3)
        paint(np.maximum(np.abs(q - low) / 0.006, np.abs(p) / 0.15) - 1, self.tone * [0.3, 0.15, 0.15], 1)
        return optics.resized(light, mask.camera.shape)

    def _eye(self, paint, ellipse, p, q, x, y):
        paint(ellipse(x, y, 0.15, 0.08), self.tone * 0.6, 1.2)
        paint(ellipse(x, y - 0.085, 0.13, 0.018), self.hair, 1.5)
        lid = ellipse(x, y, 0.085, 0.03 * self.open)
        paint(lid, np.minimum(self.tone * 1.1 + 0.08, 0.6), 3)
        ball = np.sqrt((p - self.gaze) ** 2 + (q * 1.14) ** 2)
        paint(np.maximum(ball / 0.036 - 1, lid), self.iris, 3)
        paint(np.maximum(ball / 0.016 - 1, lid), [0.004, 0.004, 0.004], 2)
        # The lashes and shadow of the upper lid.
        paint(np.abs(lid) - 0.25 + np.clip(q * 40, 0, 2), self.tone * 0.25, 2)

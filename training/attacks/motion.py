"""The positions of a face and its features; trajectories of hand-held objects, and of faces in videos."""

import math
from itertools import islice

import numpy as np

from prompts import smooth, summed, waves
from video import RATE

# Default position of a face: forehead to chin in the aligned photos of LFW (x, y, width and height relative to the
# picture's).
FACE = (0.29, 0.28, 0.42, 0.48)

# Features in such a box (x and y relative to its width and height), with the usual proportions of a face.
EYES = ((0.31, 0.35), (0.69, 0.35))
NOSE = (0.50, 0.56)
MOUTH = (0.50, 0.76)

# Physiological tremor of an outstretched hand is at 8 to 12 Hz, and reaches down to about 5 with a load.
TREMOR = (5.0, 12.0)

# Frequencies of drift, in Hz.
SLOW = (0.08, 0.6)

# Amplitudes of drift and tremor of a hand: in longer sides of the picture, degrees, and fractions of the size.
DRIFT = {"x": 0.02, "y": 0.02, "yaw": 3.5, "pitch": 3.0, "roll": 2.0, "scale": 0.03}
SHAKE = {"x": 0.0015, "y": 0.0015, "yaw": 0.25, "pitch": 0.25, "roll": 0.15, "scale": 0.0015}


def face_at(eyes):
    """The box (x, y, width, height) and the roll in degrees of a face with its eyes at two points of a picture.

    The box is that of the upright face around the midpoint of the eyes, before it is rolled around its own centre.
    """
    (ax, ay), (bx, by) = sorted(eyes)
    distance = math.hypot(bx - ax, by - ay)
    roll = math.atan2(by - ay, bx - ax)
    width = distance / (EYES[1][0] - EYES[0][0])
    height = width * FACE[3] / FACE[2]
    down = (0.5 - EYES[0][1]) * height
    x, y = (ax + bx) / 2 - down * math.sin(roll), (ay + by) / 2 + down * math.cos(roll)
    return x - width / 2, y - height / 2, width, height, math.degrees(roll)


class Hand:
    """A hand that tries to hold still."""

    def __init__(self, rng, strength=1.0):
        half = 0.5 * strength
        self.terms = {
            name: waves(rng, SLOW, DRIFT[name] * half) + waves(rng, TREMOR, SHAKE[name] * half) for name in DRIFT}

    def at(self, time):
        """Changes of a pose, as arguments of `Pose.moved`."""
        changes = {name: summed(terms, time) for name, terms in self.terms.items()}
        changes["scale"] = math.exp(changes["scale"])
        return changes


class Gestures:
    """A hand that moves a photo like a head: turns, tilts, rolls, brings closer, moves away, bends the sheet, and
    returns to the rest position in between."""

    # Maximum movements: beyond 50 degrees a flat photo is too narrow for any detector.
    SIZES = {"yaw": 50.0, "pitch": 50.0, "roll": 25.0, "closer": 0.5, "bend": 1.2}

    def __init__(self, rng, seconds):
        self.keys = [(0.0, self._rest())]
        time = rng.uniform(0.3, 0.7)
        self.keys.append((time, self._rest()))
        kinds = list(rng.permutation(["yaw", "yaw", "pitch", "roll", "closer", "bend", "both"]))
        self.done = []
        while time < seconds:
            kind = str(kinds[len(self.done) % len(kinds)])
            changes = self._gesture(rng, kind)
            self.done.append({"kind": kind, "at": round(time, 2), **{n: round(v, 3) for n, v in changes.items() if v}})
            time += rng.uniform(0.35, 0.8)
            self.keys.append((time, changes))
            # Held, as challenges require.
            time += rng.uniform(0.15, 0.4)
            self.keys.append((time, changes))
            if rng.uniform() < 0.7:
                time += rng.uniform(0.35, 0.7)
                self.keys.append((time, self._rest()))

    def _rest(self):
        return dict.fromkeys(("yaw", "pitch", "roll", "x", "y", "scale", "bend", "axis"), 0.0)

    def _gesture(self, rng, kind):
        changes = self._rest()
        sign = 1 if rng.uniform() < 0.5 else -1
        amount = rng.uniform(0.4, 1)
        if kind in ("yaw", "both"):
            changes["yaw"] = sign * amount * self.SIZES["yaw"]
        if kind in ("pitch", "both"):
            changes["pitch"] = (1 if rng.uniform() < 0.5 else -1) * rng.uniform(0.4, 1) * self.SIZES["pitch"]
        if kind == "roll":
            changes["roll"] = sign * amount * self.SIZES["roll"]
        if kind == "closer":
            changes["scale"] = sign * amount * self.SIZES["closer"]
        if kind == "bend":
            # A sheet bent toward the camera occludes itself sooner than one bent away.
            changes["bend"] = amount * self.SIZES["bend"] * (1 if sign > 0 else -0.5)
            changes["yaw"] = rng.uniform(-0.5, 0.5) * self.SIZES["yaw"]
            changes["axis"] = rng.normal(0, 30)
        # Turning by hand also shifts the sheet slightly.
        changes["x"], changes["y"] = rng.normal(0, 0.03), rng.normal(0, 0.03)
        return changes

    def at(self, time):
        """Changes of a pose, as arguments of `Pose.moved`."""
        for (start, before), (end, after) in zip(self.keys, self.keys[1:]):
            if time < end:
                part = smooth((time - start) / (end - start))
                changes = {name: before[name] + (after[name] - before[name]) * part for name in before}
                break
        else:
            changes = dict(self.keys[-1][1])
        changes["scale"] = math.exp(changes["scale"])
        return changes


class Track:
    """The trajectory of a face in a video: boxes from `face_at`, sampled five times per second and interpolated
    linearly."""

    STEP = 0.2

    def __init__(self, source, start, seconds, size, finder, box=None):
        self.found = False
        middle = tuple(part * size[i % 2] for i, part in enumerate(FACE))
        self.times, self.boxes = [0.0], [(*(box or middle), 0.0)[:5]]
        if box is not None:
            return
        every = round(self.STEP * RATE)
        frames = islice(source.frames(start, seconds if source.still is None else 0, size), 0, None, every)
        seen, number = [], 0
        # In small batches, so that memory does not grow with the video.
        while batch := list(islice(frames, 20)):
            for face in finder.faces(batch):
                if face:
                    seen.append((number * every / RATE, face_at(face[0])))
                number += 1
        if seen:
            self.found = True
            self.times, self.boxes = [time for time, _ in seen], [self._steady(box) for _, box in seen]

    @staticmethod
    def _steady(box):
        x, y, width, height, roll = box
        return x + width / 2, y + height / 2, width, height, roll

    def at(self, time):
        """x, y, width, height and roll (degrees)."""
        if not self.found:
            return self.boxes[0]
        x, y, width, height, roll = (float(np.interp(time, self.times, column)) for column in zip(*self.boxes))
        return x - width / 2, y - height / 2, width, height, roll

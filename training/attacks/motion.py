"""Paths of things held by hand, and of faces in videos."""

import math

import numpy as np

from media import FACE, face_at

# Physiological tremor of a stretched-out hand lies at 8 to 12 Hz, and reaches down to about 5 with a load.
TREMOR = (5.0, 12.0)

# How far a hand drifts and trembles: in longer sides of the picture, degrees, and parts of the size.
DRIFT = {"x": 0.02, "y": 0.02, "yaw": 3.5, "pitch": 3.0, "roll": 2.0, "scale": 0.03}
SHAKE = {"x": 0.0015, "y": 0.0015, "yaw": 0.25, "pitch": 0.25, "roll": 0.15, "scale": 0.0015}


class Hand:
    """A hand that tries to hold still."""

    def __init__(self, rng, strength=1.0):
        self.terms = {}
        for name in DRIFT:
            slow = [(rng.uniform(0.08, 0.6), rng.uniform(0, 2 * math.pi), DRIFT[name] * rng.normal(0, 0.5)) for _ in range(3)]
            fast = [(rng.uniform(*TREMOR), rng.uniform(0, 2 * math.pi), SHAKE[name] * rng.normal(0, 0.6)) for _ in range(3)]
            self.terms[name] = [(rate, phase, size * strength) for rate, phase, size in slow + fast]

    def at(self, time):
        """Changes of a pose, as `Pose.moved` takes them."""
        changes = {
            name: sum(size * math.sin(2 * math.pi * rate * time + phase) for rate, phase, size in terms)
            for name, terms in self.terms.items()
        }
        changes["scale"] = math.exp(changes["scale"])
        return changes


class Gestures:
    """A hand that moves a photo as if it were a head: turns, tilts, rolls, comes closer, goes away, bends the sheet, and
    goes back to where it was in between."""

    # Largest movements tried: past 50 degrees a flat photo is too narrow for any detector.
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
            # Held, as a challenge asks.
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
            # A sheet rolled toward the camera hides itself sooner than one rolled away.
            changes["bend"] = amount * self.SIZES["bend"] * (1 if sign > 0 else -0.5)
            changes["yaw"] = rng.uniform(-0.5, 0.5) * self.SIZES["yaw"]
            changes["axis"] = rng.normal(0, 30)
        # What is turned by hand is moved a little too.
        changes["x"], changes["y"] = rng.normal(0, 0.03), rng.normal(0, 0.03)
        return changes

    def at(self, time):
        """Changes of a pose, as `Pose.moved` takes them."""
        for (start, before), (end, after) in zip(self.keys, self.keys[1:]):
            if time < end:
                part = min(1.0, max(0.0, (time - start) / (end - start)))
                # Minimum jerk: how a hand goes from rest to rest (Flash and Hogan 1985).
                part = part**3 * (10 - 15 * part + 6 * part**2)
                changes = {name: before[name] + (after[name] - before[name]) * part for name in before}
                break
        else:
            changes = dict(self.keys[-1][1])
        changes["scale"] = math.exp(changes["scale"])
        return changes


class Track:
    """Where a face is in a video: boxes as `face_at` makes them, seen five times a second and joined by lines."""

    STEP = 0.2

    def __init__(self, source, start, seconds, size, finder, box=None):
        rows, columns = size[1], size[0]
        self.found = False
        self.times, self.boxes = [0.0], [box or (*(part * (columns, rows)[i % 2] for i, part in enumerate(FACE)), 0.0)]
        if box is not None:
            return
        times, pictures = [], []
        every = round(self.STEP * 30)
        for number, frame in enumerate(source.frames(start, seconds if source.still is None else 0, size)):
            if number % every == 0:
                times.append(number / 30)
                pictures.append(frame)
        seen = [(time, face_at(eyes)) for time, eyes in zip(times, finder.eyes(pictures)) if eyes]
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

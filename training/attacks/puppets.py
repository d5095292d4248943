"""Photos animated in software to answer a script or to follow a path, as an injected camera stream."""

import math

import numpy as np
from PIL import Image, ImageDraw

import meshes
import optics
from figures import Figure, Skin
from jobs import Clip
from meshes import CHIN
from motion import Hand
from prompts import AMOUNTS, answers, length, smooth, summed, waves
from video import RATE, Failure

# Full movements: well past the thresholds of ChallengeProgress.swift, since the mesh network sees less than was made.
SIZES = {
    "turn-left": ("yaw", 28.0), "turn-right": ("yaw", -28.0), "look-up": ("pitch", -26.0), "look-down": ("pitch", 25.0),
    "tilt-left": ("roll", -23.0), "tilt-right": ("roll", 23.0), "smile": ("smile", 1.0), "open-mouth": ("opening", 1.0),
    "blink": ("blink", 1.0), "move-closer": ("scale", 1.42), "move-back": ("scale", 1 / 1.42),
}
REST = {
    "yaw": 0.0, "pitch": 0.0, "roll": 0.0, "scale": 1.0, "x": 0.0, "y": 0.0, "smile": 0.0, "opening": 0.0, "blink": 0.0,
}


def calibrated(figure, stage, finder, challenges):
    """The sizes of movements, corrected so that the mesh network sees each clearly past its threshold: a forger has the
    same network."""
    sizes = {}

    def measured(**changes):
        picture = drawn_state(figure, stage, {**REST, **changes}, 0.0)
        face = finder.face(picture)
        return face and face.measures(figure.size)

    rest = measured()
    for challenge in challenges:
        if challenge == "hold-still":
            continue
        name, size = SIZES[challenge]
        for _ in range(3):
            seen = rest and measured(**{name: size}, **({"opening": 0.22} if name == "smile" else {}))
            if not seen:
                break
            amount = float(AMOUNTS[challenge](seen, rest))
            if 1.25 < amount < 1.7:
                break
            change = min(1.3, max(0.8, 1.45 / max(0.2, amount)))
            limits = {"blink": (0.8, 1.12), "smile": (0.7, 1.6), "opening": (0.7, 1.6)}
            if name == "scale":
                size = size**change
            elif name in limits:
                size = min(limits[name][1], max(limits[name][0], size * change))
            else:
                size = math.copysign(min(42.0, abs(size) * change), size)
        sizes[challenge] = name, round(size, 3)
    return sizes


class Performance:
    """What a face shows over time: the answers to a script or a path, with the small movements of someone at rest."""

    IDLE = {"yaw": 1.3, "pitch": 1.0, "roll": 0.7, "x": 0.004, "y": 0.004, "scale": 0.006}

    def __init__(self, rng, made=(), path=None, blinks=(), idle=1.0, sizes=None):
        self.made, self.path, self.blinks = list(made), path, list(blinks)
        self.sizes = {**SIZES, **(sizes or {})}
        self.overshoot = [rng.uniform(0.92, 1.08) for _ in self.made]
        self.terms = {name: waves(rng, (0.07, 0.5), 0.5 * idle * size) for name, size in self.IDLE.items()}

    def at(self, time):
        state = dict(REST)
        quiet = 1.0
        for answer, over in zip(self.made, self.overshoot):
            if answer.challenge == "hold-still":
                quiet = min(quiet, 0.15 if answer.asked < time < answer.ended else 1.0)
                continue
            name, size = self.sizes[answer.challenge]
            amount = answer.amount(time) * (1 if name in ("blink", "opening") else over)
            if name == "scale":
                state["scale"] *= size**amount
            else:
                state[name] += size * amount
            if answer.challenge == "smile":
                state["opening"] += 0.22 * amount
            if answer.challenge == "look-down":
                # Upper lids follow the gaze.
                state["blink"] = max(state["blink"], 0.2 * amount)
        for blink in self.blinks:
            off = time - blink
            state["blink"] = max(state["blink"], smooth(1 - abs(off) / (0.11 if off < 0 else 0.19)))
        for name, terms in self.terms.items():
            drift = quiet * summed(terms, time)
            state[name] = state[name] * math.exp(drift) if name == "scale" else state[name] + drift
        if self.path:
            start, now = self.path(0.0), self.path(time)
            state["target"] = now[0], now[1]
            state["scale"], state["yaw"], state["pitch"] = now[2] / start[2], now[3], now[4]
        return state


class Stage:
    """The stream around a figure: the hand that shakes, a sensor's noise, a codec."""

    def __init__(self, size, rng, difficulty):
        self.size, self.rng = size, rng
        self.noise = float(rng.uniform(0.8, 2.4)) if rng.uniform() < 0.25 + 0.6 * difficulty else 0.0
        self.grain = bool(rng.uniform() < 0.5)
        self.quality = int(rng.integers(60, 93)) if rng.uniform() < 0.4 else None
        self.shake = float(rng.uniform(0.15, 0.5)) if rng.uniform() < 0.2 + 0.4 * difficulty else 0.0
        self.hand = Hand(rng, self.shake)

    def parameters(self):
        shake, noise = round(self.shake, 3), round(self.noise, 3)
        return {"noise": noise, "grain": self.grain, "quality": self.quality, "shake": shake}

    def still(self, time):
        """The affine map of the frame by the hand that holds the camera."""
        if not self.shake:
            return None
        drift = self.hand.at(time)
        angle, scale = math.radians(drift["roll"] * 0.5), 1 + (drift["scale"] - 1) * 0.4
        cos, sin = math.cos(angle) * scale, math.sin(angle) * scale
        width, height = self.size
        x, y = drift["x"] * max(self.size), drift["y"] * max(self.size)
        turn = np.array([[cos, -sin], [sin, cos]])
        middle = np.array([width / 2, height / 2])
        return np.column_stack([turn, middle + [x, y] - turn @ middle])

    def picture(self, values):
        """An 8-bit picture of floats, with the stream's noise and compression."""
        if self.noise:
            shape = values.shape[1:]
            noise = self.rng.standard_normal((3, *shape), np.float32)
            noise += self.rng.standard_normal(shape, np.float32)
            if self.grain:
                noise = optics.blurred(noise, 0.5) * 1.6
            noise *= 0.7 * self.noise * (0.6 + 0.4 * np.sqrt(np.clip(values, 0, 255) / 128))
            values = values + noise
        picture = np.clip(np.round(values), 0, 255).astype(np.uint8).transpose(1, 2, 0)
        return optics.recompressed(picture, self.quality, True) if self.quality else picture


def _tone(rng):
    return tuple(int(min(255, max(0, level))) for level in rng.uniform(25, 230) + rng.normal(0, 18, 3))


def room(size, rng):
    """A blurred virtual background: a wall with shelves or windows."""
    width, height = size
    wall = rng.uniform(70, 190)
    small = Image.new("RGB", (64, 64), tuple(int(wall + off) for off in rng.normal(0, 10, 3)))
    draw = ImageDraw.Draw(small)
    for _ in range(int(rng.integers(4, 12))):
        x, y = rng.integers(-8, 60, 2)
        w, h = rng.integers(4, 30, 2)
        draw.rectangle((int(x), int(y), int(x + w), int(y + h)), fill=_tone(rng))
    values = optics.blurred(np.asarray(small, np.float32).transpose(2, 0, 1), rng.uniform(0.8, 3))
    return optics.resized(values, (height, width))


def _shift(figure, state, points):
    """The displacement that takes the base of the nose to the state's place."""
    width, height = figure.size
    if "target" not in state:
        return state["x"] * width, state["y"] * height
    return np.array(state["target"]) * [width, height] - points[meshes.NOSE_BASE, :2]


def drawn_state(figure, stage, state, time, extra=None, base=None, rings=None, blend=0.0):
    """A frame of a figure in a state."""
    turn = meshes.rotation(state["yaw"], state["pitch"], state["roll"])
    face = dict(smile=state["smile"], opening=state["opening"], extra=extra, base=base)
    mesh = figure.shaped(blink=state["blink"], **face)
    shift = _shift(figure, state, figure.posed(mesh, turn, state["scale"], (0, 0), rings))
    points = figure.posed(mesh, turn, state["scale"], shift, rings)
    eyes = None
    if figure.lids and state["blink"] > 0:
        eyes = figure.posed(figure.shaped(**face), turn, state["scale"], shift, rings)[: meshes.POINTS]
    return stage.picture(figure.frame(points, state["blink"], state["smile"], blend, stage.still(time), eyes))


def located(job, photo, source=None):
    face = job.meshes().face(photo)
    if face is None:
        raise Failure(f"{(source or job.source).path}: no face found")
    return face


def drawn_qualities(job, lids=None):
    """The qualities of a puppet: what the forger took the trouble to do."""
    difficulty = float(job.rng.uniform(0, 1)) if job.difficulty is None else job.difficulty
    rng = job.rng
    side = rng.uniform(-0.7, 0.7)
    direction = np.array([side, -rng.uniform(0.2, 0.7), -1.0])
    shading = bool(rng.uniform() < difficulty * 1.2)
    return {
        "difficulty": round(difficulty, 3),
        "lids": bool(rng.uniform() < 0.2 + difficulty) if lids is None else lids,
        "teeth": bool(rng.uniform() < 0.2 + difficulty),
        "light": (direction / np.linalg.norm(direction), float(rng.uniform(0.35, 0.6))) if shading else None,
        "virtual": bool(rng.uniform() < 0.4),
    }


def _performance(job, drawn, figure, stage):
    rng = job.rng
    sizes = calibrated(figure, stage, job.meshes(), [prompt.challenge for prompt in job.script or ()])
    made = answers(job.script, rng) if job.script else []
    seconds = length(made, 4.0) if made else job.seconds
    blinks = []
    if drawn["lids"]:
        time = rng.uniform(1.0, 3.5)
        while time < seconds - 0.3:
            busy = ("blink", "smile", "look-down")
            if not any(a.challenge in busy and a.asked - 1 < time < a.ended + 0.5 for a in made):
                blinks.append(round(float(time), 2))
            time += rng.uniform(2.0, 5.0)
    return Performance(rng, made, job.path, blinks, sizes=sizes), seconds


def qualities(drawn, stage, figure):
    return {
        "difficulty": drawn["difficulty"], "lids": drawn["lids"], "teeth": drawn["teeth"],
        "shading": drawn["light"] is not None, "virtual_background": figure.backdrop is not None, **stage.parameters(),
    }


def _noted(job, drawn, stage, performance, figure, **more):
    return {
        **qualities(drawn, stage, figure), **job.noted(performance.made), "blinks": performance.blinks,
        "sizes": {a.challenge: performance.sizes[a.challenge][1] for a in performance.made if a.challenge in SIZES},
        **more,
    }


def puppet(job):
    """one photo animated through a face mesh: it turns, nods, blinks, smiles and opens its mouth"""
    photo = job.photo()
    size = job.camera_size()
    drawn = drawn_qualities(job)
    skin = Skin(photo, located(job, photo), size)
    figure, stage = staged(job, [skin], size, drawn)
    performance, seconds = _performance(job, drawn, figure, stage)

    def frames():
        for number in range(round(seconds * RATE)):
            time = number / RATE
            yield drawn_state(figure, stage, performance.at(time), time)

    return [Clip(size, frames(), _noted(job, drawn, stage, performance, figure))]


def staged(job, skins, size, drawn):
    """A figure and its stream."""
    virtual = drawn["virtual"] and skins[0].cut_out()
    backdrop = room(size, job.rng) if virtual else None
    figure = Figure(skins, size, drawn["lids"], drawn["teeth"], drawn["light"], backdrop, job.rng)
    return figure, Stage(size, job.rng, drawn["difficulty"])


def _aligned(mesh, to):
    """A mesh moved, turned and scaled in the plane so that its eyes and chin come near those of another."""
    anchors = [33, 133, 362, 263, CHIN]
    factor, ma, mb = meshes.similarity(mesh[anchors, :2], to[anchors, :2])
    z = factor * ((mesh[:, 0] - ma[0]) + 1j * (mesh[:, 1] - ma[1]))
    return np.column_stack([z.real + mb[0], z.imag + mb[1], mesh[:, 2] * abs(factor)])


def morph(job):
    """photos of one person morphed along time (--other: a second photo, smiling, turned or with another light)"""
    job.need_other("morph")
    photos = [job.photo(), job.photo(job.other)]
    size = job.camera_size()
    drawn = drawn_qualities(job)
    faces = [located(job, photo, source) for photo, source in zip(photos, (job.source, job.other))]
    first = Skin(photos[0], faces[0], size)
    second = Skin(photos[1], faces[1], size, part=meshes.height_of(first.mesh) / size[1])
    figure, stage = staged(job, [first, second], size, drawn)
    performance, seconds = _performance(job, drawn, figure, stage)
    own, its = (face.measures((1, 1)) for face in faces)
    # The second photo is used for the movement that it shows, or else comes and goes slowly.
    shows = None
    if its["width"] - own["width"] > 0.04:
        shows = "smile"
    elif its["opening"] - own["opening"] > 0.05:
        shows = "open-mouth"
    elif abs(its["yaw"] - own["yaw"]) > 8:
        shows = "turn-left" if its["yaw"] > own["yaw"] else "turn-right"
    target = _aligned(second.mesh, first.mesh)
    rings = figure._ring(target)
    rate, phase = job.rng.uniform(0.1, 0.3), job.rng.uniform(0, 2 * math.pi)

    def frames():
        for number in range(round(seconds * RATE)):
            time = number / RATE
            state = performance.at(time)
            part = max((a.amount(time) for a in performance.made if a.challenge == shows), default=0.0)
            if not any(answer.challenge == shows for answer in performance.made):
                part = 0.25 * (1 - math.cos(2 * math.pi * rate * time + phase)) / 2 * smooth((time - 1) / 2)
            if shows == "smile":
                # The second photo's own smile; only what it lacks is warped.
                state["smile"] *= 0.55
                state["opening"] -= 0.22 * part * (its["opening"] > 0.03)
            elif shows in ("turn-left", "turn-right"):
                state["yaw"] -= part * (its["yaw"] - own["yaw"])
            base = first.mesh + (target - first.mesh) * part
            around = figure.rings[0] + (rings - figure.rings[0]) * part
            yield drawn_state(figure, stage, state, time, base=base, rings=around, blend=part)

    return [Clip(size, frames(), _noted(job, drawn, stage, performance, figure, second_photo=shows or "slowly"))]

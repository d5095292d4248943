#!/usr/bin/env python3
"""Animated photos, face swaps and cut recordings made with other means than those of puppets.py and recordings.py.

    rival.py TESTDATA OUT [--only NAME,...]

A second, independent maker of attacks: what one maker's clips taught is tested on the other's, and its clips must not
be used to choose thresholds. TESTDATA holds faces/ and video/. For each line of CLIPS an H.264 file and a line of
OUT/manifest.csv, a table of labels for `faceverify eval liveness --labels`. Methods:

    rival-warp       thin-plate splines or moving least squares move a photo's features; skin drawn over the eyes
    rival-head       the photo on a sculpted generic head in perspective, relit by a wandering lamp
    rival-morph      two photos of a person, neutral and smiling, morphed by optical flow; the rest by warps
    rival-driven     the landmarks of living people, filmed answering, carry another person's photo along
    rival-swap       a photo cloned into the face of a living person's recording
    rival-cut        pieces of a recording, cut at the prompts, stretched, with interpolated seams

Needs mediapipe (landmarks, segmentation), opencv-contrib, numpy, av. Every result is a function of the clip's name.
"""

import argparse
import csv
import math
import zlib
from pathlib import Path

import av
import cv2
import numpy as np

import prompts

RATE = 30
FINE = 1.5  # Pixels of the working canvas per pixel of the clip, so that one resampling remains sharp.

# Indices of the face mesh of MediaPipe (face_mesh_connections.py): outline clockwise from the forehead, each eye from
# the outer corner along its upper lid and back along the lower, the lips from the right corner of the mouth.
OVAL = [10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377,
        152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109]
EYES = ([33, 246, 161, 160, 159, 158, 157, 173, 133], [33, 7, 163, 144, 145, 153, 154, 155, 133]), (
    [263, 466, 388, 387, 386, 385, 384, 398, 362], [263, 249, 390, 373, 374, 380, 381, 382, 362])
OUTER = [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291, 375, 321, 405, 314, 17, 84, 181, 91, 146]
UPPER, LOWER = ([78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308], [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308])
BROWS = [70, 63, 105, 66, 107, 336, 296, 334, 293, 300]
NOSE = [168, 6, 197, 5, 4, 1, 2, 98, 327, 48, 278]
CHEEKS = [50, 280, 205, 425, 101, 330, 187, 411]
LIDS = [index for eye in EYES for lid in eye for index in lid]
CONTROLS = sorted(set(OVAL + LIDS + OUTER + UPPER + LOWER + BROWS + NOSE + CHEEKS))

# How far a careful forger goes: half as much again as the usual instruction to the user needs.
FULL = {"turn-left": ("yaw", 22), "turn-right": ("yaw", -22), "look-down": ("pitch", 22), "look-up": ("pitch", -22),
        "tilt-left": ("roll", 22), "tilt-right": ("roll", -22), "move-closer": ("zoom", 0.36),
        "move-back": ("zoom", -0.36), "smile": ("smile", 1), "open-mouth": ("open", 1), "blink": ("blink", 1)}

# Seconds in the recordings, found by looking at them: when the movement starts, the pose is reached and left, and the
# movement ends. Without the last the movement is played backwards; a start after the pose: it is entered backwards.
EVENTS = {
    "tvl_real": {"idle": (0.1, 1.5), "turn-left": (1.75, 2.05, 2.09, None), "turn-right": (6.95, 7.45, 7.9, None),
                 "look-down": (11.0, 11.75, 11.95, None), "look-up": (14.1, 14.9, 15.5, 16.6)},
    "krzys_real": {"idle": (0.1, 1.0), "turn-left": (2.2, 2.5, 2.53, None), "turn-right": (4.4, 4.17, 4.14, None),
                   "look-up": (4.3, 4.9, 5.1, 5.45), "smile": (0.9, 1.3, 1.95, 2.3)},
    "lp_d3": {"idle": (3.7, 4.4), "turn-left": (4.5, 5.1, 5.75, 6.5), "turn-right": (6.45, 7.05, 7.25, 7.9)},
    "lp_d13": {"idle": (11.05, 11.6), "smile": (8.85, 8.4, 8.0, None), "blink": (1.25, 1.4, 1.44, 1.75),
               "open-mouth": (10.2, 10.5, 10.75, 11.05)},
    "lp_d18": {"idle": (5.45, 6.0), "open-mouth": (3.55, 4.1, 4.9, 5.35)},
    "lp_d14": {"idle": (8.0, 8.6), "blink": (9.25, 9.48, 9.52, 9.8)},
    "blink_rep": {"idle": (2.2, 3.2), "blink": (3.3, 3.47, 3.55, 3.8)},
    "wolf_real": {"idle": (0.1, 0.8), "blink": (0.95, 1.16, 1.22, 1.5)},
}

P, L = (480, 640), (640, 480)
# Name, method, photos or recordings (after the photo the host of a swap, or drivers), script, size, and the strength of
# the movements if those of the first attempt were too weak for an answer.
CLIPS = [
    ("w01", "warp", "london/005/neutral", "left,blink,smile", P),
    ("w02", "warp", "london/009/neutral", "blink,right,open-mouth", P, 1.3),
    ("w03", "warp", "london/032/neutral", "smile,left,tilt-right", L),
    ("w04", "warp", "london/063/neutral", "open-mouth,up,blink", P),
    ("w05", "warp", "hires/Angelina_Jolie/img10", "right,smile,blink", P, 1.3),
    ("w06", "warp", "hires/Elon_Musk/img18", "down,left,open-mouth", P, 1.3),
    ("w07", "warp", "hires/Angelina_Jolie/img5", "blink,tilt-left,right", P),
    ("w08", "warp", "london/122/neutral", "left,open-mouth,move-closer", L, 1.3),
    ("h01", "head", "london/018/neutral", "left,right,blink", P),
    ("h02", "head", "london/025/neutral", "smile,right,up", P),
    ("h03", "head", "london/037/neutral", "blink,left,down", L),
    ("h04", "head", "london/130/neutral", "right,open-mouth,left", P),
    ("h05", "head", "hires/Barack_Obama/obama1", "left,blink,open-mouth", L),
    ("h06", "head", "hires/Jennifer_Aniston/img55", "blink,right,tilt-left", L),
    ("h07", "head", "hires/compreface_A/002_A", "up,left,smile", P),
    ("h08", "head", "london/096/neutral", "open-mouth,right,blink", P, 1.25),
    ("m01", "morph", "london/103/neutral london/103/smiling", "smile,left,blink", P),
    ("m02", "morph", "london/030/neutral london/030/smiling", "blink,smile,right", P),
    ("m03", "morph", "london/120/neutral london/120/smiling", "smile,open-mouth,blink", L),
    ("m04", "morph", "london/013/neutral london/013/smiling", "left,smile,up", P, 1.25),
    ("m05", "morph", "london/126/neutral london/126/smiling", "right,blink,smile", P),
    ("m06", "morph", "london/118/neutral london/118/smiling", "tilt-left,smile,left", P),
    ("d01", "driven", "london/027/neutral tvl_real wolf_real", "left,blink,down", P),
    ("d02", "driven", "london/044/neutral lp_d3 lp_d18", "right,open-mouth,left", P, 1.3),
    ("d03", "driven", "london/068/neutral lp_d13 lp_d3", "smile,left,right", L, 1.35),
    ("d04", "driven", "hires/Angelina_Jolie/img6 tvl_real lp_d14", "blink,up,right", P),
    ("d05", "driven", "london/139/neutral lp_d3 wolf_real lp_d13", "left,smile,blink", P, 1.35),
    ("d06", "driven", "london/061/neutral krzys_real lp_d18", "open-mouth,up,left", P, 1.3),
    ("s01", "swap", "london/101/neutral tvl_real", "left,right,down", P),
    ("s02", "swap", "london/022/neutral lp_d3", "tilt-right,left,move-closer", P),
    ("s03", "swap", "hires/Elon_Musk/img18 krzys_real", "right,up,left", L),
    ("s04", "swap", "london/115/neutral lp_d13", "smile,tilt-right,open-mouth", P),
    ("c01", "cut", "tvl_real", "left,right,down", P),
    ("c02", "cut", "tvl_real mirrored", "up,right,left", P),
    ("c03", "cut", "krzys_real", "left,smile,right", L),
    ("c04", "cut", "krzys_real mirrored", "up,left,move-closer", L),
    ("c05", "cut", "lp_d3", "left,tilt-right,move-closer", P),
    ("c06", "cut", "lp_d18", "open-mouth,tilt-left,move-closer", P),
    ("c07", "cut", "blink_rep", "blink,tilt-right,move-closer", P),
    ("c08", "cut", "lp_d13 mirrored", "smile,blink,open-mouth", P),
]


# Pictures and landmarks

def landmarks(image, mesh=[]):
    """The 468 points of the face of a BGR picture, in pixels; none without a face."""
    import mediapipe as mp
    if not mesh:
        mesh.append(mp.solutions.face_mesh.FaceMesh(
            static_image_mode=True, max_num_faces=1, min_detection_confidence=0.3))
    found = mesh[0].process(cv2.cvtColor(image, cv2.COLOR_BGR2RGB)).multi_face_landmarks
    height, width = image.shape[:2]
    return np.array([(point.x * width, point.y * height) for point in found[0].landmark], np.float32) if found else None


def smaller(image, scale):
    return cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


def matte(image):
    """How much of each pixel is the person."""
    import mediapipe as mp
    with mp.solutions.selfie_segmentation.SelfieSegmentation(model_selection=0) as network:
        mask = network.process(cv2.cvtColor(image, cv2.COLOR_BGR2RGB)).segmentation_mask
    return cv2.GaussianBlur(np.clip((mask - 0.3) / 0.5, 0, 1), (0, 0), 2).astype(np.float32)


class Face:
    """The face's own axes: origin between the ears, one unit to an ear and one to the chin."""

    def __init__(self, marks):
        self.marks = marks
        self.width = np.linalg.norm(marks[454] - marks[234]) / 2
        self.height = np.linalg.norm(marks[152] - marks[10]) / 2
        self.centre = (marks[10] + marks[152] + marks[234] + marks[454]) / 4
        across = marks[263] - marks[33]
        self.roll = math.atan2(across[1], across[0])

    def inside(self, points):
        offset = points - self.centre
        cos, sin = math.cos(self.roll), math.sin(self.roll)
        return (np.stack([offset[..., 0] * cos + offset[..., 1] * sin, offset[..., 1] * cos - offset[..., 0] * sin], -1)
                / (self.width, self.height))


class Photo:
    """A photo, cropped and scaled to the canvas: the face takes 0.42 to 0.58 of the shorter side."""

    def __init__(self, path, size):
        image = cv2.imread(str(next(path.parent.glob(path.name + ".*"))))
        found = Face(landmarks(image))
        canvas = (int(size[0] * FINE), int(size[1] * FINE))
        shares = [share * min(canvas) / (2 * found.width) for share in (0.42, 0.58)]
        scale = np.clip(max(canvas[0] / image.shape[1], canvas[1] / image.shape[0]), *shares)
        x, y = found.centre * scale - (canvas[0] / 2, canvas[1] * 0.46)
        # Stay within the photo where it is large enough.
        x = np.clip(x, 0, image.shape[1] * scale - canvas[0]) if image.shape[1] * scale > canvas[0] else x
        y = np.clip(y, 0, image.shape[0] * scale - canvas[1]) if image.shape[0] * scale > canvas[1] else y
        if scale < 0.7:
            image = cv2.GaussianBlur(image, (0, 0), 0.4 / scale)
        self.image = cv2.warpAffine(image, np.float32([[scale, 0, -x], [0, scale, -y]]), canvas, flags=cv2.INTER_CUBIC,
                                    borderMode=cv2.BORDER_REPLICATE)
        self.face = Face(landmarks(self.image))
        self.marks = self.face.marks


class Recording:
    """The frames of a recording around the face, and their landmarks."""

    def __init__(self, path, size, spans, mirrored=False):
        self.times, frames = [], []
        with av.open(str(path)) as container:
            container.streams.video[0].thread_count = 1
            for frame in container.decode(video=0):
                self.times.append(frame.time)
                image = frame.to_ndarray(format="bgr24")
                shrink = 960 / max(image.shape[:2])
                frames.append(smaller(image, shrink) if shrink < 1 else image)
        self.times = np.array(self.times) - self.times[0]
        height, width = frames[0].shape[:2]
        crop = min(width, height * size[0] / size[1]), min(height, width * size[1] / size[0])
        middle = Face(landmarks(frames[self.at(EVENTS[path.stem]["idle"][0])])).centre
        x, y = np.clip(middle - np.array(crop) * (0.5, 0.46), 0, np.array([width, height]) - crop)
        scale = size[0] / crop[0]
        view, self.frames = np.float32([[scale, 0, -x * scale], [0, scale, -y * scale]]), {}
        last = None
        for index, time in enumerate(self.times):
            if any(begin - 0.1 <= time <= end + 0.1 for begin, end in spans):
                image = cv2.warpAffine(frames[index], view, size, flags=cv2.INTER_CUBIC)
                image = image[:, ::-1].copy() if mirrored else image
                found = landmarks(image)
                last = found if found is not None else last
                self.frames[index] = image, last

    def at(self, time):
        return int(np.argmin(abs(self.times - time)))


# Movements

def waved(waves, time):
    return sum(size * math.sin(2 * math.pi * rate * time + phase) for rate, phase, size in waves)


class Performance:
    """What the puppet does at a time: the answers, each with an own curve, and the sway of somebody who sits still."""

    # Degrees, a factor, and half widths of the face.
    SWAY = {"yaw": 0.7, "pitch": 0.5, "roll": 0.4, "zoom": 0.004, "x": 0.006, "y": 0.005}

    def __init__(self, script, rng, durations=None, strength=1.0):
        self.answers = prompts.answers(prompts.script(script), rng, durations=durations)
        self.seconds = float(np.clip(self.answers[-1].ended + 0.8, 8, 15))
        self.sway = {name: [(rng.uniform(0.1, 0.7), rng.uniform(0, 6.3), rng.normal(0, size)) for _ in range(3)]
                     for name, size in self.SWAY.items()}
        self.gain = {answer.challenge: 1 if answer.challenge == "blink" else strength * rng.uniform(0.92, 1.12)
                     for answer in self.answers}

    def amount(self, answer, time):
        """Raised cosines with a little overshoot, and a drift while the pose is held."""
        if not answer.begun < time < answer.ended:
            return 0.0
        if time < answer.reached:
            part = (time - answer.begun) / (answer.reached - answer.begun)
            return 0.5 - 0.5 * math.cos(math.pi * part) + 0.05 * math.sin(math.pi * part) ** 2 * part
        if time > answer.released:
            return 0.5 + 0.5 * math.cos(math.pi * (time - answer.released) / (answer.ended - answer.released))
        return 1 + 0.03 * math.sin(2.1 * (time - answer.reached))

    def __call__(self, time):
        state = {name: waved(waves, time) for name, waves in self.sway.items()}
        state |= {"smile": 0.0, "open": 0.0, "blink": 0.0}
        for answer in self.answers:
            name, full = FULL[answer.challenge]
            share = self.amount(answer, time) * self.gain[answer.challenge]
            state[name] += full * share
            # Nobody turns about one axis alone.
            if name == "yaw":
                state["roll"] += 0.08 * full * share
                state["pitch"] += 1.5 * share
        return state


class Edit:
    """Which frame of which recording is seen at a time: idle pieces to and fro, and events stretched to the answers."""

    def __init__(self, script, rng, drivers, strength=1.0):
        names = [prompts.SHORT.get(name, name) for name in script.split(",")]
        self.events, durations = {}, {}
        for name in names:
            driver = next((driver for driver in drivers if name in EVENTS[driver]), None)
            if driver:
                start, reached, left, end = EVENTS[driver][name]
                self.events[name] = driver, start, reached, left, end
                there = abs(reached - start) * rng.uniform(0.85, 1.15)
                back = (abs(end - left) if end else abs(reached - start)) * rng.uniform(0.85, 1.15)
                durations[name] = np.clip(there, 0.1, 0.8), np.clip(back, 0.12, 0.8)
        self.performance = Performance(",".join(names), rng, durations, strength)
        self.idle, self.drivers = EVENTS[drivers[0]]["idle"], drivers

    def spans(self, driver):
        """The parts of a recording that are used."""
        times = [[time for time in event if time is not None]
                 for name, *event in self.events.values() if name == driver]
        return [EVENTS[driver]["idle"], *((min(part), max(part)) for part in times)]

    def __call__(self, time):
        """The driver, the second in its recording, and the piece of the edit."""
        for number, answer in enumerate(self.performance.answers):
            if answer.challenge in self.events and answer.begun < time < answer.ended:
                driver, start, reached, left, end = self.events[answer.challenge]
                if time < answer.reached:
                    part = (time - answer.begun) / (answer.reached - answer.begun)
                    return driver, start + part * (reached - start), 2 * number + 1
                # The pose to and fro, slowly if it was short.
                phase = (min(time, answer.released) - answer.reached) / max(abs(left - reached), 0.4)
                held = reached + (left - reached) * (1 - abs(1 - phase % 2))
                part = max(0, (time - answer.released) / (answer.ended - answer.released))
                return driver, held + part * ((start if end is None else end) - held), 2 * number + 1
        begin, end = self.idle
        before = sum(answer.ended <= time for answer in self.performance.answers)
        phase = (time + 0.37 * before) / (end - begin)
        return self.drivers[0], begin + (end - begin) * (1 - abs(1 - phase % 2)), 2 * before


# Warps

GRID = 12  # Pixels of the clip between the nodes where a warp is computed; cubic in between.


def nodes(size):
    """Centres of squares of pixels, with one square more on each side."""
    xs, ys = (np.arange(-1, length // GRID + 2) * GRID + (GRID - 1) / 2 for length in size)
    return np.stack(np.meshgrid(xs, ys), -1).astype(np.float32)


def dense(values, size):
    """Values at the nodes for every pixel."""
    wide = cv2.resize(values.astype(np.float32), None, fx=GRID, fy=GRID, interpolation=cv2.INTER_CUBIC)
    return wide[GRID:GRID + size[1], GRID:GRID + size[0]]


def spline(seen, taken, points):
    """A thin-plate spline (Bookstein 1989) from places in the warped picture to places in the original."""
    def kernel(square):
        return square * np.log(np.maximum(square, 1e-6))
    scale = np.ptp(seen, 0).max()
    seen, points = seen / scale, points.reshape(-1, 2) / scale
    count = len(seen)
    system = np.zeros((count + 3, count + 3))
    system[:count, :count] = kernel(((seen[:, None] - seen[None]) ** 2).sum(-1)) + 1e-5 * np.eye(count)
    system[:count, count:] = np.c_[np.ones(count), seen]
    system[count:, :count] = system[:count, count:].T
    weights = np.linalg.solve(system, np.r_[taken / scale, np.zeros((3, 2))]).astype(np.float32)
    seen, points = seen.astype(np.float32), points.astype(np.float32)
    square = (points**2).sum(1)[:, None] + (seen**2).sum(1) - 2 * points @ seen.T
    flat = np.c_[np.ones(len(points), np.float32), points] @ weights[count:]
    return (kernel(square) @ weights[:count] + flat) * scale


def least_squares(seen, taken, points):
    """Moving least squares with similarities (Schaefer, McPhail, Warren 2006), weights 1 / distance^2."""
    points = points.reshape(-1, 2)
    square = ((points[:, None] - seen) ** 2).sum(-1).clip(36)
    weights = 1 / square
    weights /= weights.sum(1, keepdims=True)
    p, q = weights @ seen, weights @ taken
    # As complex numbers: the similarity is a factor.
    a = (seen[:, 0] + 1j * seen[:, 1])[None] - (p[:, 0] + 1j * p[:, 1])[:, None]
    b = (taken[:, 0] + 1j * taken[:, 1])[None] - (q[:, 0] + 1j * q[:, 1])[:, None]
    factor = (weights * a.conj() * b).sum(1) / (weights * abs(a) ** 2).sum(1)
    moved = factor * ((points[:, 0] - p[:, 0]) + 1j * (points[:, 1] - p[:, 1])) + q[:, 0] + 1j * q[:, 1]
    return np.stack([moved.real, moved.imag], -1).astype(np.float32)


def frame_points(canvas):
    """Points around the picture that stay where they are."""
    width, height = canvas
    xs, ys = np.linspace(-0.08, 1.08, 8) * width, np.linspace(-0.08, 1.08, 10) * height
    return np.float32([(x, y) for x in xs for y in ys if x in (xs[0], xs[-1]) or y in (ys[0], ys[-1])])


def expressed(face, smile, mouth):
    """The marks with a smile and an open mouth: corners out and up, cheeks and lower lids up; the jaw down."""
    at, moved = face.inside(face.marks), np.zeros_like(face.marks)
    half = abs(at[291, 0] - at[61, 0]) / 2
    lips = (at[61] + at[291]) / 2
    x, y = (at[:, 0] - lips[0]) / half, at[:, 1] - lips[1]
    near = np.exp(-(np.maximum(abs(x) - 0.6, 0) ** 2) / 0.35 - y**2 / 0.05)
    moved[:, 0] += smile * near * 0.30 * half * x.clip(-1.2, 1.2)
    moved[:, 1] -= smile * near * 0.13 * (abs(x).clip(0, 1.2) ** 2 - 0.25)
    cheeks = np.exp(-((abs(at[:, 0]) - 0.45) ** 2) / 0.06 - (at[:, 1] - lips[1] + 0.42) ** 2 / 0.05)
    moved[:, 1] -= smile * 0.035 * cheeks
    below = 1 / (1 + np.exp(-y / 0.02))
    lower = np.zeros(len(at), bool)
    lower[LOWER[1:-1]] = lower[[375, 321, 405, 314, 17, 84, 181, 91, 146]] = True
    upper = np.zeros(len(at), bool)
    upper[UPPER[1:-1]] = upper[[185, 40, 39, 37, 0, 267, 269, 270, 409]] = True
    share = np.where(lower, 1.0, np.where(upper, -0.12, below))
    share = share * np.where(lower | upper, np.sqrt((1 - x**2).clip(0, 1)), 1)
    moved[:, 1] += mouth * 0.27 * share * np.exp(-np.maximum(abs(at[:, 0]) - 0.25, 0) ** 2 / 0.12)
    moved[:, 0] -= mouth * 0.10 * half * x.clip(-1, 1) * np.exp(-y**2 / 0.03)
    cos, sin = math.cos(face.roll), math.sin(face.roll)
    moved *= (face.width, face.height)
    return face.marks + np.stack([moved[:, 0] * cos - moved[:, 1] * sin, moved[:, 0] * sin + moved[:, 1] * cos], -1)


def bulge(at, face, nose=0.36):
    """Depth of a generic head in half widths: an ellipsoid, a nose on it, eye sockets, lips and chin."""
    x, y = at[..., 0], at[..., 1]
    depth = np.sqrt(np.maximum(1 - (x / 1.12) ** 2 - ((y + 0.1) / 1.45) ** 2, 0.0) + 0.01) * 1.05
    feature = face.inside(face.marks)
    tip, brow, mouth = feature[4, 1], feature[168, 1], feature[13, 1]
    along = ((y - brow) / (tip - brow)).clip(0, 1.5)
    ridge = np.where(along < 1, along**1.3, np.maximum(0, 1 - ((along - 1) / 0.4) ** 2))
    depth = depth + nose * ridge * np.exp(-(x / (0.10 + 0.09 * along.clip(0, 1))) ** 2)
    for eye in (feature[159], feature[386]):
        depth = depth - 0.07 * np.exp(-(((x - eye[0]) / 0.2) ** 2) - ((y - eye[1]) / 0.12) ** 2)
    depth = depth + 0.07 * np.exp(-((x / 0.3) ** 2) - ((y - mouth) / 0.12) ** 2)
    return depth + 0.06 * np.exp(-((x / 0.3) ** 2) - ((y - 0.85) / 0.15) ** 2)


def turned(offset, depth, state, distance=6.0):
    """Offsets from the face's centre, in half widths, after the head's movement seen from a distance (45 cm)."""
    yaw, pitch, roll = (math.radians(state[name]) for name in ("yaw", "pitch", "roll"))
    near = (distance - depth) / distance
    x, y, z = offset[..., 0] * near, offset[..., 1] * near - 0.9, depth + 0.2  # About the neck.
    x, z = x * math.cos(yaw) + z * math.sin(yaw), z * math.cos(yaw) - x * math.sin(yaw)
    y, z = y * math.cos(pitch) + z * math.sin(pitch), z * math.cos(pitch) - y * math.sin(pitch)
    x, y = x * math.cos(roll) - y * math.sin(roll), x * math.sin(roll) + y * math.cos(roll)
    zoom = (1 + state["zoom"]) if state["zoom"] >= 0 else 1 / (1 - state["zoom"])
    scale = zoom * distance / (distance - (z - 0.2))
    return np.stack([x * scale + state["x"], (y + 0.9) * scale + state["y"]], -1)


# Painting

def eyelids(image, marks, shares):
    """Skin from above each eye drawn over it, down to a share of the opening, with a line of lashes."""
    image = image.copy()
    for (upper, lower), share in zip(EYES, shares):
        if share < 0.04:
            continue
        top, bottom = marks[upper], marks[lower]
        tall = (bottom[:, 1] - top[:, 1]).max()
        x0, x1 = int(min(top[:, 0].min(), bottom[:, 0].min())) - 2, int(max(top[:, 0].max(), bottom[:, 0].max())) + 3
        y0, y1 = int(top[:, 1].min() - 1.6 * tall), int(bottom[:, 1].max() + 0.6 * tall) + 2
        xs = np.arange(x0, x1, dtype=np.float32)
        order, other = np.argsort(top[:, 0]), np.argsort(bottom[:, 0])
        above = np.interp(xs, top[order, 0], top[order, 1]) - 1
        below = np.interp(xs, bottom[other, 0], bottom[other, 1]) + 0.15 * tall
        edge = above + min(share, 1) * np.maximum(below - above, 0)
        begin = above - 0.9 * tall
        x, y = np.meshgrid(xs, np.arange(y0, y1, dtype=np.float32))
        within = (y - begin) / np.maximum(edge - begin, 1)
        source = np.where((within > 0) & (within < 1), begin + within * (above - 1.2 - begin), y).astype(np.float32)
        skin = cv2.remap(image, x, source, cv2.INTER_CUBIC).astype(np.float32)
        # Rounder and darker towards the lashes.
        near = np.exp(-(((y - edge) / (0.16 * tall)) ** 2)) * ((x > x0 + 2) & (x < x1 - 3))
        fade = np.clip(np.minimum(x - x0, x1 - 1 - x) / 4, 0, 1) * np.clip((edge - begin) / tall - 0.9, 0, 1)
        shade = 1 - 0.55 * near * fade - 0.10 * np.clip(within, 0, 1) * (within < 1) * share
        patch = image[y0:y1, x0:x1]
        patch[:] = np.clip(skin * shade[..., None], 0, 255)
    return image


def cavity(image, marks, light):
    """The inside of the mouth between the inner lips: dark, the edge of the teeth, the tongue."""
    top, bottom = marks[UPPER], marks[LOWER]
    gap = np.linalg.norm(bottom[5] - top[5])
    if gap < 1.5:
        return image
    polygon = np.r_[top, bottom[::-1]]
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.int32(np.round(polygon * 16))], 255, cv2.LINE_AA, 4)
    mask = cv2.GaussianBlur(mask, (0, 0), 0.9).astype(np.float32) / 255
    paint = np.full_like(image, (26, 22, 48), np.uint8).astype(np.float32)
    lower = np.r_[bottom + (0, -0.35 * gap), bottom[::-1]]
    tongue = np.zeros_like(mask)
    cv2.fillPoly(tongue, [np.int32(lower)], 1.0)
    teeth = np.zeros_like(mask)
    cv2.fillPoly(teeth, [np.int32(np.r_[top[1:-1], (top[1:-1] + (0, min(0.3 * gap, 9)))[::-1]])], 1.0)
    for layer, colour, share in ((tongue, (70, 62, 120), 0.8), (teeth, (165, 180, 190), 0.75)):
        layer = cv2.GaussianBlur(layer, (0, 0), max(1.0, gap / 9))[..., None] * share
        paint = paint * (1 - layer) + np.float32(colour) * layer
    return (image * (1 - mask[..., None]) + paint * light * mask[..., None]).astype(np.uint8)


# Methods: each returns a function from a time and a view (a map of the clip's pixels to the canvas) to a frame

BACKWARD = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP


def sampled(image, at, flags=cv2.INTER_LANCZOS4):
    return cv2.remap(image, at[..., 0], at[..., 1], flags, borderMode=cv2.BORDER_REPLICATE)


def inward(marks, affine):
    """Marks of the canvas in the clip's pixels: the inverse of the view."""
    return cv2.transform(marks[None].astype(np.float32), cv2.invertAffineTransform(affine))[0]


def warp(photo, performance, size, rng, second=None, driver=None):
    """Animation by two-dimensional warps over the whole picture; a second photo adds its smile, a driver its marks."""
    face, canvas, grid = photo.face, (photo.image.shape[1], photo.image.shape[0]), nodes(size)
    warper = least_squares if rng.random() < 0.5 else spline
    still, light = frame_points(canvas), float(photo.image[photo.image > 0].mean() / 120)
    rim = face.centre + (face.marks[OVAL] - face.centre) * (1.32, 1.42)
    # Hair goes with the outline, the neck in part.
    follow = np.where(rim[:, 1:] > face.centre[1] + 0.6 * face.height, 0.5, 0.9)
    depth = bulge(face.inside(face.marks), face, 0.14)
    smiling, target, mask = aligned(photo, second) if second else (None, None, None)

    def draw(time, affine):
        state = performance(time)
        lids, opened, smile = (state["blink"],) * 2, state["open"], min(max(state["smile"], 0), 1) if second else 0
        moved = expressed(face, 0 if second else state["smile"], opened)
        if driver:
            moved, lids, opened = driver(time)
        elif second:
            moved = moved + smile * (target - face.marks)
        seen = turned((moved - face.centre) / face.width, depth, state) * face.width + face.centre
        beside = rim + (seen - face.marks)[OVAL] * follow
        fixed = np.r_[seen[CONTROLS], beside, still].astype(np.float32)
        places = cv2.transform(grid.reshape(1, -1, 2), affine)[0]

        def bent(image, marks):
            source = warper(fixed, np.r_[marks[CONTROLS], rim, still].astype(np.float32), places)
            return sampled(image, dense(source.reshape(grid.shape), size))

        frame = bent(eyelids(photo.image, face.marks, lids), face.marks)
        if smile > 0.01:
            both = bent(np.dstack([smiling, mask]), target)
            frame = melted(frame, both[..., :3], smile, both[..., 3:] / np.float32(255))
        return cavity(frame, inward(seen, affine), light) if opened > 0.03 else frame

    return draw, ("moving least squares" if warper is least_squares else "thin-plate spline")


def aligned(photo, second):
    """The second photo, its pose and colours fitted to the first, its marks, and where it is used (0 to 255)."""
    canvas = (photo.image.shape[1], photo.image.shape[0])
    rigid = [33, 133, 362, 263, 168, 6, 197, 10, 67, 297, 127, 356]  # Eyes, nose, temples.
    fit, _ = cv2.estimateAffinePartial2D(second.marks[rigid], photo.marks[rigid], method=cv2.LMEDS)
    marks = cv2.transform(second.marks[None], fit)[0]
    image = cv2.warpAffine(second.image, fit, canvas, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    masks = []
    for points in (photo.marks, marks):
        mask, middle = np.zeros(canvas[::-1], np.uint8), points[OVAL].mean(0)
        cv2.fillPoly(mask, [np.int32(middle + 0.92 * (points[OVAL] - middle))], 255)
        masks.append(mask)
    image = np.clip(image + (photo.image[masks[0] > 0].mean(0) - image[masks[1] > 0].mean(0)), 0, 255).astype(np.uint8)
    return image, marks, cv2.GaussianBlur(masks[1], (0, 0), 0.07 * photo.face.width)


def melted(one, two, part, mask=1):
    """A picture between two, along their optical flow at half the resolution."""
    size, flow = (one.shape[1], one.shape[0]), cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_FAST)
    gray = [cv2.cvtColor(smaller(image, 0.5), cv2.COLOR_BGR2GRAY) for image in (one, two)]
    place = np.stack(np.meshgrid(*map(np.arange, size)), -1).astype(np.float32)
    ahead, back = (2 * cv2.resize(flow.calc(*pair, None), size) for pair in (gray, gray[::-1]))
    start = sampled(one, place - part * ahead * mask, cv2.INTER_CUBIC).astype(np.float32)
    end = sampled(two, place - (1 - part) * back * mask, cv2.INTER_CUBIC)
    return (start + part * mask * (end - start)).clip(0, 255).astype(np.uint8)


def head(photo, performance, size, rng):
    """The photo on a generic head: parallax in perspective, a wandering lamp, the person over a filled background."""
    face, canvas = photo.face, (photo.image.shape[1], photo.image.shape[0])
    step = 3  # Canvas pixels between the nodes of depth.
    low = (canvas[0] // step, canvas[1] // step)
    place = np.stack(np.meshgrid(np.arange(low[0]), np.arange(low[1])), -1).astype(np.float32) * step
    at = face.inside(place)
    depth = cv2.GaussianBlur(bulge(at, face).astype(np.float32), (0, 0), 0.02 * face.width)
    layered = rng.random() < 0.6
    # The head moves as one, the neck in part, the shoulders hardly; without layers everything fades towards the edges.
    loose = 1 / (1 + np.exp((at[..., 1] - 1.35) / 0.12)) if layered else (
        np.exp(-np.maximum(np.hypot(at[..., 0] / 1.25, (at[..., 1] + 0.1) / 1.45) - 1, 0) ** 2 / 0.35))
    shape = np.dstack([depth, loose]).astype(np.float32)
    alpha = plate = None
    if layered:
        alpha = matte(photo.image)
        hole = cv2.dilate((alpha > 0.05).astype(np.uint8), np.ones((15, 15)))
        coarse = cv2.resize(hole, None, fx=0.2, fy=0.2, interpolation=cv2.INTER_NEAREST)
        small = cv2.inpaint(smaller(photo.image, 0.2), coarse, 5, cv2.INPAINT_TELEA)
        filled = cv2.GaussianBlur(cv2.resize(small, canvas, interpolation=cv2.INTER_CUBIC), (0, 0), 4)
        cover = cv2.GaussianBlur(hole.astype(np.float32), (0, 0), 5)[..., None]
        plate = (photo.image * (1 - cover) + filled * cover).astype(np.uint8)
    slopes = [cv2.Sobel(depth * face.width / step, cv2.CV_32F, *axis, ksize=5) / -128 for axis in ((1, 0), (0, 1))]
    normal = np.dstack([*slopes, np.ones_like(depth)])
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    # Where the head is: outside it the lamp changes nothing.
    lit = (1 / (1 + np.exp((np.hypot(at[..., 0], (at[..., 1] + 0.1) / 1.2) - 1.0) / 0.08))).astype(np.float32)
    lamp = [(rng.uniform(0.05, 0.2), rng.uniform(0, 6.3), size) for size in (0.5, 0.3)]
    gloss, half = rng.uniform(8, 18), (size[0] // 2, size[1] // 2)
    pixel = np.stack(np.meshgrid(np.arange(half[0]), np.arange(half[1])), -1).astype(np.float32) * 2 + 0.5
    light = float(photo.image.mean() / 120)

    def moved(point, state):
        """Where points of the photo go."""
        value = sampled(shape, point / np.float32(step), cv2.INTER_LINEAR)
        unit = (point - face.centre) / face.width
        return (turned(unit, value[..., 0], state) - unit) * value[..., 1:] * face.width

    def shading(turn, direction):
        """Diffuse and glossy light of the normals of a head turned by yaw and pitch."""
        yaw, pitch = turn
        x, y, z = (normal[..., axis] for axis in range(3))
        x, z = x * math.cos(yaw) + z * math.sin(yaw), z * math.cos(yaw) - x * math.sin(yaw)
        y, z = y * math.cos(pitch) + z * math.sin(pitch), z * math.cos(pitch) - y * math.sin(pitch)
        middle = direction + (0, 0, 1)
        middle = middle / np.linalg.norm(middle)
        diffuse = 0.6 + 0.4 * np.maximum(0, x * direction[0] + y * direction[1] + z * direction[2])
        return diffuse, np.maximum(0, x * middle[0] + y * middle[1] + z * middle[2]) ** 22

    def draw(time, affine):
        state = performance(time)
        image = eyelids(photo.image, face.marks, (state["blink"],) * 2)
        marks = face.marks
        if state["smile"] > 0.01 or state["open"] > 0.01:
            marks = expressed(face, state["smile"], state["open"]).astype(np.float32)
            grid, still = nodes(canvas), frame_points(canvas)
            source = spline(np.r_[marks[CONTROLS], still], np.r_[face.marks[CONTROLS], still], grid)
            image = sampled(image, dense(source.reshape(grid.shape), canvas))
            image = cavity(image, marks, light) if state["open"] > 0.03 else image
        places = cv2.transform(pixel.reshape(1, -1, 2), affine)[0].reshape(pixel.shape)
        source = places.copy()
        for _ in range(7):  # The place that moves here, by fixed-point iteration.
            source = 0.3 * source + 0.7 * (places - moved(source, state))
        turn = math.radians(state["yaw"]), math.radians(state["pitch"])
        x, y = (size * math.sin(2 * math.pi * rate * time + phase) for rate, phase, size in lamp)
        direction = np.array([x, y - 0.35, 0.85]) / np.linalg.norm([x, y - 0.35, 0.85])
        first = np.array([0, -0.35, 0.85]) / np.linalg.norm([0, -0.35, 0.85])
        (now, shine), (then, before) = shading(turn, direction), shading((0, 0), first)
        relit = np.dstack([1 + (now / then - 1) * lit, gloss * (shine - before) * lit]).astype(np.float32)
        relit = sampled(relit, source / np.float32(step), cv2.INTER_LINEAR)
        relit, source = (cv2.resize(array, size, interpolation=cv2.INTER_CUBIC) for array in (relit, source))
        frame = sampled(image, source).astype(np.float32) * relit[..., :1] + relit[..., 1:]
        if layered:
            share = sampled(alpha, source, cv2.INTER_LINEAR)[..., None]
            behind = cv2.warpAffine(plate, affine, size, flags=BACKWARD, borderMode=cv2.BORDER_REPLICATE)
            frame = frame * share + behind * (1 - share)
        return frame.clip(0, 255).astype(np.uint8)

    return draw, "layered" if layered else "one sheet"


def driving(photo, edit, recordings, strength, seam=0.2):
    """The marks of a photo, carried by those of the recordings; each driver's idle pose is the photo's."""
    neutral = {}
    for name, recording in recordings.items():
        begin, end = EVENTS[name]["idle"]
        neutral[name] = np.mean([marks for index, (_, marks) in recording.frames.items()
                                 if begin <= recording.times[index] <= end], 0)

    def raw(time):
        name, second, _ = edit(time)
        recording = recordings[name]
        indices = sorted(recording.frames)
        place = np.interp(second, recording.times[indices], np.arange(len(indices)))
        low, part = int(place), place - int(place)
        one, two = (recording.frames[indices[min(number, len(indices) - 1)]][1] for number in (low, low + 1))
        marks = (1 - part) * one + part * two
        face = Face(neutral[name])
        ratio = np.array([photo.face.width / face.width, photo.face.height / face.height])
        now, usual = (np.array([np.linalg.norm(points[upper[4]] - points[lower[4]]) for upper, lower in EYES])
                      for points in (marks, neutral[name]))
        lids = np.clip((1 - now / usual - 0.12) / 0.45, 0, 1)
        gap = np.linalg.norm(marks[13] - marks[14]) - np.linalg.norm(neutral[name][13] - neutral[name][14])
        return (marks - neutral[name]) * ratio * strength, lids, gap / face.height

    def marks(time):
        # Joins are smoothed: numbers are easily interpolated.
        parts = [raw(max(0, time + shift)) for shift in np.linspace(-seam / 2, seam / 2, 5)]
        weights = np.array([0.1, 0.2, 0.4, 0.2, 0.1])
        delta = sum(weight * part[0] for weight, part in zip(weights, parts))
        delta[LIDS] = delta[LIDS].mean(0) * 0.5 + delta[LIDS] * 0.5  # The lids are drawn.
        return photo.marks + delta, parts[2][1], parts[2][2]

    return marks


def playing(edit, recordings, size, seam=5):
    """The frames of an edit, with flow between the pieces for some frames around each cut."""
    def place_of(time):
        """The recording and the place in the list of its frames, and the piece of the edit."""
        name, second, piece = edit(time)
        recording = recordings[name]
        known = sorted(recording.frames)
        return name, known, float(np.interp(second, recording.times[known], np.arange(len(known)))), piece

    def between(one, two, part):
        return melted(one[0], two[0], part), (1 - part) * one[1] + part * two[1]

    def play(time):
        name, known, where, piece = place_of(time)
        frames = recordings[name].frames
        for ahead in range(1, seam + 1):
            other, indices, there, after = place_of(time + ahead / RATE)
            if after != piece:
                one, two = frames[known[round(where)]], recordings[other].frames[indices[round(there)]]
                return between(one, two, 1 - ahead / (seam + 1))
        low, part = int(where), where - int(where)
        if 0.15 < part < 0.85:  # Stretched: between two frames.
            return between(frames[known[low]], frames[known[low + 1]], part)
        return frames[known[round(where)]]

    return play


def swap(photo, play):
    """The photo's face, bent to the marks of each frame, cloned into it."""
    def draw(image, marks):
        canvas, grid = (image.shape[1], image.shape[0]), nodes((image.shape[1], image.shape[0]))
        source = spline(marks[CONTROLS], photo.marks[CONTROLS], grid)
        bent = sampled(photo.image, dense(source.reshape(grid.shape), canvas))
        face = Face(marks)
        mask = np.zeros(canvas[::-1], np.uint8)
        cv2.fillConvexPoly(mask, cv2.convexHull(np.int32(face.centre + 0.9 * (marks[OVAL] - face.centre))), 255)
        mask[:2], mask[-2:], mask[:, :2], mask[:, -2:] = 0, 0, 0, 0
        x, y, width, height = cv2.boundingRect(mask)
        return cv2.seamlessClone(bent, image, mask, (x + width // 2, y + height // 2), cv2.NORMAL_CLONE)

    return lambda time: draw(*play(time))


# Finishing touches

class Camera:
    """A hand's shake, a slow zoom and pan, then what a sensor and a codec leave: drawn for each clip."""

    CHOICES = {"shake": 0.75, "zoom": 0.5, "grain": 0.75, "exposure": 0.6, "white balance": 0.4, "jpeg": 0.4,
               "sharpened": 0.3, "vignette": 0.3, "soft": 0.25}

    def __init__(self, rng, size, forced=()):
        self.touches = [name for name, share in self.CHOICES.items() if rng.random() < share or name in forced]
        self.rng, self.size, self.level = rng, size, None
        # Slow sway and a tremor of 5 to 9 Hz, in fractions of the picture's width and radians.
        self.waves = [[(rng.uniform(0.15, 0.9), rng.uniform(0, 6.3), rng.normal(0, sway)) for _ in range(3)]
                      + [(rng.uniform(5, 9), rng.uniform(0, 6.3), rng.normal(0, sway / 18)) for _ in range(2)]
                      for sway in (0.004, 0.004, 0.003)]
        self.drift, self.speed = rng.uniform(-0.03, 0.03, 3), rng.uniform(0.2, 0.5)
        self.gain, self.grey = rng.uniform(0.6, 1.6), rng.uniform(0.010, 0.022)
        self.casts = rng.normal(0, 0.012, 3)
        y, x = np.mgrid[-1:1:size[1] * 1j, -1:1:size[0] * 1j]
        self.dark = (1 - rng.uniform(0.05, 0.2) * (x * x + y * y) / 2)[..., None].astype(np.float32)

    def view(self, time, fine):
        """From the clip's pixels to those of the picture it takes."""
        x, y, roll = (waved(waves, time) for waves in self.waves)
        x, y, roll = (x, y, roll) if "shake" in self.touches else (0, 0, 0)
        zoom = 1 / 1.03
        if "zoom" in self.touches:
            share = math.sin(self.speed * time)
            zoom = zoom * (1 + self.drift[0] * share)
            x, y = x + self.drift[1] * share * 0.3, y + self.drift[2] * share * 0.3
        width, height = self.size
        cos, sin = math.cos(roll) * zoom * fine, math.sin(roll) * zoom * fine
        shift = np.array([width * fine / 2 + x * width * fine, height * fine / 2 + y * width * fine])
        shift -= (cos * width / 2 - sin * height / 2, sin * width / 2 + cos * height / 2)
        return np.float32([[cos, -sin, shift[0]], [sin, cos, shift[1]]])

    def develop(self, frame, time):
        frame = frame.astype(np.float32)
        if "soft" in self.touches:
            frame = cv2.GaussianBlur(frame, (0, 0), 0.7)
        if "vignette" in self.touches:
            frame = frame * self.dark
        if "exposure" in self.touches:  # Follows the picture's brightness within half a second, and hunts.
            now = frame.mean()
            self.level = now if self.level is None else self.level + (now - self.level) / (0.5 * RATE)
            hunt = 0.012 * math.sin(1.3 * time) + 0.006 * math.sin(4.1 * time)
            frame = frame * (1 - 0.6 * (now - self.level) / now + hunt)
        if "white balance" in self.touches:
            frame = frame * np.float32(1 + self.casts * math.sin(0.7 * time + 1))
        if "sharpened" in self.touches:
            frame = frame + 0.5 * (frame - cv2.GaussianBlur(frame, (0, 0), 1.2))
        if "grain" in self.touches:  # Shot and read noise, in part smoothed by the demosaicing.
            noise = self.rng.standard_normal(frame.shape, np.float32)
            noise = 0.6 * noise + 0.9 * cv2.GaussianBlur(noise, (0, 0), 0.8)
            frame = frame + noise * (self.grey * np.sqrt(frame.clip(0, 255) * 255 * 0.35 + 500)) * self.gain
        frame = frame.clip(0, 255).astype(np.uint8)
        if "jpeg" in self.touches:
            frame = cv2.imdecode(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 82])[1], cv2.IMREAD_COLOR)
        return frame


def encode(frames, path, size, crf, rate):
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=rate, options={"crf": str(crf), "preset": "veryfast"})
        stream.width, stream.height, stream.pix_fmt, stream.thread_count = *size, "yuv420p", 1
        for frame in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), format="bgr24")))
        container.mux(stream.encode(None))


def decoded(path):
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            yield frame.to_ndarray(format="bgr24")


def make(data, out, name, method, sources, script, size, strength=1.0):
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    mirrored = "mirrored" in sources
    sources = [source for source in sources.split() if source != "mirrored"]
    photos = [Photo(data / "faces" / source, size) for source in sources if "/" in source]
    drivers = [source for source in sources if "/" not in source]
    camera = Camera(rng, size, ("shake",) if method == "cut" else ())
    kind = ""
    if drivers:
        # In a mirrored recording, left is right.
        other = script.replace("left", "?").replace("right", "left").replace("?", "right")
        edit = Edit(other if mirrored else script, rng, drivers, strength)
        recordings = {driver: Recording(next((data / "video").glob(driver + ".*")), size, edit.spans(driver), mirrored)
                      for driver in drivers}
        performance = edit.performance
        # Those are in the recordings; the rest is done to the whole picture, or the photo.
        for challenge in edit.events:
            performance.gain[challenge] = 0
    else:
        performance = Performance(script, rng, strength=strength)
    if method == "driven":
        draw, kind = warp(photos[0], performance, size, rng, driver=driving(photos[0], edit, recordings, strength))
    elif method in ("warp", "morph"):
        draw, kind = warp(photos[0], performance, size, rng, second=photos[1] if method == "morph" else None)
    elif method == "head":
        draw, kind = head(photos[0], performance, size, rng)
    else:
        play = playing(edit, recordings, size)
        shown = swap(photos[0], play) if method == "swap" else lambda time: play(time)[0]
        middle = Face(next(iter(recordings[drivers[0]].frames.values()))[1]).centre

        def draw(time, affine):
            """The recording, tilted and zoomed as a whole where it has no such movement."""
            state = performance(time)
            roll = math.radians(state["roll"]) * (-1 if mirrored else 1) if "tilt" in script else 0
            zoom = math.exp(math.log1p(abs(state["zoom"])) * math.copysign(1, state["zoom"]))
            own = cv2.getRotationMatrix2D(tuple(map(float, middle)), -math.degrees(roll), zoom)
            full = np.r_[cv2.invertAffineTransform(own), [[0, 0, 1]]] @ np.r_[affine, [[0, 0, 1]]]
            return cv2.warpAffine(shown(time), full[:2], size, flags=BACKWARD, borderMode=cv2.BORDER_REFLECT)

    fine = FINE if method in ("warp", "head", "morph", "driven") else 1.0
    rate = int(rng.choice((25, 30)))
    times = np.arange(0, performance.seconds, 1 / rate)
    frames = (camera.develop(draw(time, camera.view(time, fine)), time) for time in times)
    path, crf = out / f"{name}.mp4", int(rng.integers(16, 21))
    if rng.random() < 0.35:
        camera.touches.append("recoded")
        encode(frames, path.with_suffix(".first.mp4"), size, 25, rate)
        frames = list(decoded(path.with_suffix(".first.mp4")))
        path.with_suffix(".first.mp4").unlink()
    encode(frames, path, size, crf, rate)
    subject = sources[0].rsplit("/", 1)[0].replace("/", "-")
    return {"path": path.name, "label": "", "species": f"rival-{method}", "simulated": "yes", "subject": subject,
            "source": "rival", "script": script, "method": kind, "sources": " ".join(sources),
            "touches": ", ".join(camera.touches), "crf": crf}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", help="names of clips; their lines replace those in the manifest")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    manifest, rows = options.out / "manifest.csv", {}
    if manifest.exists():
        rows = {row["path"]: row for row in csv.DictReader(manifest.open())}
    for clip in CLIPS:
        if not options.only or clip[0] in options.only.split(","):
            row = make(options.data, options.out, *clip)
            rows[row["path"]] = row
            with manifest.open("w", newline="") as stream:
                writer = csv.DictWriter(stream, list(row), lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows.values())
            print(row["path"], row["script"], row["method"], row["touches"], flush=True)


if __name__ == "__main__":
    main()

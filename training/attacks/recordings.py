"""Recordings of living people that answer a script: cut and played again, driving another person's photo, or wearing
another person's face."""

import math

import numpy as np
from PIL import Image

import meshes
import optics
from figures import Figure, Skin
from jobs import Clip
from meshes import LOWER_LIDS, OVAL, UPPER_LIDS
from prompts import AMOUNTS, answers, length
from puppets import REST, drawn_qualities, drawn_state, located, qualities, staged
from video import RATE, Failure

# Longer side of the frames that are kept in memory, and seconds of a recording that are used.
SIDE, SECONDS = 640, 30.0

# Degrees that a photo can be turned.
_LIMITS = {"yaw": 34.0, "pitch": 28.0, "roll": 30.0}
_MIRRORED = {"turn-left": "turn-right", "turn-right": "turn-left", "tilt-left": "tilt-right", "tilt-right": "tilt-left"}


class Recording:
    """A video in memory, with the face of each frame and the movements that it shows."""

    def __init__(self, job, source):
        if source.still is not None:
            raise Failure(f"{source.path}: a recording is a video, and this is a photo")
        self.size = source.fitted(SIDE)
        self.frames = list(source.frames(0, min(SECONDS, source.seconds), self.size))
        self.faces = job.meshes().faces(self.frames)
        if not self.faces:
            raise Failure(f"{source.path}: no face found")
        rows = [face.measures(self.size) for face in self.faces]
        self.measures = {name: np.array([row[name] for row in rows]) for name in rows[0]}
        for name in set(self.measures) - {"openness"}:
            self.measures[name] = _median(self.measures[name])
        self.meshes = _smoothed(np.stack([face.mesh for face in self.faces]))
        self.neutral = self._neutral()
        start, end = self.neutral
        self.rest = {name: float(np.median(row[start:end])) for name, row in self.measures.items()}
        self.movements = {}
        for challenge, amount in AMOUNTS.items():
            found = self._movement(challenge, amount(self.measures, self.rest))
            if found:
                self.movements[challenge] = found

    def _neutral(self):
        """The calmest half second or more in which the person looks ahead, eyes open and mouth closed."""
        m, count = self.measures, len(self.faces)
        wide = min(count, round(0.6 * RATE))
        opened = float(np.quantile(m["openness"], 0.7))
        best, start = math.inf, 0
        for begin in range(0, count - wide + 1, 2):
            part = slice(begin, begin + wide)
            ahead = abs(np.median(m["yaw"][part])) + abs(np.median(m["pitch"][part])) + abs(np.median(m["roll"][part]))
            spread = sum(np.ptp(m[name][part]) for name in ("yaw", "pitch", "roll"))
            closed = 60 * max(0.0, opened - m["openness"][part].min()) / opened
            cost = ahead + 2 * spread + closed + 200 * m["opening"][part].max() + 60 * np.ptp(m["width"][part])
            if cost < best:
                best, start = cost, begin
        return start, start + wide

    def _movement(self, challenge, amounts):
        """First frame, first and last frame of the reached pose, and last frame (None: no return) of the clearest
        movement."""
        others = [name for name in ("yaw", "pitch", "roll") if not _turns(challenge, name)]
        alone = np.all([np.abs(self.measures[name] - self.rest[name]) < 17 for name in others], axis=0)
        amounts = np.where(alone & np.isfinite(amounts), amounts, 0)
        best = None
        for peak in _peaks(amounts, 1.12):
            top = amounts[peak]
            limit = max(1.05, 0.8 * top) if challenge != "blink" else 0.8 * top
            first = last = peak
            while first > 0 and amounts[first - 1] >= limit:
                first -= 1
            while last + 1 < len(amounts) and amounts[last + 1] >= limit:
                last += 1
            start, end = first, last
            while start > 0 and amounts[start] > 0.22:
                start -= 1
            while end + 1 < len(amounts) and amounts[end] > 0.22:
                end += 1
            if amounts[start] > 0.35 or first - start > 4 * RATE:
                continue
            back = end if amounts[end] <= 0.35 and end - last < 4 * RATE else None
            if challenge == "blink" and (back is None or back - start > 0.7 * RATE):
                continue
            score = min(2.0, top) + 0.3 * (back is not None) + 0.2 * min(1, (last - first) / 15)
            if best is None or score > best[0]:
                best = score, (start, first, last, back)
        return best and best[1]


def _turns(challenge, name):
    return {"turn": "yaw", "look": "pitch", "tilt": "roll"}.get(challenge.split("-")[0]) == name


def _peaks(values, least):
    """The highest position of each run above a limit."""
    above = np.flatnonzero(values >= least)
    runs = np.split(above, np.flatnonzero(np.diff(above) > 3) + 1) if len(above) else []
    return [int(run[values[run].argmax()]) for run in runs]


def _median(values):
    padded = np.pad(values, 1, mode="edge")
    return np.median([padded[:-2], padded[1:-1], padded[2:]], axis=0)


def _smoothed(series):
    padded = np.concatenate([series[:1], series, series[-1:]])
    return 0.25 * padded[:-2] + 0.5 * padded[1:-1] + 0.25 * padded[2:]


class Playlist:
    """Which frame of which recording is shown at each moment so that a script is answered.

    `ways`: how movements are played: "reversed" (the return is the movement backwards, or the movement is the return
    backwards), "slowed", "mirrored", "frozen" (a still frame while waiting and holding); otherwise as recorded.
    """

    def __init__(self, recordings, prompts, rng, ways=()):
        self.ways, self.used = set(ways), []
        self.recordings = recordings
        self.fade = int(rng.integers(4, 9))
        slow = float(rng.uniform(1.3, 1.8)) if "slowed" in self.ways else 1.0
        parts = [self._part(prompt.challenge) for prompt in prompts]
        durations = {}
        for prompt, (_, (start, first, last, back), _) in zip(prompts, parts):
            # Slow movements are played faster, since a prompt's time is limited.
            there = min(1.2, max(1, first - start) / RATE) * slow
            returned = min(1.2, max(1, back - last) / RATE) if back and "reversed" not in self.ways else there / slow
            durations[prompt.challenge] = there, returned
        self.made = answers(prompts, rng, durations=durations)
        self.seconds = length(self.made)
        self.places = [self._idle(number, recordings[0]) for number in range(round(self.seconds * RATE))]
        self.seams = []
        for answer, (which, (start, first, last, back), flip) in zip(self.made, parts):
            begin, finish = round(answer.begun * RATE), round(answer.ended * RATE)
            for number in range(begin, min(finish, len(self.places))):
                time = number / RATE
                if time < answer.reached:
                    part = (time - answer.begun) / (answer.reached - answer.begun)
                    place = start + part * (first - start)
                elif time < answer.released:
                    spare = last - first
                    place = (first + last) / 2 if "frozen" in self.ways and spare else first
                    if spare and "frozen" not in self.ways:
                        place = first + to_and_fro((time - answer.reached) * RATE, spare)
                elif answer.challenge == "blink" or back is not None and "reversed" not in self.ways:
                    part = (time - answer.released) / (answer.ended - answer.released)
                    place = last + part * ((back or last) - last)
                else:
                    part = (time - answer.released) / (answer.ended - answer.released)
                    place = first + part * (start - first)
                self.places[number] = which, min(max(place, 0), len(recordings[which].frames) - 1), flip
            self.used.append([answer.challenge, which, int(start), int(back or first), flip])
        for number in range(1, len(self.places)):
            a, b = self.places[number - 1], self.places[number]
            if a[0] != b[0] or a[2] != b[2] or abs(a[1] - b[1]) > 3:
                self.seams.append(number)

    def _part(self, challenge):
        if challenge == "hold-still":
            start, end = self.recordings[0].neutral
            return 0, (start, start, end - 1, None), False
        order = [(challenge, False), (_MIRRORED.get(challenge), True)]
        if "mirrored" in self.ways:
            order.reverse()
        for name, flip in order:
            for which, recording in enumerate(self.recordings):
                if name in recording.movements:
                    return which, recording.movements[name], flip
        known = sorted({name for recording in self.recordings for name in recording.movements})
        raise Failure(f"the recording shows no {challenge}; it shows {', '.join(known) or 'no movement'}")

    def _idle(self, number, recording):
        start, end = recording.neutral
        if "frozen" in self.ways:
            return 0, float((start + end) // 2), False
        return 0, start + to_and_fro(number, end - start - 1), False

    def mixed(self, number):
        """The shares of a moment: pairs of a weight and a place; two at a seam."""
        for seam in self.seams:
            off = number - (seam - self.fade // 2)
            if 0 <= off < self.fade:
                weight = (off + 1) / (self.fade + 1)
                before = self.places[min(number, seam - 1)]
                after = self.places[max(number, seam)]
                return [(1 - weight, before), (weight, after)]
        return [(1.0, self.places[number])]

    def parameters(self):
        return {"ways": sorted(self.ways), "fade": self.fade, "parts": self.used, "seams": len(self.seams)}


def to_and_fro(step, spare):
    if spare <= 0:
        return 0.0
    step = step % (2 * spare)
    return float(step if step <= spare else 2 * spare - step)


def _mirrored(mesh, width):
    """A mesh of the mirrored picture. The points keep their numbers, so only symmetric use of it makes sense."""
    return np.column_stack([width - mesh[:, 0], mesh[:, 1:]])


class Player:
    """Shows a playlist: pictures with cross-faded seams, and the mesh of each."""

    def __init__(self, playlist, aligned):
        self.playlist, self.aligned = playlist, aligned
        self.size = playlist.recordings[0].size
        self.swap = _symmetry(playlist.recordings[0]) if any(place[2] for place in playlist.places) else None

    def mesh(self, place):
        which, at, flip = place
        recording = self.playlist.recordings[which]
        low = int(at)
        high = min(low + 1, len(recording.meshes) - 1)
        mesh = recording.meshes[low] + (recording.meshes[high] - recording.meshes[low]) * (at - low)
        return _mirrored(mesh, recording.size[0])[self.swap] if flip else mesh

    def openness(self, place):
        recording = self.playlist.recordings[place[0]]
        return float(np.interp(place[1], np.arange(len(recording.faces)), recording.measures["openness"]))

    def at(self, number):
        """The picture (height x width x 3 floats), the mesh and the openness of the eyes."""
        shares = self.playlist.mixed(number)
        mesh = sum(weight * self.mesh(place) for weight, place in shares)
        opened = sum(weight * self.openness(place) for weight, place in shares)
        picture = 0.0
        for weight, (which, at, flip) in shares:
            recording = self.playlist.recordings[which]
            frame = recording.frames[round(at)]
            if flip:
                frame = frame[:, ::-1]
            if recording.size != self.size:
                frame = np.asarray(Image.fromarray(frame).resize(self.size, Image.BICUBIC))
            if self.aligned and len(shares) > 1:
                frame = _moved(frame, self.mesh((which, at, flip)), mesh)
            picture = picture + weight * frame.astype(np.float32)
        return picture, mesh, opened


def _moved(frame, mesh, to):
    """The frame shifted, turned and scaled so that its face comes to another place."""
    anchors = [33, 263, meshes.NOSE_TIP, 61, 291]
    factor, mb, ma = meshes.similarity(to[anchors, :2], mesh[anchors, :2])
    cos, sin = factor.real, factor.imag
    matrix = (cos, -sin, ma[0] - cos * mb[0] + sin * mb[1], sin, cos, ma[1] - sin * mb[0] - cos * mb[1])
    # The edge is extended, as a forger would crop it away.
    pad = 48
    a, b, c, d, e, f = matrix
    image = Image.fromarray(np.pad(frame, ((pad, pad), (pad, pad), (0, 0)), mode="edge"))
    return np.asarray(image.transform(frame.shape[1::-1], Image.AFFINE, (a, b, c + pad, d, e, f + pad), Image.BICUBIC))


def _symmetry(recording):
    """For each point of the mesh its counterpart on the other side, from a frontal mesh."""
    mesh = recording.meshes[recording.neutral[0]]
    local = (mesh - mesh[[33, 133, 362, 263]].mean(0)) @ meshes.axes(mesh).T
    mirrored = local * [-1, 1, 1]
    return np.array([int(((local - point) ** 2).sum(1).argmin()) for point in mirrored])


def _ways(job):
    """How a recording is played, from the seed."""
    ways = [("reversed",), ("slowed",), ("mirrored",), ("frozen",), ()]
    return ways[job.seed % 5]


def _playlist(job, sources):
    if not job.script:
        raise Failure("this species needs --script or --nonce")
    recordings = [Recording(job, source) for source in sources]
    return Playlist(recordings, job.script, job.rng, _ways(job))


def cut(job):
    """a recording cut and played as a script asks: reversed, slowed, mirrored, frozen or as it is (seed modulo 5)"""
    job.need_video("cut")
    playlist = _playlist(job, [job.source] + ([job.other] if job.other else []))
    difficulty = float(job.rng.uniform(0, 1)) if job.difficulty is None else job.difficulty
    player = Player(playlist, difficulty >= 0.4)

    def frames():
        for number in range(len(playlist.places)):
            yield np.clip(np.round(player.at(number)[0]), 0, 255).astype(np.uint8)

    noted = {"difficulty": round(difficulty, 3), "aligned": player.aligned, **playlist.parameters()}
    return [Clip(player.size, frames(), {**job.noted(playlist.made), **noted})]


def driver(job):
    """a photo moved by the movements of another, living person (--other VIDEO), without seams"""
    job.need_other("driver")
    photo = job.photo()
    size = job.camera_size()
    drawn = drawn_qualities(job, lids=True)
    figure, stage = staged(job, [Skin(photo, located(job, photo), size)], size, drawn)
    playlist = _playlist(job, [job.other])
    player = Player(playlist, False)
    recording = playlist.recordings[0]
    start, end = recording.neutral
    neutral = recording.meshes[start:end].mean(0)
    opened = float(np.median(recording.measures["openness"][start:end]))
    gain = float(job.rng.uniform(1.1, 1.35))

    def frames():
        for number in range(len(playlist.places)):
            shares = playlist.mixed(number)
            mesh = sum(weight * player.mesh(place) for weight, place in shares)
            lids = sum(weight * player.openness(place) for weight, place in shares)
            state, extra = _driven(mesh, neutral, recording.size, gain)
            state["blink"] = min(1.0, max(0.0, 1.5 * (1 - lids / opened) - 0.12))
            yield drawn_state(figure, stage, state, number / RATE, extra=extra)

    noted = {**qualities(drawn, stage, figure), "gain": round(gain, 3), **playlist.parameters()}
    return [Clip(size, frames(), {**job.noted(playlist.made), **noted})]


def _driven(mesh, neutral, size, gain):
    """The state of a puppet, and displacements of its mesh, from a driver's mesh and its neutral one."""
    state = dict(REST)
    for name, now, then in zip(("yaw", "pitch", "roll"), meshes.pose_of(mesh), meshes.pose_of(neutral)):
        turned = (now - then) * (gain if name != "roll" else 1.05)
        # A photo turned further falls apart.
        state[name] = _LIMITS[name] * math.tanh(turned / _LIMITS[name])
    state["scale"] = meshes.height_of(mesh) / meshes.height_of(neutral)
    state["scale"] = state["scale"] ** (1.1 if abs(state["scale"] - 1) > 0.12 else 0.5)

    def local(points):
        return (points - points[[33, 133, 362, 263]].mean(0)) @ meshes.axes(points).T / meshes.height_of(points)

    extra = local(mesh) - local(neutral)
    # On a turned face the mesh's shape is less certain than its pose.
    sure = max(0.0, 1 - (abs(state["yaw"]) + abs(state["pitch"])) / 60)
    extra[:, 2] *= 0.5
    extra *= sure
    extra[list(OVAL)] *= 0.5
    extra[[10, 338, 297, 332, 284, 251, 21, 54, 103, 67, 109]] *= 0.2
    for lids in (*UPPER_LIDS, *LOWER_LIDS):
        extra[list(lids)] = extra[list(lids)].mean(0) * 0.3
    return state, extra


def pasted(job):
    """a photo's face warped onto a living head (--other VIDEO) in every frame, with matched light and a soft edge"""
    job.need_other("pasted")
    photo = job.photo()
    playlist = _playlist(job, [job.other])
    player = Player(playlist, True)
    difficulty = float(job.rng.uniform(0, 1)) if job.difficulty is None else job.difficulty
    own_eyes = bool(job.rng.uniform() < 0.5 + 0.4 * difficulty)
    matching = float(min(1, job.rng.uniform(0.3, 0.7) + 0.4 * difficulty))
    face = located(job, photo)
    recording = playlist.recordings[0]
    tall = meshes.height_of(recording.meshes[recording.neutral[0]])
    skin = Skin(photo, face, player.size, part=tall / player.size[1])
    figure = Figure([skin], player.size, lids=own_eyes)
    local = figure.local(skin.mesh)
    outline = local[list(OVAL), :2]
    near = np.sqrt(((local[:, None, :2] - outline[None]) ** 2).sum(2)).min(1)
    wide = float(job.rng.uniform(0.07, 0.14))
    soft = np.clip(near / wide, 0, 1) ** 1.5

    def frames():
        for number in range(len(playlist.places)):
            picture, mesh, _ = player.at(number)
            yield _worn_face(picture, mesh, figure, skin, soft, matching)

    noted = {
        "difficulty": round(difficulty, 3), "own_eyes": own_eyes, "matching": round(matching, 3),
        "edge": round(wide, 3), **playlist.parameters(),
    }
    return [Clip(player.size, frames(), {**job.noted(playlist.made), **noted})]


def _worn_face(picture, mesh, figure, skin, soft, matching):
    height, width = picture.shape[:2]
    low = np.maximum(0, np.floor(mesh[:, :2].min(0)) - 2).astype(int)
    high = np.minimum((width, height), np.ceil(mesh[:, :2].max(0)) + 3).astype(int)
    if (high - low < 16).any():
        return np.clip(np.round(picture), 0, 255).astype(np.uint8)
    size = tuple(high - low)
    into = np.zeros((size[1], size[0], 3), np.float32)
    rows = np.column_stack([skin.at(skin.mesh), soft])
    meshes.rastered(size, mesh[:, :2] - low, mesh[:, 2], figure.skin_triangles, rows, into)
    cover = into[:, :, 2]
    # Around eyes and mouth of the living head the edge is soft as well.
    shown = (cover > 0).astype(np.float32)
    edge = np.clip(2 * optics.blurred(shown[None], 1.5)[0] - 1, 0, 1)
    cover = np.minimum(cover, edge + (cover < 0.99) * cover)
    own = picture[low[1] : high[1], low[0] : high[0]].transpose(2, 0, 1)
    worn = meshes.sampled(skin.texture, into[:, :, 0], into[:, :, 1])
    # The living head's light: the difference of the coarse pictures, where both show skin.
    step = max(4, round(0.055 * figure.height))
    coarse = tuple(max(2, length // step) for length in size)
    weight = np.where(cover > 0.02, 1.0, 0.0).astype(np.float32)

    def reduced(values):
        image = Image.fromarray(np.ascontiguousarray(values, np.float32))
        return np.asarray(image.resize(coarse, Image.BOX))

    total = reduced(weight) + 1e-3
    light = np.stack([reduced((a - b) * weight) / total for a, b in zip(own, worn)])
    light = optics.blurred(light, 1.2)
    worn = worn + matching * optics.resized(light, (size[1], size[0]))
    result = picture.copy()
    result[low[1] : high[1], low[0] : high[0]] = (own + (worn - own) * cover).transpose(1, 2, 0)
    return np.clip(np.round(result), 0, 255).astype(np.uint8)

"""Attacks that change or generate the camera's stream, as functions from a job to its clips."""

import math
from itertools import islice

import numpy as np

import optics
from faces import EYES, MOUTH
from jobs import LONGEST, Clip, Still, covering, even, scaled, window
from motion import Hand, Track
from video import RATE, Failure


def loop(job):
    """a short part of a video, again and again"""
    job.need_video("loop")
    turning = job.seed % 2 == 1
    length = job.rng.uniform(0.5, 1.2) if job.seconds > 1.5 else job.seconds / 3
    start, length, size, frames = job.part(seconds=length)
    part = list(frames)
    # Playing back and forth hides the jump.
    order = part + part[-2:0:-1] if turning else part
    total = round(job.seconds * RATE)
    repeated = (order[number % len(order)] for number in range(total))
    return [Clip(size, repeated, {"turning": turning, "period": round(len(order) / RATE, 3), "start": round(start, 3)})]


def freeze(job):
    """a stream that stops on a frame: its time stamps go on (even seed) or stop as well (odd)"""
    job.need_video("freeze")
    stuck = job.seed % 2 == 1
    start, seconds, size, frames = job.part()
    at = round(seconds * RATE * job.rng.uniform(0.3, 0.6))
    total = round(seconds * RATE)

    def frozen():
        last = None
        for number, picture in enumerate(frames):
            if number > at:
                break
            last = picture
            yield picture
        for _ in range(total - at - 1):
            yield last

    stamps = [min(number, at) / RATE if stuck else number / RATE for number in range(total)]
    return [Clip(size, frozen(), {"stamps": "stuck" if stuck else "running", "at": round(at / RATE, 3)}, stamps)]


def reorder(job):
    """frames in another order: backwards, neighbours swapped, or shuffled within parts (seed modulo 3)"""
    job.need_video("reorder")
    how = ("backwards", "swapped", "shuffled")[job.seed % 3]
    start, seconds, size, frames = job.part()
    length = {"backwards": RATE, "swapped": 2, "shuffled": 6}[how]

    def mixed():
        while True:
            block = list(islice(frames, length))
            if not block:
                return
            if how == "shuffled":
                block = [block[place] for place in job.rng.permutation(len(block))]
            else:
                block.reverse()
            yield from block

    return [Clip(size, mixed(), {"order": how, "block": length, "start": round(start, 3)})]


def wrong_order(job):
    """parts of a video cut and put in another order: a challenge that was recorded earlier"""
    job.need_video("wrong-order")
    seconds = job.length(job.source)
    start = job.start(job.source, seconds)
    count = int(job.rng.integers(3, 6))
    cuts = [0.0, *sorted(job.rng.uniform(0.15, 0.85, count - 1) * seconds), seconds]
    parts = [(float(a), float(b)) for a, b in zip(cuts, cuts[1:]) if b - a > 2 / RATE]
    order = list(range(len(parts)))
    while len(order) > 1 and any(a + 1 == b for a, b in zip(order, order[1:])):
        # No two parts may be consecutive as in the source.
        order = [int(place) for place in job.rng.permutation(len(parts))]
    size = job.source.fitted(LONGEST)

    def joined():
        for place in order:
            begin, end = parts[place]
            yield from job.source.frames(start + begin, end - begin, size)

    noted = {"parts": [[round(start + a, 3), round(start + b, 3)] for a, b in parts], "order": order}
    return [Clip(size, joined(), noted)]


def other_person(job):
    """a second person's video follows midway: at once (even seed) or faded over (odd)"""
    job.need_other("other-person")
    fade = job.seed % 2 * int(job.rng.integers(4, 10))
    at = job.rng.uniform(0.4, 0.6) * job.seconds
    start, first, size, before = job.part(seconds=at)
    wide = covering(job.other, size)
    other_start, _, _, after = job.part(job.other, wide, job.seconds - at + fade / RATE)
    off = (wide[0] - size[0]) // 2, (wide[1] - size[1]) // 2

    def spliced():
        held = []
        for picture in before:
            held.append(picture)
            if len(held) > fade:
                yield held.pop(0)
        for number, picture in enumerate(after):
            picture = window(picture, off, size)
            if number < len(held):
                part = (number + 1) / (len(held) + 1)
                picture = np.round(held[number] * (1 - part) + picture * part).astype(np.uint8)
            yield picture

    noted = {"at": round(first, 3), "fade": fade, "start": round(start, 3), "other_start": round(other_start, 3)}
    return [Clip(size, spliced(), noted)]


def paste(job):
    """the other person's face blended over the one in the video: a crude exchange of faces"""
    job.need_other("paste")
    start, seconds, size, frames = job.part()
    other_size = job.other.fitted(LONGEST)
    other_seconds = job.length(job.other, seconds)
    other_start = job.start(job.other, other_seconds)
    track = Track(job.source, start, seconds, size, job.finder, job.face and scaled(job.source, job.face, size))
    other_box = job.other_face and scaled(job.other, job.other_face, other_size)
    other = Track(job.other, other_start, other_seconds, other_size, job.finder, other_box)
    feather = job.rng.uniform(0.05, 0.35)
    matching = job.rng.uniform(0, 1)
    noted = {"feather": round(feather, 3), "matching": round(matching, 3), "start": round(start, 3)}

    def faces():
        picture = None
        while True:
            # A shorter video of the second face is repeated.
            for picture in job.other.frames(other_start, other_seconds, other_size):
                yield picture
            if picture is None:
                raise Failure(f"{job.other.path}: no picture in it")

    def pasted():
        length = max(1, round(other_seconds * RATE))
        for number, (picture, face) in enumerate(zip(frames, faces())):
            own, its = track.at(number / RATE), other.at(number % length / RATE)
            yield _pasted(picture, own, face, its, feather, matching)

    return [Clip(size, pasted(), {**noted, "followed": track.found})]


def _pasted(picture, box, face, face_box, feather, matching):
    """Blends one face over another: a similarity transform between the boxes, a soft ellipse, and colour matching."""
    rows, columns = picture.shape[:2]
    x, y, wide, high, roll = box
    reach = math.hypot(wide, high) * 0.62
    middle = x + wide / 2, y + high / 2
    left, top = max(0, int(middle[0] - reach)), max(0, int(middle[1] - reach))
    right, bottom = min(columns, int(middle[0] + reach)), min(rows, int(middle[1] + reach))
    if right - left < 4 or bottom - top < 4:
        return picture
    dx = np.arange(left, right, dtype=np.float32)[None, :] + (0.5 - middle[0])
    dy = np.arange(top, bottom, dtype=np.float32)[:, None] + (0.5 - middle[1])
    cos, sin = math.cos(math.radians(roll)), math.sin(math.radians(roll))
    p, q = (dx * cos + dy * sin) / wide, (dy * cos - dx * sin) / high
    its_x, its_y, its_wide, its_high, its_roll = face_box
    cos, sin = math.cos(math.radians(its_roll)), math.sin(math.radians(its_roll))
    a, b = p * its_wide, q * its_high
    values = optics.bilinear(
        face.transpose(2, 0, 1).astype(np.float32), a * cos - b * sin + (its_x + its_wide / 2 - 0.5),
        a * sin + b * cos + (its_y + its_high / 2 - 0.5),
    )
    own = picture[top:bottom, left:right].transpose(2, 0, 1).astype(np.float32)
    radius = np.sqrt((p / 0.48) ** 2 + (q / 0.53) ** 2)
    cover = np.clip((1 - radius) / feather, 0, 1)
    inside = cover > 0.5
    if matching and inside.any():
        for plane, its in zip(own, values):
            here, there = plane[inside], its[inside]
            spread = min(2.0, max(0.5, float(here.std()) / max(1.0, float(there.std()))))
            matched = (its - there.mean()) * spread + here.mean()
            its += (matched - its) * matching
    result = picture.copy()
    blend = own + (np.clip(values, 0, 255) - own) * cover
    result[top:bottom, left:right] = np.round(blend).astype(np.uint8).transpose(1, 2, 0)
    return result


def injected(job):
    """a synthetic stream without a sensor's noise: a video smoothed over time (even seed) or a photo warped (odd)"""
    if job.source.still is None and job.seed % 2 == 0:
        seconds = job.length(job.source)
        start = job.start(job.source, seconds)
        size = job.source.fitted(LONGEST)
        # hqdn3d's spatial and temporal strengths, far above their defaults of 4 and 6.
        frames = job.source.frames(start, seconds, size, ("hqdn3d=9:7:24:18",))
        return [Clip(size, frames, {"made": "smoothed", "start": round(start, 3)})]
    photo = job.photo()
    size = photo.shape[1], photo.shape[0]
    face = Track(Still(photo), 0, 0, size, job.finder, job.face and scaled(job.source, job.face, size)).at(0)
    return [Clip(even(size), _animated(job, photo, face), {"made": "warped"})]


def _animated(job, photo, face):
    """Animates a photo to turn, blink and speak, only by moving its pixels."""
    values = photo.transpose(2, 0, 1).astype(np.float32)
    rows, columns = photo.shape[0] - photo.shape[0] % 2, photo.shape[1] - photo.shape[1] % 2
    x, y, wide, high, roll = face
    cos, sin = math.cos(math.radians(roll)), math.sin(math.radians(roll))
    across = np.arange(columns, dtype=np.float32)[None, :] + (0.5 - x - wide / 2)
    along = np.arange(rows, dtype=np.float32)[:, None] + (0.5 - y - high / 2)
    p, q = (across * cos + along * sin) / wide, (along * cos - across * sin) / high
    relief = np.exp(-((p / 0.5) ** 2 + (q / 0.6) ** 2) * 1.5)
    lids = [np.exp(-(((p - a + 0.5) / 0.16) ** 2 + ((q - b + 0.5) / 0.1) ** 2)) * (q - b + 0.5) for a, b in EYES]
    mouth_x, mouth_y = MOUTH[0] - 0.5, MOUTH[1] - 0.5
    lips = np.exp(-(((p - mouth_x) / 0.2) ** 4 + ((q - mouth_y) / 0.14) ** 4)) * (q - mouth_y)
    hand = Hand(job.rng, 0.6)
    blinks = sorted(job.rng.uniform(0.2, max(0.4, job.seconds - 0.2), max(1, round(job.seconds / 2))))
    turn_rate, nod_rate, talk_rate = job.rng.uniform(0.2, 0.5), job.rng.uniform(0.2, 0.6), job.rng.uniform(1.5, 4)
    phases = job.rng.uniform(0, 2 * math.pi, 3)
    for number in range(round(job.seconds * RATE)):
        time = number / RATE
        drift = hand.at(time)
        turn = 0.10 * math.sin(2 * math.pi * turn_rate * time + phases[0])
        nod = 0.05 * math.sin(2 * math.pi * nod_rate * time + phases[1])
        # Opening lips stretch the pixels between them.
        talk = 0.25 * max(0.0, math.sin(2 * math.pi * talk_rate * time + phases[2]))
        # A blink lasts 0.1 to 0.4 s.
        shut = max(math.exp(-(((time - blink) / 0.08) ** 4)) for blink in blinks)
        a, b = p - turn * relief, q - nod * relief - talk * lips
        for lid in lids:
            # Eyes are closed by squeezing their rows together; beyond a factor of 2.2, rows would appear twice.
            b = b + 2.0 * shut * lid
        scale = 1 / drift["scale"]
        a, b = a * (wide * scale), b * (high * scale)
        where_x = a * cos - b * sin + (x + wide / 2 - 0.5 - drift["x"] * columns)
        where_y = a * sin + b * cos + (y + high / 2 - 0.5 - drift["y"] * columns)
        moved = optics.bilinear(values, where_x, where_y)
        yield np.round(moved).astype(np.uint8).transpose(1, 2, 0)


def resolution_switch(job):
    """a stream whose size changes midway: two files, -part1 and -part2, and the time stamps of both"""
    seconds = job.length(job.source)
    start = job.start(job.source, seconds)
    size = job.source.fitted(LONGEST)
    part = (0.5, 0.75, 2 / 3, 1.5)[job.seed % 4]
    other = tuple(max(16, round(length * part / 2) * 2) for length in size)
    at = seconds * job.rng.uniform(0.4, 0.6)
    first = job.source.frames(start, at, size)
    second = job.source.frames(start + at, seconds - at, other)
    noted = {"at": round(at, 3), "start": round(start, 3), "sizes": [list(size), list(other)]}
    begun = round(at * RATE)
    return [
        Clip(size, first, {**noted, "part": 1}, lambda number: number / RATE, "-part1"),
        Clip(other, second, {**noted, "part": 2}, lambda number: (begun + number) / RATE, "-part2"),
    ]


def clock(job):
    """time stamps that no camera produces: a burst, equal ones, backward jumps, a stall, twice too fast (seed modulo 5)"""
    how = ("burst", "equal", "backward", "stall", "fast")[job.seed % 5]
    start, seconds, size, frames = job.part()
    jump = int(job.rng.integers(8, 20))
    times = {
        # The camera's whole video within a tenth of a second.
        "burst": lambda number: number * 0.1 / (seconds * RATE),
        "equal": lambda number: 0.0,
        "backward": lambda number: (number - (jump if number // jump % 2 else 0)) / RATE,
        "stall": lambda number: number / RATE + (3.0 if number >= jump else 0.0),
        "fast": lambda number: number / (2 * RATE),
    }
    return [Clip(size, frames, {"stamps": how, "start": round(start, 3)}, times[how])]

"""Attacks that change or generate the camera's stream, as functions from a job to its clips."""

from itertools import islice

import numpy as np

from jobs import LONGEST, Clip, covering, window
from video import RATE


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


def injected(job):
    """a synthetic stream without a sensor's noise: a video smoothed over time"""
    job.need_video("injected")
    seconds = job.length(job.source)
    start = job.start(job.source, seconds)
    size = job.source.fitted(LONGEST)
    # hqdn3d's spatial and temporal strengths, far above their defaults of 4 and 6.
    frames = job.source.frames(start, seconds, size, ("hqdn3d=9:7:24:18",))
    return [Clip(size, frames, {"made": "smoothed", "start": round(start, 3)})]


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

#!/usr/bin/env python3
"""Runs sessions with altered clips of living people.

    sessions.py follow CLIP... [--seed 0]
    sessions.py relight CLIP... [--delays 0 0.1 0.2 0.3 0.4 0.5 0.7]

follow: the challenge "follow" of people who never followed a path. Each frame of a clip is moved, scaled and turned along its
face mesh, as the session's own feedback states the target, with a person's delay and errors (attacks/prompts.py: Follower).
Printed per clip: the answer, its score and delay, and the signals that failed.
relight: an attacker lights a face in software. In each frame, the face is multiplied by the colour that the screen showed
`delay` seconds before, as a second light of 40 % over the room's. Printed per clip and delay: status and value of
`colour-response`. A program that sees the page needs the time of a capture, a render and a virtual camera: 0.1 to 0.2 seconds.

Clips are played to and fro. Needs OpenVINO, and libfaceverify for the Python package (FACEVERIFY_LIBRARY).
"""
import sys
import typing
import zlib
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / part) for part in ("training", "training/attacks", "bindings/python")]
import faceverify
import meshes
from figures import Figure
from jobs import Job
from prompts import Follower
from recordings import Recording, to_and_fro
from shared import command
from video import RATE, Failure, FaceFinder, Source

EVERY = 2  # frames of the clip per frame of the session: 15 per second
SETTLED = 1.15  # zoom at rest: a shift leaves fewer empty edges
SHARE = 0.4  # of the second light


class Frame:
    """A frame of a living clip as the skin of a figure."""

    def __init__(self, picture, mesh):
        self.texture = picture.transpose(2, 0, 1).astype(np.float32)
        self.mesh, self.margin, self.fine = mesh, 0, 1.0

    def at(self, points):
        return points[:, :2]

    def gap(self):
        return 1.0


class Wanted:
    """The targets that the feedback has stated so far; rest before the first."""

    def __init__(self):
        self.times, self.rows = [-1.0], [(0.0, 0.0, 1.0, 0.0, 0.0)]

    def add(self, feedback):
        if feedback.target_x is not None:
            self.times.append(feedback.time)
            self.rows.append((
                feedback.target_x, 0.0, feedback.target_scale, feedback.target_yaw, feedback.target_pitch))

    def __call__(self, time):
        return tuple(np.interp(time, self.times, column) for column in zip(*self.rows))


def followed(engine, job, nonce):
    """Returns the decision, and how many seconds the session lasted."""
    recording = Recording(job, job.source)
    width, height = recording.size
    figure = Figure([Frame(recording.frames[0], recording.meshes[0])], recording.size, lids=False, teeth=False)
    rest = np.median(recording.meshes[slice(*recording.neutral)], axis=0)[meshes.NOSE_BASE, :2]
    wanted = Wanted()
    follower = Follower(wanted, job.rng)
    request = faceverify.LivenessRequest.from_script([faceverify.Challenge.FOLLOW], nonce)
    with faceverify.LivenessSession(engine, request, challenge_timeout=30) as session:
        for number in range(0, 40 * RATE, EVERY):
            time = number / RATE
            at = round(to_and_fro(number, len(recording.frames) - 1))
            now = figure.wearing(Frame(recording.frames[at], recording.meshes[at]))
            x, y, scale, yaw, pitch = follower(time)
            points = now.posed(recording.meshes[at], meshes.rotation(yaw, pitch, 0))
            factor = SETTLED * scale
            place = rest + [x * width, y * height] - factor * points[meshes.NOSE_BASE, :2]
            picture = now.frame(points, still=np.array([[factor, 0, place[0]], [0, factor, place[1]]]))
            picture = np.clip(np.round(picture), 0, 255).astype(np.uint8).transpose(1, 2, 0)
            wanted.add(session.add(np.ascontiguousarray(picture), time))
            if session.is_complete:
                break
        return session.finish(), time


def follow(engine, clip, seed):
    rng = np.random.default_rng([seed, zlib.crc32(clip.name.encode())])
    job = Job(Source(clip), None, rng, seed, 12.0, FaceFinder(None))
    decision, seconds = followed(engine, job, rng.bytes(16))
    with decision:
        answer = decision.answers[0] if decision.answers else None
        failed = " ".join(reason.code for reason in decision.reasons)
        yield (f"{answer and answer.outcome},{answer and answer.path_score},{answer and answer.path_delay},{seconds:.1f},"
               f"{decision.result},{failed}")


def shown(colours, time):
    """The colour of the screen at a time after the first; grey before it."""
    now = [c for c in colours if c.begin <= time < c.begin + c.seconds]
    return np.float32([now[0].red, now[0].green, now[0].blue]) if now else np.float32([0.5, 0.5, 0.5])


def lit(picture, colour, x, y, size):
    """The picture with a light of a colour on an ellipse around the face."""
    height, width = picture.shape[:2]
    v, u = np.mgrid[0:height, 0:width].astype(np.float32)
    tall = size * height
    oval = np.clip(3 - 3 * np.hypot((u - x * width) / (0.42 * tall), (v - y * height) / (0.58 * tall)), 0, 1)[..., None]
    linear = (picture / np.float32(255)) ** 2.2
    linear *= 1 + oval * SHARE * (colour**2.2 / max(1e-3, float((colour**2.2).mean())) - 1)
    return np.clip(255 * np.clip(linear, 0, 1) ** (1 / 2.2) + 0.5, 0, 255).astype(np.uint8)


def response(engine, frames, delay, nonce):
    request = faceverify.LivenessRequest.from_script(["turn-left"], nonce)
    colours = request.colours
    end = colours[-1].begin + colours[-1].seconds
    where = (0.5, 0.5, 0.5)
    with faceverify.LivenessSession(engine, request, challenge_timeout=30) as session:
        for number in range(round(end * RATE / EVERY)):
            time = number * EVERY / RATE
            picture = lit(frames[round(to_and_fro(number, len(frames) - 1))], shown(colours, time - delay), *where)
            feedback = session.add(picture, time, screen_colour=tuple(map(float, shown(colours, time))))
            if feedback.face_x is not None:
                where = feedback.face_x, feedback.face_y, feedback.face_size
            if session.is_complete:
                break
        with session.finish() as decision:
            return next(check for check in decision.checks if check.signal == "colour-response")


def relight(engine, clip, delays):
    source = Source(clip)
    # At rest, to and fro: a movement that was not asked for would end the session.
    frames = list(source.frames(0, min(source.seconds, 0.8), source.fitted(640)))[::EVERY]
    for delay in delays:
        check = response(engine, frames, delay, bytes(range(32)))
        yield f"{delay},{check.status},{check.value}"


def main(
        what: typing.Literal["follow", "relight"], clips: list[Path], *, seed: int = 0,
        delays: list[float] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7]):
    print("clip,outcome,score,delay,seconds,result,failed" if what == "follow" else "clip,delay,status,value")
    with faceverify.Engine() as engine:
        for clip in clips:
            for line in follow(engine, clip, seed) if what == "follow" else relight(engine, clip, delays):
                print(f"{clip.stem},{line}", flush=True)


if __name__ == "__main__":
    try:
        command(main, __doc__)
    except Failure as error:
        sys.exit(f"sessions.py: {error}")

#!/usr/bin/env python3
"""Sessions with the challenge "follow" of living people who never followed a path: their clips, warped.

    follow.py CLIP... --out FOLDER [--seed S]

Each frame of a clip is moved, scaled and turned along its face mesh, as the session's own feedback states the target, with
a person's delay and errors (attacks/prompts.py: Follower). Printed per clip: the answer, its score and delay, and the
signals that failed. FOLDER/NAME.csv has the movement that the session measured, for measure-paths. Clips are played to and
fro if they are shorter than the session. Needs OpenVINO, and libfaceverify for the Python package (FACEVERIFY_LIBRARY).
"""
import argparse
import csv
import sys
import zlib
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / part) for part in ("training/attacks", "bindings/python")]
import faceverify
import meshes
from figures import Figure
from jobs import Job
from prompts import Follower
from recordings import Frame, Recording, to_and_fro
from video import RATE, Failure, FaceFinder, Source

EVERY = 2  # frames of the clip per frame of the session: 15 per second
SETTLED = 1.15  # zoom at rest: a shift leaves fewer empty edges
COLUMNS = "time,yaw,pitch,roll,left,right,mouth,smile,lift,size,x,y".split(",")


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


def session(engine, job, nonce, rows):
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
            feedback = session.add(np.ascontiguousarray(picture), time)
            wanted.add(feedback)
            if feedback.yaw is not None:
                rows.append((
                    time, feedback.yaw, feedback.pitch, feedback.roll, feedback.left_eye_openness,
                    feedback.right_eye_openness, feedback.mouth_opening, feedback.mouth_width, feedback.mouth_lift,
                    feedback.face_size, feedback.face_x, feedback.face_y))
            if session.is_complete:
                break
        return session.finish(), time


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    print("clip,outcome,score,delay,seconds,result,failed")
    with faceverify.Engine() as engine:
        for clip in options.clips:
            rng = np.random.default_rng([options.seed, zlib.crc32(Path(clip).name.encode())])
            job = Job(Source(clip), None, rng, options.seed, 12.0, FaceFinder(None))
            rows = []
            decision, seconds = session(engine, job, rng.bytes(16), rows)
            answer = decision.answers[0] if decision.answers else None
            failed = " ".join(reason.code for reason in decision.reasons)
            print(f"{Path(clip).stem},{answer and answer.outcome},{answer and answer.path_score},"
                  f"{answer and answer.path_delay},{seconds:.1f},{decision.result},{failed}", flush=True)
            decision.close()
            with open(options.out / f"{Path(clip).stem}.csv", "w", newline="") as file:
                csv.writer(file).writerows([COLUMNS, *rows])


if __name__ == "__main__":
    try:
        main()
    except Failure as error:
        sys.exit(f"follow.py: {error}")

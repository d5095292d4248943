#!/usr/bin/env python3
"""Sessions in which an attacker lights a face in software with the screen's colours, some time late.

    relight.py CLIP... [--delays 0,0.1,0.2,0.3,0.4,0.5,0.7]

In each frame of a clip, the face is multiplied by the colour that the screen showed `delay` seconds before, as a second
light of 40 % over the room's. Printed per clip and delay: status and value of `colour-response`. A program that sees the
page needs the time of a capture, a render and a virtual camera: 0.1 to 0.2 seconds. Needs OpenVINO, and libfaceverify for
the Python package (FACEVERIFY_LIBRARY).
"""
import argparse
import sys
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / part) for part in ("training/attacks", "bindings/python")]
import faceverify
from recordings import to_and_fro
from video import RATE, Failure, Source

EVERY = 2  # frames of the clip per frame of the session: 15 per second
SHARE = 0.4


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
            frame = frames[round(to_and_fro(number, len(frames) - 1))]
            picture = lit(frame, shown(colours, time - delay), *where)
            feedback = session.add(picture, time, screen_colour=tuple(map(float, shown(colours, time))))
            if feedback.face_x is not None:
                where = feedback.face_x, feedback.face_y, feedback.face_size
            if session.is_complete:
                break
        with session.finish() as decision:
            return next(check for check in decision.checks if check.signal == "colour-response")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--delays", default="0,0.1,0.2,0.3,0.4,0.5,0.7")
    options = parser.parse_args()
    print("clip,delay,status,value")
    with faceverify.Engine() as engine:
        for clip in options.clips:
            source = Source(clip)
            # At rest, to and fro: a movement that was not asked for would end the session.
            frames = list(source.frames(0, min(source.seconds, 0.8), source.fitted(640)))[::EVERY]
            for delay in map(float, options.delays.split(",")):
                check = response(engine, frames, delay, bytes(range(32)))
                print(f"{Path(clip).stem},{delay},{check.status},{check.value}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except Failure as error:
        sys.exit(f"relight.py: {error}")

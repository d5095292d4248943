"""webcam.py [NUMBER]: liveness of the person in front of a camera, who blinks and turns left. Needs OpenCV for Python.

NUMBER is that of the camera; 0 is the first. Exit codes: 0 live, 1 presentation attack, 2 usage error, 3 runtime error,
4 undecided.
"""

import sys
import time
from typing import Any, Iterator, Tuple

import faceverify
from faceverify import Challenge, Image, LivenessDecision, LivenessRequest, LivenessResult, LivenessSession

EXIT_CODES = {LivenessResult.LIVE: 0, LivenessResult.PRESENTATION_ATTACK: 1, LivenessResult.UNDECIDED: 4}


def frames(capture: Any) -> Iterator[Tuple[float, Image]]:
    """Yields the frames of a cv2.VideoCapture, each with its time in seconds, until there are no more.

    OpenCV's arrays are BGR, and faceverify expects RGB: with swapped colours, a living person looks like an attack.
    `order="bgr"` is the same as `cv2.cvtColor(frame, cv2.COLOR_BGR2RGB)`, without a copy.
    """
    while True:
        is_read, frame = capture.read()
        if not is_read:
            return
        yield time.monotonic(), Image.from_pixels(frame, order="bgr")


def watch(session: LivenessSession, capture: Any) -> LivenessDecision:
    """Passes frames to a session until it is complete, and returns its decision."""
    for at, image in frames(capture):
        with image:
            try:
                feedback = session.add(image, at, received=at)
            except faceverify.FaceVerifyError as error:  # of this frame alone
                print(error)
                continue
        advice = feedback.hint or feedback.challenge
        print(f"\r{advice.text if advice else 'Look ahead.':60}", end="")
        if session.is_complete:
            break
    print()
    return session.finish()


def main() -> int:
    if len(sys.argv) > 2 or not all(argument.isdigit() for argument in sys.argv[1:]):
        print("usage: webcam.py [NUMBER]", file=sys.stderr)
        return 2
    import cv2

    capture = cv2.VideoCapture(int(sys.argv[1]) if len(sys.argv) == 2 else 0)
    request = LivenessRequest.from_script([Challenge.BLINK, Challenge.TURN_LEFT])
    try:
        with faceverify.Engine() as engine:
            engine.preload()  # so that no frame waits for it
            with LivenessSession(engine, request) as session, watch(session, capture) as decision:
                print(decision.result)
                for reason in decision.reasons:
                    print(reason)
                return EXIT_CODES[decision.result]
    except faceverify.FaceVerifyError as error:
        print(f"webcam.py: {error}", file=sys.stderr)
        return 3
    finally:
        capture.release()


if __name__ == "__main__":
    sys.exit(main())

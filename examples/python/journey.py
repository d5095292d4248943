"""journey.py PORTRAIT FRAME...: whether a recording at ten pictures per second shows the living person of the portrait.

Exit codes: 0 passed, 1 failed, 2 usage error, 3 runtime error, 4 not checked.
"""

import sys
from typing import List

import faceverify
from faceverify import CheckStatus, Journey

EXIT_CODES = {CheckStatus.PASSED: 0, CheckStatus.FAILED: 1, CheckStatus.NOT_CHECKED: 4}
# A recording without challenges.
CONFIGURATION = {
    "requests": [{"category": "face"}],
    "faceModes": ["passive"],
    "consents": [{"text": "May your face be analysed?", "isActive": True}],
}


def print_events(journey: Journey) -> None:
    for event in journey.events():
        print(f"{event.at:.1f} s: {event.name}")


def verify(portrait: str, frames: List[str]) -> CheckStatus:
    with faceverify.Engine() as engine, engine.sample(portrait) as sample:
        # Each call has its time, here that of the recording; with a camera the default is right.
        with Journey(engine, CONFIGURATION, sample.template, now=0) as journey:
            journey.perform("start", 0)
            journey.consent(0, True, 0)
            journey.start_credential(0, 0)
            journey.start_part("face", now=0)
            for number, frame in enumerate(frames):
                journey.add_frame(frame, number / 10, now=number / 10)
                print_events(journey)
            for call in ("finish-part", "finish-credential", "finish"):
                journey.perform(call, len(frames) / 10)
            print_events(journey)
            (face,), outcome = journey.credentials, journey.result
            assert face.liveness is not None and outcome is not None
            print(f"liveness: {face.liveness.result}")
            print(f"comparison: {'none' if face.decision is None else face.decision.result}")
            print(outcome.result)
            return outcome.result


def main() -> int:
    if len(sys.argv) < 3:
        print("usage: journey.py PORTRAIT FRAME...", file=sys.stderr)
        return 2
    try:
        return EXIT_CODES[verify(sys.argv[1], sys.argv[2:])]
    except faceverify.FaceVerifyError as error:
        print(f"journey.py: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())

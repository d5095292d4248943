"""liveness.py FRAME...: liveness of a person who turns left and blinks, from pictures taken at ten per second.

Exit codes: 0 live, 1 presentation attack, 2 usage error, 3 runtime error, 4 undecided.
"""

import sys
from typing import List

import faceverify
from faceverify import Challenge, LivenessRequest, LivenessResult, LivenessSession

EXIT_CODES = {LivenessResult.LIVE: 0, LivenessResult.PRESENTATION_ATTACK: 1, LivenessResult.UNDECIDED: 4}


def watch(frames: List[str]) -> LivenessResult:
    request = LivenessRequest.from_script([Challenge.TURN_LEFT, Challenge.BLINK])
    with faceverify.Engine() as engine, LivenessSession(engine, request) as session:
        for number, frame in enumerate(frames):
            feedback = session.add(frame, time=number / 10)
            print(f"{feedback.time:.1f} s: {feedback.challenge or 'look ahead'}")
            if session.is_complete:
                break
        with session.finish() as decision:
            print(decision.result)
            for reason in decision.reasons:
                print(reason)
            return decision.result


def main() -> int:
    if len(sys.argv) < 2:
        print("usage: liveness.py FRAME...", file=sys.stderr)
        return 2
    try:
        return EXIT_CODES[watch(sys.argv[1:])]
    except faceverify.FaceVerifyError as error:
        print(f"liveness.py: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())

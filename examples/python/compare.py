"""compare.py SELFIE PORTRAIT: compares a selfie with a portrait.

Either file is an image or a template. Exit codes: 0 match, 1 no match, 2 usage error, 3 runtime error, 4 refused: a
photo is not good enough.
"""

import sys

import faceverify
from faceverify import Result

EXIT_CODES = {Result.MATCH: 0, Result.NO_MATCH: 1, Result.REFUSED: 4}


def compare(selfie: str, portrait: str) -> Result:
    with faceverify.Engine() as engine, engine.compare(selfie, portrait) as decision:
        print(decision.result)
        comparison = decision.comparison
        if comparison is not None:
            print(f"score {comparison.score:.2f}, threshold {comparison.threshold:.2f} (lower is closer)")
            print(f"similarity {comparison.similarity:.0f} of 100")
        for reason in decision.reasons:
            print(reason)
        return decision.result


def main() -> int:
    if len(sys.argv) != 3:
        print("usage: compare.py SELFIE PORTRAIT", file=sys.stderr)
        return 2
    try:
        return EXIT_CODES[compare(sys.argv[1], sys.argv[2])]
    except faceverify.FaceVerifyError as error:
        print(f"compare.py: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())

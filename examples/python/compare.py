"""compare.py SELFIE PORTRAIT: does the selfie show the person of the portrait?

Either file is a picture or a template. Exit codes: 0 match, 1 no match, 2 wrong use, 3 could not be done, 4 refused: a
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
    except faceverify.Error as error:
        print(f"compare.py: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())

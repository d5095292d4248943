"""python_batch.py SELFIE PORTRAIT [ROUNDS]: the time of a comparison through Python.

From the files' bytes in memory to the decision, on one thread: the least and the median of ROUNDS (50), in
milliseconds, after two warm-up rounds.
"""

import json
import statistics
import sys
import time
from pathlib import Path

import faceverify

WARM_UP = 2


def main() -> int:
    if len(sys.argv) not in (3, 4):
        print("usage: python_batch.py SELFIE PORTRAIT [ROUNDS]", file=sys.stderr)
        return 2
    selfie, portrait = (Path(path).read_bytes() for path in sys.argv[1:3])
    times = []
    with faceverify.Engine() as engine:
        for _ in range(WARM_UP + int(sys.argv[3] if len(sys.argv) == 4 else 50)):
            start = time.perf_counter()
            engine.compare(selfie, portrait).close()
            times.append(1e3 * (time.perf_counter() - start))
    times = times[WARM_UP:]
    print(json.dumps({"least": round(min(times), 3), "median": round(statistics.median(times), 3)}))
    return 0


sys.exit(main())

"""ray_scale.py FOLDER [PHOTOS [ROUNDS]]: the speed-up of enrolment with two workers of Ray over one.

Builds a gallery of the first PHOTOS (600) pictures below FOLDER with one worker and with two, alternating, ROUNDS (3)
times each, on a local cluster. "seconds" is the whole call, including the start of the workers, the loading of the
models and the merging; "rate" is the number of photos per second between the ends of the first and the last task, when
all is warm. The least time and the largest rate are reported, to exclude interference by other programs.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_worker_niceness"] = "0"  # the default is 15, below everything else on the machine

import ray

import faceverify.ray


def build(photos, workers):
    done = []
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        faceverify.ray.build_gallery(
            photos,
            Path(folder, "people.fvg"),
            workers,
            "any",
            progress=lambda count, _: done.append((count, time.perf_counter())),
        )
        seconds = time.perf_counter() - start
    (first, since), (last, until) = done[0], done[-1]
    return seconds, (last - first) / (until - since)


def main():
    if len(sys.argv) not in (2, 3, 4):
        print("usage: ray_scale.py FOLDER [PHOTOS [ROUNDS]]", file=sys.stderr)
        return 2
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 600
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    photos = sorted(str(path) for path in Path(sys.argv[1]).rglob("*.jpg"))[:count]
    for photo in photos:
        Path(photo).read_bytes()  # warms the page cache
    print(f"{len(photos)} photos, load average before: {os.getloadavg()[0]:.2f}", flush=True)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    found = {1: [], 2: []}
    for _ in range(rounds):
        for workers in found:
            load = os.getloadavg()[0]
            seconds, rate = build(photos, workers)
            found[workers].append((seconds, rate))
            run = {"workers": workers, "seconds": round(seconds, 2), "rate": round(rate, 2), "load": round(load, 2)}
            print(json.dumps(run), flush=True)
    least = {workers: min(seconds for seconds, _ in runs) for workers, runs in found.items()}
    most = {workers: max(rate for _, rate in runs) for workers, runs in found.items()}
    print(json.dumps({"whole": round(least[1] / least[2], 3), "warm": round(most[2] / most[1], 3)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())

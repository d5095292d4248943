#!/usr/bin/env python3
"""Compare two photos with face_recognition and its defaults, warm, from file to distance: peer… PHOTO PHOTO STRANGER

Prints the least and the median time in seconds, then the versions.
"""
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import importlib.metadata
import statistics
import sys
import time
import warnings

warnings.filterwarnings("ignore", category=UserWarning)  # face_recognition_models uses pkg_resources
import face_recognition


def distance(one, other):
    encodings = []
    for path in (one, other):
        found = face_recognition.face_encodings(face_recognition.load_image_file(path))
        if len(found) != 1:
            sys.exit(f"peer: {len(found)} faces in {path}")
        encodings += found
    return face_recognition.face_distance(encodings[:1], encodings[1])[0]


def main():
    one, other, stranger = sys.argv[1:]
    # The package's own tolerance is 0.6. This is also the warm-up.
    if not distance(one, other) <= 0.6 < distance(one, stranger):
        sys.exit("peer: the answers are wrong")
    seconds = []
    for _ in range(7):
        start = time.perf_counter()
        distance(one, other)
        seconds.append(time.perf_counter() - start)
    versions = []
    for package in ("face_recognition", "dlib-bin", "dlib"):
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            pass
    print(min(seconds), statistics.median(seconds), ", ".join(versions))


if __name__ == "__main__":
    main()

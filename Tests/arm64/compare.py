"""Compare the outputs of Tests/arm64/calls.cpp on two processors: compare.py FOLDER FOLDER. Exit code 1 if they differ."""

import sys
from pathlib import Path

import numpy

# Fractions of an output's largest number (f32) and steps (u8), from the first comparison (2026-11): rounding differs where a
# processor fuses multiplications and additions. All other outputs are identical.
TOLERANCE = {"places.f32": 1e-3, "text-lines.f32": 1e-6, "resize-3.u8": 1, "net": 1e-5}


def tolerance(name):
    return next((most for part, most in TOLERANCE.items() if name.startswith(part) or name.endswith(part)), 0)


def main():
    one, other = map(Path, sys.argv[1:])
    names = {path.name for path in one.iterdir()}
    failed = sorted(names ^ {path.name for path in other.iterdir()})
    for name in failed:
        print(f"{name}: written by one processor only")
    equal = 0
    for name in sorted(names - set(failed)):
        kind = numpy.uint8 if name.endswith(".u8") else numpy.float32
        a, b = (numpy.fromfile(folder / name, kind).astype(float) for folder in (one, other))
        equal += numpy.array_equal(a, b)
        most = tolerance(name) * (1 if kind is numpy.uint8 else numpy.abs(a).max(initial=0))
        if len(a) != len(b) or not numpy.all(numpy.abs(a - b) <= most):
            failed.append(name)
            print(f"{name}: {len(a)} and {len(b)} numbers, which differ by {numpy.abs(a - b).max() if len(a) == len(b) else '?'}")
    print(f"{len(names)} outputs: {equal} identical, {len(names) - equal - len(failed)} within tolerance, {len(failed)} differ")
    return 1 if failed or not names else 0


sys.exit(main())

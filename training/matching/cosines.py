#!/usr/bin/env python3
"""Measures embedding networks on photos of people who taught nothing: plain cosine, without normalisation.

    cosines.py EMBEDDINGS.f32 PATHS.txt

EMBEDDINGS and PATHS are the output of embed-photos, for example of the sets default and retail (the teacher). Every pair of
photos is compared. Printed are the false non-match rates (FNMR) at thresholds for false match rates (FMR) of 1e-2, 1e-3 and
1e-4 on the same photos, with exact 95 % bounds (Clopper-Pearson).
"""
import sys
from pathlib import Path

import numpy as np
from scipy.stats import beta

from train import read, unit

sys.path.append(str(Path(__file__).resolve().parents[1]))
from shared import command


def bounded(count, total):
    """A rate with its counts and exact bounds."""
    low = beta.ppf(0.025, count, total - count + 1) if count else 0.0
    high = beta.ppf(0.975, count + 1, total - count) if count < total else 1.0
    return f"{count / total:.4f} ({count} of {total}; {low:.4f}-{high:.4f})"


def main(embeddings: Path, paths: Path):
    vectors, _, people = read(embeddings, paths)
    above = np.triu_indices(len(people), 1)
    cosines = (unit(vectors) @ unit(vectors).T)[above]
    same = people[above[0]] == people[above[1]]
    mated, ordered = cosines[same], np.sort(cosines[~same])
    print(f"{len(mated)} mated, {len(ordered)} non-mated comparisons")
    for rate in (1e-2, 1e-3, 1e-4):
        # The lowest threshold at which at most `rate` of the non-mated comparisons are at or above it.
        limit = np.nextafter(ordered[len(ordered) - 1 - int(rate * len(ordered))], np.float32(2))
        print(f"FMR {rate:.0e} at {limit:.4f}: FNMR {bounded((mated < limit).sum(), len(mated))}")


if __name__ == "__main__":
    command(main, __doc__)

#!/usr/bin/env python3
"""Measures the effect of averaging the embeddings of several photos on false non-matches and false matches.

Input: embeddings and paths as written by `embed-photos`, one folder per person, people with at least six photos. For
each person, the last of six random photos is compared with the mean of 1, 3 and 5 others of the same and of every other
person. The cohort of a mean is moved closer by spread / CLOSENESS, as in FaceTemplate; otherwise the thresholds' rates
would not hold.
"""
import json
import sys
from pathlib import Path

import numpy as np

from train import load, read, scores

sys.path.append(str(Path(__file__).resolve().parents[1]))
from shared import MODELS, command

DRAWS = 12


def shipped(models, name):
    """The scores at 1e-2, 1e-3 and 1e-4 in the worst group, as the product interpolates them."""
    curve = json.loads((models / f"calibration-{name}.json").read_text())["curves"]["photo"]
    upper = np.log([point["falseMatchRateBounds"][1] for point in curve])
    return [(rate, float(np.interp(np.log(rate), upper, [p["score"] for p in curve]))) for rate in (1e-2, 1e-3, 1e-4)]


def main(embeddings: Path, paths: Path, *, models: Path = MODELS, set: str = "default", closeness: float = 0.8):
    embeddings, paths, who = read(embeddings, paths)
    project, normalisation = load(models / f"score-normalisation-{set}.bin")
    vectors = project(embeddings) if project else embeddings
    thresholds = shipped(models, set)
    people = [name for name in np.unique(who) if (who == name).sum() >= 6]
    photos = sum((who == name).sum() for name in people)
    print(f"{len(people)} people, {photos} photos, {DRAWS} draws each")
    for count in (1, 3, 5):
        rng = np.random.default_rng(1)
        means, strangers, probes, names = [], [], [], []
        for name in people:
            for _ in range(DRAWS):
                pick = rng.permutation(np.flatnonzero(who == name))
                parts = vectors[pick[:count]]
                mean = parts.mean(0)
                spread = ((parts - mean) ** 2).sum(1).mean()
                statistics = normalisation.predict(parts).mean(0)
                means.append(mean)
                strangers.append(statistics - [spread / closeness, 0])
                probes.append(vectors[pick[5]])
                names.append(name)
        means, strangers, probes, names = map(np.array, (means, strangers, probes, names))
        others = normalisation.predict(probes)
        score = scores(means, strangers, probes, others)
        genuine = score[np.eye(len(score), dtype=bool)]
        impostor = score[names[:, None] != names[None]]
        for rate, threshold in thresholds:
            print(
                f"  mean of {count} at the threshold for {rate:.0e}: "
                f"FNMR {np.mean(genuine > threshold):.4f} of {len(genuine)}, "
                f"FMR {np.mean(impostor <= threshold):.6f} of {len(impostor)}")


if __name__ == "__main__":
    command(main, __doc__)

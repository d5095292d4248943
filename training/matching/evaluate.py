#!/usr/bin/env python3
"""Error rates of one model set on photos of people who took no part in its training.

Input: embeddings and paths as `embed-photos` writes them, one folder a person. Every photo is compared with every
other. `--pairs` adds the accuracy on a list of pairs (CSV with path_a, path_b, same; paths end like those embedded):
ten folds, the threshold of each chosen on the other nine.
"""
import argparse
import csv
import json
from pathlib import Path

import numpy as np

from train import Normalisation, distances

RESAMPLES = 500


def load(path):
    """A saved normalisation, ready to predict."""
    data = path.read_bytes()
    features = int.from_bytes(data[8:12], "little")
    floats = np.frombuffer(data[12:], "<f4")
    result = Normalisation.__new__(Normalisation)
    result.frequencies = floats[: features * 128].reshape(features, 128)
    result.phases = floats[features * 128 : features * 129]
    result.coefficients = floats[features * 129 :].reshape(2, -1).T
    return result


def rates(score, people, name):
    i, j = np.triu_indices(len(people), 1)
    same = people[i] == people[j]
    genuine, impostor = score[i, j][same], score[i, j][~same]
    gperson, order = people[i][same], np.sort(impostor)
    count = np.bincount(people)
    even = 1 / (count[gperson] * (count[gperson] - 1) / 2)
    random = np.random.default_rng(1)
    weights = random.poisson(1, (RESAMPLES, len(count)))
    print(f"{name}: {len(people)} photos, {len(np.unique(people))} people, {len(genuine)} genuine, {len(impostor)} impostor")
    for rate in (1e-2, 1e-3, 1e-4):
        threshold = order[int(rate * len(order)) - 1]
        missed = genuine > threshold
        resampled = [np.average(missed, weights=w[gperson]) for w in weights if w[gperson].any()]
        matched = score <= threshold
        matched[people[:, None] == people[None]] = False
        worst = np.sort(matched.sum(1))[::-1]
        print(
            f"  FMR {rate:.0e}: threshold {threshold:.3f}, FNMR {missed.mean():.4f} "
            f"(95 % {np.quantile(resampled, 0.025):.4f}-{np.quantile(resampled, 0.975):.4f}), "
            f"each person equally {np.average(missed, weights=even):.4f}; "
            f"the worst 5 % of photos carry {worst[: len(worst) // 20].sum() / worst.sum():.0%} of false matches")


def pair_accuracy(score, index, rows, folds=10):
    found = [(index[r["path_a"]], index[r["path_b"]], r["same"] == "1") for r in rows if r["path_a"] in index and r["path_b"] in index]
    s = np.array([score[a, b] for a, b, _ in found])
    same = np.array([x for _, _, x in found])
    fold = np.random.default_rng(0).permutation(len(s)) % folds
    right = []
    for k in range(folds):
        learn = fold != k
        order = np.argsort(s[learn])
        ordered = same[learn][order]
        correct = np.cumsum(ordered) + (~ordered).sum() - np.cumsum(~ordered)
        best = correct.argmax()
        t = s[learn][order][best : best + 2].mean()
        right.append(((s[~learn] <= t) == same[~learn]).mean())
    print(f"  {len(found)} of {len(rows)} pairs: accuracy {np.mean(right):.4f} ± {np.std(right) / np.sqrt(folds):.4f} in {folds} folds")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("embeddings", type=Path)
    parser.add_argument("paths", type=Path)
    parser.add_argument("--set", default="default")
    parser.add_argument("--models", type=Path, default=Path(__file__).parents[2] / "models")
    parser.add_argument("--only", default="", help="all-pairs rates on paths that hold this text")
    parser.add_argument("--pairs", type=Path)
    arguments = parser.parse_args()
    names = arguments.paths.read_text().split("\n")[:-1]
    vectors = np.fromfile(arguments.embeddings, "<f4").reshape(-1, 128)
    people = np.unique([Path(n).parent.name for n in names], return_inverse=True)[1]
    mean, deviation = load(arguments.models / f"score-normalisation-{arguments.set}.bin").predict(vectors).T
    plain = distances(vectors, vectors)
    half = (plain - mean[:, None]) / deviation[:, None]
    normalised = (half + half.T) / 2
    chosen = np.array([arguments.only in n for n in names])
    for score, label in ((plain, "plain distance"), (normalised, "normalised score")):
        rates(score[np.ix_(chosen, chosen)], np.unique(people[chosen], return_inverse=True)[1], label)
    # At the thresholds that are shipped, which were set on other people.
    for t in json.loads((arguments.models / f"calibration-{arguments.set}.json").read_text())["thresholds"]:
        i, j = np.triu_indices(chosen.sum(), 1)
        s, who = normalised[np.ix_(chosen, chosen)][i, j], people[chosen]
        same = who[i] == who[j]
        print(f"  shipped threshold for {t['rate']}: FMR {(s[~same] <= t['score']).mean():.2e}, FNMR {(s[same] > t['score']).mean():.4f}")
    if arguments.pairs:
        rows = list(csv.DictReader(arguments.pairs.open()))
        ends = {r[k] for r in rows for k in ("path_a", "path_b")}
        parts = max(len(Path(end).parts) for end in ends)
        index = {}
        for i, name in enumerate(names):
            for count in range(1, parts + 1):
                end = "/".join(Path(name).parts[-count:])
                if end in ends:
                    index[end] = i
        for score, label in ((plain, "plain distance"), (normalised, "normalised score")):
            print(f"pairs, {label}:")
            pair_accuracy(score, index, rows)


if __name__ == "__main__":
    main()

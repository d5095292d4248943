#!/usr/bin/env python3
"""Error rates of one model set on photos of people who took no part in its training.

Input: embeddings and paths as `embed-photos` writes them, one folder a person. Every photo is compared with every
other. `--groups` measures false matches between strangers of one group (CSV with path, origin, sex, set; one photo a
person). `--pairs` adds the accuracy on a list of pairs (CSV with path_a, path_b, same; paths end like those embedded):
ten folds, the threshold of each chosen on the other nine.
"""
import argparse
import csv
import json
from pathlib import Path

import numpy as np
from scipy.stats import beta

import train

RESAMPLES = 500
# A group must have as many comparisons to be told from chance, and so must the rate of its worst.
FEWEST = 1000
# Below this score in all likelihood one person under two names, not strangers: see train.py.
SAME_PERSON = train.SAME_PERSON


def shipped(models, name):
    """(rate, score) of the operating points of a calibration, as the product interpolates them."""
    curve = json.loads((models / f"calibration-{name}.json").read_text())["curves"]["photo"]
    upper = np.log([p["falseMatchRateBounds"][1] for p in curve])
    return [(rate, float(np.interp(np.log(rate), upper, [p["score"] for p in curve]))) for rate in (1e-2, 1e-3, 1e-4)]


def bounds(k, n):
    """Exact binomial, 95 %."""
    low = beta.ppf(0.025, k, n - k + 1) if k else 0
    return low, beta.ppf(0.975, k + 1, n - k) if k < n else 1


def rates(score, people, name, thresholds=()):
    i, j = np.triu_indices(len(people), 1)
    same = people[i] == people[j]
    genuine, impostor = score[i, j][same], score[i, j][~same]
    gperson, order = people[i][same], np.sort(impostor)
    count = np.bincount(people)
    even = 1 / (count[gperson] * (count[gperson] - 1) / 2)
    random = np.random.default_rng(1)
    weights = random.poisson(1, (RESAMPLES, len(count)))
    print(f"{name}: {len(people)} photos, {len(np.unique(people))} people, {len(genuine)} mated, {len(impostor)} non-mated")

    def missed(threshold):
        beyond = genuine > threshold
        resampled = [np.average(beyond, weights=w[gperson]) for w in weights if w[gperson].any()]
        low, high = np.quantile(resampled, [0.025, 0.975])
        return (
            f"FNMR {beyond.mean():.4f} (95 % {low:.4f}-{high:.4f}), each person equally "
            f"{np.average(beyond, weights=even):.4f}")

    for rate in (1e-2, 1e-3, 1e-4):
        threshold = order[int(rate * len(order)) - 1]
        matched = score <= threshold
        matched[people[:, None] == people[None]] = False
        worst = np.sort(matched.sum(1))[::-1]
        print(
            f"  FMR {rate:.0e}: threshold {threshold:.3f}, {missed(threshold)}; "
            f"the worst 5 % of photos carry {worst[: len(worst) // 20].sum() / worst.sum():.0%} of false matches")
    for rate, threshold in thresholds:
        print(f"  shipped threshold for {rate:.0e} ({threshold:.2f}): FMR {(impostor <= threshold).mean():.2e}, {missed(threshold)}")
    return genuine


def group_rates(score, rows, index, thresholds, genuine):
    """False-match rates of strangers of one group at the shipped thresholds."""
    groups = {}
    for row in rows:
        if row["path"] in index:
            name = " ".join(x for x in (row["set"], row["origin"], row["sex"]) if x)
            groups.setdefault(name, []).append(index[row["path"]])
    values = {}
    print("groups: comparisons, share that matches at the shipped thresholds for " + ", ".join(f"{r:.0e}" for r, _ in thresholds))
    for name, members in sorted(groups.items()):
        i, j = np.triu_indices(len(members), 1)
        s = score[np.ix_(members, members)][i, j]
        same = int((s < SAME_PERSON).sum())
        s = s[s >= SAME_PERSON]
        text = []
        for _, t in thresholds:
            k = int((s <= t).sum())
            low, high = bounds(k, len(s))
            text.append(f"{k / len(s):.2e} ({low:.1e}-{high:.1e})")
        if len(s) >= FEWEST:
            values[name] = np.sort(s)
        print(f"  {name}: {len(s)}{f', {same} taken for one person' if same else ''}: {', '.join(text)}")
    worst = min(values, key=lambda n: values[n][int(0.01 * len(values[n])) - 1])
    threshold = values[worst][int(0.01 * len(values[worst])) - 1]
    print(
        f"with the worst group at 1e-2 ({worst}, threshold {threshold:.2f}): "
        f"FNMR {(genuine > threshold).mean():.4f} of {len(genuine)}")


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


def indexed(names, ends):
    """Where the files are whose names end so."""
    parts = max(len(Path(end).parts) for end in ends)
    index = {}
    for i, name in enumerate(names):
        for count in range(1, parts + 1):
            end = "/".join(Path(name).parts[-count:])
            if end in ends:
                index[end] = i
    return index


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("embeddings", type=Path)
    parser.add_argument("paths", type=Path)
    parser.add_argument("--set", default="default")
    parser.add_argument("--models", type=Path, default=Path(__file__).parents[2] / "models")
    parser.add_argument("--only", default="", help="all-pairs rates on paths that hold this text")
    parser.add_argument("--groups", type=Path)
    parser.add_argument("--pairs", type=Path)
    arguments = parser.parse_args()
    embeddings, names, people = train.read(arguments.embeddings, arguments.paths)
    project, normalisation = train.load(arguments.models / f"score-normalisation-{arguments.set}.bin")
    vectors = project(embeddings) if project else embeddings
    statistics = normalisation.predict(vectors)
    score = train.scores(vectors, statistics, vectors, statistics)
    thresholds = shipped(arguments.models, arguments.set)
    chosen = np.array([arguments.only in n for n in names])
    who = np.unique(people[chosen], return_inverse=True)[1]
    rates(train.distances(vectors[chosen], vectors[chosen]), who, "plain distance")
    genuine = rates(score[np.ix_(chosen, chosen)], who, "normalised score", thresholds)
    if arguments.groups:
        rows = list(csv.DictReader(arguments.groups.open()))
        group_rates(score, rows, indexed(names, {r["path"] for r in rows}), thresholds, genuine)
    if arguments.pairs:
        rows = list(csv.DictReader(arguments.pairs.open()))
        index = indexed(names, {r[k] for r in rows for k in ("path_a", "path_b")})
        print("pairs, normalised score:")
        pair_accuracy(score, index, rows)


if __name__ == "__main__":
    main()

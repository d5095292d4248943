#!/usr/bin/env python3
"""Learns the score normalisation and its calibration for one model set.

Input: embeddings of photos of many people, one folder a person, as `embed-photos` writes them (128 32-bit floats a
photo) with the list of paths. Output, in the models folder: score-normalisation-SET.bin and calibration-SET.json.

What is learned: from one embedding, the mean and the deviation of its distances to its nearest strangers. The strangers
are one photo of each other person; they serve to make the targets and are not in the output.

The calibration is cross-fitted: people are dealt into five parts, and in each part scores are computed with a
normalisation learned without anybody of that part. Only comparisons inside a part are counted, so that both sides of
each are strangers to the normalisation that judges them.
"""
import argparse
import datetime
import hashlib
import json
import re
import struct
from pathlib import Path

import numpy as np

SEED = 20261121
FEATURES = 1024  # random Fourier features
NEAREST = 300  # 100 to 1000 do about equally well, the whole cohort loses the gain
PENALTY = 30.0  # ridge, on standardised features
PARTS = 5
PHOTOS_A_PERSON = 5  # in the calibration, so that a few much photographed people do not stand for all
RATES = ["1e-2", "1e-3", "1e-4"]
RESAMPLES = 1000
# ISO/IEC 19795-1, rule of 30: with 30 observed errors the true rate is within 30 % of the observed one, 90 times in 100.
FEWEST_ERRORS = 30


def distances(a, b):
    squares = (a * a).sum(1)[:, None] + (b * b).sum(1)[None] - 2 * a @ b.T
    return np.sqrt(np.maximum(squares, 0))


def stranger_statistics(vectors, people, cohort):
    """Mean and deviation of each vector's distances to its NEAREST cohort members who are other people."""
    result = np.empty((len(vectors), 2))
    for start in range(0, len(vectors), 1000):
        rows = slice(start, start + 1000)
        d = distances(vectors[rows], vectors[cohort])
        d[people[rows][:, None] == people[cohort][None]] = np.inf
        nearest = np.partition(d, NEAREST, axis=1)[:, :NEAREST]
        result[rows] = np.stack([nearest.mean(1), nearest.std(1)], 1)
    return result


class Normalisation:
    def __init__(self, vectors, people):
        random = np.random.default_rng(SEED)
        self.frequencies = random.standard_normal((FEATURES, 128)).astype("f4")
        self.phases = random.uniform(0, 2 * np.pi, FEATURES).astype("f4")
        cohort = np.unique(people, return_index=True)[1]
        targets = stranger_statistics(vectors, people, cohort)
        x = self.features(vectors)
        mean, deviation = x.mean(0), x.std(0) + 1e-12
        z = (x - mean) / deviation
        centre = targets.mean(0)
        weights = np.linalg.solve(z.T @ z + PENALTY * np.eye(z.shape[1]), z.T @ (targets - centre)) / deviation[:, None]
        self.coefficients = np.concatenate([(centre - mean @ weights)[None], weights]).astype("f4")

    def features(self, vectors):
        waves = np.cos(vectors @ self.frequencies.T + self.phases)
        length = np.sqrt((vectors * vectors).sum(1, keepdims=True))
        return np.concatenate([waves, vectors, vectors * vectors, length], 1).astype("f8")

    def predict(self, vectors):
        statistics = self.coefficients[0] + self.features(vectors) @ self.coefficients[1:].astype("f8")
        statistics[:, 1] = np.maximum(statistics[:, 1], 0.01)
        return statistics

    def save(self, path):
        with open(path, "wb") as file:
            file.write(b"FVSN" + struct.pack("<II", 1, FEATURES))
            for part in (self.frequencies, self.phases, self.coefficients.T):
                file.write(np.ascontiguousarray(part, dtype="<f4").tobytes())


def scores(vectors, statistics):
    """All scores between the vectors: the distance in units of each side's nearest strangers, both sides averaged."""
    d = distances(vectors, vectors)
    mean, deviation = statistics.T
    half = (d - mean[:, None]) / deviation[:, None]
    return (half + half.T) / 2


def few_each(people, most):
    """Indices of at most `most` photos of each person, the first ones."""
    seen = {}
    return np.array([i for i, p in enumerate(people) if seen.setdefault(p, []).append(i) or len(seen[p]) <= most])


def calibrate(parts):
    """From (scores, people) of each part to thresholds and the curve, with bounds from resampling people."""
    impostor, genuine = [], []
    for s, people in parts:
        i, j = np.triu_indices(len(people), 1)
        same = people[i] == people[j]
        impostor.append((s[i, j][~same], people[i][~same], people[j][~same]))
        genuine.append((s[i, j][same], people[i][same]))
    value, one, other = (np.concatenate(x) for x in zip(*impostor))
    order = np.argsort(value)
    value, one, other = value[order], one[order], other[order]
    gvalue, gperson = (np.concatenate(x) for x in zip(*genuine))
    total = len(value)

    # Poisson bootstrap over people: a comparison counts with the product of its two people's weights.
    random = np.random.default_rng(SEED)
    people = np.unique(np.concatenate([p for _, p in parts]))
    index = {p: k for k, p in enumerate(people)}
    one, other, gperson = (np.array([index[p] for p in x]) for x in (one, other, gperson))
    weights = random.poisson(1, (RESAMPLES, len(people))).astype("f4")
    counts = [np.bincount([index[p] for p in ppl], minlength=len(people)) for _, ppl in parts]
    totals = sum((((weights * c).sum(1)) ** 2 - (weights**2 * c**2).sum(1)) / 2 for c in counts)

    def bounds(k):
        """95 % bounds of the share of the k smallest impostor scores."""
        matches = np.zeros(RESAMPLES)
        for start in range(0, k, 20000):
            rows = slice(start, min(k, start + 20000))
            matches += (weights[:, one[rows]] * weights[:, other[rows]]).sum(1)
        return np.quantile(matches / totals, [0.025, 0.975])

    def refused(threshold):
        missed = (gvalue > threshold).astype("f4")
        share = np.array([(w[gperson] * missed).sum() / max(w[gperson].sum(), 1) for w in weights])
        return float(missed.mean()), [float(x) for x in np.quantile(share, [0.025, 0.975])]

    thresholds = []
    for rate in RATES:
        k = int(float(rate) * total)
        if k < FEWEST_ERRORS:
            continue
        low, high = bounds(k)
        threshold = float(np.round(value[k - 1], 4))
        rejection, rejection_bounds = refused(threshold)
        thresholds.append(
            dict(
                rate=rate, score=threshold, falseMatches=k,
                falseMatchRateBounds=[float(f"{low:.3g}"), float(f"{high:.3g}")],
                falseNonMatchRate=round(rejection, 4),
                falseNonMatchRateBounds=[round(x, 4) for x in rejection_bounds],
            )
        )
    curve = []
    first = max(FEWEST_ERRORS, int(1e-5 * total))
    for k in np.unique(np.geomspace(first, total // 2, 33).astype(int)):
        high = bounds(k)[1] if k < 300000 else k / total
        curve.append(dict(score=float(np.round(value[k - 1], 4)), rate=float(f"{k / total:.3g}"), upper=float(f"{max(high, k / total):.3g}")))
    curve.append(dict(score=float(np.round(value[-1], 4)), rate=1.0, upper=1.0))
    return thresholds, curve, len(gvalue), total


def pin(manifest, path):
    """Writes a file's new hash and size into its entry of the manifest."""
    data = path.read_bytes()
    text = manifest.read_text()
    entry = re.compile(
        r'("file": "%s",\s*"sha256": ")[0-9a-f]*(",\s*"size": )\d+' % re.escape(path.name))
    text, count = entry.subn(rf"\g<1>{hashlib.sha256(data).hexdigest()}\g<2>{len(data)}", text)
    if count != 1:
        raise SystemExit(f"{manifest} has no entry for {path.name}: add one")
    manifest.write_text(text)
    print(f"wrote {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("embeddings", type=Path, help="the file that embed-photos wrote")
    parser.add_argument("paths", type=Path, help="the list that embed-photos printed")
    parser.add_argument("--set", default="default", help="the model set that made them (default: default)")
    parser.add_argument("--dataset", default="Labeled Faces in the Wild, deep-funneled", help="named in the calibration")
    parser.add_argument("--models", type=Path, default=Path(__file__).parents[2] / "models")
    parser.add_argument("--date", default=datetime.date.today().isoformat())
    arguments = parser.parse_args()

    names = arguments.paths.read_text().split("\n")[:-1]
    vectors = np.fromfile(arguments.embeddings, "<f4").reshape(-1, 128)
    people = np.unique([Path(n).parent.name for n in names], return_inverse=True)[1]
    print(f"{len(vectors)} photos of {people.max() + 1} people")

    # The parts are dealt by a hash of the person's name: the same in every run and for every model set.
    folder = np.array([Path(n).parent.name for n in names])
    part = np.array([hashlib.sha256(n.encode()).digest()[0] % PARTS for n in folder])
    parts = []
    correlations = []
    used = 0
    for k in range(PARTS):
        inside = part == k
        normalisation = Normalisation(vectors[~inside], people[~inside])
        held, who = vectors[inside], people[inside]
        cohort = np.flatnonzero(~inside)[np.unique(people[~inside], return_index=True)[1]]
        truth = stranger_statistics(
            np.concatenate([held, vectors[cohort]]), np.concatenate([who, people[cohort]]),
            np.arange(len(held), len(held) + len(cohort)))[: len(held)]
        predicted = normalisation.predict(held)
        correlations.append([np.corrcoef(truth[:, c], predicted[:, c])[0, 1] for c in (0, 1)])
        few = few_each(who, PHOTOS_A_PERSON)
        used += len(few)
        parts.append((scores(held[few], predicted[few]), who[few]))
    print("correlation with the truth on people never seen: mean %.3f, deviation %.3f" % tuple(np.mean(correlations, 0)))

    thresholds, curve, genuine, impostor = calibrate(parts)
    for t in thresholds:
        print(t)
    weights = arguments.models / f"score-normalisation-{arguments.set}.bin"
    Normalisation(vectors, people).save(weights)
    calibration = dict(
        schema=1, modelSet=arguments.set,
        source=dict(
            dataset=arguments.dataset, subjects=int(people.max() + 1), photos=int(used),
            genuineComparisons=int(genuine), impostorComparisons=int(impostor), date=arguments.date,
            method=f"cross-fitted over {PARTS} parts of people, at most {PHOTOS_A_PERSON} photos a person; "
            f"95 % bounds by {RESAMPLES} resamplings of people"),
        thresholds=thresholds, curve=curve)
    path = arguments.models / f"calibration-{arguments.set}.json"
    path.write_text(json.dumps(calibration, indent=1) + "\n")
    for file in (weights, path):
        pin(arguments.models / "manifest.json", file)


if __name__ == "__main__":
    main()

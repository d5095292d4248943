#!/usr/bin/env python3
"""Fits the score normalisation and its calibration for one model set.

    train.py EMBEDDINGS PATHS [--chip EMBEDDINGS PATHS] [--page EMBEDDINGS PATHS] [--set default] [--dataset NAME]

Input: embeddings of photos of many people of various origins, one folder per person, as written by `embed-photos`
(32-bit floats), with the list of paths; and the same of the portraits of these people that documents.py made. Output, in
the models folder: score-normalisation-SET.bin and calibration-SET.json.

The normalisation consists of the embeddings' first 128 principal components (not for dlib's 128 numbers) and of a
regression from these to the mean and standard deviation of a face's distances to its cohort: its nearest embeddings
among one photo of each other person. These photos only define the targets and are not in the output.

The calibration is cross-fitted: people are split into five parts, and two people are compared with a normalisation
fitted without both of their parts. Similar people are grouped by their embeddings alone; a false-match rate is that of
the worst group.
"""
import datetime
import hashlib
import json
import struct
import sys
from pathlib import Path

import numpy as np
from scipy.cluster.vq import kmeans2

sys.path.append(str(Path(__file__).resolve().parents[1]))
from shared import MODELS, command, pin

SEED = 20261121
DIMENSIONS = 128
FEATURES = 2048  # random Fourier features
# Bandwidth of their frequencies, for unit vectors, which are about 1.3 apart; dlib's are about 0.9 apart.
BANDWIDTH = {"dlib": 1.0}
USUAL_BANDWIDTH = 1.5
NEAREST = 300  # 100 to 1000 perform about equally; the whole cohort loses the gain
PENALTY = 30.0  # ridge, on standardised features
LEAST_DEVIATION = 0.01
PARTS = 5
PHOTOS_A_PERSON = 5  # in the calibration, so that often photographed people do not dominate
# About as many people as share sex, origin and age among some thousands; a group needs enough comparisons for a
# reliable rate.
PEOPLE_OF_GROUP = 180
FEWEST_OF_GROUP = 5000  # comparisons
# Two names with photos this close are treated as one person and not counted. Of 130 such pairs inspected, with scores
# from -12 to -6.3 (retail set), nearly all below -8 showed one person. Most span two overlapping collections: within
# groups, non-mated comparisons are therefore counted within a collection only.
SAME_PERSON = -8.0
RESAMPLES = 400
LARGEST_RATE = 1e-2  # that the product supports
# ISO/IEC 19795-1, rule of 30: with 30 observed errors, the true rate is within 30 % of the observed one with 90 %
# confidence.
FEWEST_ERRORS = 30


def distances(a, b):
    squares = (a * a).sum(1)[:, None] + (b * b).sum(1)[None] - 2 * a @ b.T
    return np.sqrt(np.maximum(squares, 0))


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def one_each(people):
    return np.unique(people, return_index=True)[1]


def stranger_statistics(vectors, people, cohort, cohort_people):
    """Mean and standard deviation of each vector's distances to its NEAREST cohort members, other people only."""
    result = np.empty((len(vectors), 2))
    for start in range(0, len(vectors), 1000):
        rows = slice(start, start + 1000)
        d = distances(vectors[rows], cohort)
        d[people[rows][:, None] == cohort_people[None]] = np.inf
        nearest = np.partition(d, NEAREST, axis=1)[:, :NEAREST]
        result[rows] = np.stack([nearest.mean(1), nearest.std(1)], 1)
    return result


class Projection:
    """The principal components of one photo per person."""

    def __init__(self, embeddings, people):
        one = embeddings[one_each(people)]
        self.matrix = np.linalg.svd(one - one.mean(0), full_matrices=False)[2][:DIMENSIONS].astype("f4")

    def __call__(self, embeddings):
        return unit(embeddings @ self.matrix.T)


class Normalisation:
    def __init__(self, vectors, people, bandwidth=USUAL_BANDWIDTH):
        random = np.random.default_rng(SEED)
        self.frequencies = bandwidth * random.standard_normal((FEATURES, DIMENSIONS)).astype("f4")
        self.phases = random.uniform(0, 2 * np.pi, FEATURES).astype("f4")
        cohort = one_each(people)
        targets = stranger_statistics(vectors, people, vectors[cohort], people[cohort])
        x = self.features(vectors)
        mean, deviation = x.mean(0), x.std(0) + 1e-6
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
        statistics[:, 1] = np.maximum(statistics[:, 1], LEAST_DEVIATION)
        return statistics


def save(path, projection, normalisation):
    with open(path, "wb") as file:
        matrix = projection.matrix if projection else np.zeros((DIMENSIONS, 0), "f4")
        file.write(b"FVSN" + struct.pack("<III", 2, FEATURES, matrix.shape[1]))
        for part in (matrix, normalisation.frequencies, normalisation.phases, normalisation.coefficients.T):
            file.write(np.ascontiguousarray(part, dtype="<f4").tobytes())


def load(path):
    """Reads a stored projection, or None, and the normalisation, ready to predict."""
    data = path.read_bytes()
    version, features, inputs = struct.unpack("<III", data[4:16])
    if data[:4] != b"FVSN" or version != 2:
        raise SystemExit(f"{path} is no score normalisation of version 2")
    floats = np.frombuffer(data[16:], "<f4")
    parts = np.split(floats, np.cumsum([DIMENSIONS * inputs, features * DIMENSIONS, features]))
    projection = None
    if inputs:
        projection = Projection.__new__(Projection)
        projection.matrix = parts[0].reshape(DIMENSIONS, inputs)
    result = Normalisation.__new__(Normalisation)
    result.frequencies = parts[1].reshape(features, DIMENSIONS)
    result.phases = parts[2]
    result.coefficients = parts[3].reshape(2, -1).T
    return projection, result


def person_of(name):
    """The folder of a photo, including its collection's."""
    return "/".join(Path(name).parts[-3:-1])


def read(embeddings, paths):
    """Embeddings, their file names, and the people as numbers."""
    names = Path(paths).read_text().split("\n")[:-1]
    folders = [person_of(n) for n in names]
    vectors = np.fromfile(embeddings, "<f4").reshape(len(names), -1)
    return vectors, names, np.unique(folders, return_inverse=True)[1]


def scores(a, a_statistics, b, b_statistics):
    """All scores between two lists: the distance in units of each side's cohort, averaged over both sides."""
    d = distances(a, b)
    one = (d - a_statistics[:, :1]) / a_statistics[:, 1:]
    other = (d - b_statistics[:, 0]) / b_statistics[:, 1]
    return (one + other) / 2


def few_each(people, most):
    """Indices of the first photos of each person, at most `most`."""
    seen = {}
    return np.array([i for i, p in enumerate(people) if seen.setdefault(p, []).append(i) or len(seen[p]) <= most])


class CrossFitted:
    """Scores of all pairs of photos, with a normalisation fitted without either person."""

    def __init__(self, vectors, people, parts, bandwidth):
        self.vectors, self.people, self.parts = vectors, people, parts
        self.fitted = {}
        for one in range(PARTS):
            for other in range(one, PARTS):
                learn = (parts != one) & (parts != other)
                self.fitted[one, other] = Normalisation(vectors[learn], people[learn], bandwidth)
            print(f"cross-fitted {one + 1} of {PARTS}", flush=True)

    def scores(self, vectors, parts):
        """Scores of each of the photos against each of `vectors`."""
        result = np.zeros((len(self.vectors), len(vectors)), "f4")
        for one in range(PARTS):
            for other in range(PARTS):
                fitted = self.fitted[min(one, other), max(one, other)]
                rows, columns = np.flatnonzero(self.parts == one), np.flatnonzero(parts == other)
                a, b = self.vectors[rows], vectors[columns]
                result[np.ix_(rows, columns)] = scores(a, fitted.predict(a), b, fitted.predict(b))
        return result


class Pairs:
    """Non-mated comparisons within a group and within collections, with one photo per person: sorted scores, and
    bootstrap samples over people."""

    def __init__(self, score, collections, random):
        i, j = np.nonzero(np.triu(strangers(score, collections, collections), 1))
        values = score[i, j]
        order = np.argsort(values)
        self.values, self.total = values[order], len(values)
        weights = random.poisson(1, (RESAMPLES, len(score))).astype("f4")
        totals = 0
        for one in np.unique(collections):
            mine = weights[:, collections == one]
            totals = totals + (mine.sum(1) ** 2 - (mine**2).sum(1)) / 2
        # Only close pairs are needed: the others match at none of the rates used.
        close = order[: max(5, int(0.03 * len(order)))]
        self.resampled = np.cumsum(weights[:, i[close]] * weights[:, j[close]], 1) / np.maximum(totals, 1)[:, None]

    def rate(self, score):
        return np.searchsorted(self.values, score, "right") / self.total

    def bounds(self, score):
        k = np.searchsorted(self.values, score, "right")
        if k == 0:
            return 0.0, 0.0
        if k > self.resampled.shape[1]:
            return k / self.total, k / self.total
        return tuple(np.quantile(self.resampled[:, k - 1], [0.025, 0.975]))


def strangers(score, collections, other_collections):
    return (collections[:, None] == other_collections[None]) & (score > SAME_PERSON)


class Groups:
    """Groups of similar people, formed by embeddings alone, and the ratio of the worst group's rate to that of all
    groups."""

    def __init__(self, score, vectors, people, collections):
        self.random = np.random.default_rng(SEED)
        one = one_each(people)
        count = round(len(one) / PEOPLE_OF_GROUP)
        labels = kmeans2(vectors[one].astype("f8"), count, minit="++", seed=SEED, iter=40)[1]
        self.of_person = dict(zip(people[one], labels))
        members = [one[labels == k] for k in range(count)]
        groups = [Pairs(score[np.ix_(m, m)], collections[m], self.random) for m in members if len(m) > 1]
        groups = [g for g in groups if g.total >= FEWEST_OF_GROUP]
        alike = np.sort(np.concatenate([g.values for g in groups]))
        self.count = len(groups)
        print(f"{len(groups)} groups with {min(g.total for g in groups)} to {max(g.total for g in groups)} comparisons")

        # Groups have too few close pairs for small rates: the ratio to all groups is estimated where they have enough.
        def worst(s):
            group = max(groups, key=lambda g: g.rate(s))
            return np.array([group.bounds(s)[0], group.rate(s), group.bounds(s)[1]]) / share(alike, s)

        ratios = [worst(alike[int(r * len(alike))]) for r in np.geomspace(3e-4, 5e-3, 8)]
        self.lower, self.middle, self.upper = np.median(ratios, 0)
        print(f"the worst group has {self.middle:.2f} ({self.lower:.2f}-{self.upper:.2f}) times the rate of all groups")

    def alike(self, score, people, portrait_people, collections, portrait_collections):
        """Sorted scores of non-mated pairs within groups; rows and columns of `score` have one photo per person."""
        mine = np.array([self.of_person[p] for p in people])
        theirs = np.array([self.of_person[p] for p in portrait_people])
        # Each pair of people once.
        return np.sort(score[
            (mine[:, None] == theirs[None]) & (people[:, None] < portrait_people[None])
            & strangers(score, collections, portrait_collections)])

    def worst(self, pooled, count):
        """The worst group's rate and its 95 % bounds, from the rate of all groups and the number of pairs seen."""
        spread = np.exp(1.96 / np.sqrt(max(count, 1))) if count < 1000 else 1  # of a Poisson count
        return pooled * self.middle, pooled * self.lower / spread, pooled * self.upper * spread


class Everybody:
    """Non-mated comparisons of one photo per person with all others: sorted scores, and bootstrap bounds over people."""

    def __init__(self, score, people, portrait_people, random):
        # Each pair of people once.
        i, j = np.nonzero((people[:, None] < portrait_people[None]) & (score > SAME_PERSON))
        values = score[i, j]
        order = np.argsort(values)
        self.values = values[order]
        order = order[: int(10 * LARGEST_RATE * len(order))]
        self.pairs = people[i[order]], portrait_people[j[order]]
        weights = random.poisson(1, (RESAMPLES, max(people.max(), portrait_people.max()) + 1)).astype("f4")
        both = np.intersect1d(people, portrait_people)
        self.resamples = [
            (w, (w[people].sum() * w[portrait_people].sum() - (w[both] ** 2).sum()) / 2) for w in weights]

    def bounds(self, scores):
        """The rates at ascending scores, at least that of one comparison, and their 95 % bounds."""
        ends = np.searchsorted(self.values, scores, "right")
        rates = np.maximum(ends, 1) / len(self.values)
        ends = np.minimum(ends, len(self.pairs[0]))
        found = np.empty((RESAMPLES, len(scores)))
        for row, (weights, total) in zip(found, self.resamples):
            sums = np.concatenate([[0], np.cumsum(weights[self.pairs[0]] * weights[self.pairs[1]], dtype="f8")])
            row[:] = sums[ends] / total
        lower, upper = np.quantile(found, [0.025, 0.975], axis=0)
        # The total of pairs whose people are distinct includes the excluded scores: a rate is never outside its bounds.
        return rates, np.minimum(lower, rates), np.maximum(upper, rates)


def collections_of(names):
    return np.array([Path(n).parts[-3] for n in names])


def share(values, s):
    return np.searchsorted(values, s, "right") / len(values)


def extrapolated(curve, point):
    """Adds points for smaller rates than observed, extrapolated with the slope of the curve's last decade.

    The curve steepens towards its end, so that the true rates are even smaller. These points state that no false
    match was observed. """
    first = curve[0]
    upper = np.log10([p["falseMatchRateBounds"][1] for p in curve])
    score = [p["score"] for p in curve]
    decade = np.interp(-2, upper, score) - np.interp(-3, upper, score)
    added = []
    for rate in (1e-5, 1e-4):
        part = rate / first["falseMatchRateBounds"][1]
        if part < 0.95:
            upper = first["overallFalseMatchRateBounds"][1]
            added.append(point(
                first["score"] + decade * np.log10(part), 0, (part * first["falseMatchRate"], 0.0, rate),
                (part * first["overallFalseMatchRate"], 0.0, part * upper)))
    return added + curve


def curve_of(groups, score, people, portrait_people, names, portrait_names):
    """The calibration curve of photos of `people` against those of `portrait_people`, without a photo against its own
    document."""
    collections, portrait_collections = collections_of(names), collections_of(portrait_names)
    one, other = one_each(people), one_each(portrait_people)
    single = score[np.ix_(one, other)]
    alike = groups.alike(
        single, people[one], portrait_people[other], collections[one], portrait_collections[other])
    everybody = Everybody(single, people[one], portrait_people[other], groups.random)
    few, few_portraits = few_each(people, PHOTOS_A_PERSON), few_each(portrait_people, PHOTOS_A_PERSON)
    same = people[few][:, None] == portrait_people[few_portraits][None]
    files, portrait_files = (np.array([Path(n).stem for n in x]) for x in (names, portrait_names))
    same &= files[few][:, None] != portrait_files[few_portraits][None]
    if names is portrait_names:
        same = np.triu(same, 1)
    genuine, person = score[np.ix_(few, few_portraits)][same], np.broadcast_to(people[few][:, None], same.shape)[same]
    weights = groups.random.poisson(1, (RESAMPLES, people.max() + 1)).astype("f4")[:, person]

    def point(s, seen, worst, overall):
        missed = (genuine > s).astype("f4")
        bounds = np.quantile(weights @ missed / np.maximum(weights.sum(1), 1), [0.025, 0.975])
        found = dict(score=float(f"{s:.5g}"), falseMatches=seen)
        for name, (rate, lower, upper) in (("falseMatchRate", worst), ("overallFalseMatchRate", overall)):
            found[name] = float(f"{rate:.3g}")
            found[name + "Bounds"] = [float(f"{min(lower, rate):.3g}"), float(f"{upper:.4g}")]
        return dict(
            found, falseNonMatchRate=round(float(missed.mean()), 4),
            falseNonMatchRateBounds=[round(float(x), 4) for x in bounds])

    def ranks(values, least, most):
        return np.unique(values[np.unique(np.geomspace(least, most, 36).astype(int)) - 1])

    curve = []
    scores = np.unique(np.r_[
        ranks(alike, 5, len(alike) // 4), alike[-1], everybody.values[-1],
        # From the rule of 30, not where the worst group's rates are extrapolated.
        ranks(everybody.values, FEWEST_ERRORS, 2 * LARGEST_RATE * len(everybody.values))])
    scores = np.unique(scores[scores >= alike[4]].round(4))
    # Monotonic, with strictly increasing bounds, so that each rate has one score.
    last, last_overall = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)

    def following(last, rate, lower, upper):
        rate = min(max(rate, last[0]), 1.0)
        return rate, lower, min(max(upper, rate, last[2] * 1.001), 1.0)

    for s, *overall in zip(scores, *everybody.bounds(scores)):
        pooled = share(alike, s)
        seen = int(round(pooled * len(alike)))
        last = following(last, *groups.worst(pooled, seen))
        last_overall = following(last_overall, *overall)
        curve.append(point(s, seen, last, last_overall))
        if last[2] == 1:
            break
    return extrapolated(curve, point), len(genuine), len(everybody.values), len(alike)


def main(
        embeddings: Path, paths: Path, *, chip: list[Path] = [], page: list[Path] = [], set: str = "default",
        dataset: str = "Labeled Faces in the Wild, deep-funneled, and 14 collections of portraits", models: Path = MODELS,
        date: str = datetime.date.today().isoformat()):
    embeddings, names, people = read(embeddings, paths)
    print(f"{len(embeddings)} photos of {people.max() + 1} people")

    def parts_of(names):
        """Assigned by a hash of the person's name: the same in every run and for every model set."""
        return np.array([hashlib.sha256(person_of(n).encode()).digest()[0] % PARTS for n in names])

    bandwidth = BANDWIDTH.get(set, USUAL_BANDWIDTH)
    projection = Projection(embeddings, people) if set != "dlib" else None
    vectors = projection(embeddings) if projection else embeddings
    fitted = CrossFitted(vectors, people, parts_of(names), bandwidth)
    score = fitted.scores(vectors, parts_of(names))
    groups = Groups(score, vectors, people, collections_of(names))
    curve, genuine, impostor, alike = curve_of(groups, score, people, people, names, names)
    calibration = dict(
        schema=3, modelSet=set,
        source=dict(
            dataset=dataset, subjects=int(people.max() + 1), photos=len(embeddings),
            genuineComparisons=genuine, impostorComparisons=impostor, groups=groups.count, groupComparisons=alike,
            date=date,
            method=f"cross-fitted over {PARTS} parts of people; one photo a person, at most {PHOTOS_A_PERSON} for mated "
            f"comparisons; groups by k-means on embeddings, within collections; 95 % bounds by {RESAMPLES} resamplings of people"),
        curves=dict(photo=curve))
    who = dict(zip(map(person_of, names), people))
    for kind, files in (("chip", chip), ("page", page)):
        if files:
            portraits, portrait_names, _ = read(*files)
            portrait_people = np.array([who[person_of(n)] for n in portrait_names])
            portraits = projection(portraits) if projection else portraits
            found = curve_of(
                groups, fitted.scores(portraits, parts_of(portrait_names)), people, portrait_people, names,
                portrait_names)
            calibration["curves"][kind] = found[0]
            print(f"{kind}: {found[1]} mated, {found[2]} non-mated, {found[3]} within groups")
    for kind, points in calibration["curves"].items():
        for point in points:
            print(kind, point)
    weights = models / f"score-normalisation-{set}.bin"
    save(weights, projection, Normalisation(vectors, people, bandwidth))
    path = models / f"calibration-{set}.json"
    path.write_text(json.dumps(calibration, indent=1) + "\n")
    for file in (weights, path):
        pin(file)


if __name__ == "__main__":
    command(main, __doc__)

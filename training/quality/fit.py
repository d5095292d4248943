#!/usr/bin/env python3
"""Fits the unified quality score to the measurements of `training/quality/run`, and evaluates it on held-out people.

The fit estimates the factor by which each defect of either photo multiplies the odds of a false non-match at a
false-match rate of 1e-3. It is a logistic regression on comparisons of two photos of one person: the log-odds are a
constant plus, for each photo and measure, a piecewise linear curve that is never below 0 and never falls as the measure
gets worse.
"""
import csv
import html
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

SEED = 20261122
RESAMPLES = 1000
PENALTY = 3  # ridge, on the height of each piece
LARGEST_DISCARD = 0.3

# Where a measure starts to be a defect, and the corners of its curve. Except for clear faults, curves tolerate
# variation between people rather than photos: those of exposure, colours and eye openness start beyond the range of 19
# of 20 ordinary photos. Sharpness: ordinary portraits of high resolution reach 0.94; higher values are noise. Each
# piece of a pose curve costs at least LEAST, whatever the press photos show, because few of their faces are turned.
LEAST = 0.05
CURVES = {
    "inter-eye-distance": [("below", [36, 30, 24, 18, 14, 10], 0)],
    "head-pose-yaw": [("above", [5, 12, 20, 30, 45], LEAST), ("below", [-5, -12, -20, -30, -45], LEAST)],
    "head-pose-pitch": [("above", [5, 12, 20, 30], LEAST), ("below", [-5, -12, -20, -30], LEAST)],
    "head-pose-roll": [("above", [5, 12, 20, 40], 0), ("below", [-5, -12, -20, -40], 0)],
    "eyes-open": [("below", [0.12, 0.08, 0.06, 0.04], 0)],
    "eyes-visible": [("below", [0.75, 0.65, 0.5, 0.3], 0)],
    "mouth-closed": [("above", [0.05, 0.12, 0.2, 0.3], 0)],
    "mouth-occlusion-prevention": [("above", [12, 16, 20, 30], 0)],
    "sharpness": [("below", [0.6, 0.52, 0.48, 0.44, 0.4, 0.36], 0), ("above", [0.95, 1.05, 1.2, 1.5], 0)],
    "under-exposure": [("above", [0.03, 0.1, 0.3, 0.7], 0)],
    "over-exposure": [("above", [0.01, 0.03, 0.1, 0.3, 0.6], 0)],
    "dynamic-range": [("below", [6.25, 5.5, 4.5, 3.5], 0)],
    "illumination-uniformity": [("below", [0.8, 0.65, 0.5, 0.35, 0.2], 0)],
    "natural-colour": [("above", [5, 10, 20], 0)],
}
TIED = ["head-pose-yaw", "head-pose-roll"]  # one curve for both sides


class Part:
    def __init__(self, folder, name):
        with open(folder / f"{name}.csv") as file:
            self.rows = list(csv.DictReader(file))
        pairs = np.loadtxt(folder / f"{name}.pairs", delimiter=",", skiprows=1)
        self.pairs, self.error = pairs[:, :2].astype(int), pairs[:, 2] > 0
        paths = [Path(row["path"]) for row in self.rows]
        self.person = np.array([path.parent.name for path in paths])
        self.damaged = np.array([f"{name}-damaged" in str(path) for path in paths])
        source = np.array([p.stem.rsplit("-", 1)[0] if d else p.stem for p, d in zip(paths, self.damaged)])
        i, j = self.pairs.T
        self.usable = ~(self.damaged[i] & self.damaged[j]) & (source[i] != source[j])
        self.has_damaged = self.damaged[i] | self.damaged[j]

    def values(self, measure):
        return np.array([float(row[measure]) if row[measure] else np.nan for row in self.rows])

    def weights(self, chosen):
        """Weights that count each photo once, however many other photos of its person there are."""
        count = np.bincount(self.pairs[chosen].ravel(), minlength=len(self.rows))
        return (0.5 / count[self.pairs[chosen]]).sum(1)


def pieces(part):
    """One column per piece, from 0 before it to 1 after it; and its meaning: (measure, side, from, to, least)."""
    columns, names = [], []
    for measure, sides in CURVES.items():
        values = part.values(measure)
        for side, corners, least in sides:
            for a, b in zip(corners, corners[1:]):
                columns.append(np.clip((values - a) / (b - a), 0, 1))
                names.append((measure, side, a, b, least))
    return np.array(columns).T, names


def learn(columns, names, part):
    """Fits the height of each piece, and the constant."""
    key = {}
    tied = [
        key.setdefault((m, abs(a), abs(b)) if m in TIED else (m, a, b), len(key)) for m, _, a, b, _ in names
    ]
    both = np.zeros((len(columns), len(key)))
    least = np.zeros(len(key))
    for column, k, name in zip(columns.T, tied, names):
        both[:, k] += column
        least[k] = name[4]
    i, j = part.pairs[part.usable].T
    x, y = both[i] + both[j], part.error[part.usable].astype(float)
    weight = part.weights(part.usable)
    weight /= weight.sum()

    def loss(c):
        z = c[0] + x @ c[1:]
        gradient = weight * (1 / (1 + np.exp(-z)) - y)
        value = (weight * (np.logaddexp(0, z) - y * z)).sum() + PENALTY / len(y) * (c[1:] ** 2).sum()
        return value, np.concatenate([[gradient.sum()], x.T @ gradient + 2 * PENALTY / len(y) * c[1:]])

    start = np.concatenate([[-3], least])
    found = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=[(None, None)] + [(x, None) for x in least],
        options={"maxiter": 2000},
    )
    return found.x[1:][tied], found.x[0]


def swift(names, heights, missing, constant, part):
    lines = [
        "extension QualityCurve {",
        f"  /// Written by `training/quality/run` from {part.usable.sum():,} comparisons of {len(part.rows):,} photos of "
        f"{len(set(part.person)):,} people,",
        f"  /// {part.damaged.sum():,} of them made worse. Of two photos without any defect, {100 / (1 + np.exp(-constant)):.1f} % are false non-matches.",
        "  static let all = [",
    ]
    for measure in CURVES:
        corners = {}
        for side in ("above", "below"):
            total = 0.0
            for (m, s, a, b, _), height in zip(names, heights):
                if (m, s) == (measure, side):
                    corners.setdefault(a, total)
                    total += height
                    corners[b] = total
        points = sorted(corners.items())
        if max(y for _, y in points) < 5e-4:
            continue
        # Corners in line with their neighbours are omitted.
        points = [
            p for k, p in enumerate(points)
            if k in (0, len(points) - 1) or abs(
                np.interp(p[0], [points[k - 1][0], points[k + 1][0]], [points[k - 1][1], points[k + 1][1]]) - p[1]
            ) > 5e-4
        ]
        name = "".join(w.capitalize() if k else w for k, w in enumerate(measure.split("-")))
        name = {"mouthOcclusionPrevention": "mouthVisible"}.get(name, name)
        lines.append(
            f"    QualityCurve(.{name}, [{', '.join(f'{v:g}' for v, _ in points)}], "
            f"[{', '.join(f'{max(0, y):.3f}' for _, y in points)}], unknown: {missing[measure]:.3f}),"
        )
    return "\n".join(lines + ["  ]", "}", ""])


# The score of 0.1.0: the geometric mean of the scores of the single measures.
def former(part):
    def sigmoid(centre, width):
        return lambda v: 100 / (1 + np.exp((centre - v) / width))

    def close(width, ideal=0.0):
        return lambda v: 200 / (1 + np.exp(np.abs(v - ideal) / width))

    def square(v):
        return 100 * np.cos(np.radians(v)) ** 2

    scores = {
        "single-face-present": lambda v: 100 * (1 - v), "inter-eye-distance": sigmoid(70, 20),
        "head-size": close(0.05, 0.45), "leftward-crop": sigmoid(0.9, 0.1), "rightward-crop": sigmoid(0.9, 0.1),
        "margin-above": sigmoid(1.4, 0.1), "margin-below": sigmoid(1.8, 0.1), "head-pose-yaw": square,
        "head-pose-pitch": square, "head-pose-roll": square, "eyes-open": sigmoid(0.09, 0.02),
        "eyes-visible": sigmoid(0.55, 0.06), "mouth-closed": sigmoid(0.2, -0.06),
        "mouth-occlusion-prevention": close(10), "sharpness": sigmoid(0.45, 0.05),
        "under-exposure": lambda v: 120 * (0.832 - sigmoid(0.92, 0.05)(v) / 100),
        "over-exposure": lambda v: 1 / (v + 0.01), "dynamic-range": lambda v: 12.5 * v,
        "illumination-uniformity": lambda v: 100 * v, "natural-colour": close(10),
    }
    logs = [np.log(np.clip(np.round(f(part.values(m))), 1, 100)) for m, f in scores.items()]
    return np.exp(np.nanmean(logs, 0))


def curve(order, error, weight, shares):
    """The error rate of the remainder after discarding the first fraction `share` of `order`, by weight."""
    weight, error = weight[order], error[order]
    left = np.concatenate([np.cumsum(weight[::-1])[::-1], [0]])
    wrong = np.concatenate([np.cumsum((weight * error)[::-1])[::-1], [0]])
    at = np.searchsorted(left[0] - left[:-1], shares * left[0])
    return wrong[at] / np.maximum(left[at], 1e-12)


def judge(part, chosen, qualities):
    """Error-versus-discard curves per score: rates, means over the discard fractions, and 95 % bounds by bootstrapping
    people."""
    random = np.random.default_rng(SEED)
    shares = np.linspace(0, LARGEST_DISCARD, 61)
    i, j = part.pairs[chosen].T
    error, weight = part.error[chosen].astype(float), part.weights(chosen)
    shuffled = random.permutation(len(i))
    orders = {
        name: shuffled[np.argsort(np.minimum(q[i], q[j])[shuffled], kind="stable")] for name, q in qualities.items()
    }
    orders["random"] = shuffled
    orders["oracle"] = np.argsort(-error, kind="stable")
    people, index = np.unique(part.person[i], return_inverse=True)
    result = {}
    draws = random.poisson(1, (RESAMPLES, len(people)))
    for name, order in orders.items():
        rates = curve(order, error, weight, shares)
        again = np.array([curve(order, error, weight * draw[index], shares) for draw in draws])
        result[name] = (rates, again)
    result["random"] = (np.full_like(shares, result["random"][0][0]), np.repeat(result["random"][1][:, :1], len(shares), 1))
    return shares, result, len(i), int(error.sum()), len(people)


def percent(x):
    return f"{100 * x:.1f} %"


def table(title, shares, result, counts):
    columns = [0, 10, 20, 40, 60]
    print(f"\n{title}: {counts[0]:,} comparisons of {counts[2]:,} people, {counts[1]:,} false non-matches\n")
    print("| discarded by | " + " | ".join(f"{100 * shares[c]:.0f} %" for c in columns) + " | mean, 0-30 % (95 %) | less than random (95 %) |")
    print("|---|" + "--:|" * (len(columns) + 2))
    for name, (rates, again) in result.items():
        area, areas = rates.mean(), again.mean(1)
        gain = result["random"][1].mean(1) - areas
        low, high = np.quantile(areas, [0.025, 0.975])
        bounds = np.quantile(gain, [0.025, 0.975])
        print(
            f"| {name} | " + " | ".join(percent(rates[c]) for c in columns)
            + f" | {percent(area)} ({100 * low:.1f}-{100 * high:.1f}) | "
            + f"{100 * (result['random'][0].mean() - area):.2f} ({100 * bounds[0]:.2f}-{100 * bounds[1]:.2f}) |"
        )
    if "0.1.0" in result:
        difference = result["0.1.0"][1].mean(1) - result["unified"][1].mean(1)
        low, high = np.quantile(difference, [0.025, 0.975])
        print(f"\nless than 0.1.0: {100 * difference.mean():.2f} ({100 * low:.2f}-{100 * high:.2f})")


def bands(part, chosen, quality):
    i, j = part.pairs[chosen].T
    worse, error = np.minimum(quality[i], quality[j]), part.error[chosen].astype(float)
    people, index = np.unique(part.person[i], return_inverse=True)
    draws = np.random.default_rng(SEED).poisson(1, (RESAMPLES, len(people)))
    print("\n| the worse photo's score | comparisons | false non-matches | rate (95 %) |\n|---|--:|--:|--:|")
    edges = [0, 10, 25, 50, 75, 90, 101]
    for low, high in zip(edges, edges[1:]):
        m = (worse >= low) & (worse < high)
        if m.any():
            again = [(d[index[m]] * error[m]).sum() / max(1, d[index[m]].sum()) for d in draws]
            bound = np.quantile(again, [0.025, 0.975])
            print(
                f"| {low}-{min(100, high - 1)} | {m.sum():,} | {int(error[m].sum()):,} | {percent(error[m].mean())} "
                f"({100 * bound[0]:.1f}-{100 * bound[1]:.1f}) |"
            )


def picture(panels):
    """Renders the curves as SVG."""
    colours = {"unified": "#0060c0", "0.1.0": "#c06000", "random": "#808080", "oracle": "#30a030"}
    width, height, left, top = 360, 280, 50, 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {len(panels) * (width + 70) + 20} {height + 100}" '
        'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>',
    ]
    for n, (title, shares, result) in enumerate(panels):
        x0, y0 = left + n * (width + 70), top + height
        most = np.ceil(200 * max(np.quantile(a[:, 0], 0.975) for _, a in result.values())) / 200

        def x(share):
            return x0 + width * share / LARGEST_DISCARD

        def y(rate):
            return y0 - height * min(rate, most) / most

        parts.append(f'<text x="{x0}" y="{top - 14}" font-weight="bold">{html.escape(title)}</text>')
        for share in np.linspace(0, LARGEST_DISCARD, 4):
            parts.append(f'<text x="{x(share):.0f}" y="{y0 + 16}" text-anchor="middle">{100 * share:.0f} %</text>')
        for rate in np.linspace(0, most, 5):
            parts.append(f'<path d="M{x0} {y(rate):.1f}h{width}" stroke="#e0e0e0"/>')
            parts.append(f'<text x="{x0 - 6}" y="{y(rate) + 4:.1f}" text-anchor="end">{100 * rate:.1f}</text>')
        if "unified" in result:
            low, high = np.quantile(result["unified"][1], [0.025, 0.975], axis=0)
            points = [f"{x(s):.1f},{y(r):.1f}" for s, r in zip(shares, low)]
            points += [f"{x(s):.1f},{y(r):.1f}" for s, r in reversed(list(zip(shares, high)))]
            parts.append(f'<polygon points="{" ".join(points)}" fill="#0060c0" opacity="0.12"/>')
        for k, (name, (rates, _)) in enumerate(result.items()):
            points = " ".join(f"{x(s):.1f},{y(r):.1f}" for s, r in zip(shares, rates))
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colours[name]}" stroke-width="2"/>')
            parts.append(
                f'<text x="{x0 + 90 * k}" y="{y0 + 56}" fill="{colours[name]}">{html.escape(name)}</text>'
            )
        parts.append(
            f'<text x="{x0}" y="{y0 + 36}">comparisons discarded, lowest score first; false non-matches, %</text>')
    return "\n".join(parts + ["</svg>", ""])


def main():
    work, root = Path(sys.argv[1]), Path(sys.argv[2])
    train, test = Part(work, "train"), Part(work, "test")
    columns, names = pieces(train)
    means = np.nanmean(columns[~train.damaged], 0)
    heights, constant = learn(np.where(np.isnan(columns), means, columns), names, train)
    missing = {m: sum(h * v for n, h, v in zip(names, heights, means) if n[0] == m) for m in CURVES}
    (root / "Sources/FaceAnalysis/Quality/QualityCurves.swift").write_text(swift(names, heights, missing, constant, train))

    columns, _ = pieces(test)
    quality = 100 * np.exp(-np.where(np.isnan(columns), means, columns) @ heights)
    qualities = {"unified": quality, "0.1.0": former(test)}
    panels = []
    for title, chosen in [
        ("photos as they are", test.usable & ~test.has_damaged), ("one of the two made worse", test.usable & test.has_damaged)
    ]:
        shares, result, *counts = judge(test, chosen, qualities)
        table(title, shares, result, counts)
        panels.append((title, shares, result))
        bands(test, chosen, quality)
    (root / "docs/images/quality-error.svg").write_text(picture(panels))
    print("\nshares of training photos as they were, score at 1, 5, 25, 50, 75 %:", end=" ")
    columns, _ = pieces(train)
    scores = 100 * np.exp(-np.where(np.isnan(columns), means, columns) @ heights)
    print(np.round(np.quantile(scores[~train.damaged], [0.01, 0.05, 0.25, 0.5, 0.75])))


main()

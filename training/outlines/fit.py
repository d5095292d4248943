#!/usr/bin/env python3
"""Fit the linear model of Sources/CVision/outlines.cpp, or measure it.

    train.py SCENES... [--none FOLDER...] [--measure] [--threshold T]

SCENES are folders of Tests/documents/make_scenes; of the other folders, every JPEG is a picture without a document.
Prints the weights, or with `--measure` what the present ones find. Needs numpy, Pillow, g++ and what scripts/setup
installs.
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
FEATURES = 13
RIGHT = 0.02  # of the diagonal


def build(folder):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "faceverify-deps"], capture_output=True, text=True,
                           check=True, env={"PKG_CONFIG_PATH": str(ROOT / ".deps/pkgconfig"), "PATH": "/usr/bin"}).stdout
    program = Path(folder) / "dump"
    subprocess.run(["g++", "-O2", "-std=c++17", "-ffunction-sections", "-Wl,--gc-sections",
                    f"-I{ROOT}/Sources/CVision/include", f"-I{ROOT}/Sources/CVision", "-o", program,
                    Path(__file__).with_name("dump.cpp"), ROOT / "Sources/CVision/outlines.cpp", *flags.split()], check=True)
    return program


class Finder:
    def __init__(self, folder, *arguments):
        self.program = subprocess.Popen([build(folder), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, image):
        self.program.stdin.write(b"P6 %d %d 255\n" % image.size + image.convert("RGB").tobytes())
        self.program.stdin.flush()
        rows = self.numbers(self.numbers(1)[0] * (9 + FEATURES)).reshape(-1, 9 + FEATURES)
        return rows, self.numbers(1)[0]

    def numbers(self, count):
        return np.frombuffer(self.program.stdout.read(4 * int(count)), np.float32)


def error(found, truth):
    """The largest distance of a corner, in diagonals, for the best of the four turns."""
    found, truth = found.reshape(4, 2), np.array(truth)
    diagonal = max(np.linalg.norm(truth[0] - truth[2]), np.linalg.norm(truth[1] - truth[3]))
    return min(np.linalg.norm(np.roll(found, k, 0) - truth, axis=1).max() for k in range(4)) / diagonal


def fit(features, labels):
    """Logistic regression by Newton's method, with a weak ridge."""
    scale = features.std(0) + 1e-6
    x = np.hstack([features / scale, np.ones((len(features), 1))])
    weights = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ weights))
        gradient = x.T @ (p - labels) + 0.1 * weights
        weights -= np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + 0.1 * np.eye(len(weights)), gradient)
    return weights[:-1] / scale, weights[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", type=Path, nargs="+")
    parser.add_argument("--none", type=Path, nargs="*", default=[])
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--threshold", type=float, nargs="*", default=[0])
    arguments = parser.parse_args()
    results, times = [], []  # the kind, the candidates, and their errors
    with tempfile.TemporaryDirectory() as folder:
        finder = Finder(folder, *([] if arguments.measure else ["candidates"]))

        def add(kind, file, corners):
            rows, taken = finder(Image.open(file))
            errors = np.array([error(row[:8], corners) if corners else 9 for row in rows])
            results.append((kind, str(file), bool(corners), rows, errors))
            times.append(taken)

        for scenes in arguments.scenes:
            for row in json.loads((scenes / "scenes.json").read_text()):
                add(row["background"], scenes / row["file"], row["corners"])
        for folder in arguments.none:
            for file in sorted(folder.rglob("*.jpg")):
                add("none", file, [])
    features = np.vstack([rows[:, 8:-1] for _, _, _, rows, _ in results]).astype(float)
    errors = np.hstack([errors for *_, errors in results])
    if arguments.measure:
        score = lambda rows: rows[:, -1]
    else:
        clear = (errors < 0.75 * RIGHT) | (errors > 1.5 * RIGHT)
        weights, bias = fit(features[clear], errors[clear] < RIGHT)
        print("{" + ", ".join(f"{w:.3f}f" for w in weights) + "}", f"{bias:.3f}f")
        score = lambda rows: rows[:, 8:-1] @ weights + bias
    print(f"CPU time in ms: median {np.median(times):.1f}, 95 % {np.percentile(times, 95):.1f}, most {max(times):.1f}")
    for threshold in arguments.threshold:
        for kind in sorted({kind for kind, *_ in results}):
            for has_document in (True, False):
                chosen = [r for r in results if r[0] == kind and r[2] == has_document]
                best = [(score(r[3]).max(), r[4][score(r[3]).argmax()]) if len(r[3]) else (-99, 9) for r in chosen]
                found = [e for s, e in best if s > threshold]
                if chosen:
                    print(f"{threshold:6} {kind:8} {'document' if has_document else 'none':8} {len(chosen):4}: right "
                          f"{sum(e < RIGHT for e in found)}, wrong {sum(e >= RIGHT for e in found)}, among the candidates "
                          f"{sum((r[4] < RIGHT).any() for r in chosen)}")


if __name__ == "__main__":
    main()

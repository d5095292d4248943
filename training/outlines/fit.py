#!/usr/bin/env python3
"""Fit the linear model of Sources/CVision/outlines.cpp, or measure the document finder.

    fit.py SCENES... [--none FOLDER...] [--measure] [--models models]

SCENES are folders of Tests/documents/make_scenes; of the other folders, every JPEG is a picture without a document.
Prints the weights, or with `--measure` what the present ones find. Needs numpy, Pillow, opencv-python-headless,
torch, openvino, g++ and what scripts/setup installs.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
import openvino
import torch
from PIL import Image

from network import letterboxed

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from shared import MODELS, built, command

FEATURES = 17
RIGHT = 0.02  # of the diagonal
STEPS = 3000


class Scene(NamedTuple):
    kind: str
    has_document: bool
    features: np.ndarray
    scores: np.ndarray
    errors: np.ndarray


class Finder:
    def __init__(self, models, folder, *arguments):
        self.network = openvino.Core().compile_model(
            models / "document-outlines.xml", "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
        self.program = subprocess.Popen(
            [built(HERE / "dump.cpp", ["outlines"], folder), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, image):
        """Returns corners, features and score of each outline, and the CPU time in ms without the network."""
        picture, columns, rows = letterboxed(image)
        likely = np.ascontiguousarray(self.network([picture])[0][0, :, :rows, :columns], np.float32)
        self.program.stdin.write(
            b"P6 %d %d %d %d\n" % (*image.size, columns, rows) + image.convert("RGB").tobytes() + likely.tobytes())
        self.program.stdin.flush()
        found = self.numbers(self.numbers(1)[0] * (9 + FEATURES)).reshape(-1, 9 + FEATURES)
        return found, self.numbers(1)[0]

    def numbers(self, count):
        return np.frombuffer(self.program.stdout.read(4 * int(count)), np.float32)


def error(found, truth):
    """The largest distance of a corner, in diagonals, for the best of the four turns."""
    found, truth = found.reshape(4, 2), np.array(truth)
    diagonal = max(np.linalg.norm(truth[0] - truth[2]), np.linalg.norm(truth[1] - truth[3]))
    return min(np.linalg.norm(np.roll(found, k, 0) - truth, axis=1).max() for k in range(4)) / diagonal


def fit(scenes):
    """Maximises the probability that the right candidates, or none if there is none, win among those of their picture:
    a softmax of the scores, in which no document has a score of 0."""
    scenes = [scene for scene in scenes if len(scene.features)]
    picture = torch.from_numpy(np.repeat(np.arange(len(scenes)), [len(scene.features) for scene in scenes]))
    features = np.vstack([scene.features for scene in scenes]).astype(np.float64)
    errors = np.hstack([scene.errors for scene in scenes])
    mean, scale = features.mean(0), features.std(0) + 1e-9
    x = torch.from_numpy((features - mean) / scale)
    right = torch.from_numpy(errors < 0.9 * RIGHT)
    clear = right | torch.from_numpy(errors > 1.2 * RIGHT)
    weights = torch.zeros(FEATURES + 1, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.Adam([weights])

    def total(odds, chosen):
        return torch.zeros(len(scenes), dtype=torch.float64).index_add(0, picture[chosen], odds[chosen])

    has_right = total(right.double(), right) > 0
    for step in range(STEPS):
        optimiser.param_groups[0]["lr"] = 0.02 * (1 - step / STEPS) + 1e-4
        odds = (x @ weights[:-1] + weights[-1]).clamp(-30, 30).exp()
        share = torch.where(has_right, total(odds, right), 1) / (1 + total(odds, clear))
        loss = -(share + 1e-12).log().mean() + 1e-3 * (weights**2).sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    weights = weights.detach().numpy()
    return weights[:-1] / scale, weights[-1] - (weights[:-1] / scale) @ mean


def main(scenes: list[Path], *, none: list[Path] = [], measure: bool = False, models: Path = MODELS):
    results, times = [], []
    with tempfile.TemporaryDirectory() as folder:
        finder = Finder(models, folder, *([] if measure else ["candidates"]))

        def add(kind, file, corners):
            found, taken = finder(Image.open(file))
            errors = np.array([error(row[:8], corners) if corners else 9 for row in found])
            results.append(Scene(kind, bool(corners), found[:, 8:-1], found[:, -1], errors))
            times.append(taken)

        for source in scenes:
            for row in json.loads((source / "scenes.json").read_text()):
                add(row["background"], source / row["file"], row["corners"])
        for source in none:
            for file in sorted(source.rglob("*.jpg")):
                add("none", file, [])
    if not measure:
        weights, bias = fit(results)
        print("{" + ", ".join(f"{w:.3f}f" for w in weights) + "}", f"{bias:.3f}f")
        results = [scene._replace(scores=scene.features @ weights + bias) for scene in results]
    print(f"CPU time in ms: median {np.median(times):.1f}, 95 % {np.percentile(times, 95):.1f}, most {max(times):.1f}")
    for kind, has_document in sorted({(scene.kind, scene.has_document) for scene in results}):
        chosen = [scene for scene in results if (scene.kind, scene.has_document) == (kind, has_document)]
        best = [scene.errors[scene.scores.argmax()] for scene in chosen if len(scene.scores) and scene.scores.max() > 0]
        print(f"{kind:8} {'document' if has_document else 'none':8} {len(chosen):4}: right {sum(e < RIGHT for e in best)}, wrong "
              f"{sum(e >= RIGHT for e in best)}, among the candidates {sum((s.errors < RIGHT).any() for s in chosen)}")


if __name__ == "__main__":
    command(main, __doc__)

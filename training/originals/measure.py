#!/usr/bin/env python3
"""Measures a trained network on pages that simulate.py made of documents that it was not trained with.

    measure.py STATE.pt TEST.npz... [--limit 0.9] [--coarsest 6]

Ranges are 95 % intervals: of shares Clopper-Pearson's, of AUCs by bootstrapping the documents, 1,000 resamples. With fewer
pixels per mm than `coarsest`, nothing is judged.
"""
import sys
from pathlib import Path

import numpy as np
import torch

from train import CLASSES, Judge, kinds_of, load, logits, scores

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
from bounds import exact
from shared import auc, command

BANDS = {"resolution": (5, 6, 8, 12, 20, 31), "ratio": (0.6, 1, 1.5, 2.5, 4), "blur": (0.35, 0.7, 1.1, 2)}


def interval(copy, original, documents):
    """AUC and its range. `documents` are those of both, copies first."""
    names = np.unique(documents)
    members = {name: np.flatnonzero(documents == name) for name in names}
    both, isCopy = np.concatenate([copy, original]), np.arange(len(copy) + len(original)) < len(copy)
    random, drawn = np.random.default_rng(1), []
    for _ in range(1000):
        chosen = np.concatenate([members[name] for name in random.choice(names, len(names))])
        if isCopy[chosen].any() and not isCopy[chosen].all():
            drawn.append(auc(both[chosen][isCopy[chosen]], both[chosen][~isCopy[chosen]]))
    return auc(copy, original), *np.percentile(drawn, (2.5, 97.5))


def main(state: Path, test: list[Path], *, limit: list[float] = [0.9], coarsest: float = 6):
    torch.set_num_threads(1)
    judge = Judge()
    judge.load_state_dict(torch.load(state))
    spectra, rows = load(test)
    copy = 1 - scores(logits(judge, spectra))[:, 0]
    kinds, documents = kinds_of(rows), np.array([row["document"] for row in rows])
    judged = np.array([row["resolution"] >= coarsest for row in rows])

    def line(title, chosen, originals=None):
        originals = judged & (kinds == 0) if originals is None else originals
        wrong, right = np.flatnonzero(chosen), np.flatnonzero(originals)
        if not len(wrong) or not len(right):
            return
        area = interval(copy[wrong], copy[right], documents[np.concatenate([wrong, right])])
        shares = "; ".join(
            f"{(copy[wrong] > score).sum()} of {len(wrong)} ({100 * low:.1f}-{100 * high:.1f} %) above {score}"
            for score in limit for low, high in [exact(int((copy[wrong] > score).sum()), len(wrong))])
        print(f"{title:28} AUC {area[0]:.3f} ({area[1]:.3f}-{area[2]:.3f}), {len(right)} originals; {shares}")

    line("original", judged & (kinds == 0))
    for kind, title in enumerate(CLASSES[1:], 1):
        line(title, judged & (kinds == kind))
        for process in sorted({row["process"] for row in rows if row["class"] == title}):
            line(f"  {process}", judged & np.array([row["process"] == process for row in rows]))
        for name, bands in BANDS.items():
            if name == "ratio" and title == "print":
                continue
            for low, high in zip(bands, bands[1:]):
                band = np.array([low <= row[name] < high for row in rows])
                line(f"  {name} {low} to {high}", band & (kinds == kind), band & (kinds == 0))


if __name__ == "__main__":
    command(main, __doc__)

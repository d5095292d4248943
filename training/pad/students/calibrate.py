#!/usr/bin/env python3
"""Fits the weights of the students' log-odds: calibrate.py STATE.pt TEACHERS OUT.pt CUTS.tsv...

Non-negative weights are fitted by logistic regression on labelled pictures; each source, and each class in it, has the
same weight. Printed per source: the AUC with weights fitted on the other sources, with equal weights, and of each view.
The bias maps the operating point, a BPCER of 5 % over the sources, to the threshold of TextureNetwork.swift.
"""
import sys
from pathlib import Path

import numpy as np
import torch
from scipy.optimize import minimize

from evidence import Evidence, auc, balanced, threshold
from network import FACE, Texture

THRESHOLD = 0.21


def fitted(evidence, source, live):
    """Returns non-negative weights and a bias."""
    weight = balanced([f"{s} {l}" for s, l in zip(source, live)])
    sign = np.where(live, 1.0, -1.0)

    def loss(p):
        margin = sign * (evidence @ p[:-1] + p[-1])
        slope = -sign * weight / (1 + np.exp(np.clip(margin, -50, 50)))
        return (weight * np.logaddexp(0, -margin)).sum(), np.append(evidence.T @ slope, slope.sum())

    count = evidence.shape[1]
    return minimize(loss, [0.3] * count + [0.0], jac=True, bounds=[(0, None)] * count + [(None, None)]).x


def main():
    state, teachers, out, *tables = sys.argv[1:]
    model = Texture()
    lessons = torch.load(state)["lessons"]
    for view, student in enumerate(model.students):
        student.load_state_dict(lessons[view]["mean"])
    found = Evidence(tables, model, Path(teachers), lambda source, *_: source != "portraits")
    live = found.species == "live"
    parts = (("all views", found.around, slice(0, 3)), ("face only", np.ones_like(live), slice(FACE, 3)))
    for row, (name, rows, views) in enumerate(parts):
        source, evidence = found.source[rows], found.students[rows]
        for one in sorted(set(source)):
            this = source == one
            a, b = evidence[this & live[rows]], evidence[this & ~live[rows]]
            if len(a) and len(b):
                p = fitted(evidence[~this, views], source[~this], live[rows][~this])
                ranks = [auc(a[:, views] @ p[:-1], b[:, views] @ p[:-1]), auc(a[:, views].sum(1), b[:, views].sum(1))]
                ranks += [auc(a[:, i], b[:, i]) for i in range(3)]
                print(f"{name}, {one} ({len(a)}, {len(b)}): AUC fitted, equal, per view", np.round(ranks, 3))
        p = fitted(evidence[:, views], source, live[rows])
        scores = evidence[:, views] @ p[:-1]
        p[-1] = np.log(THRESHOLD / (1 - THRESHOLD)) - threshold(scores[live[rows]], source[live[rows]])
        print(name, p.round(3))
        model.weights[row, views] = torch.tensor(p[:-1], dtype=torch.float32)
        model.weights[row, 3] = p[-1]
    torch.save(model.state_dict(), out)


if __name__ == "__main__":
    main()

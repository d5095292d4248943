#!/usr/bin/env python3
"""Fits the operating points of the texture network: calibrate.py STATE.pt OUT.pt CUTS.tsv...

The score of all views is the mean of their log-odds: nothing but the bias is fitted, on bona fide pictures alone. It maps
the operating point, a BPCER of 5 % over the sources, each with the same weight, to the threshold of TextureNetwork.swift.
"""
import sys
from pathlib import Path

import numpy as np
import torch

from network import VIEWS, Texture, odds
from pictures import described, located, sized, views
from teachers import Teacher

LEAST = 0.4  # minimum share of the widest view's side inside the picture for surroundings: TextureNetwork.swift
THRESHOLD = 0.21  # of TextureNetwork.swift


class Evidence:
    """Per picture: source, species, whether it has surroundings, and the log-odds per view of `students` and `teachers`.

    The source of portraits is the name of their table.
    """

    def __init__(self, tables, model, teachers=None, only=None):
        model.eval()
        judges = [Teacher(teachers, view, 1) for view in range(len(VIEWS))] if teachers else []
        rows, students, taught = [], [], []
        for table in tables:
            for path, box in located(table):
                source, species, _ = described(path)
                if only and species != only:
                    continue
                picture, box = sized(path, box)
                around = min(picture.shape[:2]) >= LEAST * VIEWS[1][1] * box[2]
                rows.append((Path(table).stem if source == "portraits" else source, species, around))
                cuts = [view.transpose(2, 0, 1)[None].astype(np.float32) for view in views(picture, box)]
                with torch.no_grad():
                    students.append(model.evidence([torch.from_numpy(view) for view in cuts])[0].numpy())
                taught.append([
                    odds(torch.from_numpy(judge.maps(view)[-1]), i)[0].item()
                    for i, (judge, view) in enumerate(zip(judges, cuts))])
        self.source, self.species, self.around = (np.array(column) for column in zip(*rows))
        self.students, self.teachers = np.array(students), np.array(taught)


def threshold(scores, source, refused=0.05):
    """Returns the threshold at this BPCER over the sources, each with the same weight."""
    _, which, counts = np.unique(source, return_inverse=True, return_counts=True)
    order = np.argsort(scores)
    weight = (1 / counts[which] / len(counts))[order]
    return scores[order][np.cumsum(weight) - weight <= refused][-1]


def main():
    state, out, *tables = sys.argv[1:]
    model = Texture()
    lessons = torch.load(state)["lessons"]
    for view, student in enumerate(model.students):
        student.load_state_dict(lessons[view]["mean"])
    found = Evidence(tables, model, only="live")
    for row, (name, rows) in enumerate((("all views", found.around), ("face only", np.ones_like(found.around)))):
        scores = found.students[rows] @ model.weights[row, :3].numpy()
        limit = threshold(scores, found.source[rows])
        model.weights[row, 3] = np.log(THRESHOLD / (1 - THRESHOLD)) - limit
        print(f"{name}: {rows.sum()} bona fide pictures of {len(set(found.source[rows]))} sources, log-odds at 5 % {limit:.2f}")
        for one in sorted(set(found.source[rows])):
            these = scores[found.source[rows] == one]
            print(f"  {one}: {(these < limit).sum()} of {len(these)} below, median {np.median(these):.1f}")
    torch.save(model.state_dict(), out)


if __name__ == "__main__":
    main()

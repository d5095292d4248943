#!/usr/bin/env python3
"""Fits the operating points of the texture network: calibrate.py STATE.pt OUT.pt CUTS.tsv...

The score of all views is the mean of their log-odds: nothing but the bias is fitted, on bona fide pictures alone. It maps
the operating point, a BPCER of 5 % over the sources, each with the same weight, to the threshold of TextureNetwork.swift.
"""
import sys

import numpy as np
import torch

from evidence import THRESHOLD, Evidence, threshold
from network import Texture


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

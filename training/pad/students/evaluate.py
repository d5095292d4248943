#!/usr/bin/env python3
"""Evaluates the texture network on labelled pictures, with its teachers and an earlier network as baselines.

    evaluate.py TEXTURE.pt TEACHERS CUTS.tsv... [--earlier SCORES.tsv]

Source and species of a picture follow from its folders: SOURCE/live, SOURCE/SPECIES; frames of clips are in clips/CLIP,
where names of replays end in _replay. SCORES.tsv has paths and scores, like the output of cut-faces. The teachers'
score is the sum of their log-odds. Each network's threshold has a BPCER of 5 % over the sources, each with the same weight.
Bounds are exact binomial at 95 %, assuming independent pictures, which those of one person are not.
"""
import argparse
import csv
from pathlib import Path

import cv2
import numpy as np
import torch

from calibrate import THRESHOLD
from evidence import Evidence, auc, bounds, threshold
from network import FACE, LIMIT, VIEWS, Texture


def table(name, scores, source, species):
    """Prints AUC and accepted attacks per source and species, and rejected bona fide pictures, of each network."""
    live = species == "live"
    limits = {key: threshold(s[live], source[live]) for key, s in scores.items()}
    print(f"\n{name}; thresholds", {key: round(float(v), 3) for key, v in limits.items()})
    print("| species | bona fide | attacks | AUC: " + ", ".join(scores) + " | accepted: " + " | ".join(scores) + " |")
    print("|---" * (4 + len(scores)) + "|")
    totals = {key: [0, 0] for key in scores}
    for one in sorted(set(source)):
        for kind in sorted(set(species[source == one]) - {"live"}):
            a, b = (source == one) & live, (source == one) & (species == kind)
            ranks = ", ".join(f"{auc(s[a], s[b]):.3f}" if a.any() else "-" for s in scores.values())
            passed = " | ".join(bounds(int((s[b] >= limits[key]).sum()), b.sum()) for key, s in scores.items())
            print(f"| {one} {kind} | {a.sum()} | {b.sum()} | {ranks} | {passed} |")
    for one in sorted(set(source[live])):
        a = (source == one) & live
        print(f"| {one} bona fide rejected | {a.sum()} | | | "
              + " | ".join(bounds(int((s[a] < limits[key]).sum()), a.sum()) for key, s in scores.items()) + " |")
    for kind in ("print", "screen", "mask"):
        these = np.isin(species, [kind] if kind != "screen" else ["screen", "ipad", "iphone"])
        if these.any():
            print(f"| all {kind}s | | {these.sum()} | | " + " | ".join(
                bounds(int((s[these] >= limits[key]).sum()), these.sum()) for key, s in scores.items()) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texture", type=Path)
    parser.add_argument("teachers", type=Path)
    parser.add_argument("cuts", nargs="+")
    parser.add_argument("--earlier", nargs="+", default=[])
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    model = Texture()
    model.load_state_dict(torch.load(arguments.texture))
    earlier = {row[0]: float(row[1]) for name in arguments.earlier for row in csv.reader(open(name), delimiter="\t")}
    found = Evidence(arguments.cuts, model, arguments.teachers, lambda source, *_: source != "portraits")
    scores = model.combined(torch.tensor(found.students)).numpy()
    taught = found.teachers.clip(-LIMIT, LIMIT)
    for view in range(len(VIEWS)):
        ours, theirs = found.students[:, view], taught[:, view]
        print(f"view {view}: correlation with the teacher {np.corrcoef(ours, theirs)[0, 1]:.4f}, "
              f"mean absolute error {np.abs(ours - theirs).mean():.2f}")
    clips, is_clip = found.subject, found.source == "clips"
    for name, rows, column in (
        ("All views, with surroundings", found.around, 0), ("Face only, without surroundings", ~found.around, 1),
        ("Face only, all pictures", found.around | True, 1)):
        rows = rows & ~is_clip
        networks = {"students": scores[:, column], "teachers": taught[:, FACE] if column else taught.sum(1)}
        if earlier:
            networks["earlier"] = np.array([earlier.get(p, np.nan) for p in found.paths])
            rows = rows & ~np.isnan(networks["earlier"])
        if rows.any():
            table(name, {key: s[rows] for key, s in networks.items()}, found.source[rows], found.species[rows])
    if is_clip.any():
        print("\n| clip | frames | mean score | teachers | frames below |\n|---|---|---|---|---|")
        chosen = np.where(found.around, scores[:, 0], scores[:, 1])
        for clip in sorted(set(clips[is_clip]), key=lambda c: chosen[clips == c].mean()):
            these = clips == clip
            print(f"| {clip} | {these.sum()} | {chosen[these].mean():.3f} | {taught[these].sum(1).mean():.1f} "
                  f"| {(chosen[these] < THRESHOLD).sum()} |")


if __name__ == "__main__":
    main()

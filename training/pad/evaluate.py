#!/usr/bin/env python3
"""Evaluates the texture network on labelled pictures, with its teachers and an earlier network as baselines.

    evaluate.py TEXTURE.pt TEACHERS CUTS.tsv... [--earlier SCORES.tsv]

Source and species of a picture follow from its folders: SOURCE/live, SOURCE/SPECIES; frames of clips are in clips/CLIP,
where names of replays end in _replay. SCORES.tsv has paths and scores, like the output of cut-faces. The teachers'
score is the mean of their log-odds. Each network's threshold for a source has a BPCER of 5 % over the other sources,
each with the same weight. Bounds are exact binomial at 95 %, assuming independent pictures, which those of one person
are not.
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
    """Prints AUC, accepted attacks and rejected bona fide pictures per source and species, of each network."""
    live = species == "live"
    print(f"\n### {name}\n\n| source | species | pictures | AUC: {', '.join(scores)} | accepted or rejected: "
          + " | ".join(scores) + " |")
    print("|---" * (4 + len(scores)) + "|")
    accepted = {}
    for one in sorted(set(source)):
        others = live & (source != one)
        limits = {key: threshold(s[others], source[others]) for key, s in scores.items()}
        a = (source == one) & live
        for kind in sorted(set(species[source == one]), key=lambda k: (k != "live", k)):
            these = (source == one) & (species == kind)
            wrong = {key: (s[these] < limits[key]) == (kind == "live") for key, s in scores.items()}
            ranks = [f"{auc(s[a], s[these]):.3f}" if a.any() and kind != "live" else "-" for s in scores.values()]
            print(f"| {one} | {'bona fide' if kind == 'live' else kind} | {these.sum()} | {', '.join(ranks)} | "
                  + " | ".join(bounds(w.sum(), len(w)) for w in wrong.values()) + " |")
            group = "screen" if kind in ("ipad", "iphone", "replay") else kind
            for key, w in wrong.items():
                accepted.setdefault(group, {}).setdefault(key, []).extend(w)
    for group, wrong in accepted.items():
        print(f"| all | {'bona fide' if group == 'live' else group} | {len(next(iter(wrong.values())))} | - | "
              + " | ".join(bounds(int(np.sum(w)), len(w)) for w in wrong.values()) + " |")


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
    found = Evidence(arguments.cuts, model, arguments.teachers)
    scores = model.combined(torch.tensor(found.students)).numpy()
    taught = found.teachers.clip(-LIMIT, LIMIT)
    for view in range(len(VIEWS)):
        ours, theirs = found.students[:, view], taught[:, view]
        print(f"view {view}: correlation with the teacher {np.corrcoef(ours, theirs)[0, 1]:.4f}, "
              f"mean absolute error {np.abs(ours - theirs).mean():.2f}")
    clips, is_clip = found.subject, found.source == "clips"
    for name, rows, column in (
        ("All views, pictures with surroundings", found.around, 0),
        ("Face only, pictures without surroundings", ~found.around, 1),
        ("Face only, all pictures", found.around | True, 1)):
        rows = rows & ~is_clip
        networks = {"students": scores[:, column], "teachers": taught[:, FACE] if column else taught.mean(1)}
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
            print(f"| {clip} | {these.sum()} | {chosen[these].mean():.3f} | {taught[these].mean():.1f} "
                  f"| {(chosen[these] < THRESHOLD).sum()} |")


if __name__ == "__main__":
    main()

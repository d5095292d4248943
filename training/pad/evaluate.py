#!/usr/bin/env python3
"""Evaluates the texture network on held-out pictures, and the baseline on the same ones.

    evaluate.py THRESHOLD TEACHERS CUTS... [--scores final.pt A.pt.scores.csv B.pt.scores.csv] [--list]

CUTS stand for CUTS.tsv and CUTS.u8, the output of cut-faces; its scores are those of the network in its models folder.
With --scores, those of train.py's cross-validation are used instead, with the weights of final.pt, and only for the
pictures held out in one of them. A picture's source and species are determined by its folders (SOURCE/live,
SOURCE/SPECIES). The baseline, Silent-Face, is the mean of its two networks, as published. Rows are sorted by AUC, the
worst first; the threshold of APCER at a BPCER is chosen on the same pictures, so that the networks can be compared; the
last two columns are at THRESHOLD. Bounds are exact binomial (Clopper and Pearson), 95 %, assuming independent pictures,
which those of one person are not.
"""
import argparse
import csv
from pathlib import Path

import numpy as np
import torch
from scipy.stats import beta

from network import AROUND, probability
from teacher import Teachers
from train import Cuts, auc


def rate(errors, total):
    low = beta.ppf(0.025, errors, total - errors + 1) if errors else 0.0
    high = beta.ppf(0.975, errors + 1, total - errors) if errors < total else 1.0
    return f"{errors} of {total} ({100 * low:.1f}-{100 * high:.1f} %)"


def accepted_at(live, attack, refused):
    """APCER at the threshold that rejects at most this fraction of the bona fide."""
    threshold = np.sort(live)[int(refused * len(live))]
    return (attack >= threshold).mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("threshold", type=float)
    parser.add_argument("teachers", type=Path)
    parser.add_argument("cuts", nargs="+")
    parser.add_argument("--scores", nargs="+")
    parser.add_argument("--list", action="store_true", help="name each error")
    arguments = parser.parse_args()

    scores = {}
    if arguments.scores:
        weights = torch.load(arguments.scores[0])["weights"]
        for name in arguments.scores[1:]:
            for path, _, _, _, *evidence in csv.reader(open(name)):
                scores[path] = probability(torch.tensor([[float(v) for v in evidence]]), weights).item()
    else:
        for prefix in arguments.cuts:
            for line in open(prefix + ".tsv"):
                path, score, *_ = line.split("\t")
                scores[path] = float(score)
    cuts = Cuts(arguments.cuts)
    rows = cuts.select(lambda r: r["path"] in scores and r["source"] != "lfw" and not r["made"])
    ours = np.array([scores[r["path"]] for _, _, r in rows])
    rival = Teachers(arguments.teachers, 1)
    theirs = np.array([rival.say(cuts.batch([row])[0][AROUND:])[0, :, 1].mean().item() for row in rows])
    source = np.array([r["source"] for _, _, r in rows])
    species = np.array([r["species"] for _, _, r in rows])

    table = []
    for name in sorted(set(source)):
        live = (source == name) & (species == "live")
        for kind in sorted(set(species[source == name]) - {"live"}):
            attack = (source == name) & (species == kind)
            if not live.any():
                print(f"{kind}: {rate(int((ours[attack] >= arguments.threshold).sum()), attack.sum())} accepted; none living")
                continue
            row = [kind, live.sum(), attack.sum()]
            for found in (ours, theirs):
                row += [auc(found[live], found[attack])]
                row += [accepted_at(found[live], found[attack], share) for share in (0.01, 0.05, 0.1)]
            row += [rate(int((ours[live] < arguments.threshold).sum()), live.sum()),
                    rate(int((ours[attack] >= arguments.threshold).sum()), attack.sum())]
            table.append(row)
    print("| species | living | attacks | AUC | APCER at BPCER 1 / 5 / 10 % | rival: AUC | APCER | living refused | accepted |")
    print("|---|---|---|---|---|---|---|---|---|")
    for kind, live, attack, a, b, c, d, e, f, g, h, refused, accepted in sorted(table, key=lambda row: row[3]):
        print(f"| {kind} | {live} | {attack} | {a:.3f} | {b:.2f} / {c:.2f} / {d:.2f} | {e:.3f} | {f:.2f} / {g:.2f} / {h:.2f} "
              f"| {refused} | {accepted} |")
    if arguments.list:
        for i, (_, _, row) in enumerate(rows):
            if (ours[i] < arguments.threshold) == (row["species"] == "live"):
                print(f"{ours[i]:.3f} {row['path']}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Evaluates the texture network on labelled pictures, with its teachers as baselines.

    evaluate.py TEXTURE.pt TEACHERS CUTS.tsv...

Source and species of a picture follow from its folders: SOURCE/live, SOURCE/SPECIES. The teachers' score is the mean of
their log-odds. Each network's threshold for a source has a BPCER of 5 % over the other sources, each with the same weight.
Bounds are exact binomial at 95 %, assuming independent pictures, which those of one person are not.
"""
import sys
from pathlib import Path

import cv2
import torch

from calibrate import Evidence, threshold
from network import FACE, LIMIT, Texture

sys.path += [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2] / "scripts")]
from bounds import exact
from shared import auc, command


def table(name, scores, source, species):
    """Prints AUC, and accepted attacks or rejected bona fide pictures, per source and species and of each network."""
    live = species == "live"
    print(f"\n### {name}\n\n| source | species | AUC: {', '.join(scores)} | accepted or rejected: {' | '.join(scores)} |")
    print("|---" * (3 + len(scores)) + "|")
    for one in sorted(set(source)):
        others, own = live & (source != one), live & (source == one)
        for kind in sorted(set(species[source == one]), key=lambda k: (k != "live", k)):
            these, areas, errors = (source == one) & (species == kind), [], []
            for s in scores.values():
                areas.append(f"{auc(s[own], s[these]):.3f}" if own.any() and kind != "live" else "-")
                wrong = (s[these] < threshold(s[others], source[others])) == (kind == "live")
                low, high = exact(int(wrong.sum()), len(wrong))
                errors.append(f"{wrong.sum()} of {len(wrong)} ({100 * low:.1f}-{100 * high:.1f} %)")
            print(f"| {one} | {'bona fide' if kind == 'live' else kind} | {', '.join(areas)} | {' | '.join(errors)} |")


def main(texture: Path, teachers: Path, cuts: list[Path]):
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    model = Texture()
    model.load_state_dict(torch.load(texture))
    found = Evidence(cuts, model, teachers)
    scores, taught = model.combined(torch.tensor(found.students)).numpy(), found.teachers.clip(-LIMIT, LIMIT)
    pictures = found.source != "clips"
    for name, rows, networks in (
            ("With surroundings", found.around, {"students": scores[:, 0], "teachers": taught.mean(1)}),
            ("Face only", ~found.around, {"students": scores[:, 1], "teachers": taught[:, FACE]})):
        rows = rows & pictures
        if rows.any():
            table(name, {key: s[rows] for key, s in networks.items()}, found.source[rows], found.species[rows])


if __name__ == "__main__":
    command(main, __doc__)

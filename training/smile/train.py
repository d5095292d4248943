#!/usr/bin/env python3
"""Trains the smile network.

    train.py LABELS.csv OUT.pt CUTS... [--without SOURCE...] [--steps 600]

LABELS has one row per picture: path,label,set, with the labels smile, neutral and open (mouth). CUTS are the output of
cut-mouths: NAME.u8, and its standard output as NAME.txt. Held-out sets are not trained on; for these the accuracy is
printed: AUC, and error rates at even odds.
"""
import csv
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from network import MARGIN, Tower, luma, views

sys.path.append(str(Path(__file__).resolve().parents[1]))
from shared import auc, command

BATCH = 128
RATE = 3e-3
NAN = float("nan")
# Values of a label: smile, open mouth. GENKI does not label open mouths.
LABELS = {"smile": (1, NAN), "neutral": (0, 0), "open": (0, 1)}


def read(table, files):
    """Pictures, labels and sets."""
    rows = {row["path"]: row for row in csv.DictReader(open(table))}
    pictures, labels, sources = [], [], []
    for file in files:
        paths = file.with_suffix(".txt").read_text().splitlines()
        pictures.append(luma(np.fromfile(file, np.uint8).reshape(-1, MARGIN, MARGIN, 3)))
        for path in paths:
            row = rows[path]
            smile, is_open = LABELS[row["label"]]
            labels.append((smile, NAN if "genki" in row["set"] else is_open))
            sources.append(row["set"])
    return np.concatenate(pictures), np.array(labels, np.float32), np.array(sources)


def weights(labels, sources):
    """Sampling weights: equal for smiles and others, and for sources except small ones."""
    first = labels[:, 0]
    keys = np.array([f"{source} {label}" for source, label in zip(sources, labels)])
    result = np.zeros(len(keys))
    for key in set(keys):
        result[keys == key] = min((keys == key).sum(), 300) ** 0.75 / (keys == key).sum()
    for chosen, share in ((first == 0, 0.4), (first == 1, 0.4), (np.isnan(first), 0.2)):
        if chosen.any():
            result[chosen] *= share / result[chosen].sum()
    return result


def train(pictures, labels, sources, steps):
    random = torch.Generator().manual_seed(0)
    torch.manual_seed(0)
    net = Tower().train()
    optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps, pct_start=0.1)
    chances = torch.tensor(weights(labels, sources))
    pictures, labels = torch.from_numpy(pictures)[:, None], torch.from_numpy(labels)
    for step in range(steps):
        drawn = torch.multinomial(chances, BATCH, True, generator=random)
        found, known = net(views(pictures[drawn].float(), random)), ~torch.isnan(labels[drawn])
        # Label smoothing, because some labels are wrong.
        loss = F.binary_cross_entropy_with_logits(found[known], labels[drawn][known] * 0.96 + 0.02)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 200 == 199:
            print(f"{step + 1}: {loss.item():.3f}", flush=True)
    return net.eval()


def main(labels: Path, out: Path, cuts: list[Path], *, without: list[str] = [], steps: int = 600, threads: int = 1):
    torch.set_num_threads(threads)
    pictures, labels, sources = read(labels, cuts)
    left = np.isin(sources, without)
    net = train(pictures[~left], labels[~left], sources[~left], steps)
    torch.save(net.state_dict(), out)
    for source in without:
        chosen = sources == source
        with torch.no_grad():
            found = net(views(torch.from_numpy(pictures[chosen])[:, None].float())).numpy()
        for k in range(labels.shape[1]):
            known = ~np.isnan(labels[chosen][:, k])
            truth, score = labels[chosen][known, k], found[known, k]
            if 0 < truth.sum() < len(truth):
                missed, false = ((score < 0) & (truth == 1)).sum(), ((score >= 0) & (truth == 0)).sum()
                area = auc(score[truth == 1], score[truth == 0])
                print(f"{source} {k}: AUC {area:.4f}, missed {missed} of {int(truth.sum())}, "
                      f"false {false} of {int((truth == 0).sum())}")


if __name__ == "__main__":
    command(main, __doc__)

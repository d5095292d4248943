#!/usr/bin/env python3
"""Trains the texture network: first on simulated attacks on LFW, then with NUAA too.

    train.py base  CUTS... --out base.pt                 nothing of NUAA
    train.py tune  CUTS... --start base.pt --out final.pt [--without 0001,0002]

CUTS are folders with what make_pictures.py wrote (pictures.csv), cut-faces made of it (cuts.u8, cuts.tsv) and
teacher.py thinks of it (teacher.npy).
`--without` leaves out subjects of NUAA, and prints the scores of what is left out: cross-validation is one such run for
each fold.
"""
import argparse
import csv
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from network import SIDE, VIEWS, Texture
from pictured import pictured

SEED = 20261121
AUXILIARY = 0.3  # weight of each view's own judgement in the loss
SMOOTHING = 0.02
TAUGHT = 0.1  # weight of guessing what the teachers say


class Cuts:
    """Views with their labels: species, subject, source, part."""

    def __init__(self, folders):
        self.views, self.taught, self.rows = [], [], []
        for folder in map(Path, folders):
            table = {row["file"]: row for row in csv.DictReader(open(folder / "pictures.csv"))}
            views = np.memmap(folder / "cuts.u8", np.uint8, "r").reshape(-1, len(VIEWS), SIDE, SIDE, 3)
            rows = [table[Path(line.rstrip("\n").split("\t")[0]).name] for line in open(folder / "cuts.tsv")]
            taught = np.load(folder / "teacher.npy")
            assert len(rows) == len(views) == len(taught)
            self.rows += [(len(self.views), i, row) for i, row in enumerate(rows)]
            self.views.append(views)
            self.taught.append(taught)
        everything = np.concatenate(self.taught)
        self.taught = [(t - everything.mean(0)) / everything.std(0) for t in self.taught]

    def select(self, test):
        return [r for r in self.rows if test(r[2])]

    def batch(self, rows):
        """Views, whether they are of the living, and what the teachers say of them."""
        x = torch.from_numpy(np.stack([self.views[f][i] for f, i, _ in rows]))
        x = x.permute(0, 1, 4, 2, 3).reshape(len(rows), 3 * len(VIEWS), SIDE, SIDE).float()
        taught = torch.from_numpy(np.stack([self.taught[f][i] for f, i, _ in rows])).float()
        return x, torch.tensor([float(r["species"] == "live") for _, _, r in rows]), taught


def group(row):
    """What a batch holds in fixed shares, whatever there is most of."""
    if row["species"] != "live":
        return row["species"]
    as_it_is = row["source"] == "lfw" and "_" in row["file"]  # of as_they_are.py
    return row["file"].split("_")[0] if as_it_is else row["source"] + " by camera"


# Photos of LFW as they are, and continued; and seen by simulated cameras.
SHARES = {
    "lfw": 0.14, "continued": 0.20, "lfw by camera": 0.20, "nuaa by camera": 0.15, "nuaa-print": 0.10,
    "print": 0.06, "screen": 0.07, "cutout": 0.08}
PICTURED = 0.4  # of the living in a batch, those that become attacks there
# A simulated attack that still looks this much alive is left out: blur and noise hid what could give it away, and it
# would only teach to refuse blurred and noisy photos.
HOPELESS = 0.85


def blurred(view, reach, loss):
    """The view at a `loss`th of the near view's resolution."""
    side = int(SIDE * reach / loss)
    if side >= SIDE:
        return view
    small = functional.interpolate(view, (side, side), mode="area")
    return functional.interpolate(small, (SIDE, SIDE), mode="bilinear", align_corners=False)


def augmented(x, y, random):
    """What differs from one look at a face to the next, and attacks made of some of the living.

    Returns both with the new labels, which of them may no longer show what gave them away, and which still are what the
    teachers were asked about.
    """
    n = len(x)

    def some(share):
        return torch.nonzero(torch.rand(n, generator=random) < share).flatten()

    mirrored = some(0.5)
    x[mirrored] = x[mirrored].flip(3)
    become = torch.nonzero((y > 0) & (torch.rand(n, generator=random) < PICTURED)).flatten()
    edge_only, hidden, same = (torch.full((n,), value) for value in (False, False, True))
    if len(become) > 1:
        x[become], edge_only[become] = pictured(x[become], random)
        y[become] = 0
        same[become] = False
    gain = torch.empty(n, 1, 1, 1).uniform_(0.8, 1.2, generator=random)
    offset = torch.empty(n, 1, 1, 1).uniform_(-15, 15, generator=random)
    colour = torch.empty(n, 3, 1, 1).uniform_(0.92, 1.08, generator=random)
    x = x.mul_(gain * colour.repeat(1, len(VIEWS), 1, 1)).add_(offset)
    grey = some(0.12)
    same[grey] = False
    weights = torch.tensor([0.299, 0.587, 0.114]).view(1, 3, 1, 1)
    for view, _ in VIEWS:
        x[grey, view] = (x[grey, view] * weights).sum(1, keepdim=True).expand(-1, 3, -1, -1)
    for i in some(0.15):
        x[i] += 3 * torch.randn(x[i].shape, generator=random)
    # Far away, out of focus, or from a bad camera: the same for the living and for attacks. And too much sharpening.
    for share, lowest, highest in ((0.15, 1.1, 2.0), (0.12, 2.0, 3.5)):
        these = some(share)
        if len(these):
            loss = lowest + (highest - lowest) * torch.rand(1, generator=random).item()
            for view, reach in VIEWS:
                x[these, view] = blurred(x[these, view], reach, loss)
            hidden[these] = True
    these = some(0.15)
    if len(these):
        amount = 1.2 * torch.rand(len(these), 1, 1, 1, generator=random)
        x[these] += amount * (x[these] - functional.avg_pool2d(x[these], 3, 1, 1, count_include_pad=False))
    # Something before a part of the near view, or of the closer one.
    for i in some(0.2):
        view = VIEWS[0 if torch.rand(1, generator=random) < 0.7 else 2][0]
        h, w = (int(torch.randint(10, 40, (1,), generator=random)) for _ in range(2))
        top, left = (int(torch.randint(0, SIDE - s, (1,), generator=random)) for s in (h, w))
        x[i, view, top : top + h, left : left + w] = 255 * torch.rand(3, 1, 1, generator=random)
    x = x.clamp_(0, 255)
    # Photos with black bars close to the face.
    steps = (torch.arange(SIDE) + 0.5) / (SIDE / 2) - 1
    tight = (torch.rand(n, generator=random) < 0.1) & ~edge_only
    angle = torch.empty(n, 1, 1).normal_(0, 0.12, generator=random)
    edges = torch.empty(n, 4).uniform_(0, 1, generator=random) ** 1.3
    edges = 0.55 + edges * 1.7  # in halves of the near view, from the middle
    for view, reach in VIEWS[:2]:
        u, v = reach * steps.view(1, 1, -1), reach * steps.view(1, -1, 1)
        p, q = u * angle.cos() + v * angle.sin(), v * angle.cos() - u * angle.sin()
        e = edges.view(n, 4, 1, 1)
        inside = (p < e[:, 0]) & (p > -e[:, 1]) & (q < e[:, 2]) & (q > -e[:, 3])
        x[:, view].mul_((inside | ~tight.view(n, 1, 1)).unsqueeze(1))
    return x, y, hidden & ~same, same


@torch.no_grad()
def scores(model, cuts, rows, size=128):
    model.eval()
    found = [torch.sigmoid(model.logits(cuts.batch(rows[i : i + size])[0])[0]) for i in range(0, len(rows), size)]
    return torch.cat(found).numpy() if found else np.zeros((0, 1 + len(VIEWS)))


def auc(live, attack):
    order = np.sort(attack)
    below = np.searchsorted(order, live, "left") + np.searchsorted(order, live, "right")
    return below.mean() / 2 / max(1, len(order))


def report(name, model, cuts, rows):
    s = scores(model, cuts, rows)
    species = np.array([r["species"] for _, _, r in rows])
    live = s[species == "live"]
    for kind in sorted(set(species) - {"live"}):
        attack = s[species == kind]
        print(name, kind, f"{len(live)} live {len(attack)} attacks, AUC all/near/wide/fine",
              *(f"{auc(live[:, k], attack[:, k]):.4f}" for k in range(s.shape[1])),
              "accepted at 2 %% rejected: %.3f" % (attack[:, 0] > np.quantile(live[:, 0], 0.02)).mean(), flush=True)
    return s


def train(model, cuts, rows, minutes, rate, steps, size, threads, out):
    torch.set_num_threads(threads)
    random = torch.Generator().manual_seed(SEED)
    pick = np.random.default_rng(SEED)
    groups = {}
    for row in rows:
        groups.setdefault(group(row[2]), []).append(row)
    shares = np.array([SHARES[g] for g in groups])
    shares /= shares.sum()
    print({g: len(r) for g, r in groups.items()})
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.02)
    members = list(groups.values())
    start, losses = time.time(), []
    step = 0
    while True:
        share = step / steps if steps else (time.time() - start) / 60 / minutes
        if share >= 1:
            break
        for p in optimiser.param_groups:
            p["lr"] = rate * min(1, 20 * share + 0.05) * (0.5 + 0.5 * np.cos(np.pi * share))
        model.train()
        chosen = [members[g][pick.integers(len(members[g]))] for g in pick.choice(len(members), size, p=shares)]
        x, y, taught = cuts.batch(chosen)
        simulated = torch.tensor([r[2]["species"] in ("print", "screen", "cutout") for r in chosen])
        x, y, hidden, same = augmented(x, y, random)
        x = x.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):  # twice as fast where the processor has it
            logits, guessed = (found.float() for found in model.logits(x))
        target = (y * (1 - 2 * SMOOTHING) + SMOOTHING).unsqueeze(1).expand_as(logits)
        loss = functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
        hopeless = (simulated | hidden).unsqueeze(1) & (logits.detach().sigmoid() > HOPELESS)
        loss = (loss * ~hopeless).mean(0)
        wrong = functional.smooth_l1_loss(guessed, taught, reduction="none").mean(1)[same].mean()
        total = loss[0] + AUXILIARY * loss[1:].sum() + TAUGHT * wrong
        optimiser.zero_grad()
        total.backward()
        optimiser.step()
        losses.append(torch.cat([loss, wrong.view(1)]).detach().numpy())
        step += 1
        if step % 100 == 0:
            torch.save(model.state_dict(), out + ".part")
            print(f"step {step} {share:.2f} {time.time() - start:.0f} s loss", np.mean(losses[-100:], 0).round(4), flush=True)
    print(f"{step} steps")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["base", "tune"])
    parser.add_argument("cuts", nargs="+")
    parser.add_argument("--start")
    parser.add_argument("--out", required=True)
    parser.add_argument("--without", default="")
    parser.add_argument("--minutes", type=float, help="instead of --steps: then the result depends on the machine")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--size", type=int, default=64, help="of a batch")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.manual_seed(SEED)
    cuts = Cuts(arguments.cuts)
    model = Texture().to(memory_format=torch.channels_last)
    if arguments.start:
        model.load_state_dict(torch.load(arguments.start))
    left = {"nuaa-" + s for s in arguments.without.split(",") if s}
    nuaa = arguments.what == "tune"
    rows = cuts.select(
        lambda r: r["part"] == "train" and (r["source"] == "lfw" or nuaa and r["subject"] not in left))
    train(
        model, cuts, rows, arguments.minutes, arguments.rate, arguments.steps, arguments.size, arguments.threads,
        arguments.out)
    torch.save(model.state_dict(), arguments.out)
    report("held LFW", model, cuts, cuts.select(lambda r: r["part"] == "held"))
    out = cuts.select(lambda r: r["source"] == "nuaa" and (not nuaa or r["subject"] in left))
    if out:
        s = report("left-out NUAA", model, cuts, out)
        with open(arguments.out + ".scores.csv", "w") as file:
            for (_, _, row), value in zip(out, s):
                print(row["file"], row["subject"], row["species"], *(f"{v:.6f}" for v in value), sep=",", file=file)


if __name__ == "__main__":
    main()

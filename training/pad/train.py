#!/usr/bin/env python3
"""Trains the two halves of the texture network separately.

    train.py around CUTS... --teachers FOLDER --out around.pt   the surroundings: from two networks, without labels
    train.py face CUTS... --start around.pt --out final.pt [--without msu,nuaa-0005 | --people 0/2]

CUTS stand for the output of cut-faces: CUTS.tsv and CUTS.u8, and pictures.csv in the pictures' folder if
make_pictures.py made them. FOLDER contains Silent-Face's two networks: their outputs for each augmented picture are the
targets. `--without` holds out sources or subjects; `--people K/N` holds out every Nth person of each, starting with the
Kth. The evidence of the held-out pictures is written to FINAL.pt.scores.csv: cross-validation is one such run per part.
"""
import argparse
import csv
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from cuts import is_held, planes, read_cuts
from network import AROUND, LIVING, VIEWS, Texture
from pictured import pictured
from teacher import Teachers

SEED = 20261122
AUXILIARY = 0.25  # weight of each view's own output in the loss
ODDS = 0.3  # weight of the teachers' log-odds in the loss, in addition to their probabilities
SMOOTHING = 0.02
PERSON = {"nuaa": lambda name: name[:4], "msu": lambda name: name.split(".")[0].split("_")[0]}


class Cuts:
    """Views with their metadata: source, species, subject."""

    def __init__(self, prefixes):
        self.views, self.rows = [], []
        for prefix in prefixes:
            tables = {}
            views = read_cuts(prefix + ".u8")
            lines = Path(prefix + ".tsv").read_text().splitlines()
            assert len(lines) == len(views), prefix
            for i, line in enumerate(lines):
                path = Path(line.split("\t")[0])
                if path.parent not in tables:
                    table = path.parent / "pictures.csv"
                    tables[path.parent] = {r["file"]: r for r in csv.DictReader(open(table))} if table.exists() else None
                known = tables[path.parent]
                row = dict(known[path.name]) if known else described(path)
                row.update(path=str(path), made=known is not None)
                self.rows.append((len(self.views), i, row))
            self.views.append(views)

    def select(self, test):
        return [r for r in self.rows if test(r[2])]

    def batch(self, rows):
        x = planes(np.stack([self.views[f][i] for f, i, _ in rows]))
        return x, torch.tensor([float(r["species"] == "live") for _, _, r in rows])


def described(path):
    """Metadata of a real picture from its folders: SOURCE/live or SOURCE/SPECIES for attack collections, PERSON for
    portraits."""
    folder, source = path.parent.name, path.parents[1].name
    if folder in ("live", "print", "screen", "ipad", "iphone", "mask"):
        species = folder if folder == "live" else f"{source}-{folder}"
        return dict(source=source, species=species, subject=source + "-" + PERSON.get(source, lambda n: "1")(path.name))
    return dict(source="lfw", species="live", subject=folder)


def group(row):
    """The group of a picture: each has a fixed share of a batch, independent of its size."""
    if row["source"] != "lfw" and not row["made"]:
        return row["source"] + (" live" if row["species"] == "live" else " attack")
    return ("made " if row["made"] else "") + row["species"]


# Shares of the groups in a batch, by name. The shares of real sources grow with the number of their pictures, up to a
# limit.
SHARES = {"live": 0.3, "made live": 0.25, "made print": 0.12, "made screen": 0.18, "made cutout": 0.08}
REAL = (0.01, 0.12)  # times the square root of their number; at most
PICTURED = 0.25  # fraction of the bona fide in a batch that become attacks there
MIXED = 0.3  # fraction of a batch that is mixed with another picture: for the teachers only
# Simulated attacks with at least this score are ignored: blur and noise hid their traces, and they would only teach the
# network to reject blurred and noisy photos.
HOPELESS = 0.85


def blurred(view, side):
    small = functional.interpolate(view, (side, side), mode="area")
    return functional.interpolate(small, view.shape[2:], mode="bilinear", align_corners=False)


def augmented(x, views, y, random):
    """Augments the views, and makes attacks from some of the bona fide.

    Returns both with the new labels, and which of them may no longer show traces of an attack.
    """
    n = len(y)

    def some(share):
        return torch.nonzero(torch.rand(n, generator=random) < share).flatten()

    mirrored = some(0.5)
    for view in x:
        view[mirrored] = view[mirrored].flip(3)
    become = torch.nonzero((y > 0) & (torch.rand(n, generator=random) < PICTURED)).flatten()
    hidden = torch.zeros(n, dtype=torch.bool)
    if len(become) > 1:
        for view, new in zip(x, pictured([view[become] for view in x], views, random)):
            view[become] = new
        y[become] = 0
    gain = torch.empty(n, 1, 1, 1).uniform_(0.75, 1.25, generator=random)
    offset = torch.empty(n, 1, 1, 1).uniform_(-20, 20, generator=random)
    colour = torch.empty(n, 3, 1, 1).uniform_(0.9, 1.1, generator=random)
    grey, noisy = some(0.08), some(0.15)
    weights = torch.tensor([0.299, 0.587, 0.114]).view(1, 3, 1, 1)
    blurs = []
    # Distance, defocus or a bad camera, the same for bona fide and attacks; and oversharpening.
    for share, lowest, highest in ((0.15, 1.1, 2.0), (0.12, 2.0, 3.5)):
        these = some(share)
        if len(these):
            blurs.append((these, lowest + (highest - lowest) * torch.rand(1, generator=random).item()))
            hidden[these] = True
    sharp = some(0.15)
    amount = 1.2 * torch.rand(len(sharp), 1, 1, 1, generator=random)
    found = []
    for view, (side, reach) in zip(x, views):
        view = view * (gain * colour) + offset
        view[grey] = (view[grey] * weights).sum(1, keepdim=True).expand(-1, 3, -1, -1)
        if len(noisy):
            view[noisy] += 3 * torch.randn(view[noisy].shape, generator=random)
        for these, loss in blurs:
            pixels = int(VIEWS[0][0] * reach / loss)
            if pixels < side:
                view[these] = blurred(view[these], pixels)
        if len(sharp):
            view[sharp] += amount * (view[sharp] - functional.avg_pool2d(view[sharp], 3, 1, 1, count_include_pad=False))
        found.append(view)
    for i in some(0.15):  # an occlusion of a part of one view
        view = found[int(torch.randint(0, len(found), (1,), generator=random))]
        h, w = (int(torch.randint(10, 40, (1,), generator=random)) for _ in range(2))
        top, left = (int(torch.randint(0, view.shape[2] - s, (1,), generator=random)) for s in (h, w))
        view[i, :, top : top + h, left : left + w] = 255 * torch.rand(3, 1, 1, generator=random)
    return [view.clamp_(0, 255) for view in found], y, hidden


@torch.no_grad()
def judged(model, cuts, rows, size=128):
    """Log-odds of bona fide: from the face, and from its surroundings, as predicted for each teacher."""
    model.eval()
    found = [model.evidence(cuts.batch(rows[i : i + size])[0]) for i in range(0, len(rows), size)]
    return torch.cat(found).numpy() if found else np.zeros((0, 3))


def auc(live, attack):
    order = np.sort(attack)
    below = np.searchsorted(order, live, "left") + np.searchsorted(order, live, "right")
    return below.mean() / 2 / max(1, len(order))


def report(model, cuts, rows):
    s = judged(model, cuts, rows)
    kinds = np.array([r["species"] for _, _, r in rows])
    sources = np.array([r["source"] for _, _, r in rows])
    for source in sorted(set(sources)):
        live = s[(sources == source) & (kinds == "live")]
        for kind in sorted(set(kinds[sources == source]) - {"live"}):
            attack = s[(sources == source) & (kinds == kind)]
            if len(live):
                print(f"{kind}: {len(live)} live {len(attack)} attacks, AUC face/around/around",
                      *(f"{auc(live[:, k], attack[:, k]):.3f}" for k in range(s.shape[1])),
                      f"both around {auc(live[:, 1:].sum(1), attack[:, 1:].sum(1)):.3f}", flush=True)
    return s


def taught(model, x, teachers, random):
    """Loss of the surroundings: divergence from the teachers' outputs, also on mixtures of pictures."""
    n = len(x[0])
    mixed = (torch.rand(n, generator=random) < MIXED).view(-1, 1, 1, 1)
    others, part = torch.randperm(n, generator=random), torch.rand(n, 1, 1, 1, generator=random)
    x = [torch.where(mixed, part * view + (1 - part) * view[others], view) for view in x]
    said = teachers.say(x)
    with torch.autocast("cpu", torch.bfloat16):  # twice as fast on supporting processors
        guessed = model.around([view.contiguous(memory_format=torch.channels_last) for view in x]).float()
    guessed = functional.log_softmax(guessed, 2)
    apart = functional.kl_div(guessed, said, reduction="none").sum(2).mean(0)
    # The log-odds also rank pictures that the teachers consider certain.
    odds = [torch.logit(p[:, :, LIVING].clamp(1e-3, 1 - 1e-3)) for p in (guessed.exp(), said)]
    return apart + ODDS * functional.smooth_l1_loss(*odds, reduction="none").mean(0)


def told(model, x, y, may_be_hopeless):
    """Loss of the face against its label: of all views together, and of each."""
    with torch.autocast("cpu", torch.bfloat16):
        logits = model.face([view.contiguous(memory_format=torch.channels_last) for view in x]).float()
    target = (y * (1 - 2 * SMOOTHING) + SMOOTHING).unsqueeze(1).expand_as(logits)
    loss = functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
    left = (may_be_hopeless & (y < 0.5)).unsqueeze(1) & (logits.detach().sigmoid() > HOPELESS)
    return (loss * ~left).mean(0) * torch.tensor([1.0] + [AUXILIARY] * (logits.shape[1] - 1))


def train(model, cuts, rows, teachers, steps, rate, size, out):
    views = slice(AROUND, None) if teachers else slice(0, AROUND)
    random = torch.Generator().manual_seed(SEED)
    pick = np.random.default_rng(SEED)
    groups = {}
    for row in rows:
        groups.setdefault(group(row[2]), []).append(row)
    shares = np.array([SHARES.get(g, min(REAL[0] * len(r) ** 0.5, REAL[1])) for g, r in groups.items()])
    shares /= shares.sum()
    print({g: f"{len(r)} {s:.3f}" for (g, r), s in zip(groups.items(), shares)})
    members = list(groups.values())
    learning = list(model.towers[views].parameters())
    learning += list((model.teachers if teachers else nn.ModuleList([model.head, model.heads])).parameters())
    optimiser = torch.optim.AdamW(learning, lr=rate, weight_decay=0.02)
    start, losses = time.time(), []
    for step in range(steps):
        share = step / steps
        for p in optimiser.param_groups:
            p["lr"] = rate * min(1, 20 * share + 0.05) * (0.5 + 0.5 * np.cos(np.pi * share))
        model.eval()
        model.towers[views].train()
        model.drop.train()
        chosen = [members[g][pick.integers(len(members[g]))] for g in pick.choice(len(members), size, p=shares)]
        x, y = cuts.batch(chosen)
        made = torch.tensor([r[2]["made"] and r[2]["species"] != "live" for r in chosen])
        x, y, hidden = augmented(x[views], VIEWS[views], y, random)
        loss = taught(model, x, teachers, random) if teachers else told(model, x, y, made | hidden)
        optimiser.zero_grad()
        loss.sum().backward()
        torch.nn.utils.clip_grad_norm_(learning, 5.0)
        optimiser.step()
        losses.append(loss.detach().numpy())
        if (step + 1) % 50 == 0:
            torch.save(model.state_dict(), out + ".part")
            print(f"step {step + 1} {time.time() - start:.0f} s loss", np.mean(losses[-50:], 0).round(4), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["around", "face"])
    parser.add_argument("cuts", nargs="+")
    parser.add_argument("--teachers", type=Path)
    parser.add_argument("--start")
    parser.add_argument("--out", required=True)
    parser.add_argument("--without", default="")
    parser.add_argument("--people")
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--size", type=int, default=64, help="of a batch")
    parser.add_argument("--rate", type=float, default=2e-3)
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # on a busy machine, two threads that wait for each other are slower than one
    torch.manual_seed(SEED)
    cuts = Cuts(arguments.cuts)
    model = Texture().to(memory_format=torch.channels_last)
    if arguments.start:
        model.load_state_dict(torch.load(arguments.start))
    left = set(arguments.without.split(",")) - {""}

    def is_left(row):
        if row["source"] == "lfw":
            return is_held(row["subject"])
        if arguments.people:
            part, parts = map(int, arguments.people.split("/"))
            return is_held(row["subject"], parts, part)
        return bool({row["source"], row["subject"]} & left)

    teachers = Teachers(arguments.teachers, arguments.size) if arguments.what == "around" else None
    train(
        model, cuts, cuts.select(lambda r: not is_left(r)), teachers, arguments.steps, arguments.rate, arguments.size,
        arguments.out)
    torch.save(model.state_dict(), arguments.out)
    out = cuts.select(is_left)
    s = report(model, cuts, out)
    with open(arguments.out + ".scores.csv", "w") as file:
        for (_, _, row), value in zip(out, s):
            print(row["path"], row["source"], row["subject"], row["species"], *(f"{v:.5f}" for v in value), sep=",", file=file)


if __name__ == "__main__":
    main()

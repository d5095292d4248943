#!/usr/bin/env python3
"""Trains the network that tells documents from their prints and from displays, by patches that simulate.py made.

    train.py OUT.pt TRAIN.npz... --held HELD.npz [--epochs 20] [--start STATE.pt]

A screen of a printer and the pixels of a display repeat over the whole page, other print does not. The network therefore
sees spectra: of groups of four patches, the mean power and the mean of its logarithm.
"""
import math
import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

sys.path.append(str(Path(__file__).resolve().parents[1]))
from shared import auc, command

CLASSES = ("original", "print", "display")
SIDE = 64
HALF = SIDE // 2 + 1
GROUP = 4


class Spectra(nn.Module):
    """Maps patches, …×3×64×64 and RGB from 0 to 1, to the logarithm of the power of their luma and of two colour
    differences: …×3×64×33, the frequencies down from -32 to 31, across from 0 to 32.

    A Fourier transform by matrices, which every runtime computes."""

    def __init__(self):
        super().__init__()
        place = torch.arange(SIDE, dtype=torch.float64)
        window = 0.5 - 0.5 * torch.cos(2 * math.pi * (place + 0.5) / SIDE)
        across = 2 * math.pi * place[:, None] * torch.arange(HALF) / SIDE
        down = 2 * math.pi * (torch.arange(SIDE) - SIDE // 2)[:, None] * place / SIDE
        for name, value in (("across_cos", window[:, None] * across.cos()), ("across_sin", window[:, None] * across.sin()),
                            ("down_cos", down.cos() * window), ("down_sin", down.sin() * window)):
            self.register_buffer(name, value.float(), persistent=False)
        self.register_buffer("colours", torch.tensor([[0.299, 0.587, 0.114], [-0.299, -0.587, 0.886], [0.701, -0.587, -0.114]]),
                             persistent=False)

    def forward(self, x):
        x = x - x.mean((-2, -1), keepdim=True)
        red, green, blue = x[..., 0, :, :], x[..., 1, :, :], x[..., 2, :, :]
        x = torch.stack([row[0] * red + row[1] * green + row[2] * blue for row in self.colours], -3)
        real, other = x @ self.across_cos, x @ self.across_sin
        a = self.down_cos @ real - self.down_sin @ other
        b = self.down_cos @ other + self.down_sin @ real
        return torch.log(a * a + b * b + 1e-4)


def convolution(inputs, outputs, stride=1):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())


class Judge(nn.Module):
    """Maps the spectra of groups of patches, B×4×3×64×33, to logits of the three classes."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            convolution(13, 24, 2), convolution(24, 32), convolution(32, 48, 2), convolution(48, 48))
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(96, len(CLASSES)))
        down, across = torch.meshgrid(torch.arange(SIDE) / 32 - 1, torch.arange(HALF) / 32, indexing="ij")
        self.register_buffer("radius", (down**2 + across**2).sqrt()[None, None], persistent=False)

    def forward(self, spectra):
        means = torch.cat([spectra.exp().mean(1).log(), spectra.mean(1)], 1)
        # Above their surroundings: peaks.
        peaks = means - functional.avg_pool2d(functional.pad(means, (4, 4, 4, 4), mode="replicate"), 9, 1)
        x = torch.cat([means / 3, peaks, self.radius.expand(len(means), 1, SIDE, HALF)], 1)
        x = self.body(x)
        return self.head(torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1))


class Network(nn.Module):
    """Maps groups of patches, B×4×3×64×64, RGB 0 to 1, to logits of the three classes."""

    def __init__(self, judge):
        super().__init__()
        self.spectra, self.judge = Spectra(), judge

    def forward(self, x):
        return self.judge(self.spectra(x))


def load(files):
    """Spectra (page, patch, channel, row, column; 16 bits) and rows."""
    transform = Spectra()
    spectra, rows = [], []
    for file in files:
        data = np.load(file, allow_pickle=True)
        with torch.no_grad():
            for pages in np.array_split(data["patches"], max(1, len(data["patches"]) // 16)):
                pages = torch.from_numpy(pages).permute(0, 1, 4, 2, 3).float() / 255
                spectra.append(transform(pages).half())
        rows += list(data["rows"])
    return torch.cat(spectra), rows


def turns():
    """Of the eight ways to turn and mirror a patch, where each number of its spectrum comes from."""
    down, across = np.mgrid[-SIDE // 2:SIDE // 2, 0:HALF]
    maps = []
    for a, b, c, d in ((1, 0, 0, 1), (1, 0, 0, -1), (0, 1, 1, 0), (0, 1, -1, 0)):
        v, u = a * down + b * across, c * down + d * across
        sign = np.where(u < 0, -1, 1)
        v, u = (v * sign + SIDE // 2) % SIDE, u * sign
        maps.append(torch.from_numpy((v * HALF + u).ravel()))
    return maps


def logits(judge, spectra):
    """Of each group of patches of each page."""
    judge.eval()
    pages, patches = spectra.shape[:2]
    groups = spectra[:, :patches // GROUP * GROUP].reshape(-1, GROUP, *spectra.shape[2:])
    with torch.no_grad():
        out = torch.cat([judge(part.float()) for part in groups.split(64)])
    return out.reshape(pages, -1, len(CLASSES)).numpy()


def scores(values):
    """The class probabilities of pages from the logits of their groups."""
    mean = values.mean(1)
    e = np.exp(mean - mean.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def kinds_of(rows):
    return np.array([CLASSES.index(row["class"]) for row in rows])


def main(
        out: Path, train: list[Path], *, held: list[Path], epochs: int = 20, start: Path = None, rate: float = 4e-3):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    random = np.random.default_rng(1)
    x, rows = load(train)
    labels = torch.from_numpy(kinds_of(rows))
    held, held_rows = load(held)
    kinds = kinds_of(held_rows)
    judge = Judge()
    if start:
        judge.load_state_dict(torch.load(start))
    maps = turns()
    batch = 32
    steps = epochs * (len(x) // batch)
    optimizer = torch.optim.AdamW(judge.parameters(), weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps, pct_start=0.15)
    print(sum(p.numel() for p in judge.parameters()), "weights,", len(x), "pages", flush=True)
    for epoch in range(epochs):
        judge.train()
        begun, total, right = time.time(), 0.0, 0
        order = torch.randperm(len(x))
        for at in range(0, len(x) - batch + 1, batch):
            chosen = order[at:at + batch]
            part = x[chosen][:, torch.randperm(x.shape[1])[:GROUP]].flatten(3)
            part = part[..., maps[random.integers(4)]].float().unflatten(3, (SIDE, HALF))
            # Brighter or darker, and more or less colourful.
            part = part + 0.5 * torch.randn(batch, 1, 1, 1, 1) + 0.2 * torch.randn(batch, 1, 3, 1, 1)
            found = judge(part)
            loss = functional.cross_entropy(found, labels[chosen], label_smoothing=0.02)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(chosen)
            right += int((found.argmax(1) == labels[chosen]).sum())
        values = logits(judge, held)
        copy = 1 - scores(values)[:, 0]
        areas = [auc(copy[kinds == k], copy[kinds == 0]) for k in (1, 2)]
        print(f"{epoch}: loss {total / len(x):.3f}, right {right / len(x):.3f}; held groups "
              f"{(values.argmax(2) == kinds[:, None]).mean():.3f}, AUC print {areas[0]:.4f}, display {areas[1]:.4f}; "
              f"{time.time() - begun:.0f} s", flush=True)
        torch.save(judge.state_dict(), out)


if __name__ == "__main__":
    command(main, __doc__)

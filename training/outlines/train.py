#!/usr/bin/env python3
"""Trains the document finder's network on generated scenes.

    train.py BANK.npz STATE.pt [--minutes 7] [--device cuda]

BANK is made by bank.py. The rate is annealed by the clock, so that training ends on time on any device. STATE.pt, the
exponential moving average of the weights, is written every 30 seconds.
"""
import math
import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from network import Finder
from scenes import Scenes

sys.path.append(str(Path(__file__).resolve().parents[1]))
from distillation import averaged, saved
from shared import command

BATCH = 192
RATE = 2e-3
EDGES = 3.0  # weight of cells on edges
REPORTED = 30  # seconds


def losses(logits, target, is_in):
    """Of inside and of edges, per cell, and of the overlap of the documents (Dice)."""
    inside, edge = logits.float().split(1, 1)
    of_inside = functional.binary_cross_entropy_with_logits(inside, target[:, :1], reduction="none")
    weight = torch.tensor(EDGES, device=edge.device)
    of_edge = functional.binary_cross_entropy_with_logits(edge, target[:, 1:], reduction="none", pos_weight=weight)
    found, wanted = inside.sigmoid() * is_in, target[:, :1] * is_in
    axes, smooth = (1, 2, 3), 50  # cells
    overlap = (2 * (found * wanted).sum(axes) + smooth) / (found.sum(axes) + wanted.sum(axes) + smooth)
    return torch.stack([(of_inside * is_in).sum() / is_in.sum(), (of_edge * is_in).sum() / is_in.sum(), 1 - overlap.mean()])


def main(bank: Path, state: Path, *, minutes: float = 7, device: str = "cuda"):
    torch.manual_seed(3)
    torch.backends.cudnn.benchmark = True
    scenes = Scenes(np.load(bank), device)
    finder = Finder().to(device, memory_format=torch.channels_last)
    mean = {name: value.clone() for name, value in finder.state_dict().items()}
    optimiser = torch.optim.AdamW(finder.parameters(), weight_decay=1e-3)
    start, step, recent, reported = time.time(), 0, [], 0
    while (taken := time.time() - start) < 60 * minutes:
        share = taken / (60 * minutes)
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 150) * (0.5 + 0.5 * math.cos(math.pi * share))
        pictures, target, is_in = scenes.batch(BATCH)
        with torch.autocast(scenes.device.type, torch.bfloat16):
            logits = finder(pictures.contiguous(memory_format=torch.channels_last))
        found = losses(logits, target, is_in)
        optimiser.zero_grad()
        (found * torch.tensor([1, 2, 0.5], device=found.device)).sum().backward()
        torch.nn.utils.clip_grad_norm_(finder.parameters(), 2.0)
        optimiser.step()
        averaged(mean, finder, step)
        step += 1
        recent.append(found.detach())
        if taken - reported > REPORTED:
            reported = taken
            print(f"step {step} {taken:.0f} s, inside, edge, overlap:",
                  np.round(torch.stack(recent).mean(0).cpu(), 4).tolist(), flush=True)
            recent = []
            saved({name: value.cpu() for name, value in mean.items()}, state)
    saved({name: value.cpu() for name, value in mean.items()}, state)


if __name__ == "__main__":
    command(main, __doc__)

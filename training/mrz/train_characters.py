#!/usr/bin/env python3
"""Trains the network that reads a line: train_characters.py --out characters.pt [--steps 8000]

All data are generated during training, from the seed; only fonts are read. Held-out data have a separate seed.
"""
import argparse
import random
import time

import cv2
import numpy as np
import torch
from torch.nn import functional

import strips
from networks import Characters

SEED = 20261121
WIDTH = 256
BATCH = 64


class Windows(torch.utils.data.IterableDataset):
    def __init__(self, seed):
        self.seed = seed

    def __iter__(self):
        cv2.setNumThreads(1)
        worker = torch.utils.data.get_worker_info()
        rng = random.Random(f"{self.seed} {worker.id if worker else 0}")
        pool = []
        while True:
            while len(pool) < 6 * BATCH:
                pool += strips.windows(rng, WIDTH)
            rng.shuffle(pool)
            chosen, pool = pool[:BATCH], pool[BATCH:]
            yield (torch.from_numpy(np.stack([p for p, _ in chosen])), torch.from_numpy(np.stack([t for _, t in chosen])))


def normalised(pictures):
    x = pictures[:, None].float()
    return (x - x.mean((2, 3), keepdim=True)) / (x.std((2, 3), keepdim=True) + 1)


def right(model, data, count):
    """The fractions of frames with a character, and of frames without one, that are classified correctly."""
    model.eval()
    hits = np.zeros(4)
    with torch.no_grad():
        for (pictures, truth), _ in zip(data, range(count)):
            guess = model(normalised(pictures)).argmax(1)
            shown, none = (truth >= 0) & (truth < strips.BACKGROUND), truth == strips.BACKGROUND
            hits += [(guess == truth)[shown].sum(), shown.sum(), (guess == truth)[none].sum(), none.sum()]
    model.train()
    return hits[0] / hits[1], hits[2] / hits[3]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--start")
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    model = Characters().to(memory_format=torch.channels_last)
    if arguments.start:
        model.load_state_dict(torch.load(arguments.start))
    print(sum(p.numel() for p in model.parameters()), "parameters", flush=True)
    optimiser = torch.optim.AdamW(model.parameters(), arguments.rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, arguments.rate, arguments.steps, pct_start=0.1)
    load = lambda seed, workers: torch.utils.data.DataLoader(Windows(seed), batch_size=None, num_workers=workers)
    held = [batch for batch, _ in zip(Windows(f"held {arguments.seed}"), range(10))]
    start, total = time.time(), 0.0
    for step, (pictures, truth) in enumerate(load(arguments.seed, arguments.workers), 1):
        with torch.autocast("cpu", torch.bfloat16):  # twice as fast; the shipped network runs in f32
            scores = model(normalised(pictures).contiguous(memory_format=torch.channels_last))
        loss = functional.cross_entropy(scores.float(), truth, ignore_index=strips.IGNORED)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5)
        optimiser.step()
        schedule.step()
        total += loss.item()
        if step % 250 == 0:
            shown, none = right(model, held, len(held))
            print(f"{step} {time.time() - start:.0f} s: loss {total / 250:.4f}, held out: "
                  f"characters {shown:.4f}, gaps {none:.4f}", flush=True)
            total = 0.0
            torch.save(model.state_dict(), arguments.out)
        if step == arguments.steps:
            break


if __name__ == "__main__":
    main()

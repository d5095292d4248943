#!/usr/bin/env python3
"""Trains the network that locates the lines of a zone: train_lines.py --photos FOLDER --out lines.pt [--steps 6000]

Pages are generated during training, from the seed. FOLDER contains photos of people, one folder per person: they are
used as portraits and as scenes without a zone.
"""
import argparse
import functools
import random
import time
from pathlib import Path

import numpy as np
import torch
from PIL import Image, ImageDraw
from torch.nn import functional

import pages
from networks import Lines
from text import any_form, zone

SEED = 20261121
SIDE = 512
CELL = 4  # pixels of an output cell
CORE = 0.6  # fraction of the capital height that is a line's core
BATCH = 8


def open_photo(path):
    return Image.open(path).convert("L")


def core(truth, size):
    """The fraction of each cell that is in the core of a line."""
    mask = Image.new("L", size, 0)
    draw = ImageDraw.Draw(mask)
    for (x0, y0), (x1, y1), capital in truth:
        length = max(1e-6, ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5)
        nx, ny = (y0 - y1) / length * capital * CORE / 2, (x1 - x0) / length * capital * CORE / 2
        draw.polygon([(x0 + nx, y0 + ny), (x1 + nx, y1 + ny), (x1 - nx, y1 - ny), (x0 - nx, y0 - ny)], fill=255)
    return np.asarray(mask.reduce(CELL), np.float32) / 255


def sample(rng, photos):
    """A picture of SIDE×SIDE and the cores of its lines."""
    size = (SIDE, SIDE)
    portrait = rng.choice(photos)() if photos and rng.random() < 0.8 else None
    kind = rng.random()
    if kind < 0.06 and photos:  # just a photo
        return np.asarray(pages.degrade(pages.filled(rng, size, photos), rng, rng.random())), core([], size)
    form = any_form(rng)
    lines = zone(rng, form)
    empty = kind < 0.2
    image, truth, _ = pages.card(rng, lines, form, rng.uniform(3.5, 7), portrait)
    w, h = image.size
    if empty:  # a page without a zone, or with its zone out of view
        keep = int(min(t[0][1] - t[2] * 1.5 for t in truth))
        image, truth = image.crop((0, 0, w, max(20, keep))), []
    elif kind < 0.32:  # only the zone, or one line of it
        chosen = truth if kind < 0.27 else [rng.choice(truth)]
        capital = truth[0][2]
        box = (max(0, min(t[0][0] for t in chosen) - capital * rng.uniform(0.1, 3)),
               chosen[0][0][1] - capital * rng.uniform(0.6, 1.2),
               min(w, max(t[1][0] for t in chosen) + capital * rng.uniform(0.1, 3)),
               min(h, chosen[-1][0][1] + capital * rng.uniform(0.6, 1.2)))
        box = tuple(int(v) for v in box)
        image = image.crop(box)
        truth = [((a[0] - box[0], a[1] - box[1]), (b[0] - box[0], b[1] - box[1]), c) for a, b, c in chosen]
    elif kind < 0.5:  # an open booklet, with another page above
        above = Image.new("L", (w, int(h * 1.95)), int(rng.uniform(100, 250)))
        other, _, _ = pages.card(rng, lines, form, w / pages.CARDS[form][0])
        bottom = int(other.size[1] * 0.7)
        above.paste(other.crop((0, 0, other.size[0], bottom)).resize((w, int(h * 0.95))), (0, 0))
        above.paste(image, (0, int(h * 0.95)))
        truth = [((a[0], a[1] + int(h * 0.95)), (b[0], b[1] + int(h * 0.95)), c) for a, b, c in truth]
        image = above
    w, h = image.size
    angle = rng.choice((0, 0, 1, 2, 3)) * np.pi / 2 + rng.gauss(0, 0.08)
    if rng.random() < 0.25:
        angle = rng.uniform(0, 2 * np.pi)
    fill = rng.choice((rng.uniform(0.9, 1.05), rng.uniform(0.55, 1.1), rng.uniform(1, 1.3)))
    tilt = rng.choice((0, 0.02, 0.08))
    corners = pages.corners_of(rng, w, h, angle, size, tilt, fill)
    scene, truth = pages.photograph(image, truth, corners, size, pages.filled(rng, size, photos), rng)
    if rng.random() < 0.15:  # a small picture, enlarged
        small = int(SIDE * rng.uniform(0.45, 0.9))
        scene = scene.resize((small, small), Image.Resampling.BOX)
        scene = pages.degrade(scene, rng, rng.random()).resize(size, Image.Resampling.BICUBIC)
    else:
        scene = pages.degrade(scene, rng, rng.random())
    if rng.random() < 0.03:
        scene = Image.fromarray(255 - np.asarray(scene))
    return np.asarray(scene), core(truth, size)


class Pages(torch.utils.data.IterableDataset):
    def __init__(self, seed, photos):
        self.seed, self.photos = seed, photos

    def __iter__(self):
        torch.set_num_threads(1)
        worker = torch.utils.data.get_worker_info()
        rng = random.Random(f"{self.seed} {worker.id if worker else 0}")
        while True:
            chosen = [sample(rng, self.photos) for _ in range(BATCH)]
            yield torch.from_numpy(np.stack([p for p, _ in chosen])), torch.from_numpy(np.stack([t for _, t in chosen]))


def overlap(guess, truth):
    return 2 * (guess * truth).sum() / ((guess * guess).sum() + (truth * truth).sum() + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--photos", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--start")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    photos = [functools.partial(open_photo, p) for p in sorted(Path(arguments.photos).glob("*/*.jpg"))]
    assert photos, "no photos"
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    model = Lines().to(memory_format=torch.channels_last)
    if arguments.start:
        model.load_state_dict(torch.load(arguments.start))
    print(sum(p.numel() for p in model.parameters()), "parameters", flush=True)
    optimiser = torch.optim.AdamW(model.parameters(), arguments.rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, arguments.rate, arguments.steps, pct_start=0.1)
    held = [batch for batch, _ in zip(Pages(f"held {arguments.seed}", photos[::50]), range(8))]
    data = torch.utils.data.DataLoader(
        Pages(arguments.seed, [p for i, p in enumerate(photos) if i % 50]), batch_size=None, num_workers=arguments.workers)
    start, total = time.time(), 0.0
    for step, (pictures, truth) in enumerate(data, 1):
        with torch.autocast("cpu", torch.bfloat16):  # twice as fast; the shipped network runs in f32
            logits = model((pictures[:, None].float() / 255).contiguous(memory_format=torch.channels_last))[:, 0].float()
        loss = functional.binary_cross_entropy_with_logits(logits, truth, pos_weight=torch.tensor(3.0))
        loss = loss + 0.3 * (1 - overlap(torch.sigmoid(logits), truth))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5)
        optimiser.step()
        schedule.step()
        total += loss.item()
        if step % 100 == 0:
            model.eval()
            with torch.no_grad():
                score = np.mean([overlap(torch.sigmoid(model(p[:, None].float() / 255)[:, 0]), t).item() for p, t in held])
            model.train()
            print(f"{step} {time.time() - start:.0f} s: loss {total / 100:.4f}, held out: overlap {score:.4f}", flush=True)
            total = 0.0
            torch.save(model.state_dict(), arguments.out)
        if step == arguments.steps:
            break


if __name__ == "__main__":
    main()

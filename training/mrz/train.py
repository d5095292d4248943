#!/usr/bin/env python3
"""Trains the network that reads a line of a zone, or the one that locates the lines on a page.

    train.py characters OUT.pt --steps 6500 [--start OTHER.pt] [--rate 3e-3] [--seed 20261121]
    train.py lines OUT.pt --steps 3100 --photos FOLDER

All data are generated during training, from the seed; held-out data have a separate seed. FOLDER contains photos of people,
one folder per person: they are used as portraits and as scenes without a zone. Otherwise only fonts are read.
"""
import functools
import random
import sys
import time
import typing
from pathlib import Path

import cv2
import numpy as np
import torch
from PIL import Image, ImageDraw
from torch.nn import functional

import strips
from networks import Characters, Lines, normalised

sys.path += [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2] / "Tests/documents")]
import pages
from shared import command
from text import any_form, zone

SIDE = 512  # of a page
CELL = 4  # pixels of an output cell
CORE = 0.6  # fraction of the capital height that is a line's core


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


def page(rng, photos):
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


class Batches(torch.utils.data.IterableDataset):
    """The batches that `make` yields from random numbers."""

    def __init__(self, make, seed):
        self.make, self.seed = make, seed

    def __iter__(self):
        cv2.setNumThreads(1)
        worker = torch.utils.data.get_worker_info()
        if worker:
            torch.set_num_threads(1)
        for rows in self.make(random.Random(f"{self.seed} {worker.id if worker else 0}")):
            yield tuple(torch.from_numpy(np.stack(column)) for column in zip(*rows))


class CharactersTask:
    BATCH, WIDTH, EVERY, HELD = 64, 256, 250, 10

    def __init__(self, photos):
        self.model = Characters()

    def train_data(self, rng):
        pool = []
        while True:
            while len(pool) < 6 * self.BATCH:
                pool += strips.windows(rng, self.WIDTH)
            rng.shuffle(pool)
            yield pool[:self.BATCH]
            pool = pool[self.BATCH:]

    held_data = train_data

    def input(self, lines):
        return normalised(lines)

    def loss(self, scores, truth):
        return functional.cross_entropy(scores.float(), truth, ignore_index=strips.IGNORED)

    def report(self, held):
        """The fractions of frames with a character, and of frames without one, that are classified correctly."""
        hits = np.zeros(4)
        for lines, truth in held:
            guess = self.model(normalised(lines)).argmax(1)
            shown, none = (truth >= 0) & (truth < strips.BACKGROUND), truth == strips.BACKGROUND
            hits += [(guess == truth)[shown].sum(), shown.sum(), (guess == truth)[none].sum(), none.sum()]
        return f"characters {hits[0] / hits[1]:.4f}, gaps {hits[2] / hits[3]:.4f}"


class LinesTask:
    BATCH, EVERY, HELD = 8, 100, 8

    def __init__(self, photos):
        assert photos, "no photos"
        self.model = Lines()
        self.photos = [photo for i, photo in enumerate(photos) if i % 50]
        self.held_photos = photos[::50]

    def pages(self, rng, photos):
        while True:
            yield [page(rng, photos) for _ in range(self.BATCH)]

    def train_data(self, rng):
        return self.pages(rng, self.photos)

    def held_data(self, rng):
        return self.pages(rng, self.held_photos)

    def input(self, pages):
        return pages[:, None].float() / 255

    def overlap(self, logits, truth):
        guess = torch.sigmoid(logits)
        return 2 * (guess * truth).sum() / ((guess * guess).sum() + (truth * truth).sum() + 1)

    def loss(self, logits, truth):
        logits = logits[:, 0].float()
        loss = functional.binary_cross_entropy_with_logits(logits, truth, pos_weight=torch.tensor(3.0))
        return loss + 0.3 * (1 - self.overlap(logits, truth))

    def report(self, held):
        return f"overlap {np.mean([self.overlap(self.model(self.input(p))[:, 0], t).item() for p, t in held]):.4f}"


def main(
        network: typing.Literal["characters", "lines"], out: Path, *, steps: int, photos: Path = None, start: Path = None,
        rate: float = 3e-3, seed: int = 20261121, threads: int = 2, workers: int = 1):
    files = sorted(photos.glob("*/*.jpg")) if photos else []
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    task = {"characters": CharactersTask, "lines": LinesTask}[network]([functools.partial(open_photo, f) for f in files])
    model = task.model.to(memory_format=torch.channels_last)
    if start:
        model.load_state_dict(torch.load(start))
    print(sum(p.numel() for p in model.parameters()), "parameters", flush=True)
    optimiser = torch.optim.AdamW(model.parameters(), rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, steps, pct_start=0.1)
    held = [batch for batch, _ in zip(Batches(task.held_data, f"held {seed}"), range(task.HELD))]
    data = torch.utils.data.DataLoader(Batches(task.train_data, seed), batch_size=None, num_workers=workers)
    begun, total = time.time(), 0.0
    for step, (pictures, truth) in zip(range(1, steps + 1), data):
        with torch.autocast("cpu", torch.bfloat16):  # twice as fast; the shipped networks run in f32
            found = model(task.input(pictures).contiguous(memory_format=torch.channels_last))
        loss = task.loss(found, truth)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5)
        optimiser.step()
        schedule.step()
        total += loss.item()
        if step % task.EVERY == 0:
            model.eval()
            with torch.no_grad():
                report = task.report(held)
            model.train()
            print(f"{step} {time.time() - begun:.0f} s: loss {total / task.EVERY:.4f}, held out: {report}", flush=True)
            total = 0.0
            torch.save(model.state_dict(), out)


if __name__ == "__main__":
    command(main, __doc__)

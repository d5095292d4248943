#!/usr/bin/env python3
"""Trains the student.

  train.py look TRUNK.f4 PICTURES...              stores the frozen trunk's features of each picture, in PICTURES.views
  train.py top TRUNK.f4 PICTURES... --out S.pt    trains only the head, on these features
  train.py all S.pt PICTURES... --out T.pt        trains all layers, starting from a student of the previous line

PICTURES are outputs of make_pictures.py (without the suffix); their features take 16 kB each. Students are written at
each report, with weights averaged over the last steps. On a busy machine one thread is faster than two that wait for
each other (OMP_NUM_THREADS=1): run `look` for several PICTURES in parallel.
"""
import argparse
import copy
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from network import MEAN_COLOUR, Student

MEAN = torch.tensor(MEAN_COLOUR).view(1, 3, 1, 1)


class Pictures:
    def __init__(self, stems):
        self.jpg, self.start, self.end, self.file, self.number, targets = [], [], [], [], [], []
        for number, stem in enumerate(stems):
            ends = np.fromfile(stem + ".ends", np.uint64).astype(np.int64)
            said = np.fromfile(stem + ".f2", "<f2").reshape(-1, 256)
            count = min(len(ends), len(said))  # an interrupted run may have written fewer of one
            self.jpg.append(np.memmap(stem + ".jpg", np.uint8, "r"))
            self.start.append(np.r_[0, ends[: count - 1]])
            self.end.append(ends[:count])
            self.file.append(np.full(count, number))
            self.number.append(np.arange(count))
            targets.append(said[:count])
        self.start, self.end, self.file, self.number = map(np.concatenate, (self.start, self.end, self.file, self.number))
        self.targets = torch.from_numpy(np.concatenate(targets).astype("f4"))

    def __len__(self):
        return len(self.end)

    def chips(self, indices):
        """Uint8 NHWC."""
        return torch.from_numpy(np.stack([
            cv2.imdecode(self.jpg[self.file[i]][self.start[i]:self.end[i]], 1)[:, :, ::-1] for i in indices]))


def prepared(chips):
    x = (chips.permute(0, 3, 1, 2).float() - MEAN) / 256
    return x.contiguous(memory_format=torch.channels_last)


def losses(said, wanted):
    """The angle to the teacher's vector, and the similarity of the batch's pictures to each other."""
    y, t = F.normalize(said.float()), F.normalize(wanted)
    angle = 1 - (y * t).sum(1).mean()
    off = ~torch.eye(len(y), dtype=torch.bool)
    alike = ((y @ y.T - t @ t.T)[off] ** 2).mean()
    return angle, alike


def look(stem, student):
    """Stores the trunk's features of each picture of one run of make_pictures.py."""
    pictures = Pictures([stem])
    student.trunk.to(memory_format=torch.channels_last).eval()
    with open(stem + ".views", "wb") as file, torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for i in range(0, len(pictures), 64):
            seen = student.trunk(prepared(pictures.chips(range(i, min(i + 64, len(pictures))))))
            file.write(seen.permute(0, 2, 3, 1).float().numpy().astype("<f2").tobytes())
            if i // 64 % 50 == 0:
                print(f"{stem}: {i} of {len(pictures)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=["look", "top", "all"])
    parser.add_argument("start")
    parser.add_argument("pictures", nargs="+")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--blocks", type=int, default=3)
    parser.add_argument("--alike", type=float, default=10.0)
    parser.add_argument("--report", type=int, default=250)
    arguments = parser.parse_args()

    torch.manual_seed(1)
    random = np.random.default_rng(1)
    pictures = Pictures(arguments.pictures)
    size = dict(width=arguments.width, blocks=arguments.blocks)
    if arguments.part != "all":
        student = Student(**size)
        student.trunk.load(arguments.start)
        learner = student.top
    else:
        state = torch.load(arguments.start)
        size = state["size"]
        student = Student(**size)
        student.load_state_dict(state["weights"])
        learner = student
    if arguments.part == "look":
        for stem in arguments.pictures:
            look(stem, student)
        return
    kept = [np.memmap(stem + ".views", "<f2", "r").reshape(-1, 8, 8, 128) for stem in arguments.pictures if arguments.part == "top"]
    student.to(memory_format=torch.channels_last)
    learner.train()
    matrices = [p for p in learner.parameters() if p.ndim > 1]
    rest = [p for p in learner.parameters() if p.ndim <= 1]
    optimiser = torch.optim.AdamW(
        [dict(params=matrices, weight_decay=0.02), dict(params=rest, weight_decay=0)], lr=arguments.rate, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, arguments.rate, total_steps=arguments.steps, pct_start=0.08, final_div_factor=50)
    average = copy.deepcopy(student)
    begin, sums, order = time.time(), np.zeros(2), np.empty(0, int)
    for step in range(1, arguments.steps + 1):
        if len(order) < arguments.batch:
            order = random.permutation(len(pictures))
        rows, order = np.sort(order[: arguments.batch]), order[arguments.batch:]
        if arguments.part == "top":
            x = np.stack([kept[pictures.file[i]][pictures.number[i]] for i in rows])
            x = torch.from_numpy(x).permute(0, 3, 1, 2).float()
        else:
            x = prepared(pictures.chips(rows))
        with torch.autocast("cpu", torch.bfloat16):
            said = learner(x)
        angle, alike = losses(said, pictures.targets[rows])
        optimiser.zero_grad(set_to_none=True)
        (angle + arguments.alike * alike).backward()
        torch.nn.utils.clip_grad_norm_(learner.parameters(), 2.0)
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            keep = min(0.995, step / (step + 10))
            for mean, now in zip(average.state_dict().values(), student.state_dict().values()):
                mean.lerp_(now, 1 - keep) if mean.is_floating_point() else mean.copy_(now)
        sums += angle.item(), alike.item()
        if step % arguments.report == 0 or step == arguments.steps:
            print(f"step {step}: angle {sums[0] / arguments.report:.4f}, alike {sums[1] / arguments.report:.5f}, {time.time() - begin:.0f} s", flush=True)
            sums[:] = 0
            torch.save(dict(size=size, weights=average.state_dict()), arguments.out)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Trains the students of the texture network by stage-wise distillation, without labels.

    train.py STATE.pt TEACHERS CUTS.tsv... --left msu,nuaa-5 [--stages 5000] [--chain 40000]

First each stage is trained alone on the teacher's previous output, then the network end to end. STATE.pt is written
every 50 steps; training resumes from it. The learning rate depends on the share of the steps done: with a smaller
`--chain`, a resumed training ends sooner. CUTS.tsv is the output of cut-faces. Sources and subjects in `--left` are
held out: on them, the log-odds are compared with the teachers'.
"""
import argparse
import math
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional

import crops
from network import VIEWS, Texture, odds
from pictures import Pictures, decoded, described, located
from teachers import Teacher

sys.path.append(str(Path(__file__).resolve().parents[1]))
from distillation import averaged, relative, saved, scaled

SAVED, MEASURED = 50, 1000  # steps
HELD = 200
RATES = 2e-3, 6e-4  # learning rates: stages, end to end
AVERAGE = 0.999  # largest decay of the exponential moving average of the weights
OUTPUT = 2.0  # weight of the logits' error in the end-to-end loss


def left_out(tables, left):
    """Returns the crops of at most `HELD` held-out pictures, by view."""
    rows = [row for table in tables for row in located(table) if left & set(described(row[0]))]
    found = []
    for i in np.linspace(0, len(rows) - 1, min(len(rows), HELD)).astype(int):
        path, (x, y, w) = rows[i]
        picture = decoded(path)
        height, width = picture.shape[:2]
        found.append(crops.views(picture, (x * width, y * height, w * width)))
    return [np.stack(view).transpose(0, 3, 1, 2) for view in zip(*found)]


class Lesson:
    """One student with its teacher and optimiser."""

    def __init__(self, view, student, teacher, compiled):
        self.view, self.student, self.teacher = view, student, teacher
        self.optimiser = torch.optim.Adam(student.parameters(), betas=(0.9, 0.98))
        self.variances = {}  # of the targets, for stages and for the chain
        self.mean = {name: value.clone() for name, value in student.state_dict().items()}
        self.losses = torch.compile(self.compared) if compiled else self.compared

    def state(self):
        return dict(optimiser=self.optimiser.state_dict(), variances=self.variances, mean=self.mean)

    def load(self, state):
        self.optimiser.load_state_dict(state["optimiser"])
        self.variances, self.mean = state["variances"], state["mean"]

    def compared(self, x, targets, variances, is_chain):
        """Returns the relative error of each stage, alone or end to end, and the divergence of the outputs."""
        if is_chain:
            outputs = self.student.maps(x)
        else:
            # Large maps contain many positions: one or two pictures suffice.
            counts = [max(1, min(len(x), len(x) * 100 // target[0, 0].numel())) for target in targets]
            outputs = [stage(given[:n]) for stage, given, n in zip(self.student.stages, [x] + targets, counts)]
            targets = [target[:n] for target, n in zip(targets, counts)]
        guessed, said = (functional.log_softmax(o[-1], 1) for o in (outputs, targets))
        return torch.stack([
            *(relative(o, t, v) for o, t, v in zip(outputs, targets, variances)),
            functional.kl_div(guessed, said, log_target=True, reduction="batchmean")])

    def step(self, pixels, is_chain, rate, done):
        """Takes a step, the first after `done` steps of its kind; returns the stages' relative errors before it."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        targets = [torch.from_numpy(np.array(target)) for target in self.teacher.maps(pixels)]
        targets = [t.contiguous(memory_format=torch.channels_last) if t.ndim == 4 else t for t in targets]
        targets[-2] = targets[-2].reshape(len(pixels), -1, 1, 1)
        x = (torch.from_numpy(pixels) / 255).contiguous(memory_format=torch.channels_last)
        scaled(self.variances, self.student, x, targets, is_chain, 0.02)
        self.optimiser.zero_grad()
        losses = self.losses(x, targets, self.variances[is_chain], is_chain)
        (losses[:-2].mean() + OUTPUT * losses[-2] + losses[-1] if is_chain else losses[:-1].sum()).backward()
        torch.nn.utils.clip_grad_norm_(self.student.parameters(), 5.0 if is_chain else 50.0)
        self.optimiser.step()
        averaged(self.mean, self.student, done, AVERAGE)
        return losses.detach().numpy()[:-1]


@torch.no_grad()
def log_odds(student, pixels, view):
    student.eval()
    found = [
        odds(student(torch.from_numpy(pixels[i : i + 16].astype(np.float32)) / 255), view)
        for i in range(0, len(pixels), 16)]
    return torch.cat(found).numpy()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("state", type=Path)
    parser.add_argument("teachers", type=Path)
    parser.add_argument("cuts", nargs="+")
    parser.add_argument("--left", required=True)
    parser.add_argument("--views", default="0,1,2", help="indices of the students to train")
    parser.add_argument("--stages", type=int, default=5000, help="steps of the stages alone")
    parser.add_argument("--chain", type=int, default=40000, help="steps end to end")
    parser.add_argument("--size", type=int, default=8, help="batch size")
    parser.add_argument("--compile", action="store_true", help="use torch.compile: faster after some minutes")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(20261125)
    left = set(arguments.left.split(","))
    pictures = Pictures(arguments.cuts, left)
    for (source, species), group, share in zip(pictures.names, pictures.groups, pictures.shares):
        print(source, species, len(group), f"{share:.3f}")
    held = left_out(arguments.cuts, left)
    model, done = Texture().to(memory_format=torch.channels_last), 0
    lessons = [
        Lesson(view, model.students[view], Teacher(arguments.teachers, view, arguments.size), arguments.compile)
        for view in map(int, arguments.views.split(","))]
    said = {}
    for lesson in lessons:
        judge = Teacher(arguments.teachers, lesson.view, 1)
        pixels = held[lesson.view].astype(np.float32)
        logits = np.concatenate([judge.maps(picture[None])[-1] for picture in pixels])
        said[lesson.view] = odds(torch.from_numpy(logits), lesson.view).numpy()
    if arguments.state.exists():
        state = torch.load(arguments.state)
        done = state["step"]
        model.load_state_dict(state["model"])
        for lesson in lessons:
            lesson.load(state["lessons"][lesson.view])
        print("resumed after step", done)
    random = np.random.default_rng([int(time.time()), done])
    start, losses = time.time(), []
    for step in range(done, arguments.stages + arguments.chain):
        is_chain = step >= arguments.stages
        at = step - arguments.stages if is_chain else step
        share = at / (arguments.chain if is_chain else arguments.stages)
        rate = RATES[is_chain] * min(1, (at + 1) / 200)
        rate *= 0.5 + 0.5 * math.cos(math.pi * share) if is_chain else 1 - 0.9 * share
        model.train()
        pixels = pictures.crops(random, arguments.size)
        losses.append([lesson.step(pixels[lesson.view], is_chain, rate, at) for lesson in lessons])
        last = step + 1 == arguments.stages + arguments.chain
        if (step + 1) % SAVED == 0 or last:
            state = dict(step=step + 1, model=model.state_dict(), lessons={l.view: l.state() for l in lessons})
            saved(state, arguments.state)
            error = np.mean(losses, 0)
            print(f"step {step + 1} {time.time() - start:.0f} s", *(
                f"| {e[:-1].mean():.4f} {e[-1]:.4f}" for e in error), flush=True)
            if (step + 1) % 1000 == 0:
                print(*(np.round(e, 3).tolist() for e in error), sep="\n")
            losses = []
        if (step + 1) % MEASURED == 0 or last:
            for lesson in lessons:
                shown = Texture().students[lesson.view]
                shown.load_state_dict(lesson.mean)
                guessed = log_odds(shown, held[lesson.view], lesson.view)
                both = np.stack([guessed, said[lesson.view]])
                print(f"view {lesson.view}: correlation {np.corrcoef(both)[0, 1]:.4f}, error "
                      f"{np.sqrt(((both[0] - both[1]) ** 2).mean()):.3f} of {both[1].std():.3f}", flush=True)


if __name__ == "__main__":
    main()

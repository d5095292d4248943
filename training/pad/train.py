#!/usr/bin/env python3
"""Trains the students of the texture network by stage-wise distillation, without labels.

    train.py STATE.pt TEACHERS CUTS.tsv... --left msu,nuaa-5 [--stages 5000] [--chain 40000] [--size 8] [--compile]

STATE.pt is written every 50 steps; training resumes from it. The learning rate depends on the share of the steps done: with
a smaller `--chain`, a resumed training ends sooner. CUTS.tsv is the output of cut-faces. Sources and subjects in `--left` are
held out: on them, the log-odds are compared with the teachers'. `--size` is the number of pictures per step, `--compile` uses
torch.compile, which is faster after some minutes.
"""
import sys
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional

from network import VIEWS, Student, odds
from pictures import Pictures, described, located, sized, views
from teachers import Teacher

sys.path.append(str(Path(__file__).resolve().parents[1]))
from distillation import Lesson, taught
from shared import command

HELD = 200
RATES = 2e-3, 6e-4  # learning rates: stages, end to end
OUTPUT = 2.0  # weight of the logits' error in the end-to-end loss


def left_out(tables, left):
    """Returns the crops of at most `HELD` held-out pictures, by view."""
    rows = [row for table in tables for row in located(table) if left & set(described(row[0]))]
    found = [views(*sized(*rows[i])) for i in np.linspace(0, len(rows) - 1, min(len(rows), HELD)).astype(int)]
    return [np.stack(view).transpose(0, 3, 1, 2).astype(np.float32) for view in zip(*found)]


class Texture(Lesson):
    """The student of one view; `held` are its held-out pictures."""

    def __init__(self, view, teachers, size, held, is_compiled):
        super().__init__(Student(view).to(memory_format=torch.channels_last), is_compiled)
        self.view, self.teacher, self.held = view, Teacher(teachers, view, size), held
        judge = Teacher(teachers, view, 1)
        logits = np.concatenate([judge.maps(picture[None])[-1] for picture in held])
        self.said = odds(torch.from_numpy(logits), view).numpy()

    def prepared(self, found, is_chain):
        pixels = found[self.view]
        targets = [torch.from_numpy(np.array(target)) for target in self.teacher.maps(pixels)]
        targets = [t.contiguous(memory_format=torch.channels_last) if t.ndim == 4 else t for t in targets]
        targets[-2] = targets[-2].reshape(len(pixels), -1, 1, 1)
        return (torch.from_numpy(pixels) / 255).contiguous(memory_format=torch.channels_last), targets

    def output_losses(self, output, target):
        """The divergence of the outputs."""
        guessed, said = (functional.log_softmax(x, 1) for x in (output, target))
        return [functional.kl_div(guessed, said, log_target=True, reduction="batchmean")]

    def total(self, losses, is_chain):
        return losses[:-2].mean() + OUTPUT * losses[-2] + losses[-1] if is_chain else losses[:-1].sum()

    @torch.no_grad()
    def measured(self):
        student = Student(self.view).eval()
        student.load_state_dict(self.mean)
        parts = torch.from_numpy(self.held).split(16)
        both = np.stack([torch.cat([odds(student(part / 255), self.view) for part in parts]).numpy(), self.said])
        return (f"view {self.view}: correlation {np.corrcoef(both)[0, 1]:.4f}, error "
                f"{np.sqrt(((both[0] - both[1]) ** 2).mean()):.3f} of {both[1].std():.3f}")


def main(
        state: Path, teachers: Path, cuts: list[Path], *, left: str, stages: int = 5000, chain: int = 40000, size: int = 8,
        compile: bool = False):
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(20261125)
    left = set(left.split(","))
    pictures = Pictures(cuts, left)
    for (source, species), group, share in zip(pictures.names, pictures.groups, pictures.shares):
        print(source, species, len(group), f"{share:.3f}")
    held = left_out(cuts, left)
    lessons = [Texture(view, teachers, size, held[view], compile) for view in range(len(VIEWS))]
    taught(state, lessons, lambda random: lambda is_chain: pictures.crops(random, size), stages, chain, RATES, every=50)


if __name__ == "__main__":
    command(main, __doc__)

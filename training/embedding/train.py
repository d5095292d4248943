#!/usr/bin/env python3
"""Trains the embedding network by stage-wise distillation, without labels.

    train.py STATE.pt TEACHER.xml FACES [--stages 4500] [--chain 200000]

First each stage is trained alone on the teacher's previous output, then the network end to end. STATE.pt is written
every 100 steps; training resumes from it. The learning rate depends on the share of the steps done: with a smaller
`--chain`, a resumed training ends sooner. FACES is the output of align-faces (without the suffix). One person in ten is
held out: every 1,000 steps, the cosine to the teacher is measured on their photos.
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

from network import Student
from pictures import SCENES, Faces, Pictures, batch, degraded
from teacher import Teacher

sys.path.append(str(Path(__file__).resolve().parents[1]))
from distillation import averaged, relative, saved, scaled

SAVED, MEASURED = 100, 1000  # steps
SHOWN = 256  # photos of taught and of held-out people
SIZES = 8, 16  # batch sizes: stages, end to end
RATES = 2e-3, 1e-3  # learning rates
AVERAGE = 0.999  # largest decay of the exponential moving average of the weights


class Lesson:
    """The student with its teacher and optimiser."""

    def __init__(self, compiled, is_bf16):
        self.student = Student().to(memory_format=torch.channels_last)
        self.optimiser = torch.optim.Adam(self.student.parameters(), betas=(0.9, 0.98))
        self.is_bf16 = is_bf16
        self.variances = {}  # of the targets, for stages and for the chain
        self.mean = {name: value.clone() for name, value in self.student.state_dict().items()}
        self.losses = torch.compile(self.compared) if compiled else self.compared

    def state(self):
        return dict(
            model=self.student.state_dict(), optimiser=self.optimiser.state_dict(), variances=self.variances,
            mean=self.mean)

    def load(self, state):
        self.student.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.variances, self.mean = state["variances"], state["mean"]

    def compared(self, x, targets, clean, variances, is_chain):
        """Returns the relative error of each stage, alone or end to end, and the distances of the directions: to the
        teacher's of the same picture, and to its of the clean one."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.is_bf16):
            if is_chain:
                outputs = self.student.maps(x)
            else:
                # Large maps contain many positions: one or two pictures suffice.
                counts = [max(1, min(len(x), len(x) * 100 // target[0, 0].numel())) for target in targets]
                outputs = [
                    stage(given[:n]) for stage, given, n in zip(self.student.stages, [x / 127.5 - 1] + targets, counts)]
                targets = [target[:n] for target, n in zip(targets, counts)]
        outputs = [output.float() for output in outputs]
        direction = functional.normalize(outputs[-1].flatten(1))
        return torch.stack([
            *(relative(o, t, v) for o, t, v in zip(outputs, targets, variances)),
            1 - (direction * functional.normalize(targets[-1].flatten(1))).sum(1).mean(),
            1 - (direction * clean).sum(1).mean()])

    def step(self, pictures, targets, clean, is_chain, rate, done):
        """Takes a step, the first after `done` steps of its kind; returns the losses before it. `targets` are the
        teacher's maps of the pictures."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        targets = [torch.from_numpy(target).permute(0, 3, 1, 2) for target in targets]
        x = torch.from_numpy(pictures).contiguous(memory_format=torch.channels_last)
        if done % 10 == 0 or is_chain not in self.variances:
            scaled(self.variances, self.student, x, targets, is_chain, 0.1)
        self.optimiser.zero_grad()
        losses = self.losses(x, targets, torch.from_numpy(clean), self.variances[is_chain], is_chain)
        (losses[:-3].mean() + losses[-2:].sum() if is_chain else losses[:-2].sum()).backward()
        torch.nn.utils.clip_grad_norm_(self.student.parameters(), 5.0 if is_chain else 50.0)
        self.optimiser.step()
        averaged(self.mean, self.student, done, AVERAGE)
        return losses.detach().numpy()


class Examination:
    """Cosines to the teacher's vectors: of photos, and of degraded photos to the vectors of the photos."""

    def __init__(self, faces, teacher):
        random = np.random.default_rng(5)
        self.sets = {}
        for name, people in (("taught", faces.taught), ("held out", faces.held_out)):
            photos = [np.ascontiguousarray(faces.input(i)) for i in random.choice(people, min(SHOWN, len(people)), False)]
            worse = [degraded(photo[..., ::-1], random)[..., ::-1] for photo in photos]
            clean = np.concatenate([teacher.vectors(batch([photo])) for photo in photos])
            self.sets[name] = batch(photos), batch(worse), clean

    @torch.no_grad()
    def cosines(self, weights):
        student = Student().eval()
        student.load_state_dict(weights)
        found = []
        for name, (photos, worse, clean) in self.sets.items():
            both = [
                torch.cat([functional.normalize(student(part)) for part in torch.from_numpy(pictures).split(16)])
                for pictures in (photos, worse)]
            found.append(f"{name} {(both[0].numpy() * clean).sum(1).mean():.4f}, degraded "
                         f"{(both[1].numpy() * clean).sum(1).mean():.4f}")
        return "cosine: " + "; ".join(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("state", type=Path)
    parser.add_argument("teacher")
    parser.add_argument("faces")
    parser.add_argument("--stages", type=int, default=4500, help="steps of the stages alone")
    parser.add_argument("--chain", type=int, default=22000, help="steps end to end")
    parser.add_argument("--compile", action="store_true", help="use torch.compile: faster after some minutes")
    parser.add_argument("--bf16", action="store_true", help="for processors with bf16 instructions")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(20261126)
    faces = Faces(arguments.faces)
    print(len(faces.taught), "photos,", len(faces.held_out), "of held-out people")
    examination = Examination(faces, Teacher(arguments.teacher, 1, stages=False))
    precision = "bf16" if arguments.bf16 else "f32"
    teachers = [Teacher(arguments.teacher, size, precision=precision) for size in SIZES]
    lesson, done = Lesson(arguments.compile, arguments.bf16), 0
    if arguments.state.exists():
        state = torch.load(arguments.state)
        done = state["step"]
        lesson.load(state)
        print("resumed after step", done)
    judge = Teacher(arguments.teacher, SCENES, stages=False, precision=precision)
    pictures = Pictures(faces, judge, np.random.default_rng([int(time.time()), done]))
    start, losses, last = time.time(), [], arguments.stages + arguments.chain
    lesson.student.train()
    for step in range(done + 1, last + 1):
        is_chain = step > arguments.stages
        at = step - 1 - arguments.stages if is_chain else step - 1
        share = at / (arguments.chain if is_chain else arguments.stages)
        rate = RATES[is_chain] * min(1, (at + 1) / 200)
        rate *= 0.5 + 0.5 * math.cos(math.pi * share) if is_chain else 1 - 0.9 * share
        x, clean = pictures.batch(SIZES[is_chain])
        losses.append(lesson.step(x, teachers[is_chain].maps(x), clean, is_chain, rate, at))
        if step % SAVED == 0 or step == last:
            saved(dict(step=step, **lesson.state()), arguments.state)
            error = np.mean(losses, 0)
            print(f"step {step} {time.time() - start:.0f} s, stages {error[:-3].mean():.4f}, vector {error[-3]:.4f}, "
                  f"directions {error[-2]:.4f} {error[-1]:.4f}", flush=True)
            losses = []
        if step % MEASURED == 0 or step == last:
            print(np.round(error, 3).tolist(), examination.cosines(lesson.mean), sep="\n", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Trains the embedding network by stage-wise distillation, without labels.

    train.py STATE.pt TEACHER.xml FACES [--stages 4500] [--chain 22000] [--compile] [--bf16]

STATE.pt is written every 100 steps; training resumes from it. The learning rate depends on the share of the steps done:
with a smaller `--chain`, a resumed training ends sooner. FACES is the output of align-faces (without the suffix). One person
in ten is held out: every 1,000 steps, the cosine to the teacher is measured on their photos. `--compile` uses torch.compile,
which is faster after some minutes, `--bf16` is for processors with bf16 instructions.
"""
import sys
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional

from network import Student
from pictures import SCENES, Faces, Pictures, batch, degraded
from teacher import Teacher

sys.path.append(str(Path(__file__).resolve().parents[1]))
from distillation import Lesson, taught
from shared import command

SHOWN = 256  # photos of taught and of held-out people
SIZES = 8, 16  # batch sizes: stages, end to end
RATES = 2e-3, 1e-3  # learning rates


class Embedding(Lesson):
    SCALED = 10, 0.1

    def __init__(self, teachers, examination, *settings):
        super().__init__(Student().to(memory_format=torch.channels_last), *settings)
        self.teachers, self.examination = teachers, examination

    def prepared(self, found, is_chain):
        pictures, clean = found
        targets = [torch.from_numpy(target).permute(0, 3, 1, 2) for target in self.teachers[is_chain].maps(pictures)]
        return torch.from_numpy(pictures).contiguous(memory_format=torch.channels_last), targets, torch.from_numpy(clean)

    def output_losses(self, output, target, clean):
        """The distances of the directions: to the teacher's of the same picture, and to its of the clean one."""
        direction, wanted = (functional.normalize(x.flatten(1)) for x in (output, target))
        return 1 - (direction * wanted).sum(1).mean(), 1 - (direction * clean).sum(1).mean()

    def total(self, losses, is_chain):
        return losses[:-3].mean() + losses[-2:].sum() if is_chain else losses[:-2].sum()

    def measured(self):
        return self.examination.cosines(self.mean)


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


def main(
        state: Path, teacher: Path, faces: str, *, stages: int = 4500, chain: int = 22000, compile: bool = False,
        bf16: bool = False):
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(20261126)
    faces = Faces(faces)
    print(len(faces.taught), "photos,", len(faces.held_out), "of held-out people")
    examination = Examination(faces, Teacher(teacher, 1, stages=False))
    precision = "bf16" if bf16 else "f32"
    teachers = [Teacher(teacher, size, precision=precision) for size in SIZES]
    judge = Teacher(teacher, SCENES, stages=False, precision=precision)

    def draws(random):
        pictures = Pictures(faces, judge, random)
        return lambda is_chain: pictures.batch(SIZES[is_chain])

    taught(state, [Embedding(teachers, examination, compile, bf16)], draws, stages, chain, RATES, every=100)


if __name__ == "__main__":
    command(main, __doc__)

"""The texture network: one student per teacher and view, and the calibrated sum of their log-odds."""
import sys
from pathlib import Path

import torch
from torch import nn

sys.path.append(str(Path(__file__).resolve().parents[1]))
import distillation
from distillation import Bottleneck, Squeeze

# The views as cropped by TextureNetwork.swift: pixels per side, and extent in widths of the face's box.
VIEWS = ((80, 0.8 * 2.7), (80, 0.8 * 4), (128, 1.5))
FACE = 2  # index of the view that needs no surroundings
NUMBERS = [3 * side * side for side, _ in VIEWS]

# Hidden channels of each student's bottlenecks: multiples of 16, for vector units, and fewer than the teacher's where
# its maps are largest. Output channels and sizes are the teacher's.
HIDDEN = (
    (64, 16, 16, 16, 16, 192, 192, 64, 32, 80, 32, 32, 256, 32, 32),
    (64, 16, 32, 16, 64, 192, 160, 64, 32, 64, 32, 32, 256, 32, 32),
    (64, 16, 16, 16, 16, 160, 160, 64, 32, 80, 32, 32, 192, 32, 32),
)
SQUEEZED = (False, True, True)  # whether the last bottleneck of a resolution has squeeze-and-excitation
CLASSES = (3, 3, 2)
LIVING = (1, 1, 0)  # index of the bona fide class
LIMIT = 12.0  # of log-odds: no single view decides alone


def convolution(inputs, outputs, kernel=1, stride=1, groups=1, active=True):
    layers = [
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False), nn.BatchNorm2d(outputs)]
    return nn.Sequential(*layers, nn.PReLU(outputs)) if active else nn.Sequential(*layers)


def bottleneck(inputs, hidden, outputs, stride=1, squeezed=False):
    return Bottleneck(
        stride, convolution(inputs, hidden), convolution(hidden, hidden, 3, stride, hidden),
        convolution(hidden, outputs, active=False), *[Squeeze(outputs, outputs // 4, nn.ReLU()) for _ in range(squeezed)])


class Student(distillation.Student):
    """A student of one view. Its input is RGB from 0 to 1: zero padding is black, as in the teachers."""

    def __init__(self, view):
        hidden, squeezed, side = iter(HIDDEN[view]), SQUEEZED[view], VIEWS[view][0]
        stages = [nn.Sequential(convolution(3, 32, 3, 2), convolution(32, 32, 3, groups=32))]
        for inputs, outputs, count in ((32, 64, 4), (64, 128, 6), (128, 128, 2)):
            stages.append(bottleneck(inputs, next(hidden), outputs, 2))
            stages += [
                bottleneck(outputs, next(hidden), outputs, squeezed=squeezed and i == count - 1) for i in range(count)]
        super().__init__([
            *stages, convolution(128, 512), nn.Conv2d(512, 512, side // 16, groups=512),
            nn.Sequential(nn.Flatten(), nn.Linear(512, CLASSES[view]))])


def odds(logits, view):
    """Returns the log-odds of bona fide from the logits of one view."""
    others = [c for c in range(CLASSES[view]) if c != LIVING[view]]
    return logits[:, LIVING[view]] - torch.logsumexp(logits[:, others], 1)


class Texture(nn.Module):
    def __init__(self):
        super().__init__()
        self.students = nn.ModuleList(Student(view) for view in range(len(VIEWS)))
        # Weights of the log-odds and a bias (calibrate.py); rows: all views, face only.
        self.register_buffer("weights", torch.tensor([[1 / 3, 1 / 3, 1 / 3, 0.0], [0.0, 0.0, 1.0, 0.0]]))

    def evidence(self, views):
        """Returns the log-odds of bona fide per view; `views` are RGB from 0 to 255."""
        return torch.stack([
            odds(student(view / 255), i).clamp(-LIMIT, LIMIT)
            for i, (student, view) in enumerate(zip(self.students, views))], 1)

    def combined(self, evidence):
        return torch.sigmoid(evidence @ self.weights[:, :3].T + self.weights[:, 3])

    def forward(self, numbers):
        """Maps (batch, bytes of all views as floats, concatenated) to two scores: all views, face only."""
        parts = torch.split(numbers, NUMBERS, 1)
        views = [part.reshape(-1, 3, side, side) for part, (side, _) in zip(parts, VIEWS)]
        return self.combined(self.evidence(views))

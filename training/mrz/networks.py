"""The two networks that read machine-readable zones: one locates their lines on a page, one reads a line."""
import sys
from pathlib import Path

import torch
from torch import nn

sys.path.append(str(Path(__file__).resolve().parents[2] / "Tests/documents"))
from text import ALPHABET


def convolution(inputs, outputs, size=3, stride=1, dilation=1, padding=None):
    if padding is None:
        padding = dilation * (size // 2)
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, padding, dilation, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())


def normalised(lines):
    """The input of `Characters` for lines of bytes."""
    x = lines[:, None].float()
    return (x - x.mean((2, 3), keepdim=True)) / (x.std((2, 3), keepdim=True) + 1)


class Along(nn.Module):
    """Convolves along the line, for the context of neighbouring characters."""

    def __init__(self, channels, dilation):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels, (1, 3), padding=(0, dilation), dilation=(1, dilation), bias=False),
            nn.BatchNorm2d(channels), nn.ReLU())

    def forward(self, x):
        return x + self.body(x)


class Characters(nn.Module):
    """Maps a 1×32×W line with mean 0 and standard deviation 1 to logits of the characters and of none, for each 4
    columns."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            convolution(1, 24, stride=2),
            convolution(24, 32), nn.MaxPool2d(2),
            convolution(32, 64), convolution(64, 64), nn.MaxPool2d((2, 1)),
            convolution(64, 128, (4, 3), padding=(0, 1)),
            Along(128, 1), Along(128, 2), Along(128, 4),
            nn.Dropout2d(0.1))
        self.head = nn.Conv2d(128, len(ALPHABET) + 1, 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(2)


class Lines(nn.Module):
    """Maps a 1×H×W page (multiples of 32), grey 0 to 1, to logits that each 4×4 cell is in the core of a line of the
    zone."""

    def __init__(self):
        super().__init__()
        self.first = convolution(1, 12, stride=2)
        self.quarter = nn.Sequential(convolution(12, 24, stride=2), convolution(24, 24))
        self.eighth = nn.Sequential(convolution(24, 48, stride=2), convolution(48, 48))
        self.sixteenth = nn.Sequential(
            convolution(48, 64, stride=2), convolution(64, 64), convolution(64, 64, dilation=2), convolution(64, 64, dilation=4))
        self.deepest = nn.Sequential(convolution(64, 96, stride=2), convolution(96, 96, dilation=2), convolution(96, 64))
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.join_sixteenth = convolution(128, 48)
        self.join_eighth = convolution(96, 32)
        self.join_quarter = convolution(56, 24)
        self.head = nn.Conv2d(24, 1, 1)

    def forward(self, x):
        quarter = self.quarter(self.first(x))
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        y = self.join_sixteenth(torch.cat([self.up(self.deepest(sixteenth)), sixteenth], 1))
        y = self.join_eighth(torch.cat([self.up(y), eighth], 1))
        y = self.join_quarter(torch.cat([self.up(y), quarter], 1))
        return self.head(y)

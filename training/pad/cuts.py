"""Reads the output of cut-faces, and defines the held-out people."""
import hashlib

import numpy as np
import torch

from network import NUMBERS, VIEWS


def read_cuts(path):
    """One row per picture: the bytes of its views, one after another, row by row, RGB."""
    return np.memmap(path, np.uint8, "r").reshape(-1, sum(NUMBERS))


def planes(rows):
    """The views as the network's inputs: (pictures, 3, side, side) floats each."""
    parts = np.split(np.ascontiguousarray(rows), np.cumsum(NUMBERS)[:-1], 1)
    return [
        torch.from_numpy(np.ascontiguousarray(part.reshape(len(rows), side, side, 3).transpose(0, 3, 1, 2))).float()
        for part, (side, _) in zip(parts, VIEWS)]


def is_held(person, parts=10, part=0):
    """Whether a person is in a tenth of the people, or another fraction, by a hash of the name."""
    return hashlib.sha256(person.encode()).digest()[0] % parts == part

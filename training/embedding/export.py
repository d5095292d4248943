#!/usr/bin/env python3
"""Writes a trained network as OpenVINO's intermediate representation, verifies it, and pins it in the manifest.

    export.py STATE.pt FACES --models FOLDER

STATE.pt is a checkpoint of train.py: its averaged weights are exported. The network takes an aligned face, BGR from 0
to 255, and returns a unit vector. The verification: on 200 photos of FACES, the output of align-faces, the vectors equal
the model's within 1e-3: weights have 16 bits.
"""
import argparse
import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from network import SIDE, Student
from pictures import Faces, batch

sys.path.append(str(Path(__file__).resolve().parents[1]))
from pinning import export


class Product(nn.Module):
    def __init__(self, student):
        super().__init__()
        self.student = student

    def forward(self, views):
        return functional.normalize(self.student(views))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("state", type=Path)
    parser.add_argument("faces")
    parser.add_argument("--models", type=Path, default=Path(__file__).resolve().parents[2] / "models")
    arguments = parser.parse_args()

    model = Product(Student()).eval()
    model.student.load_state_dict(torch.load(arguments.state)["mean"])
    faces = Faces(arguments.faces)
    chosen = np.linspace(0, len(faces.paths) - 1, min(len(faces.paths), 200)).astype(int)
    export(
        model, "face-embedding", (1, 3, SIDE, SIDE), (torch.from_numpy(batch([faces.input(i)])) for i in chosen),
        arguments.models, limit=1e-3, ports=("views", "embeddings"), half=True)


if __name__ == "__main__":
    main()

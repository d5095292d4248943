#!/usr/bin/env python3
"""Writes the two trained networks as OpenVINO's intermediate representation, verifies them, and pins them in the
manifest.

    export.py lines.pt characters.pt [--models models]

The verification: on synthetic pages and lines, both versions of the networks give the same numbers within 1e-3.
"""
import argparse
import random
import sys
from pathlib import Path

import torch

import strips
import train_lines
from networks import Characters, Lines
from train_characters import normalised

sys.path.append(str(Path(__file__).parents[1]))
from pinning import export

WIDTH = 960  # columns of a line


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lines", type=Path)
    parser.add_argument("characters", type=Path)
    parser.add_argument("--models", type=Path, default=Path(__file__).parents[2] / "models")
    arguments = parser.parse_args()
    rng = random.Random(1)

    lines = Lines().eval()
    lines.load_state_dict(torch.load(arguments.lines, map_location="cpu"))
    pages = [torch.from_numpy(train_lines.sample(rng, [])[0])[None, None].float() / 255 for _ in range(4)]
    export(torch.nn.Sequential(lines, torch.nn.Sigmoid()), "mrz-lines", (1, 1, train_lines.SIDE, train_lines.SIDE),
           pages, arguments.models, limit=1e-3)

    characters = Characters().eval()
    characters.load_state_dict(torch.load(arguments.characters, map_location="cpu"))
    cuts = [next(strips.windows(rng, WIDTH))[0] for _ in range(8)]
    export(torch.nn.Sequential(characters, torch.nn.LogSoftmax(1)), "mrz-characters", (1, 1, strips.HEIGHT, WIDTH),
           [normalised(torch.from_numpy(cut)[None]) for cut in cuts], arguments.models, limit=1e-3)


if __name__ == "__main__":
    main()

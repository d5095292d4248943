#!/usr/bin/env python3
"""Writes the trained network as OpenVINO's intermediate representation, verifies it, and pins it in the manifest.

    export.py STATE.pt SCENES... [--models models]

The verification: on pictures of the folders SCENES, both versions of the network give the same likelihoods within 0.02;
weights have 16 bits.
"""
import argparse
import sys
from pathlib import Path

import torch
from PIL import Image

from network import SIDE, Finder, letterboxed

sys.path.append(str(Path(__file__).parents[1]))
from pinning import export


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("state", type=Path)
    parser.add_argument("scenes", type=Path, nargs="+")
    parser.add_argument("--models", type=Path, default=Path(__file__).parents[2] / "models")
    arguments = parser.parse_args()
    finder = Finder()
    finder.load_state_dict(torch.load(arguments.state))
    files = [file for folder in arguments.scenes for file in sorted(folder.glob("*.jpg"))[:100]]
    examples = (torch.from_numpy(letterboxed(Image.open(file))[0]) for file in files)
    export(torch.nn.Sequential(finder, torch.nn.Sigmoid()).eval(), "document-outlines", (1, 3, SIDE, SIDE), examples,
           arguments.models, limit=0.02, ports=("picture", "likelihoods"), half=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes a trained texture network as OpenVINO's intermediate representation, verifies it, and pins it in the manifest.

    export.py final.pt cuts.u8 [--models models]
    export.py untrained cuts.u8 --models FOLDER    a network for cut-faces, before the first training

The verification: on the views of real faces, both networks give the same scores within 1e-4.
"""
import argparse
import sys
from pathlib import Path

import numpy as np
import torch

from cuts import planes, read_cuts
from network import NUMBERS, Texture

sys.path.append(str(Path(__file__).parents[1]))
from pinning import export


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights")
    parser.add_argument("views", type=Path, help="what cut-faces wrote: the views to check with")
    parser.add_argument("--models", type=Path, default=Path(__file__).parents[2] / "models")
    arguments = parser.parse_args()

    model = Texture().eval()
    if arguments.weights != "untrained":
        model.load_state_dict(torch.load(arguments.weights, map_location="cpu"))
    examples = []
    if arguments.weights != "untrained":
        views = read_cuts(arguments.views)
        views = views[np.linspace(0, len(views) - 1, min(len(views), 200)).astype(int)]
        examples = torch.cat([part.reshape(len(views), -1) for part in planes(views)], 1)[:, None]
    export(model, "presentation-attack", (1, sum(NUMBERS)), examples, arguments.models, ports=("views", "score"))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the texture network as OpenVINO's intermediate representation, verifies it, and pins it in the manifest.

    export.py TEXTURE.pt CUTS.tsv --models FOLDER

The verification: on the views of real faces, both networks give the same scores within 1e-4.
"""
import argparse
import sys
from pathlib import Path

import numpy as np
import torch

import crops
from network import NUMBERS, Texture
from pictures import decoded, located

sys.path.append(str(Path(__file__).resolve().parents[1]))
from pinning import export


def examples(cuts):
    """Yields the views of up to 200 faces."""
    faces = list(located(cuts))
    for i in np.linspace(0, len(faces) - 1, min(len(faces), 200)).astype(int):
        path, (x, y, w) = faces[i]
        picture = decoded(path)
        height, width = picture.shape[:2]
        views = crops.views(picture, (x * width, y * height, w * width))
        numbers = np.concatenate([view.transpose(2, 0, 1).ravel() for view in views])[None].astype(np.float32)
        yield torch.from_numpy(numbers)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights")
    parser.add_argument("cuts", type=Path, help="what cut-faces printed: the faces to check with")
    parser.add_argument("--models", type=Path, default=Path(__file__).resolve().parents[2] / "models")
    arguments = parser.parse_args()

    model = Texture().eval()
    model.load_state_dict(torch.load(arguments.weights, map_location="cpu"))
    export(
        model, "presentation-attack", (1, sum(NUMBERS)), examples(arguments.cuts), arguments.models,
        limit=1e-3, ports=("views", "scores"), half=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes a trained smile network as OpenVINO's intermediate representation, verifies it, and pins it in the manifest.

    export.py smile.pt CUTS.u8 [--models models]

The verification: on cropped views of real faces, both networks give the same scores within 1e-4.
"""
import argparse
import sys
from pathlib import Path

import numpy as np
import torch

from network import SIDE, Smile
from pictures import MARGIN, luma, views

sys.path.append(str(Path(__file__).parents[1]))
from pinning import export


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", type=Path)
    parser.add_argument("cuts", type=Path, help="what cut-mouths wrote: the views to check with")
    parser.add_argument("--models", type=Path, default=Path(__file__).parents[2] / "models")
    arguments = parser.parse_args()

    model = Smile().eval()
    model.tower.load_state_dict(torch.load(arguments.weights, map_location="cpu"))
    cuts = np.fromfile(arguments.cuts, np.uint8).reshape(-1, MARGIN, MARGIN, 3)
    cuts = cuts[np.linspace(0, len(cuts) - 1, min(len(cuts), 200)).astype(int)]
    examples = (views(torch.from_numpy(luma(cut))[None, None].float()) for cut in cuts)
    export(model, "smile", (1, 1, SIDE, SIDE), examples, arguments.models, ports=("views", "smile"))


if __name__ == "__main__":
    main()

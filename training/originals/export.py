#!/usr/bin/env python3
"""Writes the trained network as OpenVINO's intermediate representation, verifies it, and pins it in the manifest.

    export.py STATE.pt HELD.npz [--models models]

The verification: on patches of pages, both versions of the network give the same logits within 0.02; weights have 16 bits.
"""
import argparse
import sys
from pathlib import Path

import numpy as np
import torch

from train import GROUP, SIDE, Judge, Network

sys.path.append(str(Path(__file__).parents[1]))
from pinning import export

GROUPS = 6  # of the patches of one document


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("state", type=Path)
    parser.add_argument("held", type=Path)
    parser.add_argument("--models", type=Path, default=Path(__file__).parents[2] / "models")
    arguments = parser.parse_args()
    judge = Judge()
    judge.load_state_dict(torch.load(arguments.state))
    network = Network(judge).eval()
    shape = (GROUPS, GROUP, 3, SIDE, SIDE)
    patches = np.load(arguments.held, allow_pickle=True)["patches"]
    pages = torch.from_numpy(patches[:200:9].reshape(-1, SIDE, SIDE, 3)).permute(0, 3, 1, 2).float() / 255
    examples = pages[:len(pages) // 24 * 24].reshape(-1, *shape)
    export(network, "document-copies", shape, examples, arguments.models, limit=0.02, ports=("patches", "classes"), half=True)


if __name__ == "__main__":
    main()

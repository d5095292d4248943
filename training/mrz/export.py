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

import numpy as np
import openvino
import torch

import strips
import train_lines
from networks import Characters, Lines
from train_characters import normalised

sys.path.append(str(Path(__file__).parents[1]))
from pinning import pin, save

WIDTH = 960  # columns of a line


def export(model, name, shape, examples, models):
    network = openvino.convert_model(model, example_input=torch.zeros(shape), input=[shape])
    network.friendly_name = name
    xml = models / f"{name}.xml"
    save(network, model, xml)
    compiled = openvino.Core().compile_model(xml, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    with torch.no_grad():
        worst = max(np.abs(model(x).numpy() - compiled([x.numpy()])[0]).max() for x in examples)
    print(f"{name}: largest difference on {len(examples)} examples {worst:.1e}")
    if worst > 1e-3:
        raise SystemExit("the exported network is another one")
    for path in (xml, xml.with_suffix(".bin")):
        pin(models / "manifest.json", path)


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
           pages, arguments.models)

    characters = Characters().eval()
    characters.load_state_dict(torch.load(arguments.characters, map_location="cpu"))
    cuts = [next(strips.windows(rng, WIDTH))[0] for _ in range(8)]
    export(torch.nn.Sequential(characters, torch.nn.LogSoftmax(1)), "mrz-characters", (1, 1, strips.HEIGHT, WIDTH),
           [normalised(torch.from_numpy(cut)[None]) for cut in cuts], arguments.models)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the texture network as OpenVINO's intermediate representation, verifies it, and pins it in the manifest.

    export.py TEXTURE.pt CUTS.tsv [--models models]
    export.py untrained CUTS.tsv --models FOLDER    a network of the right shape for cut-faces, before training

The verification: on the views of real faces, both networks give the same scores within 1e-4.
"""
import argparse
import sys
from pathlib import Path

import numpy as np
import openvino
import torch

import crops
from network import NUMBERS, Texture
from pictures import decoded, located

sys.path.append(str(Path(__file__).resolve().parents[2]))
from pinning import pin, save

NAME = "presentation-attack"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights")
    parser.add_argument("cuts", type=Path, help="what cut-faces printed: the faces to check with")
    parser.add_argument("--models", type=Path, default=Path(__file__).parents[2] / "models")
    arguments = parser.parse_args()

    model = Texture().eval()
    if arguments.weights != "untrained":
        model.load_state_dict(torch.load(arguments.weights, map_location="cpu"))
    shape = (1, sum(NUMBERS))
    network = openvino.convert_model(model, example_input=torch.zeros(shape), input=[shape])
    network.inputs[0].get_tensor().set_names({"views"})
    network.outputs[0].get_tensor().set_names({"scores"})
    network.friendly_name = NAME
    xml = arguments.models / f"{NAME}.xml"
    save(network, model, xml)

    if arguments.weights != "untrained":
        compiled = openvino.Core().compile_model(xml, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        faces = list(located(arguments.cuts))
        worst = 0.0
        for i in np.linspace(0, len(faces) - 1, min(len(faces), 200)).astype(int):
            path, (x, y, w) = faces[i]
            picture = decoded(path)
            height, width = picture.shape[:2]
            views = crops.views(picture, (x * width, y * height, w * width))
            numbers = np.concatenate([view.transpose(2, 0, 1).ravel() for view in views])[None].astype(np.float32)
            with torch.no_grad():
                expected = model(torch.from_numpy(numbers)).numpy()
            worst = max(worst, float(np.abs(expected - compiled([numbers])[0]).max()))
        print(f"largest difference on {min(len(faces), 200)} faces: {worst:.1e}")
        if worst > 1e-4:
            raise SystemExit("the exported network is another one")
    for path in (xml, xml.with_suffix(".bin")):
        pin(arguments.models / "manifest.json", path)


if __name__ == "__main__":
    main()

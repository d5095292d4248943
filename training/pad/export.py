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
import openvino
import torch

from cuts import planes, read_cuts
from network import NUMBERS, Texture

sys.path.append(str(Path(__file__).parents[1]))
from pinning import pin, save

NAME = "presentation-attack"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights")
    parser.add_argument("views", type=Path, help="what cut-faces wrote: the views to check with")
    parser.add_argument("--models", type=Path, default=Path(__file__).parents[2] / "models")
    arguments = parser.parse_args()

    model = Texture().eval()
    if arguments.weights != "untrained":
        model.load_state_dict(torch.load(arguments.weights, map_location="cpu"))
    shape = (1, sum(NUMBERS))
    network = openvino.convert_model(model, example_input=torch.zeros(shape), input=[shape])
    network.inputs[0].get_tensor().set_names({"views"})
    network.outputs[0].get_tensor().set_names({"score"})
    network.friendly_name = NAME
    xml = arguments.models / f"{NAME}.xml"
    save(network, model, xml)

    if arguments.weights != "untrained":
        views = read_cuts(arguments.views)
        views = views[np.linspace(0, len(views) - 1, min(len(views), 200)).astype(int)]
        x = torch.cat([part.reshape(len(views), -1) for part in planes(views)], 1)
        with torch.no_grad():
            expected = model(x).numpy()[:, 0]
        compiled = openvino.Core().compile_model(xml, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        found = np.array([float(compiled([one[None].numpy()])[0][0, 0]) for one in x])
        worst = np.abs(expected - found).max()
        print(f"largest difference on {len(x)} faces: {worst:.1e}")
        if worst > 1e-4:
            raise SystemExit("the exported network is another one")
    for path in (xml, xml.with_suffix(".bin")):
        pin(arguments.models / "manifest.json", path)


if __name__ == "__main__":
    main()

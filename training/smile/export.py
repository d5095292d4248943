#!/usr/bin/env python3
"""Writes a trained smile network as OpenVINO's intermediate representation, verifies it, and pins it in the manifest.

    export.py smile.pt CUTS.u8 [--models models]

The verification: on cropped views of real faces, both networks give the same scores within 1e-4.
"""
import argparse
import sys
from pathlib import Path

import numpy as np
import openvino
import torch

from network import SIDE, Smile
from pictures import MARGIN, luma, views

sys.path.append(str(Path(__file__).parents[1]))
from pinning import pin, save

NAME = "smile"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", type=Path)
    parser.add_argument("cuts", type=Path, help="what cut-mouths wrote: the views to check with")
    parser.add_argument("--models", type=Path, default=Path(__file__).parents[2] / "models")
    arguments = parser.parse_args()

    model = Smile().eval()
    model.tower.load_state_dict(torch.load(arguments.weights, map_location="cpu"))
    shape = (1, 1, SIDE, SIDE)
    network = openvino.convert_model(model, example_input=torch.rand(shape) * 255, input=[shape])
    network.inputs[0].get_tensor().set_names({"views"})
    network.outputs[0].get_tensor().set_names({"smile"})
    network.friendly_name = NAME
    xml = arguments.models / f"{NAME}.xml"
    save(network, model, xml)

    cuts = np.fromfile(arguments.cuts, np.uint8).reshape(-1, MARGIN, MARGIN, 3)
    cuts = cuts[np.linspace(0, len(cuts) - 1, min(len(cuts), 200)).astype(int)]
    compiled = openvino.Core().compile_model(xml, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    worst = 0.0
    for cut in cuts:
        x = views(torch.from_numpy(luma(cut))[None, None].float())
        with torch.no_grad():
            expected = model(x).numpy()
        worst = max(worst, np.abs(expected - compiled([x.numpy()])[0]).max())
    print(f"largest difference on {len(cuts)} faces: {worst:.1e}")
    if worst > 1e-4:
        raise SystemExit("the exported network is another one")
    for path in (xml, xml.with_suffix(".bin")):
        pin(arguments.models / "manifest.json", path)


if __name__ == "__main__":
    main()

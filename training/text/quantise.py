#!/usr/bin/env python3
"""Writes the two networks that read a page's text, from the published PP-OCRv6 networks, and pins them in the manifest.

    quantise.py rapidocr-3.10.0-py3-none-any.whl PAGES [--models models]

Both networks take bytes: mean and scale are part of them. The recognition network keeps only the classes of the
characters in `is_kept`. The detector and the large convolutions of the recognition network compute with 8 bits; PAGES are
the photos of pages on which their ranges are chosen. Nothing is trained.
"""
import hashlib
import json
import random
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import openvino
from openvino import opset13, preprocess
from PIL import Image

sys.path.append(str(Path(__file__).resolve().parents[1]))
from shared import MODELS, command, pin, saved

# The hashes that the package's MODEL_LICENSES.md has for its networks.
FINDER = ("PP-OCRv6_det_small.onnx", "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f")
READER = ("PP-OCRv6_rec_small.onnx", "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884")


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


def reader_alphabet(data):
    """The characters of the classes: class 0 is none, and the last one, after the dictionary, is the space."""
    import onnx

    values = {entry.key: entry.value for entry in onnx.load_from_string(data).metadata_props}
    return ["", *values["character"].split("\n"), " "]


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
    model.set_rt_info("PP-OCRv6 small of PaddleOCR (Apache-2.0), changed: see models/README.md", "origin")
    weights = (node.data for node in model.get_ordered_ops() if node.get_type_name() == "Constant")
    return saved(model, name, weights, models, half=True)


def quantised(model, examples, is_quantised=lambda node: True):
    """Returns the network with convolutions and matrices of 8 bits, except those for which `is_quantised` is false."""
    import nncf

    # Quantised networks are not compressed.
    with tempfile.TemporaryDirectory() as folder:
        openvino.save_model(model, Path(folder, "model.xml"), compress_to_fp16=True)
        model = openvino.Core().read_model(Path(folder, "model.xml"))
    kinds = ("Convolution", "GroupConvolution", "MatMul")
    others = ("Add", "Multiply", "ReduceMean", "AvgPool", "MaxPool", "Concat")
    left = [node.get_friendly_name() for node in model.get_ordered_ops()
            if node.get_type_name() in kinds and not is_quantised(node)]
    if left:
        left += [node.get_friendly_name() for node in model.get_ordered_ops() if node.get_type_name() in others]
    return nncf.quantize(
        model, nncf.Dataset(examples), preset=nncf.QuantizationPreset.MIXED, subset_size=len(examples),
        ignored_scope=nncf.IgnoredScope(names=left, validate=False))


def is_large(node):
    """Whether a node is one of the convolutions with which most of the reader's time is spent: without the last layers,
    which need more precision, and those on averages."""
    sizes = node.input(1).get_partial_shape()
    return node.get_type_name() == "Convolution" and [size.get_length() for size in sizes][2:] == [1, 1] and (
        sizes[0].get_length() * sizes[1].get_length() >= 192 * 384)


def page(picture):
    """A page in a form of PrintReader.regions."""
    sides = [max(1, round(side * 736 / max(picture.size) / 32)) * 32 for side in picture.size]
    return bytes_of(picture.resize(sides))


def parts(rng, picture):
    """Parts of a page in the form of PrintReader.read: most have some text."""
    for _ in range(4):
        height = rng.randint(12, 60)
        width = min(picture.width, int(height * rng.uniform(1.5, 9)))
        left, top = rng.randrange(picture.width - width + 1), rng.randrange(picture.height - height)
        part = picture.crop((left, top, left + width, top + height))
        yield bytes_of(part.resize((max(48, int(0.8 * 48 * width / height)), 48)))


def bytes_of(picture):
    return np.asarray(picture)[..., ::-1].transpose(2, 0, 1)[None].astype(np.float32)


def main(wheel: Path, pages: Path, *, models: Path = MODELS):
    with zipfile.ZipFile(wheel) as opened, tempfile.TemporaryDirectory() as folder:
        finder, _ = network(opened, *FINDER, Path(folder))
        reader, data = network(opened, *READER, Path(folder))
        # Means and deviations of training, of blue, green and red (configuration of PP-OCR).
        finder = takes_bytes(finder, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225), [1, 3, -1, -1])
        characters = reader_alphabet(data)
        kept = [number for number, c in enumerate(characters) if number == 0 or is_kept(c)]
        keep(reader, kept)
        reader = takes_bytes(reader, (0.5, 0.5, 0.5), (0.5, 0.5, 0.5), [1, 3, 48, -1])
    rng = random.Random(7)
    pictures = [Image.open(path).convert("RGB") for path in sorted(pages.glob("*.jpg"))[:60]]
    lines = [part for picture in pictures for part in parts(rng, picture)]
    made = [save(quantised(finder, [page(picture) for picture in pictures]), "text-lines", models),
            save(quantised(reader, lines, is_large), "text-characters", models)]
    alphabet = "".join(characters[number] for number in kept[1:])
    print(f"{len(alphabet)} characters: {json.dumps(alphabet, ensure_ascii=False)}")
    for path in made:
        pin(path)
        pin(path.with_suffix(".bin"))


if __name__ == "__main__":
    command(main, __doc__)

#!/usr/bin/env python3
"""Makes the pictures in this folder from seals.csv, with zxing-cpp 3.1.1's Python package (its writer is Zint's): the codes
of a visa's seal, and pages of an emergency travel document, one with another name than its seal has. The seals are those
of Tests/EmulatedChip/EmulatedSeal.swift, which SealReadingTests compares. Needs numpy, Pillow and fonts-ocr-b."""
import csv
import random
import sys
from pathlib import Path

import numpy as np
import zxingcpp
from PIL import Image

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3] / "training" / "mrz"))
import pages  # noqa: E402

LINES = ["PUUTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "D231458907UTO7408122F2606277<<<<<<<8"]


def code(content, kind, scale):
    drawn = zxingcpp.write_barcode_to_image(zxingcpp.create_barcode(content, getattr(zxingcpp.BarcodeFormat, kind)), scale=1)
    picture = np.pad(np.kron(np.array(drawn, np.uint8), np.ones((scale, scale), np.uint8)), 4 * scale, constant_values=255)
    assert zxingcpp.read_barcode(picture).bytes == content
    return Image.fromarray(picture)


def page(lines, seal):
    # The seed gives a page of clear print; tinted, because a grey one is rejected as a copy.
    grey, _, _ = pages.card(random.Random(9303), lines, "TD2", 8, plain=True)
    mark = code(seal, "DataMatrix", 4)
    grey.paste(mark, (grey.width - mark.width - 40, 60))
    levels = np.asarray(grey, np.float32)[..., None] * np.linspace([1, 0.95, 0.85], [0.9, 1, 1], grey.width)[None]
    return Image.fromarray(np.clip(levels, 0, 255).astype(np.uint8))


with open(HERE / "seals.csv", newline="") as file:
    seals = {row["seal"]: bytes.fromhex(row["hex"]) for row in csv.DictReader(file)}
for name, kind in [("data-matrix", "DataMatrix"), ("qr", "QRCode"), ("aztec", "Aztec")]:
    code(seals["visa"], kind, 4).convert("1").save(HERE / f"visa-{name}.png", optimize=True)
page(LINES, seals["sheet"]).save(HERE / "sheet.jpg", quality=85)
page([LINES[0].replace("ANNA", "ANNE"), LINES[1]], seals["sheet"]).save(HERE / "sheet-other-name.jpg", quality=85)

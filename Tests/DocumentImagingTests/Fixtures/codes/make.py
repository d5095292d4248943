#!/usr/bin/env python3
"""Makes the codes in this folder, with zxing-cpp 3.1.1's Python package (its writer is Zint's), and codes.csv with
their contents: file, format, bytes in hexadecimal, character set. They contain no personal data."""
import csv
from pathlib import Path

import numpy as np
import zxingcpp
from PIL import Image

HERE = Path(__file__).resolve().parent
AAMVA = ("@\n\x1e\rANSI 636000090002DL00410278ZV03190008DLDAQT64235789\nDCSSAMPLE\nDDEN\nDACMICHAEL\nDDFN\nDADJOHN\n"
         "DDGN\nDCUJR\nDCAD\nDCBK\nDCDPH\nDBD06062019\nDBB06061986\nDBA12102024\nDBC1\nDAU068 in\nDAYBRO\n"
         "DAG2300 WEST BROAD STREET\nDAIRICHMOND\nDAJVA\nDAK232690000  \nDCF2424244747474786102204\nDCGUSA\n\r")
CODES = [  # file, format of the writer, format, content, options, text, character set
    ("qr", "QRCode", "qr", "https://example.org/a?b=1", "", None, "ASCII"),
    ("qr-mdoc", "QRCode", "qr", "mdoc:owBjMS4wAYIB2BhYS6QBAiABIVggWojRgrzl9C76WZQ", "", None, "ASCII"),
    ("qr-bytes", "QRCode", "qr", bytes(range(256)), "", None, None),
    ("qr-utf8", "QRCode", "qr", "Grüße, 東京, δοκιμή", "", None, "UTF-8"),
    ("micro-qr", "MicroQRCode", "micro-qr", "12345", "", None, "ASCII"),
    ("rmqr", "RMQRCode", "rmqr", "HELLO RMQR", "", None, "ASCII"),
    ("data-matrix", "DataMatrix", "data-matrix", "data matrix text", "", None, "ASCII"),
    ("data-matrix-gs1", "DataMatrix", "data-matrix", "[01]09501101530003[17]250101[10]AB-123[21]77", "gs1", None, "ASCII"),
    ("aztec", "Aztec", "aztec", "an Aztec code", "", None, "ASCII"),
    ("pdf417", "PDF417", "pdf417", AAMVA, "", None, "ASCII"),
    ("maxicode", "MaxiCode", "maxicode", "a MaxiCode of text", "", None, "ASCII"),
    ("upc-a", "UPCA", "upc-a", "03600029145", "", "0036000291452", "ASCII"),
    ("upc-e", "UPCE", "upc-e", "0123456", "", None, "ASCII"),
    ("ean-8", "EAN8", "ean-8", "9638507", "", "96385074", "ASCII"),
    ("ean-13", "EAN13", "ean-13", "590123412345", "", "5901234123457", "ASCII"),
    ("code-39", "Code39", "code-39", "CODE39", "", None, "ASCII"),
    ("code-93", "Code93", "code-93", "CODE93", "", None, "ASCII"),
    ("code-128", "Code128", "code-128", "Code 128 text", "", None, "ASCII"),
    ("itf", "ITF", "itf", "12345678901231", "", None, "ASCII"),
    ("databar", "DataBarOmni", "databar", "0950110153001", "", None, "ASCII"),
    ("databar-expanded", "DataBarExp", "databar-expanded", "[01]09501101530003[3103]000123", "", None, "ASCII"),
]
with open(HERE / "codes.csv", "w", newline="") as file:
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["file", "format", "hex", "encoding"])
    for name, writer, kind, content, options, text, encoding in CODES:
        code = zxingcpp.create_barcode(content, getattr(zxingcpp.BarcodeFormat, writer), **({"gs1": True} if options else {}))
        picture = np.array(zxingcpp.write_barcode_to_image(code, scale=1), np.uint8)
        scale = 2 if writer == "MaxiCode" else 4
        picture = np.pad(np.kron(picture, np.ones((scale, scale), np.uint8)), 12 * scale, constant_values=255)
        Image.fromarray(picture).convert("1").save(HERE / f"{name}.png", optimize=True)
        read = zxingcpp.read_barcodes(picture, text_mode=zxingcpp.TextMode.Plain)
        assert len(read) == 1, (name, read)
        table.writerow([f"{name}.png", kind, read[0].bytes.hex(), encoding or ""])
        print(name, read[0].format, repr(read[0].text[:50]), read[0].symbology_identifier, read[0].content_type)

#!/usr/bin/env python3
"""Measures how many codes are read, and how many reasons are correct: runs `faceverify code --json` and writes
docs/measurements/codes.csv.

    measure.py COMMAND --set NAME [--simulated FOLDER] [--real TABLE.csv] [--none FOLDER...]

--simulated is a folder of simulate.py; per fault: how many of the codes that zxing-cpp reads are read, and of the
others, how many are read nevertheless or have the correct reason. --real is a table of photos (path, text; hex), which
zxing-cpp's own package reads as well; paths are relative to the table. --none are folders of photos without codes. NAME
is the set's name: existing rows with that name are replaced.
"""
import argparse
import csv
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
from bounds import exact  # noqa: E402

TABLE = ROOT / "docs/measurements/codes.csv"
COLUMNS = ["set", "pictures", "fault", "count", "read", "wrong", "right reason", "none there", "lower bound"]
NAMES = {"partly-out": "partly-out-of-frame"}


def looked(command, paths):
    out = {}
    for start in range(0, len(paths), 200):
        some = [str(path) for path in paths[start : start + 200]]
        run = subprocess.run([command, "code", "--json", *some], capture_output=True, text=True)
        for path, record in zip(some, json.loads(run.stdout)["photos"]):
            out[path] = record
    return out


def same(text, reading):
    return reading["text"] is not None and reading["text"].replace("\r\n", "\n").strip() == text.replace("\r\n", "\n").strip()


def simulated(command, folder):
    rows = list(csv.DictReader(open(folder / "labels.csv")))
    seen = looked(command, [folder / row["path"] for row in rows])
    groups = {}
    for row in rows:
        record = seen[str(folder / row["path"])]
        group = groups.setdefault((row["fault"], row["read"]), dict(count=0, read=0, wrong=0, right=0, none=0))
        group["count"] += 1
        # The writer prints GTINs with brackets.
        texts = [row["text"], row["text"].replace("(", "").replace(")", "")]
        if record["readings"]:
            good = any(same(text, reading) for text in texts for reading in record["readings"])
            group["read" if good else "wrong"] += 1
        else:
            fault = record["fault"]["code"]
            group["right"] += fault == NAMES.get(row["fault"], row["fault"])
            group["none"] += fault == "none-there"
    for (fault, read), g in groups.items():
        name = "zxing-cpp reads them" if read == "yes" else "zxing-cpp does not"
        good = g["read"] if read == "yes" else g["read"] + g["right"]
        yield name, fault, g, exact(good, g["count"])[0]


def real(command, table):
    import numpy as np
    import zxingcpp
    from PIL import Image

    rows = list(csv.DictReader(open(table)))
    paths = [table.parent / row["path"] for row in rows if row["path"].endswith(".png")]
    seen = looked(command, paths)
    groups = {}
    for path, row in zip(paths, (row for row in rows if row["path"].endswith(".png"))):
        def right(text, raw):
            return (raw.hex() == row["hex"]) if row["hex"] else text is not None and same(row["text"], {"text": text})
        own = zxingcpp.read_barcodes(np.array(Image.open(path).convert("RGB")), text_mode=zxingcpp.TextMode.Plain)
        key = any(right(code.text, code.bytes) for code in own)
        group = groups.setdefault(key, dict(count=0, read=0, wrong=0, right=0, none=0))
        group["count"] += 1
        readings = seen[str(path)]["readings"]
        if any(right(r["text"], bytes.fromhex(r["bytes"])) for r in readings):
            group["read"] += 1
        elif readings:
            group["wrong"] += 1
            print("wrong:", path, readings[0]["text"], row["text"])
        else:
            group["none"] += seen[str(path)]["fault"]["code"] == "none-there"
    for key, g in groups.items():
        yield "zxing-cpp reads them" if key else "zxing-cpp does not", "photos", g, exact(g["read"], g["count"])[0]


def none(command, folder):
    paths = sorted(path for path in folder.glob("**/*") if path.suffix in (".jpg", ".jpeg", ".png"))
    seen = looked(command, paths)
    g = dict(count=0, read=0, wrong=0, right=0, none=0)
    for path, record in seen.items():
        if "error" in record:
            continue
        g["count"] += 1
        g["wrong"] += bool(record["readings"])
        g["none"] += record["fault"] is not None and record["fault"]["code"] == "none-there"
        if record["fault"] is None or record["fault"]["code"] != "none-there":
            print("not none:", path, record["fault"])
    g["right"] = g["none"]
    yield folder.name, "no code", g, exact(g["none"], g["count"])[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("--set", required=True)
    parser.add_argument("--simulated", type=Path)
    parser.add_argument("--real", type=Path)
    parser.add_argument("--none", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    rows = [row for row in csv.DictReader(open(TABLE)) if row["set"] != options.set] if TABLE.exists() else []
    sources = [simulated(options.command, options.simulated)] if options.simulated else []
    sources += [real(options.command, options.real)] if options.real else []
    sources += [none(options.command, folder) for folder in options.none]
    for source in sources:
        for pictures, fault, g, bound in source:
            rows.append(dict(zip(COLUMNS, [options.set, pictures, fault, g["count"], g["read"], g["wrong"], g["right"],
                                           g["none"], f"{bound:.3f}"])))
            print(*rows[-1].values(), sep=" | ")
    with open(TABLE, "w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures how many codes are read, and how many reasons are correct: runs `faceverify code --json` and writes
docs/measurements/codes.csv.

    measure.py COMMAND --set NAME [--simulated FOLDER] [--real TABLE.csv] [--none FOLDER...]

--simulated is a folder of simulate.py; per fault: how many of the codes that zxing-cpp reads are read, and of the
others, how many are read nevertheless or have the correct reason. --real is a table of photos (path, text; hex), which
zxing-cpp's own package reads as well; paths are relative to the table. --none are folders of photos without codes. NAME
is the set's name: existing rows with that name are replaced.
"""
import csv
import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2] / "scripts")]
from bounds import exact
from shared import ROOT, command

TABLE = ROOT / "docs/measurements/codes.csv"
COLUMNS = ["set", "pictures", "fault", "count", "read", "wrong", "right reason", "none there", "lower bound"]
NAMES = {"partly-out": "partly-out-of-frame"}
READERS = {True: "zxing-cpp reads them", False: "zxing-cpp does not"}


def looked(program, paths):
    """The command's results by path."""
    out = {}
    for start in range(0, len(paths), 200):
        some = [str(path) for path in paths[start : start + 200]]
        run = subprocess.run([program, "code", "--json", *some], capture_output=True, text=True)
        out |= zip(some, json.loads(run.stdout)["photos"])
    return out


def same(text, other):
    return other is not None and text.replace("\r\n", "\n").strip() == other.replace("\r\n", "\n").strip()


def simulated_rows(program, folder):
    rows = list(csv.DictReader(open(folder / "labels.csv")))
    seen = looked(program, [folder / row["path"] for row in rows])
    groups = defaultdict(Counter)
    for row in rows:
        record, group = seen[str(folder / row["path"])], groups[row["fault"], row["read"] == "yes"]
        group["count"] += 1
        # The writer prints GTINs with brackets.
        texts = [row["text"], row["text"].replace("(", "").replace(")", "")]
        if record["readings"]:
            good = any(same(text, reading["text"]) for text in texts for reading in record["readings"])
            group["read" if good else "wrong"] += 1
        else:
            fault = record["fault"]["code"]
            group["right"] += fault == NAMES.get(row["fault"], row["fault"])
            group["none"] += fault == "none-there"
    for (fault, is_read), group in groups.items():
        yield READERS[is_read], fault, group, group["read"] if is_read else group["read"] + group["right"]


def real_rows(program, table):
    import numpy as np
    import zxingcpp
    from PIL import Image

    rows = [row for row in csv.DictReader(open(table)) if row["path"].endswith(".png")]
    seen = looked(program, [table.parent / row["path"] for row in rows])
    groups = defaultdict(Counter)
    for row in rows:
        path = table.parent / row["path"]

        def right(text, raw):
            return raw.hex() == row["hex"] if row["hex"] else same(row["text"], text)

        own = zxingcpp.read_barcodes(np.array(Image.open(path).convert("RGB")), text_mode=zxingcpp.TextMode.Plain)
        group = groups[any(right(code.text, code.bytes) for code in own)]
        group["count"] += 1
        readings = seen[str(path)]["readings"]
        if any(right(r["text"], bytes.fromhex(r["bytes"])) for r in readings):
            group["read"] += 1
        elif readings:
            group["wrong"] += 1
            print("wrong:", path, readings[0]["text"], row["text"])
        else:
            group["none"] += seen[str(path)]["fault"]["code"] == "none-there"
    for is_read, group in groups.items():
        yield READERS[is_read], "photos", group, group["read"]


def none_rows(program, folder):
    paths = sorted(path for path in folder.glob("**/*") if path.suffix in (".jpg", ".jpeg", ".png"))
    group = Counter()
    for path, record in looked(program, paths).items():
        if "error" in record:
            continue
        is_none = record["fault"] is not None and record["fault"]["code"] == "none-there"
        group.update(count=1, wrong=bool(record["readings"]), right=is_none, none=is_none)
        if not is_none:
            print("not none:", path, record["fault"])
    yield folder.name, "no code", group, group["none"]


def main(program: str, *, set: str, simulated: Path = None, real: Path = None, none: list[Path] = []):
    rows = [row for row in csv.DictReader(open(TABLE)) if row["set"] != set] if TABLE.exists() else []
    sources = [simulated_rows(program, simulated)] if simulated else []
    sources += [real_rows(program, real)] if real else []
    sources += [none_rows(program, folder) for folder in none]
    for source in sources:
        for pictures, fault, group, good in source:
            numbers = [group[name] for name in ("count", "read", "wrong", "right", "none")]
            rows.append(dict(zip(COLUMNS, [set, pictures, fault, *numbers, f"{exact(good, group['count'])[0]:.3f}"])))
            print(*rows[-1].values(), sep=" | ")
    with open(TABLE, "w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    command(main, __doc__)

#!/usr/bin/env python3
"""A folder of training cuts of photos as they are, without a simulated camera: as_they_are.py lfw nuaa OUTPUT.

`lfw` stands for lfw.tsv and lfw.u8 of `cut-faces`. Of LFW a third is taken, so that its way of storing photos does
not become a sign of life; of the people held out, half.
"""
import csv
import sys
from pathlib import Path

import numpy as np

from make_pictures import is_held
from network import SIDE

SEED = 5


def main():
    random = np.random.default_rng(SEED)
    output = Path(sys.argv[3])
    output.mkdir(parents=True, exist_ok=True)
    views, rows = [], []
    for source, prefix in zip(("lfw", "nuaa"), sys.argv[1:3]):
        found = np.memmap(prefix + ".u8", np.uint8, "r").reshape(-1, 2, SIDE, SIDE, 3)
        for view, line in zip(found, open(prefix + ".tsv")):
            path = Path(line.split("\t")[0])
            folder = path.parent.name
            subject, species, part = "nuaa-" + path.name[:4], "live" if folder == "live" else "nuaa-print", "train"
            if source == "lfw":
                subject, species, part = folder, "live", "held" if is_held(folder) else "train"
                if random.random() > (0.5 if part == "held" else 0.35):
                    continue
            rows.append([f"{source}_{folder}_{path.name}", subject, source, species, part])
            views.append(view)
    np.stack(views).tofile(output / "cuts.u8")
    (output / "cuts.tsv").write_text("".join(row[0] + "\n" for row in rows))
    with open(output / "pictures.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["file", "subject", "source", "species", "part"])
        table.writerows(rows)
    print(f"{len(rows)} pictures")


if __name__ == "__main__":
    main()

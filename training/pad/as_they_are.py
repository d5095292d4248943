#!/usr/bin/env python3
"""A folder of training cuts of photos as they are, without a simulated camera: as_they_are.py OUTPUT lfw nuaa continued

Each stands for what cut-faces wrote of it: lfw.tsv and lfw.u8, and so on. OUTPUT/paths.tsv is for teacher.py.
"""
import csv
import sys
from pathlib import Path

import numpy as np

from make_pictures import is_held
from network import SIDE, VIEWS


def main():
    output = Path(sys.argv[1])
    output.mkdir(parents=True, exist_ok=True)
    views, rows, lines = [], [], []
    for prefix in sys.argv[2:]:
        name = Path(prefix).name
        source = "nuaa" if name == "nuaa" else "lfw"
        found = np.memmap(prefix + ".u8", np.uint8, "r").reshape(-1, len(VIEWS), SIDE, SIDE, 3)
        for view, line in zip(found, open(prefix + ".tsv")):
            path = Path(line.split("\t")[0])
            folder = path.parent.name
            subject, species, part = "nuaa-" + path.name[:4], "live" if folder == "live" else "nuaa-print", "train"
            if source == "lfw":
                subject, species, part = folder, "live", "held" if is_held(folder) else "train"
            rows.append([f"{name}_{folder}_{path.name}", subject, source, species, part])
            lines.append(line)
            views.append(view)
    np.stack(views).tofile(output / "cuts.u8")
    (output / "paths.tsv").write_text("".join(lines))
    (output / "cuts.tsv").write_text("".join(row[0] + "\n" for row in rows))
    with open(output / "pictures.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["file", "subject", "source", "species", "part"])
        table.writerows(rows)
    print(f"{len(rows)} pictures")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Continues photos beyond their edges by what is mirrored there: continued.py lfw.tsv OUTPUT

LFW's photos end close to the face. Without these the network would know living faces with a whole room around them from
eight people of NUAA alone.
"""
import multiprocessing
import sys
from pathlib import Path

import cv2

from make_pictures import read_cuts, without_wedges

BEYOND = 70  # pixels, on 250: then the wide view is full


def make(job):
    path, output = job
    picture = cv2.copyMakeBorder(without_wedges(cv2.imread(path)[..., ::-1]), *[BEYOND] * 4, cv2.BORDER_REFLECT_101)
    output.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(output), picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 95])


def main():
    output = Path(sys.argv[2])
    jobs = [(name, output / Path(name).parent.name / Path(name).name) for name, _, _ in read_cuts(sys.argv[1])]
    with multiprocessing.Pool(2) as pool:
        pool.map(make, jobs, 64)


if __name__ == "__main__":
    main()

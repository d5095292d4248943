#!/usr/bin/env python3
"""What two published networks think of each picture: teacher.py TEACHERS cuts.tsv teacher.npy

TEACHERS is a folder with Silent-Face's two networks as ONNX (minivision-ai, Apache-2.0). The texture network learns to
guess their six numbers beside its own task: they have seen real screens, which our pictures lack. Their judgement itself
is not taken over: it refuses pictures without colour and lets masks pass.
"""
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import openvino

SIDE = 80
NETWORKS = (("2.7_80x80_MiniFASNetV2.onnx", 2.7), ("4_0_0_80x80_MiniFASNetV1SE.onnx", 4.0))
# Their detector's box against ours, fitted on NUAA's training pictures: of several it lets them refuse the fewest of the
# living (6.7 %), and no print passes.
WIDTH, LOWER = 0.8, 0.03


def cut(picture, x, y, width, zoom):
    """The square around a face, moved into the picture, and no larger than it."""
    height, across = picture.shape[:2]
    side = width * min((height - 1) / width, (across - 1) / width, zoom)
    left = min(max(0, x - side / 2), across - 1 - side)
    top = min(max(0, y - side / 2), height - 1 - side)
    part = picture[int(top) : int(top + side) + 1, int(left) : int(left + side) + 1]
    return cv2.resize(part, (SIDE, SIDE)).transpose(2, 0, 1)[None].astype(np.float32)


def main():
    folder, lines = Path(sys.argv[1]), Path(sys.argv[2]).read_text().splitlines()
    core = openvino.Core()
    networks = [(core.compile_model(folder / name, "CPU", {"INFERENCE_NUM_THREADS": 1}), zoom) for name, zoom in NETWORKS]

    def judged(line):
        path, _, _, *face = line.split("\t")
        picture = cv2.imread(path)
        x, y, width = np.array(face, float) * (picture.shape[1], picture.shape[0], picture.shape[1])
        y, width = y + LOWER * width, WIDTH * width
        return np.concatenate([
            network.create_infer_request().infer([cut(picture, x, y, width, zoom)])[0][0] for network, zoom in networks])

    with ThreadPoolExecutor(2) as workers:
        np.save(sys.argv[3], np.stack(list(workers.map(judged, lines))).astype(np.float32))


if __name__ == "__main__":
    main()

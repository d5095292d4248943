#!/usr/bin/env python3
"""Generates pictures for the student, with the teacher's embeddings as labels.

  make_pictures.py TEACHER.xml FACES OUTPUT --count N --seed S

FACES is the output of `align-faces` (without the suffix). OUTPUT.jpg contains the student's chips one after another,
OUTPUT.ends their end offsets (64-bit), OUTPUT.f2 the teacher's unit vectors of 256 numbers (16-bit floats). Both grow
during the run, which can be stopped at any time. Single-threaded; start several with different seeds.
"""
import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import openvino

import pictures

BATCH = 8
QUALITY = 95


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("teacher")
    parser.add_argument("faces")
    parser.add_argument("output")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()

    cv2.setNumThreads(1)
    faces = pictures.Faces(arguments.faces)
    random = np.random.default_rng(arguments.seed)
    pick = pictures.picker(faces, np.flatnonzero(~faces.held_out()), random)
    model = openvino.Core().read_model(arguments.teacher)
    model.reshape([BATCH, 3, 128, 128])
    teacher = openvino.Core().compile_model(
        model, "CPU", {"INFERENCE_PRECISION_HINT": "bf16", "INFERENCE_NUM_THREADS": 1}).create_infer_request()
    start, end = time.time(), 0
    with open(arguments.output + ".jpg", "wb") as jpg, open(arguments.output + ".ends", "wb") as ends, open(
            arguments.output + ".f2", "wb") as targets:
        for done in range(0, arguments.count, BATCH):
            crops, encoded = [], []
            for _ in range(BATCH):
                picture, points = pictures.picture_of(faces, random, pick)
                crop = pictures.teacher_crop(picture, points)
                crops.append(crop[:, ::-1] if random.random() < 0.5 else crop)
                encoded.append(cv2.imencode(".jpg", pictures.through_camera(picture, random)[:, :, ::-1], [1, QUALITY])[1].tobytes())
            said = teacher.infer([np.stack(crops).transpose(0, 3, 1, 2).astype("f4")])[0].reshape(BATCH, -1)
            said = said / np.linalg.norm(said, axis=1, keepdims=True)
            for one in encoded:
                end += len(one)
                ends.write(np.uint64(end).tobytes())
            jpg.write(b"".join(encoded))
            targets.write(said.astype("<f2").tobytes())
            for file in (jpg, ends, targets):
                file.flush()
            if done % (BATCH * 500) == 0:
                print(f"{done} of {arguments.count}, {time.time() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()

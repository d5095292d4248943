#!/usr/bin/env python3
"""Teaches the locator of codes what codes look like, and writes Sources/CVision/codeweights.hpp.

    train.py --codes FOLDER... --none FOLDER...

--codes are folders that simulate.py made; --none are folders of pictures without codes, every picture below them. First the
network that judges blocks is taught, then, with regions made of its answers, the one that judges these. A fifth of the
pictures teach nothing and tell how well it went.
"""
import argparse
import csv
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WEIGHTS = ROOT / "Sources/CVision/codeweights.hpp"
BLOCK, REGION = 10, 20  # numbers that describe one
HIDDEN = {"block": 14, "region": 16}
EACH = {"code": 30, "none": 90}  # blocks of each picture, of each kind
LONGEST = 1280  # pixels of a picture without codes


def build(folder):
    """The program that says what the locator makes of pictures."""
    flags = subprocess.run(["pkg-config", "--cflags", "faceverify-deps"], check=True, capture_output=True, text=True,
                           env={"PKG_CONFIG_PATH": str(ROOT / ".deps/pkgconfig"), "PATH": "/usr/bin:/bin"}).stdout
    program = folder / "dump"
    subprocess.run(["g++", "-std=c++17", "-O2", *shlex.split(flags), f"-I{ROOT / 'Sources/CVision/include'}",
                    str(HERE / "dump.cpp"), str(ROOT / "Sources/CVision/codelocator.cpp"), "-o", str(program),
                    "-l:libopencv_imgproc.a", "-l:libopencv_core.a", "-l:libtbb.so.12", "-lz", "-lopenblas"], check=True)
    return program


def dumped(program, what, paths):
    values = []
    for start in range(0, len(paths), 200):
        out = subprocess.run([program, what, *paths[start : start + 200]], check=True, capture_output=True).stdout
        values.append(np.frombuffer(out, np.float32))
    return np.concatenate(values)


def pictures(options, folder):
    """(grey file, corners of the code or None, its row) of each picture."""
    out = []
    for source in options.codes:
        for row in csv.DictReader(open(source / "labels.csv")):
            out.append((source / row["path"], np.array(row["corners"].split(), float).reshape(4, 2), row))
    for source in options.none:
        out += [(path, None, None) for path in sorted(source.glob("**/*")) if path.suffix in (".jpg", ".jpeg", ".png")]
    made = []
    for i, (path, corners, row) in enumerate(out):
        photo = Image.open(path).convert("L")
        if corners is None and max(photo.size) > LONGEST:
            photo.thumbnail((LONGEST, LONGEST))
        elif corners is None and max(photo.size) < 320 and i % 3 == 0:
            photo = photo.resize((photo.width * 2, photo.height * 2), Image.BICUBIC)
        grey = folder / f"{i}.pgm"
        photo.save(grey)
        made.append((grey, corners, row))
    return made


def mask(corners, size):
    picture = Image.new("L", size)
    ImageDraw.Draw(picture).polygon([tuple(point) for point in corners], fill=1)
    return np.array(picture, bool)


def grown(values, n):
    """A mask with what lies up to n cells beside it; for a negative n without."""
    if n < 0:
        return ~grown(~values, -n)
    padded = np.pad(values, n)
    rows, columns = values.shape
    return np.any([padded[y : y + rows, x : x + columns] for y in range(2 * n + 1) for x in range(2 * n + 1)], 0)


def block_samples(program, made, rng):
    values, at, samples = dumped(program, "blocks", [str(m[0]) for m in made]), 0, []
    for index, (_, corners, row) in enumerate(made):
        for level in range(2):
            rows, columns, side = values[at : at + 3].astype(int)
            features = values[at + 3 : at + 3 + rows * columns * BLOCK].reshape(rows, columns, BLOCK)
            at += 3 + features.size
            near = inside = np.zeros((rows, columns), bool)
            if corners is not None:
                whole = mask(corners / side, (int(columns), int(rows)))
                inside, near = grown(whole, -1), grown(whole, 3)
            # Too near, a code's squares are larger than what is looked at, but at the smaller size.
            if corners is not None and not (row["fault"] == "too-near" and level == 0):
                samples += pick(features[inside], EACH["code"], 1, index, rng)
            samples += pick(features[~near], EACH["code" if corners is not None else "none"], 0, index, rng)
    return samples


def pick(rows, count, answer, index, rng):
    return [(row, answer, index) for row in rows[rng.integers(0, len(rows), count)]] if len(rows) else []


def region_samples(program, made):
    values, at, samples, found = dumped(program, "regions", [str(m[0]) for m in made]), 0, [], []
    for index, (path, corners, row) in enumerate(made):
        size = Image.open(path).size
        scale = max(size) / 160
        small = (int(size[0] / scale) + 1, int(size[1] / scale) + 1)
        count, best = int(values[at]), 0.0
        at += 1
        for _ in range(count):
            region, features = values[at : at + 8].reshape(4, 2), values[at + 8 : at + 8 + REGION]
            at += 9 + REGION
            shared = 0.0
            if corners is not None:
                one, other = mask(region / scale, small), mask(corners / scale, small)
                shared = (one & other).sum() / max(1, (one | other).sum())
                best = max(best, shared)
                if 0.05 < shared <= 0.3:
                    continue  # a part of a code, and no example of anything
            samples.append((features, shared > 0.3, index))
        if corners is not None:
            found.append(best > 0.3)
    print(f"regions about codes: {np.mean(found):.3f} of {len(found)}")
    return samples


def taught(samples, hidden, rng, positive=1.0, steps=4000, batch=1024, rate=5e-3, decay=1e-3):
    """A network of one hidden layer, by Adam on the logistic loss; and its share of right answers on what taught nothing."""
    x = np.array([s[0] for s in samples], np.float64)
    y = np.array([s[1] for s in samples], np.float64)
    aside = np.array([s[2] for s in samples]) % 5 == 0
    mean, deviation = x[~aside].mean(0), x[~aside].std(0) + 1e-6
    z, t = (x[~aside] - mean) / deviation, y[~aside]
    weights = [rng.normal(0, (2 / x.shape[1]) ** 0.5, (x.shape[1], hidden)), np.zeros(hidden),
               rng.normal(0, (1 / hidden) ** 0.5, hidden), np.zeros(1)]
    first, second = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    for step in range(1, steps + 1):
        chosen = rng.integers(0, len(z), batch)
        inner = z[chosen] @ weights[0] + weights[1]
        active = np.maximum(inner, 0)
        error = (1 / (1 + np.exp(-(active @ weights[2] + weights[3]))) - t[chosen]) / batch
        error *= np.where(t[chosen] > 0, positive, 1)
        back = np.outer(error, weights[2]) * (inner > 0)
        slopes = [z[chosen].T @ back + decay * weights[0], back.sum(0), active.T @ error + decay * weights[2],
                  np.array([error.sum()])]
        now = rate * min(1, 2 * (steps - step) / steps + 0.02)
        for k in range(4):
            first[k] = 0.9 * first[k] + 0.1 * slopes[k]
            second[k] = 0.999 * second[k] + 0.001 * slopes[k] ** 2
            weights[k] -= now * (first[k] / (1 - 0.9**step)) / (np.sqrt(second[k] / (1 - 0.999**step)) + 1e-8)
    network = (weights[0] / deviation[:, None], weights[1] - (mean / deviation) @ weights[0], weights[2], weights[3][0])
    answers = 1 / (1 + np.exp(-(np.maximum(x @ network[0] + network[1], 0) @ network[2] + network[3])))
    for name, part in (("taught", ~aside), ("aside", aside)):
        hits, false = answers[part & (y > 0)] > 0.5, answers[part & (y == 0)] > 0.5
        print(f"{name}: {hits.mean():.4f} of {len(hits)} found, {false.mean():.4f} of {len(false)} false")
    return network


def written(networks):
    lines = ["// Written by training/codes/train.py.", "#pragma once", "", "namespace cvision {", ""]
    for name, (inner, biases, outer, last) in networks.items():
        def numbers(values):
            return ", ".join(f"{value:.6g}f" if "." in f"{value:.6g}" or "e" in f"{value:.6g}" else f"{value:.6g}.0f" for value in values)
        rows = ",\n".join(f"  {{{numbers(row)}}}" for row in inner)
        lines += [f"const float {name}_in[{len(inner)}][{len(biases)}] = {{\n{rows},\n}};",
                  f"const float {name}_bias[{len(biases)}] = {{{numbers(biases)}}};",
                  f"const float {name}_out[{len(outer)}] = {{{numbers(outer)}}};",
                  f"const float {name}_last = {numbers([last])};", ""]
    return "\n".join(lines + ["}  // namespace cvision", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--codes", type=Path, nargs="+", required=True)
    parser.add_argument("--none", type=Path, nargs="+", required=True)
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    blank = tuple(np.zeros(shape) for shape in ((REGION, HIDDEN["region"]), HIDDEN["region"], HIDDEN["region"])) + (0.0,)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        made = pictures(options, folder)
        print(f"{len(made)} pictures")
        if not WEIGHTS.exists():
            block = tuple(np.zeros(shape) for shape in ((BLOCK, HIDDEN["block"]), HIDDEN["block"], HIDDEN["block"])) + (0.0,)
            WEIGHTS.write_text(written({"block": block, "region": blank}))
        block = taught(block_samples(build(folder), made, rng), HIDDEN["block"], rng, positive=3)
        WEIGHTS.write_text(written({"block": block, "region": blank}))
        region = taught(region_samples(build(folder), made), HIDDEN["region"], rng, steps=8000)
        WEIGHTS.write_text(written({"block": block, "region": region}))


if __name__ == "__main__":
    main()

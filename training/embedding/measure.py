#!/usr/bin/env python3
"""Measures embedding networks on photos of people who taught nothing: one view, plain cosine.

    measure.py NETWORK... --lfw FACES --london FACES --populations FACES,populations.csv

NETWORK is a checkpoint of train.py (its averaged weights) or a network in OpenVINO's intermediate representation, for
example the teacher. FACES are outputs of align-faces (without the suffix). Every pair of photos is compared. Printed
are, with counts and exact 95 % bounds (Clopper-Pearson):

- LFW: the false non-match rates (FNMR) at thresholds for false match rates (FMR) of 1e-2, 1e-3 and 1e-4 on the same
  photos; the same for photos against simulated portraits of document chips; the share of the false matches at 1e-3 that
  involve the worst 5 % of the photos
- London: two photos of a session, the FNMR at LFW's thresholds
- populations: the FMR within each group at LFW's thresholds, and LFW's FNMR at the threshold of the worst group
"""
import argparse
import csv
import sys
from pathlib import Path

import cv2
import numpy as np
import openvino
import torch
from scipy.stats import beta

from network import SIDE, Student
from pictures import Faces, batch

sys.path.append(str(Path(__file__).resolve().parents[1] / "pad"))
import camera

RATES = 1e-2, 1e-3, 1e-4
BATCH = 8


def network(path):
    """Returns a function of a batch of pictures, BGR from 0 to 255."""
    if path.suffix == ".pt":
        student = Student().eval()
        student.load_state_dict(torch.load(path)["mean"])
        converted = openvino.convert_model(student, example_input=torch.zeros(1, 3, SIDE, SIDE))
    else:
        converted = openvino.Core().read_model(path)
    converted.reshape([BATCH, 3, SIDE, SIDE])
    compiled = openvino.Core().compile_model(
        converted, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
    return lambda pictures: compiled([pictures])[0].reshape(BATCH, -1)


def vectors(run, pictures):
    """Returns unit vectors."""
    found = []
    for i in range(0, len(pictures), BATCH):
        part = pictures[i : i + BATCH]
        found.append(run(batch(part + part[-1:] * (BATCH - len(part))))[: len(part)].copy())
    found = np.concatenate(found)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def portrait(picture, random):
    """A simulated chip portrait: 64 to 96 pixels for the network's input, compressed, a third grey."""
    side = int(random.integers(64, 97))
    small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    if random.random() < 1 / 3:
        small = np.repeat(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)[..., None], 3, 2)
    small = camera.jpeg(np.ascontiguousarray(small[..., ::-1]), random.uniform(30, 75))[..., ::-1]
    return cv2.resize(small, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)


def bounded(count, total):
    """Returns a rate with its counts and exact 95 % bounds."""
    low = beta.ppf(0.025, count, total - count + 1) if count else 0.0
    high = beta.ppf(0.975, count + 1, total - count) if count < total else 1.0
    return f"{count / total:.4f} ({count} of {total}; {low:.4f}-{high:.4f})"


def threshold(nonmated, rate):
    """The lowest threshold at which at most `rate` of the comparisons are at or above it."""
    ordered = np.sort(nonmated)
    return np.nextafter(ordered[len(ordered) - 1 - int(rate * len(ordered))], np.float32(2))


def rates(title, mated, nonmated):
    """Prints FNMR at each FMR; returns the thresholds."""
    found = [threshold(nonmated, rate) for rate in RATES]
    print(f"{title}: {len(mated)} mated, {len(nonmated)} non-mated")
    for rate, limit in zip(RATES, found):
        print(f"  FMR {rate:.0e} at {limit:.4f}: FNMR {bounded((mated < limit).sum(), len(mated))}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("networks", nargs="+", type=Path)
    parser.add_argument("--lfw", required=True)
    parser.add_argument("--london")
    parser.add_argument("--populations", help="FACES,populations.csv")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)

    lfw = Faces(arguments.lfw)
    photos = [np.ascontiguousarray(lfw.input(i)) for i in range(len(lfw.paths))]
    random = np.random.default_rng(7)
    portraits = [portrait(photo, random) for photo in photos]
    people = np.array(lfw.people)
    above = np.triu_indices(len(people), 1)
    same = people[above[0]] == people[above[1]]
    for path in arguments.networks:
        print(f"# {path.name}")
        run = network(path)
        own = vectors(run, photos)
        cosines = (own @ own.T)[above]
        mated = cosines[same]
        limits = rates("LFW", mated, cosines[~same])
        matches = np.bincount(np.concatenate([side[~same & (cosines >= limits[1])] for side in above]), minlength=len(people))
        worst = np.argsort(-matches)[: len(people) // 20]
        involved = np.isin(above[0], worst) | np.isin(above[1], worst)
        print(f"  the worst {len(worst)} photos take part in "
              f"{bounded((involved & ~same & (cosines >= limits[1])).sum(), (~same & (cosines >= limits[1])).sum())} "
              "of the false matches at 1e-3")
        crossed = own @ vectors(run, portraits).T
        other = people[:, None] == people[None]
        rates("LFW, photo against simulated chip portrait",
              crossed[other & ~np.eye(len(people), dtype=bool)], crossed[~other])
        if arguments.london:
            london = Faces(arguments.london)
            own = vectors(run, [london.input(i) for i in range(len(london.paths))])
            above_london = np.triu_indices(len(own), 1)
            scores = (own @ own.T)[above_london]
            pair = np.array(london.people)[above_london[0]] == np.array(london.people)[above_london[1]]
            print(f"London: least mated {scores[pair].min():.3f}, largest non-mated {scores[~pair].max():.3f}")
            for rate, limit in zip(RATES, limits):
                print(f"  at LFW's {rate:.0e}: FNMR {bounded((scores[pair] < limit).sum(), pair.sum())}, "
                      f"FMR {bounded((scores[~pair] >= limit).sum(), (~pair).sum())}")
        if arguments.populations:
            stem, table = arguments.populations.split(",")
            faces = Faces(stem)
            groups = {Path(row["path"]).name: f"{row['origin']} {row['sex']}" for row in csv.DictReader(open(table))}
            own = vectors(run, [faces.input(i) for i in range(len(faces.paths))])
            of = np.array([groups[path.name] for path in faces.paths])
            highest = np.full(len(RATES), -1.0)
            for group in sorted(set(of)):
                members = own[of == group]
                scores = (members @ members.T)[np.triu_indices(len(members), 1)]
                highest = np.maximum(highest, [threshold(scores, rate) for rate in RATES])
                print(f"  {group}, {len(members)} people: FMR at LFW's thresholds", ", ".join(
                    bounded((scores >= limit).sum(), len(scores)) for limit in limits))
            for rate, limit in zip(RATES, highest):
                print(f"LFW at the worst group's {rate:.0e} ({limit:.4f}): FNMR {bounded((mated < limit).sum(), len(mated))}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Generates the training pictures of the texture network: bona fide faces and attacks, through simulated cameras.

Input: folders of photos of bona fide people (LFW: one folder per person; NUAA: live and print), and the output of
`cut-faces` for them. Output: PNG files, and pictures.csv (file, subject, source, species).
"""
import argparse
import csv
import multiprocessing
import sys
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "attacks"))
import camera
import optics
import pictures as attacks

from cuts import is_held

SEED = 20261121
SIDE = 256  # maximum size of the square around a face in which attacks are drawn: a network's crops are not larger
HARDEST = 0.8


def without_wedges(picture):
    """Fills the black wedges at the edges of deep-funneled photos, which are rotated, with the colour of the nearest
    pixel."""
    black = (picture.max(2) < 6).astype(np.uint8)
    count, labels = cv2.connectedComponents(black)
    edge = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    wedge = np.isin(labels, edge[edge > 0])
    if wedge.mean() < 0.002 or wedge.mean() > 0.6:
        return picture
    wedge = cv2.dilate(wedge.astype(np.uint8), np.ones((5, 5), np.uint8))
    _, nearest = cv2.distanceTransformWithLabels(wedge, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    lookup = np.zeros((nearest.max() + 1, 3), np.uint8)
    inside = wedge == 0
    lookup[nearest[inside]] = picture[inside]
    filled = lookup[nearest]
    soft = cv2.GaussianBlur(filled, (0, 0), 4)
    return np.where(wedge[..., None] > 0, soft, picture)


def framed(picture, face, random):
    """Crops around a face (centre and width in pixels), as a camera slightly nearer or farther would."""
    x, y, width = face
    reach = width * random.uniform(1.1, 2.2)
    x, y = x + random.uniform(-0.25, 0.25) * width, y + random.uniform(-0.25, 0.25) * width
    left, right = max(0, int(x - reach)), min(picture.shape[1], int(x + reach))
    top, bottom = max(0, int(y - reach)), min(picture.shape[0], int(y + 1.1 * reach))
    part = picture[top:bottom, left:right]
    scale = SIDE / max(part.shape[:2])
    if scale < 1:
        part = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(part), min(scale, 1.0), (x - left, y - top)


def plain_camera(picture, random):
    """Applies the camera of the attack simulation, without an attack."""
    before = optics.Camera(picture.shape, random, random.uniform())
    return before.develop(before.focused(optics.light_of(picture)), random)


def recorded(picture, random):
    """The picture as printed or displayed: captured by another camera and compressed."""
    picture = plain_camera(picture, random) if random.random() < 0.5 else picture
    choice = random.random()
    if choice < 0.4:
        return camera.jpeg(picture, random.uniform(40, 95))
    return camera.video(picture, random) if choice < 0.6 else picture


def placed(path, face, shape, x, y, width):
    """Another photo, warped so that its face is at a position in a picture of that shape."""
    picture = without_wedges(cv2.imread(path)[..., ::-1])
    rows, columns = picture.shape[:2]
    scale = width / (face[2] * columns)
    move = np.float32([[scale, 0, x - scale * face[0] * columns], [0, scale, y - scale * face[1] * rows]])
    return cv2.warpAffine(picture, move, shape[1::-1], borderMode=cv2.BORDER_REFLECT)


def make(job):
    path, source, person, species, eyes, face, (room, room_face), output, seed = job
    random = np.random.default_rng(seed)
    picture = cv2.imread(path)[..., ::-1]
    if source == "lfw":
        picture = without_wedges(picture)
    height, width = picture.shape[:2]
    x, y, w = face[0] * width, face[1] * height, face[2] * width
    if species in ("live", "nuaa-print"):
        if source == "lfw" or random.random() < 0.5:
            picture, scale, _ = framed(picture, (x, y, w), random)
            eyes = eyes * scale
        picture = np.ascontiguousarray(picture)
        if random.random() < 0.5 and max(picture.shape) <= 1.5 * SIDE:
            picture = plain_camera(picture, random)
    else:
        picture, scale, middle = framed(picture, (x, y, w), random)
        eyes = eyes * scale
        picture = np.ascontiguousarray(recorded(picture, random))
        background = None if random.random() < 0.3 else np.ascontiguousarray(cv2.imread(room)[..., ::-1])
        # The hardest attacks are not visible in a single frame: they would only teach the network to reject blurred
        # photos.
        options = dict(background=background, difficulty=random.uniform(0, HARDEST))
        if species == "print":
            picture, parameters = attacks.print_attack(picture, random, **options)
        elif species == "screen":
            picture, parameters = attacks.screen_attack(picture, random, **options)
        else:
            x, y, w = middle[0] * scale, middle[1] * scale, w * scale
            wearer = placed(room, room_face, picture.shape, x, y, w) if random.random() < 0.75 else None
            box = (x - 0.5 * w, y - 0.55 * w, w, 1.15 * w)
            picture, parameters = attacks.cutout_attack(
                picture, random, face=box, behind=wearer, behind_face=None if wearer is None else box, **options)
        if "pose" in parameters:
            eyes = eyes * parameters["pose"]["scale"]
    if random.random() < 0.9:
        picture = camera.camera(np.ascontiguousarray(picture), eyes, random)
    cv2.imwrite(output, picture[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 1])


def located(path):
    for line in open(path):
        name, _, eyes, x, y, w = line.rstrip("\n").split("\t")
        yield name, float(eyes), (float(x), float(y), float(w))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lfw", type=Path, help="what cut-faces printed for the photos of LFW")
    parser.add_argument("nuaa", type=Path, help="what cut-faces printed for the photos of NUAA")
    parser.add_argument("output", type=Path)
    parser.add_argument("--round", type=int, default=0, help="another number makes other pictures of the same photos")
    parser.add_argument("--photos", type=int, default=4500, help="photos of LFW to use (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    random = np.random.default_rng([SEED, arguments.round])

    lfw = list(located(arguments.lfw))
    people = [Path(name).parent.name for name, _, _ in lfw]
    order = random.permutation(len(lfw))
    held = [i for i in order if is_held(people[i])]
    train = [i for i in order if not is_held(people[i])][: arguments.photos]
    rooms = [(lfw[i][0], lfw[i][2]) for i in train]

    wanted = []
    for chosen in (train, held[:80]):
        for k, i in enumerate(chosen):
            name, eyes, face = lfw[i]
            wanted.append((name, "lfw", people[i], "live", eyes, face))
            kinds = ["print", "screen", "print", "screen", "cutout"][k % 5 :][:1] if chosen is train else [
                "print", "screen", "cutout"]
            for kind in kinds:
                wanted.append((name, "lfw", people[i], kind, eyes, face))
    for name, eyes, face in list(located(arguments.nuaa))[::3]:
        subject = "nuaa-" + Path(name).name[:4]
        if Path(name).parent.name == "print":
            wanted.append((name, "nuaa", subject, "nuaa-print", eyes, face))
        else:
            wanted.append((name, "nuaa", subject, "live", eyes, face))
            kind = ["print", "screen", "screen", "cutout"][random.integers(4)]
            wanted.append((name, "nuaa", subject, kind, eyes, face))

    arguments.output.mkdir(parents=True, exist_ok=True)
    jobs = []
    with open(arguments.output / "pictures.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["file", "subject", "source", "species"])
        for number, (name, source, person, species, eyes, face) in enumerate(wanted):
            output = arguments.output / f"{number:06d}.png"
            table.writerow([output.name, person, source, species])
            room = rooms[random.integers(len(rooms))]
            jobs.append(
                (name, source, person, species, eyes, face, room, str(output), [SEED, arguments.round, number]))
    random.shuffle(jobs)
    with multiprocessing.Pool(arguments.workers, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        for count, _ in enumerate(pool.imap_unordered(make, jobs, 16)):
            if count % 500 == 0:
                print(f"{count} of {len(jobs)}", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Videos of simulated presentation attacks, for training and evaluation.

    simulate.py SPECIES... --from PHOTO_OR_VIDEO [--other PHOTO_OR_VIDEO] --out FOLDER [--count N] [--seed S]

All output is marked as simulated: file names start with "simulated-", the videos have a comment, and
FOLDER/manifest.csv has a row for each file: path, species, sources with their SHA-256, seed, and every parameter drawn.
The same sources, species and seed give the same video with the same versions of NumPy, Pillow and ffmpeg.
"""

import argparse
import csv
import hashlib
import json
import os
import sys
import zlib
from pathlib import Path

import numpy as np

import held
import puppets
import recordings
import streams
from jobs import Job
from prompts import Path as FacePath
from prompts import drawn, script
from video import RATE, FaceFinder, Failure, Source, Writer, tool

# Name, function, whether it needs a second person (None: optional).
SPECIES = {
    "print": (held.print_, False),
    "screen": (held.screen, False),
    "cutout": (held.cutout, None),
    "moved-photo": (held.moved_photo, False),
    "loop": (streams.loop, False),
    "freeze": (streams.freeze, False),
    "reorder": (streams.reorder, False),
    "wrong-order": (streams.wrong_order, False),
    "other-person": (streams.other_person, True),
    "injected": (streams.injected, False),
    "resolution-switch": (streams.resolution_switch, False),
    "clock": (streams.clock, False),
    "puppet": (puppets.puppet, False),
    "morph": (puppets.morph, True),
    "driver": (recordings.driver, True),
    "pasted": (recordings.pasted, True),
    "cut": (recordings.cut, None),
}

# Species that need the face mesh and OpenVINO; "all" does not include them.
MESHED = {"puppet", "morph", "driver", "pasted", "cut"}

COLUMNS = (
    "path", "species", "simulated", "source", "source_sha256", "other", "other_sha256", "seed", "width", "height",
    "frames", "seconds", "stamps", "parameters",
)

EXAMPLES = """examples:
  simulate.py print screen --from live.mp4 --out attacks --count 3
  simulate.py all --from live.mp4 --other second-person.mp4 --out attacks
  simulate.py puppet --from portrait.jpg --script blink,turn-left,smile --out attacks
  simulate.py cut --from live.mp4 --nonce $(openssl rand -hex 32) --out attacks
  simulate.py driver pasted --from portrait.jpg --other live.mp4 --script left,right --out attacks

Faces are found by the faceverify program (--faceverify, FACEVERIFY_BINARY, or .build/release/faceverify here); without
it they are assumed in the middle, or at --face and --other-face.

puppet, morph, driver, pasted and cut need OpenVINO (pip install openvino) and the model set (models/, or
FACEVERIFY_MODELS). They answer --script or --nonce as an attacker would who sees the prompts: each movement begins 0.3
to 0.6 s after its prompt, and --seconds does not apply. A prompt may have its hold and pause in seconds:
turn-left:0.7:0.4. With --path, puppet and morph move their face along a path instead: a CSV file with the columns time,
x, y (of the base of the nose, in frame widths and heights), scale (relative to the start), yaw and pitch (degrees, positive
to the subject's left and down).

For freeze, clock and resolution-switch, NAME.times.csv next to the video has the time stamps that the camera claims
(frame,seconds), for a session that receives the frames."""


def parse(arguments=None):
    listed = "\n".join(f"  {name:18}{function.__doc__}" for name, (function, _) in SPECIES.items())
    parser = argparse.ArgumentParser(
        prog="simulate.py",
        description=f"{__doc__.splitlines()[0]}\n\nspecies:\n{listed}\n  all{'':15}all that need no face mesh",
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("species", nargs="+", metavar="SPECIES", help="one or more of the species above")
    parser.add_argument("--from", dest="source", required=True, metavar="PHOTO_OR_VIDEO", help="the person attacked")
    parser.add_argument("--other", metavar="PHOTO_OR_VIDEO", help="a second person: the wearer, or who comes in")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="where videos and manifest.csv go")
    parser.add_argument("--count", type=int, default=1, metavar="N", help="videos of each species, seeds from S on")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the first seed (default 0)")
    parser.add_argument("--seconds", type=float, default=4.0, help="length, if the source has it (default 4)")
    parser.add_argument("--size", type=_size, metavar="WxH", help="of the camera (default 640x480, 480x640 if upright)")
    parser.add_argument("--difficulty", type=float, metavar="0..1", help="0 obvious, 1 hard to see (default: drawn)")
    parser.add_argument("--face", type=_box, metavar="X,Y,W,H", help="the source's face, forehead to chin, in pixels")
    parser.add_argument("--other-face", type=_box, metavar="X,Y,W,H", help="the face in the other source")
    answered = parser.add_mutually_exclusive_group()
    answered.add_argument("--script", metavar="LIST", help="the prompts to answer: blink,turn-left,smile")
    answered.add_argument("--nonce", metavar="HEX", help="answer the three prompts drawn from this nonce")
    answered.add_argument("--path", metavar="CSV", help="the path that the face follows")
    parser.add_argument("--faceverify", metavar="PROGRAM", help="the program that finds faces")
    options = parser.parse_args(arguments)
    if "all" in options.species:
        options.species = [name for name in SPECIES if name not in MESHED]
    for name in options.species:
        if name not in SPECIES:
            parser.error(f"no such species: {name}; --help lists them")
    for name, least, most in (("count", 1, 10**6), ("seed", 0, 10**9), ("seconds", 0.5, 60), ("difficulty", 0, 1)):
        value = getattr(options, name)
        if value is not None and not least <= value <= most:
            parser.error(f"--{name} is {least} to {most}")
    return options


def _size(text):
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not like 640x480") from None
    if not (32 <= width <= 4096 and 32 <= height <= 4096) or width % 2 or height % 2:
        raise argparse.ArgumentTypeError(f"{text}: both are even, from 32 to 4096")
    return width, height


def _box(text):
    try:
        box = tuple(float(part) for part in text.split(","))
    except ValueError:
        box = ()
    if len(box) != 4 or box[2] <= 0 or box[3] <= 0:
        raise argparse.ArgumentTypeError(f"{text} is not like 210,120,180,220")
    return box


def simulate(options):
    """Generates the videos, and returns the rows of the manifest."""
    tool("ffmpeg")
    options.finders = []
    options.prompts, options.followed = _asked(options)
    source = Source(options.source)
    other = Source(options.other) if options.other else None
    finder = FaceFinder(options.faceverify)
    if not finder.usable and "cutout" in options.species and not options.face:
        print(f"simulate.py: no {finder.program}: faces are taken to be in the middle", file=sys.stderr)
    folder = Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for name in options.species:
        for seed in range(options.seed, options.seed + options.count):
            made = _make(name, source, other, seed, finder, folder, options)
            rows += made
            _record(folder / "manifest.csv", made)
    return rows


def _asked(options):
    """The prompts and the path that the options name."""
    if options.nonce:
        try:
            return drawn(bytes.fromhex(options.nonce)), None
        except ValueError:
            raise Failure(f"{options.nonce}: a nonce is an even number of hexadecimal digits") from None
    return options.script and script(options.script), options.path and FacePath.read(options.path)


def _make(name, source, other, seed, finder, folder, options):
    function, takes_other = SPECIES[name]
    if takes_other is False:
        other = None
    rng = np.random.default_rng([seed, zlib.crc32(name.encode()), zlib.crc32(source.name.encode())])
    job = Job(
        source, other, rng, seed, options.seconds, finder, size=options.size, face=options.face,
        other_face=options.other_face, difficulty=options.difficulty,
        script=options.prompts, path=options.followed, finders=options.finders,
    )
    between = f"-{other.name}" if other else ""
    base = f"simulated-{name}-{source.name}{between}-s{seed}"
    rows = []
    for clip in function(job):
        path = folder / f"{base}{clip.part}.mp4"
        with Writer(path, clip.size, f"simulated presentation attack: {name}") as writer:
            for picture in clip.frames:
                writer.write(picture)
        stamps = _stamps(path, clip, writer.count)
        rows.append(_row(path, name, source, other, seed, clip, writer.count, stamps))
        print(f"{path}: {writer.count} frames of {clip.size[0]}x{clip.size[1]}")
    return rows


def _stamps(path, clip, count):
    if clip.stamps is None:
        return ""
    stamp = clip.stamps if callable(clip.stamps) else clip.stamps.__getitem__
    path = path.with_suffix(".times.csv")
    lines = ["frame,seconds", *(f"{number},{stamp(number):.6f}" for number in range(count))]
    path.write_text("\n".join(lines) + "\n")
    return path.name


def _row(path, name, source, other, seed, clip, count, stamps):
    return {
        "path": path.name, "species": name, "simulated": "yes", "source": source.path.name,
        "source_sha256": _hash(source.path), "other": other.path.name if other else "",
        "other_sha256": _hash(other.path) if other else "", "seed": seed, "width": clip.size[0], "height": clip.size[1],
        "frames": count, "seconds": f"{count / RATE:.3f}", "stamps": stamps,
        "parameters": json.dumps(clip.parameters, sort_keys=True),
    }


def _hash(path):
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _record(path, rows):
    """Adds rows to the manifest, replacing those of regenerated files."""
    kept = []
    if path.exists():
        with open(path, newline="") as stream:
            reader = csv.DictReader(stream)
            if tuple(reader.fieldnames or ()) != COLUMNS:
                raise Failure(f"{path}: not a manifest of this program")
            kept = [row for row in reader if row["path"] not in {new["path"] for new in rows}]
    with open(path.with_name(f".{path.name}.part"), "w", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept + rows)
    os.replace(stream.name, path)


def main(arguments=None):
    options = parse(arguments)
    try:
        simulate(options)
    except (Failure, OSError) as error:
        print(f"simulate.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Shared by the tests.

FACEVERIFY_LIBRARY, FACEVERIFY_MODELS, FACEVERIFY_SAMPLES and FACEVERIFY_DOCUMENTS are the paths of their inputs.
"""

import functools
import importlib.util
import os
import subprocess
import sys
import unittest
from pathlib import Path

BINDING = Path(__file__).resolve().parents[1]
ROOT = BINDING.parents[1]
HEADER = ROOT / "include" / "faceverify.h"
sys.path.insert(0, str(BINDING))

import faceverify  # noqa: E402

SAMPLES = Path(os.environ.get("FACEVERIFY_SAMPLES", "no such folder"))
SELFIE = SAMPLES / "obama.jpg"
PORTRAIT = SAMPLES / "obama2.jpg"
OTHER = SAMPLES / "biden.jpg"

DOCUMENTS = Path(os.environ.get("FACEVERIFY_DOCUMENTS", ROOT / ".deps" / "documents"), "chips")
PAGES = DOCUMENTS.with_name("pages")
SPECIMEN = ("P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10")
"""The machine-readable zone of ICAO 9303-4, appendix B."""
EMULATED_CHIP = Path(os.environ.get("FACEVERIFY_EMULATED_CHIP", ROOT / ".build/release/emulated-chip"))

needs_documents = unittest.skipUnless(
    DOCUMENTS.joinpath("chips.json").exists(),
    "FACEVERIFY_DOCUMENTS names no folder with the documents that scripts/test makes",
)
needs_dlib = unittest.skipIf(
    "FACEVERIFY_MODELS" in os.environ
    and not Path(os.environ["FACEVERIFY_MODELS"], "dlib_face_recognition_resnet_model_v1.dat").exists(),
    "FACEVERIFY_MODELS has no model set dlib, like the wheel",
)
needs_samples = unittest.skipUnless(SELFIE.exists(), "FACEVERIFY_SAMPLES names no folder with the sample photos")


def needs(*modules):
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


@functools.lru_cache(maxsize=None)
def engine():
    return faceverify.Engine(threads=2)


@functools.lru_cache(maxsize=None)
def decision(portrait=PORTRAIT):
    return engine().compare(SELFIE, portrait)


class EmulatedChip:
    """A transport to a chip in another process; each message is preceded by its size in two bytes."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([EMULATED_CHIP, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def __call__(self, command):
        self.process.stdin.write(len(command).to_bytes(2, "big") + command)
        self.process.stdin.flush()
        response = self.process.stdout.read(int.from_bytes(self.process.stdout.read(2), "big"))
        if not response:
            raise ConnectionError("the chip was removed")
        return response


def grey(width=64, height=64):
    """An image without a face."""
    return faceverify.Image.from_pixels(memoryview(bytes(width * height)).cast("B", (height, width)))

"""What the tests share. FACEVERIFY_LIBRARY, FACEVERIFY_MODELS and FACEVERIFY_SAMPLES say where things are."""

import functools
import importlib.util
import os
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


def grey(width=64, height=64):
    """An image without a face."""
    return faceverify.Image.from_pixels(memoryview(bytes(width * height)).cast("B", (height, width)))

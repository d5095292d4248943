#!/usr/bin/env python3
"""Measures which letters with diacritics the recognition network reads: each in ten words of random letters.

    measure.py [text-characters.xml]

The words are set in DejaVu Sans and Liberation Sans (Debian's fonts-dejavu-core, fonts-liberation), with capitals of
about 23 pixels, and cropped as PrintReader does.
"""
import json
import math
import random
import string
from pathlib import Path

import openvino
from PIL import Image, ImageDraw, ImageFont

from quantise import bytes_of
from shared import MODELS, command

FONTS = ("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
         "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf")


def line(words, font):
    left, top, right, bottom = font.getbbox(words)
    picture = Image.new("RGB", (right - left + 16, bottom - top + 16), (235, 232, 225))
    ImageDraw.Draw(picture).text((8 - left, 8 - top), words, font=font, fill=(30, 30, 40))
    width = 48 * 1.15 ** round(math.log(0.8 * picture.width / picture.height) / math.log(1.15))
    return bytes_of(picture.resize((max(48, int(width)), 48), Image.BILINEAR))


def words(rng, letter):
    """Ten words with the letter among five others of its case."""
    others = string.ascii_lowercase if letter.islower() else string.ascii_uppercase
    for _ in range(10):
        letters = [rng.choice(others) for _ in range(5)]
        letters.insert(rng.randrange(6), letter)
        yield "".join(letters)


def main(network: Path = MODELS / "text-characters.xml"):
    models = json.loads((MODELS / "manifest.json").read_text())["models"]
    alphabet = next(model["alphabet"] for model in models if "alphabet" in model)
    network = openvino.Core().compile_model(
        network, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
    fonts = [ImageFont.truetype(path, 32) for path in FONTS]

    def is_read(letter, word, font):
        classes = network([line(word, font)])[0][0].argmax(-1)
        return letter in (alphabet[number - 1] for number in classes if number)

    rng = random.Random(3)
    marked = [c for c in alphabet if c.isalpha() and c > "º" and not "Ͱ" <= c < "Ѐ"]
    count = {c: sum(is_read(c, word, fonts[n % 2]) for n, word in enumerate(words(rng, c))) for c in marked}
    for name, least, most in (("at least nine", 9, 10), ("five to eight", 5, 8), ("one to four", 1, 4), ("none", 0, 0)):
        letters = "".join(c for c in marked if least <= count[c] <= most)
        print(f"{len(letters)} of {len(marked)} letters are read in {name} of ten words: {letters}")


if __name__ == "__main__":
    command(main, __doc__)

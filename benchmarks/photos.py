#!/usr/bin/env python3
"""Make the benchmark photos from the public-domain samples: photos.py SAMPLES FOLDER CODE

selfie.jpg, portrait.jpg   one person, 2 megapixels (1224x1632, JPEG quality 90, 4:2:0), as stored by phones
stranger.jpg               another person, in the same format
large.jpg                  selfie.jpg at 12 megapixels (3000x4000)
code.jpg                   selfie.jpg with CODE pasted into it
frame.png                  a camera frame, 640x480

The samples have about one megapixel: they are cropped and enlarged, so their files are somewhat smaller and smoother
than a camera's.
"""
import pathlib
import sys

from PIL import Image


def cut(path, width, height):
    """Crops the top of the photo to the aspect ratio of width x height, and scales it to that size."""
    photo = Image.open(path).convert("RGB")
    share = min(photo.width / width, photo.height / height)
    left = (photo.width - share * width) / 2
    box = (left, 0, left + share * width, share * height)
    return photo.resize((width, height), Image.Resampling.LANCZOS, box=box)


def main():
    samples, folder, code = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    for sample, name, width, height in [
        ("obama", "selfie", 1224, 1632),
        ("obama2", "portrait", 1224, 1632),
        ("biden", "stranger", 1224, 1632),
        ("obama", "large", 3000, 4000),
    ]:
        cut(samples / f"{sample}.jpg", width, height).save(folder / f"{name}.jpg", quality=90, subsampling="4:2:0")
    photo = cut(samples / "obama.jpg", 1224, 1632)
    photo.paste(Image.open(code).convert("RGB"), (150, 900))
    photo.save(folder / "code.jpg", quality=90, subsampling="4:2:0")
    cut(samples / "obama.jpg", 640, 480).save(folder / "frame.png")


if __name__ == "__main__":
    main()

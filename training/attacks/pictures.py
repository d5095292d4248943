"""Simulated presentation attacks on one photo: a print, a screen or a cut-out print of it in front of a camera.

Three functions, `print_attack`, `screen_attack` and `cutout_attack`, take a picture (height x width x 3, uint8, RGB)
and a `numpy.random.Generator`, and return `(picture, parameters)`: a picture of the same size, and a JSON-compatible
dictionary of all random values. The same picture and generator state give the same result.

The attacks range from obvious to hard to detect; `difficulty` (0 obvious .. 1 hard) is random unless specified. `place`
maps points of the source picture to the result, for face boxes and landmarks.

    picture, parameters = print_attack(photo, numpy.random.default_rng(7))

Needs only NumPy and Pillow.
"""

import numpy as np

import optics
from cutouts import Cutout
from faces import face_at
from prints import Print
from screens import Screen

__all__ = ["print_attack", "screen_attack", "cutout_attack", "place", "face_at"]


def print_attack(picture, rng, *, difficulty=None, background=None):
    """A printed photo of `picture` in front of the camera. `background` is a photo; a blurred part of it is the
    room."""
    medium = Print(checked(picture).shape, rng, difficulty=difficulty, background=background)
    return medium.frame(picture, rng), medium.parameters


def screen_attack(picture, rng, *, difficulty=None, background=None):
    """`picture` on a phone, a tablet or a monitor in front of the camera. `background` as in `print_attack`."""
    medium = Screen(checked(picture).shape, rng, difficulty=difficulty, background=background)
    return medium.frame(picture, rng), medium.parameters


def cutout_attack(
    picture, rng, *, holes=None, face=None, behind=None, behind_face=None, difficulty=None, background=None
):
    """The printed face of `picture`, cut out along its outline and worn in front of a head.

    `holes` lists the features cut out, of "eyes", "nose" and "mouth"; random by default. `face` is the box (x, y,
    width, height in pixels, and optionally its roll in degrees) from forehead to chin, as `face_at` computes it from
    two eyes; the default is that of LFW's aligned photos. `behind` is a photo of the wearer, and `behind_face` its box;
    without a photo, a head is drawn, which looks much less realistic.
    """
    medium = Cutout(
        checked(picture).shape, rng, holes=holes, face=face, behind=behind, behind_face=behind_face,
        difficulty=difficulty, background=background,
    )
    return medium.frame(picture, rng), medium.parameters


def place(points, parameters):
    """Maps points (rows of x and y in pixels) of the source picture to the result with these parameters."""
    height, width, rows, columns = parameters["size"]
    points = np.atleast_2d(np.asarray(points, float))
    half = optics.half_sizes((rows, columns), (height, width))
    u, v = (points[:, 0] / columns * 2 - 1) * half[0], (points[:, 1] / rows * 2 - 1) * half[1]
    return optics.project(optics.Pose(**parameters["pose"]), u, v, (height, width))


def checked(picture):
    picture = np.asarray(picture)
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3 or min(picture.shape[:2]) < 16:
        raise ValueError("a picture is an array of height x width x 3 uint8 values, at least 16 pixels each way")
    return picture

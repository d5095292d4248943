"""Crops the views of the students from pictures, like TextureNetwork.swift."""
import cv2
import numpy as np

from network import FACE, VIEWS

# Offsets in box widths: Silent-Face's boxes are slightly lower; minifas_se_128's detector includes the forehead.
LOWER, HIGHER = 0.03, 0.2


def crop(picture, x, y, length, side):
    """Resamples the square with corner (x, y) and side `length`, reflecting the picture at its edges."""
    scale = length / side
    factor = max(1, int(scale))
    height, width = picture.shape[:2]
    left, top = (max(0, int(v)) // factor * factor for v in (x, y))
    region = picture[top : int(y + length) + 2 * factor, left : int(x + length) + 2 * factor]
    if factor > 1:
        rows, columns = region.shape[:2]
        region = cv2.copyMakeBorder(region, 0, -rows % factor, 0, -columns % factor, cv2.BORDER_REPLICATE)
        size = region.shape[1] // factor, region.shape[0] // factor
        region = cv2.resize(region, size, interpolation=cv2.INTER_AREA)
    start = [(v + scale / 2 - 0.5 - first - (factor - 1) / 2) / factor for v, first in ((x, left), (y, top))]
    step = scale / factor
    return cv2.warpAffine(
        region, np.float32([[step, 0, start[0]], [0, step, start[1]]]), (side, side),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REFLECT)


def views(picture, box):
    """Returns the network's crops; `box` is the centre and width of the face's box in pixels."""
    x, y, w = box
    height, width = picture.shape[:2]
    found = []
    for i, (side, reach) in enumerate(VIEWS):
        if i == FACE:
            length = reach * w
            found.append(crop(picture, x - length / 2, y - HIGHER * w - length / 2, length, side))
        else:
            # Shifted into the picture and no larger than it.
            length = min(reach * w, width, height)
            left = min(max(0, x - length / 2), width - length)
            top = min(max(0, y + LOWER * w - length / 2), height - length)
            found.append(crop(picture, left, top, length, side))
    return found

"""The positions of a face and its features."""

import math

# Default position of a face: forehead to chin in the aligned photos of LFW (x, y, width and height relative to the
# picture's).
FACE = (0.29, 0.28, 0.42, 0.48)

# Features in such a box (x and y relative to its width and height), with the usual proportions of a face.
EYES = ((0.31, 0.35), (0.69, 0.35))
NOSE = (0.50, 0.56)
MOUTH = (0.50, 0.76)


def face_at(eyes):
    """The box (x, y, width, height) and the roll in degrees of a face with its eyes at two points of a picture.

    The box is that of the upright face around the midpoint of the eyes, before it is rolled around its own centre.
    """
    (ax, ay), (bx, by) = sorted(eyes)
    distance = math.hypot(bx - ax, by - ay)
    roll = math.atan2(by - ay, bx - ax)
    width = distance / (EYES[1][0] - EYES[0][0])
    height = width * FACE[3] / FACE[2]
    down = (0.5 - EYES[0][1]) * height
    x, y = (ax + bx) / 2 - down * math.sin(roll), (ay + by) / 2 + down * math.cos(roll)
    return x - width / 2, y - height / 2, width, height, math.degrees(roll)

"""Pictures for faceverify-scripted: what Tests/ScriptedModels decodes, above a face that moves according to the
prompts.

The cells along the upper edge encode the person and the face's state; the drawing is for measurements on pixels.
"""

import io
import math
import struct

import numpy
import PIL.Image

WIDTH = HEIGHT = 320
NOISE = 16
CELL = 4
LEVELS = (48, 128, 208)
# As in ScriptedFace: a name, the value at rest, and its factor.
FACE = {
    "person": (1, 1), "x": (160, 16), "y": (130, 16), "eyes": (60, 16), "yaw": (0, 100), "pitch": (0, 100),
    "roll": (0, 100), "leftOpenness": (0.25, 1e4), "rightOpenness": (0.25, 1e4), "mouthOpening": (0.01, 1e4),
    "smile": (0, 1e3), "texture": (0.9, 1e4), "score": (0.95, 1e4),
}
RANDOM = numpy.random.default_rng(1)


def skin():
    """Random texture at all scales, fainter at smaller ones; a step is a hundredth of the distance between the eyes."""
    total = numpy.ones((300, 256))
    for step in (40, 20, 10, 5, 2):
        lattice = RANDOM.uniform(-1, 1, (300 // step + 2, 256 // step + 2))
        y, x = numpy.arange(300), numpy.arange(256)
        (j, t), (i, s) = numpy.divmod(y, step), numpy.divmod(x, step)
        s, t = s / step, (t / step)[:, None]
        upper = lattice[j][:, i] * (1 - s) + lattice[j][:, i + 1] * s
        lower = lattice[j + 1][:, i] * (1 - s) + lattice[j + 1][:, i + 1] * s
        total += (upper * (1 - t) + lower * t) * step / 40 * 0.15
    return total


SKIN = skin()
# Tiled twice, so that a picture's noise can start anywhere.
NOISES = numpy.tile(RANDOM.integers(-NOISE, NOISE + 1, 1 << 20, dtype=numpy.int16), 2)


def face_of(**changes):
    return {**{name: value for name, (value, _) in FACE.items()}, **changes}


def cells(face):
    payload = bytes([0x5C, 1]) + b"".join(
        struct.pack(">h", max(-32768, min(32767, round(face[name] * scale)))) for name, (_, scale) in FACE.items())
    a = b = 0
    for byte in payload:
        a = (a + byte) % 255
        b = (b + a) % 255
    bits = numpy.unpackbits(numpy.frombuffer(payload + bytes([b, a]), numpy.uint8))
    columns = WIDTH // CELL
    bits = numpy.concatenate([bits, numpy.full(-len(bits) % columns, 2, numpy.uint8)])
    return numpy.kron(bits.reshape(-1, columns), numpy.ones((CELL, CELL), numpy.uint8))


def turned(point, face):
    yaw, pitch, roll = (math.radians(face[name]) for name in ("yaw", "pitch", "roll"))
    x, y, z = point
    x, z = x * math.cos(yaw) - z * math.sin(yaw), x * math.sin(yaw) + z * math.cos(yaw)
    y, z = y * math.cos(pitch) - z * math.sin(pitch), y * math.sin(pitch) + z * math.cos(pitch)
    return x * math.cos(roll) + y * math.sin(roll), y * math.cos(roll) - x * math.sin(roll)


def pixels(face, number, light=(1, 1, 1), noise=True):
    """The picture with this number: each has different noise. `light` is the screen's light on the face."""
    rgb = numpy.full((HEIGHT, WIDTH, 3), (120, 140, 160), numpy.int16)
    (ux, uy), (vx, vy) = turned((1, 0, 0), face), turned((0, 1, 0), face)
    determinant, reach = (ux * vy - uy * vx) * face["eyes"], 2.2 * face["eyes"]
    top, left = max(0, int(face["y"] - reach)), max(0, int(face["x"] - reach))
    window = rgb[top : max(top, int(face["y"] + reach)), left : max(left, int(face["x"] + reach))]
    dy = numpy.arange(window.shape[0])[:, None] + top + 0.5 - face["y"]
    dx = numpy.arange(window.shape[1])[None, :] + left + 0.5 - face["x"]
    u, v = (vy * dx - vx * dy) / determinant, (-uy * dx + ux * dy) / determinant
    head = u * u / 1.1 + (v - 0.65) ** 2 / 1.6 < 1
    detail = SKIN[numpy.minimum((v[head] + 1) * 100, 299).astype(int), ((u[head] + 1.28) * 100).astype(int)]
    window[head] = detail[:, None] * (numpy.array(light) * (190, 145, 120))
    person = face["person"]
    window[(abs(u) < 0.35) & (v > -0.8) & (v < -0.35)] = [LEVELS[person // 3**i % 3] for i in (2, 1, 0)]
    if noise:
        start = number * 7919 * 101 % (1 << 20)
        rgb += NOISES[start : start + rgb.size].reshape(rgb.shape)
    rgb = numpy.clip(rgb, 0, 255).astype(numpy.uint8)
    marks = cells(face)
    strip = rgb[: marks.shape[0]]
    strip[marks == 0], strip[marks == 1] = 0, 255
    return rgb


def encoded(rgb, kind="JPEG", **options):
    out = io.BytesIO()
    PIL.Image.fromarray(rgb).save(out, kind, **({"quality": 92} if kind == "JPEG" else {}), **options)
    return out.getvalue()


def ppm(stream):
    """The pictures of ffmpeg's -c:v ppm, as arrays."""
    start = 0
    while start < len(stream):
        kind, width, height, depth = stream[start : start + 32].split(maxsplit=4)[:4]
        start += len(b" ".join((kind, width, height, depth))) + 1
        size = 3 * int(width) * int(height)
        yield numpy.frombuffer(stream, numpy.uint8, size, start).reshape(int(height), int(width), 3)
        start += size


def photo(person=1, number=1, kind="JPEG", **changes):
    return encoded(pixels(face_of(person=person, **changes), number), kind)


def moved(face, challenge, amount):
    """Moves the face: 0 is at rest, 1 the minimum for the challenge."""
    changes = {
        "blink": {"leftOpenness": face["leftOpenness"] * max(0.05, 1 - 0.6 * amount),
                  "rightOpenness": face["rightOpenness"] * max(0.05, 1 - 0.6 * amount)},
        "turn-left": {"yaw": 16 * amount}, "turn-right": {"yaw": -16 * amount},
        "look-up": {"pitch": -16 * amount}, "look-down": {"pitch": 16 * amount},
        "tilt-left": {"roll": -16 * amount}, "tilt-right": {"roll": 16 * amount},
        "smile": {"smile": 0.7 * amount}, "open-mouth": {"mouthOpening": 0.01 + 0.09 * amount},
        "move-closer": {"eyes": face["eyes"] * (1 + 0.27 * amount)},
        "move-back": {"eyes": face["eyes"] / (1 + 0.27 * amount)},
    }
    return {**face, **changes.get(challenge, {})}


class DrawnPerson:
    """Breathes, and follows the prompts; with `stubborn`, always makes that movement."""

    def __init__(self, person=1, stubborn=None, **changes):
        self.face, self.stubborn = face_of(person=person, **changes), stubborn
        self.number, self.amount, self.last = 0, 0.0, "hold-still"
        self.targets = []  # of a third of a second: a path is followed late

    def next(self, feedback, rate=12, light=(1, 1, 1)):
        self.number += 1
        asked = (feedback or {}).get("challenge")
        challenge = asked and (self.stubborn or asked)
        forward = challenge and (self.stubborn or feedback.get("phase") in ("moving", "holding"))
        self.last = challenge or self.last
        step = (10 if self.last == "blink" else 4) / rate
        self.amount = min(1.4, self.amount + step) if forward else max(0.0, self.amount - step)
        face = moved(self.face, self.last, self.amount)
        self.targets.append((feedback or {}).get("target"))
        if len(self.targets) > rate // 3 and (target := self.targets.pop(0)) and not self.stubborn:
            face = {**face, "x": face["x"] + target["x"] * WIDTH, "eyes": face["eyes"] * target["scale"],
                    "yaw": face["yaw"] + target["yaw"], "pitch": face["pitch"] + target["pitch"]}
        if not asked and self.number % (3 * rate) in (0, 1):
            face = moved(face, "blink", 1.2)  # as living people do
        face["x"] += 1.5 * abs(self.number % 40 - 20) / 20
        return encoded(pixels(face, self.number, light))

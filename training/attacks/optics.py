"""Geometry and light of a flat or bent medium in front of a camera.

Light is linear and planar: arrays of 3 x height x width float32, so that a factor per pixel applies to all three
colours without a copy. The unit of length is the longer side of the camera's picture, with the origin at its centre.
"""

import io
import math

import numpy as np
from PIL import Image

# Focal length relative to the longer side of the picture: 49 degrees along it, between a webcam and a phone's front
# camera.
FOCAL = 1.1

# Illumination and local frequencies vary slowly: one value per square of this many pixels is sufficient.
COARSE = 8

_STEPS = np.arange(256) / 255.0
_LEVELS = np.arange(4096) / 4095.0
# IEC 61966-2-1: sRGB values to linear light and back.
TO_LIGHT = np.where(_STEPS <= 0.04045, _STEPS / 12.92, ((_STEPS + 0.055) / 1.055) ** 2.4).astype(np.float32)
TO_VALUE = np.round(
    255 * np.where(_LEVELS <= 0.0031308, 12.92 * _LEVELS, 1.055 * _LEVELS ** (1 / 2.4) - 0.055)
).astype(np.uint8)

# Luminance of linear sRGB (IEC 61966-2-1).
LUMINANCE = (0.2126, 0.7152, 0.0722)


def light_of(picture):
    return TO_LIGHT[np.asarray(picture)].transpose(2, 0, 1).copy()


def picture_of(light):
    levels = (np.clip(light, 0, 1) * 4095).astype(np.uint16)
    return TO_VALUE[levels.transpose(1, 2, 0)]


def colour(values):
    """Three numbers as a factor for light."""
    return np.asarray(values, np.float32).reshape(3, 1, 1)


class Pose:
    """The pose of a medium: angles in degrees, its centre, its size relative to that at which it fills the picture, and
    its bend: a curvature around an axis that is `axis` degrees off the medium's vertical. A positive bend moves the
    edges away from the camera."""

    FIELDS = ("yaw", "pitch", "roll", "x", "y", "scale", "bend", "axis")

    def __init__(self, yaw=0.0, pitch=0.0, roll=0.0, x=0.0, y=0.0, scale=1.0, bend=0.0, axis=0.0):
        self.yaw, self.pitch, self.roll = float(yaw), float(pitch), float(roll)
        self.x, self.y, self.scale = float(x), float(y), float(scale)
        self.bend, self.axis = float(bend), float(axis)

    def values(self):
        return {name: round(getattr(self, name), 5) for name in self.FIELDS}

    def moved(self, **changes):
        """This pose with the given changes added; `scale` multiplies."""
        values = {name: getattr(self, name) for name in self.FIELDS}
        for name, change in changes.items():
            values[name] = values[name] * change if name == "scale" else values[name] + change
        return Pose(**values)

    def rotation(self):
        """The rotation from the medium's axes, with the bend around the second one, to the camera's."""
        yaw, pitch, roll, axis = (math.radians(angle) for angle in (self.yaw, self.pitch, self.roll, self.axis))
        y = np.array([[math.cos(yaw), 0, math.sin(yaw)], [0, 1, 0], [-math.sin(yaw), 0, math.cos(yaw)]])
        x = np.array([[1, 0, 0], [0, math.cos(pitch), -math.sin(pitch)], [0, math.sin(pitch), math.cos(pitch)]])
        return _turn(roll) @ x @ y @ _turn(axis)

    def middle(self):
        return np.array([self.x / self.scale, self.y / self.scale, FOCAL / self.scale])


def _turn(angle):
    return np.array([[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]])


def half_sizes(source, shape):
    """Half the width and the height of a source picture scaled to fit into the other."""
    height, width = shape[:2]
    fit = min(height / source[0], width / source[1])
    side = max(height, width)
    return 0.5 * source[1] * fit / side, 0.5 * source[0] * fit / side


def unproject(pose, xs, ys):
    """Where the rays through pixels intersect the medium: its coordinates u and v, and the angle of its bend there.

    A bent sheet is part of a cylinder that touches the flat sheet's plane, of curvature k. With the ray o + t d in the
    sheet's axes, k x^2 + k z^2 - 2 z = 0 is a quadratic equation in t; its root is written so that k may be 0.
    """
    rotation = pose.rotation()
    ox, oy, oz = (-rotation.T @ pose.middle()).tolist()
    turned = rotation.tolist()
    dx, dy, dz = (turned[0][i] * xs + (turned[1][i] * ys + turned[2][i] * FOCAL) for i in range(3))
    k = pose.bend
    if abs(k) < 1e-3:
        t = -oz / np.where(np.abs(dz) < 1e-3, np.float32(1e-3), dz)
        across, bent = ox + t * dx, np.zeros_like(t)
        missed = t <= 0
    else:
        a = k * (dx * dx + dz * dz)
        b = (k * ox) * dx + (k * oz - 1) * dz
        c = k * (ox * ox + oz * oz) - 2 * oz
        root = b * b - a * c
        t = c / (np.sqrt(np.maximum(root, 0)) - b)
        x, z = ox + t * dx, oz + t * dz
        bent = np.arctan2(k * x, 1 - k * z)
        across = bent / k
        missed = (root < 0) | (t <= 0)
    along = oy + t * dy
    if missed.any():
        # Rays that miss the sheet.
        across = np.where(missed, np.float32(99), across)
    turn = math.radians(pose.axis)
    u = math.cos(turn) * across - math.sin(turn) * along
    v = math.sin(turn) * across + math.cos(turn) * along
    return u, v, bent


def project(pose, u, v, shape):
    """The pixels (x, y) of points of the medium: the inverse of `unproject`."""
    u, v = np.atleast_1d(np.asarray(u, float)), np.atleast_1d(np.asarray(v, float))
    turn = math.radians(pose.axis)
    across, along = math.cos(turn) * u + math.sin(turn) * v, math.cos(turn) * v - math.sin(turn) * u
    k = pose.bend
    if abs(k) < 1e-3:
        x, z = across, np.zeros_like(across)
    else:
        x, z = np.sin(k * across) / k, (1 - np.cos(k * across)) / k
    seen = pose.rotation() @ np.stack([x, along, z]) + pose.middle()[:, None]
    side = max(shape[:2])
    middle = np.array([shape[1] / 2, shape[0] / 2])
    return (seen[:2] / seen[2] * (FOCAL * side)).T + middle


def bilinear(light, x, y):
    """Samples light at positions in pixels; the edge is extended outside."""
    channels, rows, columns = light.shape
    x, y = (np.clip(at, 0, size - 1.001).astype(np.float32) for at, size in ((x, columns), (y, rows)))
    left, top = x.astype(np.intp), y.astype(np.intp)
    x, y = x - left.astype(np.float32), y - top.astype(np.float32)
    index = (top * columns + left).ravel()
    below = index + columns
    x, y = x.ravel(), y.ravel()
    # One colour at a time, in reused memory: fresh pages cost more than the arithmetic.
    out = np.empty((channels, *left.shape), np.float32)
    upper, other = np.empty_like(x), np.empty_like(x)
    for plane, lower in zip(light.reshape(channels, -1), out.reshape(channels, -1)):
        for start, row in ((index, upper), (below, lower)):
            np.take(plane, start, out=row, mode="clip")
            np.take(plane[1:], start, out=other, mode="clip")
            other -= row
            other *= x
            row += other
        lower -= upper
        lower *= y
        lower += upper
    return out


def resized(values, shape):
    """Interpolates values (the last two axes) smoothly over a picture."""
    if values.ndim == 2:
        plane = Image.fromarray(np.ascontiguousarray(values, np.float32))
        return np.asarray(plane.resize((shape[1], shape[0]), Image.BILINEAR))
    return np.stack([resized(plane, shape) for plane in values])


def aperture(fx, fy=0.0):
    """The attenuation of a frequency (cycles per pixel) by the square area of a pixel."""
    return np.sinc(fx) * np.sinc(fy)


def blurred(light, deviation):
    if deviation < 0.2:
        return light
    reach = max(1, math.ceil(2.2 * deviation))
    weights = [math.exp(-0.5 * (off / deviation) ** 2) for off in range(reach + 1)]
    total = weights[0] + 2 * sum(weights[1:])
    for axis in (-1, -2):
        size = light.shape[axis]
        pad = [(0, 0)] * light.ndim
        pad[axis] = (reach, reach)
        padded = np.pad(light, pad, mode="edge")

        def part(start):
            return padded[..., start : start + size] if axis == -1 else padded[..., start : start + size, :]

        light = part(reach) * (weights[0] / total)
        for off in range(1, reach + 1):
            pair = part(reach - off) + part(reach + off)
            pair *= weights[off] / total
            light += pair
    return light


def smeared(light, length, angle):
    """The mean along a line: motion blur during the exposure."""
    count = max(2, round(length) + 1)
    reach = math.ceil(length / 2) + 1
    padded = np.pad(light, [(0, 0)] * (light.ndim - 2) + [(reach, reach)] * 2, mode="edge")
    rows, columns = light.shape[-2:]
    total = np.zeros_like(light)
    for step in range(count):
        off = (step / (count - 1) - 0.5) * length
        dy, dx = round(reach + off * math.sin(angle)), round(reach + off * math.cos(angle))
        total += padded[..., dy : dy + rows, dx : dx + columns]
    total /= count
    return total


def recompressed(picture, quality, chroma_halved):
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "JPEG", quality=quality, subsampling=2 if chroma_halved else 0)
    stream.seek(0)
    return np.array(Image.open(stream))


class Camera:
    """A camera with a lens, a sensor and its processing, all random; `difficulty` 1 is a good one."""

    def __init__(self, shape, rng, difficulty):
        self.shape = self.height, self.width = shape[:2]
        self.side = max(self.shape)
        # Random values in pixels are for a picture of 250, and scale with the picture; the lens's blur scales less,
        # because larger pictures come from better lenses.
        self.unit = self.side / 250
        self.blur = math.sqrt(self.unit) * rng.uniform(0.45, 1.6 - 0.5 * difficulty)
        if rng.uniform() < 0.15:
            self.blur *= 1.6
        warm = rng.normal(0, 0.07 * (1.2 - difficulty))
        green = rng.normal(0, 0.02)
        exposure = math.exp(rng.normal(0, 0.1))
        self.gains = [exposure * math.exp(shift) for shift in (warm, green, -warm)]
        self.vignette = rng.uniform(0, 0.35)
        # In linear light with a maximum of 1: from a good phone in daylight to a webcam in the evening.
        self.read_noise = math.exp(rng.uniform(math.log(0.0003), math.log(0.0025)))
        self.shot_noise = math.exp(rng.uniform(math.log(0.00003), math.log(0.0008)))
        # Noise reduction leaves grain wider than a pixel.
        self.grain = bool(rng.uniform() < 0.5)
        self.curve = rng.uniform(-0.15, 0.25)
        self.sharpening = rng.uniform(0.2, 1.0) if rng.uniform() < 0.4 else 0.0
        self.smear = rng.uniform(1, 4) * self.unit if rng.uniform() < 0.2 else 0.0
        self.smear_angle = rng.uniform(0, math.pi)
        self.quality = int(rng.integers(55, 97))
        self.chroma_halved = bool(rng.uniform() < 0.7)
        self.xs = ((np.arange(self.width) + 0.5 - self.width / 2) / self.side).astype(np.float32)[None, :]
        self.ys = ((np.arange(self.height) + 0.5 - self.height / 2) / self.side).astype(np.float32)[:, None]
        self.coarse = self._coarse(self.xs, 1), self._coarse(self.ys, 0)
        self._dim = colour(self.gains) * (1 - self.vignette * 2 * (self.xs**2 + self.ys**2))

    def _coarse(self, axis, dimension):
        """Centres of squares of pixels, which `resized` interpolates over the picture."""
        size = axis.size
        count = max(2, -(-size // COARSE))
        places = ((np.arange(count) + 0.5) * (size / count) - size / 2) / self.side
        return np.expand_dims(places.astype(np.float32), 1 - dimension)

    def coarse_step(self):
        """Pixels between the centres of the squares, vertically and horizontally."""
        return self.height / self.coarse[1].size, self.width / self.coarse[0].size

    def spread(self, coarse):
        return resized(coarse, self.shape)

    def focused(self, light):
        """Applies the lens."""
        light = blurred(light, self.blur)
        return smeared(light, self.smear, self.smear_angle) if self.smear else light

    def develop(self, light, rng):
        """The picture from the light at the sensor."""
        light = light * self._dim
        np.maximum(light, 0, out=light)
        noise = self._noise(rng)
        noise *= np.sqrt(self.read_noise**2 + self.shot_noise * light)
        light += noise
        # A shoulder or a toe in addition to sRGB's curve, as in cameras.
        light += self.curve * light * (1 - light)
        if self.sharpening:
            light = np.maximum(light, 0)
            light += self.sharpening * (light - blurred(light, 0.8 * self.unit))
        return recompressed(picture_of(light), self.quality, self.chroma_halved)

    def _noise(self, rng):
        if not self.grain:
            return rng.standard_normal((3, self.height, self.width), np.float32)
        rows, columns = self.height // 2 + 1, self.width // 2 + 1
        noise = rng.standard_normal((3, rows, columns), np.float32).repeat(2, 1).repeat(2, 2)
        off = (int(rng.integers(0, 2)), int(rng.integers(0, 2)))
        noise = noise[:, off[0] : off[0] + self.height, off[1] : off[1] + self.width]
        return noise * np.float32(0.8)

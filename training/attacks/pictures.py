"""Simulated presentation attacks: the picture that a camera takes of a print, of a screen or of a cut-out print.

Three functions, `print_attack`, `screen_attack` and `cutout_attack`, take a picture (height x width x 3, uint8, RGB) and
a `numpy.random.Generator`, and return `(picture, parameters)`: a picture of the same size, and a dictionary of all that
was drawn, which JSON can hold. The same picture and the same state of the generator give the same result.

What they draw ranges from obvious to hard to see; `difficulty` (0 obvious .. 1 hard) is drawn too unless it is given.
`place` says where a point of the source picture lies in the result, for face boxes and landmarks.

The classes `Print`, `Screen` and `Cutout` hold one medium before one camera, and take any number of frames of it; paper,
halftone, pixel grid, light and hands stay where they physically are while the medium moves.

Nothing here needs more than NumPy and Pillow.
"""

import io
import math

import numpy as np
from PIL import Image

# Focal length over the longer side of the picture: 49 degrees along it, between a webcam and a phone's front camera.
FOCAL = 1.1

# Where a face is taken to be when no box is given: forehead to chin of the aligned photos of LFW (x, y, width, height).
FACE = (0.29, 0.28, 0.42, 0.48)

# Features in a face box (x and y over its width and height), by the usual proportions of a face.
EYES = ((0.31, 0.35), (0.69, 0.35))
NOSE = (0.50, 0.56)
MOUTH = (0.50, 0.76)

# Angles of the screens of cyan, magenta, yellow and black in four-colour printing, degrees (ISO 12647-1's custom).
SCREEN_ANGLES = (15.0, 75.0, 0.0, 45.0)

_STEPS = np.arange(256) / 255.0
# IEC 61966-2-1: values of a picture to linear light and back.
_TO_LIGHT = np.where(_STEPS <= 0.04045, _STEPS / 12.92, ((_STEPS + 0.055) / 1.055) ** 2.4).astype(np.float32)
_LEVELS = np.arange(4096) / 4095.0
_TO_VALUE = np.round(
    255 * np.where(_LEVELS <= 0.0031308, 12.92 * _LEVELS, 1.055 * _LEVELS ** (1 / 2.4) - 0.055)
).astype(np.uint8)

# Luminance of linear sRGB (IEC 61966-2-1).
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)


def print_attack(picture, rng, *, difficulty=None, background=None):
    """A printed photo of `picture` before the camera. `background` is a photo whose blurred part is the room."""
    medium = Print(_checked(picture).shape, rng, difficulty=difficulty, background=background)
    return medium.frame(picture, rng), medium.parameters


def screen_attack(picture, rng, *, difficulty=None, background=None):
    """`picture` shown by a phone, a tablet or a monitor before the camera."""
    medium = Screen(_checked(picture).shape, rng, difficulty=difficulty, background=background)
    return medium.frame(picture, rng), medium.parameters


def cutout_attack(picture, rng, *, holes=None, face=None, behind=None, difficulty=None, background=None):
    """The printed face of `picture`, cut out along its outline and worn.

    `holes` names what is cut out of it, of "eyes", "nose" and "mouth"; without it, it is drawn. `face` is the box
    (x, y, width, height in pixels) from the forehead to the chin; without it, the face is in the middle as in LFW's
    photos. `behind` is a photo of the wearer of the same size, whose face is in the same place; without it, a head is
    drawn.
    """
    medium = Cutout(
        _checked(picture).shape, rng, holes=holes, face=face, behind=behind, difficulty=difficulty,
        background=background,
    )
    return medium.frame(picture, rng), medium.parameters


def place(points, parameters):
    """Where points (x, y in pixels, any number of rows) of the source picture lie in the result."""
    height, width, source_height, source_width = parameters["size"]
    points = np.atleast_2d(np.asarray(points, float))
    half = _half_sizes((source_height, source_width), (height, width))
    u = (points[:, 0] / source_width * 2 - 1) * half[0]
    v = (points[:, 1] / source_height * 2 - 1) * half[1]
    return _project(Pose(**parameters["pose"]), u, v, (height, width))


class Pose:
    """Where a medium is: angles in degrees, its middle (in longer sides of the picture, from the centre), its size
    before the camera over its size when it fills the picture, and its bend: curvature over the longer side, about an
    axis that is `axis` degrees off the medium's vertical. A positive bend takes the edges away from the camera."""

    FIELDS = ("yaw", "pitch", "roll", "x", "y", "scale", "bend", "axis")

    def __init__(self, yaw=0.0, pitch=0.0, roll=0.0, x=0.0, y=0.0, scale=1.0, bend=0.0, axis=0.0):
        self.yaw, self.pitch, self.roll = float(yaw), float(pitch), float(roll)
        self.x, self.y, self.scale = float(x), float(y), float(scale)
        self.bend, self.axis = float(bend), float(axis)

    def values(self):
        return {name: round(getattr(self, name), 5) for name in self.FIELDS}

    def moved(self, **changes):
        """This pose with each value given added to its own; `scale` multiplies."""
        values = {name: getattr(self, name) for name in self.FIELDS}
        for name, change in changes.items():
            values[name] = values[name] * change if name == "scale" else values[name] + change
        return Pose(**values)


class _Medium:
    """One thing before one camera. A subclass draws its own parameters and says what light leaves it."""

    species = ""

    def __init__(self, shape, rng, source, difficulty, background):
        self.height, self.width = shape[:2]
        self.side = max(self.height, self.width)
        self.source = (source or shape)[:2]
        self.half = _half_sizes(self.source, shape[:2])
        difficulty = float(rng.uniform()) if difficulty is None else float(difficulty)
        self.parameters = {
            "simulated": True,
            "species": self.species,
            "size": [self.height, self.width, self.source[0], self.source[1]],
            "difficulty": round(difficulty, 4),
        }
        self.difficulty = difficulty
        self._draw_camera(rng)
        self._draw_room(rng, background)

    # The camera

    def _draw_camera(self, rng):
        hard = self.difficulty
        warm = rng.normal(0, 0.07 * (1.2 - hard))
        # Sizes of what blurs are in pixels of a picture of 250, and grow with the picture.
        self.unit = self.side / 250
        self.blur = self.unit * rng.uniform(0.45, 1.6 - 0.5 * hard) * (1 if rng.uniform() < 0.85 else 1.6)
        self.gains = np.exp([warm, rng.normal(0, 0.02), -warm]).astype(np.float32) * math.exp(rng.normal(0, 0.1))
        self.vignette = rng.uniform(0, 0.35)
        self.read_noise = rng.uniform(0.0005, 0.004)
        self.shot_noise = rng.uniform(0.00005, 0.0012)
        # Noise reduction leaves grain that is wider than a pixel.
        self.grain = bool(rng.uniform() < 0.5)
        self.curve = rng.uniform(-0.15, 0.25)
        self.sharpen = rng.uniform(0.2, 1.0) if rng.uniform() < 0.4 else 0.0
        self.smear = rng.uniform(1, 4) * self.unit if rng.uniform() < 0.2 else 0.0
        self.smear_angle = rng.uniform(0, math.pi)
        self.quality = int(rng.integers(55, 97))
        self.chroma_halved = bool(rng.uniform() < 0.7)
        self._note(
            blur=self.blur, gains=self.gains, vignette=self.vignette, read_noise=self.read_noise,
            shot_noise=self.shot_noise, grain=self.grain, curve=self.curve, sharpen=self.sharpen, smear=self.smear,
            smear_angle=self.smear_angle, quality=self.quality, chroma_halved=self.chroma_halved,
        )
        self.xs = ((np.arange(self.width) + 0.5 - self.width / 2) / self.side).astype(np.float32)[None, :]
        self.ys = ((np.arange(self.height) + 0.5 - self.height / 2) / self.side).astype(np.float32)[:, None]
        # Light and local frequencies change slowly: one value for a square of 8 pixels.
        self.coarse = (_thinned(self.xs, 8, 1), _thinned(self.ys, 8, 0))
        self.dim = 1 - self.vignette * 2 * (self.xs**2 + self.ys**2)

    def _note(self, **values):
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                value = [round(float(one), 4) for one in value.ravel()]
            elif isinstance(value, (float, np.floating)):
                value = round(float(value), 5)
            self.parameters[name] = value

    def _develop(self, light, rng):
        """What the camera makes of the light that reaches its sensor: a picture."""
        light = light * self.dim[..., None] * self.gains
        if self.grain:
            rows, columns = (self.height + 1) // 2, (self.width + 1) // 2
            noise = rng.standard_normal((rows, columns, 3), np.float32).repeat(2, 0).repeat(2, 1)
            noise = noise[: self.height, : self.width]
            noise[1:] = (noise[1:] + noise[:-1]) * 0.6
        else:
            noise = rng.standard_normal(light.shape, np.float32)
        np.maximum(light, 0, out=light)
        noise *= np.sqrt(self.read_noise**2 + self.shot_noise * light)
        light += noise
        # A shoulder or a toe on top of sRGB's curve, as cameras have them.
        light += self.curve * light * (1 - light)
        np.clip(light, 0, 1, out=light)
        picture = _TO_VALUE[(light * 4095).astype(np.uint16)]
        if self.sharpen:
            picture = _sharpened(picture, self.sharpen)
        return _recompressed(picture, self.quality, self.chroma_halved)

    def _blurred(self, light):
        light = _gaussian(light, self.blur)
        if self.smear:
            light = _smeared(light, self.smear, self.smear_angle)
        return light

    # The room

    def _draw_room(self, rng, background):
        self.room = _room(rng, (self.height, self.width), background)

    # The medium

    def _surface(self, pose):
        u, v, _ = _unproject(pose, self.xs, self.ys)
        return u, v

    def _light_on(self, pose, direction, ambient):
        """Shading of a matt surface, over that of a flat one that faces the camera."""
        u, v, bent = _unproject(pose, *self.coarse)
        rotation = _rotation(pose)
        toward = rotation.T @ direction
        diffuse = np.clip(np.sin(bent) * toward[0] - np.cos(bent) * toward[2], 0, None)
        shade = ambient + (1 - ambient) * diffuse / max(0.2, -direction[2])
        return self._spread(shade)

    def _gleam(self, pose, direction, width):
        """A light's mirror image on the surface: 1 where it is brightest."""
        u, v, bent = _unproject(pose, *self.coarse)
        rotation = _rotation(pose)
        normal = np.stack([np.sin(bent), np.zeros_like(bent), -np.cos(bent)], -1) @ rotation.T
        view = -np.stack(np.broadcast_arrays(self.coarse[0], self.coarse[1], np.float32(FOCAL)), -1)
        view /= np.linalg.norm(view, axis=-1, keepdims=True)
        halfway = view + direction
        halfway /= np.linalg.norm(halfway, axis=-1, keepdims=True)
        off = 1 - np.clip((normal * halfway).sum(-1), 0, 1)
        return self._spread(np.exp(-off / width))

    def _spread(self, coarse):
        return _resized(coarse, (self.height, self.width))

    def _coverage(self, distance, scale):
        """How much of each pixel lies inside an outline, from the signed distance to it."""
        return np.clip(0.5 - distance * (self.side * scale), 0, 1)

    def _sample(self, light, u, v):
        """Light of the source picture at places of the medium."""
        rows, columns = light.shape[:2]
        x = (u * (0.5 * columns / self.half[0])) + (columns - 1) / 2
        y = (v * (0.5 * rows / self.half[1])) + (rows - 1) / 2
        return _bilinear(light, x, y)

    def _content(self, picture, scale):
        """Linear light of the source picture, made smaller where the camera sees it smaller."""
        picture = np.ascontiguousarray(picture)
        shrink = scale * self.half[0] * 2 * self.side / picture.shape[1]
        if shrink < 0.8:
            size = (max(8, round(picture.shape[1] * shrink)), max(8, round(picture.shape[0] * shrink)))
            picture = np.asarray(Image.fromarray(picture).resize(size, Image.BICUBIC))
        return _TO_LIGHT[picture]


class Print(_Medium):
    """A print that is held, or stuck, before the camera."""

    species = "print"

    def __init__(self, shape, rng, *, source=None, difficulty=None, background=None):
        super().__init__(shape, rng, source, difficulty, background)
        self._draw_paper(rng)
        hard = self.difficulty
        filling = rng.uniform() < 0.25 + 0.6 * hard
        tilt = 14 * (1.3 - hard)
        self.pose = Pose(
            yaw=rng.normal(0, tilt), pitch=rng.normal(0, tilt * 0.8), roll=rng.normal(0, 5 * (1.3 - hard)),
            x=rng.normal(0, 0.03), y=rng.normal(0, 0.03),
            scale=rng.uniform(1.12, 1.4) if filling else rng.uniform(0.55, 0.95),
            # A bend toward the camera stays so slight that the camera lies well inside the cylinder.
            bend=max(-0.7, rng.normal(0.1, 0.7 * (1.2 - hard))) if rng.uniform() < 0.7 else 0.0, axis=rng.normal(0, 25),
        )
        self.margin = 0.0 if rng.uniform() < 0.4 else rng.uniform(0.02, 0.15)
        self._draw_lines()
        self.hands = _Hands(rng, (self.half[0] + self.margin, self.half[1] + self.margin))
        self._note(margin=self.margin, filling=bool(filling), hands=self.hands.count)
        self.parameters["pose"] = self.pose.values()

    def _draw_paper(self, rng):
        hard = self.difficulty
        self.paper = np.array([1, rng.uniform(0.96, 1), rng.uniform(0.88, 1.03)], np.float32) * rng.uniform(0.72, 0.92)
        # Reflectance of full black: 2 % of glossy photo paper, up to 12 % of copy paper from a laser printer.
        self.black = rng.uniform(0.015, 0.12 - 0.07 * hard)
        self.grey = bool(rng.uniform() < 0.15 * (1.5 - hard))
        self.saturation = 0.0 if self.grey else rng.uniform(0.45 + 0.35 * hard, 1.05)
        self.contrast = rng.uniform(0.7, 1.15)
        spread = 0.08 * (1.3 - hard)
        self.inks = np.exp(rng.normal(0, spread, 3)).astype(np.float32) if not self.grey else np.ones(3, np.float32)
        self.process = str(rng.choice(["photo", "inkjet", "halftone"], p=[0.15 + 0.35 * hard, 0.4 - 0.05 * hard, 0.45 - 0.3 * hard]))
        # Cycles of the halftone in a pixel; above a half the camera cannot resolve it, and only a beat is left.
        self.frequency = float(np.exp(rng.uniform(math.log(0.12 + 0.3 * hard), math.log(0.8 + 0.3 * hard)))) / self.unit
        self.turn = rng.uniform(0, 90)
        self.texture = rng.uniform(0.03, 0.16) * (1.1 - 0.8 * hard)
        self.streaks = rng.uniform(0.01, 0.07) * (1.1 - hard) if rng.uniform() < 0.35 else 0.0
        self.streak_frequency = rng.uniform(8, 60)
        self.glossy = bool(rng.uniform() < 0.45)
        self.sheen = rng.uniform(0.05, 0.7) * (1.1 - hard) if self.glossy else rng.uniform(0, 0.08)
        self.sheen_width = rng.uniform(0.003, 0.03) if self.glossy else rng.uniform(0.05, 0.2)
        self.light = _direction(rng)
        self.ambient = rng.uniform(0.35, 0.8)
        self.exposure = rng.uniform(0.85, 1.25)
        # The fine grain of the ink belongs to the paper, so it is drawn once, and moves with it.
        self.grain_tile = rng.standard_normal((128, 128), np.float32)
        self._note(
            paper=self.paper, black=self.black, grey=self.grey, saturation=self.saturation, contrast=self.contrast,
            inks=self.inks, process=self.process, frequency=self.frequency, turn=self.turn, texture=self.texture,
            streaks=self.streaks, streak_frequency=self.streak_frequency, glossy=self.glossy, sheen=self.sheen,
            sheen_width=self.sheen_width, light=self.light, ambient=self.ambient, exposure=self.exposure,
        )

    def _draw_lines(self):
        # Cycles over the longer side of the picture, when the medium fills it.
        self.lines = self.frequency * self.side * self.pose.scale

    def frame(self, picture, rng, pose=None, time=0.0):
        """The picture that the camera takes of the medium in `pose` (its own, unless given)."""
        pose = pose or self.pose
        u, v = self._surface(pose)
        printed = self._blurred(self._printed(picture, pose, u, v))
        sheet = np.maximum(np.abs(u) - self.half[0] - self.margin, np.abs(v) - self.half[1] - self.margin)
        inside = self._coverage(sheet, pose.scale)
        shade = self._light_on(pose, self.light, self.ambient) * self.exposure
        gleam = self._gleam(pose, self.light, self.sheen_width) * self.sheen
        light = printed * shade[..., None] + gleam[..., None]
        if inside.min() < 1:
            inside = _gaussian(inside[..., None], self.blur)
            # The sheet's shadow on what is behind it.
            shadow = 1 - 0.5 * np.clip(1 - sheet * 12, 0, 1)
            behind = self.room * shadow[..., None]
            light = behind + (light - behind) * inside
        light = self.hands.over(light, u, v, self.light)
        return self._develop(light, rng)

    def _printed(self, picture, pose, u, v):
        """Reflectance of the print at each pixel."""
        ink = self._sample(self._inked(picture, pose), u, v)
        if self.margin:
            outside = self._coverage(np.maximum(np.abs(u) - self.half[0], np.abs(v) - self.half[1]), pose.scale)
            ink = 1 + (ink - 1) * outside[..., None]
        ink = self._halftoned(ink, pose, u, v)
        return self.paper * (self.black + (1 - self.black) * ink)

    def _inked(self, picture, pose):
        """The source picture in the printer's gamut: 1 no ink, 0 full ink."""
        light = self._content(picture, pose.scale)
        grey = light @ _LUMINANCE
        light = grey[..., None] + (light - grey[..., None]) * self.saturation
        light *= self.inks
        np.clip(light, 0, 1, out=light)
        if abs(self.contrast - 1) > 0.02:
            # About the mid grey of a print, 18 %.
            light = np.clip(0.18 + (light - 0.18) * self.contrast, 0, 1)
        return light

    def _halftoned(self, ink, pose, u, v):
        if self.process == "inkjet":
            ink = self._dithered(ink, pose, u, v)
        elif self.process == "halftone":
            ink = self._screened(ink, pose, u, v)
        if self.streaks:
            # Passes of the head, or the drum's uneven turning: bands along the sheet.
            bands = np.cos(v * np.float32(2 * math.pi * self.streak_frequency)) * self.streaks
            bands += np.cos(v * np.float32(2 * math.pi * self.streak_frequency * 0.37)) * self.streaks
            ink = ink * (1 - bands[..., None] * (1 - ink))
        return ink

    def _dithered(self, ink, pose, u, v):
        """Droplets that are too small for the camera leave noise, strongest in the middle tones."""
        size = max(1.0, self.lines) / 128
        x = np.floor(u * (size * 128)).astype(np.int32) & 127
        y = np.floor(v * (size * 128)).astype(np.int32) & 127
        drops = self.grain_tile[y, x]
        if self.grey:
            return ink + (self.texture * drops)[..., None] * np.sqrt(ink * (1 - ink))
        # Each ink has droplets of its own.
        others = np.stack([drops, self.grain_tile[x, y], self.grain_tile[y - 61, x - 37]], -1)
        return ink + self.texture * others * np.sqrt(ink * (1 - ink))

    def _screened(self, ink, pose, u, v):
        """Dots on a grid, as the camera's lens and pixels let them through."""
        across = self.lines / self.side / max(pose.scale, 1e-3)
        seen = _aperture(across, 0) * math.exp(-2 * (math.pi * self.blur * across) ** 2)
        if seen < 0.01:
            return ink
        out = ink.copy()
        angles = (45.0,) if self.grey else SCREEN_ANGLES[:3]
        for channel, angle in enumerate(angles):
            turn = math.radians(angle + self.turn)
            cycles = 2 * math.pi * self.lines
            a, b = cycles * math.cos(turn), cycles * math.sin(turn)
            threshold = np.cos(a * u + b * v) + np.cos(a * v - b * u)
            tone = ink[..., channel]
            dots = np.clip((tone - 0.5) * 2.6 + threshold * 0.7 + 0.5, 0, 1) - tone
            dots *= seen * np.clip(8 * tone * (1 - tone), 0, 1)
            if self.grey:
                out += dots[..., None]
            else:
                out[..., channel] += dots
        return out


class Screen(_Medium):
    """A display before the camera."""

    species = "screen"

    def __init__(self, shape, rng, *, source=None, difficulty=None, background=None):
        super().__init__(shape, rng, source, difficulty, background)
        hard = self.difficulty
        self.device = str(rng.choice(["phone", "tablet", "monitor"], p=[0.4, 0.2, 0.4]))
        filling = rng.uniform() < 0.25 + 0.6 * hard
        tilt = 10 * (1.3 - hard)
        self.pose = Pose(
            yaw=rng.normal(0, tilt), pitch=rng.normal(0, tilt * 0.8), roll=rng.normal(0, 4 * (1.3 - hard)),
            x=rng.normal(0, 0.03), y=rng.normal(0, 0.03),
            scale=rng.uniform(1.12, 1.4) if filling else rng.uniform(0.55, 0.95),
        )
        self._draw_case(rng)
        self._draw_display(rng)
        self._draw_reflection(rng)
        self._note(device=self.device, filling=bool(filling))
        self.parameters["pose"] = self.pose.values()

    def _draw_case(self, rng):
        # Black or light surroundings of the picture on the display, and the frame of the device, in longer sides.
        self.border = np.maximum(rng.normal(0.02, 0.07, 4), 0) if rng.uniform() < 0.7 else np.zeros(4)
        light_border = self.device == "monitor" and rng.uniform() < 0.4
        self.border_light = rng.uniform(0.6, 1) if light_border else rng.uniform(0, 0.02)
        thickness = {"phone": (0.015, 0.06), "tablet": (0.04, 0.1), "monitor": (0.02, 0.08)}[self.device]
        self.bezel = rng.uniform(*thickness)
        self.bezel_light = rng.uniform(0.002, 0.04) if rng.uniform() < 0.8 else rng.uniform(0.1, 0.6)
        self.corner = rng.uniform(0.02, 0.09) if self.device != "monitor" else 0.005
        left, top, right, bottom = self.border
        self.middle = ((right - left) / 2, (bottom - top) / 2)
        self.extent = (self.half[0] + (left + right) / 2, self.half[1] + (top + bottom) / 2)
        self.hands = _Hands(
            rng, (self.extent[0] + self.bezel, self.extent[1] + self.bezel), held=self.device != "monitor"
        )
        self._note(
            border=self.border, border_light=self.border_light, bezel=self.bezel, bezel_light=self.bezel_light,
            corner=self.corner, hands=self.hands.count,
        )

    def _draw_display(self, rng):
        hard = self.difficulty
        # A camera's sensor has more pixels than the picture that is kept of it.
        self.sensor = float(rng.choice([1.0, 1.0, 1.5, 2.0, 3.0]))
        # Pixels of the display in one of the sensor: beats are visible near 0.5, 1 and 2.
        self.ratio = float(np.exp(rng.uniform(math.log(0.4 + 0.5 * hard), math.log(2.2 + 1.2 * hard))))
        self.layout = "diamond" if self.device != "monitor" and rng.uniform() < 0.5 else "stripes"
        self.order = bool(rng.uniform() < 0.15)
        self.duty = rng.uniform(0.2, 0.31)
        self.row_duty = rng.uniform(0.7, 0.95)
        # Without a low-pass before the sensor, and in focus, the grid comes through; mostly the lens softens it.
        self.softness = rng.uniform(0.15, 0.45 + 0.35 * hard)
        self.depth = rng.uniform(0.15, 1) * (1.1 - 0.7 * hard)
        # White of 6500 to 10000 K seen under the room's warmer light.
        cool = abs(rng.normal(0, 0.1 * (1.2 - 0.7 * hard)))
        self.white = np.exp(np.array([-cool, 0, cool * 0.8]) + rng.normal(0, 0.02, 3)).astype(np.float32)
        self.gamma = rng.uniform(0.85, 1.2)
        self.black = rng.uniform(0.001, 0.05 * (1.1 - 0.7 * hard))
        self.brightness = rng.uniform(0.75, 1.35)
        self.band = rng.uniform(0.02, 0.22) * (1.1 - 0.8 * hard) if rng.uniform() < 0.4 else 0.0
        self.band_count = rng.uniform(0.6, 5)
        self.band_phase = rng.uniform()
        # Bands run when the display's refresh and the camera's rate differ: turns in a second.
        self.band_speed = rng.normal(0, 1.5)
        self.fall = rng.uniform(0, 0.35)
        self.pitch = self.ratio * self.side * self.pose.scale * self.sensor
        self._note(
            sensor=self.sensor, ratio=self.ratio, layout=self.layout, order=self.order, duty=self.duty,
            row_duty=self.row_duty, softness=self.softness, depth=self.depth, white=self.white, gamma=self.gamma,
            black=self.black, brightness=self.brightness, band=self.band, band_count=self.band_count,
            band_phase=self.band_phase, band_speed=self.band_speed, fall=self.fall,
        )

    def _draw_reflection(self, rng):
        hard = self.difficulty
        self.mirror = rng.uniform(0, 0.09) * (1.1 - 0.9 * hard)
        self.reflected = _room(rng, (self.height, self.width), None)
        self.light = _direction(rng)
        self.glare = rng.uniform(0.1, 0.9) * (1.1 - hard) if rng.uniform() < 0.45 else 0.0
        self.glare_width = float(np.exp(rng.uniform(math.log(0.0006), math.log(0.02))))
        # The camera sets its exposure by the display, so the room goes dark.
        self.darkness = rng.uniform(0.05, 0.6)
        self.room = self.room * np.float32(self.darkness)
        self._note(
            mirror=self.mirror, light=self.light, glare=self.glare, glare_width=self.glare_width,
            darkness=self.darkness,
        )

    def frame(self, picture, rng, pose=None, time=0.0):
        """The picture that the camera takes of the display in `pose` at `time` (seconds)."""
        pose = pose or self.pose
        u, v = self._surface(pose)
        shown = self._shown(picture, pose, u, v)
        # Distance from the display's middle, which lies beside the picture's where its borders differ.
        uu, vv = np.abs(u - np.float32(self.middle[0])), np.abs(v - np.float32(self.middle[1]))
        display = np.maximum(uu - self.extent[0], vv - self.extent[1])
        on = self._coverage(display, pose.scale)[..., None]
        whole = on.min() == 1
        light = shown if whole else self._cased(shown, on, uu, vv, pose)
        light = self._blurred(light)
        factor = self._grid(pose, u, v)
        if self.band:
            phase = self.ys * self.band_count + self.band_phase + time * self.band_speed
            wave = np.clip(np.cos(phase * np.float32(2 * math.pi)) * 2, -1, 1)
            factor = factor * (1 + self.band * wave)[..., None]
        light = light * factor if whole else light * (1 + (factor - 1) * on)
        glass = self._reflection(pose)
        light = light + (glass if whole else glass * self._on_glass(uu, vv, pose))
        light = self.hands.over(light, u, v, self.light, self.darkness)
        return self._develop(light, rng)

    def _shown(self, picture, pose, u, v):
        """Light of the display's picture, as if its pixels had no gaps."""
        light = self._content(picture, pose.scale)
        if abs(self.gamma - 1) > 0.02:
            light = light**self.gamma
        light = self.black + (1 - self.black) * light
        if self.ratio < 0.6:
            # Pixels as large as these show as blocks.
            blocks = np.float32(self.pitch)
            u, v = (np.floor(u * blocks) + 0.5) / blocks, (np.floor(v * blocks) + 0.5) / blocks
        light = self._sample(light, u, v)
        if self.border.any():
            inside = self._coverage(np.maximum(np.abs(u) - self.half[0], np.abs(v) - self.half[1]), pose.scale)
            edge = np.float32(self.black + self.border_light)
            light = edge + (light - edge) * inside[..., None]
        # A display sends less light to the side.
        fall = 1 - self.fall * (self.xs * math.sin(math.radians(pose.yaw)) * 2 + self.xs**2 + self.ys**2)
        return light * (self.white * np.float32(self.brightness)) * fall[..., None]

    def _cased(self, shown, on, uu, vv, pose):
        case = self._coverage(self._case_distance(uu, vv), pose.scale)[..., None]
        behind = self.room
        light = behind + (np.float32(self.bezel_light) - behind) * case
        return light + (shown - light) * on

    def _case_distance(self, uu, vv):
        corner = np.float32(self.corner)
        a = np.maximum(uu - np.float32(self.extent[0] + self.bezel) + corner, 0)
        b = np.maximum(vv - np.float32(self.extent[1] + self.bezel) + corner, 0)
        return np.sqrt(a * a + b * b) - corner

    def _on_glass(self, uu, vv, pose):
        return self._coverage(self._case_distance(uu, vv), pose.scale)[..., None]

    def _reflection(self, pose):
        """What the glass mirrors: the room before it, and lamps."""
        light = self.reflected * np.float32(self.mirror)
        shift = int(round(pose.yaw * 2 * self.unit)), int(round(pose.pitch * 2 * self.unit))
        light = np.roll(light, shift, (1, 0))
        if self.glare:
            gleam = self._gleam(pose, self.light, self.glare_width)
            light = light + (gleam * np.float32(self.glare))[..., None]
        return light

    def _harmonics(self):
        """Terms (cycles across and down in a pixel of the display, strength, shift) of each colour's lit area.

        The lit area of a colour repeats with the pixels, so it is a Fourier series; a stripe of width d over a pixel
        has the coefficients sinc(k d).
        """
        shifts = (2 / 3, 1 / 3, 0) if self.order else (0, 1 / 3, 2 / 3)
        if self.layout == "stripes":
            for k in (1, 2):
                yield k, 0, float(np.sinc(k * self.duty)), tuple(-k * shift for shift in shifts), (0, 1, 2)
            yield 0, 1, float(np.sinc(self.row_duty)), (0, 0, 0), (0, 1, 2)
        else:
            # Diamonds: green on each pixel, red and blue on every other one.
            strength = float(np.sinc(self.duty)) * 0.7
            for k, l in ((1, 0), (0, 1)):
                yield k, l, strength, (0, 0, 0), (1,)
            for k, l in ((0.5, 0.5), (0.5, -0.5)):
                yield k, l, strength, (0.25, 0, 0.75), (0, 2)

    def _grid(self, pose, u, v):
        """What the pixels of the display do to each pixel of the picture: the grid itself, or its beat (moiré).

        Sampling at whole positions cannot tell a frequency from that frequency less a whole number, so each term is
        folded there, which is exact, and then attenuated by what the camera does before the sampling (lens, area of a
        pixel) and after it (making the picture smaller). Red and blue lie on every second pixel of the sensor (Bayer),
        so they fold at halves: that gives the colours of the beat.
        """
        coarse_u, coarse_v, _ = _unproject(pose, *self.coarse)
        step = 8 * self.sensor
        (uy, ux), (vy, vx) = (np.gradient(c * np.float32(self.pitch), step) for c in (coarse_u, coarse_v))
        row, column = coarse_u.shape[0] // 2, coarse_u.shape[1] // 2
        x = np.arange(self.width, dtype=np.float32)[None, :] * np.float32(self.sensor)
        y = np.arange(self.height, dtype=np.float32)[:, None] * np.float32(self.sensor)
        pixels_u, pixels_v = u * np.float32(self.pitch), v * np.float32(self.pitch)
        total = np.ones((3, self.height, self.width), np.float32)
        for k, l, strength, shifts, channels in self._harmonics():
            fx, fy = k * ux + l * vx, k * uy + l * vy
            before = strength * _aperture(fx, fy) * np.exp(-2 * (math.pi * self.softness) ** 2 * (fx**2 + fy**2))
            if np.abs(before).max() * self.depth < 0.004:
                continue
            phase = k * pixels_u + l * pixels_v
            for channel in channels:
                fold = 1 if channel == 1 else 2
                mx, my = (round(fold * float(f[row, column])) / fold for f in (fx, fy))
                ax, ay = (fx - mx) * self.sensor, (fy - my) * self.sensor
                seen = before if self.sensor == 1 else before * _aperture(ax, ay)
                if np.abs(seen).max() * self.depth < 0.004:
                    continue
                slow = phase - (mx * x + my * y) + np.float32(shifts[channel] + (0.5 * (mx + my) if channel == 2 else 0))
                wave = np.cos(slow * np.float32(2 * math.pi))
                wave *= self._spread((seen * (2 * self.depth)).astype(np.float32))
                total[channel] += wave
        np.maximum(total, 0, out=total)
        return np.moveaxis(total, 0, -1)


class Cutout(Print):
    """A printed face, cut out and worn before a head."""

    species = "cutout"

    HOLES = ((), ("eyes",), ("eyes", "mouth"), ("eyes", "nose"), ("eyes", "nose", "mouth"))

    def __init__(
        self, shape, rng, *, source=None, holes=None, face=None, behind=None, difficulty=None, background=None
    ):
        super().__init__(shape, rng, source=source, difficulty=difficulty, background=background)
        self._draw_mask(rng, holes, face)
        self.wearer = _Wearer(self, rng, behind)
        self._note(holes=list(self.holes), face=[float(round(value, 4)) for value in self.face])
        self.parameters["pose"] = self.pose.values()

    def _draw_mask(self, rng, holes, face):
        hard = self.difficulty
        if holes is None:
            holes = self.HOLES[int(rng.choice(len(self.HOLES), p=[0.1, 0.45, 0.2, 0.1, 0.15]))]
        unknown = set(holes) - {"eyes", "nose", "mouth"}
        if unknown:
            raise ValueError(f"unknown hole: {sorted(unknown)[0]}")
        self.holes = tuple(holes)
        if face is None:
            box = (FACE[0] * self.source[1], FACE[1] * self.source[0], FACE[2] * self.source[1], FACE[3] * self.source[0])
        else:
            box = face
        # In the medium's units, from its middle.
        sx, sy = 2 * self.half[0] / self.source[1], 2 * self.half[1] / self.source[0]
        self.face = (box[0] * sx - self.half[0], box[1] * sy - self.half[1], box[2] * sx, box[3] * sy)
        # A mask follows the head: little turned, and bent round it.
        self.pose = Pose(
            yaw=rng.normal(0, 6), pitch=rng.normal(0, 5), roll=rng.normal(0, 4), x=rng.normal(0, 0.02),
            y=rng.normal(0, 0.02), scale=rng.uniform(0.9, 1.25), bend=abs(rng.normal(0.9, 0.5)), axis=rng.normal(0, 5),
        )
        self.filling = False
        self._draw_lines()
        self.margin = 0.0
        # Scissors: the outline's width, height and squareness, and how it wanders.
        self.outline = (rng.uniform(0.50, 0.62), rng.uniform(0.52, 0.64), rng.uniform(2.0, 2.6))
        self.wobble = rng.normal(0, 0.02 * (1.2 - hard), 8)
        self.hole_size = rng.uniform(0.8, 1.25, 3)
        self.rim = rng.uniform(0, 0.012) * (1.2 - hard)
        self.cast = rng.uniform(0.2, 0.7)
        self.cast_shift = rng.uniform(0.004, 0.03)
        self._note(
            outline=np.array(self.outline), wobble=self.wobble, hole_size=self.hole_size, rim=self.rim,
            cast=self.cast, cast_shift=self.cast_shift, margin=0.0, filling=False, hands=0,
        )

    def frame(self, picture, rng, pose=None, time=0.0, wearer_pose=None):
        """The picture that the camera takes of the mask in `pose`; the wearer moves along with it."""
        pose = pose or self.pose
        u, v = self._surface(pose)
        printed = self._printed(picture, pose, u, v)
        edge = self._mask_distance(u, v)
        # The cut edge is white paper that catches the light.
        if self.rim:
            rim = np.clip(1 + edge / np.float32(self.rim), 0, 1)
            printed = printed + (self.paper - printed) * (0.7 * rim * (edge < 0))[..., None]
        shade = self._light_on(pose, self.light, self.ambient) * self.exposure
        gleam = self._gleam(pose, self.light, self.sheen_width) * self.sheen
        light = printed * shade[..., None] + gleam[..., None]
        behind = self.wearer.light(u, v)
        # The mask's shadow falls away from the light, on the face behind it.
        away = self._mask_distance(
            u + np.float32(self.light[0] * self.cast_shift), v + np.float32(self.light[1] * self.cast_shift)
        )
        shadow = 1 - self.cast * np.clip(0.5 - away * 25, 0, 1)
        behind = behind * shadow[..., None]
        inside = self._coverage(edge, pose.scale)[..., None]
        light = self._blurred(behind + (light - behind) * inside)
        return self._develop(light, rng)

    def _mask_distance(self, u, v):
        """About the signed distance to the cut: negative on the paper."""
        x, y, width, height = (np.float32(value) for value in self.face)
        wide, high, square = self.outline
        p = (u - (x + width / 2)) / (wide * width)
        q = (v - (y + height / 2)) / (high * height)
        # Hair and chin: narrower below.
        p = p * (1 + 0.18 * np.clip(q, -1, 1))
        radius = (np.abs(p) ** square + np.abs(q) ** square) ** (1 / square)
        angle = np.arctan2(q, p)
        for order, size in enumerate(self.wobble):
            radius += np.float32(size / (order + 1)) * np.cos((order + 2) * angle + order)
        distance = (radius - 1) * (0.5 * min(width, height))
        for hole in self._hole_distances(u, v):
            np.maximum(distance, -hole, out=distance)
        return distance

    def _hole_distances(self, u, v):
        x, y, width, height = (np.float32(value) for value in self.face)
        shapes = []
        if "eyes" in self.holes:
            shapes += [(eye, 0.125 * self.hole_size[0], 0.062 * self.hole_size[0]) for eye in EYES]
        if "nose" in self.holes:
            shapes.append((NOSE, 0.12 * self.hole_size[1], 0.12 * self.hole_size[1]))
        if "mouth" in self.holes:
            shapes.append((MOUTH, 0.19 * self.hole_size[2], 0.065 * self.hole_size[2]))
        for (fx, fy), a, b in shapes:
            p = (u - (x + fx * width)) / (a * width)
            q = (v - (y + fy * height)) / (b * height)
            yield (np.sqrt(p * p + q * q) - 1) * np.float32(b * height)


class _Wearer:
    """The head behind a mask: a photo of one, or one that is drawn: room, clothes, neck, hair, skin and eyes."""

    def __init__(self, mask, rng, behind):
        self.mask = mask
        self.tone = _skin(rng)
        self.photo = None
        if behind is not None:
            self.photo = _TO_LIGHT[np.asarray(behind)] * np.float32(rng.uniform(0.7, 1.2))
        self.hair = np.array([1, 0.8, 0.6], np.float32) * np.float32(rng.uniform(0.01, 0.15))
        self.clothes = (rng.uniform(0.02, 0.5) * np.exp(rng.normal(0, 0.25, 3))).astype(np.float32)
        self.hooded = bool(rng.uniform() < 0.3)
        self.size = rng.uniform(0.92, 1.12)
        self.folds = np.exp(rng.normal(0, 0.12, (12, 12))).astype(np.float32)
        self.strands = np.exp(rng.normal(0, 0.35, (3, 70))).astype(np.float32)
        self.drop = rng.uniform(-0.06, 0.06)
        self.iris = np.array([rng.uniform(0.02, 0.15), rng.uniform(0.02, 0.1), rng.uniform(0.01, 0.12)], np.float32)
        self.open = rng.uniform(0.6, 1.1)
        self.gaze = rng.normal(0, 0.2)
        mask._note(wearer="drawn" if behind is None else "photo", skin=self.tone)

    def light(self, u, v):
        mask = self.mask
        if self.photo is not None:
            return mask._sample(self.photo, u, v)
        x, y, width, height = (np.float32(value) for value in mask.face)
        # Drawn at half the size: what is behind a mask is a little out of focus.
        u, v = u[::2, ::2], v[::2, ::2]
        p, q = (u - (x + width / 2)) / width, (v - (y + height / 2)) / height - np.float32(self.drop)
        light = _resized(mask.room, u.shape)

        def paint(distance, colour, sharpness):
            cover = np.clip(0.5 - distance * np.float32(sharpness), 0, 1)[..., None]
            light[...] += (colour - light) * cover

        folds = _resized(self.folds, u.shape)[..., None]
        strands = _resized(self.strands, u.shape)[..., None]
        away = 1 + np.float32(0.7) * np.clip(p * np.float32(mask.light[0]), -0.5, 0.5)
        body = np.abs(p) * 0.42 - (q - 0.68) - 0.35 * np.clip(1 - np.abs(p), 0, 1)
        paint(body, self.clothes * (away * (1 - 0.2 * np.clip(np.abs(p), 0, 2)))[..., None] * folds, 20)
        neck = 0.75 - 0.9 * np.abs(p) - 0.6 * np.clip(0.9 - q, 0, 0.5)
        paint(np.maximum(np.abs(p) - 0.3, 0.2 - q), self.tone * (neck * away)[..., None], 25)
        grown = np.float32(self.size)
        hair = np.sqrt((p / (0.62 * grown)) ** 2 + ((q + 0.1) / (0.66 * grown)) ** 2) - 1
        edge = 1.1 - 0.6 * np.clip(hair + 1, 0, 1) ** 4
        cap = self.clothes * folds if self.hooded else self.hair * strands
        paint(hair, cap * (edge * away)[..., None], 14)
        shade = (1.05 - 0.5 * np.clip(np.abs(p) * 1.6 - 0.2, 0, 1)) * away
        face = np.sqrt((p / (0.5 * grown)) ** 2 + (q / (0.57 * grown)) ** 2) - 1
        paint(face, self.tone * shade[..., None] * folds**0.5, 18)
        for fx, fy in EYES:
            a, b = (p - np.float32(fx - 0.5)), (q + np.float32(self.drop) - np.float32(fy - 0.5))
            socket = np.sqrt((a / 0.15) ** 2 + (b / 0.08) ** 2) - 1
            paint(socket, self.tone * np.float32(0.6) * away[..., None], 1.2)
            brow = np.sqrt((a / 0.13) ** 2 + ((b + 0.085) / 0.018) ** 2) - 1
            paint(brow, self.hair, 1.5)
            lid = np.sqrt((a / 0.085) ** 2 + (b / np.float32(0.03 * self.open)) ** 2) - 1
            paint(lid, np.minimum(self.tone * np.float32(1.1) + np.float32(0.08), 0.6), 3)
            ball = np.sqrt((a - np.float32(self.gaze * 0.05)) ** 2 + (b * (height / width)) ** 2)
            paint(np.maximum(ball / 0.036 - 1, lid), self.iris, 3)
            paint(np.maximum(ball / 0.016 - 1, lid), np.float32(0.004), 2)
            # The upper lid's lashes and shadow.
            paint(np.abs(lid) - 0.25 + np.clip(b * 40, 0, 2), self.tone * np.float32(0.25), 2)
        nose = np.clip(1 - np.sqrt((p / 0.12) ** 2 + ((q + np.float32(self.drop) - 0.1) / 0.1) ** 2), 0, 1)
        light *= (1 + nose * np.float32(0.4) * np.sign(p * np.float32(mask.light[0])))[..., None]
        low = q + np.float32(self.drop) - 0.26
        lips = np.sqrt((p / 0.17) ** 2 + (low / 0.045) ** 2) - 1
        paint(lips, self.tone * np.float32([0.8, 0.5, 0.48]), 3)
        paint(np.maximum(np.abs(low) / 0.006 - 1, np.abs(p) / 0.15 - 1), self.tone * np.float32([0.3, 0.15, 0.15]), 1)
        return _resized(light, mask.room.shape[:2])


class _Hands:
    """Hands that hold a sheet or a device at its edges: shapes in the medium's plane, so they move with it."""

    def __init__(self, rng, half, held=True):
        self.count = int(rng.choice([0, 1, 2], p=[0.35, 0.35, 0.3])) if held else 0
        self.tone = _skin(rng)
        self.parts = []
        sides = rng.permutation(["left", "right", "below"])[: self.count]
        for side in sides:
            self._hold(rng, side, half)

    def _hold(self, rng, side, half):
        along = rng.uniform(-0.5, 0.9)
        reach, size = rng.uniform(0.01, 0.1), rng.uniform(0.8, 1.3)

        def at(out, by):
            # `out` from the edge away from the middle, `by` along the edge.
            if side == "below":
                return along * half[0] * 0.6 + by, half[1] + out
            sign = -1 if side == "left" else 1
            return sign * (half[0] + out), along * half[1] + by

        lean = rng.normal(0, 0.06)
        self.parts.append((at(0.19 * size, 0.05 + lean), at(0.1 * size, 0.02), 0.085 * size))
        self.parts.append((at(0.1 * size, 0.0), at(-reach, rng.normal(0, 0.03)), 0.033 * size))
        for finger in range(int(rng.integers(0, 4))):
            by = 0.035 + 0.055 * finger * size
            self.parts.append((at(0.12 * size, by), at(rng.uniform(0.0, 0.03), by + rng.normal(0, 0.01)), 0.028 * size))

    def over(self, light, u, v, direction, dim=1.0):
        """`light` with the hands before it."""
        if not self.parts:
            return light
        u, v = u[::2, ::2], v[::2, ::2]
        height = np.zeros_like(u)
        for (ax, ay), (bx, by), radius in self.parts:
            dx, dy = bx - ax, by - ay
            along = np.clip(((u - ax) * dx + (v - ay) * dy) / (dx * dx + dy * dy + 1e-9), 0, 1)
            off = ((u - ax - along * dx) ** 2 + (v - ay - along * dy) ** 2) / radius**2
            np.maximum(height, np.sqrt(np.clip(1 - off, 0, 1)) * radius, out=height)
        if height.max() <= 0:
            return light
        # Round parts are darker at their edges, and on the side away from the light.
        dy, dx = np.gradient(height)
        lit = 0.45 + 8 * np.minimum(height, 0.07) - 6 * (direction[0] * dx + direction[1] * dy)
        shape = light.shape[:2]
        cover = _resized(np.clip(height * 60, 0, 1), shape)[..., None]
        lit = _resized(np.clip(lit, 0.15, 1.3).astype(np.float32), shape)[..., None]
        return light + (self.tone * np.float32(dim) * lit - light) * cover


# Drawing


def _direction(rng):
    """Toward a light: above, before the medium, more or less to a side."""
    across, up = rng.normal(0, 0.5), -abs(rng.normal(0.4, 0.35))
    vector = np.array([across, up, -1.0], np.float32)
    return vector / np.linalg.norm(vector)


def _skin(rng):
    """Linear light of skin, from dark to fair; the ratios are about those of the Fitzpatrick types' mean colours."""
    fair = rng.uniform(0, 1)
    dark, light = np.array([0.10, 0.05, 0.03]), np.array([0.68, 0.45, 0.34])
    return (dark + (light - dark) * fair).astype(np.float32) * np.float32(rng.uniform(0.85, 1.1))


def _room(rng, shape, background):
    """Linear light of what is behind the medium, out of focus: a part of a photo, or surfaces and things at random."""
    height, width = shape
    if background is not None:
        background = np.asarray(background)
        rows, columns = background.shape[:2]
        part = rng.uniform(0.4, 1)
        top, left = (int(rng.uniform(0, (1 - part) * size)) for size in (rows, columns))
        cut = Image.fromarray(background[top : top + max(8, int(rows * part)), left : left + max(8, int(columns * part))])
        small = cut.resize((max(8, width // 8), max(8, height // 8)), Image.BOX)
        return _resized(_TO_LIGHT[np.asarray(small)], shape) * np.float32(rng.uniform(0.5, 1.1))
    rows, columns = 48, max(8, round(48 * width / height))
    base = rng.uniform(0.05, 0.7)
    small = np.empty((rows, columns, 3), np.float32)
    small[:] = base * rng.uniform(0.85, 1.05, 3)
    for _ in range(int(rng.integers(3, 11))):
        y, x = rng.uniform(-0.2, 1, 2)
        h, w = rng.uniform(0.1, 0.9, 2)
        grey = float(np.exp(rng.uniform(math.log(0.01), math.log(0.9))))
        colour = grey * np.exp(rng.normal(0, 0.12, 3))
        top, left = max(0, int(y * rows)), max(0, int(x * columns))
        small[top : max(0, int((y + h) * rows)), left : max(0, int((x + w) * columns))] = np.minimum(colour, 1)
    small *= np.exp(_resized(rng.normal(0, 0.3, (4, 5)).astype(np.float32), (rows, columns)))[..., None]
    small = _gaussian(small, rng.uniform(0.3, 2.0))
    return _resized(small, shape)


# Geometry


def _half_sizes(source, shape):
    """Half the width and height of the source picture as it just fills the other, in longer sides of that one."""
    height, width = shape[:2]
    fit = min(height / source[0], width / source[1])
    side = max(height, width)
    return 0.5 * source[1] * fit / side, 0.5 * source[0] * fit / side


def _rotation(pose):
    """From the medium's axes, turned so that the bend is about its second one, to the camera's."""
    yaw, pitch, roll, axis = (math.radians(angle) for angle in (pose.yaw, pose.pitch, pose.roll, pose.axis))
    around_y = np.array([[math.cos(yaw), 0, math.sin(yaw)], [0, 1, 0], [-math.sin(yaw), 0, math.cos(yaw)]])
    around_x = np.array([[1, 0, 0], [0, math.cos(pitch), -math.sin(pitch)], [0, math.sin(pitch), math.cos(pitch)]])
    return (_turn(roll) @ around_x @ around_y @ _turn(axis)).astype(np.float32)


def _turn(angle):
    return np.array([[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]])


def _middle(pose):
    distance = FOCAL / pose.scale
    return np.array([pose.x / pose.scale, pose.y / pose.scale, distance], np.float32)


def _unproject(pose, xs, ys):
    """Where the rays through pixels meet the medium: its coordinates u and v, and the angle of its bend there.

    A bent sheet is part of a cylinder that touches the flat sheet's plane, of curvature k. With the ray o + t d in the
    sheet's axes, k x^2 + k z^2 - 2 z = 0 is a quadratic equation in t; its root is written so that k may be 0.
    """
    rotation = _rotation(pose)
    ox, oy, oz = (-rotation.T @ _middle(pose)).tolist()
    dx, dy, dz = (rotation[0, i] * xs + rotation[1, i] * ys + rotation[2, i] * np.float32(FOCAL) for i in range(3))
    k = pose.bend
    if abs(k) < 1e-3:
        t = -oz / np.where(np.abs(dz) < 1e-3, 1e-3, dz)
        across, bent = ox + t * dx, np.zeros_like(t)
        missed = t <= 0
    else:
        a = k * (dx * dx + dz * dz)
        b = k * (ox * dx + oz * dz) - dz
        c = k * (ox * ox + oz * oz) - 2 * oz
        root = b * b - a * c
        t = c / (-b + np.sqrt(np.maximum(root, 0)))
        x, z = ox + t * dx, oz + t * dz
        bent = np.arctan2(k * x, 1 - k * z)
        across = bent / k
        missed = (root < 0) | (t <= 0)
    along = oy + t * dy
    if missed.any():
        # Beyond the horizon of the sheet: far off it.
        across = np.where(missed, np.float32(99), across)
    turn = math.radians(pose.axis)
    u = math.cos(turn) * across - math.sin(turn) * along
    v = math.sin(turn) * across + math.cos(turn) * along
    return u.astype(np.float32, copy=False), v.astype(np.float32, copy=False), bent.astype(np.float32, copy=False)


def _project(pose, u, v, shape):
    """Pixels where points of the medium are seen; the inverse of `_unproject`."""
    turn = math.radians(pose.axis)
    across = math.cos(turn) * u + math.sin(turn) * v
    along = -math.sin(turn) * u + math.cos(turn) * v
    k = pose.bend
    if abs(k) < 1e-3:
        x, z = across, np.zeros_like(across)
    else:
        x, z = np.sin(k * across) / k, (1 - np.cos(k * across)) / k
    points = np.stack([x, along, z]) if np.ndim(u) else np.array([x, along, z])
    seen = _rotation(pose).astype(float) @ points + _middle(pose)[:, None]
    side = max(shape)
    return np.stack(
        [seen[0] / seen[2] * FOCAL * side + shape[1] / 2, seen[1] / seen[2] * FOCAL * side + shape[0] / 2], -1
    )


# Pixels


def _checked(picture):
    picture = np.asarray(picture)
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3 or min(picture.shape[:2]) < 16:
        raise ValueError("a picture is an array of height x width x 3 uint8 values, at least 16 pixels each way")
    return picture


def _thinned(axis, step, dimension):
    count = max(2, -(-axis.size // step))
    pitch = axis.ravel()[1] - axis.ravel()[0]
    # Middles of the squares, which `_resized` takes small pixels to be.
    places = axis.ravel()[0] + pitch * ((np.arange(count) + 0.5) * (axis.size / count) - 0.5)
    return places.astype(np.float32)[None, :] if dimension == 1 else places.astype(np.float32)[:, None]


def _resized(values, shape):
    """Values (2-D, or 3-D with channels last) spread smoothly over a picture."""
    size = (shape[1], shape[0])
    if values.ndim == 2:
        return np.asarray(Image.fromarray(np.ascontiguousarray(values, np.float32)).resize(size, Image.BILINEAR))
    return np.stack([_resized(values[..., channel], shape) for channel in range(values.shape[2])], -1)


def _bilinear(light, x, y):
    rows, columns, channels = light.shape
    x, y = np.clip(x, 0, columns - 1.001), np.clip(y, 0, rows - 1.001)
    left, top = x.astype(np.int32), y.astype(np.int32)
    x, y = (x - left)[..., None], (y - top)[..., None]
    # Four floats are as long as one complex number, and numbers are gathered much faster than rows are.
    padded = np.zeros((rows * columns, 4), np.float32)
    padded[:, :channels] = light.reshape(-1, channels)
    padded = padded.view(np.complex128)[:, 0]
    index = top * columns + left

    def at(offset):
        return padded.take(index + offset)[..., None].view(np.float32)

    upper, lower = at(0), at(columns)
    upper += (at(1) - upper) * x
    lower += (at(columns + 1) - lower) * x
    lower -= upper
    lower *= y
    upper += lower
    return upper[..., :channels]


def _aperture(fx, fy):
    """What the square area of a pixel leaves of a frequency (cycles in a pixel)."""
    return np.sinc(fx) * np.sinc(fy)


def _gaussian(light, deviation):
    if deviation < 0.2:
        return light
    reach = max(1, math.ceil(2.2 * deviation))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    weights = (weights / weights.sum()).astype(np.float32)
    for axis in (0, 1):
        pad = [(0, 0)] * light.ndim
        pad[axis] = (reach, reach)
        padded = np.pad(light, pad, mode="edge")
        size = light.shape[axis]
        part = [slice(None)] * light.ndim
        part[axis] = slice(reach, reach + size)
        out = padded[tuple(part)] * weights[reach]
        for off in range(1, reach + 1):
            part[axis] = slice(reach - off, reach - off + size)
            pair = padded[tuple(part)]
            part[axis] = slice(reach + off, reach + off + size)
            pair = pair + padded[tuple(part)]
            pair *= weights[reach + off]
            out += pair
        light = out
    return light


def _smeared(light, length, angle):
    """The mean along a line: the hand moved while the shutter was open."""
    count = max(2, round(length) + 1)
    reach = math.ceil(length / 2) + 1
    padded = np.pad(light, ((reach, reach), (reach, reach), (0, 0)), mode="edge")
    rows, columns = light.shape[:2]
    total = np.zeros_like(light)
    for step in np.linspace(-length / 2, length / 2, count):
        dy, dx = round(reach + step * math.sin(angle)), round(reach + step * math.cos(angle))
        total += padded[dy : dy + rows, dx : dx + columns]
    total /= count
    return total


def _sharpened(picture, amount):
    values = picture.astype(np.float32)
    values += np.float32(amount) * (values - _gaussian(values, 0.8))
    np.clip(values, 0, 255, out=values)
    return values.astype(np.uint8)


def _recompressed(picture, quality, chroma_halved):
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "JPEG", quality=quality, subsampling=2 if chroma_halved else 0)
    stream.seek(0)
    return np.array(Image.open(stream))

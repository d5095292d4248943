"""What is held before a camera: a print, a screen, a cut-out print that is worn.

Each object is one medium before one camera. What it draws from the generator is kept in `parameters`; `frame` takes a
picture of it, in its own pose or in another one. Paper, halftone, pixel grid, lamps and hands stay where they physically
are while the medium moves.
"""

import math

import numpy as np
from PIL import Image

import optics
from optics import Pose, colour, light_of

# Where a face is taken to be when nothing says so: forehead to chin in the aligned photos of LFW (x, y, width and height
# over those of the picture).
FACE = (0.29, 0.28, 0.42, 0.48)

# Features in such a box (x and y over its width and height), by the usual proportions of a face.
EYES = ((0.31, 0.35), (0.69, 0.35))
NOSE = (0.50, 0.56)
MOUTH = (0.50, 0.76)

# Angles of the screens of cyan, magenta, yellow and black in four-colour printing, degrees (the custom of offset print).
SCREEN_ANGLES = (15.0, 75.0, 0.0, 45.0)


def face_at(eyes):
    """The box (x, y, width, height) and the roll in degrees of a face whose eyes are at two points of a picture.

    The box is that of the upright face about the middle between the eyes, before it is rolled about its own middle.
    """
    (ax, ay), (bx, by) = sorted(eyes)
    distance = math.hypot(bx - ax, by - ay)
    roll = math.atan2(by - ay, bx - ax)
    width = distance / (EYES[1][0] - EYES[0][0])
    height = width * FACE[3] / FACE[2]
    down = (0.5 - EYES[0][1]) * height
    x, y = (ax + bx) / 2 - down * math.sin(roll), (ay + by) / 2 + down * math.cos(roll)
    return x - width / 2, y - height / 2, width, height, math.degrees(roll)


class Medium:
    """One thing before one camera."""

    species = ""

    def __init__(self, shape, rng, source=None, difficulty=None, background=None):
        self.source = tuple(int(size) for size in (source or shape)[:2])
        self.half = optics.half_sizes(self.source, shape)
        self.difficulty = float(rng.uniform()) if difficulty is None else float(difficulty)
        self.camera = optics.Camera(shape, rng, self.difficulty)
        self.parameters = {
            "simulated": True,
            "species": self.species,
            "size": [*self.camera.shape, *self.source],
            "difficulty": round(self.difficulty, 4),
        }
        self.note(**self.camera.parameters())
        self.room = room(rng, self.camera.shape, background)

    def note(self, **values):
        for name, value in values.items():
            self.parameters[name] = _plain(value)

    def set_pose(self, pose):
        self.pose = pose
        self.note(pose=pose.values())

    def _surface(self, pose):
        u, v, _ = optics.unproject(pose, self.camera.xs, self.camera.ys)
        return u, v

    def _coverage(self, distance, pose):
        """How much of each pixel lies inside an outline, from the signed distance to it."""
        return np.clip(0.5 - distance * (self.camera.side * pose.scale), 0, 1)

    def _outside(self, u, v, grown=0.0):
        """About the signed distance to the source picture's edge, moved out."""
        return np.maximum(np.abs(u) - (self.half[0] + grown), np.abs(v) - (self.half[1] + grown))

    def _content(self, picture, pose):
        """Light of the source picture, made smaller where the camera sees it smaller."""
        picture = np.ascontiguousarray(picture)
        shrink = pose.scale * self.half[0] * 2 * self.camera.side / picture.shape[1]
        if shrink < 0.8:
            size = [max(8, round(length * shrink)) for length in (picture.shape[1], picture.shape[0])]
            picture = np.asarray(Image.fromarray(picture).resize(size, Image.BICUBIC))
        return light_of(picture)

    def _sample(self, light, u, v):
        """Light of the source picture at places of the medium."""
        rows, columns = light.shape[1:]
        x = u * (0.5 * columns / self.half[0]) + (columns - 1) / 2
        y = v * (0.5 * rows / self.half[1]) + (rows - 1) / 2
        return optics.bilinear(light, x, y)

    def _shade(self, pose, light, ambient):
        """Light on a matt surface, over that on a flat one that faces the camera."""
        _, _, bent = optics.unproject(pose, *self.camera.coarse)
        toward = pose.rotation().T @ light
        diffuse = np.clip(np.sin(bent) * toward[0] - np.cos(bent) * toward[2], 0, None)
        return self.camera.spread(ambient + (1 - ambient) * diffuse / max(0.2, -light[2]))

    def _gleam(self, pose, light, width):
        """A lamp's mirror image on the surface: 1 where it is brightest."""
        xs, ys = self.camera.coarse
        _, _, bent = optics.unproject(pose, xs, ys)
        normal = np.stack([np.sin(bent), np.zeros_like(bent), -np.cos(bent)], -1) @ pose.rotation().T
        view = -np.stack(np.broadcast_arrays(xs, ys, np.float32(optics.FOCAL)), -1)
        view /= np.linalg.norm(view, axis=-1, keepdims=True)
        halfway = view + light
        halfway /= np.linalg.norm(halfway, axis=-1, keepdims=True)
        off = 1 - np.clip((normal * halfway).sum(-1), 0, 1)
        return self.camera.spread(np.exp(-off / width))


class Print(Medium):
    """A print that is held, or stuck, before the camera."""

    species = "print"

    def __init__(self, shape, rng, *, source=None, difficulty=None, background=None):
        super().__init__(shape, rng, source, difficulty, background)
        hard = self.difficulty
        filling = rng.uniform() < 0.25 + 0.6 * hard
        tilt = 14 * (1.3 - hard)
        # A bend toward the camera stays so slight that the camera lies well inside the cylinder.
        bend = max(-0.7, rng.normal(0.1, 0.7 * (1.2 - hard))) if rng.uniform() < 0.7 else 0.0
        self.set_pose(
            Pose(
                yaw=rng.normal(0, tilt), pitch=rng.normal(0, tilt * 0.8), roll=rng.normal(0, 5 * (1.3 - hard)),
                x=rng.normal(0, 0.03), y=rng.normal(0, 0.03),
                scale=rng.uniform(1.12, 1.4) if filling else rng.uniform(0.55, 0.95), bend=bend,
                axis=rng.normal(0, 25),
            )
        )
        self.margin = 0.0 if rng.uniform() < 0.4 else rng.uniform(0.02, 0.15)
        self._draw_paper(rng)
        self._draw_ink(rng)
        self._draw_light(rng)
        self.hands = Hands(rng, (self.half[0] + self.margin, self.half[1] + self.margin))
        self.note(margin=self.margin, filling=bool(filling), hands=self.hands.count)

    def _draw_paper(self, rng):
        bright = rng.uniform(0.72, 0.92)
        self.paper = [bright, bright * rng.uniform(0.96, 1), bright * rng.uniform(0.88, 1.03)]
        # Reflectance of full black: 2 % of glossy photo paper, up to 12 % of copy paper from a laser printer.
        self.black = rng.uniform(0.015, 0.12 - 0.07 * self.difficulty)
        self.note(paper=self.paper, black=self.black)

    def _draw_ink(self, rng):
        hard = self.difficulty
        self.grey = bool(rng.uniform() < 0.10 * (1.5 - hard))
        self.saturation = 0.0 if self.grey else rng.uniform(0.45 + 0.35 * hard, 1.05)
        self.contrast = rng.uniform(0.7, 1.15)
        self.inks = [math.exp(rng.normal(0, 0.08 * (1.3 - hard))) for _ in range(3)]
        if self.grey:
            self.inks = [1.0, 1.0, 1.0]
        kinds = [0.15 + 0.35 * hard, 0.4 - 0.05 * hard, 0.45 - 0.3 * hard]
        self.process = str(rng.choice(["photo", "inkjet", "halftone"], p=kinds))
        # Cycles of the halftone in a pixel; above a half the camera cannot resolve it, and only a beat is left.
        coarsest, finest = 0.18 + 0.25 * hard, 0.8 + 0.3 * hard
        self.frequency = math.exp(rng.uniform(math.log(coarsest), math.log(finest))) / self.camera.unit
        self.lines = self.frequency * self.camera.side * self.pose.scale
        self.turn = rng.uniform(0, 90)
        self.grain = rng.uniform(0.03, 0.14) * (1.1 - 0.8 * hard)
        self.streaks = rng.uniform(0.01, 0.07) * (1.1 - hard) if rng.uniform() < 0.35 else 0.0
        self.streak_lines = rng.uniform(8, 60)
        # The droplets belong to the paper: drawn once, they move with it.
        self.droplets = rng.standard_normal((128, 128), np.float32)
        self.note(
            grey=self.grey, saturation=self.saturation, contrast=self.contrast, inks=self.inks, process=self.process,
            frequency=self.frequency, turn=self.turn, grain=self.grain, streaks=self.streaks,
            streak_lines=self.streak_lines,
        )

    def _draw_light(self, rng):
        hard = self.difficulty
        self.glossy = bool(rng.uniform() < 0.45)
        self.sheen = rng.uniform(0.05, 0.8) * (1.1 - hard) if self.glossy else rng.uniform(0, 0.08)
        self.sheen_width = math.exp(rng.uniform(math.log(0.002), math.log(0.03))) if self.glossy else rng.uniform(0.05, 0.2)
        self.light = direction(rng)
        self.ambient = rng.uniform(0.35, 0.8)
        self.exposure = rng.uniform(0.85, 1.25)
        self.note(
            glossy=self.glossy, sheen=self.sheen, sheen_width=self.sheen_width, light=self.light,
            ambient=self.ambient, exposure=self.exposure,
        )

    def frame(self, picture, rng, pose=None, time=0.0):
        """The picture that the camera takes of the medium in `pose` (its own, unless given)."""
        pose = pose or self.pose
        u, v = self._surface(pose)
        sheet = self._outside(u, v, self.margin)
        light = self._lit(self._printed(picture, pose, u, v), pose)
        inside = self._coverage(sheet, pose)
        if inside.min() < 1:
            # The sheet's shadow falls on what is close behind it.
            behind = self.room * (1 - 0.5 * np.clip(1 - sheet * 12, 0, 1))
            light = behind + (light - behind) * inside
        # Arms are not bent with the sheet.
        light = self.hands.over(light, *self._surface(pose.moved(bend=-pose.bend)), self.light)
        light = self.camera.focused(light)
        return self.camera.develop(self._screened(light, inside, pose, u, v), rng)

    def _lit(self, printed, pose):
        shade = self._shade(pose, self.light, self.ambient) * self.exposure
        return printed * shade + self._gleam(pose, self.light, self.sheen_width) * self.sheen

    def _printed(self, picture, pose, u, v):
        """Reflectance of the print at each pixel, without its halftone."""
        ink = self._sample(self._inked(picture, pose), u, v)
        if self.margin:
            ink = 1 + (ink - 1) * self._coverage(self._outside(u, v), pose)
        if self.process == "inkjet":
            ink += self._droplets(ink, pose, u, v)
        if self.streaks:
            # Passes of the head, or the drum's uneven turning.
            turns = v * (2 * math.pi * self.streak_lines)
            ink *= 1 - self.streaks * (np.cos(turns) + np.cos(0.37 * turns)) * (1 - ink)
        return colour(self.paper) * (self.black + (1 - self.black) * ink)

    def _inked(self, picture, pose):
        """The source picture in the printer's gamut: 1 is no ink, 0 full ink."""
        light = self._content(picture, pose)
        grey = sum(part * plane for part, plane in zip(optics.LUMINANCE, light))
        light = grey + (light - grey) * self.saturation
        light *= colour(self.inks)
        # Contrast about the mid grey of a print, 18 %.
        light = 0.18 + (light - 0.18) * self.contrast
        return np.clip(light, 0, 1)

    def _droplets(self, ink, pose, u, v):
        """Droplets that are too small for the camera leave noise, most in the middle tones."""
        cells = max(self.lines, 0.6 * self.camera.side * self.pose.scale / self.camera.unit)
        x, y = (np.floor(where * cells).astype(np.int32) & 127 for where in (u, v))
        # More of them in a pixel, less noise.
        strength = self.grain * min(1.0, self.camera.side * pose.scale / cells)
        if self.grey:
            drops = self.droplets[y, x]
        else:
            # Each ink has droplets of its own.
            drops = np.stack([self.droplets[y, x], self.droplets[x, y], self.droplets[(y + 61) & 127, x]])
        return strength * drops * np.sqrt(ink * (1 - ink))

    def _screened(self, light, inside, pose, u, v):
        """Dots on a grid, of a size that makes the tone, as far as the lens and the pixels let them through."""
        if self.process != "halftone":
            return light
        across = self.lines / (self.camera.side * pose.scale)
        seen = float(optics.aperture(across)) * math.exp(-2 * (math.pi * self.camera.blur * across) ** 2)
        if seen < 0.01:
            return light
        white = np.maximum(self._shade(pose, self.light, self.ambient) * self.exposure, 0.05)
        full = colour(self.paper) * white
        tones = np.clip(light / full, 0, 1)
        if self.grey:
            dots = self._dots(tones.mean(0), SCREEN_ANGLES[3], u, v)
        else:
            # Black ink makes most of what the three others have in common.
            dots = np.stack([0.4 * self._dots(tone, turn, u, v) for tone, turn in zip(tones, SCREEN_ANGLES)])
            dots += 0.6 * self._dots(tones.mean(0), SCREEN_ANGLES[3], u, v)
        return light + full * (inside * seen) * dots

    def _dots(self, tone, turn, u, v):
        """What dots add to an even tone."""
        angle = math.radians(turn + self.turn)
        cycles = 2 * math.pi * self.lines
        a, b = cycles * math.cos(angle), cycles * math.sin(angle)
        threshold = np.cos(a * u + b * v) + np.cos(a * v - b * u)
        dots = np.clip((tone - 0.5) * 2.6 + threshold * 0.7 + 0.5, 0, 1) - tone
        # None in what is all white or all black.
        return dots * np.clip(8 * tone * (1 - tone), 0, 1)


class Screen(Medium):
    """A display before the camera."""

    species = "screen"

    def __init__(self, shape, rng, *, source=None, difficulty=None, background=None):
        super().__init__(shape, rng, source, difficulty, background)
        hard = self.difficulty
        self.device = str(rng.choice(["phone", "tablet", "monitor"], p=[0.4, 0.2, 0.4]))
        filling = rng.uniform() < 0.25 + 0.6 * hard
        tilt = 10 * (1.3 - hard)
        self.set_pose(
            Pose(
                yaw=rng.normal(0, tilt), pitch=rng.normal(0, tilt * 0.8), roll=rng.normal(0, 4 * (1.3 - hard)),
                x=rng.normal(0, 0.03), y=rng.normal(0, 0.03),
                scale=rng.uniform(1.12, 1.4) if filling else rng.uniform(0.55, 0.95),
            )
        )
        self._draw_case(rng)
        self._draw_display(rng)
        self._draw_grid(rng)
        self._draw_glass(rng)
        self.note(device=self.device, filling=bool(filling))

    def _draw_case(self, rng):
        # Dark or light surroundings of the picture on the display (left, top, right, bottom), and the device's frame.
        bordered = rng.uniform() < 0.7
        self.border = [max(0.0, rng.normal(0.02, 0.07)) if bordered else 0.0 for _ in range(4)]
        pale = self.device == "monitor" and rng.uniform() < 0.4
        self.border_light = rng.uniform(0.6, 1) if pale else rng.uniform(0, 0.02)
        thickness = {"phone": (0.015, 0.06), "tablet": (0.04, 0.1), "monitor": (0.02, 0.08)}[self.device]
        self.bezel = rng.uniform(*thickness)
        self.bezel_light = rng.uniform(0.002, 0.04) if rng.uniform() < 0.8 else rng.uniform(0.1, 0.6)
        self.corner = rng.uniform(0.02, 0.09) if self.device != "monitor" else 0.005
        left, top, right, bottom = self.border
        self.middle = (right - left) / 2, (bottom - top) / 2
        self.extent = self.half[0] + (left + right) / 2, self.half[1] + (top + bottom) / 2
        case = self.extent[0] + self.bezel, self.extent[1] + self.bezel
        self.hands = Hands(rng, case, held=self.device != "monitor")
        self.note(
            border=self.border, border_light=self.border_light, bezel=self.bezel, bezel_light=self.bezel_light,
            corner=self.corner, hands=self.hands.count,
        )

    def _draw_display(self, rng):
        hard = self.difficulty
        # A white that is bluer than the room's light.
        cool = abs(rng.normal(0, 0.1 * (1.2 - 0.7 * hard)))
        self.white = [math.exp(part * cool + rng.normal(0, 0.02)) for part in (-1, 0, 0.8)]
        self.gamma = rng.uniform(0.85, 1.2)
        self.black = rng.uniform(0.001, 0.05 * (1.1 - 0.7 * hard))
        self.brightness = rng.uniform(0.75, 1.35)
        self.band = rng.uniform(0.02, 0.22) * (1.1 - 0.8 * hard) if rng.uniform() < 0.4 else 0.0
        self.band_count = rng.uniform(0.6, 5)
        self.band_phase = rng.uniform()
        # Bands run when the display's refresh and the camera's rate differ: turns in a second.
        self.band_speed = rng.normal(0, 1.5)
        # A display sends less light to the side.
        self.fall = rng.uniform(0, 0.35)
        self.note(
            white=self.white, gamma=self.gamma, black=self.black, brightness=self.brightness, band=self.band,
            band_count=self.band_count, band_phase=self.band_phase, band_speed=self.band_speed, fall=self.fall,
        )

    def _draw_grid(self, rng):
        hard = self.difficulty
        # A camera's sensor has more pixels than the picture that is kept of it.
        self.sensor = float(rng.choice([1.0, 1.0, 1.5, 2.0, 3.0]))
        # Pixels of the display in one of the sensor: beats are visible near 0.5, 1 and 2.
        self.ratio = math.exp(rng.uniform(math.log(0.4 + 0.5 * hard), math.log(2.2 + 1.2 * hard)))
        self.layout = "diamond" if self.device != "monitor" and rng.uniform() < 0.5 else "stripes"
        self.reversed = bool(rng.uniform() < 0.15)
        self.duty = rng.uniform(0.2, 0.31)
        self.row_duty = rng.uniform(0.7, 0.95)
        # The lens's own blur on the sensor, in its pixels: in focus, the grid comes through.
        self.softness = rng.uniform(0.15, 0.45 + 0.35 * hard)
        self.depth = rng.uniform(0.15, 1) * (1.1 - 0.7 * hard)
        self.pitch = self.ratio * self.camera.side * self.pose.scale * self.sensor
        self.note(
            sensor=self.sensor, ratio=self.ratio, layout=self.layout, reversed=self.reversed, duty=self.duty,
            row_duty=self.row_duty, softness=self.softness, depth=self.depth,
        )

    def _draw_glass(self, rng):
        hard = self.difficulty
        self.mirror = rng.uniform(0, 0.09) * (1.1 - 0.9 * hard)
        self.reflected = room(rng, self.camera.shape, None)
        self.light = direction(rng)
        self.glare = rng.uniform(0.1, 0.9) * (1.1 - hard) if rng.uniform() < 0.45 else 0.0
        self.glare_width = math.exp(rng.uniform(math.log(0.0006), math.log(0.02)))
        # The camera sets its exposure by the display, so the room goes dark.
        self.darkness = rng.uniform(0.05, 0.6)
        self.room = self.room * self.darkness
        self.note(
            mirror=self.mirror, light=self.light, glare=self.glare, glare_width=self.glare_width,
            darkness=self.darkness,
        )

    def frame(self, picture, rng, pose=None, time=0.0):
        """The picture that the camera takes of the display in `pose` at `time` (seconds)."""
        pose = pose or self.pose
        u, v = self._surface(pose)
        # From the display's middle, which is not the picture's where its borders differ.
        away = np.abs(u - self.middle[0]), np.abs(v - self.middle[1])
        on = self._coverage(np.maximum(away[0] - self.extent[0], away[1] - self.extent[1]), pose)
        whole = on.min() == 1
        light = self._shown(picture, pose, u, v)
        if not whole:
            case = self._coverage(self._beyond_case(*away), pose)
            around = self.room + (self.bezel_light * self.darkness - self.room) * case
            light = around + (light - around) * on
        light = self.camera.focused(light)
        factor = self._grid(pose, u, v)
        if self.band:
            turns = self.camera.ys * self.band_count + (self.band_phase + time * self.band_speed)
            factor *= 1 + self.band * np.clip(2 * np.cos(turns * (2 * math.pi)), -1, 1)
        light *= factor if whole else 1 + (factor - 1) * on
        glass = self._reflection(pose)
        light += glass if whole else glass * case
        light = self.hands.over(light, u, v, self.light, self.darkness)
        return self.camera.develop(light, rng)

    def _shown(self, picture, pose, u, v):
        """Light of the display's picture, as if its pixels had no gaps."""
        light = self._content(picture, pose) ** self.gamma
        light = self.black + (1 - self.black) * light
        if self.ratio < 0.6:
            # Pixels as large as these show as blocks.
            inside = self._sample(light, *((np.floor(where * self.pitch) + 0.5) / self.pitch for where in (u, v)))
        else:
            inside = self._sample(light, u, v)
        if any(self.border):
            edge = self.black + self.border_light
            inside = edge + (inside - edge) * self._coverage(self._outside(u, v), pose)
        xs, ys = self.camera.xs, self.camera.ys
        fall = 1 - self.fall * (xs * (2 * math.sin(math.radians(pose.yaw))) + (xs * xs + ys * ys))
        inside *= fall
        return inside * (colour(self.white) * self.brightness)

    def _beyond_case(self, across, along):
        a = np.maximum(across - (self.extent[0] + self.bezel - self.corner), 0)
        b = np.maximum(along - (self.extent[1] + self.bezel - self.corner), 0)
        return np.sqrt(a * a + b * b) - self.corner

    def _reflection(self, pose):
        """What the glass mirrors: the room before it, and lamps."""
        shift = [round(2 * angle * self.camera.unit) for angle in (pose.pitch, pose.yaw)]
        light = np.roll(self.reflected, shift, (1, 2)) * self.mirror
        if self.glare:
            light += self._gleam(pose, self.light, self.glare_width) * self.glare
        return light

    def _harmonics(self):
        """Terms of each colour's lit area: cycles across and down in a pixel of the display, strength, shift of each
        colour, and the colours.

        The lit area repeats with the pixels, so it is a Fourier series; a stripe of width d over a pixel has the
        coefficients sinc(k d).
        """
        shifts = (2 / 3, 1 / 3, 0) if self.reversed else (0, 1 / 3, 2 / 3)
        if self.layout == "stripes":
            for k in (1, 2):
                yield k, 0, float(np.sinc(k * self.duty)), [-k * shift for shift in shifts], (0, 1, 2)
            yield 0, 1, float(np.sinc(self.row_duty)), (0, 0, 0), (0, 1, 2)
        else:
            # Diamonds: green in each pixel, red and blue in every other one.
            strength = 0.7 * float(np.sinc(self.duty))
            for k, l in ((1, 0), (0, 1)):
                yield k, l, strength, (0, 0, 0), (1,)
            for k, l in ((0.5, 0.5), (0.5, -0.5)):
                yield k, l, strength, (0.25, 0, 0.75), (0, 2)

    def _grid(self, pose, u, v):
        """What the pixels of the display do to each pixel of the picture: the grid itself, or its beat (moiré).

        Samples at whole positions cannot tell a frequency from that frequency less a whole number. So each term is
        folded to below a half, which is exact, and attenuated by what the camera does before the sampling (lens, area of
        a pixel) and after it (making the picture smaller). Red and blue lie on every second pixel of a Bayer sensor, so
        they fold at halves: that gives the beat its colours.
        """
        camera = self.camera
        total = np.ones((3, *camera.shape), np.float32)
        coarse_u, coarse_v, _ = optics.unproject(pose, *camera.coarse)
        steps = [step * self.sensor for step in camera.coarse_step()]
        (uy, ux), (vy, vx) = (np.gradient(where * self.pitch, *steps) for where in (coarse_u, coarse_v))
        row, column = coarse_u.shape[0] // 2, coarse_u.shape[1] // 2
        x = np.arange(camera.width, dtype=np.float32)[None, :] * self.sensor
        y = np.arange(camera.height, dtype=np.float32)[:, None] * self.sensor
        for k, l, strength, shifts, channels in self._harmonics():
            fx, fy = k * ux + l * vx, k * uy + l * vy
            before = strength * optics.aperture(fx, fy) * np.exp(-2 * (math.pi * self.softness) ** 2 * (fx**2 + fy**2))
            if np.abs(before).max() * self.depth < 0.004:
                continue
            phase = u * (k * self.pitch) + v * (l * self.pitch)
            for channel in channels:
                fold = 1 if channel == 1 else 2
                mx, my = (round(fold * float(f[row, column])) / fold for f in (fx, fy))
                seen = before
                if self.sensor > 1:
                    seen = before * optics.aperture((fx - mx) * self.sensor, (fy - my) * self.sensor)
                if np.abs(seen).max() * self.depth < 0.004:
                    continue
                # Blue lies one pixel right of and below red.
                slow = phase - (mx * x + my * y) + (shifts[channel] + (mx + my if channel == 2 else 0))
                wave = np.cos(slow * (2 * math.pi))
                wave *= camera.spread(seen * (2 * self.depth))
                total[channel] += wave
        return np.maximum(total, 0, out=total)


class Cutout(Print):
    """A printed face, cut out along its outline and worn before a head."""

    species = "cutout"

    PARTS = ("eyes", "nose", "mouth")
    HOLES = ((), ("eyes",), ("eyes", "mouth"), ("eyes", "nose"), PARTS)

    def __init__(
        self, shape, rng, *, source=None, holes=None, face=None, behind=None, behind_face=None, difficulty=None,
        background=None,
    ):
        super().__init__(shape, rng, source=source, difficulty=difficulty, background=background)
        hard = self.difficulty
        drawn = self.HOLES[int(rng.choice(len(self.HOLES), p=[0.1, 0.45, 0.2, 0.1, 0.15]))]
        self.holes = drawn if holes is None else tuple(holes)
        for hole in self.holes:
            if hole not in self.PARTS:
                raise ValueError(f"no such hole: {hole}; there are {', '.join(self.PARTS)}")
        self.face = self._face(face)
        # A mask follows the head: little turned, and bent round it.
        self.set_pose(
            Pose(
                yaw=rng.normal(0, 6), pitch=rng.normal(0, 5), roll=rng.normal(0, 4), x=rng.normal(0, 0.02),
                y=rng.normal(0, 0.02), scale=rng.uniform(0.9, 1.25), bend=abs(rng.normal(0.7, 0.5)),
                axis=rng.normal(0, 5),
            )
        )
        self.lines = self.frequency * self.camera.side * self.pose.scale
        # Scissors: half the width and height of the outline over the face's, its squareness, and how it wanders.
        self.outline = rng.uniform(0.50, 0.62), rng.uniform(0.52, 0.64), rng.uniform(2.0, 2.6)
        self.wander = [rng.normal(0, 0.02 * (1.2 - hard)) for _ in range(6)]
        self.hole_sizes = {part: rng.uniform(0.8, 1.25) for part in self.PARTS}
        # The cut edge shows white paper, as thick as it is.
        self.rim = rng.uniform(0, 0.006) * (1.2 - hard)
        self.shadow = rng.uniform(0.2, 0.8)
        self.gap = rng.uniform(0.004, 0.03)
        self.wearer = Wearer(self, rng, behind, behind_face)
        self.note(
            holes=self.holes, face=self.face, outline=self.outline, wander=self.wander, hole_sizes=self.hole_sizes,
            rim=self.rim, shadow=self.shadow, gap=self.gap, margin=0.0, filling=False, hands=0,
        )
        self.margin = 0.0

    def _face(self, face):
        """Middle, width, height (in the medium's units) and roll (radians) of the face, from a box in pixels."""
        rows, columns = self.source
        if face is None:
            face = FACE[0] * columns, FACE[1] * rows, FACE[2] * columns, FACE[3] * rows
        x, y, width, height, roll = (*face, 0.0)[:5]
        unit = 2 * self.half[0] / columns
        middle = (x + width / 2) * unit - self.half[0], (y + height / 2) * unit - self.half[1]
        return [float(value) for value in (*middle, width * unit, height * unit, math.radians(roll))]

    def in_face(self, u, v):
        """Places over the face's width and height, from its middle."""
        x, y, width, height, roll = self.face
        u, v = u - x, v - y
        return (u * math.cos(roll) + v * math.sin(roll)) / width, (v * math.cos(roll) - u * math.sin(roll)) / height

    def frame(self, picture, rng, pose=None, time=0.0, behind=None):
        """The picture that the camera takes of the mask in `pose`. `behind` is the light of all that is behind it;
        without it, the wearer of this medium moves along with the mask."""
        pose = pose or self.pose
        u, v = self._surface(pose)
        p, q = self.in_face(u, v)
        edge = self._mask(p, q)
        printed = self._printed(picture, pose, u, v)
        if self.rim:
            rim = np.clip(1 + edge / self.rim, 0, 1) * (edge < 0)
            printed += (colour(self.paper) - printed) * (0.6 * rim)
        inside = self._coverage(edge, pose)
        # The mask is bent round the head, but what is behind it is not.
        head = behind
        if head is None:
            head = self.wearer.light(*self.in_face(*self._surface(pose.moved(bend=-pose.bend))))
        # The mask's shadow falls away from the light, on the face behind it.
        shift = [self.gap * float(part) / size for part, size in zip(self.light, self.face[2:4])]
        away = self._mask(p + shift[0], q + shift[1])
        head = head * (1 - self.shadow * np.clip(0.5 - away * (0.7 / self.gap), 0, 1))
        light = head + (self._lit(printed, pose) - head) * inside
        light = self.camera.focused(light)
        return self.camera.develop(self._screened(light, inside, pose, u, v), rng)

    def _mask(self, p, q):
        """About the signed distance to the cut: negative on the paper."""
        _, _, width, height, _ = self.face
        wide, high, square = self.outline
        # Narrower at the chin.
        a = p * (1 + 0.18 * np.clip(q / high, -1, 1)) / wide
        b = q / high
        radius = (np.abs(a) ** square + np.abs(b) ** square) ** (1 / square)
        angle = np.arctan2(b, a)
        for order, size in enumerate(self.wander):
            radius += (size / (order + 1)) * np.cos((order + 2) * angle + order)
        distance = (radius - 1) * (0.5 * min(width, height))
        for hole in self._hole_distances(p, q):
            np.maximum(distance, -hole, out=distance)
        return distance

    def _hole_distances(self, p, q):
        shapes = []
        if "eyes" in self.holes:
            shapes += [(eye, 0.125, 0.062, "eyes") for eye in EYES]
        if "nose" in self.holes:
            shapes.append((NOSE, 0.11, 0.13, "nose"))
        if "mouth" in self.holes:
            shapes.append((MOUTH, 0.19, 0.065, "mouth"))
        for (x, y), wide, high, part in shapes:
            wide, high = wide * self.hole_sizes[part], high * self.hole_sizes[part]
            radius = np.sqrt(((p - (x - 0.5)) / wide) ** 2 + ((q - (y - 0.5)) / high) ** 2)
            yield (radius - 1) * (high * self.face[3])


class Wearer:
    """The head behind a mask: a photo of one, or one that is drawn: clothes, neck, hair, skin, eyes and mouth."""

    def __init__(self, mask, rng, behind, face):
        self.mask = mask
        self.tone = skin(rng)
        self.exposure = rng.uniform(0.75, 1.15)
        self.photo = None if behind is None else np.asarray(behind)
        self.box = face
        self.hair = np.array([1, 0.8, 0.6], np.float32) * rng.uniform(0.01, 0.15)
        self.clothes = (rng.uniform(0.02, 0.5) * np.exp(rng.normal(0, 0.2, 3))).astype(np.float32)
        self.hooded = bool(rng.uniform() < 0.3)
        self.grown = rng.uniform(0.92, 1.12)
        self.drop = rng.uniform(-0.06, 0.06)
        self.iris = rng.uniform(0.02, [0.15, 0.1, 0.12]).astype(np.float32)
        self.open = rng.uniform(0.6, 1.1)
        self.gaze = rng.normal(0, 0.01)
        self.folds = np.exp(rng.normal(0, 0.12, (12, 12))).astype(np.float32)
        self.strands = np.exp(rng.normal(0, 0.35, (3, 70))).astype(np.float32)
        mask.note(wearer="drawn" if behind is None else "photo", skin=self.tone)

    def light(self, p, q):
        return self._drawn(p, q) if self.photo is None else self._photographed(p, q)

    def _photographed(self, p, q):
        rows, columns = self.photo.shape[:2]
        box = self.box or (FACE[0] * columns, FACE[1] * rows, FACE[2] * columns, FACE[3] * rows)
        x, y, width, height, roll = (*box, 0.0)[:5]
        roll = math.radians(roll)
        a, b = p * width, q * height
        across, down = a * math.cos(roll) - b * math.sin(roll), a * math.sin(roll) + b * math.cos(roll)
        light = optics.bilinear(light_of(self.photo), across + (x + width / 2 - 0.5), down + (y + height / 2 - 0.5))
        return light * self.exposure

    def _drawn(self, p, q):
        mask = self.mask
        # At half the size: what is behind a mask is a little out of focus.
        p, q = p[::2, ::2], q[::2, ::2] - self.drop
        light = optics.resized(mask.room, p.shape)

        def paint(distance, hue, sharpness):
            hue = colour(hue) if np.size(hue) == 3 else hue
            light[...] += (hue - light) * np.clip(0.5 - distance * sharpness, 0, 1)

        def ellipse(x, y, wide, high):
            return np.sqrt(((p - x) / wide) ** 2 + ((q - y) / high) ** 2) - 1

        folds, strands = optics.resized(self.folds, p.shape), optics.resized(self.strands, p.shape)
        lit = 1 + 0.7 * np.clip(p * float(mask.light[0]), -0.5, 0.5)
        tone, grown = colour(self.tone), self.grown
        body = np.abs(p) * 0.42 - (q - 0.68) - 0.35 * np.clip(1 - np.abs(p), 0, 1)
        paint(body, colour(self.clothes) * (lit * (1 - 0.2 * np.clip(np.abs(p), 0, 2)) * folds), 20)
        paint(np.maximum(np.abs(p) - 0.3, 0.2 - q), tone * (lit * (0.75 - 0.9 * np.abs(p))), 25)
        hair = ellipse(0, -0.1, 0.62 * grown, 0.66 * grown)
        cap = colour(self.clothes) * folds if self.hooded else colour(self.hair) * strands
        paint(hair, cap * (lit * (1.1 - 0.6 * np.clip(hair + 1, 0, 1) ** 4)), 14)
        round_off = 1.05 - 0.5 * np.clip(np.abs(p) * 1.6 - 0.2, 0, 1)
        paint(ellipse(0, 0, 0.5 * grown, 0.57 * grown), tone * (lit * round_off * np.sqrt(folds)), 18)
        for x, y in EYES:
            self._eye(paint, ellipse, p - (x - 0.5), q + self.drop - (y - 0.5), x - 0.5, y - 0.5 - self.drop)
        nose = np.clip(-ellipse(0, 0.1 - self.drop, 0.12, 0.1), 0, 1)
        light *= 1 + 0.4 * nose * np.sign(p * float(mask.light[0]))
        low = 0.26 - self.drop
        paint(ellipse(0, low, 0.17, 0.045), self.tone * [0.8, 0.5, 0.48], 3)
        paint(np.maximum(np.abs(q - low) / 0.006, np.abs(p) / 0.15) - 1, self.tone * [0.3, 0.15, 0.15], 1)
        return optics.resized(light, mask.camera.shape)

    def _eye(self, paint, ellipse, p, q, x, y):
        paint(ellipse(x, y, 0.15, 0.08), self.tone * 0.6, 1.2)
        paint(ellipse(x, y - 0.085, 0.13, 0.018), self.hair, 1.5)
        lid = ellipse(x, y, 0.085, 0.03 * self.open)
        paint(lid, np.minimum(self.tone * 1.1 + 0.08, 0.6), 3)
        ball = np.sqrt((p - self.gaze) ** 2 + (q * 1.14) ** 2)
        paint(np.maximum(ball / 0.036 - 1, lid), self.iris, 3)
        paint(np.maximum(ball / 0.016 - 1, lid), [0.004, 0.004, 0.004], 2)
        # The upper lid's lashes and shadow.
        paint(np.abs(lid) - 0.25 + np.clip(q * 40, 0, 2), self.tone * 0.25, 2)


class Hands:
    """Hands that hold a sheet or a device at its edges: shapes in the medium's plane, so they move with it."""

    def __init__(self, rng, half, held=True):
        self.count = int(rng.choice([0, 1, 2], p=[0.35, 0.35, 0.3])) if held else 0
        self.tone = skin(rng)
        self.sleeve = (rng.uniform(0.02, 0.6) * np.exp(rng.normal(0, 0.2, 3))).astype(np.float32)
        self.cuff = rng.uniform(0.03, 0.5)
        self.parts = []
        for side in rng.permutation(["left", "right", "below"])[: self.count]:
            self._hold(rng, side, half)

    def _hold(self, rng, side, half):
        along = rng.uniform(-0.4, 0.8)
        size = rng.uniform(0.8, 1.3)

        def at(out, by):
            """`out` from the edge away from the middle, `by` along the edge, downward."""
            if side == "below":
                return along * 0.6 * half[0] + by, half[1] + out
            return (-1 if side == "left" else 1) * (half[0] + out), along * half[1] + by

        def limb(start, end, thick, thin, dressed=False):
            self.parts.append((start, end, thick * size, thin * size, dressed))

        slope = rng.uniform(-0.1, 0.7)
        wrist = at(0.17 * size, 0.06 * size)
        limb(wrist, at(1.7, 0.06 * size + 1.5 * slope), 0.045, 0.10, dressed=True)
        # The back of the hand, the ball of the thumb, and the fingers that end at the edge or behind the medium.
        limb(wrist, at(0.09 * size, 0.0), 0.05, 0.062)
        limb(at(0.14 * size, 0.02 * size), at(0.06 * size, -0.045 * size), 0.05, 0.036)
        for finger in range(int(rng.integers(2, 5))):
            by = (0.036 * finger - 0.03) * size
            limb(at(0.1 * size, by * 0.9), at(rng.uniform(-0.01, 0.035), by + rng.normal(0, 0.006)), 0.024, 0.019)
        # The thumb lies on the medium.
        reach, by = rng.uniform(0.01, 0.08), rng.normal(-0.05, 0.015)
        knuckle = at(0.01 * size, by)
        limb(at(0.08 * size, -0.035 * size), knuckle, 0.031, 0.024)
        limb(knuckle, at(-reach, by + rng.normal(0, 0.015)), 0.024, 0.020)

    def over(self, light, u, v, lamp, dim=1.0):
        """`light` with the hands before it."""
        if not self.parts:
            return light
        u, v = u[::2, ::2], v[::2, ::2]
        height, sleeve = np.zeros_like(u), np.zeros_like(u)
        crease = np.ones_like(u)
        for (ax, ay), (bx, by), thick, thin, dressed in self.parts:
            dx, dy = bx - ax, by - ay
            along = np.clip(((u - ax) * dx + (v - ay) * dy) * (1 / (dx * dx + dy * dy + 1e-9)), 0, 1)
            radius = thick + (thin - thick) * along
            off = ((u - ax - along * dx) ** 2 + (v - ay - along * dy) ** 2) / radius**2
            rise = np.sqrt(np.clip(1 - off, 0, 1)) * radius
            # Where one finger meets another it is dark.
            crease = np.where((rise > 0) & (height > 0), np.minimum(crease, 0.72 + np.abs(rise - height) * 30), crease)
            if dressed:
                sleeve = np.where((rise > height) & (along > self.cuff), np.float32(1), sleeve)
            np.maximum(height, rise, out=height)
        if height.max() <= 0:
            return light
        shape = light.shape[1:]
        # Round parts are darker at their edges, and on the side away from the lamp.
        down, across = np.gradient(height)
        # Their steepness per pixel is that of the medium's own axes.
        steep = 0.35 / max(1e-6, float(np.abs(np.diff(u[u.shape[0] // 2])).mean()))
        lit = 0.8 + 2 * np.minimum(height, 0.06) + steep * (float(lamp[0]) * across + float(lamp[1]) * down)
        lit = optics.resized(np.clip(lit * np.minimum(crease, 1), 0.15, 1.3), shape) * dim
        tone = colour(self.tone) + (colour(self.sleeve) - colour(self.tone)) * optics.resized(sleeve, shape)
        cover = optics.resized(np.clip(height * 60, 0, 1), shape)
        return light + (tone * lit - light) * cover


def direction(rng):
    """Toward a lamp: above, before the medium, more or less to a side."""
    vector = np.array([rng.normal(0, 0.5), -abs(rng.normal(0.4, 0.35)), -1.0], np.float32)
    return vector / np.linalg.norm(vector)


def skin(rng):
    """Light of skin, from dark to fair."""
    dark, fair = np.array([0.10, 0.05, 0.03], np.float32), np.array([0.68, 0.45, 0.34], np.float32)
    return (dark + (fair - dark) * rng.uniform()) * rng.uniform(0.85, 1.1)


def room(rng, shape, background):
    """Light of what is behind the medium, out of focus: a part of a photo, or surfaces and things at random."""
    height, width = shape
    if background is not None:
        background = np.asarray(background)
        rows, columns = background.shape[:2]
        part = rng.uniform(0.4, 1)
        top, left = (int(rng.uniform(0, (1 - part) * size)) for size in (rows, columns))
        cut = background[top : top + max(8, int(rows * part)), left : left + max(8, int(columns * part))]
        small = Image.fromarray(np.ascontiguousarray(cut)).resize((max(8, width // 8), max(8, height // 8)), Image.BOX)
        return optics.resized(light_of(small), shape) * rng.uniform(0.5, 1.1)
    rows, columns = 48, max(8, round(48 * width / height))
    small = np.empty((3, rows, columns), np.float32)
    small[:] = colour(rng.uniform(0.05, 0.7) * rng.uniform(0.85, 1.05, 3))
    for _ in range(int(rng.integers(3, 11))):
        y, x = rng.uniform(-0.2, 1, 2)
        high, wide = rng.uniform(0.1, 0.9, 2)
        grey = math.exp(rng.uniform(math.log(0.01), math.log(0.9)))
        hue = np.minimum(grey * np.exp(rng.normal(0, 0.12, 3)), 1)
        top, left = max(0, int(y * rows)), max(0, int(x * columns))
        small[:, top : max(0, int((y + high) * rows)), left : max(0, int((x + wide) * columns))] = colour(hue)
    small *= np.exp(optics.resized(rng.normal(0, 0.3, (4, 5)), (rows, columns)))
    return optics.resized(optics.blurred(small, rng.uniform(0.3, 2.0)), shape)


def _plain(value):
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(one) for one in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (float, np.floating)):
        return round(float(value), 5)
    return value

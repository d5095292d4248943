"""A print in front of a camera."""

import math

import numpy as np

import optics
from media import Hands, Medium, direction
from optics import Pose, colour

# Screen angles of cyan, magenta, yellow and black in degrees, as usual in offset printing.
SCREEN_ANGLES = (15.0, 75.0, 0.0, 45.0)


class Print(Medium):
    """A print that is held or mounted in front of the camera."""

    species = "print"

    def __init__(self, shape, rng, *, source=None, difficulty=None):
        super().__init__(shape, rng, source, difficulty)
        hard = self.difficulty
        filling = rng.uniform() < 0.25 + 0.6 * hard
        tilt = 14 * (1.3 - hard)
        # A bend toward the camera is limited, so that the camera is well inside the cylinder.
        bend = max(-0.7, rng.normal(0.1, 0.7 * (1.2 - hard))) if rng.uniform() < 0.7 else 0.0
        self.pose = Pose(
            yaw=rng.normal(0, tilt), pitch=rng.normal(0, tilt * 0.8), roll=rng.normal(0, 5 * (1.3 - hard)),
            x=rng.normal(0, 0.03), y=rng.normal(0, 0.03),
            scale=rng.uniform(1.12, 1.4) if filling else rng.uniform(0.55, 0.95), bend=bend, axis=rng.normal(0, 25))
        self.margin = 0.0 if rng.uniform() < 0.4 else rng.uniform(0.02, 0.15)
        self._draw_paper(rng)
        self._draw_ink(rng)
        self._draw_light(rng)
        self.hands = Hands(rng, (self.half[0] + self.margin, self.half[1] + self.margin))

    def _draw_paper(self, rng):
        bright = rng.uniform(0.72, 0.92)
        self.paper = [bright, bright * rng.uniform(0.96, 1), bright * rng.uniform(0.88, 1.03)]
        # Reflectance of full black: 2 % for glossy photo paper, up to 12 % for copy paper from a laser printer.
        self.black = rng.uniform(0.015, 0.12 - 0.07 * self.difficulty)

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
        # Cycles of the halftone per pixel; above one half the camera cannot resolve it, and only a beat remains.
        coarsest, finest = 0.18 + 0.25 * hard, 0.8 + 0.3 * hard
        self.frequency = math.exp(rng.uniform(math.log(coarsest), math.log(finest)))
        # Larger pictures are taken of finer prints, though not proportionally.
        self.frequency /= math.sqrt(self.camera.unit)
        self.rule()
        self.turn = rng.uniform(0, 90)
        self.grain = rng.uniform(0.03, 0.14) * (1.1 - 0.8 * hard)
        self.streaks = rng.uniform(0.01, 0.07) * (1.1 - hard) if rng.uniform() < 0.35 else 0.0
        self.streak_lines = rng.uniform(8, 60)
        # The droplets are generated once and move with the paper.
        self.droplets = rng.standard_normal((128, 128), np.float32)

    def rule(self):
        """Sets the halftone's cycles per unit of the sheet from those per pixel, in the medium's own pose."""
        self.lines = self.frequency * self.camera.side * self.pose.scale

    def _draw_light(self, rng):
        hard = self.difficulty
        self.glossy = bool(rng.uniform() < 0.45)
        self.sheen = rng.uniform(0.05, 0.8) * (1.1 - hard) if self.glossy else rng.uniform(0, 0.08)
        narrow, wide = (0.002, 0.03) if self.glossy else (0.05, 0.2)
        self.sheen_width = math.exp(rng.uniform(math.log(narrow), math.log(wide)))
        self.light = direction(rng)
        self.ambient = rng.uniform(0.35, 0.8)
        self.exposure = rng.uniform(0.85, 1.25)

    def frame(self, picture, rng, pose=None, time=0.0):
        """Renders the medium in `pose` (default: its own)."""
        pose = pose or self.pose
        u, v = self._surface(pose)
        sheet = self._outside(u, v, self.margin)
        light = self._lit(self._printed(picture, pose, u, v), pose)
        inside = self._coverage(sheet, pose)
        if inside.min() < 1:
            # The sheet casts a shadow on the background close behind it.
            behind = self.room * (1 - 0.5 * np.clip(1 - sheet * 12, 0, 1))
            light = behind + (light - behind) * inside
        light = self.hands.over(light, pose, self.camera, self.light)
        light = self.camera.focused(light)
        return self.camera.develop(self._screened(light, inside, pose, u, v), rng)

    def _lit(self, printed, pose):
        shade = self._shade(pose, self.light, self.ambient) * self.exposure
        return printed * shade + self._gleam(pose, self.light, self.sheen_width) * self.sheen

    def _printed(self, picture, pose, u, v):
        """The reflectance of the print at each pixel, without its halftone."""
        ink = self._sample(self._inked(picture, pose), u, v)
        if self.margin:
            ink = 1 + (ink - 1) * self._coverage(self._outside(u, v), pose)
        if self.process == "inkjet":
            ink += self._droplets(ink, pose, u, v)
        if self.streaks:
            # Passes of the print head, or uneven rotation of the drum.
            turns = v * (2 * math.pi * self.streak_lines)
            ink *= 1 - self.streaks * (np.cos(turns) + np.cos(0.37 * turns)) * (1 - ink)
        return colour(self.paper) * (self.black + (1 - self.black) * ink)

    def _inked(self, picture, pose):
        """The source picture in the printer's gamut: 1 is no ink, 0 full ink."""
        light = self._content(picture, pose)
        grey = sum(part * plane for part, plane in zip(optics.LUMINANCE, light))
        light = grey + (light - grey) * self.saturation
        light *= colour(self.inks)
        # Contrast relative to the mid grey of a print, 18 %.
        light = 0.18 + (light - 0.18) * self.contrast
        return np.clip(light, 0, 1)

    def _droplets(self, ink, pose, u, v):
        """Noise of droplets too small for the camera, largest in the midtones."""
        cells = max(self.lines, 0.6 * self.camera.side * self.pose.scale / self.camera.unit)
        x, y = (np.floor(where * cells).astype(np.int32) & 127 for where in (u, v))
        # More droplets per pixel reduce the noise.
        strength = self.grain * min(1.0, self.camera.side * pose.scale / cells)
        if self.grey:
            drops = self.droplets[y, x]
        else:
            # Each ink has separate droplets.
            drops = np.stack([self.droplets[y, x], self.droplets[x, y], self.droplets[(y + 61) & 127, x]])
        return strength * drops * np.sqrt(ink * (1 - ink))

    def _screened(self, light, inside, pose, u, v):
        """Halftone dots whose size matches the tone, attenuated by the lens and the pixels."""
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
            # Black ink replaces most of the common part of the other three.
            dots = np.stack([0.4 * self._dots(tone, turn, u, v) for tone, turn in zip(tones, SCREEN_ANGLES)])
            dots += 0.6 * self._dots(tones.mean(0), SCREEN_ANGLES[3], u, v)
        return light + full * (inside * seen) * dots

    def _dots(self, tone, turn, u, v):
        """The modulation of an even tone by dots."""
        angle = math.radians(turn + self.turn)
        cycles = 2 * math.pi * self.lines
        a, b = cycles * math.cos(angle), cycles * math.sin(angle)
        threshold = np.cos(a * u + b * v) + np.cos(a * v - b * u)
        dots = np.clip((tone - 0.5) * 2.6 + threshold * 0.7 + 0.5, 0, 1) - tone
        # None in pure white or black.
        return dots * np.clip(8 * tone * (1 - tone), 0, 1)

"""A display in front of a camera."""

import math

import numpy as np

import optics
from media import Hands, Medium, direction, room
from optics import Pose, colour


class Screen(Medium):
    """A display in front of the camera."""

    species = "screen"

    def __init__(self, shape, rng, *, source=None, difficulty=None):
        super().__init__(shape, rng, source, difficulty)
        hard = self.difficulty
        self.device = str(rng.choice(["phone", "tablet", "monitor"], p=[0.4, 0.2, 0.4]))
        filling = rng.uniform() < 0.25 + 0.6 * hard
        tilt = 10 * (1.3 - hard)
        self.pose = Pose(
            yaw=rng.normal(0, tilt), pitch=rng.normal(0, tilt * 0.8), roll=rng.normal(0, 4 * (1.3 - hard)),
            x=rng.normal(0, 0.03), y=rng.normal(0, 0.03),
            scale=rng.uniform(1.12, 1.4) if filling else rng.uniform(0.55, 0.95))
        self._draw_case(rng)
        self._draw_display(rng)
        self._draw_grid(rng)
        self._draw_glass(rng)

    def _draw_case(self, rng):
        # Dark or light borders of the picture on the display (left, top, right, bottom), and the device's frame.
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

    def _draw_display(self, rng):
        hard = self.difficulty
        # A white point bluer than the room's light.
        cool = abs(rng.normal(0, (0.3 if rng.uniform() < 0.3 else 0.1) * (1.2 - 0.7 * hard)))
        self.white = [math.exp(part * cool + rng.normal(0, 0.02)) for part in (-1, 0, 0.8)]
        # Displays, and cameras that expose for them, increase or reduce contrast and saturation.
        self.gamma = math.exp(rng.uniform(math.log(0.75), math.log(1.8)))
        self.saturation = rng.uniform(0.6, 1.7)
        self.black = rng.uniform(0.001, 0.05 * (1.1 - 0.7 * hard))
        self.brightness = math.exp(rng.uniform(math.log(0.45), math.log(1.7)))
        # A webcam cannot focus on near objects.
        if rng.uniform() < 0.3:
            self.camera.blur *= rng.uniform(1.2, 3)
        self.band = rng.uniform(0.02, 0.22) * (1.1 - 0.8 * hard) if rng.uniform() < 0.4 else 0.0
        self.band_count = rng.uniform(0.6, 5)
        self.band_phase = rng.uniform()
        # Bands move if the display's refresh and the camera's rate differ: cycles per second.
        self.band_speed = rng.normal(0, 1.5)
        # A display emits less light to the side.
        self.fall = rng.uniform(0, 0.35)

    def _draw_grid(self, rng):
        hard = self.difficulty
        # A camera's sensor has more pixels than the stored picture.
        self.sensor = float(rng.choice([1.0, 1.0, 1.5, 2.0, 3.0]))
        # Pixels of the display per pixel of the sensor: beats are visible near 0.5, 1 and 2.
        self.ratio = math.exp(rng.uniform(math.log(0.4 + 0.5 * hard), math.log(2.2 + 1.2 * hard)))
        self.layout = "diamond" if self.device != "monitor" and rng.uniform() < 0.5 else "stripes"
        self.reversed = bool(rng.uniform() < 0.15)
        self.duty = rng.uniform(0.2, 0.31)
        self.row_duty = rng.uniform(0.7, 0.95)
        # The lens's blur on the sensor, in its pixels: in focus, the grid is visible.
        self.softness = rng.uniform(0.15, 0.45 + 0.35 * hard)
        self.depth = rng.uniform(0.15, 1) * (1.1 - 0.7 * hard)
        self.pitch = self.ratio * self.camera.side * self.pose.scale * self.sensor

    def _draw_glass(self, rng):
        hard = self.difficulty
        self.mirror = rng.uniform(0, 0.09) * (1.1 - 0.9 * hard)
        self.reflected = room(rng, self.camera.shape)
        self.light = direction(rng)
        self.glare = rng.uniform(0.1, 0.9) * (1.1 - hard) if rng.uniform() < 0.45 else 0.0
        self.glare_width = math.exp(rng.uniform(math.log(0.0006), math.log(0.02)))
        # The camera exposes for the display, so the room is dark.
        self.darkness = rng.uniform(0.05, 0.6)
        self.room = self.room * self.darkness

    def frame(self, picture, rng, pose=None, time=0.0):
        """Renders the display in `pose` at `time` (seconds)."""
        pose = pose or self.pose
        u, v = self._surface(pose)
        # Relative to the display's centre, which differs from the picture's if the borders differ.
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
        light = self.hands.over(light, pose, self.camera, self.light, self.darkness)
        return self.camera.develop(light, rng)

    def _shown(self, picture, pose, u, v):
        """Light of the display's picture without the gaps between its pixels."""
        light = self._content(picture, pose)
        grey = light.mean(0, keepdims=True)
        light = np.maximum(grey + (light - grey) * self.saturation, 0) ** self.gamma
        light = self.black + (1 - self.black) * light
        if self.ratio < 0.6:
            # Pixels of this size are visible as blocks.
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
        """The reflections in the glass: the room in front of it, and lamps."""
        shift = [round(2 * angle * self.camera.unit) for angle in (pose.pitch, pose.yaw)]
        light = np.roll(self.reflected, shift, (1, 2)) * self.mirror
        if self.glare:
            light += self._gleam(pose, self.light, self.glare_width) * self.glare
        return light

    def _harmonics(self):
        """Terms of each colour's lit area: cycles across and down per pixel of the display, strength, shift per colour,
        and the colours.

        The lit area is periodic in the pixels and thus a Fourier series; a stripe of width d of a pixel has the
        coefficients sinc(k d).
        """
        shifts = (2 / 3, 1 / 3, 0) if self.reversed else (0, 1 / 3, 2 / 3)
        if self.layout == "stripes":
            for k in (1, 2):
                yield k, 0, float(np.sinc(k * self.duty)), [-k * shift for shift in shifts], (0, 1, 2)
            yield 0, 1, float(np.sinc(self.row_duty)), (0, 0, 0), (0, 1, 2)
        else:
            # Diamonds: green in each pixel, red and blue in alternating ones.
            strength = 0.7 * float(np.sinc(self.duty))
            for k, l in ((1, 0), (0, 1)):
                yield k, l, strength, (0, 0, 0), (1,)
            for k, l in ((0.5, 0.5), (0.5, -0.5)):
                yield k, l, strength, (0.25, 0, 0.75), (0, 2)

    def _grid(self, pose, u, v):
        """The effect of the display's pixels on each pixel of the picture: the grid itself, or its beat (moiré).

        Sampling aliases a frequency to its difference from an integer. Each term is therefore folded to below
        one half, which is exact, and attenuated by the camera before the sampling (lens, pixel area) and after it
        (reduction of the picture). Red and blue are on every second pixel of a Bayer sensor, so they fold at halves:
        this colours the beat. """
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
                # Blue is one pixel to the right of and below red.
                slow = phase - (mx * x + my * y) + (shifts[channel] + (mx + my if channel == 2 else 0))
                wave = np.cos(slow * (2 * math.pi))
                wave *= camera.spread(seen * (2 * self.depth))
                total[channel] += wave
        return np.maximum(total, 0, out=total)

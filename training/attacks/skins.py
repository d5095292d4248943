"""The textures of figures: photos of people, their cut-out, and the inside of a mouth."""

import math

import numpy as np
from PIL import Image, ImageDraw

import meshes
import optics
from meshes import CHIN, OVAL


class Skin:
    """A texture: a picture around a face, in the frame's pixels times `fine`, with a margin, and where the mesh is."""

    def __init__(self, photo, face, size, fine=1.5, margin=0.12, part=None, mesh=None):
        width, height = size
        mesh = face.mesh if mesh is None else mesh
        tall = meshes.height_of(mesh)
        # The face takes this part of the frame's height, or more where the photo ends early.
        part = part or 0.46
        factor = part * height / tall
        fit = max(width / photo.shape[1], height / photo.shape[0])
        factor = max(factor, min(fit, 0.66 * height / tall))
        middle = mesh[list(OVAL), :2].mean(0)
        self.margin = round(margin * max(size))
        self.fine, self.factor = fine, factor
        reach = np.array([width / 2, height / 2]) / factor
        centre = middle - [0, 0.03 * height / factor]
        for axis, total in ((0, photo.shape[1]), (1, photo.shape[0])):
            if 2 * reach[axis] < total:
                centre[axis] = min(max(centre[axis], reach[axis]), total - reach[axis])
        self.origin = centre - reach
        wide = np.array([width + 2 * self.margin, height + 2 * self.margin])
        box = np.concatenate([self.origin - self.margin / factor, self.origin + (wide - self.margin) / factor])
        pad = int(max(0, -box.min(), box[2] - photo.shape[1], box[3] - photo.shape[0])) + 2
        image = Image.fromarray(np.pad(photo, ((pad, pad), (pad, pad), (0, 0)), mode="edge"))
        sides = [round(length * fine) for length in wide]
        texture = image.resize(sides, Image.LANCZOS, box=tuple(box + pad))
        self.texture = np.asarray(texture, np.float32).transpose(2, 0, 1).copy()
        self.mesh = np.column_stack([(mesh[:, :2] - self.origin) * factor, mesh[:, 2] * factor])

    def at(self, points):
        """Positions in the texture of positions in the frame."""
        return (points[:, :2] + self.margin) * self.fine

    def gap(self):
        return float(np.linalg.norm(self.mesh[13] - self.mesh[14])) / meshes.height_of(self.mesh)

    def cut_out(self):
        """Adds an alpha plane if the background is uniform; returns whether it is."""
        rows, columns = self.texture.shape[1:]
        values = optics.blurred(self.texture, 1.0).transpose(1, 2, 0)
        x, y = np.meshgrid(np.linspace(-1, 1, columns), np.linspace(-1, 1, rows))
        terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1)
        # The background as a quadratic: its corners at first, then all that is near to the fit.
        part = np.zeros((rows, columns), bool)
        part[: rows // 2, : columns // 7] = part[: rows // 2, -(columns // 7) :] = True
        part[: rows // 14] = True
        for step in range(3):
            fit = np.linalg.lstsq(terms[part][::7], values[part][::7], rcond=None)[0]
            off = np.abs(values - terms @ fit).max(2)
            spread = float(np.median(off[part]))
            if step == 0 and spread > 10:
                return False
            part = off < max(6, 2.5 * spread)
        near = Image.fromarray(np.where(off < max(16, 5 * spread), 255, 0).astype(np.uint8)).copy()
        for x in range(0, columns, max(1, columns // 24)):
            if near.getpixel((x, 1)) == 255:
                ImageDraw.floodfill(near, (x, 1), 128)
        for y in range(0, int(rows * 0.7), max(1, rows // 24)):
            for x in (1, columns - 2):
                if near.getpixel((x, y)) == 255:
                    ImageDraw.floodfill(near, (x, y), 128)
        person = np.asarray(near) != 128
        # Gaps between hair and shoulders are background as well.
        places = self.at(self.mesh)
        middle, reach = places[list(OVAL)].mean(0), np.ptp(places[list(OVAL)], axis=0) * 0.56
        rows_, columns_ = np.arange(rows)[:, None], np.arange(columns)[None, :]
        around = ((columns_ - middle[0]) / reach[0]) ** 2 + ((rows_ - middle[1]) / reach[1]) ** 2 > 1
        person &= ~((np.asarray(near) > 0) & around & (rows_ < places[CHIN, 1]))
        person = person.astype(np.float32)
        if not 0.1 < person.mean() < 0.85:
            return False
        # Much background left around the person would show.
        if (person * (off < 24) * around).sum() > 0.06 * person.sum():
            return False
        # Within a narrow edge the colour's distance from the background is the share of the person. The background is
        # subtracted from its colours.
        core = optics.blurred(person[None], 2.5)[0] > 0.93
        edge = np.clip((off - max(6, 3 * spread)) / 60, 0, 1).astype(np.float32)
        alpha = np.where(core, 1, edge * (optics.blurred(person[None], 1.5)[0] > 0.02))
        alpha = optics.blurred(alpha[None].astype(np.float32), 0.6)[0]
        back = (terms @ fit).transpose(2, 0, 1).astype(np.float32)
        own = (self.texture - (1 - alpha) * back) / np.maximum(alpha, 0.15)
        self.texture = np.concatenate([np.clip(own, 0, 255), 255 * alpha[None]])
        return True


def mouth(skin, rng):
    """The inside of an open mouth, one mouth width wide: upper teeth, tongue and darkness, as bright as the face."""
    side = 240
    x = (np.arange(side) + 0.5) / side
    y = (np.arange(side)[:, None] + 0.5) / side
    cheek = skin.at(skin.mesh)[[50, 280, 5]].astype(int)
    bright = float(np.mean([skin.texture[:3, row, column].mean() for column, row in cheek])) / 175
    dark = np.array([48.0, 20, 20])[:, None, None] * np.ones((3, side, side))
    tongue = np.exp(-(((x - 0.5) / 0.30) ** 4 + ((y - 0.52) / 0.16) ** 2))
    inside = dark + (np.array([158.0, 78, 80])[:, None, None] - dark) * tongue * 0.85
    # Teeth become narrower towards the corners, as an arc seen from the front.
    arc = np.arcsin(np.clip((x - 0.5) / 0.46, -1, 1)) / (math.pi / 2)
    phase = arc * 5.2 + rng.uniform(-0.1, 0.1)
    cell = np.abs((phase % 1) - 0.5)
    tall = 0.135 * np.sqrt(np.clip(1 - arc**2, 0, 1)) * (1 - 0.5 * np.clip(cell - 0.38, 0, 1)) + 0.012
    cover = np.clip((tall - y) * side / 3, 0, 1) * (np.abs(x - 0.5) < 0.45) * np.clip((y - 0.015) / 0.02, 0, 1)
    shade = (0.62 + 0.38 * np.cos(arc * 1.35)) * (1 - 0.35 * np.clip((cell - 0.44) / 0.06, 0, 1))
    shade = shade * (0.72 + 0.28 * np.clip(y / 0.05, 0, 1))
    teeth = np.array([226.0, 214, 196])[:, None, None] * shade
    values = (inside + (teeth - inside) * cover) * min(1.25, max(0.3, bright))
    return optics.blurred(values.astype(np.float32), 1.2)

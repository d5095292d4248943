"""Figures: a person's face drawn through a moved mesh.

The points of the face rotate with the depth that the mesh network estimates. Rings of points around it move the hair,
the neck and the background less and less. Triangles are drawn from far to near; eyes and the inside of the mouth are
layers behind the skin.
"""

import copy
import math

import numpy as np
from PIL import Image, ImageDraw

import meshes
import optics
from meshes import CHIN, CORNERS, FOLDS, LOWER_LIDS, LOWER_LIP, MOUTH_CORNERS, OVAL, UPPER_LIDS, UPPER_LIP
from prompts import smooth
from skins import Skin, mouth

# Rings around the face: size relative to its outline, depth behind the outline in face heights, and how much of the
# head's rotation and of its displacement they take: to the sides and above, and below the chin (neck and shoulders).
RINGS = (
    (1.10, 0.015, (1.0, 1.0), (0.8, 1.0)),
    (1.28, 0.05, (0.97, 1.0), (0.55, 0.95)),
    (1.60, 0.12, (0.7, 0.95), (0.3, 0.9)),
    (2.05, 0.24, (0.3, 0.8), (0.08, 0.8)),
    (2.80, 0.26, (0.0, 0.4), (0.0, 0.6)),
    (4.20, 0.26, (0.0, 0.0), (0.0, 0.0)),
)
# The second photo's share in each ring: the background is the first photo's.
SHARES = (1.0, 0.9, 0.5, 0.15, 0.0, 0.0)
# The jaw's share in each ring.
JAW = (0.8, 0.45, 0.15, 0.0, 0.0, 0.0)

# The neck's axis: behind the outline of the face, in face heights.
PIVOT_DEPTH, PIVOT_BELOW = 0.28, 0.10
# Distance of the camera in face heights.
DISTANCE = 5.0

_CREASES = (129, 203, 206, 216, 358, 423, 426, 436)
_CHEEKS = (50, 205, 187, 280, 425, 411)
# The rows of points of the lips between their corners, from the outer to the inner edge.
_UPPER_ROWS = (
    (185, 40, 39, 37, 0, 267, 269, 270, 409), (184, 74, 73, 72, 11, 302, 303, 304, 408),
    (183, 42, 41, 38, 12, 268, 271, 272, 407), UPPER_LIP[1:-1],
)
_LOWER_ROWS = (
    (146, 91, 181, 84, 17, 314, 405, 321, 375), (77, 90, 180, 85, 16, 315, 404, 320, 307),
    (96, 89, 179, 86, 15, 316, 403, 319, 325), LOWER_LIP[1:-1],
)


class Figure:
    """A face to be moved: one or more skins with the same topology, the first with the background."""

    def __init__(self, skins, size, lids=True, teeth=True, light=None, backdrop=None, rng=None):
        self.skins, self.size, self.lids, self.light, self.backdrop = skins, size, lids, light, backdrop
        self.mesh = skins[0].mesh
        self._measure()
        self.weights = self._weights()
        self.rings = [self._ring(skin.mesh) for skin in skins]
        self.ring_weights = self._ring_weights()
        self.points = [np.concatenate([skin.mesh, rings]) for skin, rings in zip(skins, self.rings)]
        count = len(self.rings[0])
        self.share = np.concatenate([np.ones(meshes.POINTS), np.repeat(SHARES, count // len(SHARES))])
        self._triangulate()
        self.teeth = mouth(skins[0], rng or np.random.default_rng(0)) if teeth else None
        self.normals = meshes.normals(self.mesh, self.face_triangles)

    def wearing(self, skin):
        """The same topology and expressions on another picture, such as the next frame of a video."""
        figure = copy.copy(self)
        figure.skins, figure.mesh = [skin], skin.mesh
        figure._measure()
        figure.rings = [figure._ring(skin.mesh)]
        figure.points = [np.concatenate([skin.mesh, figure.rings[0]])]
        return figure

    def _measure(self):
        mesh = self.mesh
        self.height, self.axes = meshes.height_of(mesh), meshes.axes(mesh)
        self.origin = mesh[[33, 133, 362, 263]].mean(0)
        outline = mesh[list(OVAL)]
        self.pivot = outline.mean(0)
        self.pivot[2] = np.sort(outline[:, 2])[-12:].mean() + PIVOT_DEPTH * self.height
        self.low = mesh[CHIN] + self.axes[1] * PIVOT_BELOW * self.height
        self.low[2] = self.pivot[2]

    def local(self, mesh):
        """Positions relative to the eyes along the head's axes, in face heights."""
        return (mesh - self.origin) @ self.axes.T / self.height

    def _weights(self):
        q = self.local(self.mesh)
        corners = q[list(MOUTH_CORNERS)]
        middle, half = corners.mean(0), abs(corners[1, 0] - corners[0, 0]) / 2
        u, v = q[:, 0] - middle[0], q[:, 1] - middle[1]
        taper = np.clip(1 - np.abs(u / (half * 1.02)) ** 2.2, 0, 1)
        jaw = np.array([smooth(x) for x in (v - 0.0) / 0.16]) * np.exp(-((u / 0.42) ** 4))
        lower, upper = (sorted({index for row in rows for index in row}) for rows in (_LOWER_ROWS, _UPPER_ROWS))
        jaw[lower] = np.maximum(taper[lower], 0.12)
        jaw[upper] = -0.06 * taper[upper]
        for index in (*MOUTH_CORNERS, 78, 308, 76, 62, 306, 292):
            jaw[index] = 0.16
        moved = np.zeros((meshes.POINTS, 3))
        for corner, side in zip(corners, (-1, 1)):
            near = np.exp(-(((q[:, 0] - corner[0]) / 0.105) ** 2 + ((q[:, 1] - corner[1]) / 0.11) ** 2))
            moved += near[:, None] * np.array([side * 0.058, -0.042, 0.018])
            cheek = np.exp(-(((q[:, 0] - corner[0] - side * 0.09) / 0.12) ** 2 + ((q[:, 1] - 0.19) / 0.11) ** 2))
            moved += cheek[:, None] * np.array([side * 0.008, -0.020, -0.016])
        # The middle of the lips becomes thinner.
        moved[upper, 1] += 0.006 * taper[upper]
        for lids in LOWER_LIDS:
            moved[list(lids), 1] -= 0.004
        return {"jaw": jaw, "smile": moved}

    def shaped(self, smile=0.0, opening=0.0, blink=0.0, extra=None, base=None):
        """The mesh with an expression, before the head moves.

        extra: displacements of its points in face heights along the head's axes.
        """
        base = self.mesh if base is None else base
        moved = np.zeros_like(base) if extra is None else extra.copy()
        jaw = self.weights["jaw"] * opening * 0.15
        moved[:, 1] += jaw
        moved[:, 2] += np.maximum(0, jaw) * 0.3
        moved += self.weights["smile"] * smile
        mesh = base + moved @ self.axes * self.height
        if blink > 0:
            for upper, lower, fold in zip(UPPER_LIDS, LOWER_LIDS, FOLDS):
                a, b = mesh[list(upper)], mesh[list(lower)]
                mesh[list(fold)] += (b - a) * (0.18 * blink)
                mesh[list(upper)] = a + (b - a) * (0.96 * blink)
                mesh[list(lower)] = b + (a - b) * (0.06 * blink)
        return mesh

    def _ring(self, mesh):
        outline = mesh[list(OVAL)]
        middle = outline.mean(0)
        rings = []
        for size, depth, _, _ in RINGS:
            ring = middle + (outline - middle) * size
            ring[:, 2] = outline[:, 2] + depth * meshes.height_of(mesh)
            rings.append(ring)
        return np.concatenate(rings)

    def _follow_jaw(self, mesh, rings):
        """The skin below the jaw moves with it."""
        moved = np.maximum(0, (mesh - self.mesh)[list(OVAL)] @ self.axes[1])
        return rings + (np.array(JAW)[:, None] * moved).reshape(-1, 1) * self.axes[1]

    def _ring_weights(self):
        outline = self.mesh[list(OVAL)]
        off = (outline - outline.mean(0)) @ self.axes[:2].T
        down = off[:, 1] / np.linalg.norm(off, axis=1)
        below = np.array([smooth((value - 0.1) / 0.85) for value in down])[:, None]
        weights = [np.array(side) + (np.array(chin) - np.array(side)) * below for _, _, side, chin in RINGS]
        return np.concatenate(weights)

    def _layout(self):
        """Places of the points for the triangulation: the mouth is open and the lips are unrolled, so that the inner
        edges are apart and the rows of points in order, whatever the photo shows."""
        layout = self.local(self.mesh)[:, :2]
        corners = layout[list(MOUTH_CORNERS)]
        middle, half = corners.mean(0), abs(corners[1, 0] - corners[0, 0]) / 2
        lower, upper = ({index for row in rows for index in row} for rows in (_LOWER_ROWS, _UPPER_ROWS))
        near = np.exp(-((np.maximum(0, np.abs(layout[:, 0] - middle[0]) - half) / 0.06) ** 2))
        below = layout[:, 1] > middle[1]
        below[list(lower)], below[list(upper)] = True, False
        layout[:, 1] += 0.2 * near * below
        for rows, step in ((_UPPER_ROWS, 0.02), (_LOWER_ROWS, -0.02)):
            for i, row in enumerate(rows):
                layout[list(row), 1] = layout[list(rows[0]), 1] + i * step
                layout[list(row), 0] = middle[0] + np.linspace(-0.8, 0.8, len(row)) * (half - 0.01 * i)
        for ends, corner, side in (((61, 76, 62, 78), corners[0], 1), ((291, 306, 292, 308), corners[1], -1)):
            for i, index in enumerate(ends):
                layout[index] = corner + [side * 0.005 * i, 0.1]
        # The outline is the hull, also where the cheeks bulge.
        outline = list(OVAL)
        layout[outline] += 0.08 * (layout[outline] - layout[outline].mean(0))
        return layout

    def _triangulate(self):
        layout = self._layout()
        triangles = meshes.triangulated(layout)
        outline = set(OVAL)
        triangles = np.array([corners for corners in triangles if not set(map(int, corners)) <= outline])
        holes = [set(CORNERS[i]) | set(UPPER_LIDS[i]) | set(LOWER_LIDS[i]) for i in (0, 1)]
        holes.append(set(UPPER_LIP) | set(LOWER_LIP))
        inside = np.array([[set(map(int, corners)) <= hole for hole in holes] for corners in triangles])
        self.face_triangles = triangles
        self.skin_triangles = triangles[~inside.any(1)] if self.lids else triangles[~inside[:, 2]]
        count = len(OVAL)
        loops = [np.array(OVAL), *(meshes.POINTS + i * count + np.arange(count) for i in range(len(RINGS)))]
        self.ring_triangles = np.concatenate([
            np.column_stack(corners)
            for inner, outer in zip(loops, loops[1:])
            for corners in (
                (inner, np.roll(inner, -1), outer), (np.roll(inner, -1), np.roll(outer, -1), outer),
            )
        ])
        self.eye_triangles = triangles[inside[:, :2].any(1)] if self.lids else triangles[:0]
        pairs = [(a, b, c, d) for a, b, c, d in zip(UPPER_LIP, UPPER_LIP[1:], LOWER_LIP, LOWER_LIP[1:])]
        self.mouth_triangles = np.array([t for a, b, c, d in pairs for t in ((a, b, d), (a, d, c)) if len(set(t)) == 3])

    def posed(self, mesh, turn=None, scale=1.0, shift=(0.0, 0.0), rings=None):
        """All points in the frame after the head has moved: `turn` is a rotation; `shift` is in pixels."""
        turn = np.eye(3) if turn is None else turn
        rings = self.rings[0] if rings is None else rings
        rings = self._follow_jaw(mesh, rings)
        # Yaw turns around the neck's axis, pitch and roll around a lower point.
        low = self.low.copy()

        def rotated(points):
            moved = (points - low) @ turn.T + low
            depth = (moved[:, 2] - points[:, 2]) / (DISTANCE * self.height)
            moved[:, :2] = self.pivot[:2] + (moved[:, :2] - self.pivot[:2]) / (1 + depth[:, None])
            return moved

        # Whoever moves back stays in front of the lower edge.
        centre = self.pivot.copy()
        centre[1] += (self.size[1] - centre[1]) * (0.8 if scale < 1 else 0.0)

        def placed(points):
            moved = centre + (points - centre) * scale
            return moved + np.array([*shift, 0])

        weights = self.ring_weights
        face = placed(rotated(mesh))
        turned = rings + (rotated(rings) - rings) * weights[:, :1]
        return np.concatenate([face, turned + (placed(turned) - turned) * weights[:, 1:]])

    def gains(self, points, smile):
        """The brightness of each point relative to its skin: shading by normals, and creases of a smile."""
        gains = np.ones(len(points))
        face = gains[: meshes.POINTS]
        if self.light is not None:
            direction, ambient = self.light

            def shade(unit):
                return ambient + (1 - ambient) * np.clip(unit @ direction, 0, 1)

            now = meshes.normals(points[: meshes.POINTS], self.face_triangles)
            face *= np.clip(shade(now) / shade(self.normals), 0.75, 1.2)
            face[list(OVAL)] = 1 + (face[list(OVAL)] - 1) * 0.6
            ring = gains[meshes.POINTS : meshes.POINTS + len(OVAL)]
            ring *= 1 + (face[list(OVAL)] - 1) * 0.6
            face[list(_CREASES)] *= 1 - 0.16 * smile
            face[list(_CHEEKS)] *= 1 + 0.05 * smile
        return gains

    def frame(self, points, blink=0.0, smile=0.0, blend=0.0, still=None, eyes=None):
        """Draws the figure with its points at given places, as 3 x height x width floats of 0 to 255.

        blend: the share of the second skin; still: an affine map (2 x 3) of the whole frame, such as a hand's shake;
        eyes: where the eyes' contours are without lids.
        """
        width, height = self.size
        skins = self.skins if blend > 0 and len(self.skins) > 1 else self.skins[:1]
        matrix = np.array([[1.0, 0, 0], [0, 1, 0]]) if still is None else still
        seen = points.copy()
        seen[:, :2] = points[:, :2] @ matrix[:, :2].T + matrix[:, 2]
        values = [skin.at(self._unlashed(own, blink)) for skin, own in zip(skins, self.points)]
        share = self.share * blend
        gains = self.gains(points, smile)
        into = np.zeros((height, width, 2 * len(skins) + 3), np.float32)
        back = np.linalg.inv(matrix[:, :2])
        xs, ys = np.arange(width) + 0.5 - matrix[0, 2], (np.arange(height) + 0.5 - matrix[1, 2])[:, None]
        for i, skin in enumerate(skins):
            into[:, :, 2 * i] = (back[0, 0] * xs + back[0, 1] * ys + skin.margin) * skin.fine
            into[:, :, 2 * i + 1] = (back[1, 0] * xs + back[1, 1] * ys + skin.margin) * skin.fine
        into[:, :, -2] = 1
        rows = np.column_stack([*values, share, gains, np.zeros(len(points))])
        open_rows = np.column_stack([*(skin.at(own) for skin, own in zip(skins, self.points)), rows[:, -3:]])
        # Behind the skin: the rings first, then eyes and mouth, then the face.
        meshes.rastered(self.size, seen[:, :2], seen[:, 2], self.ring_triangles, rows, into)
        if len(self.eye_triangles):
            places = seen[:, :2].copy()
            if eyes is not None:
                places[: meshes.POINTS] = eyes[:, :2] @ matrix[:, :2].T + matrix[:, 2]
            meshes.rastered(self.size, places, seen[:, 2], self.eye_triangles, open_rows, into)
        self._mouth_layer(seen, rows, into, blend)
        meshes.rastered(self.size, seen[:, :2], seen[:, 2], self.skin_triangles, rows, into)
        picture = meshes.sampled(skins[0].texture, into[:, :, 0], into[:, :, 1])
        if len(skins) > 1:
            other = meshes.sampled(skins[1].texture[:3], into[:, :, 2], into[:, :, 3])
            picture[:3] += (other - picture[:3]) * into[:, :, -3]
        painted = into[:, :, -1] > 0.5
        if painted.any():
            top, bottom, left, right = _bounds(painted)
            part = into[top:bottom, left:right]
            teeth = meshes.sampled(self.teeth, part[:, :, 0], part[:, :, 1])
            box = picture[:3, top:bottom, left:right]
            np.copyto(box, teeth, where=painted[top:bottom, left:right])
            picture[3:][:, painted] = 255
        picture[:3] *= into[:, :, -2]
        if self.lids and blink > 0.05:
            self._lashes(picture, seen, blink)
        if self.backdrop is not None:
            picture = self.backdrop + (picture[:3] - self.backdrop) * (picture[3] / 255)
        return picture

    def _unlashed(self, points, blink):
        """The texture of closed lids is the skin above the lashes."""
        if blink <= 0:
            return points
        points = points.copy()
        for upper, fold in zip(UPPER_LIDS, FOLDS):
            points[list(upper)] += (points[list(fold)] - points[list(upper)]) * (0.42 * min(1, 2 * blink))
        return points

    def _mouth_layer(self, seen, rows, into, blend):
        """The inside of the mouth: the photo's own as far as it shows it, below the upper lip, then a painted one."""
        gaps = [skin.gap() for skin in self.skins]
        shown = max(range(len(gaps)), key=gaps.__getitem__) if blend > 0.15 else 0
        upper, lower, count = list(UPPER_LIP), list(LOWER_LIP), len(UPPER_LIP)
        own = rows.copy()
        own[:, -3] = float(shown > 0)
        own[upper, -2] = 0.9
        if self.teeth is None:
            meshes.rastered(self.size, seen[:, :2], seen[:, 2], self.mouth_triangles, own, into)
            return
        place = seen[:, :2]
        wide = max(1e-3, float(np.linalg.norm(place[308] - place[78])))
        along = (place[308] - place[78]) / wide
        gap = np.linalg.norm(place[lower] - place[upper], axis=1) / wide
        mesh = self.skins[shown].mesh
        photo = np.linalg.norm(mesh[lower, :2] - mesh[upper, :2], axis=1) / np.linalg.norm(mesh[308, :2] - mesh[78, :2])
        if gaps[shown] < 0.025:
            photo = np.zeros(count)
        if (gap - photo).max() < 0.05:
            # Closed lips.
            meshes.rastered(self.size, place, seen[:, 2], self.mouth_triangles, own, into)
            return
        share = np.where(gap > 1e-6, np.minimum(1, photo / np.maximum(gap, 1e-6)), 1)[:, None]
        middle = place[upper] + (place[lower] - place[upper]) * share
        side = self.teeth.shape[2]
        x = (place[upper] - place[78]) @ along / wide
        # Painted teeth are narrow gaps' closed lips; below the photo's own teeth is darkness.
        top = np.where(photo > 0, 0.2, 0.0)
        painted = own[lower + lower].copy()
        painted[:, 0] = np.tile(x, 2) * side
        painted[:, 1] = np.concatenate([top, top + np.maximum(0, gap - photo - 0.02)]) * side
        painted[:, -1] = 1
        first = np.arange(count - 1)
        second = first + count
        strip = np.concatenate([
            np.column_stack([first, first + 1, second + 1]), np.column_stack([first, second + 1, second]),
        ])
        depths = np.zeros(2 * count)
        meshes.rastered(self.size, np.concatenate([middle, place[lower]]), depths, strip, painted, into)
        if photo.any():
            texture = np.concatenate([own[upper], own[lower]])
            meshes.rastered(self.size, np.concatenate([place[upper], middle]), depths, strip, texture, into)

    def _lashes(self, picture, seen, blink):
        """The lid's margin, dark and thin, where the upper lid now ends."""
        wide = 0.006 * self.height
        for (outer, inner), upper in zip(CORNERS, UPPER_LIDS):
            line = seen[[outer, *upper, inner], :2]
            low = np.maximum(0, np.floor(line.min(0) - 4 * wide)).astype(int)
            high = np.minimum(self.size, np.ceil(line.max(0) + 4 * wide)).astype(int)
            if (high - low < 2).any():
                continue
            x = np.arange(low[0], high[0])[None, :] + 0.5
            y = np.arange(low[1], high[1])[:, None] + 0.5
            nearest = np.full((y.size, x.size), np.inf)
            for a, b in zip(line, line[1:]):
                step = b - a
                part = np.clip(((x - a[0]) * step[0] + (y - a[1]) * step[1]) / max(1e-6, step @ step), 0, 1)
                nearest = np.minimum(nearest, (x - a[0] - part * step[0]) ** 2 + (y - a[1] - part * step[1]) ** 2)
            dark = 1 - 0.38 * blink * np.exp(-nearest / wide**2)
            picture[:3, low[1] : high[1], low[0] : high[0]] *= dark


def _bounds(mask):
    rows, columns = np.nonzero(mask.any(1))[0], np.nonzero(mask.any(0))[0]
    return rows[0], rows[-1] + 1, columns[0], columns[-1] + 1

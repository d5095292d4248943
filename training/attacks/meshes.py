"""Face meshes: their landmarks in pictures, a triangulation, and drawing a picture through a moved mesh.

A mesh is an array of 468 points (x, y, depth in pixels; depth increases away from the camera), numbered as in
MediaPipe's face mesh. Left and right are the subject's.
"""

import math
import os
from pathlib import Path

import numpy as np
from PIL import Image

import optics
from video import Failure

POINTS = 468

# Contours of the mesh. Lids: from the outer to the inner corner, upper and lower points in pairs.
OVAL = (
    10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150,
    136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
)
CORNERS = ((33, 133), (263, 362))
UPPER_LIDS = ((246, 161, 160, 159, 158, 157, 173), (466, 388, 387, 386, 385, 384, 398))
LOWER_LIDS = ((7, 163, 144, 145, 153, 154, 155), (249, 390, 373, 374, 380, 381, 382))
FOLDS = ((247, 30, 29, 27, 28, 56, 190), (467, 260, 259, 257, 258, 286, 414))
# Lips: from the subject's right corner to the left one.
UPPER_LIP = (78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308)
LOWER_LIP = (78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308)
MOUTH_CORNERS = (61, 291)
FOREHEAD, CHIN, NOSE_BASE, NOSE_TIP = 10, 152, 2, 1

# The pitch of the line from forehead to chin when a person looks straight ahead, as in HeadPose.swift.
NEUTRAL_PITCH = 5.8


def axes(mesh):
    """The head's axes in the picture, as rows: to the subject's left, down, and back into the head."""
    across = mesh[263] + mesh[362] - mesh[33] - mesh[133]
    across = across / np.linalg.norm(across)
    down = mesh[CHIN] - mesh[FOREHEAD]
    down = down - across * (down @ across)
    down = down / np.linalg.norm(down)
    return np.stack([across, down, np.cross(across, down)])


def pose_of(mesh):
    """Yaw, pitch and roll in degrees, with the signs of HeadPose.swift."""
    across, _, back = axes(mesh)
    yaw = math.degrees(math.atan2(-back[0], back[2]))
    pitch = math.degrees(math.asin(max(-1.0, min(1.0, -back[1])))) - NEUTRAL_PITCH
    return yaw, pitch, -math.degrees(math.atan2(across[1], across[0]))


def rotation(yaw, pitch, roll):
    """A rotation by degrees, with the signs of `pose_of`."""
    a, b, c = (math.radians(angle) for angle in (yaw, pitch, roll))
    y = np.array([[math.cos(a), 0, -math.sin(a)], [0, 1, 0], [math.sin(a), 0, math.cos(a)]])
    x = np.array([[1, 0, 0], [0, math.cos(b), -math.sin(b)], [0, math.sin(b), math.cos(b)]])
    z = np.array([[math.cos(c), math.sin(c), 0], [-math.sin(c), math.cos(c), 0], [0, 0, 1]])
    return z @ x @ y


def height_of(mesh):
    return float(np.linalg.norm(mesh[FOREHEAD] - mesh[CHIN]))


class Face:
    """A mesh, and the openness of the right and the left eye (NaN without an iris network)."""

    def __init__(self, mesh, openness=(math.nan, math.nan)):
        self.mesh, self.openness = np.asarray(mesh, float), openness

    def measures(self, size):
        """The measurements of FaceObservation.swift in a picture of a given width and height."""
        mesh = self.mesh
        height = height_of(mesh)
        across = float(np.linalg.norm(mesh[33] - mesh[263]))
        up = (mesh[FOREHEAD] - mesh[CHIN]) / height
        yaw, pitch, roll = pose_of(mesh)
        lift = ((mesh[61] + mesh[291] - mesh[0] - mesh[17]) / 2) @ up / height
        return {
            "yaw": yaw, "pitch": pitch, "roll": roll, "openness": float(np.mean(self.openness)),
            "opening": float(np.linalg.norm(mesh[13] - mesh[14])) / height,
            "width": float(np.linalg.norm(mesh[61] - mesh[291])) / across, "lift": float(lift),
            "size": height / size[1], "x": mesh[NOSE_BASE, 0] / size[0], "y": mesh[NOSE_BASE, 1] / size[1],
        }


class MeshFinder:
    """Finds and follows one face with the networks of the model set, which OpenVINO runs (`pip install openvino`)."""

    SIDE, EYE_SIDE, DETECTOR_SIDE = 192, 64, 128

    def __init__(self, folder=None):
        folder = folder or os.environ.get("FACEVERIFY_MODELS") or Path(__file__).resolve().parents[2] / "models"
        try:
            import openvino
        except ImportError:
            raise Failure("this species needs the face mesh: pip install openvino") from None
        core = openvino.Core()
        core.set_property({"INFERENCE_NUM_THREADS": 1})
        names = ("face_detection_short_range", "face_landmark", "iris_landmark")
        for name in names:
            if not (Path(folder) / f"{name}.tflite").is_file():
                raise Failure(f"{folder}/{name}.tflite: no such model; set FACEVERIFY_MODELS, or run scripts/setup")
        self.detector, self.mesher, self.iris = (
            core.compile_model(str(Path(folder) / f"{name}.tflite"), "CPU") for name in names
        )
        cells = [(16, 2), (8, 6)]
        self.anchors = np.array(
            [((i % n + 0.5) / n, (i // n + 0.5) / n) for n, each in cells for i in range(n * n) for _ in range(each)]
        )
        self.last = None

    def face(self, picture, follow=False):
        """The most prominent face of a picture, or None; in a video, `follow` starts from the previous one."""
        mesh = self._around(picture, self.last) if follow and self.last is not None else None
        if mesh is None:
            box = self._box(picture)
            mesh = None if box is None else self._mesh(picture, *box)
            # As in a video, the mesh defines a better crop than the detector.
            mesh = None if mesh is None else self._around(picture, mesh)
        self.last = mesh
        if mesh is None:
            return None
        return Face(mesh, tuple(self._openness(picture, mesh, side) for side in (0, 1)))

    def faces(self, pictures):
        """The face of each picture of a video; a missing one is the previous one's."""
        self.last = None
        found = [self.face(picture, follow=True) for picture in pictures]
        known = next((face for face in found if face), None)
        if known is None:
            return []
        for number, face in enumerate(found):
            known = face or known
            found[number] = known
        return found

    def _box(self, picture):
        """Centre, side and angle of a square around the most certain face."""
        rows, columns = picture.shape[:2]
        longest = max(rows, columns)
        side = 0.6 * longest
        tiles = [
            (x, y) for y in np.arange(side / 2, max(rows - side / 4, side / 2 + 1), side / 2)
            for x in np.arange(side / 2, max(columns - side / 4, side / 2 + 1), side / 2)]
        # The network is made for faces that fill a large part of its square; smaller ones are found in tiles.
        for centres, side in (([(columns / 2, rows / 2)], longest), (tiles, side)):
            found = [self._detected(picture, centre, side) for centre in centres]
            logit, centre, width, eyes = max(found, key=lambda face: face[0])
            if logit > 0:
                return centre, 1.5 * width, math.atan2(eyes[1], eyes[0])
        return None

    def _detected(self, picture, centre, side):
        """The most certain face in a square: its logit, centre, width, and the vector between its eyes."""
        crop = _crop(picture, centre, side, 0, self.DETECTOR_SIDE)
        values, logits = self.detector(crop[None] * np.float32(2) - 1).values()
        values, logits = values.reshape(-1, 16), logits.ravel()
        top = int(logits.argmax())
        middle = (self.anchors[top] * self.DETECTOR_SIDE + values[top, :2]) / self.DETECTOR_SIDE - 0.5
        width = float(values[top, 2]) / self.DETECTOR_SIDE * side
        return logits[top], centre + middle * side, width, values[top, 6:8] - values[top, 4:6]

    def _around(self, picture, mesh):
        delta = mesh[263] - mesh[33]
        angle = math.atan2(delta[1], delta[0])
        cos, sin = math.cos(angle), math.sin(angle)
        turned = mesh[:, :2] @ np.array([[cos, -sin], [sin, cos]])
        low, high = turned.min(0), turned.max(0)
        middle = np.array([[cos, -sin], [sin, cos]]) @ ((low + high) / 2)
        return self._mesh(picture, middle, 1.5 * float(max(high - low)), angle)

    def _mesh(self, picture, centre, side, angle):
        crop = _crop(picture, centre, side, angle, self.SIDE)
        outputs = sorted(self.mesher(crop[None]).values(), key=lambda values: -values.size)
        if outputs[1].ravel()[0] < 0:
            return None
        points = outputs[0].reshape(-1, 3)[:POINTS].astype(float)
        scale = side / self.SIDE
        off = (points[:, :2] - self.SIDE / 2) * scale
        cos, sin = math.cos(angle), math.sin(angle)
        turned = off @ np.array([[cos, sin], [-sin, cos]])
        return np.column_stack([turned + np.asarray(centre), points[:, 2] * scale])

    def _openness(self, picture, mesh, side):
        outer, inner = mesh[CORNERS[side][0], :2], mesh[CORNERS[side][1], :2]
        left, right = (outer, inner) if side == 0 else (inner, outer)
        reach = 2.3 * float(np.linalg.norm(outer - inner))
        angle = math.atan2(*(right - left)[::-1])
        crop = _crop(picture, (outer + inner) / 2, reach, angle, self.EYE_SIDE)
        if side:
            crop = crop[:, ::-1]
        values = max(self.iris(np.ascontiguousarray(crop[None])).values(), key=lambda values: values.size)
        lids = values.reshape(-1, 3)[:16, :2]
        gaps = np.linalg.norm(lids[9:16] - lids[1:8], axis=1)
        return float(gaps.mean() / max(1e-6, np.linalg.norm(lids[0] - lids[8])))


def _crop(picture, centre, side, angle, pixels):
    """A turned square of the picture as floats from 0 to 1; black outside the picture."""
    step = side / pixels
    cos, sin = math.cos(angle) * step, math.sin(angle) * step
    x = centre[0] - (cos - sin) * (pixels / 2) + 0.5 * (cos - sin)
    y = centre[1] - (sin + cos) * (pixels / 2) + 0.5 * (sin + cos)
    image = Image.fromarray(picture)
    if step > 2:
        # Bilinear sampling alone would alias.
        image, shrink = image.reduce(int(step)), int(step)
        cos, sin, x, y = cos / shrink, sin / shrink, x / shrink, y / shrink
    # Pillow adds half a pixel itself.
    matrix = (cos, -sin, x - 0.5 * (cos - sin), sin, cos, y - 0.5 * (sin + cos))
    return np.asarray(image.transform((pixels, pixels), Image.AFFINE, matrix, Image.BILINEAR), np.float32) / 255


def triangulated(points):
    """The Delaunay triangulation of points in the plane (Bowyer and Watson 1981), as rows of three indices."""
    points = np.asarray(points, float)
    low, span = points.min(0), float(np.ptp(points, axis=0).max())
    # Equal coordinates are degenerate: a fixed jitter, far below a pixel, removes them.
    jitter = np.random.default_rng(1).uniform(-1, 1, points.shape) * 1e-5
    far = np.array([[-2000.0, -2000], [3000, -2000], [0.5, 4000]])
    all_points = np.concatenate([(points - low) / span + jitter, far])
    count = len(points)
    triangles = np.array([[count, count + 1, count + 2]])
    circles = _circles(all_points, triangles)
    for number in range(count):
        inside = ((all_points[number] - circles[:, :2]) ** 2).sum(1) < circles[:, 2]
        bad = triangles[inside]
        edges = np.concatenate([bad[:, [0, 1]], bad[:, [1, 2]], bad[:, [2, 0]]])
        ordered = np.sort(edges, 1)
        keys = ordered[:, 0] * (count + 3) + ordered[:, 1]
        _, first, times = np.unique(keys, return_index=True, return_counts=True)
        border = edges[first[times == 1]]
        new = np.column_stack([border, np.full(len(border), number)])
        triangles = np.concatenate([triangles[~inside], new])
        circles = np.concatenate([circles[~inside], _circles(all_points, new)])
    return triangles[(triangles < count).all(1)]


def _circles(points, triangles):
    """Centres and squared radii of circumscribed circles."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    b, c = b - a, c - a
    area = 2 * (b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0])
    area = np.where(np.abs(area) < 1e-14, 1e-14, area)
    bb, cc = (b**2).sum(1), (c**2).sum(1)
    x, y = (c[:, 1] * bb - b[:, 1] * cc) / area, (b[:, 0] * cc - c[:, 0] * bb) / area
    return np.column_stack([a[:, 0] + x, a[:, 1] + y, x * x + y * y])


def rastered(size, places, depths, triangles, values, into):
    """Draws triangles with values interpolated between their corners: the nearest triangle of a pixel wins.

    places: corners in pixels; depths: only their order matters; values: rows of numbers for each corner;
    into: an array of size[1] x size[0] x numbers, changed in place.
    """
    width, height = size
    order = np.argsort(-depths[triangles].mean(1), kind="stable")
    triangles = triangles[order]
    corners = places[triangles]
    a, b, c = corners.transpose(1, 0, 2)
    ab, ac = b - a, c - a
    area = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]
    # The rows of each triangle, then the part of each row within it; a small overlap leaves no gaps between neighbours.
    low = np.clip(np.ceil(corners[:, :, 1].min(1) - 0.5), 0, height).astype(np.int64)
    high = np.clip(np.floor(corners[:, :, 1].max(1) - 0.5) + 1, 0, height).astype(np.int64)
    counts = np.where(np.abs(area) > 1e-4, np.maximum(0, high - low), 0)
    which = np.repeat(np.arange(len(triangles)), counts)
    if not len(which):
        return
    rows = low[which] + np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
    y = rows + 0.5
    left, right = np.full(len(which), np.inf), np.full(len(which), -np.inf)
    for start, end in ((a, b), (b, c), (c, a)):
        start, end = start[which], end[which]
        rise = end[:, 1] - start[:, 1]
        part = (y - start[:, 1]) / np.where(np.abs(rise) < 1e-9, 1e-9, rise)
        x = start[:, 0] + part * (end[:, 0] - start[:, 0])
        crossed = (part >= 0) & (part <= 1) & (np.abs(rise) >= 1e-9)
        left, right = np.where(crossed, np.minimum(left, x), left), np.where(crossed, np.maximum(right, x), right)
    empty = left > right
    left, right = np.where(empty, 0, left), np.where(empty, -1, right)
    first = np.clip(np.ceil(left - 0.5 - 1e-3), 0, width).astype(np.int64)
    counts = np.where(empty, 0, np.clip(np.floor(right - 0.5 + 1e-3), -1, width - 1).astype(np.int64) + 1 - first)
    counts = np.maximum(0, counts)
    # The values of a triangle are a plane over the picture.
    corner = values[triangles].astype(np.float32)
    up, along = corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
    divisor = np.where(np.abs(area) > 1e-4, area, 1)[:, None]
    across = ((up * ac[:, 1:2] - along * ab[:, 1:2]) / divisor).astype(np.float32)
    down = ((along * ab[:, :1] - up * ac[:, :1]) / divisor).astype(np.float32)
    begin = corner[which, 0] + across[which] * (first + 0.5 - a[which, 0])[:, None].astype(np.float32)
    begin += down[which] * (y - a[which, 1])[:, None].astype(np.float32)
    step = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    places = np.repeat(rows * width + first, counts) + step
    drawn = np.repeat(across[which], counts, axis=0)
    drawn *= step[:, None].astype(np.float32)
    drawn += np.repeat(begin, counts, axis=0)
    into.reshape(-1, into.shape[2])[places] = drawn


def similarity(points, to):
    """How points in the plane are moved, turned and scaled to come near to others: a complex factor about the means."""
    first, second = points.mean(0), to.mean(0)
    za, zb = (points - first) @ np.array([1, 1j]), (to - second) @ np.array([1, 1j])
    return (np.conj(za) @ zb) / (np.conj(za) @ za), first, second


def normals(mesh, triangles):
    """Unit normals of the points, towards the camera."""
    a, b, c = (mesh[triangles[:, i]] for i in range(3))
    faces = np.cross(b - a, c - a)
    faces *= np.where(faces[:, 2:3] > 0, -1, 1)
    total = np.zeros_like(mesh)
    for i in range(3):
        np.add.at(total, triangles[:, i], faces)
    return total / np.maximum(1e-9, np.linalg.norm(total, axis=1, keepdims=True))


def sampled(picture, x, y):
    """Colours (3 x height x width floats) of a picture of that form at positions of pixel centres."""
    return optics.bilinear(picture, x - 0.5, y - 0.5)

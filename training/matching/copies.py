#!/usr/bin/env python3
"""Makes copies of photos, as used to forge a selfie from a portrait: re-encoded, scaled, cropped, rotated, with other
tones, mirrored, printed and photographed, or animated with a face mesh whose depth turns the head.

    copies.py MODELS OUT PAIRS < photos

writes OUT/NUMBER-KIND.png for every kind and photo, and the original and the copy, separated by a tab, to PAIRS. Needs
numpy, opencv-python-headless and openvino, which runs MODELS/face_landmark.tflite.
"""
import os
import sys

import cv2
import numpy as np
import openvino

# Outer corners of the right and left eye, and the lids from one corner to the other: upper, lower.
EYES = (33, 263)
LIDS = [
    ([246, 161, 160, 159, 158, 157, 173], [7, 163, 144, 145, 153, 154, 155]),
    ([466, 388, 387, 386, 385, 384, 398], [249, 390, 373, 374, 380, 381, 382]),
]


class Mesh:
    def __init__(self, models):
        core = openvino.Core()
        core.set_property("CPU", {"INFERENCE_NUM_THREADS": 1})
        self.network = core.compile_model(os.path.join(models, "face_landmark.tflite"), "CPU")

    def __call__(self, picture):
        """468 points (x, y, depth) in pixels; None if there is no face near the centre."""
        height, width = picture.shape[:2]
        for share in (0.6, 0.9, 0.45, 1.2):
            middle, side, angle = np.array([width / 2, height / 2]), share * min(width, height), 0.0
            for _ in range(4):
                scale = side / 192
                turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
                view = np.c_[turn, middle - turn @ [96, 96]]
                smooth = cv2.GaussianBlur(picture, (0, 0), scale / 2.5) if scale > 2 else picture
                crop = cv2.warpAffine(smooth, view, (192, 192), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
                outputs = [np.ravel(v) for v in self.network(crop[None].astype(np.float32) / 255).values()]
                raw = next(o for o in outputs if o.size == 1404).reshape(468, 3)
                presence = 1 / (1 + np.exp(-next(o for o in outputs if o.size == 1)[0]))
                points = np.c_[raw[:, :2] @ turn.T + view[:, 2], raw[:, 2] * scale]
                eyes = points[EYES[1]] - points[EYES[0]]
                angle = np.arctan2(eyes[1], eyes[0])
                low, high = points[:, :2].min(0), points[:, :2].max(0)
                middle, side = (low + high) / 2, 1.5 * max(high - low)
            if presence > 0.9:
                return points
        return None


def jpeg(picture, quality):
    return cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)


def scaled(picture, factor):
    return cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC)


def turned(picture, degrees, factor=1.0):
    height, width = picture.shape[:2]
    view = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, factor)
    return cv2.warpAffine(picture, view, (width, height), borderMode=cv2.BORDER_REPLICATE)


def toned(picture, gamma, gain, offset):
    return np.clip(255 * gain * (picture / 255.0) ** gamma + offset, 0, 255).astype(np.uint8)


def cropped(picture, points, margin=0.3):
    low, high = points[:, :2].min(0), points[:, :2].max(0)
    border = (high - low) * margin
    left, top = np.maximum(low - border, 0).astype(int)
    right, bottom = np.minimum(high + border, picture.shape[1::-1]).astype(int)
    return picture[top:bottom, left:right].copy()


def printed(picture, points, random):
    """A print of the picture, with a face 150 pixels wide, in front of a camera: paler, shaded, tilted, blurred,
    noisy."""
    picture = scaled(picture, min(1, 150 / np.ptp(points[:, 0])))
    height, width = picture.shape[:2]
    light = np.linspace(0.8, 1.15, width)[None, :, None] * np.linspace(1.1, 0.9, height)[:, None, None]
    paper = (cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 0.8) * 0.75 + 30) * light * [0.9, 1, 1.05]
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    view = cv2.getPerspectiveTransform(corners, corners + random.normal(0, 0.03 * width, (4, 2)).astype(np.float32))
    paper = cv2.warpPerspective(paper.astype(np.float32), view, (width, height), borderMode=cv2.BORDER_REPLICATE)
    paper = cv2.GaussianBlur(paper, (0, 0), 0.6) + random.normal(0, 4, paper.shape)
    return jpeg(np.clip(paper, 0, 255).astype(np.uint8), 70)


def animated(picture, points, yaw, pitch=0.0, lids=0.0):
    """Turns the head by degrees and closes the lids by a fraction; pixels far from the face stay."""
    yaw, pitch = np.radians([yaw, pitch])
    middle = points.mean(0)
    x, y, z = (points - middle).T
    depth = z * np.cos(yaw) - x * np.sin(yaw)
    moved = np.c_[x * np.cos(yaw) + z * np.sin(yaw), y * np.cos(pitch) - depth * np.sin(pitch)] + middle[:2]
    for uppers, lowers in LIDS:
        moved[uppers] = moved[uppers] * (1 - lids) + moved[lowers] * lids
    height, width = picture.shape[:2]
    face = np.ptp(points[:, 0])
    step = max(4, int(face / 20))
    columns, rows = np.meshgrid(np.arange(0, width + step, step), np.arange(0, height + step, step))
    places = np.c_[columns.ravel(), rows.ravel()].astype(float)
    frame = np.array([[a, b] for a in np.linspace(0, width, 8) for b in np.linspace(0, height, 8)])
    frame = frame[np.sqrt(((frame[:, None] - points[None, :, :2]) ** 2).sum(2)).min(1) > face / 2]
    anchors = np.r_[moved, frame]
    shifts = np.r_[points[:, :2] - moved, np.zeros_like(frame)]
    weights = 1 / (((places[:, None] - anchors[None]) ** 2).sum(2) + (0.03 * face) ** 2) ** 2
    source = (places + weights @ shifts / weights.sum(1, keepdims=True)).reshape(*columns.shape, 2).astype(np.float32)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32) / step, np.arange(height, dtype=np.float32) / step)
    fields = [cv2.remap(np.ascontiguousarray(source[..., i]), x, y, cv2.INTER_LINEAR) for i in (0, 1)]
    return cv2.remap(picture, *fields, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def on_page(picture, points):
    """The picture as the portrait on a photographed document page, with a face 90 pixels wide."""
    face = scaled(cropped(picture, points, 0.5), min(1, 90 / np.ptp(points[:, 0])))
    page = np.full((500, 700, 3), (205, 220, 215), np.uint8)
    height, width = face.shape[:2]
    page[100 : 100 + min(height, 350), 60 : 60 + width] = face[:350]
    for line in range(5):
        cv2.putText(page, "SPECIMEN 0123456789", (320, 140 + 50 * line), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (60, 60, 60), 2)
    return jpeg(page, 80)


def copies(picture, points, random):
    yield "jpeg30", jpeg(picture, 30)
    yield "jpeg95", jpeg(picture, 95)
    yield "scaled0.3", scaled(picture, 0.3)
    yield "scaled0.5-jpeg80", jpeg(scaled(picture, 0.5), 80)
    yield "scaled2", scaled(picture, 2)
    yield "cropped", jpeg(cropped(picture, points), 85)
    yield "darker", toned(picture, 1.6, 0.8, 20)
    yield "lighter", toned(picture, 0.6, 1.2, -20)
    yield "turned10", turned(picture, 10)
    yield "turned-10", turned(picture, -10, 0.8)
    yield "mirrored", picture[:, ::-1].copy()
    yield "printed", printed(picture, points, random)
    yield "page", on_page(picture, points)
    yield "yaw10", animated(picture, points, 10)
    yield "yaw-15", animated(picture, points, -15)
    yield "pitch8-blink", animated(picture, points, 3, 8, 0.9)
    frame = scaled(animated(picture, points, 9, -4, 0.5), 0.5)
    yield "yaw9-half-toned-jpeg50", jpeg(toned(frame, 1.2, 1, 5), 50)


def main(models, out, pairs):
    mesh, random = Mesh(models), np.random.default_rng(1)
    os.makedirs(out, exist_ok=True)
    with open(pairs, "w") as list_of_pairs:
        for number, path in enumerate(line.strip() for line in sys.stdin):
            picture = cv2.imread(path)
            points = None if picture is None else mesh(picture)
            if points is None:
                print("no face:", path, file=sys.stderr)
                continue
            for kind, copy in copies(picture, points, random):
                name = os.path.join(out, f"{number:03}-{kind}.png")
                cv2.imwrite(name, copy)
                list_of_pairs.write(f"{path}\t{name}\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])

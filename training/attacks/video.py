"""Reads and writes photos and videos frame by frame with ffmpeg, so that memory use does not grow with their length."""

import contextlib
import io
import json
import math
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

# Frame rate of all output.
RATE = 30

# Visually almost lossless: compression artefacts must not distinguish attacks from bona fide videos.
QUALITY = 16


class Failure(Exception):
    """A failure, described in one line."""


def tool(name):
    path = shutil.which(name)
    if path is None:
        raise Failure(f"{name} is not installed (Debian: apt-get install ffmpeg)")
    return path


class Source:
    """A photo or a video."""

    def __init__(self, path):
        self.path = Path(path)
        if not self.path.is_file():
            raise Failure(f"{path}: no such file")
        self.still = self._photo()
        if self.still is not None:
            self.seconds = 0.0
            self.height, self.width = self.still.shape[:2]
        else:
            self.seconds = self._length()
            first = self.picture(0)
            self.height, self.width = first.shape[:2]

    @property
    def name(self):
        return self.path.stem

    def fitted(self, longest):
        """Width and height, even, with at most `longest` pixels on the longer side."""
        part = min(1, longest / max(self.width, self.height))
        return tuple(max(16, round(length * part / 2) * 2) for length in (self.width, self.height))

    def picture(self, at, size=None):
        """The photo, or the frame at a time in seconds."""
        if size is None:
            return self._whole(at)
        for frame in self.frames(at, 1 / RATE, size):
            return frame
        raise Failure(f"{self.path}: no frame at {at:.2f} s")

    def frames(self, start, seconds, size, filters=()):
        """Frames at 30 per second; a photo is repeated without end."""
        if self.still is not None:
            picture = self.still
            if size != (picture.shape[1], picture.shape[0]):
                picture = np.array(Image.fromarray(picture).resize(size, Image.LANCZOS))
            for _ in range(max(1, round(seconds * RATE))):
                yield picture
            return
        count = max(1, round(seconds * RATE))
        chain = ",".join([f"fps={RATE}", *filters, f"scale={size[0]}:{size[1]}:flags=bicubic"])
        command = [
            tool("ffmpeg"), "-v", "error", "-nostdin", "-threads", "1", "-ss", f"{start:.3f}", "-i", str(self.path),
            "-an", "-sn", "-vf", chain, "-frames:v", str(count), "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
        ]
        length = size[0] * size[1] * 3
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            try:
                while len(data := process.stdout.read(length)) == length:
                    yield np.frombuffer(data, np.uint8).reshape(size[1], size[0], 3)
            finally:
                process.kill()

    def _whole(self, start):
        """A frame in its own size, after the video's rotation."""
        if self.still is not None:
            return self.still
        command = [
            tool("ffmpeg"), "-v", "error", "-nostdin", "-ss", f"{start:.3f}", "-i", str(self.path), "-an", "-sn",
            "-frames:v", "1", "-f", "image2pipe", "-c:v", "ppm", "-",
        ]
        done = subprocess.run(command, capture_output=True)
        if done.returncode or not done.stdout:
            raise Failure(f"{self.path}: {_last_line(done.stderr) or 'no picture in it'}")
        return np.array(Image.open(io.BytesIO(done.stdout)).convert("RGB"))

    def _photo(self):
        try:
            with Image.open(self.path) as image:
                if getattr(image, "n_frames", 1) > 1:
                    return None
                return np.array(ImageOps.exif_transpose(image).convert("RGB"))
        except (UnidentifiedImageError, OSError, Image.DecompressionBombError):
            return None

    def _length(self):
        stated = self._probed("stream=duration") or self._probed("format=duration")
        # For files that do not state their length, the time of the last frame.
        times = stated or self._probed("packet=pts_time")
        if not times:
            raise Failure(f"{self.path}: neither a photo nor a video that ffmpeg reads")
        return max(times)

    def _probed(self, entries):
        command = [
            tool("ffprobe"), "-v", "error", "-select_streams", "v:0", "-show_entries", entries, "-of", "csv=p=0",
            str(self.path),
        ]
        words = subprocess.run(command, capture_output=True, text=True, errors="replace").stdout.replace(",", " ").split()
        return [float(word) for word in words if word != "N/A"]


class Writer:
    """An H.264 file at 30 frames per second; an incomplete one is removed."""

    def __init__(self, path, size, comment):
        self.path = Path(path)
        self.part = self.path.with_name(f".{self.path.stem}.part{self.path.suffix}")
        self.count = 0
        command = [
            tool("ffmpeg"), "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}",
            "-r", str(RATE), "-i", "-", "-c:v", "libx264", "-preset", "fast", "-crf", str(QUALITY), "-pix_fmt",
            "yuv420p", "-threads", "1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-metadata",
            f"comment={comment}", "-movflags", "+faststart", "-f", "mp4", str(self.part),
        ]
        self.complaints = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=self.complaints)

    def __enter__(self):
        return self

    def write(self, picture):
        try:
            self.process.stdin.write(np.ascontiguousarray(picture).data)
        except BrokenPipeError:
            raise self._failure() from None
        self.count += 1

    def __exit__(self, kind, error, trace):
        try:
            if kind is None:
                self._close()
                if self.process.wait() or not self.count:
                    raise self._failure()
                os.replace(self.part, self.path)
        finally:
            self.process.kill()
            self._close()
            self.process.wait()
            self.complaints.close()
            self.part.unlink(missing_ok=True)

    def _close(self):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()

    def _failure(self):
        code = self.process.wait()
        self.complaints.seek(0)
        reason = _last_line(self.complaints.read()) or (f"ffmpeg ended with {code}" if code else "no frame to write")
        return Failure(f"{self.path}: {reason}")


def _last_line(text):
    lines = text.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""


class FaceFinder:
    """Detects faces with the project's own program, if available; otherwise finds none."""

    def __init__(self, program=None):
        root = Path(__file__).resolve().parents[2]
        self.program = program or os.environ.get("FACEVERIFY_BINARY") or root / ".build/release/faceverify"
        self.usable = shutil.which(str(self.program)) is not None
        if program and not self.usable:
            raise Failure(f"{program}: no such program")
        self.environment = {"FACEVERIFY_MODELS": str(root / "models"), **os.environ}

    def faces(self, pictures):
        """For each picture None, or the centres of its face's eyes (the left one in the picture first) and a penalty:
        degrees by which the face is turned from the camera, reduced for open eyes."""
        found = []
        if not self.usable:
            return [None for _ in pictures]
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for number, picture in enumerate(pictures):
                names.append(str(Path(folder) / f"{number:05}.png"))
                Image.fromarray(picture).save(names[-1], compress_level=1)
            if not names:
                return []
            done = subprocess.run(
                [str(self.program), "detect", "--json", *names], capture_output=True, env=self.environment
            )
            try:
                photos = json.loads(done.stdout)["photos"]
            except (ValueError, KeyError):
                raise Failure(f"{self.program}: {_last_line(done.stderr) or 'no result'}") from None
            for photo in photos:
                faces = photo.get("faces") or [None]
                found.append(_face(max(faces, key=_width) if faces[0] else None))
        return found


def _width(face):
    return face["box"]["width"]


def _face(face):
    try:
        pair = [face["eyes"][side]["centre"] for side in ("left", "right")]
        eyes = sorted((float(eye["x"]), float(eye["y"])) for eye in pair)
        # Open eyes have an openness of about 0.2, closed ones of less than 0.1: the difference is equivalent to 20
        # degrees.
        opened = min(face["eyes"][side].get("openness") or 0.0 for side in ("left", "right"))
        return eyes, math.hypot(face["pose"]["yaw"], face["pose"]["pitch"]) - 200 * min(opened, 0.2)
    except (TypeError, KeyError):
        return None

#!/usr/bin/env python3
"""Re-encodes clips as frames are transmitted from a camera to a session.

    encodings.py CLIPS OUT [--codec NAME...] [--rate FRAMES_PER_SECOND...] [--lines PIXELS...] [--turn 0] [--few]

OUT gets the variants and their labels.csv; clips with "replay" in their names are attacks. With 0 lines the size is kept.
With --turn there is one size for each clip, codec and rate, another one with 0, 1, 2...; with --few, one codec for each
clip, rate and size.
"""
import csv
import http.server
import io
import itertools
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
from PIL import Image

sys.path.append(str(Path(__file__).resolve().parents[1]))
from shared import command

CODECS = ("jpeg70", "jpeg85", "jpeg92", "vp8", "h264")  # also canvas70, canvas85, canvas92 and mjpeg
RATES = (8, 10, 12, 15, 30)
LINES = (0, 360, 480)
VIDEO = {
    "vp8": ["-c:v", "libvpx", "-b:v", "1M", "-deadline", "realtime", "-cpu-used", "6", "-threads", "1"],
    "h264": ["-c:v", "libx264", "-b:v", "1M", "-maxrate", "1M", "-bufsize", "1M", "-preset", "veryfast", "-tune",
             "zerolatency", "-pix_fmt", "yuv420p", "-threads", "1"],
    "mjpeg": ["-c:v", "mjpeg", "-q:v", "5", "-pix_fmt", "yuvj420p", "-threads", "1"],
}
QUIET = ["ffmpeg", "-v", "error", "-y"]


def chain(rate, lines):
    """ffmpeg's filters for a frame rate and a shorter side in pixels; both sides are even."""
    scale = "trunc(iw/2)*2:trunc(ih/2)*2"
    if lines:
        scale = f"if(gt(iw\\,ih)\\,-2\\,{lines}):if(gt(iw\\,ih)\\,{lines}\\,-2)"
    return f"fps={rate},scale={scale}:flags=bilinear"


def pictures(clip, rate, lines):
    """All frames, decoded once for all codecs."""
    def decoded(*output):
        decoder = [*QUIET, "-i", str(clip), "-an", "-vf", chain(rate, lines), *output, "-"]
        return subprocess.run(decoder, check=True, capture_output=True).stdout

    width, height = Image.open(io.BytesIO(decoded("-frames:v", "1", "-f", "image2pipe", "-c:v", "ppm"))).size
    frames = decoded("-f", "rawvideo", "-pix_fmt", "rgb24")
    return np.frombuffer(frames, np.uint8).reshape(-1, height, width, 3)


def libjpeg(frames, quality):
    for frame in frames:
        data = io.BytesIO()
        Image.fromarray(frame).save(data, "JPEG", quality=quality, subsampling="4:2:0")
        yield data.getvalue()


PAGE = """<!doctype html><script>
(async () => {
  const canvas = document.createElement('canvas'), context = canvas.getContext('2d')
  for (;;) {
    const answer = await fetch('/frame')
    if (answer.status != 200) break
    const quality = Number(answer.headers.get('quality'))
    const bitmap = await createImageBitmap(await answer.blob())
    canvas.width = bitmap.width; canvas.height = bitmap.height
    context.drawImage(bitmap, 0, 0)
    const blob = await new Promise(done => canvas.toBlob(done, 'image/jpeg', quality))
    await fetch('/jpeg', {method: 'POST', body: blob})
  }
})()
</script>"""


def canvas(frames, quality):
    """The frames as encoded by Chromium's canvas: a page fetches each and sends it back."""
    made, ended, source = [], threading.Event(), iter(frames)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self, status, kind="text/html", data=b""):
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("quality", str(quality / 100))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self):
            if self.path != "/frame":
                return self.answer(200, data=PAGE.encode())
            frame = next(source, None)
            if frame is None:
                self.answer(404)
                return ended.set()
            data = io.BytesIO()
            Image.fromarray(frame).save(data, "PNG", compress_level=1)
            self.answer(200, "image/png", data.getvalue())

        def do_POST(self):
            made.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.answer(200)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as profile:
        browser = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
             f"http://127.0.0.1:{server.server_port}/"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not ended.wait(1):
                if browser.poll() is not None:
                    raise RuntimeError(f"chromium ended with {browser.returncode}")
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
    return made


def encode(frames, codec, rate, path):
    """Writes one variant of a clip."""
    _, height, width, _ = frames.shape
    if codec in VIDEO:
        source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-framerate", str(rate), "-i", "-"]
        pieces, options = frames, VIDEO[codec]
    else:
        source, options = ["-f", "mjpeg", "-framerate", str(rate), "-i", "-"], ["-c:v", "copy"]
        pieces = (libjpeg if codec.startswith("jpeg") else canvas)(frames, int(codec[-2:]))
    with subprocess.Popen([*QUIET, *source, *options, str(path)], stdin=subprocess.PIPE) as encoder:
        for piece in pieces:
            encoder.stdin.write(piece)
    if encoder.returncode:
        raise RuntimeError(f"{path}: ffmpeg ended with {encoder.returncode}")


def main(
        clips: Path, out: Path, *, codec: list[str] = CODECS, rate: list[int] = RATES, lines: list[int] = LINES,
        turn: int = None, few: bool = False):
    rows = []
    for i, clip in enumerate(sorted(path for path in clips.iterdir() if path.is_file())):
        species = "replay" if "replay" in clip.name else ""
        for (j, per_second), (k, height) in itertools.product(enumerate(rate), enumerate(lines)):
            chosen = codec
            if turn is not None:
                chosen = [name for n, name in enumerate(codec) if (i + j + n + turn - k) % len(lines) == 0]
            if few:
                chosen = [name for name in chosen if name == codec[(i + j) % len(codec)]]
            frames = pictures(clip, per_second, height) if chosen else None
            for name in chosen:
                path = out / f"{name}-{per_second}-{height}" / f"{clip.stem}.mkv"
                path.parent.mkdir(parents=True, exist_ok=True)
                encode(frames, name, per_second, path)
                rows.append([path.relative_to(out), "attack" if species else "live", species])
        print(clip.name, file=sys.stderr)
    with open(out / "labels.csv", "w", newline="") as file:
        csv.writer(file).writerows([["path", "label", "species"], *sorted(rows)])


if __name__ == "__main__":
    command(main, __doc__)

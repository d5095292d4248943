"""Jobs and the clips that they produce."""

import math
from dataclasses import dataclass, field

from meshes import MeshFinder
from video import RATE, Failure

# Maximum longer side of decoded pictures in pixels: a print in front of a camera of 640 needs no 12 megapixels.
LONGEST = 1280


@dataclass
class Clip:
    """A video. Its frames are generated while they are written. `stamps` contains the frames' time stamps in seconds,
    if they differ from those of the file."""

    size: tuple
    frames: object
    parameters: dict
    stamps: object = None
    part: str = ""


@dataclass
class Job:
    """One run of one species."""

    source: object
    other: object
    rng: object
    seed: int
    seconds: float
    finder: object
    size: tuple = None
    face: tuple = None
    other_face: tuple = None
    difficulty: float = None
    # The prompts that the clip answers, or the path that its face follows: see prompts.py.
    script: list = None
    path: object = None
    # Finds face meshes; made when a species first needs it.
    finders: list = field(default_factory=list)

    def camera_size(self, source=None):
        """The size of the camera that films the medium: 640 x 480, upright for upright sources."""
        source = source or self.source
        return self.size or ((480, 640) if source.height > source.width else (640, 480))

    def length(self, source, seconds=None):
        """The requested length in seconds, at most the source's."""
        seconds = seconds or self.seconds
        return seconds if source.still is not None else max(1 / RATE, min(seconds, source.seconds - 1 / RATE))

    def start(self, source, seconds):
        spare = 0.0 if source.still is not None else max(0.0, source.seconds - seconds - 2 / RATE)
        return self.rng.uniform(0, spare) if spare else 0.0

    def photo(self, source=None):
        """The photo, or the best of a few frames of the video: frontal, with open eyes."""
        source = source or self.source
        size = source.fitted(LONGEST)
        if source.still is not None:
            return source.picture(0, size)
        frames = [source.picture(self.start(source, 0.1), size) for _ in range(6)]
        faults = [face[1] if face else math.inf for face in self.finder.faces(frames)]
        return frames[min(range(len(frames)), key=faults.__getitem__)]

    def meshes(self):
        """Finds face meshes."""
        if not self.finders:
            self.finders.append(MeshFinder())
        return self.finders[0]

    def noted(self, made):
        """Parameters about the answers of a clip: the script, and seconds of each prompt and movement."""
        noted = {"path": self.path is not None}
        if made:
            noted["script"] = ",".join(answer.challenge for answer in made)
            noted["answers"] = [[answer.asked, answer.begun, answer.ended] for answer in made]
        return noted

    def need_video(self, species):
        if self.source.still is not None:
            raise Failure(f"{self.source.path}: {species} needs a video, and this is a photo")

    def need_other(self, species):
        if self.other is None:
            raise Failure(f"{species} needs a second person: --other PHOTO_OR_VIDEO")

    def part(self, source=None, size=None, seconds=None):
        """Start, length, size and frames of a random part of a source."""
        source = source or self.source
        seconds = self.length(source, seconds)
        start = self.start(source, seconds)
        size = size or source.fitted(LONGEST)
        return start, seconds, size, source.frames(start, seconds, size)


class Still:
    """A picture as a source."""

    def __init__(self, picture):
        self.still = picture

    def frames(self, *_):
        yield self.still


def covering(source, size):
    """The size in which a source covers a picture, with a margin for tremor."""
    part = 1.04 * max(size[0] / source.width, size[1] / source.height)
    return tuple(2 * math.ceil(length * part / 2) for length in (source.width, source.height))


def scaled(source, box, size):
    part = size[0] / source.width
    return (*(value * part for value in box[:4]), *(box[4:] or (0.0,)))


def window(picture, off, size):
    x, y = (min(max(0, at), length - part) for at, length, part in zip(off, (picture.shape[1], picture.shape[0]), size))
    return picture[y : y + size[1], x : x + size[0]]

"""Attacks that hold or wear a medium before the camera, as functions from a job to its clips."""

import math

import optics
from cutouts import Cutout
from jobs import LONGEST, Clip, Still, covering, scaled, window
from motion import Gestures, Hand, Track
from prints import Print
from screens import Screen
from video import RATE


def print_(job):
    """a printed photo, held before the camera"""
    photo = job.photo()
    return [_held(job, Print, photo, Hand(job.rng, 1.0))]


def moved_photo(job):
    """a photo that is turned, tilted, brought closer and bent to pass for a moving head"""
    photo = job.photo()
    gestures = Gestures(job.rng, job.seconds)
    clip = _held(job, Print, photo, Hand(job.rng, 1.0), gestures)
    clip.parameters["gestures"] = gestures.done
    return [clip]


def _held(job, kind, photo, hand, gestures=None):
    width, height = job.camera_size()
    medium = kind((height, width), job.rng, source=photo.shape, difficulty=job.difficulty)
    if gestures:
        # Room to move: the sheet starts near the middle, nearly upright.
        pose = medium.pose
        medium.set_pose(
            optics.Pose(
                yaw=pose.yaw * 0.3, pitch=pose.pitch * 0.3, roll=pose.roll * 0.5, scale=job.rng.uniform(0.75, 1.05),
                bend=max(0.0, pose.bend) * 0.3, axis=pose.axis,
            )
        )

    def frames():
        for number in range(round(job.seconds * RATE)):
            time = number / RATE
            pose = medium.pose.moved(**hand.at(time))
            if gestures:
                pose = pose.moved(**gestures.at(time))
            yield medium.frame(photo, job.rng, pose, time)

    return Clip((width, height), frames(), medium.parameters)


def screen(job):
    """a video, or a photo, that a display shows to the camera"""
    width, height = job.camera_size()
    start, seconds, _, frames = job.part()
    size = job.source.fitted(LONGEST)
    medium = Screen((height, width), job.rng, source=(size[1], size[0]), difficulty=job.difficulty)
    # A monitor stands still; then it is the camera that may be held by hand.
    hand = Hand(job.rng, 0.3 if medium.device == "monitor" else 1.0)

    def shown():
        for number, picture in enumerate(frames):
            time = number / RATE
            yield medium.frame(picture, job.rng, medium.pose.moved(**hand.at(time)), time)

    return [Clip((width, height), shown(), {**medium.parameters, "start": round(start, 3)})]


def cutout(job):
    """a printed face with holes, cut out and worn: before the head of the other person, or a drawn one"""
    photo = job.photo()
    size = photo.shape[1], photo.shape[0]
    still = Still(photo)
    face = Track(still, 0, 0, size, job.finder, job.face).at(0)
    width, height = job.camera_size()
    hand = Hand(job.rng, 0.8)
    if job.other is None:
        medium = Cutout((height, width), job.rng, source=photo.shape, face=face, difficulty=job.difficulty)

        def alone():
            for number in range(round(job.seconds * RATE)):
                pose = medium.pose.moved(**hand.at(number / RATE))
                yield medium.frame(photo, job.rng, pose, number / RATE)

        return [Clip((width, height), alone(), medium.parameters)]
    start, seconds, size, frames = job.part(job.other, covering(job.other, (width, height)))
    if job.other.still is not None:
        frames = (picture for picture in job.other.frames(0, job.seconds, size))
    medium = Cutout((height, width), job.rng, source=photo.shape, face=face, difficulty=job.difficulty)
    box = job.other_face and scaled(job.other, job.other_face, size)
    track = Track(job.other, start, seconds, size, job.finder, box)
    off = (size[0] - width) // 2, (size[1] - height) // 2

    def worn():
        for number, picture in enumerate(frames):
            time = number / RATE
            x, y, wide, high, roll = track.at(time)
            shake = hand.at(time)
            dx, dy = (round(shake[name] * 0.5 * max(size)) for name in ("x", "y"))
            pose = _over(medium, (x - off[0] + dx, y - off[1] + dy, wide, high, roll), (width, height))
            pose = pose.moved(yaw=shake["yaw"] + medium.pose.yaw * 0.5, pitch=shake["pitch"], bend=medium.pose.bend)
            head = optics.light_of(window(picture, (off[0] - dx, off[1] - dy), (width, height)))
            yield medium.frame(photo, job.rng, pose, time, behind=head * medium.wearer.exposure)

    return [Clip((width, height), worn(), {**medium.parameters, "wearer": "video", "start": round(start, 3)})]


def _over(medium, box, size):
    """The pose in which the mask's face lies over a box of the picture."""
    x, y, wide, high, roll = box
    side = max(size)
    across, along, width, height, own = medium.face
    scale = wide / side / width
    turn = math.radians(roll) - own
    middle = (x + wide / 2 - size[0] / 2) / side, (y + high / 2 - size[1] / 2) / side
    # The mask turns about the medium's middle, not the face's.
    x = middle[0] - scale * (across * math.cos(turn) - along * math.sin(turn))
    y = middle[1] - scale * (across * math.sin(turn) + along * math.cos(turn))
    return optics.Pose(roll=math.degrees(turn), x=x, y=y, scale=scale)

"""Attacks that hold or wear a medium in front of the camera, as functions from a job to its clips."""

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
        # Leaves room for movement: the sheet starts near the centre, almost upright.
        pose = medium.pose
        medium.pose = optics.Pose(
            yaw=pose.yaw * 0.3, pitch=pose.pitch * 0.3, roll=pose.roll * 0.5, scale=job.rng.uniform(0.75, 1.05),
            bend=max(0.0, pose.bend) * 0.3, axis=pose.axis)

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
    # A monitor stands still; the camera may then be hand-held.
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
    face = Track(Still(photo), 0, 0, size, job.finder, job.face and scaled(job.source, job.face, size)).at(0)
    width, height = job.camera_size(job.other)
    medium = Cutout((height, width), job.rng, source=photo.shape, face=face, difficulty=job.difficulty)
    hand = Hand(job.rng, 0.8)
    if job.other is not None:
        return [_worn(job, photo, medium, hand)]

    def frames():
        for number in range(round(job.seconds * RATE)):
            time = number / RATE
            yield medium.frame(photo, job.rng, medium.pose.moved(**hand.at(time)), time)

    return [Clip((width, height), frames(), medium.parameters)]


def _worn(job, photo, medium, hand):
    """The mask follows the face of the other person, whose own eyes and mouth are visible through its holes."""
    height, width = medium.camera.shape
    start, seconds, size, pictures = job.part(job.other, covering(job.other, (width, height)))
    box = job.other_face and scaled(job.other, job.other_face, size)
    track = Track(job.other, start, seconds, size, job.finder, box)
    left, top = (size[0] - width) // 2, (size[1] - height) // 2
    drawn = medium.pose

    def pose_at(time, dx=0, dy=0):
        x, y, *rest = track.at(time)
        pose = _over(medium, (x - left + dx, y - top + dy, *rest), (width, height))
        return pose.moved(yaw=drawn.yaw, pitch=drawn.pitch, bend=drawn.bend, axis=drawn.axis)

    medium.pose, medium.followed, medium.start = pose_at(0), track.found, start
    medium.rule()

    def frames():
        for number, picture in enumerate(pictures):
            time = number / RATE
            shake = hand.at(time)
            # Mask and wearer tremble together, and the mask slightly on its own.
            dx, dy = (round(0.5 * shake[name] * max(width, height)) for name in ("x", "y"))
            pose = pose_at(time, dx, dy).moved(yaw=0.5 * shake["yaw"], pitch=0.5 * shake["pitch"])
            head = optics.light_of(window(picture, (left - dx, top - dy), (width, height)))
            yield medium.frame(photo, job.rng, pose, time, behind=head * medium.wearer.exposure)

    return Clip((width, height), frames(), medium.parameters)


def _over(medium, box, size):
    """The pose that places the mask's face over a box of the picture."""
    x, y, wide, high, roll = box
    side = max(size)
    across, along, width, height, own = medium.face
    scale = wide / side / width
    turn = math.radians(roll) - own
    middle = (x + wide / 2 - size[0] / 2) / side, (y + high / 2 - size[1] / 2) / side
    # The mask rotates around the medium's centre, not the face's.
    x = middle[0] - scale * (across * math.cos(turn) - along * math.sin(turn))
    y = middle[1] - scale * (across * math.sin(turn) + along * math.cos(turn))
    return optics.Pose(roll=math.degrees(turn), x=x, y=y, scale=scale)

"""Scripts of challenges, and when an attacker who sees the prompts answers them.

The rules are those of ScriptProgress.swift and ChallengeProgress.swift: half a second of looking ahead, then for each
prompt a pause, the movement, its hold and the return.
"""

import csv
import hashlib
import math
from dataclasses import dataclass

import numpy as np

from video import RATE, Failure

# In the order of `Challenge.allCases`, which the generator of scripts uses.
CHALLENGES = (
    "blink", "turn-left", "turn-right", "look-up", "look-down", "tilt-left", "tilt-right", "smile", "open-mouth",
    "move-closer", "move-back", "hold-still",
)
SHORT = {"left": "turn-left", "right": "turn-right", "up": "look-up", "down": "look-down"}
# A drawn script has one of each group.
NEEDED = {"turn-left", "turn-right"}, {"blink", "smile", "open-mouth"}

# How much of a movement measurements show, relative to neutral ones: 1 is the threshold of ChallengeProgress.swift.
_TURN = 15.0
AMOUNTS = {
    "turn-left": lambda m, n: (m["yaw"] - n["yaw"]) / _TURN,
    "turn-right": lambda m, n: (n["yaw"] - m["yaw"]) / _TURN,
    "look-up": lambda m, n: (n["pitch"] - m["pitch"]) / _TURN,
    "look-down": lambda m, n: (m["pitch"] - n["pitch"]) / _TURN,
    "tilt-left": lambda m, n: (n["roll"] - m["roll"]) / _TURN,
    "tilt-right": lambda m, n: (m["roll"] - n["roll"]) / _TURN,
    "smile": lambda m, n: np.minimum((m["width"] / n["width"] - 1) / 0.12, (m["lift"] - n["lift"]) / 0.02),
    "open-mouth": lambda m, n: (m["opening"] - n["opening"]) / 0.08,
    "move-closer": lambda m, n: (m["size"] / n["size"] - 1) / 0.25,
    "move-back": lambda m, n: (n["size"] / m["size"] - 1) / 0.25,
    "blink": lambda m, n: (1 - m["openness"] / n["openness"]) / 0.36,
}

# Seconds until the neutral pose is known: half a second, and a frame of smoothing.
SETTLING = 0.5 + 2 / RATE
# Seconds until an attacker who sees a prompt has chosen the answer and its movement begins.
REACTION = (0.3, 0.6)


@dataclass(frozen=True)
class Prompt:
    challenge: str
    hold: float = 0.5
    pause: float = 0.3


def script(text):
    """The prompts of a list like "blink,turn-left:0.7:0.4", with the optional hold and pause in seconds."""
    prompts = []
    for part in text.split(","):
        name, *times = part.strip().split(":")
        name = SHORT.get(name, name)
        if name not in CHALLENGES:
            raise Failure(f"no such challenge: {name}; the challenges are {', '.join(CHALLENGES)}")
        try:
            times = [float(time) for time in times]
        except ValueError:
            times = [-1.0]
        if len(times) > 2 or not all(0 <= time <= 5 for time in times):
            raise Failure(f"{part}: hold and pause are two numbers from 0 to 5")
        prompts.append(Prompt(name, *times))
    return prompts


def drawn(nonce, count=3, allowed=CHALLENGES[:9]):
    """The prompts drawn from a nonce (bytes): version 2 of the generator in ChallengeScript.swift."""
    if not 16 <= len(nonce) <= 64:
        raise Failure("a nonce has 16 to 64 bytes")
    prefix = b"faceverify script v2" + len(nonce).to_bytes(4, "big") + nonce
    numbers, block = [], 0

    def below(limit):
        nonlocal numbers, block
        while True:
            if not numbers:
                data = hashlib.sha256(prefix + block.to_bytes(4, "big")).digest()
                numbers = [int.from_bytes(data[i : i + 4], "big") for i in range(0, 32, 4)]
                block += 1
            number = numbers.pop(0)
            if number < (1 << 32) // limit * limit:
                return number % limit

    needed = [group & set(allowed) for group in NEEDED if group & set(allowed)]
    if count < len(needed):
        needed = [set.union(*needed)]
    while True:
        left, prompts = list(allowed), []
        for _ in range(count):
            challenge = left.pop(below(len(left)))
            hold, pause = (5 + below(6)) / 10, (3 + below(10)) / 10
            prompts.append(Prompt(challenge, hold, pause))
        if all(group & {prompt.challenge for prompt in prompts} for group in needed):
            return prompts


@dataclass(frozen=True)
class Answer:
    """One answered prompt; times in seconds: prompt shown, movement begun, pose reached, release, movement ended."""

    challenge: str
    asked: float
    begun: float
    reached: float
    released: float
    ended: float

    def amount(self, time):
        """The share of the movement at a time: a minimum-jerk trajectory to the pose, and back."""
        if not self.begun < time < self.ended:
            return 0.0
        if time < self.reached:
            return smooth((time - self.begun) / (self.reached - self.begun))
        return 1 - smooth((time - self.released) / (self.ended - self.released)) if time > self.released else 1.0


def smooth(part):
    """A hand's or a head's trajectory from rest to rest (Flash and Hogan 1985)."""
    part = min(1.0, max(0.0, part))
    return part**3 * (10 - 15 * part + 6 * part**2)


def answers(prompts, rng, reaction=REACTION, durations=None):
    """The answers of an attacker who sees each prompt when it appears.

    Prompt and movement alternate as in a session: a prompt appears after its pause once the previous movement is back
    to a third of its way. `durations`: seconds of the movement and of the return of challenges; otherwise drawn.
    """
    made, ready = [], SETTLING
    for prompt in prompts:
        asked = ready + prompt.pause
        begun = asked + rng.uniform(*reaction)
        if prompt.challenge == "blink" and "blink" not in (durations or {}):
            reached = begun + rng.uniform(0.1, 0.13)
            released = reached + rng.uniform(0.04, 0.09)
            ended = released + rng.uniform(0.14, 0.2)
        else:
            there, back = (durations or {}).get(prompt.challenge) or rng.uniform(0.35, 0.55, 2)
            reached = begun + there
            # The attacker sees when the hold is over, and reacts to that as well.
            held = 0.0 if prompt.challenge == "blink" else prompt.hold + rng.uniform(0.15, 0.4)
            released = reached + held
            ended = released + back
        made.append(Answer(prompt.challenge, *(round(time, 3) for time in (asked, begun, reached, released, ended))))
        # From here on the movement is below a third of the threshold.
        ready = released + 0.75 * (ended - released)
    return made


def length(made, least=4.0):
    """Seconds of a clip that shows the answers, and a moment after them."""
    return max(least, made[-1].ended + 0.6) if made else least


class Path:
    """A path for a face: time -> (x, y, scale, yaw, pitch).

    x, y: the face's centre as fractions of the frame's width and height; scale: relative to the start; yaw, pitch:
    degrees, positive to the subject's left and down.
    """

    def __init__(self, times, rows):
        self.times, self.rows = np.asarray(times, float), np.asarray(rows, float)
        if self.rows.shape != (len(self.times), 5) or len(self.times) < 2 or (np.diff(self.times) <= 0).any():
            raise Failure("a path has increasing times, and for each x, y, scale, yaw and pitch")

    @classmethod
    def read(cls, name):
        """A CSV file with the columns time, x, y, scale, yaw, pitch."""
        names = ("time", "x", "y", "scale", "yaw", "pitch")
        try:
            with open(name, newline="") as stream:
                lines = [[float(line[column]) for column in names] for line in csv.DictReader(stream)]
        except (KeyError, TypeError, ValueError):
            raise Failure(f"{name}: a path is a CSV file with the columns {', '.join(names)}") from None
        return cls([line[0] for line in lines], [line[1:] for line in lines])

    def __call__(self, time):
        return tuple(float(np.interp(time, self.times, row)) for row in self.rows.T)


def waves(rng, rates, size):
    """Three sine waves (rate, phase, amplitude) that make a small, slow, irregular movement."""
    return [(rng.uniform(*rates), rng.uniform(0, 2 * math.pi), rng.normal(0, size)) for _ in range(3)]


def summed(terms, time):
    return sum(size * math.sin(2 * math.pi * rate * time + phase) for rate, phase, size in terms)


class Follower:
    """A person who follows a path: the same path with a delay, an own gain for each coordinate, and slow errors."""

    ERRORS = (0.006, 0.006, 0.012, 1.2, 1.2)

    def __init__(self, path, rng, delay=(0.25, 0.5), strength=1.0):
        self.path, self.delay = path, float(rng.uniform(*delay))
        self.gains = np.clip(rng.normal(1, 0.06 * strength, 5), 0.7, 1.3)
        self.terms = [waves(rng, (0.3, 2.2), size * strength / 1.4) for size in self.ERRORS]
        self.start = np.array(path(0.0))

    def __call__(self, time):
        base = self.start
        values = np.array(self.path(max(0.0, time - self.delay)))
        return tuple(base + (values - base) * self.gains + [summed(terms, time) for terms in self.terms])

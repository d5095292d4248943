"""Real people and replays, frame by frame through the server, which must agree with the command on the whole clip.

Needs FACEVERIFY_SHARED (or ../shared) with clips that are not part of the project, and the models.
"""

import json
import os
import pathlib
import subprocess
import unittest

import drawn
import harness
from harness import RECORDING, ServerCase, Together

CLIPS = pathlib.Path(os.environ.get("FACEVERIFY_SHARED", harness.ROOT.parent / "shared")) / "testdata/video"
RATE, SECONDS = 12, 9


def frames(clip):
    """Frames like a page's: 12 per second, the shorter side 480, JPEG of quality 0.92."""
    scale = "scale='if(lt(iw,ih),480,-2)':'if(lt(iw,ih),-2,480)':flags=bilinear"
    done = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", clip, "-t", str(SECONDS), "-vf", f"fps={RATE},{scale}", "-f", "image2pipe", "-c:v", "ppm", "-"],
        capture_output=True, check=True, timeout=120)
    return [drawn.encoded(picture) for picture in drawn.ppm(done.stdout)]


@unittest.skipUnless(CLIPS.is_dir(), "no FACEVERIFY_SHARED: clips of people are no part of the project")
class Clips(ServerCase):
    engine = staticmethod(harness.real)

    def server_says(self, name):
        pictures = frames(CLIPS / name)
        session = self.session(RECORDING)
        person = session.person()
        person.begin_face()
        person.play(len(pictures) / RATE, lambda number: pictures[number])
        person.finish()
        result = session.result().json
        self.assertEqual(result["transport"]["faults"], [], result["transport"])
        return result["record"]["body"]["credentials"][0]["liveness"]["result"], result["result"]

    def command_says(self, name):
        done = subprocess.run([self.server.binary, "liveness", CLIPS / name, "--json"], capture_output=True, text=True, timeout=300)
        return json.loads(done.stdout)["result"]

    def test_living_people_pass(self):
        names = ["lp_d3.mp4", "lp_d13.mp4"]
        for name, found in zip(names, Together(*[lambda name=name: self.server_says(name) for name in names]).results):
            self.assertEqual(found, ("live", "passed"), name)
            self.assertEqual(self.command_says(name), "live", name)

    def test_replays_do_not_pass(self):
        names = ["tvl_replay.mp4", "wolf_replay.mp4"]
        for name, found in zip(names, Together(*[lambda name=name: self.server_says(name) for name in names]).results):
            self.assertEqual(found[0], self.command_says(name), name)
            self.assertNotEqual(found[1], "passed", name)

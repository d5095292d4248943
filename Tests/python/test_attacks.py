"""Tests of training/attacks. All need NumPy and Pillow; those that make videos also need ffmpeg."""

import contextlib
import csv
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ATTACKS = Path(__file__).resolve().parents[2] / "training/attacks"

try:
    import numpy
    from PIL import Image

    MISSING = None
except ImportError as error:
    MISSING = f"{error.name} is not installed"

if not MISSING:
    sys.path.insert(0, str(ATTACKS))
    import cutouts
    import motion
    import optics
    import prints
    import screens
    import simulate
    import video

ENCODER = False
if shutil.which("ffmpeg") and shutil.which("ffprobe"):
    ENCODER = b"libx264" in subprocess.run(["ffmpeg", "-hide_banner", "-encoders"], capture_output=True).stdout


# Output like that of `faceverify detect --json`: a small face, and a larger one that turns away.
FINDER = """
import json, sys
def face(x, width, yaw):
    eyes = {side: {"centre": {"x": x + off, "y": 44.0}, "openness": 0.2} for side, off in (("left", 20), ("right", 0))}
    return {"box": {"width": width}, "eyes": eyes, "pose": {"yaw": yaw, "pitch": 0}}
photos = []
for number, name in enumerate(name for name in sys.argv if name.endswith(".png")):
    faces = [face(2, 10, 0), face(40 + number, 50, number)]
    photos.append({"error": {}} if number == 2 else {"faces": faces})
print(json.dumps({"photos": photos}))
"""


def portrait(width=96, height=96, shift=0):
    """A synthetic face: an ellipse with eyes and a mouth in front of a gradient."""
    x = (numpy.arange(width)[None, :] + 0.5) / width
    y = (numpy.arange(height)[:, None] + 0.5) / height
    picture = numpy.stack([90 + 60 * x + 0 * y, 110 + 50 * y + 0 * x, 140 + 40 * x * y], -1)
    face = ((x - 0.5 - shift / width) / 0.21) ** 2 + ((y - 0.52) / 0.26) ** 2 < 1
    picture[face] = (205, 160, 135)
    for eye in (0.42, 0.58):
        picture[((x - eye - shift / width) / 0.03) ** 2 + ((y - 0.45) / 0.015) ** 2 < 1] = (40, 30, 30)
    picture[((x - 0.5 - shift / width) / 0.08) ** 2 + ((y - 0.64) / 0.02) ** 2 < 1] = (150, 70, 70)
    return picture.astype(numpy.uint8)


@unittest.skipIf(MISSING, MISSING)
class MediaTest(unittest.TestCase):
    def kinds(self):
        return (prints.Print, screens.Screen, cutouts.Cutout)

    def shown(self, kind, photo, seed, **options):
        """A picture of a medium, and its parameters."""
        rng = numpy.random.default_rng(seed)
        medium = kind(photo.shape, rng, **options)
        return medium.frame(photo, rng), medium.parameters

    def test_a_seed_reproduces_the_picture(self):
        photo = portrait()
        for kind in self.kinds():
            with self.subTest(kind.species):
                first, drawn = self.shown(kind, photo, 3)
                again, drawn_again = self.shown(kind, photo, 3)
                other, _ = self.shown(kind, photo, 4)
                self.assertTrue(numpy.array_equal(first, again))
                self.assertEqual(drawn, drawn_again)
                self.assertFalse(numpy.array_equal(first, other))

    def test_size_and_format_are_kept(self):
        for width, height in ((96, 96), (61, 83), (128, 70)):
            photo = portrait(width, height)
            kept = photo.copy()
            for kind in self.kinds():
                for seed in range(4):
                    with self.subTest(kind.species, size=(width, height), seed=seed):
                        result, drawn = self.shown(kind, photo, seed)
                        self.assertEqual((result.shape, result.dtype), (photo.shape, numpy.uint8))
                        self.assertGreater(numpy.abs(result.astype(int) - photo).mean(), 1)
                        self.assertGreater(result.std(), 2)
                        self.assertEqual(drawn["simulated"], True)
                        self.assertEqual(json.loads(json.dumps(drawn)), drawn)
            self.assertTrue(numpy.array_equal(photo, kept))

    def test_the_given_difficulty_is_used(self):
        for kind in self.kinds():
            _, drawn = self.shown(kind, portrait(), 1, difficulty=0.25)
            self.assertEqual(drawn["difficulty"], 0.25)

    def test_harder_attacks_differ_less(self):
        photo = portrait()
        for kind in (prints.Print, screens.Screen):
            means = []
            for difficulty in (0, 1):
                results = [self.shown(kind, photo, seed, difficulty=difficulty)[0] for seed in range(30)]
                # Only colours and tones: positions differ with the pose.
                means.append(numpy.mean([abs(float(r.std()) - float(photo.std())) for r in results]))
            self.assertGreater(means[0], means[1], kind.species)

    def test_points_are_placed_where_they_appear(self):
        photo = numpy.zeros((120, 120, 3), numpy.uint8)
        photo[36:44, 66:74] = 255
        for seed in range(12):
            medium = prints.Print(photo.shape, numpy.random.default_rng(seed), difficulty=0.2)
            medium.process, medium.streaks, medium.sheen, medium.margin, medium.hands.hands = "photo", 0, 0, 0, []
            medium.room[:], medium.camera.read_noise, medium.camera.shot_noise = 0, 0, 0
            light = medium.frame(photo, numpy.random.default_rng(0)).astype(float).mean(2)
            light = numpy.where(light > 0.6 * light.max(), light, 0)
            seen = [(light.sum(axis) * numpy.arange(120)).sum() / light.sum() for axis in (0, 1)]
            # The unit is the longer side, the origin the centre.
            placed = optics.project(medium.pose, 70 / 120 - 0.5, 40 / 120 - 0.5, photo.shape)[0]
            self.assertLess(max(abs(placed - 0.5 - seen)), 2, (seed, placed, seen))

    def test_holes_are_the_requested_ones(self):
        photo, green = portrait(), []
        for holes in ((), ("eyes",), ("eyes", "nose", "mouth")):
            medium = cutouts.Cutout(photo.shape, numpy.random.default_rng(5), holes=holes)
            self.assertEqual(medium.parameters["holes"], list(holes))
            wearer = numpy.zeros((3, 96, 96), numpy.float32)
            wearer[1] = 1
            result = medium.frame(photo, numpy.random.default_rng(5), behind=wearer)
            middle = result[30:70, 34:62].astype(int)
            green.append(int((middle[..., 1] > middle[..., 0] + 40).sum()))
        self.assertLess(green[0], green[1])
        self.assertLess(green[1], green[2])

    def test_a_wrong_hole_is_named(self):
        with self.assertRaisesRegex(ValueError, "ears"):
            cutouts.Cutout((96, 96), numpy.random.default_rng(1), holes=("ears",))

    def test_an_aligned_camera_causes_no_moire(self):
        """One pixel of the display per red pixel of the sensor: all see the grid at the same phase."""
        flat = numpy.full((96, 96, 3), 128, numpy.uint8)
        medium = screens.Screen(flat.shape, numpy.random.default_rng(1))
        medium.layout, medium.sensor, medium.softness, medium.depth, medium.pitch = "stripes", 1.0, 0.2, 1.0, 48.0
        straight = medium._grid(optics.Pose(), *medium._surface(optics.Pose()))[0]
        # Farther away, the camera sees 52 pixels instead of 48: four beats.
        pose = optics.Pose(scale=48 / 52)
        away = medium._grid(pose, *medium._surface(pose))[0]
        self.assertLess(float(straight.std()), 0.05)
        self.assertGreater(float(away.std()), 0.2)
        spectrum = numpy.abs(numpy.fft.rfft(away[48] - away[48].mean()))
        self.assertEqual(int(spectrum.argmax()), 4)


@unittest.skipIf(MISSING, MISSING)
class GeometryTest(unittest.TestCase):
    def test_projection_inverts(self):
        camera = optics.Camera((60, 80), numpy.random.default_rng(0), 0.5)
        for pose in (
            optics.Pose(), optics.Pose(50, 0, 0), optics.Pose(-30, 50, 20, 0.1, -0.05, 0.7),
            optics.Pose(20, 10, 5, 0, 0, 0.8, 0.9, 30), optics.Pose(-10, 5, 0, 0, 0, 1.0, -0.5, -20),
        ):
            u, v, _ = optics.unproject(pose, camera.xs, camera.ys)
            near = (numpy.abs(u) < 0.5) & (numpy.abs(v) < 0.5)
            rows, columns = numpy.nonzero(near)
            self.assertGreater(len(rows), 100, pose.values())
            seen = optics.project(pose, u[near], v[near], (60, 80))
            off = numpy.abs(seen - numpy.stack([columns + 0.5, rows + 0.5], -1)).max()
            self.assertLess(off, 0.05, pose.values())

    def test_a_bend_becomes_flat_continuously(self):
        camera = optics.Camera((40, 40), numpy.random.default_rng(0), 0.5)
        flat = optics.unproject(optics.Pose(20, 10, 5), camera.xs, camera.ys)
        bent = optics.unproject(optics.Pose(20, 10, 5, bend=0.002), camera.xs, camera.ys)
        self.assertLess(float(numpy.abs(flat[0] - bent[0]).max()), 0.01)

    def test_a_face_is_placed_by_its_eyes(self):
        x, y, width, height, roll = motion.face_at([(140, 100), (100, 100)])
        self.assertAlmostEqual(roll, 0)
        for (across, down), eye in zip(motion.EYES, (100, 140)):
            self.assertAlmostEqual(x + across * width, eye)
            self.assertAlmostEqual(y + down * height, 100)

    def test_gestures_are_large_and_smooth(self):
        gestures = motion.Gestures(numpy.random.default_rng(2), 12)
        yaw = numpy.array([gestures.at(number / 30)["yaw"] for number in range(360)])
        self.assertGreater(numpy.abs(yaw).max(), 20)
        self.assertLessEqual(numpy.abs(yaw).max(), 50)
        self.assertLess(numpy.abs(numpy.diff(yaw)).max(), 12)


@unittest.skipIf(MISSING, MISSING)
@unittest.skipUnless(ENCODER, "ffmpeg with libx264 is not installed")
class SimulateTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="attacks-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for name, offset in (("one", 0), ("two", 9)):
            with video.Writer(cls.folder / f"{name}.mp4", (96, 128), "a drawn face") as writer:
                for number in range(45):
                    writer.write(portrait(96, 128, shift=offset + number // 5))
        Image.fromarray(portrait(120, 150)).save(cls.folder / "photo.png")

    def run_it(self, *arguments):
        said, complained = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
            code = simulate.main([str(argument) for argument in arguments])
        return code, said.getvalue(), complained.getvalue()

    def rows(self, out):
        with open(out / "manifest.csv", newline="") as stream:
            return list(csv.DictReader(stream))

    def make(self, out, *arguments, source="one.mp4"):
        face = ("--face", "28,36,40,60", "--other-face", "28,36,40,60")
        code, _, complaint = self.run_it(
            *arguments, "--from", self.folder / source, "--out", out, "--seconds", "1", "--size", "96x128", *face
        )
        self.assertEqual((code, complaint), (0, ""))
        return self.rows(out)

    def frames(self, path):
        source = video.Source(path)
        return [frame.copy() for frame in source.frames(0, 10, (source.width, source.height))]

    def test_all_species_are_made_and_listed(self):
        out = self.folder / "all"
        rows = self.make(out, "all", "--other", self.folder / "two.mp4")
        digest = hashlib.sha256((self.folder / "one.mp4").read_bytes()).hexdigest()
        self.assertEqual({row["species"] for row in rows}, set(simulate.SPECIES) - simulate.MESHED)
        for row in rows:
            with self.subTest(row["path"]):
                self.assertTrue(row["path"].startswith(f"simulated-{row['species']}-one-"))
                self.assertEqual((row["simulated"], row["source"], row["seed"]), ("yes", "one.mp4", "0"))
                self.assertEqual(row["source_sha256"], digest)
                self.assertIsInstance(json.loads(row["parameters"]), dict)
                frames = self.frames(out / row["path"])
                self.assertEqual(len(frames), int(row["frames"]))
                self.assertEqual(frames[0].shape, (int(row["height"]), int(row["width"]), 3))
                self.assertGreater(len(frames), 8)
                if row["stamps"]:
                    with open(out / row["stamps"], newline="") as stream:
                        self.assertEqual(len(list(csv.DictReader(stream))), len(frames))
        with_stamps = {row["species"] for row in rows if row["stamps"]}
        self.assertEqual(with_stamps, {"freeze", "resolution-switch", "clock"})
        self.assertEqual([path.name for path in out.glob(".*")], [])

    def test_a_seed_reproduces_the_video(self):
        kinds = ("print", "screen", "cutout", "moved-photo", "reorder", "injected")
        first = self.make(self.folder / "first", *kinds)
        again = self.make(self.folder / "again", *kinds)
        self.assertEqual(first, again)
        other = self.make(self.folder / "other", *kinds, "--seed", "1")
        for row, changed in zip(first, other):
            path = row["path"]
            made = [(self.folder / where / path).read_bytes() for where in ("first", "again")]
            self.assertEqual(made[0], made[1], path)
            self.assertNotEqual(made[0], (self.folder / "other" / changed["path"]).read_bytes(), path)

    def test_a_photo_can_replace_a_video(self):
        rows = self.make(self.folder / "photo", "print", "screen", "moved-photo", source="photo.png")
        self.assertEqual({row["frames"] for row in rows}, {"30"})

    def test_rows_of_regenerated_files_are_replaced(self):
        out = self.folder / "twice"
        self.make(out, "loop")
        rows = self.make(out, "loop", "freeze", "--count", "2")
        self.assertEqual(len(rows), 4)

    def test_a_freeze_ends_with_one_frame(self):
        for seed, stuck in ((0, False), (1, True)):
            out = self.folder / f"freeze{seed}"
            row = self.make(out, "freeze", "--seed", seed)[0]
            frames = self.frames(out / row["path"])
            self.assertLess(numpy.abs(frames[-1].astype(int) - frames[-5]).mean(), 0.5)
            self.assertGreater(numpy.abs(frames[-1].astype(int) - frames[0]).mean(), 0.5)
            with open(out / row["stamps"], newline="") as stream:
                stamps = [float(line["seconds"]) for line in csv.DictReader(stream)]
            self.assertEqual(stamps[-1] == stamps[-5], stuck)

    def test_the_second_person_appears(self):
        out = self.folder / "second"
        row = self.make(out, "other-person", "--other", self.folder / "two.mp4")[0]
        frames = self.frames(out / row["path"])
        steps = [numpy.abs(a.astype(int) - b).mean() for a, b in zip(frames, frames[1:])]
        cut = json.loads(row["parameters"])["at"] * 30
        self.assertLess(abs(int(numpy.argmax(steps)) - cut), 2)

    def test_faces_are_followed(self):
        """A stub of the program reports the face a pixel farther right in each picture, and none in the third."""
        program = self.folder / "finder"
        program.write_text(f"#!{sys.executable}\n" + FINDER)
        program.chmod(0o755)
        finder = video.FaceFinder(str(program))
        found = finder.faces([portrait()] * 4)
        self.assertEqual([face and face[0][0][0] for face in found], [40, 41, None, 43])
        self.assertLess(found[0][1], found[1][1])
        track = motion.Track(video.Source(self.folder / "one.mp4"), 0, 1, (96, 128), finder)
        self.assertTrue(track.found)
        middles = [track.at(time)[0] + track.at(time)[2] / 2 for time in (0, 0.1, 0.2, 0.4, 0.6)]
        for middle, expected in zip(middles, (50, 50.5, 51, 52, 53)):
            self.assertAlmostEqual(middle, expected)

    def test_errors_have_one_line(self):
        text = self.folder / "text.mp4"
        text.write_text("not a video")
        photo, out = self.folder / "photo.png", self.folder / "none"
        for arguments, said in (
            (("loop", "--from", photo), "needs a video"),
            (("other-person", "--from", photo), "--other"),
            (("print", "--from", self.folder / "absent.png"), "no such file"),
            (("print", "--from", text), "neither a photo nor a video"),
            (("cutout", "--from", photo, "--faceverify", "/nowhere/faceverify"), "no such program"),
        ):
            code, _, complaint = self.run_it(*arguments, "--out", out, "--face", "30,40,50,60")
            self.assertEqual((code, complaint.count("\n")), (1, 1), complaint)
            self.assertIn(said, complaint)
        self.assertEqual(list(out.glob("*.mp4")) if out.exists() else [], [])


@unittest.skipIf(MISSING, MISSING)
class UsageTest(unittest.TestCase):
    def refused(self, *arguments):
        complained = io.StringIO()
        with contextlib.redirect_stderr(complained), self.assertRaises(SystemExit) as ended:
            simulate.parse(arguments)
        self.assertEqual(ended.exception.code, 2)
        return complained.getvalue()

    def test_usage_errors_are_reported(self):
        ends = ("--from", "a", "--out", "b")
        self.assertIn("hologram", self.refused("hologram", *ends))
        self.assertIn("--count", self.refused("print", *ends, "--count", "0"))
        self.assertIn("--seconds", self.refused("print", *ends, "--seconds", "900"))
        self.assertIn("640x480", self.refused("print", *ends, "--size", "big"))
        self.assertIn("210,120,180,220", self.refused("print", *ends, "--face", "1,2,0,4"))

    def test_help_names_all_species(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said), self.assertRaises(SystemExit):
            simulate.parse(["--help"])
        for name in simulate.SPECIES:
            self.assertIn(name, said.getvalue())


if __name__ == "__main__":
    unittest.main()

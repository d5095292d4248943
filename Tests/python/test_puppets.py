"""Tests of the puppets and recordings of training/attacks, with a drawn face and a stub of the face mesh."""

import contextlib
import csv
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
    from PIL import Image, ImageDraw

    MISSING = None
except ImportError as error:
    MISSING = f"{error.name} is not installed"

if not MISSING:
    sys.path.insert(0, str(ATTACKS))
    import jobs
    import meshes
    import prompts
    import puppets
    import recordings
    import simulate
    import video

ENCODER = False
if shutil.which("ffmpeg") and shutil.which("ffprobe"):
    ENCODER = b"libx264" in subprocess.run(["ffmpeg", "-hide_banner", "-encoders"], capture_output=True).stdout

SIZE = (160, 120)


def mesh(centre=(80.0, 60.0), height=60.0, turn=(0, 0, 0)):
    """A mesh on an ellipsoid: contours where a face has them, the other points spread over it."""
    placed = {}

    def put(indices, xs, ys):
        for index, x, y in zip(indices, xs, ys):
            placed.setdefault(index, (x, y))

    angles = numpy.linspace(0, 2 * numpy.pi, 37)[:-1]
    put(meshes.OVAL, 0.38 * numpy.sin(angles), -0.5 * numpy.cos(angles))
    for side, sign in ((0, -1), (1, 1)):
        put(meshes.CORNERS[side], (sign * 0.24, sign * 0.09), (-0.12, -0.12))
        along = numpy.linspace(sign * 0.215, sign * 0.115, 7)
        arc = 0.03 * numpy.sin(numpy.linspace(0.3, 2.84, 7))
        put(meshes.UPPER_LIDS[side], along, -0.12 - arc)
        put(meshes.LOWER_LIDS[side], along, -0.12 + arc)
        put(meshes.FOLDS[side], along, -0.17 - arc)
    put(meshes.MOUTH_CORNERS, (-0.15, 0.15), (0.25, 0.25))
    put(meshes.UPPER_LIP, numpy.linspace(-0.13, 0.13, 11), [0.25] * 11)
    put(meshes.LOWER_LIP, numpy.linspace(-0.13, 0.13, 11), [0.2502] * 11)
    put((0, 17), (0, 0), (0.2, 0.31))
    put((meshes.NOSE_TIP, meshes.NOSE_BASE), (0, 0), (0.06, 0.1))
    generator = numpy.random.default_rng(5)
    for index in range(meshes.POINTS):
        while index not in placed:
            x, y = generator.uniform(-0.37, 0.37), generator.uniform(-0.49, 0.49)
            eyes = abs(y + 0.12) < 0.06 and 0.06 < abs(x) < 0.27
            if (x / 0.36) ** 2 + (y / 0.48) ** 2 < 1 and not eyes and not (abs(y - 0.25) < 0.04 and abs(x) < 0.17):
                placed[index] = (x, y)
    points = numpy.array([(*placed[index], 0.0) for index in range(meshes.POINTS)])
    points[:, 2] = -0.35 * numpy.sqrt(numpy.clip(1 - (points[:, 0] / 0.42) ** 2 - (points[:, 1] / 0.75) ** 2, 0, 1))
    # The pitch that counts as straight ahead.
    points = points @ meshes.rotation(0, meshes.NEUTRAL_PITCH, 0).T @ meshes.rotation(*turn).T
    return points * height + [*centre, 0]


def drawing(points, size=SIZE):
    """A picture of a mesh: skin, white eyes with pupils, lips; a striped background."""
    image = Image.new("RGB", size, (90, 110, 130))
    draw = ImageDraw.Draw(image)
    for x in range(0, size[0], 8):
        draw.line((x, 0, x, size[1]), fill=(70, 90, 110))

    def shape(indices, colour):
        draw.polygon([tuple(map(float, points[index, :2])) for index in indices], fill=colour)

    shape(meshes.OVAL, (205, 160, 135))
    for corners, upper, lower in zip(meshes.CORNERS, meshes.UPPER_LIDS, meshes.LOWER_LIDS):
        shape((corners[0], *upper, corners[1], *reversed(lower)), (245, 245, 245))
        x, y = points[[*upper, *lower], :2].mean(0)
        draw.ellipse((x - 1.5, y - 1.5, x + 1.5, y + 1.5), fill=(20, 20, 20))
    shape((61, 0, 291, 17), (160, 70, 70))
    return numpy.asarray(image)


class Finder:
    """Stands in for the networks: finds the drawn mesh by its skin, and turns with the number of the picture."""

    turns = [0.0]

    def face(self, picture):
        height, width = picture.shape[:2]
        return meshes.Face(mesh((width / 2, height / 2), height / 2), (0.25, 0.25))

    def faces(self, pictures):
        height, width = pictures[0].shape[:2]
        found = []
        for number in range(len(pictures)):
            yaw = self.turns[min(number, len(self.turns) - 1)]
            found.append(meshes.Face(mesh((width / 2, height / 2), height / 2, (yaw, 0, 0)), (0.25, 0.25)))
        return found


@unittest.skipIf(MISSING, MISSING)
class PromptsTest(unittest.TestCase):
    def text(self, made):
        return [f"{prompt.challenge} {prompt.hold:.1f} {prompt.pause:.1f}" for prompt in made]

    def test_scripts_are_those_of_the_library(self):
        # The holds of blinks are drawn and not used (ChallengeScriptTests.swift).
        made = self.text(prompts.drawn(bytes(range(16))))
        self.assertEqual(made, ["smile 0.9 1.0", "turn-right 0.5 1.2", "tilt-left 0.7 1.0"])
        made = self.text(prompts.drawn(bytes([26] * 16), 2))
        self.assertEqual(made, ["turn-left 0.6 0.6", "smile 1.0 0.4"])
        without_turns = ("blink", "look-up", "look-down", "tilt-left", "tilt-right")
        made = self.text(prompts.drawn(bytes([12] * 16), 2, without_turns))
        self.assertEqual([text.split()[0] for text in made], ["blink", "tilt-right"])

    def test_lists_have_short_names_and_times(self):
        made = prompts.script("blink,left:0.7,smile:0.5:1")
        self.assertEqual([prompt.challenge for prompt in made], ["blink", "turn-left", "smile"])
        self.assertEqual([(prompt.hold, prompt.pause) for prompt in made[1:]], [(0.7, 0.3), (0.5, 1.0)])
        for wrong in ("nod", "left:x", "left:9", "left:1:1:1"):
            with self.assertRaises(video.Failure):
                prompts.script(wrong)

    def test_answers_follow_their_prompts(self):
        for seed in range(20):
            made = prompts.answers(prompts.script("blink,turn-left,smile"), numpy.random.default_rng(seed))
            shown = prompts.SETTLING
            for answer, hold in zip(made, (0.0, 0.5, 0.5)):
                self.assertGreaterEqual(answer.asked, shown + 0.29)
                self.assertTrue(0.29 <= answer.begun - answer.asked <= 0.61)
                held = [time for time in numpy.arange(answer.begun, answer.ended, 0.01) if answer.amount(time) > 0.95]
                self.assertGreaterEqual(held[-1] - held[0], hold)
                self.assertEqual((answer.amount(answer.begun), answer.amount(answer.ended)), (0, 0))
                shown = answer.released

    def test_a_follower_is_late_and_close(self):
        rng = numpy.random.default_rng(4)
        times = numpy.arange(0, 8.1, 0.1)
        rows = [(0.5 + 0.1 * numpy.sin(time), 0.5, 1, 10 * numpy.sin(time), 0) for time in times]
        path = prompts.Path(times, rows)
        follower = prompts.Follower(path, rng, strength=0)
        self.assertTrue(0.25 <= follower.delay <= 0.5)
        for time in (1, 3, 5):
            self.assertTrue(numpy.allclose(follower(time), path(time - follower.delay)))
        steps = numpy.diff([path(number / 30) for number in range(240)], axis=0)
        self.assertLess(numpy.abs(steps[:, :2]).max(), 0.02)


@unittest.skipIf(MISSING, MISSING)
class MeshesTest(unittest.TestCase):
    def test_triangles_cover_the_hull_once(self):
        points = numpy.random.default_rng(1).uniform(0, 1, (60, 2))
        points = numpy.concatenate([points, [[0, 0], [0, 1], [1, 0], [1, 1]]])
        a, b, c = (points[meshes.triangulated(points)[:, i]] for i in range(3))
        area = numpy.abs((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]).sum() / 2
        self.assertAlmostEqual(area, 1, places=3)

    def test_poses_are_those_of_the_library(self):
        for turn in ((0, 0, 0), (20, 0, 0), (0, -15, 0), (0, 0, 12), (-18, 9, 0)):
            self.assertTrue(numpy.allclose(meshes.pose_of(mesh(turn=turn)), turn, atol=3), turn)

    def test_the_nearest_triangle_wins(self):
        places = numpy.array([[0, 0], [20, 0], [0, 20], [0, 0], [20, 0], [0, 20]], float)
        depths = numpy.array([1, 1, 1, 5, 5, 5.0])
        into = numpy.zeros((10, 10, 2), numpy.float32)
        rows = numpy.column_stack([places[:, 0], depths])
        meshes.rastered((10, 10), places, depths, numpy.array([[0, 1, 2], [3, 4, 5]]), rows, into)
        self.assertEqual(into[..., 1].min(), 1)
        self.assertEqual(into[..., 1].max(), 1)
        self.assertTrue(numpy.allclose(into[:, :, 0], numpy.arange(10)[None, :] + 0.5, atol=1e-3))


@unittest.skipIf(MISSING, MISSING)
class FigureTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        points = mesh((160, 120), 120)
        cls.photo = drawing(points, (320, 240))
        cls.skin = puppets.Skin(cls.photo, meshes.Face(points), SIZE)
        cls.figure = puppets.Figure([cls.skin], SIZE)
        cls.stage = puppets.Stage(SIZE, numpy.random.default_rng(0), 0)
        cls.stage.noise, cls.stage.quality, cls.stage.shake = 0, None, 0

    def shown(self, **changes):
        return puppets.drawn_state(self.figure, self.stage, {**puppets.REST, **changes}, 0.0).astype(int)

    def eye(self, picture):
        x, y = self.skin.mesh[list(meshes.UPPER_LIDS[0] + meshes.LOWER_LIDS[0]), :2].mean(0).astype(int)
        return picture[y - 1 : y + 2, x - 3 : x + 4]

    def test_at_rest_it_is_the_photo(self):
        rest = self.shown()
        small = numpy.asarray(Image.fromarray(self.photo).resize(SIZE, Image.LANCZOS)).astype(int)
        self.assertLess(numpy.abs(rest - small).mean(), 4)

    def test_a_turn_moves_the_nose_more_than_the_outline(self):
        points = self.figure.posed(self.figure.shaped(), meshes.rotation(25, 0, 0))
        moved = points[: meshes.POINTS, 0] - self.skin.mesh[:, 0]
        self.assertGreater(moved[meshes.NOSE_TIP], 0)
        self.assertGreater(moved[meshes.NOSE_TIP], moved[list(meshes.OVAL)].mean() + 3)
        self.assertAlmostEqual(meshes.pose_of(points)[0], 25, delta=3)
        self.assertEqual(points[-1, 0], self.figure.rings[0][-1, 0])

    def test_painted_lids_hide_the_eye(self):
        self.assertGreater(numpy.ptp(self.eye(self.shown())), 150)
        self.assertLess(self.eye(self.shown(blink=1.0)).max(), 225)

    def test_an_open_mouth_is_dark_inside(self):
        upper, lower = self.figure.shaped(opening=1.0)[[13, 14], :2]
        middle = (upper + 0.8 * (lower - upper)).astype(int)
        opened = self.shown(opening=1.0)[middle[1], middle[0]]
        self.assertLess(opened.mean() + 20, self.shown()[middle[1], middle[0]].mean())
        gap = meshes.Face(self.figure.shaped(opening=1.0)).measures(SIZE)["opening"]
        self.assertGreater(gap, 0.1)

    def test_a_smile_widens_the_mouth_and_lifts_its_corners(self):
        rest, smile = (meshes.Face(self.figure.shaped(smile=amount)).measures(SIZE) for amount in (0, 1))
        self.assertGreater(smile["width"] / rest["width"], 1.12)
        self.assertGreater(smile["lift"] - rest["lift"], 0.02)

    def test_the_nose_goes_where_the_path_is(self):
        state = {**puppets.REST, "yaw": 12.0, "scale": 1.1, "target": (0.6, 0.4)}
        turn = meshes.rotation(12, 0, 0)
        shaped = self.figure.shaped()
        shift = puppets._shift(self.figure, state, self.figure.posed(shaped, turn, 1.1))
        nose = self.figure.posed(shaped, turn, 1.1, shift)[meshes.NOSE_BASE]
        self.assertTrue(numpy.allclose(nose[:2], (96, 48)))


@unittest.skipIf(MISSING, MISSING)
class PlaylistTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Ahead, a turn to the left and back, ahead.
        turn = [0.0] * 30 + [2.5 * step for step in range(12)] + [27.0] * 12 + [27 - 2.5 * step for step in range(11)]
        Finder.turns = turn + [0.0] * 20
        source = cls.Source(len(Finder.turns))
        job = jobs.Job(source, None, numpy.random.default_rng(0), 0, 4.0, None, finders=[Finder()])
        cls.recording = recordings.Recording(job, source)

    class Source:
        still, seconds, path = None, 3.0, Path("drawn.mp4")

        def __init__(self, count):
            self.count = count

        def fitted(self, _):
            return SIZE

        def frames(self, *_):
            for number in range(self.count):
                yield numpy.full((SIZE[1], SIZE[0], 3), number, numpy.uint8)

    def test_movements_are_found(self):
        self.assertEqual(set(self.recording.movements), {"turn-left"})
        start, first, last, back = self.recording.movements["turn-left"]
        self.assertTrue(28 <= start <= 36 and 36 < first < last < 60 and 58 < back < 70)

    def test_the_script_is_played(self):
        for ways in ((), ("reversed",), ("slowed",), ("mirrored",), ("frozen",)):
            asked = "turn-right" if ways == ("mirrored",) else "turn-left"
            rng = numpy.random.default_rng(2)
            playlist = recordings.Playlist([self.recording], prompts.script(asked), rng, ways)
            answer = playlist.made[0]
            player = recordings.Player(playlist, True)
            yaws = [meshes.pose_of(player.at(number)[1])[0] for number in range(len(playlist.places))]
            held = slice(round(answer.reached * 30) + 1, round(answer.released * 30))
            sign = -1 if ways == ("mirrored",) else 1
            self.assertGreater(sign * numpy.median(yaws[held]), 18, ways)
            self.assertLess(abs(numpy.median(yaws[: round(answer.asked * 30)])), 3, ways)
            self.assertLess(abs(yaws[-1]), 3, ways)

    def test_what_was_not_recorded_cannot_be_played(self):
        with self.assertRaisesRegex(video.Failure, "no smile; it shows turn-left"):
            recordings.Playlist([self.recording], prompts.script("smile"), numpy.random.default_rng(0))


@unittest.skipIf(MISSING, MISSING)
@unittest.skipUnless(ENCODER, "ffmpeg with libx264 is not installed")
class SimulateTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="puppets-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        Image.fromarray(drawing(mesh((160, 120), 120), (320, 240))).save(cls.folder / "photo.png")
        with video.Writer(cls.folder / "live.mp4", SIZE, "a drawn face") as writer:
            for _ in range(90):
                writer.write(drawing(mesh()))
        known, jobs.MeshFinder = jobs.MeshFinder, Finder
        cls.addClassCleanup(setattr, jobs, "MeshFinder", known)
        Finder.turns = [0.0] * 25 + [2.5 * step for step in range(12)] + [27.0] * 53

    def rows(self, name, *arguments, source="photo.png"):
        said, complained = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
            out = self.folder / name
            code = simulate.main([
                *map(str, arguments), "--from", str(self.folder / source), "--out", str(out), "--seconds", "2",
                "--size", f"{SIZE[0]}x{SIZE[1]}",
            ])
        self.assertEqual((code, complained.getvalue()), (0, ""))
        with open(out / "manifest.csv", newline="") as stream:
            return list(csv.DictReader(stream))

    def test_a_puppet_answers_and_a_seed_reproduces_it(self):
        first, again = (self.rows(name, "puppet", "--script", "blink") for name in ("first", "again"))
        self.assertEqual(first, again)
        self.assertEqual(json.loads(first[0]["parameters"])["script"], "blink")
        made = [(self.folder / name / first[0]["path"]).read_bytes() for name in ("first", "again")]
        self.assertEqual(made[0], made[1])

    def test_recordings_drive_and_wear_photos(self):
        live = ("--other", self.folder / "live.mp4", "--script", "left")
        rows = self.rows("live", "driver", "pasted", *live)
        self.assertEqual([row["species"] for row in rows], ["driver", "pasted"])
        rows = self.rows("cut", "cut", "--script", "left", source="live.mp4")
        self.assertEqual(json.loads(rows[0]["parameters"])["ways"], ["reversed"])

    def test_faces_follow_a_path(self):
        (self.folder / "path.csv").write_text("time,x,y,scale,yaw,pitch\n0,0.5,0.5,1,0,0\n2,0.6,0.5,1.1,10,0\n")
        rows = self.rows("path", "puppet", "--path", self.folder / "path.csv")
        self.assertTrue(json.loads(rows[0]["parameters"])["path"])

    def test_two_photos_are_morphed(self):
        rows = self.rows("morph", "morph", "--other", self.folder / "photo.png", "--script", "smile:0:0")
        self.assertEqual(json.loads(rows[0]["parameters"])["second_photo"], "slowly")


if __name__ == "__main__":
    unittest.main()

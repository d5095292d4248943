"""Forged batches of frames: none leads to a pass, and each has its reason."""

import struct
import time
import unittest

import drawn
import harness
from harness import FACE_ONLY, FRAMES, RECORDING, ServerCase, Together, batch

LIT = {**RECORDING, "light": "on"}
# A lamp, in the unit of the screen's colours.
WHITE = (0.7, 0.7, 0.7)


class Shapes(ServerCase):
    def setUp(self):
        super().setUp()
        self.person = self.session(RECORDING).person()
        self.person.begin_face()
        self.picture = drawn.photo()

    def send(self, body):
        return self.person.send("POST", "/v1/page/frames", body, FRAMES)

    def test_wrong_lengths_are_rejected(self):
        head = struct.pack(">IdBB", 1, 1.0, 255, 0)
        for body in (
            b"", b"FVF", b"FVF1", b"FVF2" + batch([(1, 1.0, b"x")])[4:], b"FVF1\0", b"FVF1\1", b"FVF1\1" + head,
            b"FVF1\1" + head + struct.pack(">I", 2) + b"x", b"FVF1\1" + head + struct.pack(">I", 0xFFFFFFFF) + b"x",
            b"FVF1\2" + head + struct.pack(">I", 1) + b"x", batch([(1, 1.0, b"x")]) + b"more", b"FVF1\xff" + b"\0" * 100,
            batch([(1, float("nan"), b"x")]), batch([(1, float("inf"), b"x")]), batch([(1, -1e300, b"x")]),
            batch([(1, 1.0, b"x")] * 2), batch([(2, 1.0, b"x"), (1, 2.0, b"x")]), batch([(1, 2.0, b"x"), (2, 1.0, b"x")]),
            batch([(1, 1.0, b"x"), (3, 2.0, b"x")]), batch([(n, float(n), b"x") for n in range(1, 18)]),
            batch([(1, 1.0, b"x" * (256 * 1024 + 1))]),
        ):
            with self.subTest(body=body[:40]):
                answer = self.send(body)
                self.assertIn(answer.status, (400, 413, 422), answer)
        self.assertEqual(self.person.look().json["taken"], 0)

    def test_a_frame_that_is_not_a_jpeg_is_counted_as_refused(self):
        """An unreadable picture is refused, and the next ones are accepted."""
        answer = self.person.frames([b"no picture", self.picture[: len(self.picture) // 2], self.picture])
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual((answer.json["taken"] + answer.json["refused"], answer.json["expectedSeq"]), (3, 4))
        self.assertGreaterEqual(answer.json["refused"], 1)

    def test_a_large_picture_is_rejected(self):
        """Refused before decoding, together with its batch: a frame's cost affects all sessions."""
        import PIL.Image
        import io
        for size in ((20000, 20000), (1280, 960), (20000, 100)):
            out = io.BytesIO()
            PIL.Image.new("L", size).save(out, "JPEG", quality=1)
            answer = self.person.frames([self.picture, out.getvalue()[: 256 * 1024]])
            self.assertProblem(answer, 413)
            self.person.seq = 0
        self.assertEqual(self.person.look().json["taken"], 0)
        self.assertEqual(self.person.frames([drawn.encoded(drawn.pixels(drawn.face_of(), 1).repeat(2, 0)[:480].repeat(2, 1))]).json["taken"], 1)

    def test_a_repeated_batch_counts_once(self):
        pictures = [drawn.photo(1, n) for n in range(1, 4)]
        first = self.person.frames(pictures)
        again = self.send(self.person.last_batch)
        self.assertEqual((first.status, again.status), (200, 200))
        self.assertEqual((first.json["taken"], again.json["taken"]), (3, 3))
        self.assertEqual(self.person.look().json["taken"], 3)
        answer = self.person.frames(pictures)
        self.assertEqual(answer.json["taken"], 6)

    def test_a_gap_is_reported(self):
        self.assertEqual(self.person.frames([self.picture]).status, 200)
        self.person.seq = 8
        gap = self.person.frames([self.picture])
        self.assertProblem(gap, 409)
        self.assertEqual(gap.json["expectedSeq"], 2)


class Lies(ServerCase):
    """Each test plays a person who would pass, with one modification."""

    def outcome(self, session, person):
        person.finish()
        if person.view["state"] != "finished":
            person.calls("cancel")
        result = session.result().json
        self.assertFalse(result["isComplete"] and result["result"] == "passed", result["transport"])
        self.assertNotIn("passed", [credential["result"] for credential in result["record"]["body"]["credentials"]])
        return result

    def attempt(self, body, seconds, play=None, **options):
        session = self.session(body)
        person = session.person()
        person.begin_face()
        play(person) if play else person.play(seconds, **options)
        return self.outcome(session, person), person

    def reasons(self, result, person):
        return result["transport"]["faults"] + [event.get("reason") for event in person.events]

    def test_forged_clocks_and_screens_do_not_pass(self):
        """In parallel, because each takes real time."""

        def clock(wanted, function, seconds=8):
            def run():
                result, person = self.attempt(RECORDING, seconds, clock=function)
                self.assertTrue({*wanted} & {*self.reasons(result, person)}, self.reasons(result, person))
            return run

        def late():
            """All frames are rendered in advance, and shown three seconds after the prompt."""
            def play(person):
                drawer, queue, begin = drawn.DrawnPerson(), [], person.now
                for number in range(8 * 4):
                    time.sleep(max(0, begin + number / 4 - person.now))
                    for part in range(3):
                        queue.append((begin + (number + part / 3) / 4, drawer.next(None)))
                    # It starts in real time, and then falls behind.
                    delay = 0 if number < 4 else 12
                    if len(queue) > 3 * delay:
                        person.frames(queue[:3])
                        queue = queue[3:]
                    if person.view["state"] != "scanning":
                        return
            result, person = self.attempt(RECORDING, 8, play)
            self.assertIn("frames-late", self.reasons(result, person))

        def hidden():
            def play(person):
                person.play(2)
                person.frames([drawn.photo(1, 500)], flags=1)
            result, person = self.attempt(RECORDING, 4, play)
            self.assertIn("page-hidden", self.reasons(result, person))

        def gone():
            def play(person):
                person.play(2)
                time.sleep(1.5)
                person.play(1)
            result, person = self.attempt(RECORDING, 4, play)
            self.assertIn("frames-missing", self.reasons(result, person))

        def backwards():
            def play(person):
                person.play(2)
                person.frames([(person.now - 5, drawn.photo(1, 600))])
            result, person = self.attempt(RECORDING, 4, play)
            self.assertTrue(result["transport"]["refused"] or self.reasons(result, person), result["transport"])

        def still():
            one = drawn.photo(1, 1)
            result, person = self.attempt(RECORDING, 6, person=lambda number: one)
            liveness = result["record"]["body"]["credentials"][0]["liveness"]
            self.assertEqual(liveness["result"], "undecided")

        def loop():
            drawer = drawn.DrawnPerson()
            pictures = [drawer.next(None) for _ in range(24)]
            result, person = self.attempt(RECORDING, 8, person=lambda number: pictures[number % 24])
            liveness = result["record"]["body"]["credentials"][0]["liveness"]
            self.assertEqual(liveness["result"], "undecided")

        Together(
            clock(["clock-rate"], lambda t: 2 * t), clock(["clock-rate"], lambda t: 0.9 * t, 10),
            # A clock of half the speed is both; which is found first depends on the machine.
            clock(["frames-late", "clock-rate"], lambda t: t / 2),
            late, hidden, gone, backwards,
            still, loop)

    def test_prepared_answers_do_not_pass(self):
        """An attacker does not see the challenges, and makes other movements or none."""

        def ignoring():
            self.attempt({**FACE_ONLY, "maximumTries": 1}, 30, person=lambda number: drawn.photo(1, number + 1))

        def stubborn():
            self.attempt({**FACE_ONLY, "maximumTries": 1}, 30, person=drawn.DrawnPerson(stubborn="open-mouth"))

        Together(ignoring, stubborn)

    def test_colours_are_not_disclosed_in_advance(self):
        """A page receives the first colour only after its first frames."""
        person = self.session(LIT).person()
        person.begin_face()
        for _ in range(20):
            self.assertIsNone(person.look().json["light"])
            time.sleep(0.1)
        person.frames([drawn.photo(1, 1)])
        self.assertEqual(person.view["light"]["index"], 0)

    def test_a_second_attempt_has_new_colours(self):
        person, drawer = self.session(LIT).person(), drawn.DrawnPerson()
        person.begin_face()
        person.frames([drawn.photo(1, 1)])
        first = person.view["light"]
        time.sleep(3)
        person.must("cancel-part")
        person.begin_face()
        self.assertIsNone(person.view["light"])
        person.frames([drawer.next(None)])
        # It begins with the first colour, of a new sequence, and no frames are missing.
        self.assertEqual((person.view["state"], person.view["light"]["index"], first["index"]), ("scanning", 0, 0))

    # Rows: J65
    def test_an_unlisted_camera_is_a_suspicion(self):
        for is_listed, status in ((True, "passed"), (False, "failed"), (None, "not-checked")):
            with self.subTest(is_listed=is_listed):
                session = self.session(RECORDING)
                person = session.person()
                person.begin_face(camera={"label": "A camera", "isListed": is_listed})
                person.play(5)
                person.finish()
                result = session.result().json
                self.assertEqual(result["transport"]["camera"]["isListed"], is_listed)
                checks = result["record"]["body"]["credentials"][0]["liveness"]["checks"]
                found = {check["signal"]: check["status"] for check in checks}
                self.assertEqual((found["camera-track"], found["camera-device"]), (status, "passed"))

    def test_wrong_colours_do_not_pass(self):
        """Indices of colours that were not shown, or not yet: the signal fails or is not checked."""

        def lit(index, seconds=9):
            def play(person):
                begin, first, drawer = time.monotonic(), person.now, drawn.DrawnPerson()
                for number in range(int(seconds * 4)):
                    time.sleep(max(0, begin + number / 4 - time.monotonic()))
                    light = person.view["light"]
                    claimed, shown = index(light, number)
                    # The screen is one of several lights.
                    rows = [(first + (3 * number + part) / 12, drawer.next(None, 12, [0.4 + 0.6 * level / 0.7 for level in shown]),
                             claimed, 0) for part in range(3)]
                    person.frames(rows)
                    if person.view["state"] != "scanning":
                        return
            return play

        def honest(light, number):
            return (light["index"], light["rgb"]) if light else (255, WHITE)

        found = {}

        def run(name, index):
            session = self.session(LIT)
            person = session.person()
            person.uninterrupted(lit(index))
            person.finish()
            if person.view["state"] != "finished":
                person.calls("cancel")
            credentials = session.result().json["record"]["body"]["credentials"]
            checks = credentials[0]["liveness"]["checks"] if credentials else []
            found[name] = next((check["status"] for check in checks if check["signal"] == "colour-response"), None)

        Together(
            lambda: run("honest", honest),
            # Claims to show the colours, with a lamp instead.
            lambda: run("none", lambda light, number: (honest(light, number)[0], WHITE)),
            # Claims other colours than shown.
            lambda: run("other", lambda light, number: ((number * 7) % 20, honest(light, number)[1])),
            lambda: run("ahead", lambda light, number: (254, honest(light, number)[1])))
        self.assertEqual(found["honest"], "passed", found)
        for name in ("none", "other", "ahead"):
            self.assertNotEqual(found[name], "passed", found)

"""The chip on the server's smart card reader, through PC/SC: the emulated passport of a synthetic page."""

import json
import os
import pathlib
import subprocess
import unittest

import drawn
import harness
import virtual_reader
from harness import ROOT, Server, ServerCase, until

DOCUMENTS = pathlib.Path(os.environ.get("FACEVERIFY_DOCUMENTS", ROOT / ".deps/documents"))
MODELS = pathlib.Path(os.environ.get("FACEVERIFY_MODELS", ROOT / "models"))
SESSION = {
    "requests": [{"category": "id", "countries": ["UTO"], "types": ["passport"]}], "documentModes": ["file"],
    "requiresChip": True, "date": "2026-06-01", "assurance": {"document": "chip-authentic"}}


def wants():
    if reason := harness.wants() or virtual_reader.wants():
        return reason
    if not (MODELS / "mrz-lines.bin").exists() or not (DOCUMENTS / "pages/pages.json").exists():
        return "no models or no test documents: scripts/test"
    return None


def page():
    """The photo of a passport's page, and its zone."""
    pages = json.loads((DOCUMENTS / "pages/pages.json").read_text())
    found = next(each for each in pages if each["kind"] == "clean" and each["lines"][0].startswith("PXUTO"))
    return DOCUMENTS / "pages" / found["file"], "".join(found["lines"])


class Reader(ServerCase):
    @classmethod
    def setUpClass(cls):
        if reason := wants():
            raise unittest.SkipTest(reason)
        cls.reader = virtual_reader.VirtualReader()
        cls.addClassCleanup(cls.reader.close)
        cls.photo, cls.zone = page()
        cls.portrait = cls.reader.folder / "portrait.jpg"
        cls.portrait.write_bytes(drawn.photo())
        cls.server = Server(
            *cls.options, "--reader", "--trust", cls.reader.authority(), environment=cls.reader.environment)
        cls.addClassCleanup(cls.server.remove)
        cls.key = cls.server.key("tests", "sessions", "check", "audit")

    def tearDown(self):
        self.reader.remove()
        super().tearDown()

    def insert(self, kind, *more, zone=None):
        self.reader.insert(kind, "--zone", zone or self.zone, "--portrait", self.portrait, *more)

    def at_the_chip(self):
        """A session and its page, which has taken the photo."""
        session = self.session(SESSION)
        person = session.person()
        person.must("start", {"call": "start-credential", "credential": 0}, {"call": "start-part", "part": "front"})
        self.assertFalse(person.view["reader"]["hasKey"])
        self.assertEqual(person.send("POST", "/v1/page/photo", self.photo.read_bytes(), "image/png").status, 200)
        person.must("finish-part", "finish-credential", {"call": "start-part", "part": "chip"})
        self.assertTrue(person.view["reader"]["hasKey"])
        return session, person

    def read(self, person, **body):
        return person.send("POST", "/v1/page/chip/reader", body)

    def wait(self, person):
        self.assertTrue(until(lambda: person.look() and person.view["reader"]["state"] == "idle", 40))

    # Rows: J6
    def test_an_original_passes_and_a_clone_fails(self):
        for more, result, document in (((), "passed", "chip-authentic"), (("--fault", "wrongSignature"), "failed", None)):
            with self.subTest(result=result):
                session, person = self.at_the_chip()
                self.assertEqual(self.read(person).status, 200)
                self.assertEqual((person.view["state"], person.view["reader"]["state"]), ("paused", "waiting"))
                self.insert("cam", *more)
                self.wait(person)
                self.assertEqual((person.view["state"], person.view["reader"]["fault"]), ("captured", None))
                person.must("finish-part", "finish-credential", "finish")
                answer = session.result().json
                self.assertEqual(answer["result"], result, answer["record"]["body"]["result"])
                if document:
                    self.assertEqual(answer["assurance"]["document"], document)
                self.reader.remove()

    # Rows: RT-nfc V4.15-c
    def test_faults_are_reported_and_can_be_corrected(self):
        session, person = self.at_the_chip()
        self.insert("cam", "--remove-after", 30)
        self.assertEqual(self.read(person).status, 200)
        self.wait(person)
        self.assertEqual(person.view["reader"]["fault"], "connection-lost")
        self.assertIn("Virtual PCD 00 00", person.view["reader"]["detail"])
        self.reader.remove()
        self.insert("cam", zone="P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F3012316ZE184226B<<<<<18")
        self.read(person)
        self.wait(person)
        self.assertEqual(person.view["reader"]["fault"], "password-refused")
        self.assertProblem(self.read(person), 409)
        self.reader.remove()
        self.insert("cam")
        self.assertEqual(self.read(person, isConfirmed=True).status, 200)
        self.wait(person)
        self.assertEqual(person.view["state"], "captured")
        lines = self.server.call("GET", "/v1/audit", token=self.key).body.decode().splitlines()
        outcomes = [entry["detail"]["outcome"] for entry in map(json.loads, lines)
                    if entry["kind"] == "chip-reading" and entry["session"] == session.id]
        self.assertEqual(outcomes, ["connection-lost", "password-refused", "read"])

    def test_the_number_of_the_card_replaces_a_refused_zone(self):
        session, person = self.at_the_chip()
        self.insert("cam", zone="P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F3012316ZE184226B<<<<<18")
        self.read(person)
        self.wait(person)
        self.assertEqual((person.view["reader"]["fault"], person.view["reader"]["mustConfirm"]), ("password-refused", True))
        for number in ("12345", "abcdef", 123456, ["123456"], ""):
            with self.subTest(number=number):
                self.assertProblem(self.read(person, cardAccessNumber=number), 400)
        self.assertEqual(self.read(person, cardAccessNumber="111111").status, 200)
        self.wait(person)
        self.assertEqual(person.view["reader"]["fault"], "number-refused")
        self.assertProblem(self.read(person, cardAccessNumber="111111"), 409)
        self.assertEqual(self.read(person, cardAccessNumber="123456").status, 200)
        self.wait(person)
        self.assertEqual(person.view["state"], "captured")
        # The number is neither in the audit nor in the log.
        for text in (self.server.call("GET", "/v1/audit", token=self.key).body.decode(), self.server.log_text()):
            self.assertNotIn("123456\"", text)
            self.assertNotIn("111111", text)

    def test_one_page_at_a_time_reads_and_may_stop(self):
        (_, one), (_, other) = self.at_the_chip(), self.at_the_chip()
        self.assertEqual(self.read(one).status, 200)
        problem = self.assertProblem(self.read(other), 409)
        self.assertEqual(problem["view"]["reader"]["fault"], "busy")
        self.assertEqual(one.send("DELETE", "/v1/page/chip/reader").status, 200)
        self.wait(one)
        self.assertIsNone(one.view["reader"]["fault"])
        self.assertEqual(self.read(other).status, 200)
        # A session that ends frees the reader.
        other.must("cancel")
        self.assertTrue(until(lambda: self.read(one).status == 200, 5))
        one.send("DELETE", "/v1/page/chip/reader")
        self.wait(one)

    def test_a_server_without_the_reader_does_not_start(self):
        for options, environment, words in (
            (["--reader", "none"], self.reader.environment, 'there is no reader "none"; connected: "Virtual PCD 00 00"'),
            (["--reader", "PCD"], self.reader.environment, "fits several readers"),
            (["--reader"], {"PCSCLITE_CSOCK_NAME": "/nonexistent"}, "pcscd"),
            (["--reader", "--behind-proxy"], self.reader.environment, "--reader is for a page on this machine"),
        ):
            with self.subTest(words=words):
                done = subprocess.run(
                    [harness.scripted(), "serve", "--data", str(self.reader.folder / "data"), *options], capture_output=True,
                    text=True, timeout=60, env={**os.environ, **environment})
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(words, done.stderr)

"""The tutorials: their blocks `sh` run as they stand, one after another, and print the lines of their blocks `text`."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import types
import unittest

import harness
from harness import ROOT, Person
from test_reader import DOCUMENTS, page

SAMPLES = pathlib.Path(os.environ.get("FACEVERIFY_SAMPLES", ROOT / ".deps/samples"))

NEEDS_SAMPLES = unittest.skipUnless((SAMPLES / "obama.jpg").exists(), "no sample photos: scripts/test")
NEEDS_FFMPEG = unittest.skipUnless(shutil.which("ffmpeg"), "no ffmpeg: scripts/setup --tests")


class Tutorials(unittest.TestCase):
    def follow(self, name, command, ports=(), act=lambda address: None):
        """Runs a tutorial's commands. `act` plays the person who opens the address that they print."""
        if not command:
            self.skipTest("no command, or no models: scripts/test")
        text = (ROOT / f"docs/tutorials/{name}.md").read_text()
        blocks = lambda kind: re.findall(rf"^```{kind}\n(.*?)^```$", text, re.M | re.S)
        script = "\n".join(blocks("sh"))
        for port in ports:
            script = script.replace(port, str(harness.free_port()))
        with tempfile.TemporaryDirectory(prefix="faceverify-tutorial.") as folder:
            work = pathlib.Path(folder)
            for entry in "Tests", "examples", "models":
                (work / entry).symlink_to(ROOT / entry)
            (work / "bin").mkdir()
            (work / "bin/faceverify").symlink_to(command)
            if SAMPLES.is_dir():  # then models/fetch.py downloads nothing
                shutil.copytree(SAMPLES, work / "samples")
            environment = {"FACEVERIFY_MODELS": str(ROOT / "models"), **os.environ, "PATH": f"{work}/bin:{os.environ['PATH']}"}
            with subprocess.Popen(["bash", "-euo", "pipefail", "-c", script], cwd=work, env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as process:
                timer = threading.Timer(300, os.killpg, (process.pid, 9))
                timer.start()
                said = ""
                try:
                    for line in process.stdout:
                        said += line
                        if "/s#t=" in line:
                            act(line.strip())
                    process.wait()
                finally:
                    timer.cancel()
                    if process.poll() is None:
                        os.killpg(process.pid, 9)
        self.assertEqual(process.returncode, 0, said)
        place = 0
        for line in "".join(blocks("text")).splitlines():
            place = said.find(line, place) + len(line)
            self.assertGreaterEqual(place, len(line), f"{line!r} is missing, or in another order:\n{said}")
        return said

    @NEEDS_SAMPLES
    def test_a_border_desk(self):
        self.follow("border", harness.real())

    @NEEDS_SAMPLES
    @NEEDS_FFMPEG
    def test_a_door(self):
        self.follow("door", harness.real())

    @NEEDS_SAMPLES
    @NEEDS_FFMPEG
    def test_evaluating(self):
        self.follow("evaluating", harness.real())

    @unittest.skipUnless(shutil.which("curl"), "no curl")
    @unittest.skipUnless((DOCUMENTS / "pages/pages.json").exists(), "no test documents: scripts/test")
    def test_onboarding(self):
        def act(address):
            person = Person(types.SimpleNamespace(url=address.split("/s#")[0]), address)
            person.must("start")
            person.consent()
            person.must({"call": "start-credential", "credential": 0}, {"call": "start-part", "part": "front", "mode": "file"})
            person.send("POST", "/v1/page/photo", page()[0].read_bytes(), "image/png")
            person.must("finish-part", "finish-credential", {"call": "start-credential", "credential": 1})
            person.uninterrupted(lambda page: page.play(40))
            person.finish()
            person.client.close()

        said = self.follow("onboarding", harness.scripted(), ("8443", "8444", "8500"), act)
        # The page has no portrait that scripted models find, so that nothing is compared.
        self.assertIn("binding: none\ndocument: page-seen\npresence: challenge-answered\nnot-checked\nexit code 4\n", said)

"""The clients of examples/server ask a person, wait, and verify the signed record."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import unittest

import drawn
import harness
from harness import Person, ServerCase

EXAMPLES = harness.ROOT / "examples/server"


class Clients(ServerCase):
    @classmethod
    def setUpClass(cls):
        cls.hook_port = harness.free_port()
        cls.options = ("--rate-limits", "off", "--allow-callback", f"127.0.0.1:{cls.hook_port}")
        super().setUpClass()
        cls.hooked = cls.server.key("hooked", "sessions", "check", callback=f"http://127.0.0.1:{cls.hook_port}/")
        cls.secret = cls.server.secret
        cls.work = pathlib.Path(tempfile.mkdtemp(prefix="faceverify-clients."))
        cls.addClassCleanup(shutil.rmtree, cls.work, True)
        for name, options in {"a": (1, 1), "b": (1, 2), "other": (2, 3)}.items():
            (cls.work / f"{name}.jpg").write_bytes(drawn.photo(*options))
        cls.trusted = cls.server.data / "signing.pub.pem"
        (cls.work / "recording.json").write_text(
            '{"requests": [{"category": "face"}], "comparesFace": false, "faceModes": ["passive"], '
            '"consents": [{"text": "May your face be looked at?", "isActive": true}]}')

    def environment(self, **more):
        return {
            **os.environ, "FACEVERIFY_SERVER": self.server.url, "FACEVERIFY_KEY": self.key,
            "FACEVERIFY_BINARY": str(self.server.binary), "FACEVERIFY_TRUSTED": str(self.trusted),
            "GOFLAGS": "-mod=mod", **more}

    def compares(self, *command):
        for other, code, word in (("b.jpg", 0, "match"), ("other.jpg", 1, "no-match"), ("none.jpg", 3, "")):
            done = subprocess.run(
                [*command, "compare", "a.jpg", other], cwd=self.work, env=self.environment(), capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout.split("\n")[0]), (code, word), done)
        wrong = subprocess.run(
            [*command, "compare", "a.jpg", "b.jpg"], cwd=self.work, env=self.environment(FACEVERIFY_KEY="fvk_wrong"),
            capture_output=True, text=True, timeout=60)
        self.assertEqual(wrong.returncode, 3, wrong)
        self.assertTrue(wrong.stderr)
        self.assertEqual(subprocess.run([*command, "x"], env=self.environment(), capture_output=True, timeout=60).returncode, 2)

    def asks(self, *command, environment=None):
        with subprocess.Popen(
            [*command], cwd=self.work, env=environment or self.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True) as process:
            timer = threading.Timer(90, process.kill)
            timer.start()
            page = process.stdout.readline().strip()
            self.assertIn("/s#t=fvp_", page)
            person = Person(self.server, page)
            person.show_face(5)
            said = process.stdout.read()
            timer.cancel()
        self.assertEqual((process.returncode, said.split()[-1]), (0, "passed"), said)
        return said

    def test_python(self):
        command = ["/usr/bin/python3", EXAMPLES / "client.py"]
        self.compares(*command)
        self.assertIn("right", self.asks(*command, "session", "--trusted", self.trusted, "recording.json"))

    def test_python_with_a_webhook(self):
        command = ["/usr/bin/python3", EXAMPLES / "client.py", "session", "--listen", str(self.hook_port), "recording.json"]
        self.asks(*command, environment=self.environment(FACEVERIFY_KEY=self.hooked, FACEVERIFY_WEBHOOK_SECRET=self.secret))

    @unittest.skipUnless(shutil.which("curl"), "no curl")
    def test_shell(self):
        self.compares(EXAMPLES / "client.sh")
        self.asks(EXAMPLES / "client.sh", "session", "recording.json")

    @unittest.skipUnless(shutil.which("go"), "no Go: scripts/setup --tests installs it")
    def test_go(self):
        subprocess.run(["go", "build", "-o", self.work / "client", "./client"], cwd=EXAMPLES, check=True, timeout=120)
        self.compares(self.work / "client")
        self.asks(self.work / "client", "session", "recording.json")

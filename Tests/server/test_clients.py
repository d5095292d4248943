"""The clients of examples/server create a session, wait, and trust only the signed record."""

import base64
import copy
import json
import os
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import drawn
import harness
from harness import Person, ServerCase

EXAMPLES = harness.ROOT / "examples/server"
sys.path.append(str(harness.ROOT / "examples/record"))
import verify  # noqa: E402

PAPER = {"requests": [{"category": "document"}], "documentModes": ["file"]}


def signed(body, key):
    """A record of the body, signed with the private key of a PEM file."""
    record = {"schema": "faceverify-record-1", "body": body}
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "data").write_bytes(verify.canonical(record).encode())
        run = lambda *words: subprocess.run(["openssl", *words], cwd=folder, capture_output=True, check=True).stdout
        signature = run("pkeyutl", "-sign", "-rawin", "-inkey", str(key), "-in", "data")
        public = run("pkey", "-in", str(key), "-pubout", "-outform", "DER")[-32:]
    encode = lambda data: base64.b64encode(data).decode()
    return {**record, "signature": {"algorithm": "Ed25519", "key": encode(public), "value": encode(signature)}}


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
            '"assurance": {"presence": "passive-video"}, '
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

    def paper(self):
        """A finished session with a photo of a paper, which is not judged."""
        session = self.session(PAPER)
        person = session.person()
        person.must("start", {"call": "start-credential", "credential": 0}, {"call": "start-part", "part": "document", "mode": "file"})
        person.send("POST", "/v1/page/photo", (self.work / "a.jpg").read_bytes(), "image/jpeg")
        person.finish()
        return session

    def photo(self):
        """A session that accepts one photo of a face by name."""
        session = self.session({"requests": [{"category": "face"}], "comparesFace": False, "faceModes": ["face-manual"], "assurance": {"presence": "photo"}})
        person = session.person()
        person.must("start", {"call": "start-credential", "credential": 0}, {"call": "start-part", "part": "face", "mode": None})
        person.send("POST", "/v1/page/photo", (self.work / "a.jpg").read_bytes(), "image/jpeg")
        person.finish()
        return session

    def refuses(self, *command):
        """An attacker with write access to the store changes responses; none is mistaken for the signed one."""
        session, other = self.paper(), self.paper()
        honest, foreign = session.result().json, other.result().json
        stranger = self.work / "stranger.pem"
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", stranger], check=True, capture_output=True)
        passed = {"isComplete": True, "result": "passed", "assurance": {"presence": "challenge-answered", "document": "none", "binding": "none"}}
        names = {"workflowExecutionId": session.id, "accountId": honest["accountId"]}

        def body(**more):
            return {**copy.deepcopy(honest["record"]["body"]), **more}

        def result(**more):
            return body(result={**honest["record"]["body"]["result"], **more})

        unproved = result()
        del unproved["result"]["assurance"]
        own = self.server.data / "signing.pem"
        changes = {
            "the result around the record": {**honest, "result": "passed"},
            "its assurance": {**honest, "assurance": passed["assurance"]},
            "its completeness": {**honest, "isComplete": False},
            "its account": {**honest, "accountId": foreign["accountId"]},
            "its session": {**honest, "workflowExecutionId": other.id},
            "its error": {**honest, "error": {"code": "G000000", "message": "x", "isRetryable": False}},
            "another session's record": {**honest, "record": foreign["record"]},
            "another session's answer": foreign,
            "another session's answer under this one's names": {**foreign, **names},
            "the result in the record": {**honest, "result": "passed", "record": {**honest["record"], "body": result(**passed)}},
            "a record by another key": {**honest, **passed, "record": signed(result(**passed), stranger)},
            "a record without a session": {**honest, "record": signed(body(session=None), own)},
            "a record of another account": {**honest, "record": signed(body(account=foreign["accountId"]), own)},
            "a record without assurance": {**honest, "record": signed(unproved, own)},
            "no record": {**honest, "record": None},
        }
        run = lambda **more: subprocess.run([*command, "result", session.id], cwd=self.work, env=self.environment(**more),
                                            capture_output=True, text=True, timeout=60)
        done = run()
        self.assertEqual((done.returncode, done.stdout.split()[-1]), (4, "not-checked"), done)
        self.assertEqual(run(FACEVERIFY_TRUSTED="").returncode, 2, "nothing is believed without a key")
        done = subprocess.run([*command, "result", self.photo().id], cwd=self.work, env=self.environment(), capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout.split()[-1]), (5, "passed"), done)
        for name, answer in changes.items():
            with self.subTest(changed=name):
                with sqlite3.connect(self.server.data / "server.sqlite", timeout=10) as store:
                    store.execute("UPDATE sessions SET result = ? WHERE id = ?", (json.dumps(answer), session.id))
                store.close()
                done = run()
                self.assertEqual(done.returncode, 3, done)
                self.assertNotEqual((done.stdout.split() or [""])[-1], "passed")
                self.assertRegex(done.stderr, "client.*record")

    def test_the_python_client_trusts_only_the_signed_record(self):
        command = ["/usr/bin/python3", EXAMPLES / "client.py"]
        self.compares(*command)
        self.refuses(*command)
        self.assertIn("valid, signed by a trusted key", self.asks(*command, "session", "recording.json"))

    def test_the_python_client_accepts_webhooks(self):
        command = ["/usr/bin/python3", EXAMPLES / "client.py", "session", "--listen", str(self.hook_port), "recording.json"]
        self.asks(*command, environment=self.environment(FACEVERIFY_KEY=self.hooked, FACEVERIFY_WEBHOOK_SECRET=self.secret))

    def test_the_listening_python_client_ends(self):
        """Without a webhook, and with a connection that says nothing; not while an interrupted session can be continued."""
        (self.work / "short.json").write_text(json.dumps({**json.loads((self.work / "recording.json").read_text()), "startBy": 5}))
        port = harness.free_port()  # the server does not call it
        other = self.server.key("unreachable", "sessions", callback=f"http://127.0.0.1:{port}/")
        secret = self.server.secret
        command = ["/usr/bin/python3", EXAMPLES / "client.py", "session", "--listen", str(port), "short.json"]
        with subprocess.Popen(
            command, cwd=self.work, env=self.environment(FACEVERIFY_KEY=other, FACEVERIFY_WEBHOOK_SECRET=secret),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            timer = threading.Timer(90, process.kill)
            timer.start()
            self.assertIn("/s#t=fvp_", process.stdout.readline())
            with socket.create_connection(("127.0.0.1", port)):
                said = process.stdout.read()
            timer.cancel()
        self.assertEqual(process.returncode, 3, said)
        self.assertIn("expired", said)

    def test_the_listening_python_client_waits_for_an_interrupted_session(self):
        server = harness.Server("--rate-limits", "off", "--allow-callback", f"127.0.0.1:{self.hook_port}")
        self.addCleanup(server.remove)
        key = server.key("hooked", "sessions", callback=f"http://127.0.0.1:{self.hook_port}/")
        environment = self.environment(
            FACEVERIFY_SERVER=server.url, FACEVERIFY_KEY=key, FACEVERIFY_WEBHOOK_SECRET=server.secret,
            FACEVERIFY_TRUSTED=str(server.data / "signing.pub.pem"))
        command = ["/usr/bin/python3", EXAMPLES / "client.py", "session", "--listen", str(self.hook_port), "recording.json"]
        with subprocess.Popen(command, cwd=self.work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            timer = threading.Timer(90, process.kill)
            timer.start()
            person = Person(server, process.stdout.readline().strip())
            person.must("start")
            server.crash()
            self.assertEqual(person.look().json["view"]["state"], "interrupted")
            time.sleep(3)  # its webhook arrives
            self.assertIsNone(process.poll())
            person.take(person.send("POST", "/v1/page/again").json["view"])
            person.show_face(5)
            said = process.stdout.read()
            timer.cancel()
        self.assertEqual((process.returncode, said.split()[-1]), (0, "passed"), said)

    @unittest.skipUnless(shutil.which("curl"), "no curl")
    def test_the_shell_client_trusts_only_the_signed_record(self):
        self.compares(EXAMPLES / "client.sh")
        self.refuses(EXAMPLES / "client.sh")
        self.asks(EXAMPLES / "client.sh", "session", "recording.json")

    @unittest.skipUnless(shutil.which("go"), "no Go: scripts/setup --tests installs it")
    def test_the_go_client_trusts_only_the_signed_record(self):
        subprocess.run(["go", "build", "-o", self.work / "client", "./client"], cwd=EXAMPLES, check=True, timeout=120)
        self.compares(self.work / "client")
        self.refuses(self.work / "client")
        self.asks(self.work / "client", "session", "recording.json")

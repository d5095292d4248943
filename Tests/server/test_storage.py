"""The database is unavailable, locked, or its disk is full: no finished result is lost, and the operator is
notified."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest

import drawn
import harness
from harness import RECORDING, Client, Server, ServerCase, Session, until
from test_security import Receiver

PICTURES = 3
JOURNEY = {"requests": [{"category": "document"}] * PICTURES, "documentModes": ["file"], "consents": []}
PHOTO = drawn.photo(3, 99)


def steps():
    """The calls of a whole journey, in order."""
    found = [lambda person: person.must("start")]
    for number in range(PICTURES):
        found += [
            lambda person, number=number: person.must({"call": "start-credential", "credential": number}),
            lambda person: person.must({"call": "start-part", "part": "document", "mode": None}),
            lambda person: person.send("POST", "/v1/page/photo", PHOTO, "image/jpeg"),
            lambda person: person.must("finish-part"), lambda person: person.must("finish-credential")]
    found += [lambda person: person.look(), lambda person: person.must("finish"), lambda person: person.look()]
    return found


@contextlib.contextmanager
def away(server):
    """Renames the data folder."""
    other = server.data.with_name(server.data.name + ".away")
    os.rename(server.data, other)
    try:
        yield
    finally:
        os.rename(other, server.data)


@contextlib.contextmanager
def locked(server):
    """Another process holds a write transaction open."""
    database = sqlite3.connect(f"{server.data}/server.sqlite", isolation_level=None, timeout=30)
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        database.execute("ROLLBACK")
        database.close()


@contextlib.contextmanager
def full(server):
    """Another file fills the disk."""
    path = server.data / "filler"
    with open(path, "wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"\0" * size)
    try:
        yield
    finally:
        path.unlink()


class Journeys(unittest.TestCase):
    def setUp(self):
        if harness.wants():
            self.skipTest(harness.wants())
        self.receiver = Receiver()
        self.addCleanup(self.receiver.server_close)
        self.addCleanup(self.receiver.shutdown)

    def start(self, data=None):
        server = Server("--rate-limits", "off", "--allow-callback", self.receiver.address, data=data)
        self.addCleanup(server.remove)
        self.hook = f"http://{self.receiver.address}/hook"
        self.key = server.key("tenant", "sessions", "audit", callback=self.hook)
        return server

    def small_disk(self):
        if os.getuid() != 0:
            self.skipTest("a small disk is mounted by root")
        folder = tempfile.mkdtemp(prefix="faceverify-disk.")
        self.addCleanup(shutil.rmtree, folder, True)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "none", folder], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("this machine does not permit mounting")
        self.addCleanup(subprocess.run, ["umount", "-l", folder])
        return pathlib.Path(folder) / "data"

    def ready(self, server):
        answer = Client(server.admin).call("GET", "/readyz")
        return answer.status, answer.body.decode()

    def break_everywhere(self, server, broken):
        """Sessions are at each step of their journey when the store fails, and end during the failure."""
        calls = steps()
        sessions = [Session(server, self.key, {**JOURNEY, "callbackUrl": self.hook}) for _ in range(len(calls) + 1)]
        people = [session.person() for session in sessions]
        self.assertGreaterEqual(len(people), 20 - 1)
        done = list(range(len(people)))
        for person, count in zip(people, done):
            for call in calls[:count]:
                call(person)
        with broken(server):
            for person, count in zip(people, done):
                for call in calls[count:]:
                    call(person)
                self.assertEqual(person.view["state"], "finished")
            self.assertEqual(self.ready(server)[0], 503)
            yield sessions
        for session in sessions:
            answer = until(lambda: (lambda got: got if got.status == 200 else None)(session.result()), 40, 0.2)
            self.assertTrue(answer, (session.result(), server.log_text()[-2000:]))
            self.assertEqual(len(answer.json["record"]["body"]["credentials"]), PICTURES)
        self.assertTrue(until(lambda: self.ready(server)[0] == 200), self.ready(server))
        told = lambda: {json.loads(body)["workflowExecutionId"] for _, _, body in self.receiver.got}
        self.assertTrue(until(lambda: told() >= {session.id for session in sessions}, 30))
        checked = server.command("audit", "verify", *server.where)
        self.assertEqual(checked.returncode, 0, checked)

    def broken(self, server, how):
        for sessions in self.break_everywhere(server, how):
            # The operator is notified by the log and a metric.
            self.assertTrue(until(lambda: "cannot store results" in server.log_text()))
            self.assertGreater(server.metrics()["fv_results_waiting"], 0)
            self.assertIn("results wait", self.ready(server)[1])
            yield sessions

    def test_no_result_is_lost_without_the_database(self):
        server = self.start()
        for sessions in self.broken(server, away):
            answer = sessions[0].result()
            self.assertEqual((answer.status, answer.headers["Retry-After"]), (503, "5"), answer)

    def test_no_result_is_lost_while_locked(self):
        server = self.start()
        for sessions in self.broken(server, locked):
            # Reads continue; the result is announced, without details of the database.
            answer = sessions[0].result()
            self.assertEqual(answer.status, 503, answer)
            made = server.call("POST", "/v1/sessions", RECORDING, self.key)
            self.assertEqual((made.status, made.headers["Retry-After"]), (503, "5"), made)
            self.assertNotIn("sqlite", made.body.decode())
            self.assertNotIn(str(server.data), made.body.decode())

    def test_no_result_is_lost_on_a_full_disk(self):
        server = self.start(self.small_disk())
        for _ in self.broken(server, full):
            pass

    def test_stopped_while_it_is_locked(self):
        self.ended(self.start(), locked)

    def test_stopped_while_the_disk_is_full(self):
        self.ended(self.start(self.small_disk()), full)

    def test_killed_while_it_is_away(self):
        self.ended(self.start(), away, kill=True)

    def test_killed_while_it_is_locked(self):
        self.ended(self.start(), locked, kill=True)

    def test_killed_while_the_disk_is_full(self):
        self.ended(self.start(self.small_disk()), full, kill=True)

    def ended(self, server, how, kill=False):
        """Pending results are in a file when the server ends, and in the database after a restart."""
        session = Session(server, self.key, RECORDING)
        person = session.person()
        spool = server.data / "unstored.ndjson"
        with how(server):
            person.must("cancel")
            self.assertEqual(person.view["state"], "finished")
            self.assertEqual(server.kill() if kill else server.stop(), None if kill else 0)
        self.assertEqual(spool.stat().st_mode & 0o777, 0o600)
        self.assertIn(session.id.encode(), spool.read_bytes())
        server.start()
        session.url = server.url
        self.assertEqual(session.result().status, 200, session.result())
        self.assertTrue(until(lambda: not spool.read_bytes().strip(b"\0")))
        checked = server.command("audit", "verify", *server.where)
        self.assertEqual(checked.returncode, 0, checked)


class Wiping(ServerCase):
    def test_a_wiped_session_identifies_nobody(self):
        session = self.session({**RECORDING, "userReference": "customer-4711"})
        session.person().must("cancel")
        self.assertEqual(session.state, "finished")
        person = lambda: database.execute("SELECT person FROM sessions WHERE id = ?", [session.id]).fetchone()[0]
        with sqlite3.connect(f"{self.server.data}/server.sqlite", timeout=10) as database:
            import hashlib
            # Access to the database alone does not allow testing names.
            self.assertRegex(person(), "^[0-9a-f]{64}$")
            self.assertNotEqual(person(), hashlib.sha256(b"customer-4711").hexdigest())
            database.execute("UPDATE sessions SET wipe_at = 1 WHERE id = ?", [session.id])
            database.commit()
            self.assertTrue(until(lambda: session.state == "cleared", 15))
            self.assertIsNone(person())


class Secrets(unittest.TestCase):
    def test_the_database_alone_signs_no_webhook(self):
        if harness.wants():
            self.skipTest(harness.wants())
        server = Server("--rate-limits", "off")
        self.addCleanup(server.remove)
        server.key("tenant", "sessions", callback="https://shop.example/hook")
        files = {path.name: path.read_bytes() for path in server.data.iterdir() if path.name.startswith("server.sqlite")}
        for content in files.values():
            self.assertNotIn(server.secret.encode(), content)
        self.assertEqual((server.data / "secrets.key").stat().st_mode & 0o777, 0o600)
        # A wrong key is detected before anything is signed with it.
        self.assertEqual(server.stop(), 0)
        (server.data / "secrets.key").write_text("ab" * 32 + "\n")
        done = server.command(*server.where, "--port", "0", "--admin-port", "0")
        self.assertEqual(done.returncode, 3, done)
        self.assertIn("secrets.key", done.stderr)

"""Backup, restore and upgrade, in SQLite and PostgreSQL: keys, results, sessions and webhooks remain."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

import harness
from harness import RECORDING, Person, Server, Session, until

sys.path.append(str(harness.ROOT / "examples/record"))
import verify  # noqa: E402

POSTGRESQL = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
OLD = harness.ROOT / "Tests/server/schema-3.sql"


class SQLite:
    """No option: the database is in the data folder."""

    options, name, address = (), "sqlite", ""

    def __init__(self, case):
        if not shutil.which("sqlite3"):
            case.skipTest("no sqlite3: apt-get install sqlite3")

    def load(self, sql, data):
        with sqlite3.connect(data / "server.sqlite") as database:
            database.executescript(sql)

    def drop(self, data):
        for path in data.glob("server.sqlite*"):
            path.unlink()

    def version(self, data):
        with sqlite3.connect(data / "server.sqlite") as database:
            return database.execute("SELECT value FROM meta WHERE name = 'version'").fetchone()[0]


class PostgreSQL:
    """A server of its own, on a Unix socket. As root, it runs as nobody: it refuses to run as root."""

    name = "postgresql"

    def __init__(self, case):
        if not POSTGRESQL:
            case.skipTest("no PostgreSQL: scripts/setup --tests installs it")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="faceverify-postgresql."))
        case.addCleanup(shutil.rmtree, self.folder, True)
        self.user, self.become = "faceverify", []
        if os.getuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")
            self.become = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        data = self.folder / "data"
        self.run("initdb", "--pgdata", data, "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--username", self.user)
        self.run("pg_ctl", "--pgdata", data, "--log", self.folder / "log", "--wait", "--options",
                 f"-c listen_addresses= -c unix_socket_directories={self.folder}", "start")
        case.addCleanup(self.run, "pg_ctl", "--pgdata", data, "--wait", "--mode", "fast", "stop")
        self.address = f"postgres:///faceverify?host={self.folder}&user={self.user}"
        self.options = ("--database", self.address)
        self.create()

    def run(self, program, *arguments, text=None):
        # To a file: the server that pg_ctl starts would keep a pipe open.
        with tempfile.TemporaryFile("w+") as said:
            done = subprocess.run(
                [*self.become, POSTGRESQL[-1] / program, *arguments], input=text, stdout=said, stderr=subprocess.STDOUT, text=True,
                timeout=60)
            said.seek(0)
            output = said.read()
        if done.returncode != 0:
            raise AssertionError(f"{program}: {output}")
        return output

    def create(self):
        self.run("createdb", "--host", self.folder, "--username", self.user, "faceverify")

    def load(self, sql, data):
        self.run("psql", "--set", "ON_ERROR_STOP=1", self.address, text=sql)

    def drop(self, data):
        self.run("dropdb", "--host", self.folder, "--username", self.user, "faceverify")
        self.create()

    def version(self, data):
        query = "SELECT value FROM meta WHERE name = 'version'"
        return self.run("psql", "--tuples-only", "--no-align", "--command", query, self.address).strip()


class BackupCase(unittest.TestCase):
    def setUp(self):
        if reason := harness.wants():
            self.skipTest(reason)

    def server(self, store, **options):
        server = Server(*store.options, "--rate-limits", "off", start=False, **options)
        self.addCleanup(server.remove)
        return server

    def intact(self, server):
        done = server.command("audit", "verify", *server.where)
        self.assertEqual(done.returncode, 0, done)
        return int(re.search(r"intact: (\d+) entries", done.stdout)[1])


class Backups(BackupCase):
    def follow(self, kind, server, store, backup):
        """Runs the commands of docs/server.md."""
        text = (harness.ROOT / "docs/server.md").read_text()
        script = re.search(rf"^```sh {kind}\n(.*?)^```$", text, re.M | re.S)[1]
        script = script.replace("/var/lib/faceverify", str(server.data)).replace("/backup", str(backup))
        with tempfile.TemporaryDirectory() as programs:
            (pathlib.Path(programs) / "faceverify").symlink_to(server.binary)
            done = subprocess.run(
                ["bash", "-euxc", script], capture_output=True, text=True, timeout=60,
                env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "DATABASE": store.address})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def drill(self, kind):
        store = kind(self)
        server = self.server(store).start()
        backup = pathlib.Path(tempfile.mkdtemp(prefix="faceverify-backup."))
        self.addCleanup(shutil.rmtree, backup, True)
        hook = "https://127.0.0.1:1/hook"
        key, test = server.key("shop", "sessions", callback=hook), server.key("shop", test=True)
        finished, opened = (Session(server, key, {**RECORDING, "callbackUrl": hook}) for _ in range(2))
        finished.person().must("cancel")
        opened.person()
        scripted = Session(server, test, RECORDING)
        waiting = Session(server, key, {**RECORDING, "startBy": 604_800})
        results = [session.result().json for session in (finished, scripted)]
        event = lambda: server.call("GET", f"/v1/events?workflowExecutionId={finished.id}", token=key).json["events"][0]
        self.assertTrue(until(lambda: event()["delivery"]["fault"] == "address-refused"), server.log_text()[-1000:])
        self.follow(store.name, server, store, backup)
        # What is made after the backup is lost.
        late = Session(server, key, RECORDING)
        self.assertEqual(server.stop(), 0)
        # The disk is lost.
        store.drop(server.data)
        shutil.rmtree(server.data)
        server.data.mkdir(mode=0o700)
        self.assertIn("intact", self.follow(f"{store.name} restore", server, store, backup))
        server.start()
        for session in (finished, scripted, late, opened, waiting):
            session.url = server.url
        self.assertEqual([session.result().json for session in (finished, scripted)], results)
        self.assertEqual(late.call("GET").status, 404)
        self.assertEqual(opened.state, "interrupted")
        delivery = event()["delivery"]
        self.assertEqual((delivery["state"], delivery["url"], delivery["attempts"]), ("waiting", hook, 1))
        # The records have the same key, and its link still opens the session that waits for its person.
        person = Person(server, waiting.page_url)
        person.must("cancel")
        record = waiting.result().json["record"]
        self.assertEqual(record["signature"]["key"], results[0]["record"]["signature"]["key"])
        self.assertGreater(self.intact(server), 8)

    def test_a_restored_database_has_everything(self):
        self.drill(SQLite)

    def test_a_restored_postgresql_has_everything(self):
        self.drill(PostgreSQL)


class Upgrades(BackupCase):
    def upgrade(self, kind):
        sql = OLD.read_text()
        about = dict(re.findall(r"^-- ([\w.]+): (.+)$", sql, re.M))
        store = kind(self)
        server = self.server(store)
        (server.data / "secrets.key").write_text(about["secrets.key"])
        (server.data / "secrets.key").chmod(0o600)
        store.load(sql, server.data)
        self.assertEqual(store.version(server.data), "3")
        server.start()
        get = lambda path: server.call("GET", path, token=about["key"]).json
        rows = get("/v1/sessions")["sessions"]
        self.assertEqual([row["state"] for row in rows], ["created", "cleared", "finished"])
        self.assertEqual({row["mode"] for row in rows}, {"live"})
        self.assertEqual((rows[2]["result"], rows[2]["assurance"]["presence"], rows[2]["userReference"]), ("passed", "photo", "one"))
        # The signed record is the one whose hash the audit has had since then.
        record = get(f"/v1/sessions/{rows[2]['workflowExecutionId']}/result")["record"]
        digest = "sha256:" + hashlib.sha256(verify.canonical(record).encode()).hexdigest()
        self.assertIn(f"'finished','{json.dumps({'error': None, 'record': digest, 'result': 'passed'}, separators=(',', ':'))}'", sql)
        (event,) = get("/v1/events")["events"]
        self.assertIn(f"'{event['id']}'", sql)
        self.assertEqual(event["workflowExecutionId"], rows[2]["workflowExecutionId"])
        self.assertEqual(
            (event["at"][:16], event["state"], event["result"], event["delivery"]["state"], event["delivery"]["attempts"]),
            ("2026-11-26T20:10", "finished", "passed", "waiting", 1))
        # The link that was sent before the upgrade, and a new session.
        Person(server, f"{server.url}/s#t={about['page']}").must("cancel")
        Session(server, about["key"], RECORDING).person().must("cancel")
        self.assertEqual(self.intact(server), 16)
        self.assertEqual(server.stop(), 0)
        # A second start changes nothing, and a database of a later schema is refused, unchanged.
        server.start()
        self.assertEqual(len(get("/v1/events")["events"]), 3)
        self.assertEqual(server.stop(), 0)
        version = store.version(server.data)
        store.load(f"UPDATE meta SET value = '{int(version) + 1}' WHERE name = 'version'", server.data)
        with self.assertRaisesRegex(AssertionError, f"has schema {int(version) + 1}"):
            server.start()
        self.assertEqual(store.version(server.data), str(int(version) + 1))

    def test_sqlite_of_schema_3(self):
        self.upgrade(SQLite)

    def test_postgresql_of_schema_3(self):
        self.upgrade(PostgreSQL)

"""Two nodes behind nginx with one PostgreSQL: killing a node loses no finished result."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

import harness
from harness import RECORDING, Client, Person, Session, until

START = harness.ROOT / "examples/cluster/start"


class Cluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if reason := harness.wants():
            raise unittest.SkipTest(reason)
        if not (shutil.which("nginx", path="/usr/sbin:" + os.environ["PATH"]) and list(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))):
            raise unittest.SkipTest("no nginx or PostgreSQL: scripts/setup --tests installs them")
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="faceverify-cluster."))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.port, *nodes = (str(harness.free_port()) for _ in range(3))
        cls.url = f"http://127.0.0.1:{cls.port}"
        cls.nodes = {name: f"http://127.0.0.1:{port}" for name, port in zip(("n1", "n2"), nodes)}
        environment = {**os.environ, "FACEVERIFY": str(harness.scripted()), "PORT": cls.port, "NODES": " ".join(nodes)}
        cls.process = subprocess.Popen(
            [START, cls.folder, "--rate-limits", "off"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=environment)
        cls.addClassCleanup(cls.stop)
        said = cls.process.stdout.readline()
        if not said.startswith("cluster: http"):
            raise AssertionError(said + cls.process.stdout.read())
        cls.database = re.search(r"--database '([^']+)'", cls.process.stdout.readline())[1]
        cls.key = cls.command("key", "add", "--name", "cluster", "--scope", "sessions,audit", "--data", str(cls.folder / "n1"))
        cls.key = re.search(r"fvk_\S+", cls.key)[0]

    @classmethod
    def stop(cls):
        if cls.process.poll() is None:
            cls.process.send_signal(signal.SIGTERM)
        cls.code = cls.process.wait(100)
        cls.process.stdout.close()

    @classmethod
    def command(cls, *arguments):
        """Access to PostgreSQL requires access to its folder: by the user who started it, and root."""
        command = [harness.scripted(), "serve", *arguments, "--database", cls.database]
        if os.getuid() == 0:
            command = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "env", f"HOME={cls.folder}", *command]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise AssertionError(f"{arguments}: {done.returncode} {done.stdout} {done.stderr}")
        return done.stdout

    def session(self):
        return Session(self, self.key, RECORDING, url=self.url)

    def on(self, node):
        """A session whose page is opened on that node, regardless of where it was created."""
        session = self.session()
        person = Person(self, session.page_url, url=self.url, node=node)
        self.assertEqual(person.node, node)
        return session, person

    def test_a_killed_node_loses_no_finished_result(self):
        finished, kept = {}, []
        # Both nodes know the key, create sessions, and respond for each other's.
        for node in ("n1", "n2"):
            session, person = self.on(node)
            person.show_face(5)
            finished[node] = session
            for url in self.nodes.values():
                # A node compares Host with --public-url.
                answer = Client(url).call("GET", f"/v1/sessions/{session.id}/result", None, self.key, {"Host": f"127.0.0.1:{self.port}"})
                self.assertEqual((answer.status, answer.json.get("result")), (200, "passed"), (answer, person.events))
        broken, person = self.on("n1")
        person.begin_face()
        person.play(2)
        os.kill(int((self.folder / "n1.pid").read_text()), signal.SIGKILL)
        for node, session in finished.items():
            self.assertEqual(session.result().json["result"], "passed", node)
        # The page continues to send its header, and is asked to retry.
        answer = until(lambda: (lambda got: got if got.status == 409 or got.status == 200 else None)(person.look()), 40)
        self.assertTrue(answer)
        self.assertEqual(answer.json.get("view", answer.json)["state"], "interrupted", answer)
        self.assertEqual(until(lambda: broken.state == "interrupted", 30), True)
        again = until(lambda: (lambda got: got if got.status == 200 else None)(person.send("POST", "/v1/page/again")), 30)
        self.assertTrue(again, "the page could not begin again")
        self.assertEqual(person.node, "n2")
        person.seq = person.view["expectedSeq"] - 1
        person.show_face(5)
        result = broken.result()
        self.assertEqual((result.status, result.json.get("result")), (200, "passed"), (result, person.events))
        self.assertEqual(broken.call("GET").json["runs"], 2)
        # New sessions can be created meanwhile.
        self.assertTrue(self.session().id)
        checked = self.command("audit", "verify")
        self.assertTrue(checked.strip())
        entries = self.command("audit", "export").splitlines()
        self.assertGreaterEqual(len([line for line in entries if broken.id in line]), 4)
        self.stop()
        self.assertEqual(self.code, 0)

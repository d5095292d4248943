"""PostgreSQL hangs: pages go on, requests that need it are refused in time, and the server can be stopped."""

import os
import signal
import threading
import time
import unittest

import harness
from harness import RECORDING, Client, Server, Session, Together, until
from test_backup import PostgreSQL


class Hanging(unittest.TestCase):
    def setUp(self):
        if harness.wants():
            self.skipTest(harness.wants())
        self.store = PostgreSQL(self)
        self.server = Server(*self.store.options, "--rate-limits", "off", "--capacity", "8")
        self.addCleanup(self.server.remove)
        self.key = self.server.key("tenant", "sessions")

    def signal(self, number):
        """To all processes of the database."""
        main = int((self.store.folder / "data/postmaster.pid").read_text().split()[0])
        parents = {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat") as file:
                    parents[int(name)] = int(file.read().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
        for process in [main, *(child for child, parent in parents.items() if parent == main)]:
            os.kill(process, number)

    def test_a_hanging_database(self):
        opened, unopened = (Session(self.server, self.key, RECORDING) for _ in range(2))
        person, other = opened.person(), Session(self.server, self.key, RECORDING).person()
        self.signal(signal.SIGSTOP)
        self.addCleanup(self.signal, signal.SIGCONT)
        over, slowest = threading.Event(), {}

        def measure(name, ask):
            begin = time.monotonic()
            answer = ask()
            seconds = time.monotonic() - begin
            slowest[name] = max(slowest.get(name, (0, 0)), (seconds, answer.status))
            return answer

        def show():
            while not over.is_set():
                measure("a page", other.look)
                measure("a file", lambda: self.server.call("GET", "/assets/app.css"))
                measure("an extension", lambda: other.send("POST", "/v1/page/extend"))
                time.sleep(0.02)

        refused = {
            "/readyz": lambda: Client(self.server.admin).call("GET", "/readyz"),
            "list": lambda: self.server.call("GET", "/v1/sessions", token=self.key),
            "create": lambda: self.server.call("POST", "/v1/sessions", RECORDING, self.key),
            "start": lambda: self.server.call("POST", "/v1/page/claim", {"pageToken": unopened.page_url.split("#t=")[1]}),
        }
        pages = threading.Thread(target=show, daemon=True)
        pages.start()
        try:
            # Alone and together, when the server knows about it and when it does not.
            for name, ask in [*refused.items()] * 2:
                self.refused(name, measure(name, ask), slowest)
            answers = Together(*[lambda item=item: measure(*item) for item in [*refused.items()] * 3]).results
            for name, answer in zip([*refused] * 3, answers):
                self.refused(name, answer, slowest)
            for call in ("start", "cancel"):
                answer = measure(f"the call {call}", lambda: person.calls(call))
                self.assertEqual(answer.status, 200, answer)
            self.assertEqual(person.view["state"], "finished")
        finally:
            over.set()
            pages.join()
        for name, (seconds, status) in slowest.items():
            self.assertLess(seconds, 3 if name in refused else 0.15, slowest)
        self.assertEqual(slowest["a page"][1], 200)
        begin = time.monotonic()
        self.assertEqual(self.server.stop(seconds=60), 0)
        self.assertLess(time.monotonic() - begin, 30)
        self.signal(signal.SIGCONT)
        self.server.start()
        opened.url = self.server.url
        self.assertEqual(opened.result().status, 200)
        self.assertTrue(until(lambda: Client(self.server.admin).call("GET", "/readyz").status == 200))
        self.assertEqual(self.server.command("audit", "verify", *self.server.where).returncode, 0)

    def refused(self, name, answer, slowest):
        self.assertEqual(answer.status, 503, (name, answer, slowest))
        if name != "/readyz":
            self.assertTrue(answer.headers["Retry-After"], name)


if __name__ == "__main__":
    unittest.main()

"""SIGTERM: running attempts may finish, new ones are refused."""

import signal
import threading
import time
import unittest

import harness
from harness import FACE_ONLY, RECORDING, Client, Server, Session, Together, until


class Drain(unittest.TestCase):
    def setUp(self):
        if harness.wants():
            self.skipTest(harness.wants())
        self.server = Server("--rate-limits", "off", "--capacity", "4")
        self.addCleanup(self.server.remove)
        self.key = self.server.key()

    def test_running_attempts_finish(self):
        sessions = [Session(self.server, self.key, RECORDING) for _ in range(4)]
        unclaimed = Session(self.server, self.key, RECORDING)
        people = [session.person() for session in sessions]
        for person in people:
            person.begin_face()
        told = threading.Event()
        seen = {}

        def operator():
            time.sleep(2)
            begin = time.monotonic()
            admin = Client(self.server.admin)
            self.server.process.send_signal(signal.SIGTERM)
            until(lambda: admin.call("GET", "/readyz").status == 503)
            seen["ready"] = admin.call("GET", "/readyz").status
            seen["health"] = admin.call("GET", "/healthz").status
            refused = Client(self.server.url).call("POST", "/v1/sessions", FACE_ONLY, self.key)
            seen["new"], seen["after"] = refused.status, refused.headers.get("Retry-After")
            seen["claim"] = Client(self.server.url).call(
                "POST", "/v1/page/claim", {"pageToken": unclaimed.page_url.split("#t=")[1]}).status
            told.set()
            seen["exit"] = self.server.process.wait(90)
            seen["seconds"] = time.monotonic() - begin

        def play(person, session):
            person.play(6)
            told.wait(20)
            person.finish()
            return person.view["state"]

        states = Together(operator, *[lambda pair=pair: play(*pair) for pair in zip(people, sessions)]).results[1:]
        self.assertEqual(states, ["finished"] * 4)
        self.assertEqual({name: seen[name] for name in ("ready", "health", "new", "claim", "exit")},
                         {"ready": 503, "health": 200, "new": 503, "claim": 503, "exit": 0})
        self.assertTrue(seen["after"])
        self.assertLess(seen["seconds"], 80)
        self.server.start()
        for session in sessions:
            session.url = self.server.url
            self.assertEqual(session.result().json["result"], "passed")

    def test_a_second_signal_ends_at_once(self):
        session = Session(self.server, self.key, RECORDING)
        person = session.person()
        person.begin_face()
        person.play(1)
        begin = time.monotonic()
        self.server.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        self.assertIsNone(self.server.process.poll())
        self.assertEqual(self.server.stop(), 0)
        self.assertLess(time.monotonic() - begin, 5)
        self.server.start()
        session.url = self.server.url
        self.assertEqual(session.state, "interrupted")

    def test_an_idle_server_ends_immediately(self):
        begin = time.monotonic()
        self.assertEqual(self.server.stop(), 0)
        self.assertLess(time.monotonic() - begin, 5)

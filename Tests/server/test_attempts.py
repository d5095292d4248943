"""Attempts per person: they count from their first prompt, in real time."""

import json
import sqlite3
import time
import unittest

import drawn
import harness
from harness import FACE_ONLY, RECORDING, Session, Together, until


class Attempts(unittest.TestCase):
    """Attempts of a person count from their first prompt, however they end, unless they pass or the server ends them."""

    LIMIT = 10

    def setUp(self):
        if harness.wants():
            self.skipTest(harness.wants())
        self.server = harness.Server("--capacity", "100")
        self.addCleanup(self.server.remove)
        self.key = self.server.key("shop", "sessions")

    def make(self, body=FACE_ONLY, status=201, **more):
        return Session(self.server, self.key, {**body, "userReference": "u", **more}, status=status)

    def prompted(self, session, seconds=10, **more):
        """The person of a session to whom the first prompt was shown."""
        person = session.person()
        person.begin_face(**more)
        drawer = drawn.DrawnPerson()
        for _ in range(seconds * 4):
            begin = time.monotonic()
            person.frames([(person.now - (2 - index) / 12, drawer.next(person.view["feedback"])) for index in range(3)])
            if person.view["state"] != "scanning" or self.is_prompted(person.view):
                return person
            time.sleep(max(0, begin + 0.25 - time.monotonic()))
        self.fail(f"no prompt: {person.view}")

    def is_prompted(self, view):
        feedback = view["feedback"]
        return bool(view["light"] or feedback and (feedback["challenge"] or view["part"]["mode"] == "passive"))

    def test_an_attempt_counts_however_it_is_left(self):
        ends = {
            "left": lambda person: None, "cancelled": lambda person: person.must("cancel"),
            "declined": lambda person: person.must({"call": "finish-part", "declined": "movement"}),
            "its part cancelled": lambda person: person.must("cancel-part"),
            "the credential cancelled": lambda person: person.must("cancel-credential"),
            # No reported error is the server's.
            "over": lambda person: person.must({"call": "report", "code": "J000000"}, "cancel"),
            "reported": lambda person: person.must({"call": "report", "code": "C000429"}, "cancel"),
            "finished": lambda person: person.finish(),
        }
        bodies = {"recorded": RECORDING, "lit": {**FACE_ONLY, "light": "on"}}
        for end in ends.values():
            end(self.prompted(self.make()))
        for body in bodies.values():
            self.prompted(self.make(body), light=True)
        self.assertEqual(len(ends) + len(bodies), self.LIMIT)
        self.make(status=429)
        # It is a limit per person, and survives a restart.
        self.assertEqual(Session(self.server, self.key, {**FACE_ONLY, "userReference": "v"}).state, "created")
        self.server.crash()
        self.make(status=429)

    def test_sessions_in_parallel_and_of_earlier_links_count(self):
        made = [self.make() for _ in range(self.LIMIT + 6)]
        people = [session.person() for session in made[:-1]]
        for person in people:
            person.begin_face()
        shown = []

        def show(person):
            def work():
                for _ in range(8):
                    drawer, end = drawn.DrawnPerson(), time.monotonic() + 10
                    while person.view["state"] == "scanning" and time.monotonic() < end:
                        person.frames([(person.now - (2 - index) / 12, drawer.next(person.view["feedback"])) for index in range(3)])
                        if person.view["state"] == "scanning" and self.is_prompted(person.view):
                            return shown.append(person)
                        time.sleep(0.25)
                    if person.view["state"] != "choosing":
                        return
                    person.begin_face()  # a busy machine interrupted the try
            return work

        Together(*map(show, people))
        self.assertLessEqual(len(shown), self.LIMIT)
        self.assertGreater(len(shown), 0)
        ended = [person.view["error"]["code"] for person in people if person.view["state"] == "finished"]
        self.assertEqual(set(ended) - {"C000429"}, set())
        self.assertTrue(ended or len(shown) < self.LIMIT)
        if len(shown) == self.LIMIT:
            token = made[-1].page_url.split("#t=")[1]
            answer = self.server.call("POST", "/v1/page/claim", {"pageToken": token})
            self.assertEqual(answer.status, 429, answer)
            self.make(status=429)

    def test_without_a_prompt_nothing_counts(self):
        for number in range(self.LIMIT + 1):
            session = self.make()
            if number % 4 == 1:
                session.person()
            elif number % 4 == 2:
                session.person().must("start", "cancel")
            elif number % 4 == 3:
                session.person().begin_face()
        with sqlite3.connect(self.server.data / "server.sqlite", timeout=10) as database:
            database.execute("UPDATE sessions SET start_by = 1 WHERE state = 'created'")
        self.assertTrue(until(lambda: self.server.call("GET", "/v1/sessions?state=expired", token=self.key).json["sessions"], 15))
        self.make()

    def test_what_the_server_ends_or_passes_does_not_count(self):
        for number in range(2):
            self.prompted(self.make())
            self.server.crash()
            session = self.make(RECORDING)
            session.url = self.server.url
            self.assertEqual(session.person().show_face(6)["state"], "finished")
            self.assertEqual(session.result().json["result"], "passed")
        with sqlite3.connect(self.server.data / "server.sqlite", timeout=10) as database:
            self.assertEqual(database.execute("SELECT COUNT(*) FROM attempts").fetchone()[0], 0)

    def test_wiping_or_deleting_a_session_frees_no_attempt(self):
        for number in range(self.LIMIT):
            session = self.make()
            self.prompted(session).must("cancel")
            self.assertTrue(until(lambda: session.state == "finished"))
            self.assertIn(session.call(*(("POST", "/clear") if number % 2 else ("DELETE",))).status, (200, 204))
        self.make(status=429)
        # After a day, it is removed.
        with sqlite3.connect(self.server.data / "server.sqlite", timeout=10) as database:
            database.execute("UPDATE attempts SET at = at - 86401")
        self.make()

        def count():
            with sqlite3.connect(self.server.data / "server.sqlite", timeout=10) as database:
                return database.execute("SELECT COUNT(*) FROM attempts").fetchone()[0]

        self.assertTrue(until(lambda: count() == 0, 15))


if __name__ == "__main__":
    unittest.main()

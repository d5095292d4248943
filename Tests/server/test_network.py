"""Bad connections: no frame counts twice."""

import http.client
import threading
import time
import unittest

import drawn
import harness
from harness import FRAMES, RECORDING, Person, Server, ServerCase, Session, Together, batch
from proxy import Proxy


class Patient(Person):
    """Sends frames on a separate thread like the page: one request at a time, with all frames since the previous one;
    retries lost requests for 15 seconds."""

    def run(self, seconds, rate=12):
        waiting, lock, done, off = [], threading.Lock(), threading.Event(), threading.Event()
        drawer = drawn.DrawnPerson()

        def camera():
            begin, first = time.monotonic(), self.now
            for number in range(int(seconds * rate)):
                if off.wait(max(0, begin + number / rate - time.monotonic())):
                    return
                with lock:
                    self.seq += 1
                    waiting.append((self.seq, first + number / rate, drawer.next(None), 255, 0))
            done.set()

        thread = threading.Thread(target=camera, daemon=True)
        thread.start()
        try:
            return self.send_all(waiting, lock, done)
        finally:
            off.set()
            thread.join()

    def send_all(self, waiting, lock, done):
        silent = None
        while True:
            with lock:
                sent = waiting[: (self.view["frames"] or {"maxBatch": 8})["maxBatch"]]
            if not sent:
                if done.is_set():
                    return "done"
                time.sleep(0.02)
                continue
            try:
                answer = self.send("POST", "/v1/page/frames", batch(sent), FRAMES)
                silent = None
            except (OSError, http.client.HTTPException):
                silent = silent or time.monotonic()
                if time.monotonic() - silent > 15:
                    return "lost"
                time.sleep(0.3)
                continue
            if answer.status == 409 and "view" in answer.json:
                return "interrupted"
            if answer.status != 200:
                return f"{answer.status}"
            with lock:
                waiting[:] = [row for row in waiting if row[0] > sent[-1][0]]
            if self.view["state"] != "scanning":
                return "interrupted" if [e for e in self.events if e["event"] == "interrupted"] else self.view["state"]


class Network(ServerCase):
    def test_delays_and_losses_do_not_fail_a_person(self):
        def run(delay, lost, seed):
            proxy = Proxy(lambda: self.server.url, delay, 0, seed)
            self.addCleanup(proxy.close)
            session = self.session(RECORDING)
            person = Patient(self.server, session.page_url, url=proxy.url)
            person.begin_face()
            proxy.lost = lost
            state = person.run(7)
            proxy.lost = 0
            self.assertEqual(state, "done", (delay, lost, person.events, proxy.losses))
            view = person.look().json
            self.assertEqual(view["taken"] + view["refused"], person.seq, (delay, lost))
            self.assertEqual(view["refused"], 0)
            person.finish()
            result = session.result().json
            self.assertEqual((result["result"], result["transport"]["frames"]), ("passed", person.seq), result["transport"])
            if lost:
                self.assertGreater(proxy.losses, 0)

        Together(
            lambda: run(0, 0, 1), lambda: run(0.1, 0, 2), lambda: run(0.4, 0, 3), lambda: run(0, 0.05, 5),
            lambda: run(0.1, 0.05, 11))

    def test_ten_seconds_offline_interrupt_an_attempt(self):
        """It ends as interrupted after at most 15 seconds, and the person may retry."""
        proxy = Proxy(lambda: self.server.url)
        self.addCleanup(proxy.close)
        session = self.session(RECORDING)
        person = Patient(self.server, session.page_url, url=proxy.url)
        person.begin_face()
        threading.Timer(2, lambda: setattr(proxy, "cut", True)).start()
        threading.Timer(12, lambda: setattr(proxy, "cut", False)).start()
        begin = time.monotonic()
        state = person.run(20)
        self.assertIn(state, ("interrupted", "lost"))
        self.assertLess(time.monotonic() - begin, 2 + 15 + 3)
        view = person.look().json
        self.assertNotEqual(view["state"], "finished")
        person.must({"call": "start-part", "part": "face", "mode": None})
        person.seq = person.view["expectedSeq"] - 1
        person.zero = time.monotonic()
        self.assertEqual(person.run(5), "done", person.events)
        person.finish()
        self.assertEqual(session.result().json["result"], "passed")


class Restart(unittest.TestCase):
    def test_a_restarted_server_resumes_a_session(self):
        if harness.wants():
            self.skipTest(harness.wants())
        server = Server("--rate-limits", "off")
        self.addCleanup(server.remove)
        key = server.key()
        session = Session(server, key, RECORDING)
        done = Session(server, key, RECORDING)
        done.person().must("cancel")
        person = session.person()
        person.begin_face()
        person.play(2)
        server.crash()
        self.assertEqual(session.state, "interrupted")
        self.assertEqual(done.result().status, 200)
        answer = person.look()
        self.assertEqual(answer.json.get("view", answer.json)["state"], "interrupted", answer)
        self.assertEqual(person.send("POST", "/v1/page/again").status, 200)
        self.assertEqual(person.view["state"], "created")
        person.seq = person.view["expectedSeq"] - 1
        person.show_face(5)
        result = session.result()
        self.assertEqual(result.status, 200, (result, person.events))
        self.assertEqual(result.json["result"], "passed")
        # Other challenges: those of the first run were partly disclosed.
        self.assertEqual(session.call("GET").json["runs"], 2)
        self.assertNotEqual(result.json["commitment"], session.answer.json["commitment"])

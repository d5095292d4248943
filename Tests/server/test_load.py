"""Heavy use by one client does not affect others: checks, large frames, uploads, receivers that hang."""

import base64
import io
import socket
import threading
import time

import numpy
import PIL.Image

import drawn
import harness
from harness import FRAMES, RECORDING, Client, Person, ServerCase, Session, Together, batch, form, until
from test_security import Receiver, raw, status

RATE, SECONDS = 12, 6


def large_photo():
    """Twelve megapixels of detail: some tenths of a second to decode and search."""
    noise = numpy.random.default_rng(2).integers(0, 255, (750, 1000, 3), numpy.uint8)
    return drawn.encoded(numpy.kron(noise, numpy.ones((4, 4, 1), numpy.uint8)))


class Neighbours(ServerCase):
    options = ("--rate-limits", "off", "--capacity", "8")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        drawer = drawn.DrawnPerson()
        cls.pictures = [drawer.next(None) for _ in range(RATE * SECONDS)]

    def attempts(self, count, beside):
        """Runs `attempts` attempts while the functions of `beside` run repeatedly; returns their faults, and the numbers of frames
        taken."""
        over = threading.Event()

        def attempt():
            session = self.session(RECORDING)
            person = session.person()
            person.begin_face()
            person.play(SECONDS, lambda number: self.pictures[number])
            person.finish()
            transport = session.result().json["transport"]
            return transport["faults"] + [event for event in person.events if event["event"] == "interrupted"], transport

        def loop(work):
            while not over.is_set():
                work()

        others = [threading.Thread(target=loop, args=[work], daemon=True) for work in beside]
        for other in others:
            other.start()
        try:
            return Together(*[attempt] * count).results
        finally:
            over.set()
            for other in others:
                other.join(60)

    def test_six_attempts_survive_two_loops_of_another_tenant(self):
        key = self.server.key("another", "check")
        body, kind = form([("selfie", "a", large_photo()), ("portrait", "b", large_photo())])
        found = []
        compare = lambda: found.append(self.server.call("POST", "/v1/compare", body, key, kind=kind).status)
        for faults, transport in self.attempts(6, [compare, compare]):
            self.assertEqual(faults, [], transport)
            self.assertGreaterEqual(transport["frames"], RATE * (SECONDS - 1), transport)
        # One of the two at a time: together they are more than a key's share of the memory.
        self.assertIn(422, found)
        self.assertLessEqual(set(found), {200, 422, 429}, found)

    def test_large_frames_of_one_page_delay_no_other(self):
        rude = self.session(RECORDING).person()
        rude.begin_face()
        picture = drawn.encoded(numpy.full((4000, 4000, 3), 120, numpy.uint8))
        self.assertLess(len(picture), 256 << 10)
        found = []

        def send():
            # Never accepted, so it may be sent again immediately.
            body = batch([(1, rude.now, picture)] + [(n, rude.now + n / 100, drawn.photo()) for n in (2, 3)])
            found.append(Client(self.server.url).call("POST", "/v1/page/frames", body, rude.token, kind=FRAMES))

        (faults, transport), = self.attempts(1, [send, send])
        self.assertEqual(faults, [], transport)
        self.assertEqual({answer.status for answer in found}, {413}, found[0])
        self.assertIn("pixels", found[0].json["detail"])
        self.assertEqual(rude.look().json["taken"], 0)

    def test_small_files_with_many_pixels_delay_no_page(self):
        out = io.BytesIO()
        PIL.Image.new("1", (7000, 7000)).save(out, "PNG")
        self.assertLess(len(out.getvalue()), 12 << 10)
        key, found = self.server.key("another", "sessions"), []
        body = {**RECORDING, "portrait": base64.b64encode(out.getvalue()).decode()}
        make = lambda: found.append(self.server.call("POST", "/v1/sessions", body, key))
        for faults, transport in self.attempts(2, [make] * 4):
            self.assertEqual(faults, [], transport)
        self.assertEqual({answer.status for answer in found} - {503}, {413}, found[0])
        waited = self.server.metrics()
        self.assertGreaterEqual(waited['fv_queue_seconds_count{work="check"}'], 1)

    def test_documents_of_another_tenant_delay_no_page(self):
        key, over, found = self.server.key("another", "sessions"), threading.Event(), []
        noise = numpy.random.default_rng(2).integers(0, 255, (345, 500, 3), numpy.uint8)
        picture = drawn.encoded(numpy.kron(noise, numpy.ones((4, 4, 1), numpy.uint8)))
        body = {"requests": [{"category": "id", "countries": ["AUT"], "types": ["passport"]}], "partTimeout": 60}
        pages = [Session(self.server, key, body).person() for _ in range(4)]
        for page in pages:
            page.must(
                "start", {"call": "start-credential", "credential": 0},
                {"call": "start-part", "part": "front", "mode": "doc-finder"})
        turn = iter(range(1 << 30))
        show = lambda: found.append(pages[next(turn) % 4].frames([(time.monotonic(), picture)]).status)
        for faults, transport in self.attempts(2, [show]):
            self.assertEqual(faults, [], transport)
        self.assertIn(200, found)

    def test_a_slow_photo_delays_no_view(self):
        """Neither of its own page nor of another one, and no attempt ends."""
        out = io.BytesIO()
        PIL.Image.new("1", (7000, 7000)).save(out, "PNG")
        body = {"requests": [{"category": "id", "countries": ["AUT"], "types": ["passport"]}], "documentModes": ["file"]}
        person, other = self.session(body).person(), self.session(RECORDING).person()
        person.must(
            "start", {"call": "start-credential", "credential": 0}, {"call": "start-part", "part": "front", "mode": "file"})
        photos, views = [], []

        def photo():
            begin = time.monotonic()
            answer = Client(self.server.url).call("POST", "/v1/page/photo", out.getvalue(), person.token, kind="image/png")
            photos.append((answer.status, time.monotonic() - begin))
            person.calls("retake")

        def view():
            for page in (person, other):
                begin = time.monotonic()
                answer = Client(self.server.url).call("GET", "/v1/page", token=page.token)
                views.append((time.monotonic() - begin, answer.status))
            time.sleep(0.05)

        for faults, transport in self.attempts(1, [photo, view]):
            self.assertEqual(faults, [], transport)
        self.assertIn(200, {status for status, _ in photos}, photos)
        self.assertGreater(max(seconds for _, seconds in photos), 0.3, photos)
        self.assertEqual({status for _, status in views}, {200})
        self.assertLess(sorted(views)[len(views) * 95 // 100][0], 0.15, sorted(views)[-5:])

    def test_surplus_frames_are_refused(self):
        """They are not analysed: a page's use of CPU time is limited."""
        person = self.session(RECORDING).person()
        person.begin_face()
        begin = time.monotonic()
        pictures = [drawn.photo(1, 5)] * 8
        while person.seq < 160 and person.view["state"] == "scanning":
            self.assertEqual(person.frames(pictures).status, 200)
        allowed = 32 + 30 * (time.monotonic() - begin) + 16
        self.assertLessEqual(person.view["taken"], allowed)
        if person.seq > allowed:
            self.assertGreater(person.view["refused"], 0)


class Uploads(ServerCase):
    def memory(self):
        text = open(f"/proc/{self.server.process.pid}/status").read()
        return int(text.split("VmRSS:")[1].split()[0]) / 1024

    def sixty(self, upload):
        """The answers to 60 concurrent uploads, which must increase the server's memory by less than 200 MB."""
        before, most, found = self.memory(), [0], []
        over = threading.Event()

        def watch():
            while not over.wait(0.02):
                most[0] = max(most[0], self.memory())

        def send(number):
            try:
                found.append(upload(number).status)
            except OSError:
                found.append(None)  # refused before it was sent, and the response was lost

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        Together(*[lambda number=number: send(number) for number in range(60)])
        over.set()
        watcher.join()
        self.assertLess(most[0] - before, 200, (before, most[0], found))
        return set(found)

    def document(self):
        person = self.session({"requests": [{"category": "document"}], "documentModes": ["file"]}).person()
        person.must("start", {"call": "start-credential", "credential": 0}, {"call": "start-part", "part": "document", "mode": None})
        return person

    def test_sixty_uploads_of_31_MiB_by_pages_are_bounded(self):
        body = bytes(31 << 20)
        for count in (1, 10):
            with self.subTest(pages=count):
                people = [self.document() for _ in range(count)]
                found = self.sixty(lambda number: Client(self.server.url).call(
                    "POST", "/v1/page/photo", body, people[number % count].token, kind="image/jpeg"))
                self.assertIn(429, found)
                self.assertLessEqual(found, {422, 429, None}, found)
                # Afterwards the server accepts uploads again.
                self.assertEqual(people[0].send("POST", "/v1/page/photo", drawn.photo(3, 99), "image/jpeg").status, 200)

    def test_sixty_uploads_of_31_MiB_by_five_tenants_are_bounded(self):
        keys = [self.server.key(f"tenant {number}", "check") for number in range(5)]
        body, kind = form([("selfie", "a", bytes(31 << 20)), ("portrait", "b", b"x")])
        found = self.sixty(lambda number: Client(self.server.url).call("POST", "/v1/compare", body, keys[number % 5], kind=kind))
        self.assertLessEqual(found, {422, 429, 503, None}, found)

    def begun(self, path, token, kind, length):
        """A connection whose body is announced, and does not come."""
        host, port = self.server.url.split("//")[1].split(":")
        connection = socket.create_connection((host, int(port)), 20)
        self.addCleanup(connection.close)
        connection.sendall(
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\nx".encode())
        return connection

    def test_a_missing_body_times_out(self):
        begin, connection = time.monotonic(), self.begun("/v1/sessions", self.key, "application/json", 100)
        self.assertEqual(status(connection.recv(65536).decode()), 408)
        self.assertLess(time.monotonic() - begin, 14)

    def test_silent_bodies_do_not_affect_another_tenant(self):
        people = [self.document() for _ in range(12)]
        for person in people:
            self.begun("/v1/page/photo", person.token, "image/jpeg", 31 << 20)
            for _ in range(7):
                self.begun("/v1/page/frames", person.token, FRAMES, (4 << 20) - 100)
        time.sleep(0.5)
        key = self.server.key("another", "check", "sessions")
        body, kind = form([("photo", "a", drawn.photo())])
        self.assertEqual(self.server.call("POST", "/v1/quality", body, key, kind=kind).status, 200)
        other = Session(self.server, key, RECORDING).person()
        other.begin_face()
        self.assertEqual(other.frames([drawn.photo()]).status, 200)

    def test_an_endless_body_times_out(self):
        """A body of one byte per second does not hold its memory: its time is limited."""
        host, port = self.server.url.split("//")[1].split(":")
        with socket.create_connection((host, int(port)), 20) as connection:
            begin = time.monotonic()
            connection.sendall(
                f"POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.key}\r\n"
                "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n".encode())
            connection.settimeout(1)
            answer = b""
            while not answer and time.monotonic() - begin < 20:
                try:
                    connection.sendall(b" ")
                    answer = connection.recv(65536)
                except TimeoutError:
                    continue
            self.assertEqual(status(answer.decode()), 408, answer)


class Receivers(ServerCase):
    @classmethod
    def setUpClass(cls):
        cls.receiver = Receiver()
        cls.addClassCleanup(cls.receiver.server_close)
        cls.addClassCleanup(cls.receiver.shutdown)
        # Accepts connections and never responds.
        cls.silent = socket.create_server(("127.0.0.1", 0), backlog=128)
        cls.addClassCleanup(cls.silent.close)
        cls.deaf = f"127.0.0.1:{cls.silent.getsockname()[1]}"
        cls.options = ("--rate-limits", "off", "--allow-callback", cls.receiver.address, "--allow-callback", cls.deaf)
        super().setUpClass()

    def finished(self, key, url):
        Session(self.server, key, {**RECORDING, "callbackUrl": url}).person().must("cancel")

    def test_a_hanging_receiver_delays_no_other(self):
        hanging, prompt = f"http://{self.deaf}/", f"http://{self.receiver.address}/hook"
        keys = self.server.key("hanging", "sessions", callback=hanging), self.server.key("prompt", "sessions", callback=prompt)
        for _ in range(24):
            self.finished(keys[0], hanging)
        time.sleep(1.5)  # until its concurrent deliveries are open
        self.finished(keys[1], prompt)
        self.assertTrue(until(lambda: self.receiver.got, 5), self.server.log_text()[-1000:])

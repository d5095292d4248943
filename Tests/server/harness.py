"""A server for tests: started with a temporary data folder, accessed over HTTP, stopped.

    FACEVERIFY_SCRIPTED   faceverify-scripted, with scripted models (default: in .build/release)
    FACEVERIFY_BINARY     faceverify, for tests that need the networks (default: in .build/release)
"""

import base64
import http.client
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

import drawn

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPECIFICATION = ROOT / "Sources/FaceVerifyServer/openapi.json"
FRAMES = "application/vnd.faceverify.frames"
CONSENT = {"text": "May your face be looked at?", "isActive": True}
FACE_ONLY = {"requests": [{"category": "face"}], "comparesFace": False}
RECORDING = {**FACE_ONLY, "faceModes": ["passive"], "assurance": {"presence": "passive-video"}}
# The faults of a stream that a busy machine can cause.
DELAYS = {"frames-late", "frames-missing", "clock-rate"}
# Longer than anything but a drain.
PATIENCE = 60
# Called with each response: (method, path, answer).
observer = None
# Responses seen by tests: (path in the description, method, status).
reached = set()


def program(variable, place):
    path = pathlib.Path(os.environ.get(variable) or ROOT / place)
    return path if os.access(path, os.X_OK) else None


def scripted():
    return program("FACEVERIFY_SCRIPTED", ".build/release/faceverify-scripted")


def real():
    """The command, if its models are installed."""
    found = program("FACEVERIFY_BINARY", ".build/release/faceverify")
    models = pathlib.Path(os.environ.get("FACEVERIFY_MODELS", ROOT / "models"))
    return found if (models / "manifest.json").exists() else None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(condition, seconds=30, step=0.05):
    """Polls a condition and returns its first true value; None on timeout."""
    end = time.monotonic() + seconds
    while True:
        if found := condition():
            return found
        if time.monotonic() > end:
            return None
        time.sleep(step)


class Answer:
    def __init__(self, status, headers, body, seconds):
        self.status, self.headers, self.body, self.seconds = status, headers, body, seconds

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:600]!r}"


class Client:
    """A keep-alive connection; not thread-safe."""

    def __init__(self, url, timeout=PATIENCE):
        parts = urllib.parse.urlsplit(url)
        self.host, self.port, self.timeout, self.connection = parts.hostname, parts.port, timeout, None

    def call(self, method, path, body=None, token=None, headers=None, kind=None):
        sent = dict(headers or {})
        if isinstance(body, (dict, list)):
            body, kind = json.dumps(body).encode(), kind or "application/json"
        if token:
            sent["Authorization"] = f"Bearer {token}"
        if kind:
            sent["Content-Type"] = kind
        begin = time.monotonic()
        for attempt in (1, 2):
            fresh = self.connection is None
            if fresh:
                self.connection = http.client.HTTPConnection(self.host, self.port, timeout=self.timeout)
            try:
                try:
                    self.connection.request(method, path, body, sent)
                except (BrokenPipeError, ConnectionResetError):
                    if fresh is False:
                        raise
                    # Refused before the whole body was sent: the response can still be read.
                answer = self.connection.getresponse()
                content = answer.read()
                if answer.will_close:
                    self.close()
                found = Answer(answer.status, answer.headers, content, time.monotonic() - begin)
                if observer:
                    observer(method, path, found)
                return found
            except (http.client.HTTPException, OSError):
                # A server may close idle connections: retry once on a new one, unless this one was new.
                self.close()
                if fresh or attempt == 2:
                    raise

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


def form(parts):
    """A body of multipart/form-data: (name, file name or None, bytes or text)."""
    boundary = "boundary-of-a-test"
    out = b""
    for name, file, content in parts:
        named = f'; filename="{file}"' if file else ""
        out += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n'.encode()
        out += (content.encode() if isinstance(content, str) else content) + b"\r\n"
    return out + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def batch(frames):
    """frames: (seq, seconds, JPEG[, light[, flags]])"""
    out = b"FVF1" + bytes([len(frames)])
    for seq, seconds, picture, *more in frames:
        light, flags = (list(more) + [255, 0])[:2] if len(more) < 2 else more
        out += struct.pack(">IdBBI", seq, seconds, light, flags, len(picture)) + picture
    return out


class Server:
    def __init__(self, *options, binary=None, data=None, environment=None, start=True):
        self.binary = binary or scripted()
        self.owns = data is None
        self.data = pathlib.Path(data or tempfile.mkdtemp(prefix="faceverify-server."))
        self.options, self.environment = list(options), {**os.environ, **(environment or {})}
        self.process, self.url, self.admin, self.log = None, None, None, self.data.with_name(self.data.name + ".log")
        if start:
            self.start()

    def command(self, *arguments, **options):
        return subprocess.run(
            [self.binary, "serve", *arguments], capture_output=True, text=True, timeout=PATIENCE, env=self.environment,
            **options)

    @property
    def where(self):
        """The options that select the database."""
        named = [self.options[i : i + 2] for i, word in enumerate(self.options) if word == "--database"]
        return ["--data", str(self.data), *(named[0] if named else [])]

    def start(self, seconds=PATIENCE):
        arguments = [str(self.binary), "serve", "--data", str(self.data)]
        for name in ("--port", "--admin-port"):
            if name not in self.options:
                arguments += [name, "0"]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                arguments + self.options, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL, env=self.environment)
        self.url = self.admin = None
        text, end = "", time.monotonic() + seconds
        os.set_blocking(self.process.stdout.fileno(), False)
        while not (self.url and self.admin):
            ready = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]
            piece = self.process.stdout.read() if ready else None
            if not piece:
                self.kill()
                raise AssertionError(f"the server did not start: {text}{self.log.read_text()[-2000:]}")
            text += piece.decode()
            for name, pattern in (("url", r"faceverify: (https?://\S+)"), ("admin", r"admin:? (https?://\S+)")):
                if found := re.search(pattern, text):
                    setattr(self, name, found[1].rstrip("/"))
        return self

    def stop(self, number=signal.SIGTERM, seconds=90):
        """The exit code."""
        if self.process is None:
            return None
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return None
        finally:
            self.process.stdout.close()

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()

    def crash(self):
        """Kills the server and starts it again on the same port."""
        self.kill()
        self.options += ["--port", self.url.rsplit(":", 1)[1]]
        self.start()

    def remove(self):
        self.kill()
        if self.owns:
            shutil.rmtree(self.data, ignore_errors=True)
            self.log.unlink(missing_ok=True)

    def key(self, name="tenant", *scopes, callback=None, test=False):
        """A new key; `secret` is then the secret that signs webhooks."""
        arguments = ["key", "add", "--name", name, "--json", *self.where]
        if scopes:
            arguments += ["--scope", ",".join(scopes)]
        if test:
            arguments += ["--test"]
        if callback:
            arguments += ["--callback", callback]
        done = self.command(*arguments)
        if done.returncode != 0:
            raise AssertionError(f"no key: {done.returncode} {done.stdout} {done.stderr}")
        made = json.loads(done.stdout)
        self.secret = made["webhookSecret"]
        return made["key"]

    def client(self, **options):
        return Client(self.url, **options)

    def call(self, method, path, *arguments, **options):
        client = self.client()
        try:
            return client.call(method, path, *arguments, **options)
        finally:
            client.close()

    def metrics(self):
        answer = Client(self.admin).call("GET", "/metrics")
        return {
            line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1])
            for line in answer.body.decode().splitlines() if line and not line.startswith("#")}

    def log_text(self):
        return self.log.read_text(errors="replace")


class Person:
    """Acts as the page: claims, makes calls, and sends frames in real time."""

    def __init__(self, server, page_url=None, token=None, view=None, url=None, node=None):
        self.client = Client(url or server.url)
        self.token, self.view, self.node, self.seq = token, view, node, 0
        self.events = []
        # A page's clock has an arbitrary origin.
        self.zero = time.monotonic() - 1000
        if page_url:
            self.page_token = page_url.split("#t=")[1]
            answer = self.client.call(
                "POST", "/v1/page/claim", {"pageToken": self.page_token}, headers={"FV-Node": node} if node else {})
            if answer.status != 200:
                raise AssertionError(f"claim: {answer}")
            self.node, self.token = answer.headers.get("FV-Node"), answer.json["sessionToken"]
            self.take(answer.json["view"])

    @property
    def now(self):
        return time.monotonic() - self.zero

    def take(self, view):
        # The view of an interrupted session has only its state.
        self.view = view
        self.events += view.get("events", [])

    def send(self, method, path, body=None, kind=None):
        headers = {"FV-Node": self.node} if self.node else {}
        answer = self.client.call(method, path, body, self.token, headers, kind)
        self.node = answer.headers.get("FV-Node", self.node)
        if answer.status == 200 and path != "/v1/page/picture":
            view = answer.json
            if "sessionToken" in view:
                self.token, view = view["sessionToken"], view["view"]
            self.take(view)
        elif answer.status == 409 and "view" in answer.json:
            self.take(answer.json["view"])
        return answer

    def calls(self, *calls):
        """Makes calls, given by name or in full."""
        return self.send(
            "POST", "/v1/page/calls",
            {"calls": [{"call": call} if isinstance(call, str) else call for call in calls]})

    def must(self, *calls):
        """Makes calls that succeed, after waiting for a place as the page does."""
        answer = until(lambda: (lambda got: None if got.status == 503 and "position" in got.json else got)(self.calls(*calls)), 60)
        if answer.status != 200:
            raise AssertionError(f"{calls}: {answer}")
        return answer

    def look(self):
        return self.send("GET", "/v1/page")

    def consent(self):
        """Consents to each item separately, after the minimum reading time."""
        for item in range(len(self.view["consents"])):
            time.sleep(1.1)
            self.must({"call": "consent", "item": item, "isGiven": True})

    def begin_face(self, mode=None, credential=0, **more):
        if self.view["state"] == "created":
            self.must("start")
        if self.view["state"] == "consenting":
            self.consent()
        if self.view["state"] == "retrying":
            return self.must("retry-part")
        if self.view["state"] == "ready":
            self.must({"call": "start-credential", "credential": credential})
        camera = {"label": "A camera", "facingMode": "user", "width": 640, "height": 480, "frameRate": 30, "devices": 1}
        return self.must({
            "call": "start-part", "part": "face", "mode": mode, "camera": camera, "clock": "captureTime",
            "mirrored": False, **more})

    def frames(self, pictures, flags=0):
        """Sends pictures with the current time, or (seconds, picture[, light[, flags]])."""
        rows = []
        for picture in pictures:
            self.seq += 1
            seconds, content, *more = picture if isinstance(picture, tuple) else (self.now, picture)
            rows.append((self.seq, seconds, content, *(more or (255, flags))))
        self.last_batch = batch(rows)
        return self.send("POST", "/v1/page/frames", self.last_batch, FRAMES)

    def play(self, seconds, person=None, rate=12, size=3, clock=None, rounds=None):
        """Shows a person who follows the prompts for `seconds`, or until no more frames are needed.

        `clock` maps the seconds since the beginning to a frame's time. Returns the last response.
        """
        person, answer, waiting = person or drawn.DrawnPerson(), None, []
        begin, first = time.monotonic(), self.now
        for number in range(int(seconds * rate)):
            time.sleep(max(0, begin + number / rate - time.monotonic()))
            light = self.view["light"]
            shown, index = (light["rgb"], light["index"]) if light else ((1, 1, 1), 255)
            elapsed = number / rate
            picture = person.next(self.view["feedback"], rate, shown) if hasattr(person, "next") else person(number)
            waiting.append((first + (clock(elapsed) if clock else elapsed), picture, index, 0))
            if len(waiting) >= size:
                answer, waiting = self.frames(waiting), []
                if rounds is not None:
                    rounds.append(answer.seconds)
                if answer.status != 200 or self.view["state"] != "scanning":
                    return answer
        return answer

    def uninterrupted(self, play, tries=8):
        """Starts a face and plays it, until the server has not interrupted the attempt.

        A busy machine delays frames. The server then interrupts the attempt without a decision, with an event that names
        the fault, and the page starts another attempt: this is specified, and the only outcome that is repeated here.
        """
        for _ in range(tries):
            seen = len(self.events)
            self.begin_face()
            play(self)
            if self.view["state"] != "choosing":
                return
            faults = {event.get("reason") for event in self.events[seen:] if event["event"] == "interrupted"}
            if not faults or not faults <= DELAYS:
                raise AssertionError(f"an attempt ended without a decision, and not by a delay: {self.events[seen:]}")
        raise AssertionError(f"delays interrupted {tries} attempts: this machine is too slow")

    def show_face(self, seconds=5, person=None):
        """Consents, shows a face, and finishes."""
        self.uninterrupted(lambda page: page.play(seconds, person))
        return self.finish()

    def finish(self):
        """Continues from any state after scanning a face to the end."""
        steps = {
            "scanning": "finish-part", "captured": "finish-part", "choosing": "finish-credential", "ready": "finish",
            "retrying": "cancel-part", "failed": "cancel", "halted": "cancel"}
        for _ in range(8):
            if self.view["state"] not in steps:
                break
            call = steps[self.view["state"]]
            if self.calls(call).status == 409 and call == "finish-credential":
                self.must("cancel-credential")
        return self.view


class Session:
    """A session as seen by an operator."""

    def __init__(self, server, key, body=None, headers=None, status=201, url=None):
        self.server, self.key, self.url = server, key, url or server.url
        self.answer = Client(self.url).call("POST", "/v1/sessions", FACE_ONLY if body is None else body, key, headers)
        if self.answer.status != status:
            raise AssertionError(f"POST /v1/sessions: {self.answer}")
        if status == 201:
            self.id, self.page_url = self.answer.json["workflowExecutionId"], self.answer.json["pageUrl"]

    def call(self, method, rest="", body=None, key=None):
        return Client(self.url).call(method, f"/v1/sessions/{self.id}{rest}", body, key or self.key)

    @property
    def state(self):
        return self.call("GET").json["state"]

    def person(self):
        return Person(self.server, self.page_url, url=self.url)

    def result(self):
        return self.call("GET", "/result")


def wants(engine=scripted):
    """A reason to skip, or None."""
    if engine() is None:
        return "no faceverify-scripted: scripts/test builds it" if engine is scripted else "no command with models: scripts/setup"
    return None


class ServerCase(unittest.TestCase):
    """Tests that share one server."""

    options = ("--rate-limits", "off")
    engine = staticmethod(scripted)

    @classmethod
    def setUpClass(cls):
        if reason := wants(cls.engine):
            raise unittest.SkipTest(reason)
        cls.server = Server(*cls.options, binary=cls.engine())
        cls.addClassCleanup(cls.server.remove)
        cls.key = cls.server.key("tests", "sessions", "check", "audit")

    def setUp(self):
        """Validates every response of every test against the description."""
        global observer
        import specification

        def hold(method, path, answer):
            if path.split("?")[0] in ("/metrics", "/healthz", "/readyz"):
                return
            try:
                found = specification.answer_faults(method, path, answer)
            except KeyError:
                return  # unknown path or method
            reached.add((specification.operation(method, path)[0], method, answer.status))
            self.wrong += [f"{method} {path} {answer.status}: {fault}" for fault in found]

        self.wrong, observer = [], hold

    def tearDown(self):
        global observer
        observer = None
        self.assertEqual(self.wrong[:5], [])

    def session(self, body=None, **options):
        return Session(self.server, self.key, body, **options)

    def assertProblem(self, answer, status, code=None, logical=None):
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(answer.headers["Content-Type"], "application/problem+json")
        problem = answer.json
        self.assertEqual(problem["status"], status)
        self.assertTrue(problem["detail"])
        self.assertEqual(problem["requestId"], answer.headers["X-Request-Id"])
        if code:
            self.assertEqual(problem["code"], code)
        if logical:
            self.assertEqual(problem["logicalError"], logical)
        return problem


class Together:
    """Runs functions concurrently; raises the first exception of any of them."""

    def __init__(self, *works):
        self.results, self.errors = [None] * len(works), []

        def run(index, work):
            try:
                self.results[index] = work()
            except BaseException as error:  # passed to the test
                self.errors.append(error)

        threads = [threading.Thread(target=run, args=item, daemon=True) for item in enumerate(works)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(3 * PATIENCE)
        if self.errors:
            raise self.errors[0]


def pem_body(text):
    return base64.b64decode("".join(line for line in text.splitlines() if not line.startswith("-----")))

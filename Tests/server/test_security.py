"""The promises of docs/server.md and SECURITY.md: one test per line."""

import hashlib
import hmac
import http.client
import http.server
import json
import re
import shutil
import socket
import socketserver
import sqlite3
import ssl
import subprocess
import threading
import time
import unittest
import urllib.request

import drawn
import harness
import specification
from harness import CONSENT, FACE_ONLY, FRAMES, RECORDING, Client, Person, Server, ServerCase, Session, Together, batch, form, until

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'")
ALWAYS = {
    "Content-Security-Policy": POLICY,
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), display-capture=(), fullscreen=(self), "
    "screen-wake-lock=(self)",
    "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
}


def raw(server, head, body=b"", wait=5):
    """Sends raw bytes; returns the response, and the seconds to its first byte."""
    host, port = server.url.split("//")[1].split(":")
    with socket.create_connection((host, int(port)), wait) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        begin = time.monotonic()
        connection.sendall(head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body)
        answer, first = b"", None
        connection.settimeout(wait)
        try:
            while b"\r\n\r\n" not in answer:
                piece = connection.recv(65536)
                first = first or time.monotonic() - begin
                if not piece:
                    break
                answer += piece
        except (TimeoutError, ConnectionError):
            pass
        return answer.decode(errors="replace"), first


def status(answer):
    return int(answer.split(" ")[1]) if answer.startswith("HTTP/1.1 ") else None


class Headers(ServerCase):
    def test_every_answer_has_security_headers(self):
        answers = [
            self.server.call("GET", "/s"), self.server.call("GET", "/v1/version"), self.server.call("GET", "/nothing"),
            self.server.call("POST", "/v1/sessions", {}, "wrong"), self.server.call("POST", "/v1/sessions", RECORDING, self.key)]
        for answer in answers:
            for name, value in ALWAYS.items():
                self.assertEqual(answer.headers[name], value, (answer, name))
            self.assertNotIn("Set-Cookie", answer.headers)
            self.assertNotIn("Access-Control-Allow-Origin", answer.headers)
            # Plain HTTP must not send it.
            self.assertNotIn("Strict-Transport-Security", answer.headers)
        for answer in answers:
            self.assertEqual(answer.headers["Cache-Control"], "no-store")
        self.assertEqual(self.server.call("GET", "/assets/app.js").headers["Cache-Control"], "no-cache")
        ids = {answer.headers["X-Request-Id"] for answer in answers}
        self.assertEqual(len(ids), len(answers))

    def test_the_page_runs_only_its_own_scripts(self):
        page = self.server.call("GET", "/s").body.decode()
        for script in re.findall(r"<script[^>]*>.*?</script>", page, re.S):
            self.assertRegex(script, r'src="/?assets/')
        self.assertNotRegex(page, r"\son\w+=|<style|style=|javascript:")
        for source in re.findall(r'(?:src|href)="([^"]+)"', page):
            self.assertNotRegex(source, "^(https?:)?//")
            if source.lstrip("/").startswith("assets/"):
                self.assertEqual(self.server.call("GET", "/" + source.lstrip("/")).status, 200, source)


class Embedding(ServerCase):
    options = ("--allow-embedding", "https://shop.example", "--rate-limits", "off")

    # Rows: FO1
    def test_one_origin_may_frame_the_page(self):
        headers = self.server.call("GET", "/s").headers
        self.assertIn("frame-ancestors https://shop.example;", headers["Content-Security-Policy"])
        self.assertNotIn("Cross-Origin-Opener-Policy", headers)

    def test_every_view_names_it(self):
        """Also after a refusal: otherwise the page could not notify its host."""
        person = self.session(RECORDING).person()
        self.assertProblem(person.calls("start", "finish-part"), 409)
        self.assertEqual(person.view["embedding"], ["https://shop.example"])


class Tokens(ServerCase):
    def test_each_token_grants_only_its_own_operations(self):
        session = self.session(RECORDING)
        page_token = session.page_url.split("#t=")[1]
        person = session.person()
        for token in (None, "", "x", "fvk_" + "A" * 43, page_token, person.token, self.key + "A", self.key[:-1], "fvk_" + "A" * 4000):
            with self.subTest(token=(token or "")[:50]):
                self.assertProblem(self.server.call("POST", "/v1/sessions", RECORDING, token), 401, code="C000401")
        for token in (None, self.key, page_token, "fvs_" + "A" * 43):
            self.assertProblem(self.server.call("GET", "/v1/page", token=token), 401, code="C000401")
        # Nor in any other way than the header.
        self.assertEqual(self.server.call("GET", f"/v1/page?access_token={person.token}").status, 401)
        self.assertEqual(self.server.call("GET", "/v1/page", headers={"Cookie": f"token={person.token}"}).status, 401)
        answer = self.server.call("GET", "/v1/page", headers={"Authorization": f"Basic {person.token}"})
        self.assertEqual(answer.status, 401)
        self.assertTrue(answer.headers["WWW-Authenticate"].startswith("Bearer"))

    # Rows: J20
    def test_a_link_is_claimed_once_even_concurrently(self):
        token = self.session(RECORDING).page_url.split("#t=")[1]
        answers = Together(*[lambda: self.server.call("POST", "/v1/page/claim", {"pageToken": token}).status] * 6).results
        self.assertEqual(sorted(answers), [200] + [409] * 5)

    def test_scopes_are_enforced(self):
        keys = {scope: self.server.key("scopes", scope) for scope in ("sessions", "check", "audit")}
        photo = form([("photo", "a", drawn.photo())])
        doors = {
            "sessions": lambda key: self.server.call("POST", "/v1/sessions", RECORDING, key),
            "check": lambda key: self.server.call("POST", "/v1/quality", photo[0], key, kind=photo[1]),
            "audit": lambda key: self.server.call("GET", "/v1/audit", token=key)}
        for scope, key in keys.items():
            for door, knock in doors.items():
                answer = knock(key)
                if scope == door:
                    self.assertIn(answer.status, (200, 201))
                else:
                    self.assertProblem(answer, 403)
        session = self.session(RECORDING)
        for method, path, has_body in specification.session_calls():
            self.assertProblem(session.call(method, path, RECORDING if has_body else None, keys["check"]), 403)
        for path in ("/v1/compare", "/v1/document", "/v1/liveness/video"):
            self.assertProblem(self.server.call("POST", path, photo[0], keys["audit"], kind=photo[1]), 403)

    def test_another_tenants_session_is_404(self):
        other = self.server.key("another", "sessions", "audit")
        session = self.session(RECORDING)
        session.person().must("cancel")
        for method, path, has_body in specification.session_calls():
            with self.subTest(method=method, path=path):
                self.assertProblem(session.call(method, path, RECORDING if has_body else None, other), 404)
        self.assertEqual(session.result().status, 200)
        mine = Session(self.server, other, RECORDING)
        entries = [json.loads(line) for line in self.server.call("GET", "/v1/audit", token=other).body.splitlines()]
        self.assertIn(mine.id, {entry["session"] for entry in entries})
        self.assertEqual({entry["tenant"] for entry in entries} - {"another", "", None}, set())
        # Two keys of one tenant, as during a rotation, have the same access.
        self.assertEqual(mine.call("GET", key=self.server.key("another", "sessions")).status, 200)

    def test_a_revoked_key_is_rejected(self):
        key = self.server.key("revoked", "sessions")
        self.assertEqual(self.server.call("POST", "/v1/sessions", RECORDING, key).status, 201)
        listed = self.server.command("key", "list", *self.server.where).stdout
        line = next(line for line in listed.splitlines() if "revoked" in line)
        self.assertNotIn(key, listed)
        name = re.search(r"[0-9a-f]{8}[0-9a-f-]*", line)[0]
        revoked = self.server.command("key", "revoke", name, *self.server.where)
        self.assertEqual(revoked.returncode, 0, revoked.stderr)
        self.assertProblem(self.server.call("POST", "/v1/sessions", RECORDING, key), 401)

    def test_the_nonce_and_the_script_stay_on_the_server(self):
        session = self.session()
        person = session.person()
        person.begin_face()
        shown = [json.dumps(session.answer.json), json.dumps(person.view)]
        person.play(2)
        shown.append(json.dumps(person.view))
        person.must("cancel")
        result = session.result().json
        asked = {prompt.get("challenge") for prompt in result["record"]["body"]["configuration"].get("script") or []}
        shown.append(json.dumps(person.events))
        for text in shown:
            for word in (result["nonce"], '"script"', '"score"', '"checks"', '"threshold"', '"reasons": [{', "template"):
                self.assertNotIn(word, text)
            self.assertLessEqual(len([name for name in asked if name and name in text]), 1)
        commitment = hashlib.sha256(b"faceverify request v1" + bytes.fromhex(result["nonce"])).hexdigest()
        self.assertEqual(session.answer.json["commitment"], "sha256:" + commitment)


class Before(ServerCase):
    """Unauthorised requests are refused before their body is read."""

    def test_a_wrong_key_is_rejected_before_the_body(self):
        times = []
        for size in (0, 1000, 10**6, 32 << 20, 10**12) * 6:
            answer, seconds = raw(
                self.server, f"POST /v1/compare HTTP/1.1\nHost: 127.0.0.1\nAuthorization: Bearer fvk_{'A' * 43}\n"
                f"Content-Type: multipart/form-data; boundary=b\nContent-Length: {size}")
            self.assertEqual(status(answer), 401, answer)
            times.append(seconds)
        times.sort()
        # The body never arrives: a response that waits for it would take until its deadline.
        self.assertLess(times[len(times) // 2], 0.25, times)

    def test_oversized_bodies_are_rejected_by_the_header(self):
        for path, kind, size in (("/v1/sessions", "application/json", 10**9), ("/v1/compare", "multipart/form-data; boundary=b", (32 << 20) + 1)):
            answer, _ = raw(
                self.server, f"POST {path} HTTP/1.1\nHost: 127.0.0.1\nAuthorization: Bearer {self.key}\nContent-Type: {kind}\n"
                f"Content-Length: {size}")
            self.assertEqual(status(answer), 413, answer)
        session = self.session(RECORDING).person()
        answer, _ = raw(
            self.server, f"POST /v1/page/frames HTTP/1.1\nHost: 127.0.0.1\nAuthorization: Bearer {session.token}\n"
            f"Content-Type: {FRAMES}\nContent-Length: {10**8}")
        self.assertEqual(status(answer), 413, answer)

    def test_a_body_without_a_length_ends_at_the_limit(self):
        chunks = b"".join(b"10000\r\n" + b" " * 65536 + b"\r\n" for _ in range(40)) + b"0\r\n\r\n"
        answer, _ = raw(
            self.server, f"POST /v1/sessions HTTP/1.1\nHost: 127.0.0.1\nAuthorization: Bearer {self.key}\n"
            "Content-Type: application/json\nTransfer-Encoding: chunked", chunks)
        self.assertEqual(status(answer), 413, answer)

    def test_two_lengths_are_rejected(self):
        answer, _ = raw(
            self.server, f"POST /v1/sessions HTTP/1.1\nHost: 127.0.0.1\nAuthorization: Bearer {self.key}\n"
            "Content-Type: application/json\nContent-Length: 2\nTransfer-Encoding: chunked", b"0\r\n\r\nGET /v1/version HTTP/1.1\r\n\r\n")
        self.assertIn(status(answer), (400, None), answer)

    def test_only_the_servers_host_names_are_accepted(self):
        for host, expected in (
            ("127.0.0.1", 200), ("localhost:1", 200), ("LOCALHOST", 200), ("evil.example", 421), ("127.0.0.1.evil.example", 421),
            ("", 421), ("[::1]", 200), ("localhost.evil.example:80", 421),
        ):
            with self.subTest(host=host):
                answer, _ = raw(self.server, f"GET /v1/version HTTP/1.1\nHost: {host}")
                self.assertEqual(status(answer), expected, answer)
        answer, _ = raw(self.server, "GET /v1/version HTTP/1.0\nAccept: */*")
        self.assertIn(status(answer) or 421, (400, 421))

    def test_malformed_requests_end_no_server(self):
        for head in (
            "GET /v1/audit?= HTTP/1.1\nHost: 127.0.0.1", "GET /v1/audit?&=x&&a HTTP/1.1\nHost: 127.0.0.1",
            "GET // HTTP/1.1\nHost: 127.0.0.1", "GET /%zz HTTP/1.1\nHost: 127.0.0.1", "GET /../../etc/passwd HTTP/1.1\nHost: 127.0.0.1",
            "GET /v1/sessions/%2e%2e/result HTTP/1.1\nHost: 127.0.0.1", "BREW / HTTP/1.1\nHost: 127.0.0.1",
            "POST /v1/sessions HTTP/1.1\nHost: 127.0.0.1\nContent-Length: -1", "POST /v1/sessions HTTP/1.1\nHost: 127.0.0.1\nContent-Length: x",
            "GET * HTTP/1.1\nHost: 127.0.0.1", "OPTIONS * HTTP/1.1\nHost: 127.0.0.1", "GET http://127.0.0.1/v1/version HTTP/1.1\nHost: 127.0.0.1",
            "TRACE /v1/version HTTP/1.1\nHost: 127.0.0.1", f"GET /v1/version HTTP/1.1\nHost: 127.0.0.1\nX: {'x' * 100_000}",
            f"GET /{'a' * 100_000} HTTP/1.1\nHost: 127.0.0.1", "GET /v1/version HTTP/1.1\nHost: 127.0.0.1\nHost: other", "nonsense",
        ):
            with self.subTest(head=head[:60]):
                answer, _ = raw(self.server, head, wait=3)
                self.assertLess(status(answer) or 0, 500, answer)
                self.assertEqual(self.server.call("GET", "/v1/version").status, 200)


class Idempotency(ServerCase):
    def make(self, name, body=RECORDING, key=None):
        return self.server.call("POST", "/v1/sessions", body, key or self.key, {"Idempotency-Key": name})

    def test_a_repeated_request_has_the_same_answer(self):
        first, again = self.make("a"), self.make("a")
        self.assertEqual((first.status, again.status), (201, 201))
        self.assertEqual(first.json["workflowExecutionId"], again.json["workflowExecutionId"])
        # The page URL of the last response opens the session.
        self.assertEqual(Person(self.server, again.json["pageUrl"]).view["state"], "created")
        self.assertNotEqual(self.make("b").json["workflowExecutionId"], first.json["workflowExecutionId"])
        other = self.server.key("another", "sessions")
        self.assertNotEqual(self.make("a", key=other).json["workflowExecutionId"], first.json["workflowExecutionId"])

    def test_a_rotated_key_has_the_same_answer(self):
        keys = [self.server.key("rotated", "sessions") for _ in range(2)]
        first, again = (self.make("e", key=key) for key in keys)
        self.assertEqual(first.json["pageUrl"], again.json["pageUrl"])
        self.assertEqual(Person(self.server, again.json["pageUrl"]).view["state"], "created")

    def test_another_body_is_rejected(self):
        self.assertEqual(self.make("c").status, 201)
        self.assertProblem(self.make("c", FACE_ONLY), 422)

    def test_concurrent_requests_create_one_session(self):
        answers = Together(*[lambda: self.make("d")] * 5).results
        made = {answer.json["workflowExecutionId"] for answer in answers if answer.status == 201}
        self.assertEqual(len(made), 1, answers)
        self.assertEqual({answer.status for answer in answers} - {201, 503}, set())

    def test_a_wiped_session_is_not_returned(self):
        session = harness.Session(self.server, self.key, RECORDING, {"Idempotency-Key": "f"})
        session.person().must("cancel")
        self.assertEqual(self.make("f").json["workflowExecutionId"], session.id)
        self.assertEqual(session.call("POST", "/clear").status, 200)
        self.assertProblem(self.make("f"), 422)

    def test_invalid_keys_are_rejected(self):
        for name in ("", "x" * 300):
            self.assertIn(self.make(name).status, (201, 400) if not name else (400,))


class Log(unittest.TestCase):
    def test_errors_are_described_in_words(self):
        """No types and members of the program or its libraries."""
        if harness.wants():
            self.skipTest(harness.wants())
        refused, plain = harness.free_port(), harness.free_port()
        server = harness.Server("--rate-limits", "off", "--capacity", "1", "--allow-callback", f"127.0.0.1:{refused}",
                                "--allow-callback", f"localhost:{refused}", "--allow-callback", f"127.0.0.1:{plain}",
                                "--allow-callback", "nowhere.invalid:443")
        self.addCleanup(server.remove)

        class Silent(socketserver.BaseRequestHandler):
            def handle(self):
                self.request.recv(10)  # no TLS, and no answer

        listener = socketserver.ThreadingTCPServer(("127.0.0.1", plain), Silent)
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        self.addCleanup(listener.server_close)
        self.addCleanup(listener.shutdown)
        urls = [f"http://127.0.0.1:{refused}/", f"http://localhost:{refused}/", f"https://127.0.0.1:{plain}/", f"http://127.0.0.1:{plain}/",
                "https://nowhere.invalid/", "http://127.0.0.1:9/"]
        for number, url in enumerate(urls):
            key = server.key(f"shop {number}", "sessions", callback=url)
            Session(server, key, {**RECORDING, "callbackUrl": url}).person().must("cancel")
        people = [Session(server, key, RECORDING).person() for _ in range(2)]
        people[0].begin_face()
        people[1].must("start", {"call": "start-credential", "credential": 0})
        self.assertEqual(people[1].calls({"call": "start-part", "part": "face", "mode": None}).status, 503)
        self.assertTrue(until(lambda: server.log_text().count("webhook not delivered") >= len(urls), 60), server.log_text()[-2000:])
        messages = [json.loads(line)["message"] for line in server.log_text().splitlines()]
        self.assertTrue([message for message in messages if "places for attempts" in message], messages)
        for message in messages:
            self.assertNotRegex(message, r"\w\(|\w+Error|errno|Optional|\w\.\w+\(|^\w+$|\[IPv")

    def test_an_address_in_use_is_named(self):
        if harness.wants():
            self.skipTest(harness.wants())
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            server = harness.Server(start=False)
            self.addCleanup(server.remove)
            done = server.command(*server.where, "--port", str(port), "--admin-port", "0")
        self.assertEqual(done.returncode, 3, done)
        self.assertIn(f"127.0.0.1, port {port} or admin port 0: Address already in use; if another program", done.stderr)
        self.assertNotIn("errno", done.stderr)


class Receiver(http.server.ThreadingHTTPServer):
    """Receives webhooks, and responds as configured."""

    def __init__(self):
        class Hook(http.server.BaseHTTPRequestHandler):
            def do_POST(hook):
                body = hook.rfile.read(int(hook.headers["Content-Length"]))
                self.got.append((hook.path, dict(hook.headers), body))
                status, headers = self.answers.pop(0) if self.answers else (204, {})
                hook.send_response(status)
                for name, value in headers.items():
                    hook.send_header(name, value)
                hook.send_header("Content-Length", "0")
                hook.end_headers()

            do_GET = do_POST

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Hook)
        self.got, self.answers = [], []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"127.0.0.1:{self.server_address[1]}"


class WebhookCase(ServerCase):
    @classmethod
    def setUpClass(cls):
        cls.receiver = Receiver()
        cls.addClassCleanup(cls.receiver.server_close)
        cls.addClassCleanup(cls.receiver.shutdown)
        cls.options = ("--rate-limits", "off", "--allow-callback", cls.receiver.address)
        super().setUpClass()
        cls.hook = f"http://{cls.receiver.address}/hook"
        cls.hooked = cls.server.key("hooked", "sessions", callback=cls.hook)
        cls.secret = cls.server.secret

    def setUp(self):
        super().setUp()
        self.receiver.got.clear()
        self.receiver.answers.clear()

    def finished(self, key=None, **more):
        session = Session(self.server, key or self.hooked, {**RECORDING, **more})
        session.person().must("cancel")
        return session

    def outbox(self):
        with sqlite3.connect(f"file:{self.server.data}/server.sqlite?mode=ro", uri=True) as database:
            return database.execute("SELECT id, tries, due FROM events WHERE due IS NOT NULL").fetchall()

    def put_off(self):
        return self.server.metrics().get('fv_webhook_total{outcome="put-off"}', 0)

    def assertSigned(self, headers, body):
        found = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", headers["FV-Signature"])
        self.assertTrue(found, headers)
        self.assertLess(abs(time.time() - int(found[1])), 10)
        expected = hmac.new(self.secret.encode(), f"{found[1]}.".encode() + body, hashlib.sha256).hexdigest()
        self.assertEqual(found[2], expected)


class Webhooks(WebhookCase):
    # Rows: NV15
    def test_an_event_is_signed_and_has_no_personal_data(self):
        session = self.finished(callbackUrl=self.hook, customerInternalReference="order-77")
        got = until(lambda: self.receiver.got)
        self.assertTrue(got, self.server.log_text()[-1000:])
        path, headers, body = got[0]
        self.assertEqual((path, headers["Content-Type"]), ("/hook", "application/json"))
        self.assertSigned(headers, body)
        event = json.loads(body)
        self.assertEqual(list(specification.faults(event, {"$ref": "#/components/schemas/Webhook"})), [])
        self.assertEqual(set(event), {"event", "workflowExecutionId", "state", "at", "id", "mode", "result", "assurance"})
        self.assertEqual((event["result"], event["assurance"]["presence"]), ("not-checked", "none"))
        self.assertEqual((event["workflowExecutionId"], event["state"]), (session.id, "finished"))
        self.assertTrue(until(lambda: not self.outbox()))

    def test_an_undelivered_event_is_retried(self):
        self.receiver.answers += [(500, {})]
        before = self.put_off()
        self.finished(callbackUrl=self.hook)
        self.assertTrue(until(lambda: self.receiver.got))
        self.assertTrue(until(lambda: self.put_off() > before))
        waiting = until(lambda: [row for row in self.outbox() if row[1] == 1 and row[2] > time.time() + 20])
        self.assertTrue(waiting, self.outbox())
        # Advances the clock by a minute.
        with sqlite3.connect(f"{self.server.data}/server.sqlite", timeout=10) as database:
            database.execute("UPDATE events SET due = 0 WHERE due IS NOT NULL")
        self.assertTrue(until(lambda: len(self.receiver.got) == 2))
        first, second = self.receiver.got
        self.assertEqual(first[2], second[2])
        self.assertSigned(second[1], second[2])
        self.assertTrue(until(lambda: not self.outbox()))

    def events(self, query="", key=None):
        answer = self.server.call("GET", f"/v1/events{query}", token=key or self.hooked)
        self.assertEqual(answer.status, 200, answer)
        return answer.json["events"]

    def test_events_are_listed_and_redelivered(self):
        self.receiver.answers += [(503, {})]
        session, silent = self.finished(callbackUrl=self.hook), self.finished()
        row = lambda: self.events(f"?workflowExecutionId={session.id}")[0]
        self.assertTrue(until(lambda: row()["delivery"]["fault"]))
        event = row()
        delivery = event["delivery"]
        self.assertEqual(
            (event["state"], delivery["url"], delivery["state"], delivery["attempts"], delivery["lastStatus"], delivery["fault"]),
            ("finished", self.hook, "waiting", 1, 503, "refused"))
        self.assertTrue(delivery["nextAttempt"] > delivery["lastAttempt"])
        self.assertEqual(self.events(f"?workflowExecutionId={silent.id}")[0]["delivery"], None)
        self.assertEqual([each["id"] for each in self.events("?delivery=waiting")], [event["id"]])
        path = f"/v1/events/{event['id']}"
        self.assertEqual(self.server.call("GET", path, token=self.hooked).json, event)
        # The last attempt may still be open: another one would be sent at the same time.
        early = self.server.call("POST", path + "/redeliver", token=self.hooked)
        self.assertProblem(early, 409)
        self.assertGreaterEqual(int(early.headers["Retry-After"]), 1)
        self.advance()
        again = self.server.call("POST", path + "/redeliver", token=self.hooked)
        self.assertEqual((again.status, again.json["delivery"]["state"], again.json["delivery"]["attempts"]), (202, "waiting", 0))
        self.assertTrue(until(lambda: len(self.receiver.got) == 2))
        bodies = [body for _, _, body in self.receiver.got]
        self.assertEqual(bodies[0], bodies[1])
        self.assertTrue(until(lambda: row()["delivery"]["state"] == "delivered"))
        self.assertEqual((row()["delivery"]["lastStatus"], row()["delivery"]["nextAttempt"]), (204, None))
        # A delivered one too; a wiped result is not sent again.
        session.call("POST", "/clear")
        self.advance()
        self.assertEqual(self.server.call("POST", path + "/redeliver", token=self.hooked).status, 202)
        self.assertTrue(until(lambda: len(self.receiver.got) == 3))
        last = json.loads(self.receiver.got[2][2])
        self.assertEqual((last["id"], last["result"], last["assurance"]), (event["id"], None, None))

    def advance(self):
        """Advances the clock of all deliveries by an hour."""
        with sqlite3.connect(f"{self.server.data}/server.sqlite", timeout=10) as database:
            database.execute("UPDATE events SET tried = tried - 3600")

    def test_a_redelivery_needs_a_key_that_allows_its_address(self):
        hook = f"http://{self.receiver.address}/revoked"
        key = self.server.key("revoked", "sessions", callback=hook)
        session = self.finished(key, callbackUrl=hook)
        self.assertTrue(until(lambda: self.events(key=key)[0]["delivery"]["state"] == "delivered"))
        other = self.server.key("revoked", "sessions")
        with sqlite3.connect(f"{self.server.data}/server.sqlite", timeout=10) as database:
            database.execute("UPDATE keys SET revoked = 1 WHERE tenant = 'revoked' AND callbacks <> ''")
        event = self.events(f"?workflowExecutionId={session.id}", other)[0]
        self.advance()
        self.assertEqual(self.server.call("POST", f"/v1/events/{event['id']}/redeliver", token=other).status, 202)
        given_up = until(lambda: self.events("?delivery=given-up", other))
        self.assertEqual((given_up[0]["delivery"]["fault"], given_up[0]["delivery"]["lastStatus"]), ("no-key", None))
        self.assertEqual(len([path for path, _, _ in self.receiver.got if path == "/revoked"]), 1)

    def test_an_expired_key_signs_nothing(self):
        hook = f"http://{self.receiver.address}/old"
        key = self.server.key("old", "sessions", callback=hook)
        person = harness.Session(self.server, key, {**RECORDING, "callbackUrl": hook}).person()
        with sqlite3.connect(f"{self.server.data}/server.sqlite", timeout=10) as database:
            database.execute("UPDATE keys SET expires = 1 WHERE tenant = 'old'")
        person.must("cancel")
        self.assertTrue(until(lambda: "no valid key of its tenant" in self.server.log_text()))
        self.assertNotIn("/old", [path for path, _, _ in self.receiver.got])

    def test_redirects_are_not_followed(self):
        self.receiver.answers += [(307, {"Location": f"http://{self.receiver.address}/elsewhere"}), (204, {})]
        self.finished(callbackUrl=self.hook)
        self.assertTrue(until(lambda: [row for row in self.outbox() if row[1] == 1]))
        time.sleep(0.5)
        self.assertEqual([path for path, _, _ in self.receiver.got], ["/hook"])
        with sqlite3.connect(f"{self.server.data}/server.sqlite", timeout=10) as database:
            database.execute("DELETE FROM events")

    def test_callbacks_go_only_where_the_key_allows(self):
        for url in (f"http://{self.receiver.address}/other", f"http://{self.receiver.address}/hook.evil", "https://evil.example/",
                    f"http://user@{self.receiver.address}/hook", "ftp://x/", "file:///etc/passwd", "x", ""):
            with self.subTest(url=url):
                answer = self.server.call("POST", "/v1/sessions", {**RECORDING, "callbackUrl": url}, self.hooked)
                self.assertProblem(answer, 400)
        for end in ("/../other", "/%2e%2e/other", "/.%2E/other", "/a\r\nX: y", "/a b", "/\u00e4", "/a#b", "/a\\b", "/%2fother", "/" + "a" * 3000):
            with self.subTest(end=end):
                answer = self.server.call("POST", "/v1/sessions", {**RECORDING, "callbackUrl": self.hook + end}, self.hooked)
                self.assertProblem(answer, 400)
                done = self.server.command("key", "add", "--name", "x", "--callback", self.hook + end, *self.server.where)
                self.assertEqual(done.returncode, 3, done)
        # Nor may it be changed to one.
        session = Session(self.server, self.hooked, {**RECORDING, "callbackUrl": self.hook, "startBy": 5})
        self.assertTrue(until(lambda: session.state == "expired", 20))
        self.assertProblem(session.call("PATCH", "", {"callbackUrl": "https://evil.example/"}), 400)
        self.assertEqual(session.call("PATCH", "", {"callbackUrl": self.hook + "/2"}).status, 200)
        # It expires again, and the event goes to the changed address.
        self.assertTrue(until(lambda: self.receiver.got and self.receiver.got[-1][0] == "/hook/2"), self.receiver.got)
        self.assertTrue(until(lambda: not self.outbox()), self.outbox())
        # A key without any allows none.
        self.assertProblem(self.server.call("POST", "/v1/sessions", {**RECORDING, "callbackUrl": self.hook}, self.key), 400)

    def test_local_addresses_are_refused_unless_listed(self):
        knocks = []
        with socket.create_server(("127.0.0.1", 0)) as stranger:
            def listen():
                while True:
                    try:
                        connection, _ = stranger.accept()
                    except OSError:
                        return
                    knocks.append(connection.getsockname())
                    connection.close()

            threading.Thread(target=listen, daemon=True).start()
            port = stranger.getsockname()[1]
            made = 0
            for name in ("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.1", "2130706433", "[::ffff:127.0.0.1]", socket.gethostname()):
                for scheme in ("http", "https"):
                    url = f"{scheme}://{name}:{port}/"
                    try:
                        key = self.server.key("strange", "sessions", callback=url)
                    except AssertionError:
                        continue  # refused already
                    answer = self.server.call("POST", "/v1/sessions", {**RECORDING, "callbackUrl": url}, key)
                    if answer.status == 201:
                        Person(self.server, answer.json["pageUrl"]).must("cancel")
                        made += 1
            # Each was tried once, or never accepted.
            self.assertTrue(until(lambda: len([row for row in self.outbox() if row[1] == 1]) == made, 15), self.outbox())
            self.assertEqual(knocks, [])
            stranger.shutdown(socket.SHUT_RDWR)
        with sqlite3.connect(f"{self.server.data}/server.sqlite", timeout=10) as database:
            database.execute("DELETE FROM events")


class Audit(ServerCase):
    def verify(self):
        return self.server.command("audit", "verify", *self.server.where)

    def test_a_changed_row_is_detected(self):
        for _ in range(3):
            self.session(RECORDING).person().must("cancel")
        self.server.stop()
        self.addCleanup(lambda: self.server.start())
        done = self.verify()
        self.assertEqual(done.returncode, 0, done)
        exported = self.server.command("audit", "export", *self.server.where).stdout.splitlines()
        path = f"{self.server.data}/server.sqlite"
        count = len(exported)
        self.assertGreaterEqual(count, 6)
        for change in (
            "UPDATE audit SET kind = 'other' WHERE sequence = 2", "UPDATE audit SET at = at + 1 WHERE sequence = 2",
            "UPDATE audit SET detail = '{}' WHERE sequence = (SELECT max(sequence) FROM audit)",
            "UPDATE audit SET tenant = 'x' WHERE sequence = 3", "DELETE FROM audit WHERE sequence = 2",
            "DELETE FROM audit WHERE sequence = (SELECT max(sequence) FROM audit)",
            "UPDATE audit SET session = 'n1-x', hash = lower(hex(randomblob(32))) WHERE sequence = 2",
        ):
            with self.subTest(change=change):
                with sqlite3.connect(path) as database:
                    saved = database.execute("SELECT * FROM audit").fetchall()
                    database.execute(change)
                    database.commit()
                done = self.verify()
                self.assertEqual(done.returncode, 1, (change, done))
                with sqlite3.connect(path) as database:
                    database.execute("DELETE FROM audit")
                    database.executemany(f"INSERT INTO audit VALUES ({','.join('?' * len(saved[0]))})", saved)
                    database.commit()
        self.assertEqual(self.verify().returncode, 0)

    # Rows: V6-identifiers V6-log
    def test_the_audit_has_events_and_no_personal_data(self):
        session = self.session({**RECORDING, "consents": [CONSENT], "customerInternalReference": "order-4711"})
        person = session.person()
        person.must("start")
        person.consent()
        person.must("cancel")
        text = self.server.command("audit", "export", *self.server.where).stdout
        mine = [json.loads(line) for line in text.splitlines() if session.id in line]
        kinds = [entry["kind"] for entry in mine]
        for kind in ("created", "claimed", "consent", "finished"):
            self.assertTrue([name for name in kinds if kind in name], kinds)
        for word in ("order-4711", person.token, self.key, "May your face", "A camera"):
            self.assertNotIn(word, text)


class Stills(ServerCase):
    def test_no_photo_passes_the_default_session(self):
        for number in range(3):
            person = self.session({"requests": [{"category": "face"}], "comparesFace": False}).person()
            person.must("start", {"call": "start-credential", "credential": 0})
            chosen = person.calls({"call": "start-part", "part": "face", "mode": "face-manual"})
            self.assertProblem(chosen, 409, logical="unknown-scan-part")
            person.calls({"call": "start-part", "part": "face", "mode": None})
            self.assertNotEqual(person.send("POST", "/v1/page/photo", drawn.photo(1, number + 1), "image/jpeg").status, 200)
            person.calls("finish-part")
            person.calls("cancel")
            self.assertNotEqual(person.view["result"]["result"], "passed")

    def test_an_allowed_photo_proves_no_presence(self):
        session = self.session({**FACE_ONLY, "faceModes": ["face-manual"]})
        person = session.person()
        person.must("start", {"call": "start-credential", "credential": 0}, {"call": "start-part", "part": "face", "mode": None})
        self.assertEqual(person.send("POST", "/v1/page/photo", drawn.photo(1, 1), "image/jpeg").status, 200)
        person.must("finish-part", "finish-credential", "finish")
        result = session.result().json
        self.assertEqual((result["result"], result["assurance"]["presence"]), ("not-checked", "photo"))
        self.assertIn("presence.below-policy", [reason["code"] for reason in result["record"]["body"]["result"]["reasons"]])
        self.assertEqual(result["record"]["body"]["session"], {"id": session.id})


class Consents(ServerCase):
    def test_a_refused_photo_is_not_checked(self):
        session = self.session({**RECORDING, "consents": [CONSENT]})
        person = session.person()
        person.must("start")
        time.sleep(1.1)
        self.assertIn(person.calls({"call": "consent", "item": 7, "isGiven": True}).status, (400, 409))
        person.must({"call": "consent", "item": 0, "isGiven": True}, "cancel")
        self.assertEqual([each["item"] for each in session.result().json["consents"]], [0])
        entries = [json.loads(line) for line in self.server.call("GET", "/v1/audit?limit=1000", token=self.key).body.splitlines()]
        told = [entry["detail"]["item"] for entry in entries if entry["session"] == session.id and entry["kind"] == "consent"]
        self.assertEqual(told, [0])


class Retention(ServerCase):
    def test_no_personal_data_remain(self):
        server = self.server
        session = self.session({**FACE_ONLY, "faceModes": ["passive"], "consents": [CONSENT], "retention": {"images": 60}},
                               headers={"Idempotency-Key": "once"})
        page_token = session.page_url.split("#t=")[1]
        person = session.person()
        shown = []

        class Recorded(drawn.DrawnPerson):
            def next(self, *arguments, **options):
                shown.append(super().next(*arguments, **options))
                return shown[-1]

        person.show_face(4, Recorded())
        self.assertEqual(session.call("GET", "/selfie").status, 200)
        document = self.session({"requests": [{"category": "document"}], "documentModes": ["file"]}).person()
        photo = drawn.photo(3, 99)
        document.must("start", {"call": "start-credential", "credential": 0}, {"call": "start-part", "part": "document", "mode": None})
        self.assertEqual(document.send("POST", "/v1/page/photo", photo, "image/jpeg").status, 200)
        document.must("finish-part", "finish-credential", "finish")
        body, kind = form([("selfie", "SPECIMEN-NAME.jpg", shown[0]), ("portrait", "b", photo)])
        self.assertEqual(server.call("POST", "/v1/compare", body, self.key, kind=kind).status, 200)
        needles = [session.call("GET", "/selfie").body[100:164], photo[700:764], *(jpeg[700:764] for jpeg in shown)]
        needles += [token.encode() for token in (page_token, person.token, self.key, page_token[4:], person.token[4:], self.key[4:])]
        needles += [b"\xff\xd8\xff", b"\x89PNG"]
        files = [path for path in server.data.rglob("*") if path.is_file()]
        self.assertIn("server.sqlite", [path.name for path in files])
        for path in [*files, server.log]:
            content = path.read_bytes()
            for needle in needles:
                self.assertNotIn(needle, content, path)
        log = server.log.read_bytes()
        for word in (b"SPECIMEN-NAME", b"A camera", b"May your face"):
            self.assertNotIn(word, log)
        for path in files:
            self.assertEqual(path.stat().st_mode & 0o077 if path.name != "signing.pub.pem" else 0, 0, path)
        self.assertEqual(server.data.stat().st_mode & 0o077, 0)

    def test_cleared_data_are_gone_from_the_file_too(self):
        session = self.session({**RECORDING, "customerInternalReference": "reference-to-be-wiped"})
        session.person().must("cancel")
        files = lambda: b"".join(path.read_bytes() for path in self.server.data.rglob("server.sqlite*"))
        nonce = session.result().json["nonce"]
        self.assertIn(b"reference-to-be-wiped", files())
        self.assertEqual(session.call("POST", "/clear").status, 200)
        self.assertNotIn(b"reference-to-be-wiped", files())
        self.assertNotIn(nonce.encode(), files())


class Starting(ServerCase):
    def refused(self, *options, code=2):
        done = self.server.command(*options, "--port", "0", "--data", str(self.server.data / "other"))
        self.assertEqual(done.returncode, code, done)
        return done.stderr

    def test_a_public_address_requires_tls(self):
        self.assertIn("--tls-cert", self.refused("--host", "0.0.0.0"))

    def test_wrong_options_are_rejected(self):
        self.refused("--node", "n-1")
        self.refused("--allow-embedding", "shop.example")
        self.refused("--tls-cert", "/nowhere.pem")
        self.refused("--admin-port", "70000")
        for url in ("not a url", "check.example", "ftp://check.example", "https://", "https://check.example/a", "https://a@check.example",
                    "https://check.example/", "https://check.example?a", "https://check.example\r\nX: y", "javascript:alert(1)"):
            with self.subTest(url=url):
                self.assertIn("public-url", self.refused("--public-url", url))

    def test_an_unusable_certificate_is_named(self):
        message = self.refused("--admin-port", "0", "--tls-cert", "/nowhere.pem", "--tls-key", "/nowhere.key", code=3)
        self.assertIn("cannot load the certificate /nowhere.pem with the key /nowhere.key", message)
        self.assertNotIn("port", message)

    def test_ready_is_reported_once_it_listens(self):
        log = self.server.log_text()
        self.assertIn(self.server.url, next(line for line in log.splitlines() if "ready to serve" in line))
        port = self.server.url.rsplit(":", 1)[1]
        done = self.server.command("--port", port, "--admin-port", "0", "--data", str(self.server.data / "third"))
        self.assertEqual(done.returncode, 3, done)
        self.assertNotIn("ready to serve", done.stderr)

    def test_a_proxy_disables_the_demonstration(self):
        """For setups in which all clients appear on loopback."""
        for options in (["--behind-proxy"], ["--public-url", "https://check.example"]):
            port = str(harness.free_port())
            server = Server(*options, "--port", port)
            self.addCleanup(server.remove)
            for method, path, body in (("GET", "/", None), ("POST", "/v1/page/demo", {})):
                self.assertEqual(Client(f"http://127.0.0.1:{port}").call(method, path, body).status, 404, (options, path))

    def test_the_command_for_a_key_is_printed(self):
        server = Server(start=False)
        self.addCleanup(server.remove)
        with open(server.log, "wb") as out:
            server.process = subprocess.Popen(
                [server.binary, "serve", "--port", "0", "--admin-port", "0", "--data", server.data], stdout=out, stderr=out)
        said = until(lambda: re.search("faceverify serve key add --name NAME --data '.*'", server.log_text()), 30)
        self.assertTrue(said, server.log_text())
        self.assertEqual(server.process.poll(), None)
        server.process.kill()
        server.process.wait()
        server.process = None

    def test_an_occupied_port_is_reported(self):
        port = self.server.url.rsplit(":", 1)[1]
        done = self.server.command("--port", port, "--data", str(self.server.data / "second"))
        self.assertEqual(done.returncode, 3, done)
        self.assertIn(port, done.stderr)


class FixedScripts(ServerCase):
    options = ("--allow-fixed-scripts", "--rate-limits", "off")

    def test_insecure_options_are_logged(self):
        self.assertIn("recordings can pass as living people", self.server.log_text())
        session = self.session({**FACE_ONLY, "script": [{"challenge": "smile"}]})
        person = session.person()
        person.must("cancel")
        self.assertIn("smile", json.dumps(session.result().json["record"]["body"]["configuration"]))


class Renewed(harness.unittest.TestCase):
    def test_a_renewed_certificate_is_loaded_without_losing_sessions(self):
        if harness.wants():
            self.skipTest(harness.wants())
        server = Server(start=False)
        self.addCleanup(server.remove)
        for name in ("old", "new"):
            days = {"old": "20", "new": "40"}[name]
            made = server.command("certificate", "--name", "localhost", "--days", days, "--output", str(server.data / name))
            self.assertEqual(made.returncode, 0, made.stderr)
        use = server.data / "use"
        shutil.copytree(server.data / "old", use)
        server.options = ["--tls-cert", str(use / "server.pem"), "--tls-key", str(use / "server.key"), "--rate-limits", "off"]
        server.start()
        port = int(server.url.rsplit(":", 1)[1])

        def connection(name):
            context = ssl.create_default_context(cafile=str(server.data / name / "ca.pem"))
            made = http.client.HTTPSConnection("localhost", port, context=context, timeout=10)
            made.connect()
            return made

        def accepts(name):
            try:
                connection(name).close()
                return True
            except ssl.SSLError:
                return False

        def call(over, method, path, body=None, token=None):
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            over.request(method, path, json.dumps(body) if body is not None else None, {**headers, "Content-Type": "application/json"})
            answer = over.getresponse()
            return answer.status, json.loads(answer.read())

        key = server.key("tls", "sessions")
        held = connection("old")
        _, session = call(held, "POST", "/v1/sessions", RECORDING, key)
        _, page = call(held, "POST", "/v1/page/claim", {"pageToken": session["pageUrl"].split("#t=")[1]})
        # A certificate without its key, or half of one, changes nothing.
        for content in ((server.data / "new/server.pem").read_bytes(), b"-----BEGIN CERTIFICATE-----\nAAAA"):
            warnings = server.log_text().count("cannot load the changed certificate")
            (use / "server.pem").write_bytes(content)
            self.assertTrue(until(lambda: server.log_text().count("cannot load the changed certificate") > warnings))
            self.assertTrue(accepts("old"))
        # Renewed as certbot does: another file takes the name.
        for file in ("server.pem", "server.key"):
            shutil.copy(server.data / "new" / file, use / "next")
            (use / "next").rename(use / file)
        self.assertTrue(until(lambda: accepts("new")), server.log_text()[-1000:])
        self.assertFalse(accepts("old"))
        self.assertIn("the certificate was loaded again", server.log_text())
        new = connection("new")
        ends = ssl.cert_time_to_seconds(new.sock.getpeercert()["notAfter"])
        self.assertEqual(server.metrics()["fv_certificate_expires"], ends)
        # The open connection, and the session over a new one.
        for over in (held, new):
            status, view = call(over, "GET", "/v1/page", token=page["sessionToken"])
            self.assertEqual((status, view["state"]), (200, "created"))
            over.close()
        self.assertEqual(server.stop(), 0)


class Encrypted(harness.unittest.TestCase):
    # Rows: J81
    def test_an_own_certificate_encrypts_connections(self):
        if harness.wants():
            self.skipTest(harness.wants())
        server = Server(start=False)
        self.addCleanup(server.remove)
        made = server.command("certificate", "--name", "localhost", "--output", str(server.data))
        self.assertEqual(made.returncode, 0, made.stderr)
        files = {path.name: path for path in server.data.iterdir()}
        authority = next(path for name, path in files.items() if "ca" in name.lower() and "key" not in name)
        leaf = next(path for name, path in files.items() if path != authority and "key" not in name and path.suffix == ".pem")
        key = next(path for name, path in files.items() if "key" in name and "ca" not in name.lower())
        self.assertEqual(key.stat().st_mode & 0o077, 0)
        server.options = ["--tls-cert", str(leaf), "--tls-key", str(key)]
        server.start()
        context = ssl.create_default_context(cafile=str(authority))
        port = server.url.rsplit(":", 1)[1]
        with urllib.request.urlopen(f"https://localhost:{port}/v1/version", context=context, timeout=10) as answer:
            self.assertIn("max-age=", answer.headers["Strict-Transport-Security"])
        with self.assertRaises(OSError):
            urllib.request.urlopen(f"https://localhost:{port}/v1/version", timeout=10)
        for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
            old = ssl.create_default_context(cafile=str(authority))
            old.minimum_version = old.maximum_version = version
            old.set_ciphers("ALL:@SECLEVEL=0")
            with self.assertRaises(OSError):
                urllib.request.urlopen(f"https://localhost:{port}/v1/version", context=old, timeout=10)
        self.assertEqual(server.stop(), 0)

"""Test sessions end as their request says, on the path of live ones, and cannot be mistaken for or become live ones."""

import hashlib
import hmac
import json
import sqlite3
import subprocess

import harness
import specification
from harness import RECORDING, Session, until
from test_security import WebhookCase

OWN = {"requests": [{"category": "id"}, {"category": "face"}]}
NOTHING = {"presence": "none", "document": "none", "binding": "none"}


class TestMode(WebhookCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.test = cls.server.key("hooked", callback=cls.hook, test=True)
        cls.test_secret = cls.server.secret
        cls.auditor = cls.server.key("hooked", "audit", test=True)

    def ended(self, outcome=None, **more):
        test = {} if outcome is None else {"test": {"outcome": outcome}}
        return Session(self.server, self.test, {**OWN, **test, **more})

    def received(self, session):
        return [event for event in (json.loads(body) for _, _, body in self.receiver.got) if event["workflowExecutionId"] == session.id]

    def test_each_outcome_ends_the_session_at_once(self):
        proved = {"presence": "challenge-answered", "document": "page-consistent", "binding": "supplied-photo"}
        for outcome, result, assurance, code in (
            (None, "passed", proved, None), ("passed", "passed", proved, None), ("failed", "failed", NOTHING, None),
            ("not-checked", "not-checked", NOTHING, None), ("G000000", "not-checked", NOTHING, "G000000"),
            ("J000000", "not-checked", NOTHING, "J000000"),
        ):
            with self.subTest(outcome=outcome):
                session = self.ended(outcome, callbackUrl=self.hook, userReference="u")
                self.assertRegex(session.id, "^n1-test-")
                self.assertEqual((session.answer.json["mode"], session.answer.json["state"]), ("test", "created"))
                row, found = session.call("GET").json, session.result().json
                self.assertEqual((row["mode"], row["state"], row["result"], row["assurance"]), ("test", "finished", result, assurance))
                self.assertEqual((found["mode"], found["result"], found["assurance"], found["record"]), ("test", result, assurance, None))
                self.assertEqual((found["error"] or {}).get("code"), code)
                self.assertEqual(found["isComplete"], code is None)
                # The commitment is that of a live session.
                nonce = bytes.fromhex(found["nonce"])
                self.assertEqual(found["commitment"], "sha256:" + hashlib.sha256(b"faceverify request v1" + nonce).hexdigest())
                event = until(lambda: self.received(session))[0]
                self.assertEqual((event["mode"], event["state"], event["result"]), ("test", "finished", result))
                listed = self.server.call("GET", f"/v1/events?workflowExecutionId={session.id}", token=self.test).json["events"]
                self.assertEqual((listed[0]["id"], listed[0]["mode"]), (event["id"], "test"))
        self.assertEqual(session.call("POST", "/clear").json["mode"], "test")
        self.assertProblem(session.result(), 410)
        self.assertEqual(session.call("DELETE").status, 204)

    def test_a_session_without_a_result_can_be_restarted(self):
        for outcome in ("expired", "interrupted"):
            with self.subTest(outcome=outcome):
                session = self.ended(outcome, callbackUrl=self.hook)
                self.assertEqual((session.state, session.result().status), (outcome, 410))
                event = until(lambda: self.received(session))[0]
                self.assertEqual((event["event"], event["mode"], event["result"]), (f"session.{outcome}", "test", None))
                self.assertEqual(session.call("PATCH", body={"test": {"outcome": "failed"}}).json["mode"], "test")
                self.assertEqual(session.result().json["result"], "failed")

    def test_failures_do_not_count(self):
        for _ in range(12):
            self.assertEqual(self.ended("failed", userReference="one").state, "finished")

    def test_invalid_outcomes_are_rejected(self):
        for test in ({"outcome": "won"}, {"outcome": "claimed"}, {"outcome": "finished"}, {"outcome": "X000000"}, {"outcome": 1},
                     {"outcome": "G00"}, {"result": "passed"}, [], "passed", True):
            with self.subTest(test=test):
                self.assertProblem(self.server.call("POST", "/v1/sessions", {**OWN, "test": test}, self.test), 400)
        # Nor is a request that a live key could not make.
        self.assertProblem(self.server.call("POST", "/v1/sessions", {**OWN, "challengeCount": 50}, self.test), 400)

    def test_a_live_key_scripts_nothing(self):
        self.assertProblem(self.server.call("POST", "/v1/sessions", {**RECORDING, "test": {}}, self.hooked), 400)
        live = self.session({**RECORDING, "startBy": 5})
        self.assertEqual(live.answer.json["mode"], "live")
        self.assertTrue(until(lambda: live.state == "expired", 20))
        self.assertProblem(live.call("PATCH", body={"test": {"outcome": "passed"}}), 400)
        demo = self.server.call("POST", "/v1/page/demo", {"test": {"outcome": "passed"}})
        self.assertIn(demo.status, (400, 404))

    def test_live_and_test_of_one_name_are_strangers(self):
        live = Session(self.server, self.hooked, {**RECORDING, "callbackUrl": self.hook, "userReference": "u"}, {"Idempotency-Key": "k"})
        test = Session(self.server, self.test, {**RECORDING, "callbackUrl": self.hook, "userReference": "u"}, {"Idempotency-Key": "k"})
        self.assertNotEqual(live.id, test.id)
        for key, other, own in ((self.test, live, test), (self.hooked, test, live)):
            for method, path, has_body in specification.session_calls():
                answer = self.server.call(method, f"/v1/sessions/{other.id}{path}", RECORDING if has_body else None, key)
                self.assertProblem(answer, 404)
            rows = self.server.call("GET", "/v1/sessions?userReference=u", token=key).json["sessions"]
            self.assertIn(own.id, [row["workflowExecutionId"] for row in rows])
            self.assertEqual({row["mode"] for row in rows}, {"test" if key == self.test else "live"})
            events = self.server.call("GET", "/v1/events", token=key).json["events"]
            self.assertLessEqual({event["mode"] for event in events}, {"test" if key == self.test else "live"})
        entries = [json.loads(line) for line in self.server.call("GET", "/v1/audit", token=self.auditor).body.splitlines()]
        self.assertEqual({entry["tenant"] for entry in entries}, {"test:hooked"})

    def test_a_test_webhook_is_not_signed_with_the_live_secret(self):
        session = self.ended("passed", callbackUrl=self.hook)
        self.assertTrue(until(lambda: self.received(session)))
        _, headers, body = next(got for got in self.receiver.got if session.id.encode() in got[2])
        time, *signatures = headers["FV-Signature"].split(",")
        code = lambda secret: "v1=" + hmac.new(secret.encode(), time[2:].encode() + b"." + body, hashlib.sha256).hexdigest()
        self.assertEqual(signatures, [code(self.test_secret)])
        self.assertNotEqual(code(self.test_secret), code(self.secret))

    def test_the_page_of_a_test_is_not_opened(self):
        session = self.ended("interrupted")
        token = session.page_url.split("#t=")[1]
        self.assertProblem(self.server.call("POST", "/v1/page/claim", {"pageToken": token}), 409)
        # Not even if the database says that nothing ended it.
        with sqlite3.connect(f"{self.server.data}/server.sqlite", timeout=10) as database:
            database.execute("UPDATE sessions SET state = 'created' WHERE id = ?", [session.id])
        self.assertProblem(self.server.call("POST", "/v1/page/claim", {"pageToken": token}), 409)

    def test_no_signature_covers_a_test(self):
        """Who moves a test session to a live tenant in the database, has a result without a record: clients refuse it."""
        session = self.ended("passed")
        with sqlite3.connect(f"{self.server.data}/server.sqlite", timeout=10) as database:
            database.execute("UPDATE sessions SET tenant = 'hooked' WHERE id = ?", [session.id])
        found = session.call("GET", "/result", key=self.hooked).json
        self.assertEqual((found["mode"], found["record"]), ("test", None))
        done = subprocess.run(
            ["/usr/bin/python3", harness.ROOT / "examples/server/client.py", "result", session.id], capture_output=True, text=True,
            timeout=60, cwd=self.server.data, env={"FACEVERIFY_SERVER": self.server.url, "FACEVERIFY_KEY": self.hooked,
                             "FACEVERIFY_TRUSTED": str(self.server.data / "signing.pub.pem")})
        self.assertEqual(done.returncode, 3, done)
        self.assertNotIn("passed", done.stdout)
        self.assertIn("test session", done.stderr)

    def test_keys_state_their_mode(self):
        self.assertRegex(self.test, "^fvk_test_[A-Za-z0-9_-]{43}$")
        rows = json.loads(self.server.command("key", "list", "--json", *self.server.where).stdout)
        self.assertEqual({(row["name"], row["isTest"]) for row in rows if row["name"] == "hooked"}, {("hooked", True), ("hooked", False)})
        self.assertEqual([row["scopes"] for row in rows if row["isTest"]], [["sessions"], ["audit"]])
        for arguments in (["--name", "test:hooked"], ["--name", "test:x", "--test"], ["--name", "x", "--test", "--scope", "sessions,check"]):
            done = self.server.command("key", "add", *arguments, *self.server.where)
            self.assertEqual(done.returncode, 3, done)
        self.assertProblem(self.server.call("POST", "/v1/quality", b"x", self.test, kind="multipart/form-data"), 403)
        # A live key is not made one by its prefix, nor the reverse.
        for key in ("fvk_test_" + self.hooked[4:], "fvk_" + self.test[9:]):
            self.assertProblem(self.server.call("GET", "/v1/sessions", token=key), 401)

"""examples/clients match the API's description, and work with a running server."""

import base64
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import typing
import unittest

import drawn
import harness
from harness import ROOT, ServerCase

CLIENTS = ROOT / "examples/clients"
sys.path.append(str(CLIENTS / "python"))
import faceverify_server  # noqa: E402

PROGRAM = """
import { ApiError, Client, Event, NewSession, SessionResult } from "./faceverify-server";
declare const process: { argv: string[] };

async function main([url, key, checks, file]: string[]): Promise<void> {
  const client = new Client(url + "/", key);
  const session: NewSession = await client.createSession(
    { requests: [{ category: "face" }], test: { outcome: "failed" } }, { "Idempotency-Key": "typescript" });
  const id = session.workflowExecutionId;
  const result: SessionResult = await client.getResult(id);
  const events: Event[] = (await client.listEvents({ workflowExecutionId: id, limit: 1 })).events;
  const errors: [number, string | undefined][] = [];
  for (const call of [() => client.getSession("n1-none/../x"), () => client.redeliverEvent(events[0].id),
                      () => new Client(url, "fvk_wrong").listSessions()]) {
    try { await call(); } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      errors.push([error.status, error.problem.title]);
    }
  }
  const photo = new Blob([Uint8Array.from(atob(file), (each) => each.charCodeAt(0))]);
  const quality = await new Client(url, checks).measureQuality({ photo: [photo, photo] });
  await client.clearSession(id);
  await client.deleteSession(id);
  console.log(JSON.stringify([session.mode, result.result, events[0].state, errors, quality.photos.length]));
}

main(process.argv.slice(2));
"""


def compiler():
    return shutil.which("tsc") and shutil.which("node")


class GeneratedClients(ServerCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.test = cls.server.key("clients", test=True)

    def test_they_are_up_to_date(self):
        done = subprocess.run([ROOT / "scripts/generate-clients", "--check"], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_all_types_of_python_resolve(self):
        types = [each for each in vars(faceverify_server).values() if typing.is_typeddict(each)]
        self.assertGreater(len(types), 20)
        for each in types:
            self.assertTrue(typing.get_type_hints(each))

    def test_the_python_client(self):
        client = faceverify_server.Client(self.server.url + "/", self.test)
        made = [client.create_session({"requests": [{"category": "face"}], "test": {"outcome": outcome}}, idempotency_key=outcome)
                for outcome in ("passed", "expired")]
        again = client.create_session({"requests": [{"category": "face"}], "test": {"outcome": "passed"}}, idempotency_key="passed")
        identifiers = [session["workflowExecutionId"] for session in made]
        self.assertEqual(again["workflowExecutionId"], identifiers[0])
        page = client.list_sessions(limit=1)
        self.assertEqual([row["workflowExecutionId"] for row in page["sessions"]], identifiers[1:])
        page = client.list_sessions(limit=1, before=page["before"])
        self.assertEqual([row["workflowExecutionId"] for row in page["sessions"]], identifiers[:1])
        self.assertEqual((client.get_result(identifiers[0])["result"], client.get_result(identifiers[0])["mode"]), ("passed", "test"))
        (event,) = client.list_events(workflow_execution_id=identifiers[0])["events"]
        self.assertEqual(client.get_event(event["id"]), event)
        self.assertEqual(client.clear_session(identifiers[0])["state"], "cleared")
        self.assertIsNone(client.delete_session(identifiers[0]))
        for call, status in (
            (lambda: client.get_session("n1-none/../x"), 404), (lambda: client.redeliver_event(event["id"]), 409),
            (lambda: client.create_session({"requests": []}), 400), (lambda: client.get_audit(), 403),
        ):
            with self.assertRaises(faceverify_server.ApiError) as raised:
                call()
            self.assertEqual((raised.exception.status, raised.exception.problem["status"]), (status, status))
        checks = faceverify_server.Client(self.server.url, self.key)
        compared = checks.compare_faces({"selfie": drawn.photo(1, 1), "portrait": drawn.photo(1, 2), "fmr": "1e-2"})
        self.assertEqual(compared["result"], "match")
        self.assertEqual(len(checks.measure_quality({"photo": [drawn.photo(), drawn.photo()]})["photos"]), 2)
        self.assertIn(b'"key-added"', checks.get_audit(limit=1))

    @unittest.skipUnless(compiler(), "no tsc or node: scripts/setup --tests installs them")
    def test_the_typescript_client(self):
        with tempfile.TemporaryDirectory(prefix="faceverify-typescript.") as folder:
            work = pathlib.Path(folder)
            shutil.copy(CLIENTS / "typescript/faceverify-server.ts", work)
            (work / "program.ts").write_text(PROGRAM)
            options = ["--strict", "--target", "es2020", "--lib", "es2020,dom,dom.iterable", "--module", "commonjs", "--pretty", "false"]
            done = subprocess.run(["tsc", *options, "program.ts"], cwd=work, capture_output=True, text=True, timeout=120)
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            run = ["node", "program.js", self.server.url, self.test, self.key, base64.b64encode(drawn.photo())]
            done = subprocess.run(run, cwd=work, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout), [
                "test", "failed", "finished", [[404, "Not Found"], [409, "Conflict"], [401, "Unauthorized"]], 2])
            # The types are checked: a member that does not exist is an error.
            (work / "wrong.ts").write_text('import { Client } from "./faceverify-server";\nnew Client("", "").createSession({ reqests: [] });\n')
            done = subprocess.run(["tsc", *options, "--noEmit", "wrong.ts"], cwd=work, capture_output=True, text=True, timeout=120)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("reqests", done.stdout)

"""client.py session [--listen PORT] [BODY.json]   starts a session: prints the page's address, waits, gets the result
client.py result SESSION                        gets the result of a finished session
client.py compare SELFIE PORTRAIT               compares two photos

FACEVERIFY_SERVER is the server's address, FACEVERIFY_KEY a key of `faceverify serve key add`, FACEVERIFY_TRUSTED the
file of the public key that signs the server's records. With --listen, the server reports the end of the session to a
webhook (the key needs --callback http://HOST:PORT/, and FACEVERIFY_WEBHOOK_SECRET is its secret), and the session is
polled every 30 seconds in case none arrives; otherwise it is polled every second.

The result is that of the signed record: the surrounding response is compared with the record and otherwise unused.

Exit codes: 0 passed or match, 1 failed or no match, 2 usage error, 3 runtime error or an unreliable result, 4 neither,
5 passed by one photo alone, which the session accepted: presence was not proved.
"""

import argparse
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "record"))
import verify  # examples/record/verify.py

SERVER = os.environ.get("FACEVERIFY_SERVER", "http://127.0.0.1:8443")
EXIT_CODES = {"passed": 0, "match": 0, "failed": 1, "no-match": 1}
SESSION = {"requests": [{"category": "face"}], "comparesFace": False,
           "consents": [{"text": "May your face be looked at?", "isActive": True}]}


def call(method, path, body=None, **headers):
    """Returns the JSON of the response. Raises HTTPError for a refused request; its body has the reason."""
    if isinstance(body, dict):
        body, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    headers["Authorization"] = "Bearer " + os.environ["FACEVERIFY_KEY"]
    with urllib.request.urlopen(urllib.request.Request(SERVER + path, body, headers, method=method), timeout=60) as answer:
        return json.load(answer)


def is_signed(signature, body, secret):
    """Verifies FV-Signature, t=SECONDS,v1=HMAC[,v1=HMAC]: two while a secret is being rotated."""
    parts = [part.partition("=") for part in signature.split(",")]
    at = next(value for name, _, value in parts if name == "t")
    expected = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    is_fresh = abs(time.time() - int(at)) <= 300
    return is_fresh and any(hmac.compare_digest(value, expected) for name, _, value in parts if name == "v1")


def listener(port):
    class Hook(http.server.BaseHTTPRequestHandler):
        timeout = 5  # seconds; a silent connection must not block the others

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            is_right = is_signed(self.headers["FV-Signature"], body, os.environ["FACEVERIFY_WEBHOOK_SECRET"])
            self.send_response(204 if is_right else 401)
            self.end_headers()
            if is_right:
                self.server.reported.add(json.loads(body)["workflowExecutionId"])

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", port), Hook)
    server.timeout, server.reported = 1, set()
    return server


class Unreliable(Exception):
    """The result is not the one that the server signed for this session."""


def take(identifier, account=None, commitment=None):
    """Returns the result in the verified record of this session."""
    path = "/v1/sessions/" + urllib.parse.quote(identifier, safe="")
    session, answer = call("GET", path), call("GET", path + "/result")
    if answer.get("mode") != "live":
        raise Unreliable("this is a test session: it proves nothing, and has no record")
    file = pathlib.Path(urllib.parse.quote(identifier, safe="") + ".json")
    file.write_bytes(verify.canonical(answer["record"]).encode())
    print(f"{file}: ", end="", flush=True)
    if verify.main([str(file), "--trusted-key", os.environ["FACEVERIFY_TRUSTED"]]) != 0:
        raise Unreliable("the record is wrong: do not rely on it")
    body = json.loads(file.read_bytes())["body"]
    result = body["result"]
    nonce = body["configuration"]["nonce"]
    made = "sha256:" + hashlib.sha256(b"faceverify request v1" + bytes.fromhex(nonce)).hexdigest()
    signed = {"workflowExecutionId": (body.get("session") or {}).get("id"), "accountId": body["account"], "nonce": nonce, "commitment": made,
              **{name: result.get(name) for name in ("isComplete", "result", "assurance", "error")}}
    for name in ("presence", "document", "binding"):
        if not isinstance((signed["assurance"] or {}).get(name), str):
            raise Unreliable(f"the record does not say the {name} that was proved")
    expected = [("the session", {"workflowExecutionId": identifier, "accountId": account or session["accountId"]}),
                ("the answer around it", {name: answer.get(name) for name in signed}),
                ("the session's state", {name: session[name] for name in ("error", "commitment")})]
    # The nonce was not changed after the commitment; a restarted session has another one: docs/server.md
    if commitment and session["runs"] == 1:
        expected.append(("what the server committed to", {"commitment": commitment}))
    for where, values in expected:
        for name, value in values.items():
            if signed[name] != value:
                raise Unreliable(f"the record differs from {where}: {name} is {signed[name]!r} in the record, {value!r} there")
    return result


def show(result):
    """Prints a result and its assurance; returns the exit code."""
    print(*(f"{axis}: {level}" for axis, level in result["assurance"].items()), sep="\n")
    print(result["result"] if result["isComplete"] else f"not complete: {result['error']['message']}")
    is_by_photo = result["result"] == "passed" and result["assurance"]["presence"] == "photo"
    return 5 if is_by_photo else EXIT_CODES.get(result["result"], 4)


def ask(arguments):
    body = json.loads(pathlib.Path(arguments.body).read_text()) if arguments.body else dict(SESSION)
    hook = None
    if arguments.listen:
        hook = listener(arguments.listen)
        body["callbackUrl"] = f"http://127.0.0.1:{arguments.listen}/"
    # If the response is lost, a retry with the same key returns it.
    session = call("POST", "/v1/sessions", body, **{"Idempotency-Key": str(uuid.uuid4())})
    print(session["pageUrl"], flush=True)
    for warning in session["warnings"]:
        print(f"client.py: {warning}", file=sys.stderr)
    identifier = session["workflowExecutionId"]
    # A webhook only says when to look: it may be lost, and the person can continue an interrupted session.
    while call("GET", "/v1/sessions/" + identifier)["state"] not in ("finished", "expired", "cleared"):
        end = time.monotonic() + (30 if hook else 1)
        while time.monotonic() < end and not (hook and identifier in hook.reported):
            hook.handle_request() if hook else time.sleep(1)
        if hook:
            hook.reported.discard(identifier)
    return show(take(session["workflowExecutionId"], session["accountId"], session["commitment"]))


def compare(arguments):
    boundary = uuid.uuid4().hex
    parts = b"".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'.encode()
        + pathlib.Path(getattr(arguments, name)).read_bytes() + b"\r\n" for name in ("selfie", "portrait"))
    decision = call("POST", "/v1/compare", parts + f"--{boundary}--\r\n".encode(),
                    **{"Content-Type": f"multipart/form-data; boundary={boundary}"})
    print(decision["result"], *(reason["text"] for reason in decision["reasons"]), sep="\n")
    return EXIT_CODES.get(decision["result"], 4)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    session = commands.add_parser("session")
    session.add_argument("--listen", type=int)
    session.add_argument("body", nargs="?")
    session.set_defaults(run=ask)
    result = commands.add_parser("result")
    result.add_argument("session")
    result.set_defaults(run=lambda arguments: show(take(arguments.session)))
    photos = commands.add_parser("compare")
    photos.add_argument("selfie")
    photos.add_argument("portrait")
    photos.set_defaults(run=compare)
    arguments = parser.parse_args()
    for name in ["FACEVERIFY_KEY"] + ["FACEVERIFY_TRUSTED"] * (arguments.run is not compare):
        if not os.environ.get(name):
            parser.error(f"{name} is not set")
    try:
        return arguments.run(arguments)
    except urllib.error.HTTPError as error:
        print(f"client.py: {error.code}: {json.load(error)['detail']}", file=sys.stderr)
    except (OSError, Unreliable) as error:
        print(f"client.py: {error}", file=sys.stderr)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        print(f"client.py: unexpected response: {error!r}", file=sys.stderr)
    return 3


if __name__ == "__main__":
    sys.exit(main())

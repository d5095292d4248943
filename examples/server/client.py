"""client.py session [--listen PORT] [--trusted PUBLIC.pem] [BODY.json]   asks one person; prints the page's address, waits
client.py compare SELFIE PORTRAIT                                        compares two photos

FACEVERIFY_SERVER is the server's address, FACEVERIFY_KEY a key of `faceverify serve key add`. With --listen, the server says
when the session has ended (the key needs --callback http://HOST:PORT/, and FACEVERIFY_WEBHOOK_SECRET is what came with it);
else it is asked every second. --trusted is the public key that the record must be signed with.

Exit codes: 0 passed or match, 1 failed or no match, 2 wrong use, 3 could not be done, 4 neither.
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
import urllib.request
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "record"))
import verify  # examples/record/verify.py

SERVER = os.environ.get("FACEVERIFY_SERVER", "http://127.0.0.1:8443")
EXIT_CODES = {"passed": 0, "match": 0, "failed": 1, "no-match": 1}
SESSION = {"requests": [{"category": "face"}], "comparesFace": False,
           "consents": [{"text": "May your face be looked at?", "isActive": True}]}


def call(method, path, body=None, **headers):
    """The answer's JSON. What was refused is an HTTPError, whose body says why."""
    if isinstance(body, dict):
        body, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    headers["Authorization"] = "Bearer " + os.environ["FACEVERIFY_KEY"]
    with urllib.request.urlopen(urllib.request.Request(SERVER + path, body, headers, method=method), timeout=60) as answer:
        return json.load(answer)


def is_signed(signature, body, secret):
    """FV-Signature is t=SECONDS,v1=HMAC[,v1=HMAC]: there are two while a secret is changed."""
    parts = [part.partition("=") for part in signature.split(",")]
    at = next(value for name, _, value in parts if name == "t")
    expected = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    is_fresh = abs(time.time() - int(at)) <= 300
    return is_fresh and any(hmac.compare_digest(value, expected) for name, _, value in parts if name == "v1")


def listener(port):
    class Hook(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            is_right = is_signed(self.headers["FV-Signature"], body, os.environ["FACEVERIFY_WEBHOOK_SECRET"])
            self.send_response(204 if is_right else 401)
            self.end_headers()
            if is_right:
                self.server.ended.add(json.loads(body)["workflowExecutionId"])

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", port), Hook)
    server.timeout, server.ended = 1, set()
    return server


def ask(arguments):
    body = json.loads(pathlib.Path(arguments.body).read_text()) if arguments.body else dict(SESSION)
    hook = None
    if arguments.listen:
        hook = listener(arguments.listen)
        body["callbackUrl"] = f"http://127.0.0.1:{arguments.listen}/"
    # If the answer is lost, the same key gives it again.
    session = call("POST", "/v1/sessions", body, **{"Idempotency-Key": str(uuid.uuid4())})
    print(session["pageUrl"], flush=True)
    path = "/v1/sessions/" + session["workflowExecutionId"]
    if hook:
        while session["workflowExecutionId"] not in hook.ended:
            hook.handle_request()
    else:
        while call("GET", path)["state"] not in ("finished", "expired", "cleared"):
            time.sleep(1)
    result = call("GET", path + "/result")
    # The question was not changed after it was asked; one that was interrupted has had another since: docs/server.md
    nonce = bytes.fromhex(result["nonce"])
    commitment = "sha256:" + hashlib.sha256(b"faceverify request v1" + nonce).hexdigest()
    if commitment != session["commitment"] and call("GET", path)["runs"] == 1:
        sys.exit("client.py: the nonce is not what the server had committed to")
    record = pathlib.Path(session["workflowExecutionId"] + ".json")
    record.write_bytes(verify.canonical(result["record"]).encode())
    print(f"{record}: ", end="", flush=True)
    if verify.main(record, arguments.trusted) == 1:
        return 3
    print(result["result"] if result["isSuccess"] else result["error"]["message"])
    return EXIT_CODES.get(result["result"], 4)


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
    session.add_argument("--trusted")
    session.add_argument("body", nargs="?")
    session.set_defaults(run=ask)
    photos = commands.add_parser("compare")
    photos.add_argument("selfie")
    photos.add_argument("portrait")
    photos.set_defaults(run=compare)
    arguments = parser.parse_args()
    if "FACEVERIFY_KEY" not in os.environ:
        parser.error("FACEVERIFY_KEY is not set")
    try:
        return arguments.run(arguments)
    except urllib.error.HTTPError as error:
        print(f"client.py: {error.code}: {json.load(error)['detail']}", file=sys.stderr)
    except OSError as error:
        print(f"client.py: {error}", file=sys.stderr)
    return 3


if __name__ == "__main__":
    sys.exit(main())

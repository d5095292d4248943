"""Checks a decision record without faceverify: verify.py RECORD.json [PUBLIC.pem]. Exit code 0: right; 1: wrong, and
what is wrong is printed; 4: nothing is wrong, but no trusted key was named. Needs the package "cryptography", or the
command openssl 3. docs/records.md explains what a record says."""
import base64, json, re, subprocess, sys, tempfile

SPKI = bytes.fromhex("302a300506032b6570032100")  # RFC 8410: what stands before an Ed25519 key's 32 bytes.

def number(value):
    """As ECMAScript writes it: Python's repr has the same digits."""
    sign, digits, exponent = re.fullmatch(r"(-?)([\d.]+)(?:e(.+))?", repr(float(value))).groups()
    whole, _, fraction = digits.partition(".")
    digits = (whole + fraction).lstrip("0")
    power, digits = int(exponent or 0) + len(digits) - len(fraction), digits.rstrip("0")
    if not digits:
        return "0"
    if len(digits) <= power <= 21:
        return sign + digits + "0" * (power - len(digits))
    if -6 < power <= 21:
        return sign + (digits[:power] + "." + digits[power:] if power > 0 else "0." + "0" * -power + digits)
    return f"{sign}{digits[0]}{'.' * (len(digits) > 1)}{digits[1:]}e{power - 1:+}"

def canonical(value):
    """RFC 8785."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return number(value) if type(value) in (int, float) else json.dumps(value, ensure_ascii=False)

def is_signed(key, signature, data):
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        with tempfile.TemporaryDirectory() as folder:
            for name, content in {"key": SPKI + key, "signature": signature, "data": data}.items():
                open(f"{folder}/{name}", "wb").write(content)
            command = "openssl pkeyutl -verify -rawin -pubin -keyform DER -inkey key -in data -sigfile signature"
            return subprocess.run(command.split(), cwd=folder, capture_output=True).returncode == 0
    try:
        return Ed25519PublicKey.from_public_bytes(key).verify(signature, data) is None
    except InvalidSignature:
        return False

def joined(parts):
    return "failed" if "failed" in parts else "passed" if parts and set(parts) == {"passed"} else "not-checked"

def problems(data, trusted):
    members = json.loads(data, object_pairs_hook=lambda pairs: pairs if len(pairs) > len(dict(pairs)) else dict(pairs))
    yield canonical(members).encode() != data, "it is not in canonical form"
    signature, body = members.pop("signature"), members["body"]
    key, value = (base64.b64decode(signature[name], validate=True) for name in ("key", "value"))
    is_right = signature["algorithm"] == "Ed25519" and is_signed(key, value, canonical(members).encode())
    yield not is_right, "it was changed after it was signed"
    yield trusted is not None and trusted != SPKI + key, "another key signed it than the trusted one"
    yield members["schema"] != "faceverify-record-1", "its version is not known here"
    calls, events, configuration = body["calls"], body["events"], body["configuration"]
    used = {i for call in calls for i in call.get("inputs", [])}
    indices = [entry["index"] for entry in body["inputs"]]
    yield indices != list(range(len(indices))) or used != set(indices), "its inputs are not those of the calls"
    for steps in (calls, events):
        yield any(a["at"] > b["at"] for a, b in zip(steps, steps[1:])), "time goes back"
    ends = [i for i, event in enumerate(events) if event["event"] == "finished"]
    yield ends != [len(events) - 1], "the journey does not finish once, at its end"
    given = {}
    for call in calls:
        if call["call"] == "consent":
            given[call["item"]] = call["isGiven"]
        is_complete = all(given.get(item) for item in range(len(configuration.get("consents", []))))
        yield call["call"] == "start-credential" and not is_complete, "a credential starts without consent"
    names = {"live": "passed", "match": "passed", "presentation-attack": "failed", "no-match": "failed"}
    is_compared = configuration.get("comparesFace", True) and not configuration.get("extractsOnly", False)
    for credential in body["credentials"]:
        liveness, document, decision = (credential[name] or {} for name in ("liveness", "document", "comparison"))
        if score := decision.get("comparison"):
            distance = score["score"] - decision["threshold"]["score"]
            yield abs(distance) > 1e-4 and score["match"] != (distance < 0), "a score does not fit its threshold"
        parts = [document["result"]] if document else []
        if liveness:
            found = [liveness["result"]] + [decision.get("result")] * bool(is_compared or decision)
            parts += [names.get(part, "not-checked") for part in found]
        yield credential["result"] != (joined(parts) if parts else None), "a credential's result is not that of its parts"
    result, all_passed = body["result"], joined([part["result"] for part in body["credentials"] if part["result"]])
    expected = "not-checked" if result["error"] and all_passed == "passed" else all_passed
    yield result["result"] != expected, "the result does not follow from the credentials"
    yield result["isSuccess"] != (result["error"] is None), "success and error do not agree"

def main(path, key=None):
    trusted = key and base64.b64decode("".join(line for line in open(key) if not line.startswith("-----")))
    try:
        found = [text for is_wrong, text in problems(open(path, "rb").read(), trusted) if is_wrong]
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        found = [f"this is no record: {error!r}"]
    print("\n".join(found) or ("right" if key else "nothing is wrong, but only the record vouches for its key"))
    return 1 if found else 0 if key else 4

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) in (2, 3) else __doc__)

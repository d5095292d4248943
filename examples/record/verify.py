"""Verifies a decision record without faceverify: its form, its schema and its signature, and with --evidence that a
bundle, or the folder that `faceverify record open` made of it, has the record's inputs and nothing else. That the outcome
follows from the inputs is proved by `faceverify record replay` alone: docs/records.md.

Requires the packages cryptography and jsonschema, for pictures in the evidence Pillow (on Debian python3-cryptography,
python3-jsonschema, python3-pil), and record.schema.json in this folder or in ../../docs.

Exit codes: 0 valid, 1 invalid, 2 usage error, 3 an unreadable file or no record, 4 nothing wrong, but no trusted key."""

import argparse, base64, hashlib, io, json, math, pathlib, re, sys, tarfile  # noqa: E401

import jsonschema
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key, load_pem_public_key


def number(value):
    """A number in the notation of ECMAScript; Python's repr has the same digits."""
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
    """The one encoding of a JSON value, RFC 8785."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return number(value) if type(value) in (int, float) else json.dumps(value, ensure_ascii=False)


def parsed(data):
    """The record. Raises ValueError or RecursionError if it is none."""
    def members(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a member occurs twice")
        return dict(pairs)

    def finite(text):
        if not math.isfinite(float(text)):
            raise ValueError("a number is too large")
        return float(text)

    if len(data) > 16 << 20:
        raise ValueError("it is too large")
    record = json.loads(
        data.decode(), object_pairs_hook=members, parse_int=finite, parse_float=finite, parse_constant=finite)
    if not isinstance(record, dict) or record.get("schema") != "faceverify-record-1":
        raise ValueError("it is no record of a known version")
    return record


def form(record, data):
    if canonical(record).encode() != data:
        yield "it is not in canonical form (RFC 8785): it was edited or formatted"


def whole_pattern(_, pattern, value, __):  # In ECMA-262, "$" is not before a last newline.
    if isinstance(value, str) and not re.search(re.sub(r"\$$", r"\\Z", pattern), value):
        yield jsonschema.ValidationError(f"{value!r} does not match {pattern}")


def schema(record):
    here = pathlib.Path(__file__).resolve()
    places = [here.with_name("record.schema.json"), here.parents[2] / "docs/record.schema.json"]
    text = next((place for place in places if place.exists()), places[0]).read_text()
    kind = jsonschema.validators.extend(jsonschema.Draft202012Validator, {"pattern": whole_pattern})
    for error in kind(json.loads(text), format_checker=jsonschema.FormatChecker(["date"])).iter_errors(record):
        yield f"{error.json_path}: {error.message}"[:200]


def decoded(text):
    """The bytes of base64 without spare bits; none for another text."""
    try:
        data = base64.b64decode(text, validate=True)
        return data if base64.b64encode(data).decode() == text else b""
    except (TypeError, ValueError):
        return b""


def signature(record):
    member = record.get("signature") if isinstance(record.get("signature"), dict) else {}
    signed = {name: value for name, value in record.items() if name != "signature"}
    try:
        key = Ed25519PublicKey.from_public_bytes(decoded(member.get("key")))
        key.verify(decoded(member.get("value")), canonical(signed).encode())
    except (InvalidSignature, ValueError):  # also for a key or a value of another length
        yield "it was changed after it was signed, or another key signed it than the one it names"


def inputs(record, data, files):
    """Compares the inputs with the files of the evidence, by name."""
    expected = {"record.json"}
    if files.get("record.json") != data:
        yield "record.json in the evidence is another record"
    for index, entry in enumerate(record["body"]["inputs"]):
        is_pixels = entry["kind"] == "frame" or entry.get("isPixels")
        name = f"inputs/{index:06}.{'rgb.png' if is_pixels else 'bin'}"
        expected.add(name)
        content = files.get(name)
        if content is None:
            yield f"{name} is missing from the evidence"
        elif hashlib.sha256(pixels(content) if is_pixels else content).hexdigest() != entry["sha256"]:
            yield f"{name} is another file than that of the record"
    yield from (f"{name} is in the evidence, but not an input of the record" for name in sorted(set(files) - expected))


def pixels(png):
    from PIL import Image
    try:
        return Image.open(io.BytesIO(png), formats=["PNG"]).convert("RGB").tobytes()
    except OSError:
        return b""


def fingerprint(key):
    return hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()


def trusted_key(path):
    key = load_pem_public_key(pathlib.Path(path).read_bytes())
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError(f"{path} is no Ed25519 public key")
    return key


def files_of(path, key_path):
    """The files of a folder or a bundle, by name; of a folder also links and folders, without content."""
    path = pathlib.Path(path)
    if path.is_dir():
        return {str(file.relative_to(path)): None if file.is_symlink() or not file.is_file() else file.read_bytes()
                for file in path.rglob("*") if file != path / "inputs"}
    if not key_path:
        raise ValueError(f"{path} is encrypted: name its recipient's private key with --decryption-key")
    data = path.read_bytes()
    ephemeral, recipient = data[5:37], data[37:69]
    key = load_pem_private_key(pathlib.Path(key_path).read_bytes(), None)
    if not data.startswith(b"FVB1\x01") or not isinstance(key, X25519PrivateKey) \
            or key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw) != recipient:
        raise ValueError(f"{path} is no evidence bundle, or one for another recipient")
    info = b"faceverify bundle 1" + ephemeral + recipient
    cipher = AESGCM(HKDF(SHA256(), 32, None, info).derive(key.exchange(X25519PublicKey.from_public_bytes(ephemeral))))
    content, size = bytearray(), 65536 + 16
    for index, start in enumerate(range(69, max(len(data), 70), size)):
        content += cipher.decrypt(index.to_bytes(12, "big"), data[start:start + size], bytes([start + size >= len(data)]))
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        return {file.name: archive.extractfile(file).read() if file.isfile() else None for file in archive}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=pathlib.Path)
    parser.add_argument("--trusted-key", action="append", default=[], metavar="FILE", help="may be repeated")
    parser.add_argument("--evidence", metavar="BUNDLE", help="or the folder that was made of it")
    parser.add_argument("--decryption-key", metavar="FILE", help="the private key of the bundle's recipient")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    try:
        trusted = [fingerprint(trusted_key(path)) for path in options.trusted_key]
        data = options.record.read_bytes()
        record = parsed(data)
        files = files_of(options.evidence, options.decryption_key) if options.evidence else None
        found = {"canonical-form": list(form(record, data)), "schema": list(schema(record)),
                 "signature": list(signature(record))}
    except (OSError, ValueError, RecursionError, InvalidTag, tarfile.TarError) as error:
        print(f"verify.py: {str(error) or 'the bundle was changed or cut'}"[:500], file=sys.stderr)
        return 3
    key = None if found["signature"] else decoded(record["signature"]["key"])
    signer = key and fingerprint(Ed25519PublicKey.from_public_bytes(key))
    found["signing-key"] = [] if signer in trusted or signer and not trusted else [f"the key {signer} is not trusted"]
    if files is not None:
        found["inputs"] = ["the schema is not kept"] if found["schema"] else list(inputs(record, data, files))
    code, result, text = (1, "failed", "invalid: do not rely on this record") if any(found.values()) \
        else (0, "passed", "valid, signed by a trusted key") if trusted \
        else (4, "not-checked", f"nothing is wrong, but no trusted key was named; the record names {signer}")
    if options.json:
        print(json.dumps({"result": result, "signer": signer, "problems": found}, indent=2))
    else:
        print("".join(f"{check}: {problem}\n" for check, texts in found.items() for problem in texts) + text)
    return code


if __name__ == "__main__":
    sys.exit(main())

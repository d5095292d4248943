"""Verifies a decision record without faceverify: verify.py RECORD.json [PUBLIC.pem]. Exit codes: 0: valid; 1: invalid,
with each violation and its rule's number on standard output; 2: usage error; 3: unreadable file; 4: no violation, but no
trusted key was given. Requires record.schema.json and record.tables.json in its own folder or in ../../docs, and the
package "cryptography" or the command openssl 3. docs/records.md defines the rules."""
import base64, collections, datetime, functools, hashlib, json, math, pathlib, re, subprocess, sys, tempfile, unicodedata

SPKI = bytes.fromhex("302a300506032b6570032100")  # RFC 8410: the bytes before the 32 of an Ed25519 key.
MAXIMUM_BYTES, MAXIMUM_DEPTH = 16 << 20, 32
ROUNDING = 1e-4  # Scores and signals are written with 4 decimals.
CHECKS = ["validation", "expiry", "mrz-matches-chip", "chip-read", "passive-authentication", "pages-match", "portrait-matches-chip",
          "print-matches"]
FIELDS = ["documentNumber", "dateOfBirth", "dateOfExpiry", "surname", "issuingStateCode"]  # validation needs them.
PAGES = {"front", "back", "multipart"}
INPUTS = {"start": {"photo", "template"}, "frame": {"frame"}, "take-picture": {"frame"}, "attach": {"photo"},
          "attach-chip": {"chip"}, "attach-code": {"code"}}


# RFC 8785 and I-JSON (RFC 7493).

def number(value):
    """A number in ECMAScript's notation; Python's repr has the same digits."""
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
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return number(value) if type(value) in (int, float) else json.dumps(value, ensure_ascii=False)


def parsed(data):
    """Parses JSON as strictly as the library; raises ValueError."""
    def members(pairs):
        if len({unicodedata.normalize("NFC", name) for name, _ in pairs}) < len(pairs):
            raise ValueError("a member is a duplicate")
        return dict(pairs)

    def finite(text):
        if not math.isfinite(float(text)):
            raise ValueError("a number is too large")
        return float(text)

    def look(value, depth=0):
        if isinstance(value, str) and any(ord(x) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(x) <= 0xFDEF for x in value):
            raise ValueError("a string has a noncharacter")
        if isinstance(value, (dict, list)):
            if depth == MAXIMUM_DEPTH:
                raise ValueError("it is nested too deeply")
            for entry in [*value, *value.values()] if isinstance(value, dict) else value:
                look(entry, depth + 1)

    if len(data) > MAXIMUM_BYTES:
        raise ValueError("it is too large")
    value = json.loads(data.decode(), object_pairs_hook=members, parse_int=finite, parse_float=finite,
                       parse_constant=lambda name: finite(name))
    look(value)
    return value


# The subset of JSON Schema that record.schema.json uses.

def misfits(value, schema, path):
    """Violations of the schema, with their paths."""
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "number": float, "integer": float,
             "null": type(None)}
    if schema is True:
        return
    if "anyOf" in schema:
        if all(any(misfits(value, one, path)) for one in schema["anyOf"]):
            yield from misfits(value, schema["anyOf"][0], path)
        return
    if "enum" in schema:
        if value not in schema["enum"] or not isinstance(value, str):
            yield f"{path} is not one of {schema['enum']}"
        return
    if not isinstance(value, kinds[schema["type"]]):
        yield f"{path} is not of the type {schema['type']}"
    elif schema["type"] == "object":
        for name in schema.get("required", []):
            if name not in value:
                yield f"{path}.{name} is missing"
        others = schema["additionalProperties"]
        for name, member in value.items():
            if name in schema.get("properties", {}):
                yield from misfits(member, schema["properties"][name], f"{path}.{name}")
            elif others is False:
                yield f"{path}.{name} is not known"
            else:
                yield from misfits(member, others, f"{path}.{name}")
    elif schema["type"] == "array":
        for index, entry in enumerate(value):
            yield from misfits(entry, schema["items"], f"{path}[{index}]")
    elif schema["type"] in ("integer", "number"):
        is_right = schema["type"] == "number" or value.is_integer() and value < 1e15
        if not is_right or not schema.get("minimum", -math.inf) <= value <= schema.get("maximum", math.inf):
            yield f"{path} is no count, or out of range"
    elif schema["type"] == "string":
        if len(value) > schema.get("maxLength", math.inf):
            yield f"{path} is too long"
        if not re.fullmatch(schema.get("pattern", ".*").removeprefix("^").removesuffix("$"), value, re.ASCII | re.DOTALL):
            yield f"{path} has another form"
        elif schema.get("format") == "date" and not is_day(value):
            yield f"{path} is not a day"
        elif schema.get("contentEncoding") == "base64" and not from_base64(value, schema["minLength"]):
            yield f"{path} is not base64 of the length that it must have"


def is_day(text):
    try:
        return datetime.date.fromisoformat(text) is not None
    except ValueError:
        return False


def from_base64(text, length):
    """The decoded bytes; empty for another length, invalid characters, or spare bits other than 0."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return b""
    return data if len(text) == length and base64.b64encode(data).decode() == text else b""


def is_signed(key, signature, data):
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        with tempfile.TemporaryDirectory() as folder:
            for name, content in {"key": SPKI + key, "signature": signature, "data": data}.items():
                pathlib.Path(folder, name).write_bytes(content)
            command = "openssl pkeyutl -verify -rawin -pubin -keyform DER -inkey key -in data -sigfile signature"
            return subprocess.run(command.split(), cwd=folder, capture_output=True).returncode == 0
    try:
        return Ed25519PublicKey.from_public_bytes(key).verify(signature, data) is None
    except (InvalidSignature, ValueError):
        return False


# Outcomes: results and levels that follow from the evidence.

def liveness_outcome(policy, statuses):
    failed = {signal for signal, status in statuses.items() if status == "failed"}
    suspicion = 0.0
    for entry in policy["weights"]:
        suspicion += entry["weight"] if entry["signal"] in failed else 0
    if failed & set(policy["fatal"]) or suspicion >= policy["limit"]:
        return "presentation-attack"
    is_doubtful = failed & {"arrival-delay", "colour-response"}
    is_seen = policy["required"] and all(statuses.get(signal) == "passed" for signal in policy["required"])
    return "live" if is_seen and not is_doubtful else "undecided"


def allows_document(result, statuses, has_chip, is_accepted):
    if "failed" in statuses.values() or result == "failed":
        return "failed" in statuses.values() and result == "failed"
    needed = ["validation", "expiry"] + ["chip-read", "passive-authentication"] * has_chip
    is_right = (has_chip or is_accepted) and all(statuses.get(name) == "passed" for name in needed)
    return result == "not-checked" or is_right


# Levels of docs/glossary.md, from least to most.
PRESENCE = ["none", "photo", "passive-video", "challenge-answered", "trusted-capture"]
DOCUMENT = ["none", "data-only", "page-seen", "page-consistent", "chip-copy-authentic", "chip-authentic"]
BINDING = ["none", "same-picture", "supplied-photo", "page-portrait", "chip-portrait", "enrolled-template"]


def borne(liveness, mode):
    """The presence level of a live decision, from its mode, signals and script; "none" if not reached."""
    level = next((row for row in published("record.tables.json")["presence"] if mode in row["modes"]), None)
    statuses = {check["signal"]: check["status"] for check in liveness["checks"]}
    is_borne = level and all(statuses.get(signal) == "passed" for signal in level["required"]) \
        and not any(statuses.get(signal) == "failed" for signal in level["fatal"])
    is_borne = is_borne and liveness["result"] == "live" and (liveness["script"] or not level["hasScript"])
    return level["level"] if is_borne else "none"


def evidence_of(credential, body, is_compared):
    """(result of liveness, level, light missing or a movement declined); [(result, level, accepted)]; (result, level, copies); each may be None."""
    configuration = body["configuration"]
    accepted = configuration["assurance"]["accepted"]
    presence, documents, binding = None, [], None
    if document := credential["document"]:
        choice = credential["choice"] or {}
        is_other = document["country"] is not None and any(document[name] != choice.get(name) for name in ("country", "type"))
        kind = unauthenticated(document)
        result, level = ("failed", "none") if is_other else (document["result"], document["assurance"])
        documents.append((result, level, document["chip"] is None and kind in accepted))
    if liveness := credential["liveness"]:
        passed = {check["signal"] for check in liveness["checks"] if check["status"] == "passed"}
        level = borne(liveness, credential["modes"].get("face"))
        if level == "challenge-answered" and configuration["isCaptureTrusted"] and "camera-device" in passed:
            level = "trusted-capture"
        is_dark = configuration["isLightRequired"] and "colour-response" not in passed
        presence = liveness["result"], level, is_dark or credential["hasDeclined"]
        if is_compared:
            comparison = credential["comparison"] or {}
            page = "chip-portrait" if comparison.get("threshold", {}).get("portrait") == "chip" else "page-portrait"
            level = {"template": "enrolled-template", "photo": "supplied-photo", "photo-template": "supplied-photo"}.get(
                (configuration["portrait"] or {}).get("kind"), page)
            is_copy = comparison.get("samePicture", {}).get("status") == "failed"
            binding = comparison.get("result"), level, is_copy
            if said := comparison.get("document"):
                documents.append((said["result"], said["assurance"], said["isAccepted"]))
    return presence, documents, binding


def worst_presence(parts):
    """The lowest value of each part of the presence of several credentials; None without credentials."""
    results, levels, lowered = zip(*parts) if parts else ((), (), ())
    order = ["presentation-attack", "undecided", "live"]
    return parts and (min(results, key=order.index), min(levels, key=PRESENCE.index), any(lowered))


def worst_binding(parts):
    """The comparison with the weakest result and the lowest level; None without comparisons."""
    def rank(part):
        return 0 if part[0] == "no-match" else 2 if part[2] else 3 if part[0] == "match" else 1
    if parts:
        result, _, is_copy = min(parts, key=rank)
        return result, min((level for _, level, _ in parts), key=BINDING.index), is_copy


def outcome(presence, documents, binding, policy):
    """The result and the levels proved; `Outcome` in the library."""
    results, proved = [], {"presence": "none", "document": "none", "binding": "none"}
    if presence:
        result, level, is_lowered = presence
        if result == "live":
            proved["presence"] = level
            is_enough = PRESENCE.index(level) >= PRESENCE.index(policy["presence"]) and not is_lowered
            results.append("passed" if is_enough else "not-checked")
        else:
            results.append("failed" if result == "presentation-attack" else "not-checked")
    for result, level, is_accepted in documents:
        is_enough = is_accepted or DOCUMENT.index(level) >= DOCUMENT.index(policy["document"])
        results.append("not-checked" if result == "passed" and not is_enough else result)
    if documents:
        proved["document"] = min((level for _, level, _ in documents), key=DOCUMENT.index)
    if binding:
        result, level, is_copy = binding
        if result == "match" and not is_copy:
            proved["binding"] = level
            results.append("passed" if BINDING.index(level) >= BINDING.index(policy["binding"]) else "not-checked")
        else:
            results.append("failed" if result == "no-match" else "not-checked")
            if is_copy and result != "no-match":
                proved["binding"] = min(level, "same-picture", key=BINDING.index)
    worst = next((status for status in ("failed", "not-checked") if status in results), "passed" if results else "not-checked")
    return worst, proved


def journey_outcome(results, has_error):
    if "failed" in results:
        return "failed"
    return "passed" if results and set(results) == {"passed"} and not has_error else "not-checked"


# The rules. Each yields its number, whether it is violated, and a description.

def broken(body):
    """The numbers of the violated rules, with descriptions."""
    for rules in (inputs, order, consents, requests, models, thresholds, documents, credentials, result):
        for rule, is_wrong, text in rules(body):
            if is_wrong:
                yield rule, text


def inputs(body):
    entries, calls = body["inputs"], body["calls"]
    yield 5, [entry["index"] for entry in entries] != list(range(len(entries))), "the inputs are not numbered in order"
    brought = [(call["call"], int(index)) for call in calls for index in call.get("inputs", [])]
    yield 6, sorted(index for _, index in brought) != list(range(len(entries))), "the inputs are not those of the calls"
    for name, index in brought:
        kind = entries[index]["kind"] if index < len(entries) else None
        yield 6, kind not in INPUTS.get(name, ()), f"the call {name} has an input of the kind {kind}"
    for call in calls:
        if call["call"] == "attach-chip":
            names = [entries[int(index)].get("name", "") for index in call.get("inputs", []) if index < len(entries)]
            yield 6, len(set(names)) < len(names) or "" in names, "files of a chip have equal or missing names"
    portrait = body["configuration"]["portrait"] or {}
    kind = {"photo": "photo", "template": "template", "photo-template": "template"}.get(portrait.get("kind"))
    expected = [(kind, portrait["sha256"])] if kind else []
    for start in [call for call in calls if call["call"] == "start"][:1]:
        given = [entries[int(index)] for index in start.get("inputs", []) if index < len(entries)]
        yield 7, [(entry["kind"], entry["sha256"]) for entry in given] != expected, "the portrait is not the input"
    pictures = sum(entry["kind"] in ("frame", "photo") for entry in entries)
    for position, credential in enumerate(body["credentials"]):
        if liveness := credential["liveness"]:
            count = liveness["frames"]["count"]
            is_wrong = count > pictures or count == 0 and liveness["result"] == "live"
            yield 8, is_wrong, "liveness uses frames that were not supplied"
            selfie, configuration = liveness["selfie"], body["configuration"]
            is_as_given = credential["modes"].get("face") != "face-manual" and not configuration["rotation"] \
                and not configuration["isMirrored"] and "rotation" not in liveness["frames"]
            is_wrong = selfie and is_as_given and selfie["sha256"] not in {entry["sha256"] for entry in entries}
            yield 8, is_wrong, "the selfie is not one of the frames"
            times = {call["time"] for call in calls if call["call"] == "frame" and "time" in call}
            said = {liveness["frames"][name] for name in ("first", "last")}
            is_wrong = credential["modes"].get("face") != "face-manual" and count > 0 \
                and any(time is None or all(abs(time - one) > 2e-3 for one in times) for time in said)
            yield 8, is_wrong, "liveness uses frames of other times"
            sizes = frame_sizes(body, position)
            changes = sum(one != other for one, other in zip(sizes, sizes[1:]))
            said = next((check["value"] for check in liveness["checks"] if check["signal"] == "frame-size"), None)
            is_wrong = said is not None and len(sizes) == count and changes != said
            yield 18, is_wrong, "changes of the frame size contradict the signal frame-size"
        document = credential["document"]
        names = {entry.get("name") for entry in entries if entry["kind"] == "chip"}
        yield 8, document and document["chip"] and not names, "a chip has no file"
        is_read = document and any(
            check["name"] == "chip-read" and check["status"] == "passed" for check in document["checks"])
        yield 8, is_read and not {"EF.SOD", "EF.DG1", "EF.DG2"} <= names, "a chip that was read lacks its files"


def session_of(body, credential):
    """The session that read the last chip of a credential; None if it was not read live."""
    active, session = None, None
    for call in body["calls"]:
        if call["call"] == "start-credential":
            active = call["credential"]
        elif call["call"] == "attach-chip" and active == credential:
            session = call.get("session")
    return session


def has_proof(session):
    """Whether a session has the result of a protocol against copies."""
    return session["activeAuthentication"] is not None or session["chipAuthenticationMappings"] != [] \
        or (session["chipAuthentication"] or {}).get("status") == "passed"


def frame_sizes(body, credential):
    """Sizes of the frames of a credential's last try, independent of orientation."""
    active, sizes = None, {}
    for call in body["calls"]:
        active = call.get("credential") if call["call"] == "start-credential" else active
        if call["call"] in ("start-part", "retry-part", "fallback"):
            sizes[active] = []
        elif call["call"] == "frame":
            frames = [body["inputs"][int(index)] for index in call.get("inputs", []) if index < len(body["inputs"])]
            sizes.setdefault(active, []).extend(sorted((frame.get("width", 0), frame.get("height", 0))) for frame in frames)
    return sizes.get(credential, [])


def order(body):
    calls, events, configuration = body["calls"], body["events"], body["configuration"]
    for steps in (calls, events):
        times = [body["created"]] + [step["at"] for step in steps]
        yield 9, any(a > b for a, b in zip(times, times[1:])), "time goes back"
    ends = [index for index, event in enumerate(events) if event["event"] == "finished"]
    if not calls or not events or ends != [len(events) - 1]:
        yield 10, True, "the journey does not finish once, with the last event"
        return
    error = body["result"]["error"]
    is_right = events[-1].get("isComplete") is body["result"]["isComplete"] and events[-1]["at"] == calls[-1]["at"]
    yield 10, not is_right, "the last event does not match the last call and the result"
    yield 10, calls[-1]["call"] != ("cancel" if error else "finish"), "the last call does not lead to this end"
    starts = [call["at"] for call in calls if call["call"] == "start"]
    is_late = not starts or starts[0] - body["created"] > configuration["startBy"] \
        or calls[-1]["at"] - starts[0] > configuration["timeout"]
    yield 11, not error and is_late, "the journey took longer than startBy and timeout allow"


def consents(body):
    items, given, seen = len(body["configuration"]["consents"]), {}, set()
    for call in body["calls"]:
        seen.add(call["call"])
        if call["call"] == "consent":
            is_asked = call.get("item", items) < items and "isGiven" in call
            yield 12, not is_asked, "a consent refers to an item that was not requested"
            yield 12, "start-credential" in seen or "start" not in seen, "a consent is given in the wrong state"
            given[call.get("item")] = call.get("isGiven")
        elif call["call"] == "start-credential":
            is_complete = all(given.get(item) is True for item in range(items))
            yield 12, not is_complete or "start" not in seen, "a credential starts without consent"


def requests(body):
    configuration, found = body["configuration"], body["credentials"]
    asked = [] if body["result"]["error"] else [request["category"] for request in configuration["requests"]]
    if [credential["category"] for credential in found] != asked:
        yield 13, True, "the credentials are not those requested"
        return
    told = [event.get("requests") for event in body["events"] if event["event"] == "initialized"]
    yield 13, any(not same(one, configuration["requests"]) for one in told), "an event has other credentials than requested"
    yield 14, not may_be(body), "the calls and events do not form a journey"
    active, chosen, declined, used = None, {}, set(), {}
    for call in body["calls"]:
        if call["call"] == "start-credential":
            active = call.get("credential")
            chosen.pop(active, None)
        elif call["call"] == "configure":
            chosen[active] = call
        elif call["call"] == "decline":
            declined.add(active)
    part = None
    for event in body["events"]:
        part = event.get("part") if event["event"] == "started" else part
        if event["event"] in ("started", "fallback"):
            used[part] = event.get("mode")
        elif event["event"] == "credential-finished" and event.get("credential", len(found)) < len(found):
            is_right = all(used.get(name) == mode for name, mode in found[int(event["credential"])]["modes"].items())
            yield 15, not is_right, "a credential was scanned in other modes than in the events"
    is_wrong = set(configuration["livenessPolicies"]) != set(configuration["faceModes"]) \
        or configuration["extractsOnly"] and configuration["comparesFace"]
    yield 15, is_wrong, "the policies do not belong to the modes, or data alone is compared"
    for index, (credential, request) in enumerate(zip(found, configuration["requests"])):
        yield 20, credential["hasDeclined"] != (index in declined), \
            "a movement was declined by a call and not by its credential, or the reverse"
        was_started = any(call["call"] == "start-credential" and call.get("credential") == index for call in body["calls"])
        at = end(body, index)
        was_finished = any(call["call"] == "finish-credential" and call["at"] == at for call in body["calls"])
        yield 14, not was_started or not was_finished, "a credential was not started and finished"
        category, modes = credential["category"], credential["modes"]
        parts = {name for name in ("document", "choice", "liveness", "comparison", "result") if credential[name] is not None}
        expected = {"id": {"document", "choice", "result"}, "face": {"liveness", "result"}, "document": set()}[category]
        yield 15, parts - ({"comparison"} if category == "face" else set()) != expected, "a credential has other parts"
        allowed = {"face": {"face": configuration["faceModes"]}, "document": {"document": configuration["documentModes"]},
                   "id": {"chip": ["chip-files"], **dict.fromkeys(("front", "back", "multipart"), configuration["documentModes"])}}
        is_allowed = modes and all(mode in allowed[category].get(part, ()) for part, mode in modes.items())
        is_allowed = is_allowed and (configuration["readsPages"] or not PAGES & set(modes))
        yield 15, not is_allowed, "a credential was scanned in a mode that is not allowed"
        if choice := credential["choice"]:
            for names, name in (("countries", "country"), ("types", "type"), ("variants", "variant")):
                known = {icao(value) for value in request[names]}
                yield 16, known and icao(choice[name]) not in known, "a document was not requested"
            document = credential["document"] or {}
            is_other = document.get("result") == "passed" and any(document[name] != choice[name] for name in ("type", "country"))
            yield 16, is_other, "a document is of another country or type than chosen"
            kind = published("record.tables.json")["documents"].get(choice["type"])
            named = chosen.get(index)
            is_right = kind and choice["variant"] in kind["variants"] and (
                all(icao(named.get(name)) == icao(choice[name]) for name in ("country", "type", "variant")) if named
                else len({icao(country) for country in request["countries"]}) == 1)
            yield 16, not is_right, "a document is not the choice of the call configure"


def icao(country):
    return "D" if country == "DEU" else country


# A possible position in a journey: its state, the state that `retry` restores, the active credential and part, the finished
# parts, and the numbers of consumed events of the kinds started, credential-finished and error.
State = collections.namedtuple("State", "name held active part done started finished errors")
CATEGORIES = {"id": {*PAGES, "chip"}, "face": {"face"}, "document": {"document"}}
TAKES = {"attach-chip": {"chip"}, "attach-code": {"back", "multipart"}, "decline": {"face"},
         **dict.fromkeys(("frame", "take-picture", "attach"), {*PAGES, "face", "document"})}


def may_be(body):
    """Whether the table of states leads from the first call to the end, with the body's events."""
    table, calls = published("record.tables.json")["calls"], body["calls"]
    requests, found = body["configuration"]["requests"], body["credentials"]
    started, finished, errors = (
        [event for event in body["events"] if event["event"] == name]
        for name in ("started", "credential-finished", "error"))

    def is_next(events, used, at):
        return used < len(events) and events[used]["at"] == at

    def failed(state):
        """With the next error."""
        code = errors[state.errors]["error"]["code"]
        name = "failed" if code[:1] in tuple("AEYZ") and state.name != "failed" else "halted"
        return state._replace(name=name, held=state.name, errors=state.errors + 1)

    def alone(state, at):
        """Transitions without a call: a deadline ends a try, an error interrupts."""
        if state.name == "scanning":
            yield state._replace(name="retrying")
        if state.errors < len(errors) and errors[state.errors]["at"] <= at and state.name not in ("halted", "finished"):
            yield failed(state)

    def settled(states, at):
        found, new = set(), set(states)
        while new:
            found |= new
            new = {other for state in new for other in alone(state, at)} - found
        return found

    def after(state, call):
        name, at, active = call["call"], call["at"], state.active
        category = requests[active]["category"] if active is not None else None
        if state.name in table[name] and is_next(errors, state.errors, at):
            yield failed(state)
        for following in table[name].get(state.name, ()):
            new = state._replace(name=following)
            if following in ("failed", "halted") and name != "tick" or name == "configure" and category != "id" \
                    or name in TAKES and state.part not in TAKES[name]:
                continue
            if name == "retry":
                new = new._replace(name=state.held) if following == state.held else None
            elif name == "start-credential":
                index = int(call.get("credential", len(requests)))
                is_open = index < len(requests) and all(
                    event.get("credential") != index for event in finished[:state.finished])
                new = new._replace(active=index, part=None, done=frozenset()) if is_open else None
            elif name == "start-part":
                event = started[state.started] if is_next(started, state.started, at) else {}
                is_right = event and event.get("part") == call.get("part") and call["part"] in CATEGORIES.get(category, ()) \
                    and call.get("mode") in (None, event.get("mode"))
                new = new._replace(part=call["part"], started=state.started + 1) if is_right else None
            elif name in ("finish-part", "cancel-part") and following == "choosing":
                done = state.done | {state.part} if name == "finish-part" else state.done
                new = new._replace(part=None, done=done)
            elif name == "cancel-credential":
                new = new._replace(active=None, part=None, done=frozenset())
            elif name == "finish-credential" and following == "ready":
                is_right = is_next(finished, state.finished, at) and finished[state.finished].get("credential") == active \
                    and (not found or state.done == set(found[active]["modes"]))
                new = new._replace(active=None, finished=state.finished + 1) if is_right else None
            if new:
                yield new

    states = {State("created", "", None, None, frozenset(), 0, 0, 0)}
    for call in calls:
        states = {state for state in settled(states, call["at"])
                  if state.errors == len(errors) or errors[state.errors]["at"] >= call["at"]}
        states = {new for state in states for new in after(state, call)}
    return any(state.name == "finished" and (state.started, state.finished, state.errors)
               == (len(started), len(finished), len(errors)) for state in states)


def end(body, index):
    """The time at which a credential was finished."""
    return next((event["at"] for event in reversed(body["events"])
                 if event["event"] == "credential-finished" and event.get("credential") == index), None)


def models(body):
    for credential in body["credentials"]:
        for decision in filter(None, (credential["liveness"], credential["comparison"])):
            is_same = all(decision["models"][name] == body["models"][name] for name in decision["models"])
            yield 17, not is_same or decision["version"] != body["library"], "a decision was made by other models"


def thresholds(body):
    for credential in body["credentials"]:
        if credential["liveness"]:
            yield from liveness(credential["liveness"], credential["modes"].get("face"), body)
        if credential["comparison"]:
            yield from comparison(credential["comparison"], body)


def same(one, other):
    """Equality of JSON: in Python, True == 1."""
    return canonical(one) == canonical(other)


def between(x, points):
    """Interpolates linearly, clamped to the first and last points."""
    after = next((index for index, point in enumerate(points) if point[0] >= x), None)
    if after is None or after == 0:
        return points[-1 if after is None else 0][1]
    (x0, y0), (x1, y1) = points[after - 1:after + 1]
    return y0 + (x - x0) / (x1 - x0) * (y1 - y0)


def curve_of(body, portrait):
    """Scores with their rates; empty unless both increase."""
    curve = [(point["score"], point["rate"]) for point in (body["models"]["calibration"] or {}).get(portrait, [])]
    is_rising = all(a < b for one, two in zip(curve, curve[1:]) for a, b in zip(one, two))
    return curve if len(curve) > 1 and is_rising and all(0 < rate <= 1 for _, rate in curve) else []


def score_at(curve, rate):
    return between(math.log(rate), [(math.log(point), score) for score, point in curve])


def liveness(decision, mode, body):
    configuration, tables = body["configuration"], published("record.tables.json")
    statuses = {}
    limits = tables["limits"].get(decision["version"])
    has_camera = configuration["camera"] or any("camera" in call for call in body["calls"])
    curve = curve_of(body, "photo")
    for check in decision["checks"]:
        signal, status, value = check["signal"], check["status"], check["value"]
        yield 18, signal in statuses, f"the signal {signal} is a duplicate"
        statuses[signal] = status
        if value is None:
            yield 18, status != "not-checked", f"the signal {signal} has a status and no value"
            continue
        low, high = check["minimum"], check["maximum"]
        distance = min(math.inf if low is None else value - low, math.inf if high is None else high - value)
        is_other = abs(distance) > ROUNDING and status != ("passed" if distance > 0 else "failed")
        yield 18, status == "not-checked" or is_other, f"the signal {signal} does not fit its limits"
    for check in decision["checks"]:
        signal, found = check["signal"], [check["minimum"], check["maximum"]]
        if rate := tables["identity"].get(signal):
            known = found[0] is None and (found[1] is None) == (not curve) \
                and (not curve or abs(found[1] - score_at(curve, rate)) <= ROUNDING)
        else:
            known = limits is None or found == limits.get(signal)
        yield 18, not known, f"a limit of {signal} is not that of the version or the calibration"
    yield 18, limits is not None and not set(statuses) == set(limits), "the signals are not those of the version"
    yield 18, not {"arrival-delay", "colour-response"} <= set(statuses), "a signal that decides is missing"
    is_seen = has_camera or all(statuses.get(f"camera-{fact}", "not-checked") == "not-checked" for fact in ("device", "track"))
    yield 18, not is_seen, "an unknown camera was checked"
    frames = decision["frames"]
    span = (frames["last"] or 0) - (frames["first"] or 0)
    observed = next((check["value"] for check in decision["checks"] if check["signal"] == "observation-time"), None)
    yield 18, observed is not None and observed > span + 1e-3, "the observation is longer than its frames"
    policy = decision["policy"]
    named = {*policy["required"], *policy["fatal"], *(entry["signal"] for entry in policy["weights"])}
    yield 18, not named <= set(statuses), "a signal of the policy is missing"
    yield 19, not same(decision["policy"], configuration["livenessPolicies"].get(mode)), "liveness uses another policy"
    nonce = bytes.fromhex(configuration["nonce"])
    tries = min(int(configuration["maximumTries"]) + len(configuration["faceModes"]), 100) + 1
    nonces = [nonce] + [hashlib.sha256(nonce + n.to_bytes(4, "big")).digest() for n in range(2, tries + 1)]
    yield 20, bytes.fromhex(decision["nonce"] or "") not in nonces, "liveness answers another nonce"
    script, given = decision["script"], configuration["script"]
    is_asked = mode in ("liveness", "strict")
    is_other = (script is not None) != is_asked or is_asked and given is not None and not same(given, script)
    if is_asked and given is None:
        drawn, allowed = [prompt["challenge"] for prompt in script or []], set(configuration["challenges"])
        if drawn == ["follow"]:
            is_other = is_other or "follow" not in allowed or script[0].get("path") != decision["nonce"]
        else:
            has_declined = any(call["call"] == "decline" for call in body["calls"])
            is_other = is_other or len(set(drawn)) != len(drawn) or len(drawn) != configuration["challengeCount"] \
                or not set(drawn) <= allowed - {"follow"} or "follow" in allowed and not has_declined
    known = configuration["challenges"] if given is None else [prompt["challenge"] for prompt in given]
    is_other = is_other or any(
        event.get("challenge") not in known for event in body["events"] if event["event"] == "next-position")
    yield 20, is_other, "liveness answers another script"
    answered = [answer["challenge"] for answer in decision["answers"] if answer["outcome"] == "passed"]
    is_answered = statuses.get("challenge-compliance") != "passed" \
        or [prompt["challenge"] for prompt in script or []] == answered
    yield 20, not is_answered, "not every challenge was answered"
    yield 21, decision["result"] != liveness_outcome(decision["policy"], statuses), \
        "the result of liveness does not follow from its signals and its policy"
    yield 21, (decision["retry"] is None) == (decision["result"] == "undecided"), "retry and an undecided result do not agree"
    level = borne(decision, mode)
    is_other = decision["presence"] != level or (decision["result"] == "live") != (level != "none")
    yield 34, is_other, "the presence does not follow from the mode, the signals and the script"
    if decision["selfie"]:
        yield from quality(decision["selfie"].get("quality"))


def comparison(decision, body):
    threshold, configuration = decision["threshold"], body["configuration"]
    document = next((entry["document"] for entry in body["credentials"] if entry["document"]), {})
    given = (configuration["portrait"] or {}).get("kind")
    kinds = {"document": ["chip", "page"], None: [document.get("portrait")]}.get(given, ["photo"])
    is_asked = threshold["rate"] == configuration["comparison"]["falseMatchRate"] and threshold["portrait"] in kinds
    yield 22, not is_asked, "the threshold does not belong to the requested rate and portrait"
    number, among, people = threshold["rate"].partition(" among ")
    curve, decisive = (curve_of(body, threshold["portrait"] + suffix) for suffix in ("", among + people))
    if not curve or not decisive:
        yield 22, True, "the models have no calibration"
        return

    try:
        rate = float(number) if re.fullmatch(r"[0-9.eE+-]+", number) else 0
    except ValueError:
        rate = 0
    is_right = decisive[0][1] <= rate <= min(1e-2, decisive[-1][1]) \
        and abs(score_at(decisive, rate) - threshold["score"]) <= ROUNDING
    yield 22, not is_right, "the threshold does not belong to its rate"
    known = published("record.tables.json")["calibrations"].get(body["models"]["revision"])
    made = hashlib.sha256(canonical(body["models"]["calibration"]).encode()).hexdigest()
    yield 22, known is not None and made != known, "the calibration does not belong to the models"
    yield 24, not is_checked(decision), "samePicture does not follow from its score and its threshold"
    if not decision["comparison"]:
        yield 24, decision["result"] != "refused", "a comparison has a result and no score"
        return
    score, is_match = decision["comparison"]["score"], decision["comparison"]["match"]
    low, high = (math.exp(between(score + step, [(point, math.log(rate)) for point, rate in curve]))
                 for step in (-ROUNDING, ROUNDING))
    bound = decision["comparison"]["falseMatchRateUpperBound"]
    yield 23, not 0.99 * low <= bound <= 1.01 * high, "the rate does not belong to the score"
    estimate = decision["comparison"].get("falseMatchRate")
    is_above = isinstance(estimate, float) and estimate > 1.01 * bound
    yield 23, is_above, "the rate is above its upper bound"
    distance = score - threshold["score"]
    yield 24, abs(distance) > ROUNDING and is_match != (distance < 0), "a score does not fit its threshold"
    document = decision.get("document", {})
    is_copy = is_match and decision["samePicture"]["status"] == "failed"
    is_refused = document.get("mayMatch") is False or is_copy
    expected = {"refused"} if is_refused else {"match"} if is_match else {"no-match"}
    if is_match and document.get("result") == "failed":  # Up to 0.2.0 somebody could match an expired document.
        expected.add("refused")
    yield 24, decision["result"] not in expected, "the result of a comparison does not follow from its score"
    photos = [decision[side] for side in ("selfie", "portrait") if decision[side]["input"]["kind"] == "photo"]
    is_refused = any(photo["quality"].get("accepted") is not True for photo in photos)
    yield 24, is_refused, "a photo was compared although its quality was refused"
    for photo in photos:
        yield from quality(photo["quality"])
    policies = {configuration["comparison"]["portrait"]["name"],
                {"chip": "chip-portrait", "page": "document-portrait"}.get(threshold["portrait"])}
    side = decision["portrait"]
    is_other = side["input"]["kind"] == "photo" and side["quality"].get("policy") not in policies
    yield 24, is_other, "the portrait's quality uses another policy"


def is_checked(decision):
    """Whether the status of samePicture follows from its score, an existing threshold, and the hashes."""
    score, status, threshold = (decision["samePicture"][name] for name in ("score", "status", "threshold"))
    tables = published("record.tables.json")["samePicture"]
    is_equal = decision["selfie"]["input"]["sha256"] == decision["portrait"]["input"]["sha256"]
    of_frames = tables["frames"] + (tables["photos"] if decision["threshold"]["portrait"] == "photo" or is_equal else [])
    if threshold not in of_frames or is_equal and status != "failed":
        return False
    if score is None:
        return status == "not-checked"
    allowed = {"failed"} if score >= threshold else {"passed"}
    return status in ({"passed", "failed"} if abs(score - threshold) <= 1e-3 else allowed)


def quality(report):
    """Whether acceptance follows from the checks, and the checks from their limits; values have 4 digits."""
    checks = (report or {}).get("checks")
    if checks is None:
        return
    is_right = report.get("accepted") is (not any(check["consequence"] == "refuse" for check in checks))
    for check in checks:
        value, low, high = (check[name] for name in ("value", "minimum", "maximum"))
        is_right = is_right and (check["status"] == "failed") == (check["consequence"] is not None)
        if check["status"] == "not-checked":
            continue
        if value is None:
            is_right = False
            continue
        distance = min(math.inf if low is None else value - low, math.inf if high is None else high - value)
        is_near = abs(distance) <= 1e-3 * max(1, abs(value))
        is_right = is_right and (is_near or check["status"] == ("passed" if distance > 0 else "failed"))
    yield 24, not is_right, "a picture's quality does not follow from its checks"


def documents(body):
    configuration = body["configuration"]
    trust, is_required = configuration["trust"], configuration["requiresChip"]
    for index, credential in enumerate(body["credentials"]):
        if not (document := credential["document"]):
            continue
        try:
            days = math.floor(math.floor(end(body, index)) / 86400)
            day = (datetime.date(1970, 1, 1) + datetime.timedelta(days=days)).isoformat()
        except (OverflowError, TypeError):
            day = None
        yield 25, document["date"] != (configuration["date"] or day), "a document was judged for another date"
        statuses = {check["name"]: check["status"] for check in document["checks"]}
        needed = FIELDS + ["nationalityCode"] * (unauthenticated(document) == "page-only")
        is_right = [check["name"] for check in document["checks"]] == CHECKS \
            and ("failed" not in document["fields"].values() or statuses["validation"] == "failed") \
            and (statuses["validation"] != "passed" or all(document["fields"].get(name) == "passed" for name in needed)) \
            and all((check["reason"] is None) == (check["status"] == "passed") for check in document["checks"])
        yield 26, not is_right, "the checks of a document do not follow from its fields"
        chip, read = document["chip"], statuses.get("chip-read")
        authenticated = statuses.get("passive-authentication")
        if chip is None:
            is_expected = is_required if read == "failed" else \
                read == "not-checked" and (not is_required or unauthenticated(document) == "licence-code")
            is_right = is_expected and authenticated == statuses.get("mrz-matches-chip") == "not-checked"
        elif chip == "authentic":
            is_right = "not-checked" not in (authenticated, read) and trust["anchors"] > 0
        else:
            is_right = read != "not-checked" and (authenticated == "failed" if chip == "invalid" else authenticated != "passed")
        pages = PAGES & set(credential["modes"])
        for name, is_there in (("mrz-matches-chip", chip and pages), ("portrait-matches-chip", chip),
                               ("pages-match", pages), ("print-matches", pages)):
            yield 27, statuses.get(name) != "not-checked" and not is_there, f"{name} of one source"
        yield 27, ("chip" in credential["modes"]) != (chip is not None), "a chip without a scan, or a scan without a chip"
        yield 27, document["assurance"] in ("page-seen", "page-consistent") and not pages, "a page without a picture"
        has_data = document["country"] is not None and document["dataSha256"] is not None
        yield 28, document["result"] == "passed" and not has_data, "it passed without a country or data"
        yield 2, ("data" in document) != configuration["recordsPersonalData"], "personal data that the configuration excludes"
        if chip and read == "passed" and pages and statuses.get("mrz-matches-chip") == "not-checked":
            is_right = False
        is_right = is_right and (trust["isGiven"] or not trust["anchors"])
        yield 27, not is_right, "the checks of a document do not follow from its chip, its page and the trust"
        proof, session = document.get("chipProof"), session_of(body, index)
        is_other = (proof is not None) != (chip is not None and session is not None) \
            or proof == "not-cloned" and session is not None and not has_proof(session) \
            or proof in ("not-cloned", "not-announced") and chip != "authentic" \
            or proof == "clone-suspected" and read != "failed"
        yield 27, is_other, "the proof of a chip is not that of a session"
        is_other = (document["portrait"] is None) != (document["portraitSha256"] is None) \
            or document["portrait"] == "chip" and chip is None
        yield 27, is_other, "a portrait is of a missing chip, or has no hash"
        kind = unauthenticated(document)
        is_accepted = kind in configuration["assurance"]["accepted"]
        yield 28, not allows_document(document["result"], statuses, chip is not None, is_accepted), \
            "the result of a document does not follow from its checks"
        level, is_authentic = document["assurance"], authenticated == read == "passed"
        is_original = document.get("chipProof") == "not-cloned"
        is_other = level != "none" if document["result"] == "failed" else level == "none" \
            or (level == "chip-authentic") != (is_authentic and is_original) \
            or (level == "chip-copy-authentic") != (is_authentic and not is_original) \
            or level == "page-consistent" and statuses.get("validation") != "passed"
        yield 34, is_other, "the assurance of a document does not follow from its checks"
        is_vouched_for = chip == "authentic" or chip == "valid-without-anchor" and not trust["isGiven"]
        may_match = read != "failed" if chip is None else \
            read == "passed" and authenticated != "failed" and is_vouched_for
        is_consistent = all(status != "failed" or name == "expiry" for name, status in statuses.items())
        yield 29, document["mayMatch"] and not (may_match and is_consistent), "a document may match, although its checks exclude a match"


def credentials(body):
    configuration = body["configuration"]
    is_compared, given = configuration["comparesFace"] and not configuration["extractsOnly"], configuration["portrait"]
    document = next((entry["document"] for entry in body["credentials"] if entry["document"]), {})
    for credential in body["credentials"]:
        if decision := credential["comparison"]:
            portrait = given["sha256"] if given else document.get("portraitSha256")
            said = decision.get("document", {}).get("mayMatch")
            is_right = is_compared and portrait and decision["portrait"]["input"]["sha256"] == portrait \
                and ("document" in decision) == (not given or given["kind"] == "document") \
                and (given or said == document.get("mayMatch")) \
                and (given or all(decision["document"][name] == document.get(name) for name in ("result", "assurance")))
            yield 30, not is_right, "it was compared with another portrait"
            if said := decision.get("document"):
                accepted = configuration["assurance"]["accepted"]
                kind = unauthenticated(document)
                is_right = said["isAccepted"] == (document.get("chip") is None and kind in accepted) if not given \
                    else not said["isAccepted"] or accepted and decision["threshold"]["portrait"] == "page"
                is_right = is_right and (said["assurance"] == "none") == (said["result"] == "failed") \
                    and (not given or said["result"] != "passed" or said["isAccepted"]
                        or said["assurance"] in DOCUMENT[-2:] and decision["threshold"]["portrait"] == "chip")
                yield 30, not is_right, "the compared document has a better result than its credential"
            template, selfie = (credential["liveness"] or {}).get("template") or {}, decision["selfie"]["input"]
            is_right = selfie["kind"] == "template" and selfie["sha256"] == template.get("sha256")
            yield 30, not is_right, "the compared template is not that of the living person"
        said, proved = (None, None) if credential["category"] == "document" else outcome(
            *evidence_of(credential, body, is_compared), configuration["assurance"])
        yield 31, credential["result"] != said, "a credential's result does not follow from its parts"
        yield 34, credential["assurance"] != proved, "a credential's assurance does not follow from its parts"
        yield 32, credential["result"] in ("failed", "not-checked") and not credential["reasons"], \
            "a credential did not pass and has no reason"


def result(body):
    said, has_error = body["result"], body["result"]["error"] is not None
    yield 33, said["isComplete"] is has_error, "success and error do not agree"
    results = [credential["result"] for credential in body["credentials"] if credential["result"]]
    yield 33, said["result"] != journey_outcome(results, has_error), "the result does not follow from the credentials"
    reasons = [canonical(reason) for reason in said["reasons"]]
    is_wrong = any(canonical(reason) not in reasons for credential in body["credentials"] for reason in credential["reasons"])
    yield 32, is_wrong, "the result lacks the reasons of its credentials"
    is_judged = any(credential["result"] for credential in body["credentials"])  # Not a document that is only kept.
    yield 32, said["result"] != "passed" and is_judged and not reasons, "it did not pass and has no reason"
    configuration = body["configuration"]
    is_compared = configuration["comparesFace"] and not configuration["extractsOnly"]
    parts = [evidence_of(credential, body, is_compared) for credential in body["credentials"]]
    seen, matched = ([part[index] for part in parts if part[index]] for index in (0, 2))
    proved = outcome(
        worst_presence(seen), [document for part in parts for document in part[1]], worst_binding(matched),
        configuration["assurance"])[1]
    yield 34, said["assurance"] != proved, "the assurance does not follow from the credentials"


@functools.cache
def published(name):
    here = pathlib.Path(__file__).resolve()
    places = [here.with_name(name), here.parents[2] / "docs" / name]
    return json.loads(next((place for place in places if place.exists()), places[0]).read_text())


def unauthenticated(document):
    """What a caller must accept for a document of this type without an authenticated chip."""
    return published("record.tables.json")["documents"].get(document.get("type"), {}).get("unauthenticated", "page-only")


def problems(data, trusted):
    """Pairs of a rule's number and its violation."""
    record = parsed(data)
    if not isinstance(record, dict):
        raise ValueError("it is no JSON object")
    if canonical(record).encode() != data:
        yield 1, "it is not in canonical form"
    found = list(misfits(record, published("record.schema.json"), "record"))
    yield from ((2, text) for text in found)
    signature = record.get("signature")
    signature = signature if isinstance(signature, dict) else {}
    key, value = (from_base64(signature.get(name) if isinstance(signature.get(name), str) else "", length)
                  for name, length in (("key", 44), ("value", 88)))
    signed = canonical({name: member for name, member in record.items() if name != "signature"}).encode()
    if signature.get("algorithm") != "Ed25519" or len(key) != 32 or len(value) != 64 or not is_signed(key, value, signed):
        yield 3, "the signature does not match the record"
    if trusted is not None and trusted != SPKI + key:
        yield 4, "the signing key is not the trusted one"
    if not found:
        yield from broken(record["body"])


def public_key(path):
    """The key of a PEM file, as DER."""
    lines = pathlib.Path(path).read_text().splitlines()
    key = base64.b64decode("".join(line for line in lines if not line.startswith("-----")))
    if len(key) != 44 or not key.startswith(SPKI):
        raise ValueError(f"{path} is no Ed25519 public key in PEM")
    return key


def main(path, key=None):
    try:
        trusted = key and public_key(key)
        data = pathlib.Path(path).read_bytes()
        published("record.schema.json"), published("record.tables.json")
    except (OSError, ValueError) as error:
        print(f"verify.py: {error}", file=sys.stderr)
        return 3
    try:
        found = [f"rule {rule}: {text}" for rule, text in problems(data, trusted)]
    except Exception as error:  # An input that cannot be judged is invalid.
        found = [f"this is no record: {type(error).__name__}: {error}"[:500]]
    print("\n".join(found) or ("right" if key else "no violation, but no trusted key was given"))
    return 1 if found else 0 if key else 4


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))

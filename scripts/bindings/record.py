"""The record of the binary interface: the additions of each release, which are permanent, and the baseline, which is
the interface of the next release, rewritten with --baseline."""

import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

from .schema import NOTICE, Problem, Schema

PLACE = "Sources/FaceVerifyABI/abi-record.json"
BASELINE = "baseline"
Record = Dict[str, Dict[str, Any]]
# May be raised: programs have compiled in a smaller buffer, and the version itself.
CHANGING = {"FV_VERSION_NUMBER", "FV_VERSION_MAJOR", "FV_VERSION_MINOR", "FV_VERSION_PATCH", "FV_MESSAGE_BYTES"}


def read(root: Path) -> Record:
    path = root / PLACE
    record: Record = json.loads(path.read_text()) if path.exists() else {}
    return record


def facts(schema: Schema) -> Dict[str, Dict[str, Any]]:
    """Everything that programs and bindings compile in."""
    numbers = {one.name: one.value for one in schema.constants if one.name not in CHANGING}
    for one in schema.lists.values():
        numbers.update({case.name: case.value for case in one.cases})
    return {
        "functions": {
            one.name: [schema.canonical(type_) for type_ in (one.result, *(p.type for p in one.parameters))]
            for one in schema.functions.values()
        },
        "callbacks": {
            one.name: [schema.canonical(type_) for type_ in (one.result, *(p.type for p in one.parameters))]
            for one in schema.callbacks.values()
        },
        "fields": {
            f"{struct.name}.{one.name}": [schema.canonical(one.type), one.offset]
            for struct in schema.structs.values()
            for one in struct.fields
        },
        # Structs without a struct_size cannot grow.
        "sizes": {one.name: one.size for one in schema.structs.values() if not one.is_sized},
        "numbers": numbers,
    }


def _entries(record: Record) -> Iterator[Tuple[str, str, str, Any]]:
    for version, kinds in record.items():
        for kind, entries in kinds.items():
            for name, fact in entries.items():
                yield version, kind, name, fact


def check(schema: Schema, record: Record) -> None:
    """Fails if the headers change or remove an entry of the record, or if FV_SINCE() names another release."""
    now = facts(schema)
    for version, kind, name, fact in _entries(record):
        if name in now[kind] and now[kind][name] == fact:
            continue
        change = f"it cannot become {now[kind][name]}" if name in now[kind] else "it cannot be removed"
        if version == BASELINE:
            raise Problem(f"{name} is in the baseline as {fact}: {change}, unless --baseline rewrites it")
        raise Problem(f"{name} was released with {version} as {fact}: {change}")
    releases = [version for version in record if version != BASELINE]
    released = _released(record)
    for one in schema.functions.values():
        since = released.get(one.name, schema.version_string) if releases else ""
        expected = "" if since in releases[:1] else since
        if one.since != expected:
            stated = f"FV_SINCE({expected.replace('.', ', ')})" if expected else "no FV_SINCE()"
            raise Problem(f"{one.name} has {stated}: it says since which release a function exists, unless the first")


def _released(record: Record) -> Dict[str, str]:
    """The release that added each function."""
    entries = ((name, version) for version, kind, name, _ in _entries(record) if kind == "functions")
    return {name: version for name, version in entries if version != BASELINE}



def baseline(root: Path, schema: Schema, record: Record) -> None:
    """Writes the unreleased part of the interface to the file and to `record`."""
    record.pop(BASELINE, None)
    record[BASELINE] = _unrecorded(schema, record)
    _write(root, record)


def release(root: Path, schema: Schema, record: Record, version: str) -> None:
    """Appends new entries to the file and to `record`, in place of the baseline."""
    if version != schema.version_string:
        raise Problem(f"the headers are of {schema.version_string}, not of {version}")
    if version in record:
        raise Problem(f"{version} is released already: a record is never written anew")
    record.pop(BASELINE, None)
    record[version] = _unrecorded(schema, record)
    _write(root, record)


def _unrecorded(schema: Schema, record: Record) -> Dict[str, Dict[str, Any]]:
    known = {(kind, name) for _, kind, name, _ in _entries(record)}
    return {
        kind: {name: fact for name, fact in entries.items() if (kind, name) not in known}
        for kind, entries in facts(schema).items()
    }


def _write(root: Path, record: Record) -> None:
    """A line for each entry."""
    lines: List[str] = []
    for version, kinds in record.items():
        groups = []
        for kind, entries in kinds.items():
            inside = ",".join(f"\n      {json.dumps(name)}: {json.dumps(fact)}" for name, fact in entries.items())
            groups.append(f"    {json.dumps(kind)}: {{{inside}" + ("\n    }" if inside else "}"))
        lines.append(f"  {json.dumps(version)}: {{\n" + ",\n".join(groups) + "\n  }")
    (root / PLACE).write_text("{\n" + ",\n".join(lines) + "\n}\n")


def export_map(schema: Schema, record: Record) -> str:
    """The linker's version script: the exported names by the minor release that introduced them."""
    released = _released(record)
    current = schema.version_string
    nodes: Dict[Tuple[int, ...], List[str]] = {}
    for name in sorted(schema.functions):
        nodes.setdefault(tuple(map(int, released.get(name, current).split(".")[:2])), []).append(name)
    text, last = f"/* {NOTICE} */\n", ""
    for number in sorted(nodes):
        node = f"FACEVERIFY_{number[0]}.{number[1]}"
        text += node + " {\n  global:\n" + "".join(f"    {name};\n" for name in nodes[number])
        text += ("" if last else "  local: *;\n") + "}" + (f" {last}" if last else "") + ";\n"
        last = node
    return text

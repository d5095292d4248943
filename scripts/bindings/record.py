"""The record of the binary interface: the additions of each release. It only grows."""

import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

from .schema import NOTICE, Problem, Schema

PLACE = "Sources/FaceVerifyABI/abi-record.json"
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
    now = facts(schema)
    for version, kind, name, fact in _entries(record):
        if name not in now[kind]:
            raise Problem(f"{name} was released with {version}: it cannot be removed")
        if now[kind][name] != fact:
            raise Problem(f"{name} was released with {version} as {fact}: it cannot become {now[kind][name]}")


def release(root: Path, schema: Schema, record: Record, version: str) -> None:
    """Appends new entries to the file and to `record`."""
    if version != ".".join(map(str, schema.version)):
        raise Problem(f"the headers are of {'.'.join(map(str, schema.version))}, not of {version}")
    if version in record:
        raise Problem(f"{version} is released already: a record is never written anew")
    known = {(kind, name) for _, kind, name, _ in _entries(record)}
    record[version] = {
        kind: {name: fact for name, fact in entries.items() if (kind, name) not in known}
        for kind, entries in facts(schema).items()
    }
    lines: List[str] = []
    for one, kinds in record.items():
        groups = []
        for kind, entries in kinds.items():
            inside = ",".join(f"\n      {json.dumps(name)}: {json.dumps(fact)}" for name, fact in entries.items())
            groups.append(f"    {json.dumps(kind)}: {{{inside}" + ("\n    }" if inside else "}"))
        lines.append(f"  {json.dumps(one)}: {{\n" + ",\n".join(groups) + "\n  }")
    (root / PLACE).write_text("{\n" + ",\n".join(lines) + "\n}\n")


def export_map(schema: Schema, record: Record) -> str:
    """The linker's version script: the exported names by the minor release that introduced them."""
    released = {name: version for version, kind, name, _ in _entries(record) if kind == "functions"}
    current = ".".join(map(str, schema.version))
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

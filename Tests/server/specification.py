"""Validates responses against the OpenAPI description: the subset of JSON Schema 2020-12 that it uses."""

import json
import re

import harness

SPECIFICATION = json.loads(harness.SPECIFICATION.read_text())
KEYWORDS = {
    "type", "enum", "anyOf", "oneOf", "properties", "required", "additionalProperties", "items", "minItems", "maxItems",
    "minimum", "maximum", "exclusiveMinimum", "minLength", "maxLength", "pattern", "$ref",
    # Annotations without constraints.
    "description", "default", "format", "contentEncoding", "contentMediaType", "examples",
}
KINDS = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int, "number": (int, float),
}


def resolved(node):
    while "$ref" in node:
        found = SPECIFICATION
        for name in node["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        node = found
    return node


def is_kind(value, kind):
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, KINDS[kind]) or (kind == "integer" and isinstance(value, float) and value.is_integer())


def faults(value, schema, place="$"):
    """The violations of a schema by a value, one sentence each."""
    schema = resolved(schema)
    if unknown := set(schema) - KEYWORDS:
        raise ValueError(f"{place}: {unknown} is not looked at here")
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_kind(value, kind) for kind in kinds):
        yield f"{place} is {value!r:.80}, no {' or '.join(kinds)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place} is {value!r:.80}, none of {schema['enum']}"
    for name in ("anyOf", "oneOf"):
        if name in schema:
            found = [list(faults(value, option, place)) for option in schema[name]]
            if not any(not each for each in found):
                yield from min(found, key=len)
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                yield f"{place} has no {name}"
        others = schema.get("additionalProperties", True)
        for name, member in value.items():
            if name in properties:
                yield from faults(member, properties[name], f"{place}.{name}")
            elif others is False:
                yield f"{place}.{name} is not described"
            elif isinstance(others, dict):
                yield from faults(member, others, f"{place}.{name}")
    elif isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{place} has {len(value)} items"
        for number, item in enumerate(value):
            yield from faults(item, schema.get("items", {}), f"{place}[{number}]")
    elif isinstance(value, str):
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            yield f"{place} has {len(value)} characters"
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield f"{place} is {value!r:.80}, not like {schema['pattern']}"
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            yield f"{place} is {value}, out of range"
        if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
            yield f"{place} is {value}, out of range"


def operations():
    """All described operations: path, method and description."""
    for path, item in SPECIFICATION["paths"].items():
        for method, described in item.items():
            if method != "parameters":
                yield path, method.upper(), described


def session_calls():
    """The operations on one session: method, rest of the path, and whether there is a body."""
    own = "/v1/sessions/{id}"
    return [(method, path.removeprefix(own), "requestBody" in each) for path, method, each in operations() if path.startswith(own)]


def operation(method, path):
    """The template of a path, and the description of the method."""
    path = path.split("?")[0]
    for template, item in SPECIFICATION["paths"].items():
        pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template))
        if re.fullmatch(pattern, path) and method.lower() in item:
            return template, item[method.lower()]
    raise KeyError(f"{method} {path} is not described")


def answer_faults(method, path, answer):
    """The violations by a response."""
    _, described = operation(method, path)
    if answer.status == 304 and not answer.body:
        return []  # HTTP's own response to If-None-Match
    response = described["responses"].get(str(answer.status))
    if response is None:
        return [f"{answer.status} is not described: {answer.body[:300]!r}"]
    response = resolved(response)
    found = []
    for name, header in response.get("headers", {}).items():
        value = answer.headers.get(name)
        if value is None:
            found.append(f"there is no header {name}")
        else:
            found += faults(value, resolved(header)["schema"], name)
    content = response.get("content")
    if content is None:
        return found + ([f"there is a body: {answer.body[:80]!r}"] if answer.body else [])
    kind = answer.headers.get("Content-Type", "").split(";")[0]
    if kind not in content:
        return found + [f"{kind} is not described, {list(content)} are"]
    if kind in ("application/json", "application/problem+json"):
        found += faults(json.loads(answer.body), content[kind]["schema"])
    return found

"""An OpenAPI description as a judge: is this request, is this answer, one that it describes?

Stricter than the description itself in one point: a key it does not declare is a fault, in requests and
in answers, where plain JSON Schema would let any key pass.
Source of the format: OpenAPI Specification 3.1; schemas are JSON Schema 2020-12.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from jsonschema_rs import Draft202012Validator

from discord_sandbox.openapi.faults import UNDECLARED, Fault, faults_of

JsonObject: TypeAlias = dict[str, Any]
_METHODS = frozenset({"get", "put", "post", "patch", "delete"})


@dataclass(frozen=True, slots=True)
class Correction:
    """A place where the description itself is wrong: `path` leads there from the schemas, step by step."""

    path: tuple[str, ...]
    right: JsonObject
    reason: str

    def apply(self, schemas: JsonObject) -> None:
        """Put the right schema there; raises KeyError where the description has changed."""
        *steps, last = self.path
        node = schemas
        for step in steps:
            node = node[step]
        if last not in node:
            raise KeyError(last)
        node[last] = self.right


@dataclass(slots=True)
class Operation:
    """One method of one path; `path` is the template, e.g. /channels/{channel_id}."""

    method: str
    path: str
    spec: JsonObject
    judges: dict[str, Draft202012Validator | None] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


class Description:
    """The operations of an API, each with its validators, compiled once when first asked for."""

    def __init__(self, document: JsonObject, corrections: Iterable[Correction] = ()) -> None:
        self._components: JsonObject = document["components"]
        for correction in corrections:
            correction.apply(self._components["schemas"])
        _seal(self._components["schemas"], self._components["schemas"])
        _seal(document["paths"], self._components["schemas"])
        self._operations = [
            Operation(method.upper(), path, spec)
            for path, methods in document["paths"].items()
            for method, spec in methods.items()
            if method in _METHODS
        ]
        for operation in self._operations:
            shared = document["paths"][operation.path].get("parameters", [])
            operation.spec = {**operation.spec, "parameters": [*shared, *operation.spec.get("parameters", [])]}
        self._alike: dict[tuple[str, int], list[Operation]] = defaultdict(list)  # by method and number of steps
        for operation in self._operations:
            self._alike[operation.method, operation.path.count("/")].append(operation)

    @classmethod
    def read(cls, file: Path, corrections: Iterable[Correction] = ()) -> Description:
        """Read a description; raises OSError or ValueError."""
        return cls(json.loads(file.read_bytes()), corrections)

    def find(self, method: str, path: str) -> Operation | None:
        """The operation a request is for; of several templates the one with most literal steps."""
        alike = self._alike.get((method, path.count("/")), ())
        fitting = [each for each in alike if _fits(each.path, path)]
        return max(fitting, key=lambda each: -each.path.count("{"), default=None)

    def request_faults(self, operation: Operation, body: object) -> list[Fault]:
        """What is wrong with a request's JSON body; None stands for no body."""
        asked = operation.spec.get("requestBody")
        if asked is None:
            return [] if body is None else [Fault("", "a body where none is described")]
        if body is None:
            return [Fault("", "no body where one is required")] if asked.get("required") else []
        judge = self._judge(operation, "request", asked)
        return [] if judge is None else faults_of(judge, body)

    def query_faults(self, operation: Operation, query: Iterable[tuple[str, str]]) -> list[Fault]:
        """What is wrong with the parameters behind a request's `?`, given as names and texts."""
        described = {each["name"]: each for each in operation.spec["parameters"] if each["in"] == "query"}
        found: list[Fault] = []
        for name, text in query:
            if name not in described:
                found.append(Fault(f"?{name}", UNDECLARED))
                continue
            key = f"?{name}"
            if key not in operation.judges:
                operation.judges[key] = self._compile(described[name]["schema"])
            judge = operation.judges[key]
            readings = list(_readings(text))
            if judge is not None and not any(judge.is_valid(each) for each in readings):
                found.extend(Fault(key, fault.what) for fault in faults_of(judge, readings[0]))
        return found

    def answer_faults(self, operation: Operation, status: int, body: object) -> list[Fault]:
        """What is wrong with an answer's status and JSON body; None stands for no body."""
        answers = operation.spec["responses"]
        key = str(status) if str(status) in answers else f"{status // 100}XX"
        answer = answers.get(key)
        if answer is None:
            return [Fault("", f"status {status} where {', '.join(answers)} are described")]
        answer = self._resolved(answer)
        if "content" not in answer:
            return [] if body is None else [Fault("", "a body where none is described")]
        judge = self._judge(operation, key, answer)
        return [] if judge is None else faults_of(judge, body)

    def _resolved(self, node: JsonObject) -> JsonObject:
        reference = node.get("$ref")
        if reference is None:
            return node
        _, kind, name = reference.removeprefix("#/").split("/")
        resolved: JsonObject = self._components[kind][name]
        return resolved

    def _judge(self, operation: Operation, key: str, described: JsonObject) -> Draft202012Validator | None:
        if key not in operation.judges:
            content = described["content"].get("application/json")
            operation.judges[key] = None if content is None else self._compile(content["schema"])
        return operation.judges[key]

    def _compile(self, schema: JsonObject) -> Draft202012Validator:
        # The components are at the same place as in the document, so that its references hold.
        return Draft202012Validator({"allOf": [schema], "components": self._components}, validate_formats=True)


def _readings(text: str) -> Iterator[object]:
    """What the text of a parameter may stand for: a number, a truth, itself, or a list of one."""
    if text.lstrip("-").isdecimal():
        yield int(text)
    if text.lower() in ("true", "false", "1", "0"):
        yield text.lower() in ("true", "1")
    yield text
    yield [text]


def _fits(template: str, path: str) -> bool:
    wanted, given = template.split("/"), path.split("/")
    return len(wanted) == len(given) and all(
        step == found or step.startswith("{") for step, found in zip(wanted, given, strict=True)
    )


def _seal(tree: JsonObject, schemas: JsonObject) -> None:
    """Let no object have keys that its schema does not declare, unless the schema says that it may.

    Parts of an `allOf` stay open: what one part does not know another may.
    """
    shared = {
        each["$ref"].rpartition("/")[2] for node in _nodes(tree) for each in node.get("allOf", ()) if "$ref" in each
    }
    parts = {id(each) for node in _nodes(tree) for each in node.get("allOf", ())}
    parts |= {id(schemas[name]) for name in shared if name in schemas}
    for node in _nodes(tree):
        declares = isinstance(node.get("properties"), dict) or "allOf" in node
        is_object = node.get("type") == "object"
        if declares and is_object and "additionalProperties" not in node and id(node) not in parts:
            node["unevaluatedProperties"] = False


def _nodes(tree: object) -> Iterator[JsonObject]:
    if isinstance(tree, dict):
        yield tree
        for each in tree.values():
            yield from _nodes(each)
    elif isinstance(tree, list):
        for each in tree:
            yield from _nodes(each)

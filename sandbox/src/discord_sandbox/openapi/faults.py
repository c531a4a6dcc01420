"""Where exactly a value breaks its schema: of a union's branches, the one that was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jsonschema_rs import Draft202012Validator, ValidationError

_MOST_SHOWN = 100
UNDECLARED = "is not declared"
_IDS = re.compile(r"\d{15,}")
_UNIONS = frozenset({"oneOf", "anyOf"})
_FREQUENT = "tts"
"""discord.py sends this key with nearly every message, and the description declares it for few."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `at` names its place without the indices of lists, e.g. components[].label."""

    at: str
    what: str

    def __str__(self) -> str:
        return f"{self.at or '(the body)'}: {self.what}"


def faults_of(judge: Draft202012Validator, body: object) -> list[Fault]:
    """Every fault of a body, each once."""
    if judge.is_valid(body):  # which is found much sooner than what is wrong
        return []
    if (alone := _frequent_alone(judge, body)) is not None:  # told sooner too
        return [alone]
    found = dict.fromkeys(fault for error in judge.iter_errors(body) for fault in _pinpoint(error))
    # A key with a wrong value counts as undeclared besides, where it is declared in a part of an `allOf`.
    wrong = tuple(fault.at for fault in found if fault.what != UNDECLARED)
    return [fault for fault in found if fault.what != UNDECLARED or not any(at.startswith(fault.at) for at in wrong)]


def _frequent_alone(judge: Draft202012Validator, body: object) -> Fault | None:
    """The fault of a body that is only wrong by the frequent key, in it or in the message that it holds; or None."""
    if isinstance(body, dict):
        for at in ("", "data", "message"):
            part = body.get(at) if at else body
            if isinstance(part, dict) and isinstance(part.get(_FREQUENT), bool):
                rest = {key: value for key, value in part.items() if key != _FREQUENT}
                if judge.is_valid({**body, at: rest} if at else rest):
                    return Fault(f"{at}.{_FREQUENT}" if at else _FREQUENT, UNDECLARED)
    return None


def _pinpoint(error: ValidationError) -> Iterator[Fault]:
    kind = error.kind.as_dict()
    place = _place(error.instance_path)
    if error.kind.name in _UNIONS and kind.get("context"):
        for inner in min(_branches(error), key=lambda each: _distance(each, error.instance_path)):
            yield from _pinpoint(inner)
    elif "unexpected" in kind:
        for name in kind["unexpected"]:
            yield Fault(f"{place}.{name}" if place else name, UNDECLARED)
    elif "property" in kind:
        yield Fault(f"{place}.{kind['property']}" if place else kind["property"], "is missing")
    else:
        yield Fault(place, _IDS.sub("<id>", error.message)[-_MOST_SHOWN:])


def _branches(error: ValidationError) -> Sequence[Sequence[ValidationError]]:
    branches: Sequence[Sequence[ValidationError]] = error.kind.as_dict()["context"]
    return branches


def _distance(branch: Sequence[ValidationError], here: Sequence[str | int]) -> tuple[bool, bool, bool, int]:
    """How far a branch is from what was meant: another kind of value, null, another `type`, more faults of its own."""
    others = [each for each in branch if each.kind.name == "type" and list(each.instance_path) == list(here)]
    is_null = any(each.kind.as_dict()["types"] == ["null"] for each in others)
    is_other_type = any(
        each.kind.name in ("const", "enum") and list(each.instance_path) == [*here, "type"] for each in branch
    )
    own = [each.kind.as_dict() for each in branch if list(each.instance_path) == list(here)]
    return bool(others), is_null, is_other_type, sum(len(each.get("unexpected", "1")) for each in own)


def _place(path: Sequence[str | int]) -> str:
    place = ""
    for step in path:
        if isinstance(step, int):
            place += "[]"
        else:
            # Keys that are ids (of a map) are no place of their own.
            place += f".{'*' if step.isdecimal() else step}" if place else step
    return place

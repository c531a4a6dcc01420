"""A weather as text on a command line: the dials that are not calm, as `latency=0.3,clocks=blitz+normal`."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Final

from tests.simulation.weather_fields import CALM, Weather

CALM_WORD: Final = "calm"

_DEFAULTS: Final[dict[str, Any]] = {field.name: getattr(CALM, field.name) for field in fields(Weather)}


class NoSuchDial(ValueError):  # noqa: N818  what is wrong is in its text
    """A text that is no weather; it says in one line what is wrong."""


def turned(weather: Weather) -> dict[str, Any]:
    """The dials that are not as they come, by name."""
    return {name: getattr(weather, name) for name, calm in _DEFAULTS.items() if getattr(weather, name) != calm}


def as_text(weather: Weather) -> str:
    """The weather as `read` takes it."""
    return ",".join(f"{name}={_value_text(value)}" for name, value in turned(weather).items()) or CALM_WORD


def read(text: str) -> Weather:
    """The weather of a text. Raises NoSuchDial."""
    if text == CALM_WORD:
        return CALM
    given: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if name not in _DEFAULTS or not equals:
            raise NoSuchDial(f"{part!r} is none of {', '.join(_DEFAULTS)} with its value")
        try:
            given[name] = _value(value, _DEFAULTS[name])
        except ValueError:
            raise NoSuchDial(f"{value!r} is no value of {name}, which is {_DEFAULTS[name]!r} as it comes") from None
    return replace(CALM, **given)


def _value_text(value: Any) -> str:
    return "+".join(value) if isinstance(value, tuple) else str(value)


def _value(text: str, usual: Any) -> Any:
    if isinstance(usual, bool):
        return {"True": True, "False": False}[text] if text in {"True", "False"} else _wrong()
    if isinstance(usual, tuple):
        return tuple(text.split("+"))
    return type(usual)(text)


def _wrong() -> Any:
    raise ValueError

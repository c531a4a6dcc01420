"""What a message of the bot says, read as a player reads it: its lines, its buttons, and the sentences among them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from bot.games import GAMES
from bot.ui.catalogue import catalogue, keys, translations
from bot.ui.text_lines import BLANK
from cogs.screens import custom_ids

_TEXT: Final = 10
_CONTROLS: Final = frozenset({2, 3, 5, 6, 7, 8})
_BOLD: Final = re.compile(r"\*\*(.+)\*\*")
_ENDING: Final = re.compile(r"(?:\w+\.)?ending\.")
"""The keys of what a result says, of all games and of one."""
_ALSO_BOLD: Final = re.compile(_ENDING.pattern + r"|\w+\.step$")
"""The keys of what is in bold letters without being a note: the result, and how far a hand's question is."""
LONGEST_NOTE: Final = 5
"""Lines of the longest note."""
_TIME: Final = re.compile(r"<t:(-?[0-9]+):[a-zA-Z]>")
_HOLE: Final = re.compile(r"\\{[a-z_]+\\}")


@dataclass(frozen=True, slots=True)
class Control:
    """A button, or a list with its lines. `choices` are the lines' values, empty for a button."""

    custom_id: str
    label: str
    disabled: bool
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def verb(self) -> str:
        """The verb of its id; empty if the id is not one of ours."""
        return _read(self.custom_id)[1]

    @property
    def subject(self) -> str:
        """The match or invitation of its id; empty if the id is not one of ours."""
        return _read(self.custom_id)[0]


@dataclass(frozen=True, slots=True)
class Reading:
    """A message: the lines of its texts in their order, and its controls."""

    lines: tuple[str, ...]
    controls: tuple[Control, ...]

    @property
    def subject(self) -> str:
        """The match or invitation that its controls act on; empty without any."""
        return next((control.subject for control in self.controls if control.subject), "")

    @property
    def note(self) -> str:
        """The sentence that answers a press, in bold letters unless it is long, over one line or several; or empty."""
        for start, line in enumerate(self.lines[1:], 1):
            bare = line.removeprefix("-# ")
            is_bold = _BOLD.fullmatch(bare) is not None
            if is_bold or bare.startswith(_beginnings()):
                found = self._note_from(start, is_bold=is_bold)
                if found and not _ALSO_BOLD.match(key_of(found)):
                    return found
        return ""

    def _note_from(self, start: int, *, is_bold: bool) -> str:
        """The longest note that begins with a line; empty if none does."""
        found, said = "", list[str]()
        for line in self.lines[start : start + LONGEST_NOTE]:
            bare = line.removeprefix("-# ")
            if is_bold != (_BOLD.fullmatch(bare) is not None) or bare == BLANK or key_of(bare).startswith("deal."):
                break
            said.append(bare[2:-2] if is_bold else bare)
            sentence = " ".join(said)
            key = key_of(sentence)
            if key and not (found and is_of_result(key)):  # the result, with the note before its first name
                found = sentence
        return found

    @property
    def is_hand(self) -> bool:
        """Whether it is somebody's hand."""
        return bool(self.lines) and self.lines[0] in hand_titles()

    @property
    def selection(self) -> str:
        """The selection that the hand shows, as in the ids; empty if nothing can be selected."""
        for control in self.controls:
            if control.verb == "d":
                return custom_ids.read(control.custom_id)[1].arg
        return ""

    def times(self) -> list[int]:
        """The moments that it shows, in seconds since 1970."""
        return [int(found) for line in self.lines for found in _TIME.findall(line)]


def is_of_result(key: str) -> bool:
    """Whether a key is of what a result says."""
    return _ENDING.match(key) is not None


def read(message: Mapping[str, Any]) -> Reading:
    """Read a message, or what an answer would make of one."""
    lines = [*str(message.get("content") or "").splitlines()]
    controls = []
    for component in _walk(message.get("components") or ()):
        if component.get("type") == _TEXT:
            lines += str(component.get("content", "")).splitlines()
        elif component.get("type") in _CONTROLS:
            controls.append(
                Control(
                    str(component.get("custom_id", "")),
                    str(component.get("label") or component.get("placeholder") or ""),
                    bool(component.get("disabled")),
                    tuple((str(each["value"]), str(each["label"])) for each in component.get("options") or ()),
                )
            )
    return Reading(tuple(line for line in lines if line), tuple(controls))


@lru_cache(maxsize=4096)
def key_of(sentence: str) -> str:
    """The key in the catalogue of a sentence with its placeholders filled; empty if it is none of ours."""
    exact = _exact().get(sentence)
    if exact is not None:
        return exact
    return next((key for key, pattern in _patterns() if pattern.fullmatch(sentence)), "")


@cache
def _beginnings() -> tuple[str, ...]:
    """How notes begin that answer any press, whatever the game."""
    return tuple(text[:12] for key, text in _sentences().items() if key.startswith(("press.", "store.")))


@cache
def hand_titles() -> frozenset[str]:
    """The first lines of the hands of all games."""
    say = translations("en")
    return frozenset(f"### {say('hand.title', game=game.info.title)}" for game in GAMES.values())


def _walk(components: Any) -> Iterator[Mapping[str, Any]]:
    for component in components:
        yield component
        yield from _walk(component.get("components") or ())


@cache
def _sentences() -> dict[str, str]:
    """The sentences by their keys, without plurals."""
    found = catalogue("en")
    return {key: text for key in keys(found) if isinstance(text := found[key].string, str)}


@cache
def _exact() -> dict[str, str]:
    return {text: key for key, text in _sentences().items() if "{" not in text}


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    """Those with placeholders. One that is little else would match anything."""
    return [
        (key, re.compile(_HOLE.sub("(.+?)", re.escape(text))))
        for key, text in _sentences().items()
        if "{" in text and len(_HOLE.sub("", re.escape(text))) > 12
    ]


def _read(custom_id: str) -> tuple[str, str]:
    try:
        subject, press = custom_ids.read(custom_id)
    except custom_ids.UnknownCustomId:
        return "", ""
    return subject, press.verb

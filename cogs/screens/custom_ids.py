"""Button ids: one template for the whole bot, ``g1:<subject>:<window>:<verb>[:<argument>]``, at most 100 characters.

The first field is the format's version, which tells ids of an older format from garbage. Who pressed never comes from
the id. A selection (the cards picked so far) travels in the argument as indexes in the presser's own hand:
``<verb>.<hexadecimal bitmask>`` for a set, ``<verb>.<one letter an index>`` for an order, where dots before the letter
add 64 each. An act of a race carries how many of the presser's own acts the hand counts: ``<verb>.<number>``.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping
from typing import Any

from bot.ui.screen import Press

VERSION = "g1"
LONGEST = 100
LONGEST_ARGUMENT = 70
TYPED = "typed"
"""The id of the one field of a form."""
ACTS = "acts"
"""The verb of a list of acts: each of its lines is a press of its own, ``<verb>`` or ``<verb>.<argument>``."""

LARGEST_ID = 2**63 - 1
"""No id of Discord's is larger, nor any number in the database."""

_ID = re.compile(r"g1:([a-z0-9_]{1,24}):([0-9]{1,6}):([a-z]{1,12})(?::([A-Za-z0-9_.\-]{0,70}))?")
_ARGUMENT = re.compile(r"[A-Za-z0-9_.\-]{1,70}")
_PAGE = re.compile(r"[0-9]{1,6}")
_USER = re.compile(r"[0-9]{1,20}")
_SEATED = re.compile(r"-?[0-9]{1,20}")
_MASK = re.compile(r"[0-9a-f]*")
_SELECTION = re.compile(r"([a-z0-9_\-]{1,40})(?:\.([A-Za-z0-9_.\-]*))?")
_COUNTED = re.compile(r"(.*)\.([0-9]{1,6})")
_LETTER = re.compile(r"(\.*)([A-Za-z0-9_\-])")
_LETTERS = string.ascii_letters + string.digits + "-_"


class UnknownCustomId(ValueError):  # noqa: N818  the name says what is wrong
    """Raised for an id that this version of the bot did not write."""


def write(subject: str, press: Press) -> str:
    """The id of a press on a subject (a match, an invitation, or a game for its rules). Raises ValueError past 100."""
    tail = f":{press.arg}" if press.arg else ""
    text = f"{VERSION}:{subject}:{press.window}:{press.verb}{tail}"
    if len(text) > LONGEST:
        raise ValueError("a button's id is past Discord's 100 characters")
    return text


def read(text: str) -> tuple[str, Press]:
    """The subject and the press that an id names. Raises UnknownCustomId."""
    found = _ID.fullmatch(text)
    if found is None:
        raise UnknownCustomId("not one of our ids")
    subject, window, verb, arg = found.groups()
    return subject, Press(verb, int(window), arg or "")


def read_press(data: Mapping[str, Any]) -> tuple[str, Press]:
    """The subject and the press of an interaction's data. A line that was chosen from a list is the argument; from a
    list of acts, it is the press.

    Raises UnknownCustomId.
    """
    subject, press = read(str(data.get("custom_id", "")))
    match data.get("values"):
        case [chosen, *_] if press.verb == ACTS:
            verb, _, arg = read_chosen(chosen).partition(".")
            return subject, Press(verb, press.window, arg)
        case [chosen, *_]:
            return subject, Press(press.verb, press.window, read_chosen(chosen))
    return subject, press


def write_line(press: Press) -> str:
    """A press as a line of a list of acts."""
    return f"{press.verb}.{press.arg}" if press.arg else press.verb


def read_chosen(value: object) -> str:
    """The argument that a line of a list carries. Raises UnknownCustomId."""
    if not isinstance(value, str) or _ARGUMENT.fullmatch(value) is None:
        raise UnknownCustomId("not a line of our lists")
    return value


def read_ids(data: Mapping[str, Any]) -> tuple[int, ...]:
    """The channels or roles that were chosen from a list of them; perhaps none. Raises UnknownCustomId."""
    match data.get("values"):
        case [*chosen]:
            return tuple(read_user(each) for each in chosen)
    raise UnknownCustomId("not one of our lists of channels or roles")


def read_typed(data: Mapping[str, Any]) -> str:
    """What was typed into one of our forms. Raises UnknownCustomId."""
    match data.get("components"):
        case [{"component": {"custom_id": str(field), "value": str(typed)}}] if field == TYPED:
            return typed
    raise UnknownCustomId("not one of our forms")


def read_page(arg: str) -> int:
    """The page that an argument names. Raises UnknownCustomId."""
    if _PAGE.fullmatch(arg) is None:
        raise UnknownCustomId("no such page")
    return int(arg)


def read_move(arg: str) -> int:
    """The number of a match's move that an argument names. Raises UnknownCustomId."""
    if _PAGE.fullmatch(arg) is None:
        raise UnknownCustomId("no number of a move")
    return int(arg)


def read_user(value: object) -> int:
    """The user, channel or role that an argument or a line of a list names. Raises UnknownCustomId."""
    if not isinstance(value, str) or _USER.fullmatch(value) is None or int(value) > LARGEST_ID:
        raise UnknownCustomId("no id of Discord's")
    return int(value)


def read_seated(value: object) -> int:
    """Somebody at a table: a user, or a computer, whose id is negative. Raises UnknownCustomId."""
    if not isinstance(value, str) or _SEATED.fullmatch(value) is None:
        raise UnknownCustomId("no id of somebody at a table")
    return int(value)


def write_selection(verb: str, picked: tuple[int, ...], *, ordered: bool) -> str:
    """The argument for some picks of an offer."""
    if ordered:
        return f"{verb}.{''.join('.' * (index // 64) + _LETTERS[index % 64] for index in picked)}"
    return write_set(verb, mask_of(picked))


def write_set(verb: str, mask: int) -> str:
    """The argument for the picks of an offer without an order, given as a bitmask of their indexes."""
    return f"{verb}.{mask:x}"


def mask_of(picked: Iterable[int]) -> int:
    """The bitmask of indexes."""
    mask = 0
    for index in picked:
        mask |= 1 << index
    return mask


def read_selection(arg: str, *, ordered: bool) -> tuple[int, ...]:
    """The picks of an argument, ascending unless ordered. Raises UnknownCustomId."""
    found = _SELECTION.fullmatch(arg)
    if found is None:
        raise UnknownCustomId("not a selection")
    written = found[2] or ""
    if ordered:
        if written.endswith("."):
            raise UnknownCustomId("not a selection")
        return tuple(64 * len(dots) + _LETTERS.index(letter) for dots, letter in _LETTER.findall(written))
    if _MASK.fullmatch(written) is None:
        raise UnknownCustomId("not a selection")
    mask = int(written or "0", 16)
    return tuple(index for index in range(mask.bit_length()) if mask >> index & 1)


def write_act(verb: str, acts: int) -> str:
    """The argument for an act in a race, on a hand that counts this many acts of its owner."""
    return f"{verb}.{acts}"


def read_acts(arg: str) -> int | None:
    """How many acts of its owner the hand counted on which an act was pressed; None if the argument does not say."""
    found = _COUNTED.fullmatch(arg)
    return None if found is None else int(found[2])


def offer_of(arg: str) -> str:
    """The verb of the offer that a selection belongs to."""
    return arg.partition(".")[0]

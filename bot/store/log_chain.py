"""The hash chain of a match's log, `cardroom/log/v1`. A record that was altered, lost or inserted breaks it::

    H(-1) = SHA-256("cardroom/log/v1" ‖ one zero byte ‖ the match's id)
    H(n)  = SHA-256(H(n-1) ‖ seq, actor, action, events, time, joined by newlines)

Where a computer player acted, its level and version are the last of these values (where a person did, there is none).

Texts are UTF-8 and as they are stored, numbers are decimal, null is empty, `H(n-1)` is 32 bytes. A stored text is JSON
on one line, so no newline in it can be taken for one between two values. No user's id is part of it: deleting a person
breaks no chain. `docs/fair-deals.md` has the format for people who check a match themselves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from bot.store.rows.matches import Record

VERSION: Final = "cardroom/log/v1"


def first_link(match_id: str) -> bytes:
    """H(-1): what the first record of a match is chained to."""
    return hashlib.sha256(VERSION.encode() + b"\x00" + match_id.encode()).digest()


def link(before: bytes, *values: int | str | None) -> bytes:
    """H(n), 32 bytes, of a record's seq, actor, action, events and time (ms since 1970, UTC), and the computer player
    that acted, if one did. `before` is H(n-1)."""
    text = "\n".join(["" if value is None else str(value) for value in values])
    return hashlib.sha256(before + text.encode()).digest()


def link_of(before: bytes, record: Record) -> bytes:
    """H(n) of a record. `before` is H(n-1)."""
    actor = "" if record.actor is None else record.actor
    action = "" if record.action is None else record.action
    # As `link` joins them, in half its time: a start does so for more than a million records.
    text = f"{record.seq}\n{actor}\n{action}\n{record.events}\n{record.at}"
    if record.computer is not None:
        text += f"\n{record.computer}"
    return hashlib.sha256(before + text.encode()).digest()


def first_altered(match_id: str, records: Sequence[Record]) -> int | None:
    """The place in a log of the first record whose stored value isn't the one that follows; None if there is none.

    A log without records counts as altered at 0, because every match has its deal.
    """
    value = first_link(match_id)
    for place, record in enumerate(records):
        value = link_of(value, record)
        if record.seq != place or record.chain != value:
            return place
    return None if records else 0

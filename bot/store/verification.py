"""Verifies that what is stored of a match is what was saved: its seed opens its seal, its salts fit their digests, and
its log's chain is unbroken.

This needs no rules and no cards, and is quick. Whether a log follows from its seed and its acts is another question,
which `bot.play.deals.proof` answers.

A log is a hash chain, `cardroom/log/v2`. A record that was altered, lost or inserted breaks it::

    H(-1) = SHA-256("cardroom/log/v2" ‖ one zero byte ‖ the match's id)
    H(n)  = SHA-256(H(n-1) ‖ seq, actor, action, events, time, joined by newlines)

Where a computer player acted, its level and version are the last of these values (where a person did, there is none).

Texts are UTF-8 and as they are stored, numbers are decimal, null is empty, `H(n-1)` is 32 bytes. A stored text is JSON
on one line, so no newline in it can be taken for one between two values. No user's id is part of it: deleting a person
breaks no chain. `docs/fair-deals.md` has the format for people who check a match themselves.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeVar

from bot.durations import clock_terms
from bot.store.codec import without_tags
from bot.store.special_ids import is_deleted
from engines.deals import VERSION, commitment_of, salt_digest

if TYPE_CHECKING:  # the queries chain what they unpack
    from bot.store.queries.invitations import Invitation, Series, StandIn
    from bot.store.queries.matches import MatchRow, Record, Result

T = TypeVar("T")

DRAWN: Final = "drawn"
"""What the terms say of a match in a series where chance decides who acts first."""


class AlteredPart(StrEnum):
    """The part of a match that isn't as it was saved."""

    DEAL = "deal"
    """The seed and all that the seal binds don't open it, or a salt isn't the one of its digest."""
    LOG = "log"
    """The chain is broken, or isn't the one that the result names."""


class Altered(Exception):  # noqa: N818  says what was found
    """A part of a match was altered; in a log, from the record at `index` on."""

    def __init__(self, part: AlteredPart, index: int | None = None) -> None:
        super().__init__(f"its {part} was altered" + ("" if index is None else f" at record {index}"))
        self.part = part
        self.index = index


def verify(row: MatchRow, records: Sequence[Record], result: Result | None) -> None:
    """Raise Altered unless the match is as it was saved. `records` is its whole log; `result` is None while it is
    live."""
    if not opens_seal(row) or not _has_its_salts(row):
        raise Altered(AlteredPart.DEAL)
    index = first_altered(row.id, records)
    if index is None and row.origin is not None and opening_digest(records[0].events) != row.origin.digest:
        index = 0
    if index is None and result is not None and result.chain != records[-1].chain:
        index = len(records)
    if index is not None:
        raise Altered(AlteredPart.LOG, index)


def opening_digest(events: str) -> bytes:
    """The SHA-256 of an opening that was taken from another match, 32 bytes: of its facts as its log has them."""
    return hashlib.sha256(events.encode()).digest()


def terms_of(clock: str, stand_in: StandIn, series: Series | None) -> str:
    """The terms of a match as its seal binds them: its stand-in, its clock and, in a series, its number
    there, the wins before it and who acts first. Raises ValueError for a clock that there isn't."""
    in_series: tuple[object, ...] = ()
    if series is not None:
        first = DRAWN if series.first is None else series.first
        in_series = (series.id, series.best_of, series.number, *series.wins, first)
    return " ".join(map(str, (stand_in.value, clock_terms(clock), *in_series)))


def made_seal(sealed: Invitation | MatchRow) -> bytes | None:
    """The seal that the seed of an invitation or a match makes; None where its terms can't be read."""
    try:
        terms = terms_of(sealed.clock, sealed.stand_in, sealed.series)
    except ValueError:
        return None
    return commitment_of(
        sealed.seed, sealed.game, sealed.rules_version, sealed.deal_id, sealed.sealed_options, terms=terms
    )


def opens_seal(sealed: Invitation | MatchRow) -> bool:
    """Whether the seed of an invitation or a match opens its seal, with all that the seal binds."""
    if sealed.deal_version != VERSION:
        return False
    return made_seal(sealed) == sealed.commitment and are_sealed(sealed.options, sealed.sealed_options)


def _has_its_salts(row: MatchRow) -> bool:
    """Whether each seat has its salt's digest, and the text that fits it unless its player was deleted."""
    return len(row.salts) == len(row.seats) and all(
        salt.text is None if is_deleted(user) else salt.text is not None and salt_digest(salt.text) == salt.digest
        for user, salt in zip(row.seats, row.salts, strict=True)
    )


def are_sealed(options: str, sealed: str) -> bool:
    """Whether options, as they are stored for play, say what the sealed text says."""
    try:
        fields = json.loads(options)
        return isinstance(fields, dict) and without_tags(fields) == json.loads(sealed)
    except (ValueError, RecursionError):  # an altered text may be nested deeply
        return False


# ---------------------------------------------------------------------------------- the chain of a log

LOG_CHAIN: Final = "cardroom/log/v2"


def first_link(match_id: str) -> bytes:
    """H(-1): what the first record of a match is chained to."""
    return hashlib.sha256(LOG_CHAIN.encode() + b"\x00" + match_id.encode()).digest()


def link_of(before: bytes, record: Record) -> bytes:
    """H(n) of a record. `before` is H(n-1)."""
    return link_of_values(before, record.seq, record.actor, record.action, record.events, record.at, record.computer)


def link_of_values(  # noqa: PLR0917  by position it is faster
    before: bytes, seq: int, actor: int | None, action: str | None, events: str, at: int, computer: str | None = None
) -> bytes:
    """The same of what a record says: `at` in ms since 1970, UTC, and the computer player that acted, if one did.

    It is written for speed, because a start does so for more than a million records.
    """
    text = f"{seq}\n{'' if actor is None else actor}\n{'' if action is None else action}\n{events}\n{at}"
    if computer is not None:
        text += f"\n{computer}"
    return hashlib.sha256(before + text.encode()).digest()


class ChainedAgain(list[T]):
    """The records of a log whose chain isn't stored, but was made as they were read. The result has its end."""


def first_altered(match_id: str, records: Sequence[Record]) -> int | None:
    """The index in a log of the first record whose stored value isn't the one that follows; None if there is none.

    A log without records counts as altered at 0, because every match has its deal.
    """
    if records and isinstance(records, ChainedAgain):
        return None  # none is stored
    value = first_link(match_id)
    for index, record in enumerate(records):
        value = link_of(value, record)
        if record.seq != index or record.chain != value:
            return index
    return None if records else 0

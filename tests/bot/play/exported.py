"""Finished matches of all games as they are exported, made without a bot, and altered as a forger would."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, Final

import pytest

from bot.play.computers.stand_ins import NOBODY_ABSENT
from bot.play.counting import Ending, result_of
from bot.play.deals.match_export import ExportedMatch, NotAnExportError, export, write
from bot.play.deals.sealing import deal_of, random_id
from bot.play.match_state import codec
from bot.store import verification
from bot.store.queries.matches import MatchRow, Record, Result, Salt
from bot.time_controls import time_control
from engines.deals import salt_digest
from engines.game import Outcome, TimeUp
from laws.play import Deal, MatchLog, Odds, random_match
from tests.games.cases import case_of

SEALED_AT, OPENED_AT, DEALT_AT = 1_800_000_000_000, 1_800_000_060_000, 1_800_000_060_001
SALTS: Final = ("apple", "", "cafe\N{COMBINING ACUTE ACCENT} \N{PLAYING CARD ACE OF SPADES}", "<@1>\t*x*", "5", "6")
"""What the players added: among it nothing at all, and a text that is not in NFC."""


def row_of(key: str, setting: str, seats: int, seed: object = 1) -> MatchRow:
    """A match that is about to be dealt."""
    source = random.Random(f"{seed} {key} {setting}")
    plan = case_of(key).deal(setting, seats, source)
    written = codec(key)
    row = MatchRow(
        id=random_id(source),
        guild_id=0,
        channel_id=0,
        board_id=None,
        board_at=None,
        game=key,
        rules_version=plan.game.info.rules_version,
        options=written.encode(plan.options),
        clock="normal",
        seats=tuple([-1 - seat for seat in range(seats)]),
        seed=plan.seed,
        commitment=b"",
        opened_at=OPENED_AT,
        deal_id=random_id(source),
        sealed_options=written.encode_fields(plan.options),
        salts=tuple([Salt(salt_digest(text), text) for text in SALTS[:seats]]),
    )
    return sealed(row)


@cache
def exported(key: str, setting: str = "", seats: int = 0, *, seed: int = 1, odds: Odds | None = None) -> ExportedMatch:
    """A match that was played by chance to its end. Without a setting, at the first table of the game."""
    if not setting:
        setting, seats = case_of(key).setups[0]
    return played(row_of(key, setting, seats, seed), random.Random(seed), odds)


def plan_of(row: MatchRow) -> Deal:
    """What the laws play a match from."""
    options = codec(row.game).decode(row.options)
    return Deal(case_of(row.game).game, options, len(row.seats), row.seed, row.id, deal_of(row))


def played(row: MatchRow, rng: random.Random, odds: Odds | None = None, moves: int | None = None) -> ExportedMatch:
    """A match, played by chance to its end. After a number of moves, it is called off."""
    log = random_match(plan_of(row), rng, odds, moves)
    return ExportedMatch(row, *_log(row, log), SEALED_AT)


def _log(row: MatchRow, log: MatchLog) -> tuple[tuple[Record, ...], Result]:
    game, written = log.deal.game, codec(row.game)
    moved = any(move.actor is not None for move in log.moves)
    off = Outcome("lapsed" if moved else "called_off", (), void=True)
    outcome = game.outcome(log.states[-1]) or off
    acts: list[tuple[int | None, str | None, Iterable[Any]]] = [(None, None, log.opening)]
    acts += [(move.actor, written.encode(move.action), move.events) for move in log.moves]
    records = [
        Record(row.id, seq, None, actor, action, written.encode_all(events), at)
        for seq, ((actor, action, events), at) in enumerate(zip(acts, _times(row, log), strict=True))
    ]
    knowing = frozenset([record.actor for record in records[:-1] if record.actor is not None])
    ranks, counted = result_of(row, game.info, Ending(outcome, NOBODY_ABSENT, len(log.moves), knowing))
    chained = chain(row.id, records)
    return chained, Result(row.id, outcome.kind, ranks, records[-1].at, counted, chained[-1].chain)


def _times(row: MatchRow, log: MatchLog) -> Iterator[int]:
    """The times of the records: a second for each, but all of a timer's length before it runs out."""
    at, clock, since = DEALT_AT, time_control(row.clock), dict[tuple[str, str], int]()
    for state, move in zip(log.states, (*log.moves, None), strict=True):
        yield at
        window = log.deal.game.window(state)
        timers = () if window is None else window.timers
        since = {(each.name, each.key): since.get((each.name, each.key), at) for each in timers}
        due = [
            since[each.name, each.key] + 1000 * clock.length(each.length)
            for each in timers
            if move is not None and move.action == TimeUp(each.name, each.key)
        ]
        at = max([at + 1000, *due])


# ---------------------------------------------------------------------------------------------- what happens to them


def without_player(match: ExportedMatch, seat: int) -> ExportedMatch:
    """The match after one of its players had themselves deleted."""
    row = match.row
    salts = tuple([Salt(salt.digest, None) if each == seat else salt for each, salt in enumerate(row.salts)])
    return replace(match, row=replace(row, salts=salts))


def sealed(row: MatchRow) -> MatchRow:
    """The row with the seal that its seed makes, as somebody makes it who makes up a match."""
    return replace(row, commitment=verification.made_seal(row) or b"")


def chain(match_id: str, records: Iterable[Record]) -> tuple[Record, ...]:
    """The records with the chain that they make, as the store writes it."""
    value, chained = verification.first_link(match_id), list[Record]()
    for record in records:
        value = verification.link_of(value, record)
        chained.append(replace(record, chain=value))
    return tuple(chained)


def rechained(match: ExportedMatch) -> ExportedMatch:
    """The match with a new chain, also in the result, as somebody makes it who alters a log."""
    records = chain(match.row.id, match.records)
    return replace(match, records=records, result=replace(match.result, chain=records[-1].chain))


def with_record(match: ExportedMatch, seq: int, **changes: Any) -> ExportedMatch:
    """The match with something else in one record. Its chain stays."""
    changed = replace(match.records[seq], **changes)
    return replace(match, records=(*match.records[:seq], changed, *match.records[seq + 1 :]))


def text_of(match: ExportedMatch) -> bytes:
    """The file of a match."""
    return write(json_of(match))


def json_of(match: ExportedMatch) -> dict[str, Any]:
    """What is in the file of a match, to be altered."""
    found: dict[str, Any] = json.loads(write(export(match.row, match.records, match.result, match.sealed_at)))
    return found


def refused_by(read: Callable[[bytes], object], text: bytes) -> str:
    """The sentence with which one of the readers refuses a text."""
    with pytest.raises(NotAnExportError) as refused:
        read(text)
    assert refused.value.__cause__ is None
    assert refused.value.__context__ is None
    sentence = str(refused.value)
    assert sentence.isprintable()
    assert len(sentence) < 150
    return sentence

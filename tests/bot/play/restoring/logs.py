"""Logs of unfinished matches, of all games and at several moments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bot.play.facts.replayed_log import ReplayedLog
from bot.play.restoring.log_packing import SavedLog
from bot.store import log_chain
from bot.store.rows.invitations import StandIn
from engines import GAMES
from tests.bot.play.exported import exported
from tests.games.cases import case_of


def unfinished_logs() -> Iterator[SavedLog]:
    """Logs of every game at its first and its last table: dealt, half played, and before the last act."""
    for game in GAMES:
        for setting, seats in sorted({*case_of(game).tables[:1], *case_of(game).tables[-1:]}):
            match = exported(game, setting, seats)
            people = tuple(range(1, seats + 1))
            row = replace(match.row, seats=people, clock="blitz", stand_in=StandIn.RATED)
            for acts in (0, len(match.records) // 2, len(match.records) - 2):
                yield row, match.records[: acts + 1]


def altered(saved: SavedLog) -> SavedLog:
    """A log whose chain says that it was altered."""
    row, records = saved
    return row, (*records[:-1], replace(records[-1], chain=log_chain.first_link("another")))


def said(log: ReplayedLog | None, seats: int) -> tuple[Any, ...]:
    """All that a log says, to be compared."""
    assert log is not None
    own = log.own_acts
    acts = [(own.count(seat), own.unconfirmed(seat), own.last_action(seat)) for seat in range(seats)]
    facts = log.last_facts.before_question, log.last_facts.all
    return log.state, repr(log.state), log.acts, log.chain, log.events, facts, acts, log.holders, log.moves, log.moved

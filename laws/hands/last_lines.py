"""The lines of a match's last events, on its board and its hands, from the few facts of its log that a match keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.play.facts.last_facts import BOARD_LINES, HAND_LINES, LastFacts
from bot.ui.catalogue import translations
from cogs.screens.narration import lines_of
from cogs.screens.presenter import Reader
from engines.game import Event, seen_by
from laws.case import GameCase, Viewer
from laws.play import MatchLog

SPARSE = 5
"""At each act whose number this divides, somebody's lines are compared."""


def events_say_whether_they_are_narrated(case: GameCase, log: MatchLog) -> None:
    """The presenter has a line for exactly the events that say so. A live match keeps no others."""
    for reader in _readers(log):
        for event in log.events():
            seen = seen_by(event, reader.seat)
            if seen is not None:
                line = case.presenter.narrate(seen, reader)
                assert bool(line) is seen.narrated, f"{type(seen).__name__}: {line!r}"


def last_lines_need_only_kept_facts(case: GameCase, log: MatchLog) -> None:
    """The last lines of everybody are the same from the facts that are kept as from all, while a match is played and
    after it was taken up, and few are kept."""
    game, seats = log.deal.game, log.deal.seats
    kept, number, asked = LastFacts(seats), -1, 0
    for moves, facts in enumerate((log.opening, *(move.events for move in log.moves))):
        window = game.window(log.states[moves])
        asks = (window.number if window else 0) != number
        kept.add(facts, asks=asks)
        number, asked = window.number if window else 0, moves if asks else asked
        if moves % SPARSE and moves < len(log.moves):
            continue
        before, whole = log.events(asked), log.events(moves)
        restored = LastFacts(seats, (before, whole[len(before) :]), 1)
        for reader in _readers(log):
            for mine in (kept, restored):
                assert _lines(case, reader, mine.all) == _lines(case, reader, whole)
                assert _lines(case, reader, mine.before_question) == _lines(case, reader, before)


def _readers(log: MatchLog) -> Iterator[Reader]:
    names = tuple(f"Player {seat}" for seat in range(log.deal.seats))
    viewers: Iterable[Viewer] = (None, *range(log.deal.seats))
    return (Reader(translations("en"), names, viewer) for viewer in viewers)


def _lines(case: GameCase, reader: Reader, facts: Iterable[Event]) -> tuple[str, ...]:
    most = BOARD_LINES if reader.seat is None else HAND_LINES
    return lines_of(list(facts), reader.seat, case.presenter, reader, most=most).lines

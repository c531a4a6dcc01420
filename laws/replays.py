"""The law of replays: through somebody's eyes a replay shows, at each step, exactly what these eyes saw then."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import orjson

from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.store.queries.finished_matches import FinishedMatch
from bot.store.queries.matches import MatchRow, Record, Result
from bot.telemetry import NO_TELEMETRY
from bot.ui.screen import Screen
from cogs.replays.replay import Eyes, Replay, read_eyes
from cogs.replays.screens import ShownReplay, View, replay_screen
from cogs.screens.presenter import Reader
from cogs.screens.renderer import render
from engines.game import Event, seen_by
from laws import knowledge
from laws.bodies import LONGEST_NAME, as_drawn
from laws.case import GameCase
from laws.limits import faults
from laws.play import FIRST_USER, MatchLog

LOOKS: Final = 25
"""How many steps of a match are looked at."""
SCREENS: Final = 4
"""How many of its screens are."""

_CARD: Final = re.compile(r"`([^`]+)`")
_NO_STORE: Final[Any] = None
_OPENED: Final = 1_800_000_000_000


def replay_of(log: MatchLog) -> tuple[Replay, LiveMatch]:
    """A played match as a replay of what would be stored of it, and as the finished match that is read from that."""
    game, written = log.deal.game, codec(log.deal.game.info.key)
    row = MatchRow(
        id=log.deal.match_id,
        guild_id=0,
        channel_id=0,
        board_id=None,
        board_at=None,
        game=game.info.key,
        rules_version=game.info.rules_version,
        options=written.encode(log.deal.options),
        clock="normal",
        seats=tuple([FIRST_USER + seat for seat in range(log.deal.seats)]),
        seed=log.deal.seed,
        commitment=b"",
        opened_at=_OPENED,
    )
    records = [Record(row.id, 0, None, None, None, written.encode_all(log.opening), _OPENED)]
    for seq, move in enumerate(log.moves, start=1):
        encoded = written.encode(move.action), written.encode_all(move.events)
        records.append(Record(row.id, seq, None, move.actor, *encoded, _OPENED + seq))
    outcome = game.outcome(log.states[-1])
    assert outcome is not None, "a replay is of a finished match"
    ranks = () if outcome.void else outcome.ranks
    result = Result(row.id, outcome.kind, ranks, _OPENED + len(records), counted=False)
    match = LiveMatch(row, _NO_STORE, lambda: _OPENED, NO_TELEMETRY)
    match.replay(records, (), result)
    return Replay(row, records, result, _OPENED), match


def it_shows_what_was_seen(log: MatchLog, rng: random.Random) -> None:
    """Every player's eyes, those of all, and the board: some steps in any order, as somebody may go through them."""
    (replay, _), seats = replay_of(log), log.deal.seats
    assert replay.last == len(log.moves)
    steps = rng.sample(range(len(log.states)), min(LOOKS, len(log.states)))
    for step in (0, replay.last, *steps):
        for eyes in (Eyes(), *map(Eyes.of, range(seats)), Eyes.all_hands(seats)):
            assert read_eyes(eyes.name, seats) == eyes
            _shows(replay, log, step, eyes)


def its_screens_tell_no_more(case: GameCase, log: MatchLog, rng: random.Random) -> None:
    """No step shows a card that these eyes had not seen by then, and Discord takes every screen."""
    replay, match = replay_of(log)
    pack = {card.name for card in log.deal.game.pack(log.deal.options, log.deal.seats).cards}
    reader = Reader(case.words, tuple([LONGEST_NAME] * log.deal.seats))
    shown = ShownReplay(replay, match, case.presenter, FinishedMatch(replay.row, replay.result))
    for step in (0, replay.last, *rng.sample(range(len(log.states)), min(SCREENS, len(log.states)))):
        seat = rng.randrange(log.deal.seats)
        for eyes in (Eyes(), Eyes.of(seat), Eyes.all_hands(log.deal.seats)):
            for screen in _screens(shown, View(step, eyes), reader):
                components = render(as_drawn(screen), replay.id)
                assert faults(case, components) == {}
                if len(eyes.seats) <= 1:
                    told = pack & set(_CARD.findall(orjson.dumps(components).decode()))
                    assert told <= {card.name for card in knowledge.seen(case, log.events(step), eyes.only)}


def _screens(shown: ShownReplay, view: View, reader: Reader) -> Iterator[Screen]:
    """A step with its picture and in words, and what is behind its *More…*."""
    screen = replay_screen(shown, view, reader)
    yield screen
    if screen.in_words is not None:
        yield screen.in_words()
    yield replay_screen(shown, replace(view, more=True), reader)


def _shows(replay: Replay, log: MatchLog, step: int, eyes: Eyes) -> None:
    game, state, seats = log.deal.game, log.states[step], range(log.deal.seats)
    facts = log.opening if step == 0 else log.moves[step - 1].events
    seen, window = replay.see(step, eyes), game.window(state)
    assert seen.public == game.observe_public(state)
    assert seen.private == tuple([game.observe(state, seat) if seat in eyes.seats else None for seat in seats])
    assert seen.facts == tuple([each for fact in facts if (each := _told(fact, eyes)) is not None])
    assert seen.awaited == (window.awaited if window is not None else frozenset())


def _told(fact: Event, eyes: Eyes) -> Event | None:
    """A fact as it is if one of these seats saw it so, otherwise as everybody saw it."""
    as_told = (seen_by(fact, seat) for seat in eyes.seats)
    return fact if any(each is fact for each in as_told) else seen_by(fact, None)

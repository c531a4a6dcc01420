"""The opening of a match that was begun from an earlier one (*Try it differently*).

It has all facts of the earlier match up to an act, so the cards lie as they lay there. Nothing of it was sealed, and
everybody may have seen the cards since. So such a match is practice, and proves nothing about its cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.games import GAMES
from bot.play.live_match import LiveMatch
from bot.play.match_state import codec, read_facts
from bot.play.refusals import Refused
from bot.store.queries.invitations import Origin
from bot.store.queries.matches import Record
from bot.store.verification import opening_digest
from engines.game import Event, Seat, fold
from engines.options import OptionRefused
from engines.players.levels import PLAYERS


@dataclass(frozen=True, slots=True)
class Opening:
    """Where a match is begun from, and the seat of who asked for it."""

    origin: Origin
    seat: Seat


def can_begin_from(match: LiveMatch) -> bool:
    """Whether a match can be begun from a finished one: the rules are still those by which it was played, and there
    are computers that take turns in it."""
    return _has_todays_rules(match) and match.game.info.key in PLAYERS


def _has_todays_rules(match: LiveMatch) -> bool:
    return match.rules_version == match.game.info.rules_version


def opening_before(match: LiveMatch, records: Sequence[Record], number: int) -> Opening:
    """Where a finished match was just before an act of a player; `records` is its whole log, `number` the act's.

    Raises Refused where no match can be begun from there, also for an act that nobody can make differently.
    """
    facts = _facts_before(match, records, number)
    seat = int(records[number].actor or 0)
    if not _may_act(match, facts, seat):
        raise Refused("differently.no_move")
    return Opening(_origin(match, facts), seat)


def opening_of_the_deal(match: LiveMatch, records: Sequence[Record], seat: Seat) -> Opening:
    """The deal of a finished match, before anybody's first act, for somebody on this seat. Raises Refused as above."""
    first = next((number for number, record in enumerate(records) if number and record.actor is not None), 0)
    return Opening(_origin(match, _facts_before(match, records, first)), seat)


def _facts_before(match: LiveMatch, records: Sequence[Record], number: int) -> Sequence[Event]:
    if not match.over:
        raise RuntimeError("the cards of a match that is being played are secret")
    if not _has_todays_rules(match):
        raise Refused("differently.other_rules")
    if not can_begin_from(match) or number not in range(1, len(records)) or records[number].actor is None:
        raise Refused("differently.no_move")
    facts = read_facts(match.game.info.key, records[:number])
    if facts is None:
        raise Refused("differently.no_move")
    return facts


def _origin(match: LiveMatch, facts: Sequence[Event]) -> Origin:
    return Origin(match.id, len(facts), opening_digest(codec(match.game.info.key).encode_all(facts)))


def _may_act(match: LiveMatch, facts: Sequence[Event], seat: Seat) -> bool:
    """Whether a seat is asked something after these facts."""
    game: Any = GAMES[match.game.info.key]
    try:
        state = fold(game, game.start(match.options, len(match.seats)), facts)
    except OptionRefused:
        raise Refused("differently.other_rules") from None
    window = game.window(state)
    return window is not None and seat in window.awaited and bool(game.choices(state, seat).offers)

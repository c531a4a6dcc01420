"""The secrecy law: nothing a viewer is sent depends on a card which that viewer has had no right to see.

Random matches are relabelled: the cards a viewer never saw (by the rulings' Knowledge table, not by what the engine
observes) change places through the whole log. Every body that viewer or the public is sent must stay equal to the byte.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from bot.play.live_match import LiveMatch
from cogs.screens.presenter import Presenter
from laws.bodies import bodies, match_of
from laws.case import GameCase
from laws.knowledge import exchanged
from laws.play import MatchLog, Odds, random_match


def played(case: GameCase, setting: str, seats: int, seed: int) -> MatchLog:
    """A match whose screens are looked at; a few by the clock or a resignation."""
    rng = random.Random(seed)
    return random_match(case.deal(setting, seats, rng), rng, Odds(time=0.02, resign=0.01))


def points(log: MatchLog, rng: random.Random, most: int) -> list[int]:
    """After how many moves to look at a match: its beginning, its last question, and some in between, at most
    `most`."""
    last = max(0, len(log.moves) - 1)
    between = range(1, last)
    return sorted({0, last, *rng.sample(between, min(len(between), most - 2))})


def bodies_keep_secrets(
    case: GameCase,
    log: MatchLog,
    moves: int,
    rng: random.Random,
    presenter_of: Callable[[LiveMatch], Presenter] | None = None,
) -> None:
    """Compare what each viewer is sent after these moves with what they would be sent of other hidden cards.

    Once a match is over, everything is open (the rulings' Knowledge tables), so there is nothing to compare.
    `presenter_of` makes a presenter for a match, so that a test can plant one that peeks.
    """
    deal = log.deal
    events = log.events(moves)
    pack = deal.game.pack(deal.options, deal.seats).cards

    held, alone = moves % 2 == 1, moves % 4 == 2
    mine = match_of(deal, events, moves, held=held, alone=alone)
    if mine.over:
        return

    def sent(match: LiveMatch, viewer: int | None) -> bytes:
        shown = case if presenter_of is None else replace(case, presenter=presenter_of(match))
        return bodies(shown, match, viewer)

    for viewer in (None, *range(deal.seats)):
        others = exchanged(case, pack, events, viewer, rng)
        theirs = match_of(deal, others, moves, held=held, alone=alone)
        assert sent(mine, viewer) == sent(theirs, viewer), f"viewer {viewer} sees what they may not know"

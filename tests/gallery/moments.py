"""The moments of matches that a gallery shows: beginnings, middles, all endings, and every kind of question.

The matches are the kept transcripts, one for each ending, and then random ones until every sentence that asks a
question was met. So two galleries of the same rules show the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.ui.catalogue import catalogue, keys
from cogs.screens.presenter import Reader
from engines.game import Act
from laws import golden
from laws.case import GameCase
from laws.play import Deal, MatchLog, Move, Odds, random_act, random_match
from tests.gallery.scene import NAMES, HeardWords

ASKING: Final = ("question", "asked")
"""The second part of the keys of what a game asks: everybody on the board, and each player in their hand."""
TRIES: Final = 20
"""Random matches at each table until every question was met."""
MOST_MOVES: Final = 150
"""Of a match in which nobody picks anything."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A match after some of its moves; `seats` are those whose hands are shown."""

    title: str
    log: MatchLog
    moves: int
    seats: tuple[int, ...]


def questions_of(game: str) -> set[str]:
    """The keys of all sentences by which a game asks something."""
    return {key for key in keys(catalogue("en")) if key.split(".")[0] == game and key.split(".")[1] in ASKING}


def moments(case: GameCase) -> list[Moment]:
    """The moments of a game's matches."""
    kept = {ending: _read(case, ending) for ending in case.endings}
    first = next(iter(kept.values()))
    everybody = tuple(range(first.deal.seats))
    last = len(first.moves)
    found = [
        Moment("At the start", first, 0, everybody),
        Moment("In the middle", first, last // 2, everybody),
        Moment("Before the last move", first, last - 1, everybody),
        *(Moment(f"The end: {ending}", log, len(log.moves), (0, 1)) for ending, log in kept.items()),
    ]
    return [*found, *_asking(case, [*kept.values()])]


def _read(case: GameCase, ending: str) -> MatchLog:
    """The kept match with an ending."""
    deal, acts = golden.read(case, golden.file_of(case, ending).read_text("utf-8"))
    state, opening = deal.open()
    states, moves, chance = [state], list[Move](), deal.chances()
    for seq, (actor, action) in enumerate(acts, start=1):
        facts = deal.game.decide(states[-1], actor, action, chance(seq))
        moves.append(Move(actor, action, tuple(facts)))
        states.append(facts.state)
    return MatchLog(deal, opening, tuple(moves), tuple(states))


def _asking(case: GameCase, kept: list[MatchLog]) -> Iterator[Moment]:
    """The first moment of each kind of question."""
    missing, words = questions_of(case.key), HeardWords()
    for log in _matches(case, kept):
        for moves, state in enumerate(log.states):
            asked = {} if case.game.window(state) is None else _asked(case, log.deal, state, words)
            new = set().union(*asked.values()) & missing
            if new:
                seats = tuple(seat for seat, heard in asked.items() if seat >= 0 and heard & new)
                about = sorted({key.split(".", 2)[-1] for key in new})
                yield Moment(f"Asked: {', '.join(about)}", log, moves, seats)
                missing -= new
        if not missing:
            return


def _matches(case: GameCase, kept: list[MatchLog]) -> Iterator[MatchLog]:
    yield from kept
    rng = random.Random(f"gallery {case.key}")
    for number in range(TRIES * len(case.setups)):
        deal = case.deal(*case.setups[number % len(case.setups)], rng)
        yield random_match(deal, rng, Odds(time=0.02, resign=0.01) if number % 2 else None)
        yield _picking_nothing(deal, rng)


def _picking_nothing(deal: Deal, rng: random.Random) -> MatchLog:
    """The beginning of a match in which nobody picks cards where another act is offered: hands grow to their limits."""
    state, opening = deal.open()
    states, moves, chance, game = [state], list[Move](), deal.chances(), deal.game
    while (window := game.window(states[-1])) is not None and len(moves) < MOST_MOVES:
        offered = [(seat, game.choices(states[-1], seat)) for seat in sorted(window.may_act)]
        acts = [(seat, offer.action) for seat, choices in offered for offer in choices if isinstance(offer, Act)]
        any_act = [(seat, act) for seat, choices in offered if (act := random_act(choices, rng)) is not None]
        if not acts and not any_act:
            break
        actor, action = rng.choice(acts or any_act)
        facts = game.decide(states[-1], actor, action, chance(len(moves) + 1))
        moves.append(Move(actor, action, tuple(facts)))
        states.append(facts.state)
    return MatchLog(deal, opening, tuple(moves), tuple(states))


def _asked(case: GameCase, deal: Deal, state: object, words: HeardWords) -> dict[int, set[str]]:
    """The keys of what each seat is asked, and of what the board asks (seat -1)."""
    names = NAMES[: deal.seats]
    found: dict[int, set[str]] = {}
    for seat in range(-1, deal.seats):
        words.keys.clear()
        if seat < 0:
            case.presenter.question(case.game.observe_public(state), Reader(words, names))
        else:
            case.presenter.prompt(case.game.observe(state, seat), Reader(words, names, seat))
        found[seat] = set(words.keys)
    return found

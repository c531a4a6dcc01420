"""What a computer player is asked, its answer, and how long it seems to think.

A `Question` has everything that its seat may know, and no field for a state: a player can't look at other cards,
because they aren't there. It is a plain value, so a worker process gets it pickled and nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from math import log2
from random import Random
from typing import Any, Final

from engines.game import AnyGame, Choices, Event, Private, Seat, seen_by

SHORTEST: Final = 0.8
LONGEST: Final = 2.5
MOST_CHOICES: Final = 64
"""From this number of acts on, a choice counts as large."""


@dataclass(frozen=True, slots=True)
class Question:
    """What one seat is asked.

    `seen` has the facts of the match so far, each as `seen_by` shows it to the seat. `view` and `choices` are the
    seat's own. `luck` seeds the player's chance (`luck_of`). `rollouts` is how many possible continuations a player
    that searches may play; with the same number, the same question has the same answer.
    """

    game: str
    options: Any
    seats: int
    seat: Seat
    seen: tuple[Event, ...]
    view: Private[Any, Any]
    choices: Choices[Any]
    level: str
    luck: int
    rollouts: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """An act in the game's notation, and the rollouts that were played to find it."""

    act: str
    rollouts: int = 0


def question_for(
    game: AnyGame,
    state: Any,
    events: Iterable[Event],
    seat: Seat,
    *,
    options: Any,
    seats: int,
    level: str,
    luck: int,
    rollouts: int = 0,
) -> Question:
    """The question that a seat is asked in a state, with everything left out that the seat may not know.

    `events` are all facts that led to the state.
    """
    seen = [seen_by(event, seat) for event in events]
    return Question(
        game=game.info.key,
        options=options,
        seats=seats,
        seat=seat,
        seen=tuple([fact for fact in seen if fact is not None]),
        view=game.observe(state, seat),
        choices=game.choices(state, seat),
        level=level,
        luck=luck,
        rollouts=rollouts,
    )


def luck_of(match_id: str, act: int, seat: Seat) -> int:
    """The luck of a seat's act, 64 bits: by a hash of its own, never from the match's seed, because that is the deck.

    `act` is the number of the record that the act will make.
    """
    text = f"cardroom/luck/v1\n{match_id}\n{act}\n{seat}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def thinking_seconds(visible_choices: int, luck: int) -> float:
    """The seconds to wait before the act is made, from 0.8 to 2.5; longer on average if there is more to choose from.
    People are confused by an answer that comes at once.

    It depends on luck and on what everybody may see (`visible_choices` is from `Chooser.visible_choices`): if it
    depended on the search or the hand, it would tell something.
    """
    size = min(1.0, log2(max(1, visible_choices)) / log2(MOST_CHOICES))
    drawn = Random(luck).betavariate(2, 2)
    return SHORTEST + (LONGEST - SHORTEST) * (size + 2 * drawn) / 3

"""What a hand is made of as long as nobody acts, remembered from one press on it to the next.

Somebody who picks cards presses several times at one position of the match. Whatever they pick, the hand then shows the
same cards, question and last events. A match makes a new position with each act, and a hand is remembered with its
position, so it is never out of date. It is never another reader's either: it belongs to a match, a seat and everything
else that its lines can depend on (language, names, form of cards).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from bot.play.live_match import LiveMatch
from bot.play.match_state import Position
from bot.ui.screen import Section
from cogs.screens.card_text import CardForm
from cogs.screens.presenter import Presenter, Reader
from engines.game import Choices, Private, Seat

HANDS: Final = 512
"""How many hands are remembered."""

Fixed: TypeAlias = tuple[Section, ...]
"""The sections of a hand that stay as they are while its question is open."""


class HandParts(NamedTuple):
    """What a seat knows and may do at a position, and the fixed sections of its hand in each form that was shown.

    Those depend on the form of cards, on whether cards are buttons, and on how many rows have items to pick.
    """

    position: Position
    own: Private[Any, Any]
    choices: Choices[Any]
    fixed: dict[tuple[CardForm, bool, int], Fixed]


def hand_parts(match: LiveMatch, seat: Seat, presenter: Presenter, reader: Reader) -> HandParts:
    """The parts of a seat's hand at the match's present position."""
    last = last_parts((match.id, seat, presenter, reader))
    if not last or last[0].position is not match.position:
        last[:] = [HandParts(match.position, match.private(seat), match.choices(seat), {})]
    return last[0]


@lru_cache(maxsize=HANDS)
def last_parts(whose: tuple[str, Seat, Presenter, Reader]) -> list[HandParts]:  # noqa: ARG001  it is the key
    """The parts of the hand that was last shown of a match to a reader, if there was one."""
    return []

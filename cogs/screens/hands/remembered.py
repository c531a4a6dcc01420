"""What a hand is made of as long as nobody acts, remembered from one press on it to the next.

Somebody who picks cards presses several times at one position of the match. Whatever they pick, the hand then shows the
same cards, question and last events. A match makes a new position with each act, and a hand is remembered with its
position, so it is never out of date. It is never another reader's either: it belongs to a match, a seat and everything
else that its lines can depend on (language, names, form of cards).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from bot.play.live_match import LiveMatch
from bot.play.match_state import Position
from bot.ui.screen import Control, Section
from cogs.screens.card_text import CardForm
from cogs.screens.daily import attempt_footer, board_rows
from cogs.screens.hands.picking import Asked, Question
from cogs.screens.hands.stand_in_hand import let_play_row
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.renderer import FRAME, MOST_COMPONENTS, components_of
from cogs.screens.reviews import hint_row
from engines.game import Choices, Private, Seat

HANDS: Final = 512
"""How many hands are remembered."""


class Fixed(NamedTuple):
    """The sections of a hand that stay as they are while its question is open, and whether they leave room for the
    others."""

    sections: tuple[Section, ...]
    has_room: bool


class HandParts(NamedTuple):
    """What a seat knows and may do at a position, and what its hand has whatever is picked.

    `below` are the rows under those of the question, `room` is how many components the question's rows may have. In
    each form of cards that was shown there is a question, and there are fixed sections: these depend on the form, on
    whether cards are buttons, and on how many rows have items to pick.
    """

    position: Position
    own: Private[Any, Any]
    choices: Choices[Any]
    title: str
    footer: str
    below: tuple[tuple[Control, ...], ...]
    room: int
    questions: dict[CardForm, Question]
    fixed: dict[tuple[CardForm, bool, int], Fixed]

    def question(self, match: LiveMatch, presenter: Presenter, reader: Reader) -> Question:
        """The question in the reader's form of cards."""
        found = self.questions.get(reader.cards)
        if found is None:
            asked = Asked(presenter, self.own, reader, match.window_number, self.choices)
            found = self.questions[reader.cards] = Question.of(asked)
        return found


def hand_parts(match: LiveMatch, seat: Seat, presenter: Presenter, reader: Reader) -> HandParts:
    """The parts of a seat's hand at the match's present position."""
    last = last_parts((match.id, seat, presenter, reader))
    if not last or last[0].position is not match.position:
        last[:] = [_parts(match, seat, presenter, reader)]
    return last[0]


def _parts(match: LiveMatch, seat: Seat, presenter: Presenter, reader: Reader) -> HandParts:
    words = reader.words
    below = (
        *let_play_row(match, seat, words),
        *hint_row(match, seat, reader),
        *board_rows(match, presenter, reader),
    )
    return HandParts(
        match.position,
        match.private(seat),
        match.choices(seat),
        words("hand.title", game=match.game.info.title),
        attempt_footer(match, reader),
        below,
        MOST_COMPONENTS - FRAME - components_of(below),
        {},
        {},
    )


@lru_cache(maxsize=HANDS)
def last_parts(whose: tuple[str, Seat, Presenter, Reader]) -> list[HandParts]:  # noqa: ARG001  it is the key
    """The parts of the hand that was last shown of a match to a reader, if there was one."""
    return []

"""A hint in words: the best moves of an asked seat, and the chance that each is estimated to bring."""

from __future__ import annotations

from collections.abc import Sequence

from bot.play.live_match import LiveMatch
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.reviews.moves import move_words
from cogs.screens.reviews.review_screen import percent
from engines.game import Seat
from engines.players.review import Hint


def hint_lines(
    match: LiveMatch, seat: Seat, hints: Sequence[Hint], presenter: Presenter, reader: Reader
) -> tuple[str, ...]:
    """A hint in lines, the best move first. Only the seat itself may read it.

    Raises LookupError if a move is not offered any more, because the hint was asked for at an earlier question.
    """
    choices, own, words = match.choices(seat), match.private(seat), reader.words
    lines = [
        words(
            "hint.move",
            place=place,
            move=move_words(match.game.read(each.act), choices, own, presenter, reader),
            percent=percent(each.worth),
        )
        for place, each in enumerate(hints, start=1)
    ]
    return (words.count("hint.best", len(lines)), *lines)

"""*Why did my rating change*, asked under the result of a match that counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.play.live_match import LiveMatch
from bot.ratings import Rating, chances
from bot.store.match_weights import MatchWeight
from bot.store.scoring import RatingChange
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Text
from cogs.screens.endings import signed
from cogs.screens.presenter import Reader
from engines.game import Seat

RATING: Final = "rating"
"""The verb that asks why a rating changed."""


def rating_button(match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """The button for a player of a match that counted."""
    counted = match.result is not None and match.result.counted
    return (Button(reader.words("button.rating"), Press(RATING)),) if counted and reader.seat is not None else ()


def rating_screen(changes: Sequence[RatingChange], seat: Seat, words: Translations) -> Screen:
    """What a match did to the rating of the player on a seat, from the changes of all seats."""
    change = changes[seat]
    chance = words.percent(percent(chances([each.before for each in changes])[seat]))
    moved = words(
        "rating.changed",
        before=_rating(change.before, words),
        after=_rating(change.after, words),
        change=signed(change.after.shown - change.before.shown),
    )
    expected = words("rating.expected" if len(changes) == 2 else "rating.expected_first", share=chance)
    reasons = tuple(_reasons(change.weight, words))
    weight = words(
        "rating.weight" if reasons else "rating.weight_full", share=words.percent(percent(change.weight.whole))
    )
    provisional = (words("rating.provisional"),) if change.provisional else ()
    lines = (moved, expected, weight, *reasons, *provisional)
    return Screen(words("rating.title"), (Text("\n".join(lines)),), (), words("rating.how"))


def percent(share: float) -> int:
    """A share in whole percents. What is more than nothing and less than all never reads 0 or 100."""
    if 0 < share < 1:
        return min(99, max(1, round(100 * share)))
    return round(100 * share)


def _rating(rating: Rating, words: Translations) -> str:
    return words("ladder.rating", rating=rating.shown, uncertainty=rating.uncertainty)


def _reasons(weight: MatchWeight, words: Translations) -> Iterator[str]:
    """Why a match weighs less than the whole, a line for each factor."""
    if weight.repeated < 1:
        yield words("rating.repeated", share=words.percent(percent(weight.repeated)))
    if weight.newcomers < 1:
        yield words("rating.newcomers", share=words.percent(percent(weight.newcomers)))

"""The curve of a rating on a profile: a picture, and the same in words."""

from __future__ import annotations

from typing import Final

from bot.art.rating_curve import RatingCurve, RatingPoint
from bot.games import game_title
from bot.ratings import SURE, Rating
from bot.ui.catalogue import Translations
from bot.ui.screen import Picture, Section, Text
from cogs.screens.profiles.profile import RatingHistory

FEWEST: Final = 2
"""A single rating is no curve."""


def curve_sections(history: RatingHistory, words: Translations) -> tuple[Section, ...]:
    """The picture of a curve, and a text that says what it shows."""
    curve = curve_of(history.ratings)
    told = words(
        "profile.curve",
        game=game_title(history.game),
        n=len(curve.points),
        first=curve.points[0].rating,
        last=curve.newest,
        lowest=curve.lowest,
        highest=curve.highest,
    )
    return Picture(curve, told), Text(f"-# {told}")


def curve_of(ratings: tuple[Rating, ...]) -> RatingCurve:
    """What is drawn. Raises ValueError without a rating."""
    return RatingCurve(tuple(_point(number, rating) for number, rating in enumerate(ratings)))


def _point(number: int, rating: Rating) -> RatingPoint:
    """The band is one sigma to each side. With the three that a leaderboard subtracts, it would be all one sees."""
    band = round(rating.uncertainty / SURE)
    return RatingPoint(number, rating.shown, rating.shown - band, rating.shown + band)

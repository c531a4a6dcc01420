"""The picture of a rating's curve: what it shows, how long the file may be, and on what its bytes depend."""

from __future__ import annotations

import random
import struct
from io import BytesIO

import pytest
from PIL import Image

from bot.art.rating_picture import RATING_HEIGHT, RATING_WIDTH, RatingCurve, RatingPoint, draw_rating

LONGEST = 10 * 1024
"""Bytes of a picture."""
LINE = (255, 232, 163)
GROUND = (29, 74, 64)


def curve(*ratings: int, unsure: int = 0) -> RatingCurve:
    """A rating after each match."""
    points = [RatingPoint(at, rating, rating - unsure, rating + unsure) for at, rating in enumerate(ratings)]
    return RatingCurve(tuple(points))


def wild(points: int) -> RatingCurve:
    """A rating that goes up and down as fast as it can."""
    rng = random.Random(points)
    return curve(*[rng.randrange(-500, 3000) for _ in range(points)], unsure=400)


def drawn(of: RatingCurve) -> Image.Image:
    """Its picture, in colours."""
    with Image.open(BytesIO(draw_rating(of))) as opened:
        return opened.convert("RGB")


def line_in(picture: Image.Image, x: int) -> list[int]:
    """The heights, from the top, at which a column has the line's own colour."""
    return [y for y in range(picture.height) if picture.getpixel((x, y)) == LINE]


@pytest.mark.parametrize("points", [1, 2, 30, 90, 1000])
def test_a_rating_is_at_most_ten_kilobytes_however_many_matches_it_has(points: int) -> None:
    png = draw_rating(wild(points))
    assert len(png) <= LONGEST
    assert struct.unpack_from(">II", png, 16) == (RATING_WIDTH, RATING_HEIGHT) == (480, 160)


def test_the_band_is_as_wide_as_the_rating_is_unsure() -> None:
    def width(unsure: int) -> int:
        of = drawn(curve(1000, 1500, 1200, unsure=unsure))
        return sum([of.getpixel((300, y)) != GROUND for y in range(of.height)])

    assert width(10) < width(60) < width(200)


@pytest.mark.parametrize("ratings", [(1000, 1100), (1100, 1000), (1000, 1000)])
def test_each_number_has_room_of_its_own_even_in_a_wide_band(ratings: tuple[int, ...]) -> None:
    picture = drawn(curve(*ratings, unsure=2000))
    numbers = [any(picture.getpixel((x, y)) == LINE for x in range(60)) for y in range(picture.height)]
    begun = sum([now and not before for before, now in zip([False, *numbers], numbers, strict=False)])
    assert begun == len(set(ratings))


@pytest.mark.parametrize("number", range(10))
def test_every_digit_is_drawn_and_differs_from_all_others(number: int) -> None:
    def label(rating: int) -> bytes:
        return drawn(curve(rating)).crop((0, 0, 68, RATING_HEIGHT)).tobytes()

    assert [other for other in range(10) if label(other) == label(number)] == [number]


def test_numbers_below_nothing_and_of_five_digits_fit() -> None:
    for rating in (-1234, 12345):
        picture = drawn(curve(rating))
        edges = [picture.getpixel((x, y)) for x in (0, RATING_WIDTH - 1) for y in range(RATING_HEIGHT)]
        assert set(edges) == {GROUND}


def test_of_crowded_matches_the_highest_and_the_lowest_stay_in_sight() -> None:
    calm = [1000] * 1000
    calm[500], calm[501] = 1400, 600
    picture = drawn(curve(*calm))
    heights = [y for x in range(225, 250) for y in line_in(picture, x)]
    assert min(heights) < 30
    assert max(heights) > 130


def test_a_curve_without_points_or_out_of_order_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        curve()
    with pytest.raises(ValueError, match="order"):
        RatingCurve((RatingPoint(2, 1000, 900, 1100), RatingPoint(1, 1000, 900, 1100)))

"""The picture of a match's story: its table above its curve."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from bot.art.curve_picture import HEIGHT, WIDTH, Curve, Mark, StoryPicture, draw_curve, draw_story
from bot.art.images import Family
from bot.art.layout import Cards, Pile, Strip, TableLayout
from bot.art.table import draw
from engines.haymaker import PACK

CURVE = Curve((((0.0, 0.2), (1.0, 0.9)), ((0.0, 0.8), (1.0, 0.1))), (Mark(0, 1, (0.5, 0.45)),), halves=True)


def opened(png: bytes) -> Image.Image:
    """A picture, by the colours of its pixels."""
    with Image.open(BytesIO(png)) as picture:
        return picture.convert("RGB")


def table(seats: int) -> TableLayout:
    """A table with a few open cards."""
    cards: Cards = PACK.cards[:4]
    return TableLayout(Family.FRENCH, tuple(Strip(Pile("", cards, 4), winner=seat == 0) for seat in range(seats)))


@pytest.mark.parametrize("seats", [2, 6])
def test_the_table_is_above_the_curve_and_both_are_as_they_are_alone(seats: int) -> None:
    whole, curve = opened(draw_story(StoryPicture(table(seats), CURVE))), opened(draw_curve(CURVE))
    alone = opened(draw_story(StoryPicture(table(seats))))
    assert (whole.width, whole.height) == (WIDTH, alone.height + HEIGHT)
    assert whole.crop((0, 0, WIDTH, alone.height)).tobytes() == alone.tobytes()
    assert whole.crop((0, alone.height, WIDTH, whole.height)).tobytes() == curve.tobytes()


def test_its_table_is_that_of_a_result() -> None:
    assert opened(draw_story(StoryPicture(table(2)))).tobytes() == opened(draw(table(2))).tobytes()

"""The picture of a table: what lies where, how long the file may be, and on what its bytes depend."""

from __future__ import annotations

import random
import struct
import zlib
from dataclasses import dataclass
from itertools import pairwise

import pytest

from bot.art.images import FAMILIES, FELT, MOST_COUNTED, Family, Size, emoji_names, images, sheet
from bot.art.layout import Card, Pile, Strip, TableLayout, backs, cards_in_row, stack
from bot.art.placing import MOST_OPEN, WIDTH, NoPictureError, Placed, placed
from bot.art.table import draw
from engines.champions.cards import PACKS as CHAMPIONS_PACKS
from engines.ciq.table import PACKS as CIQ_PACKS
from engines.tivmiv.table import PACK as TIVMIV_PACK

pytestmark = pytest.mark.slow  # draws hundreds of pictures

LONGEST = 15 * 1024
"""Bytes of a picture."""

PACKS: dict[Family, tuple[Card, ...]] = {
    Family.FRENCH: CIQ_PACKS[0].cards,
    Family.TIVMIV: TIVMIV_PACK.cards,
    Family.CHAMPIONS: CHAMPIONS_PACKS[True, True].cards,
}


def some(family: Family, count: int, rng: random.Random) -> tuple[Card, ...]:
    """Cards by chance, equal ones among them."""
    return tuple(rng.choice(PACKS[family]) for _ in range(count))


def table(
    family: Family, seats: int, hand: int, pile: int, *, is_open: bool = True, seed: int = 0, winner: bool = True
) -> TableLayout:
    """A table on which as much lies as in any game."""
    rng = random.Random(seed)

    def laid(count: int, seat: int | None = None) -> Pile:
        return Pile("", some(family, count, rng), count, seat)

    def strip(seat: int) -> Strip:
        own = laid(hand) if is_open else backs("", hand)
        if family is not Family.FRENCH:
            return Strip(own, (laid(pile),), winner and seat == 0)
        return Strip(own, (stack("", 100 + pile), laid(pile), laid(pile)), winner and seat == 0)

    facing = seats == 2 and family is Family.FRENCH
    return TableLayout(
        family,
        tuple(strip(seat) for seat in range(seats)),
        (stack("", 20), stack("", 4)) if facing else (stack("", 20),),
        (laid(4, 0), laid(3, 1)),
        (laid(20, 0), laid(9, 1)) if facing else (stack("", 20),),
    )


@dataclass(frozen=True, slots=True)
class Unknown:
    """A card that nobody has drawn."""

    code: str = "ZZ"
    name: str = "?"


def names(picture: Placed, prefix: str) -> list[str]:
    """The names of the sprites that begin so."""
    return [name for name, _, _ in picture.sprites if name.startswith(prefix)]


def cards_of(picture: Placed, family: Family) -> list[str]:
    """The names of the open cards in a picture."""
    known = {*emoji_names(family)} - {family.value}
    return [name for name, _, _ in picture.sprites if name in known]


# ---------------------------------------------------------------------------------------------- limits


@pytest.mark.nightly  # draws 120 tables each
@pytest.mark.parametrize("family", dict.fromkeys(FAMILIES.values()))
@pytest.mark.parametrize("seats", range(2, 7))
def test_the_largest_tables_have_at_most_15_kib(family: Family, seats: int) -> None:
    lengths = {
        (hand, pile, is_open): len(draw(table(family, seats, hand, pile, is_open=is_open)))
        for hand in (0, 2, 3, 4, 5, 7, 9, 12, 15, 20, 26, 60)
        for pile in (0, 1, 2, 4, 30)
        for is_open in (True, False)
    }
    assert {case: length for case, length in lengths.items() if length > LONGEST} == {}


@pytest.mark.parametrize("family", dict.fromkeys(FAMILIES.values()))
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize(("hand", "pile"), [(0, 0), (1, 1), (9, 3), (26, 30), (120, 80)])
def test_everything_lies_inside_the_picture(family: Family, seats: int, hand: int, pile: int) -> None:
    for is_open in (True, False):
        picture = placed(table(family, seats, hand, pile, is_open=is_open))
        for name, x, y in picture.sprites:
            image = images(Size.TABLE)[name]
            assert 0 <= x <= x + image.width <= WIDTH, name
            assert 0 <= y <= y + image.height <= picture.height, name
        assert len(cards_of(picture, family)) <= MOST_OPEN[seats] + 7, "only what is in play is never left out"


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_picture_is_480_pixels_wide_or_half_as_large_again_for_two_seats_with_few_cards(seats: int) -> None:
    heights = {2: 136, 3: 200, 4: 264, 5: 328, 6: 392}
    few = draw(
        TableLayout(
            Family.FRENCH,
            tuple(Strip(cards_in_row("", some(Family.FRENCH, 9, random.Random(1)))) for _ in range(seats)),
        )
    )
    many = draw(
        TableLayout(
            Family.FRENCH,
            tuple(Strip(cards_in_row("", some(Family.FRENCH, 26, random.Random(1)))) for _ in range(seats)),
        )
    )
    scale = 1.5 if seats == 2 else 1
    assert size_of(few) == (480 * scale, heights[seats] * scale)
    assert size_of(many) == (480, heights[seats])


def size_of(png: bytes) -> tuple[int, int]:
    """A picture's width and height in pixels."""
    width, height = struct.unpack_from(">II", png, 16)
    return width, height


# ---------------------------------------------------------------------------------------------- what is shown


def test_a_seat_has_its_badge_and_the_number_of_its_cards() -> None:
    picture = placed(table(Family.CHAMPIONS, 3, 5, 0))
    strips = [(name, y) for name, x, y in picture.sprites if x < 50 and name.startswith(("seat_", "count_5"))]
    assert [name for name, _ in strips] == ["seat_1", "count_5", "seat_2", "count_5", "seat_3", "count_5"]


def test_the_winner_has_a_gold_line_and_a_crown_and_nobody_else_has() -> None:
    won = placed(table(Family.FRENCH, 4, 5, 1))
    assert names(won, "strip") == ["strip_low_winner", "strip_low", "strip_low", "strip_low"]
    assert names(won, "crown") == ["crown"]
    assert names(placed(table(Family.FRENCH, 4, 5, 1, winner=False)), "crown") == []


def test_a_face_down_card_is_the_one_back() -> None:
    picture = placed(TableLayout(Family.FRENCH, (Strip(backs("", 7)), Strip(backs("", 3)))))
    assert names(picture, "back") == ["back"] * 10
    assert cards_of(picture, Family.FRENCH) == []


def test_a_hand_that_fits_is_shown_whole_and_each_card_can_be_read() -> None:
    hand = some(Family.FRENCH, 26, random.Random(3))
    picture = placed(TableLayout(Family.FRENCH, (Strip(cards_in_row("", hand)), Strip(cards_in_row("", hand)))))
    shown = [(name, x, y) for name, x, y in picture.sprites if name in {*emoji_names(Family.FRENCH)}]
    assert len(shown) == 52
    assert all(right - left >= 14.8 for (_, left, y), (_, right, same) in pairwise(shown) if y == same)


def test_of_a_hand_that_does_not_fit_the_number_tells_how_large_it_is() -> None:
    hand = some(Family.FRENCH, 60, random.Random(3))
    picture = placed(TableLayout(Family.FRENCH, (Strip(cards_in_row("", hand)), Strip(cards_in_row("", ())))))
    assert len(cards_of(picture, Family.FRENCH)) == 24
    assert names(picture, "count_") == ["count_60", "count_0"]


@pytest.mark.parametrize("family", [Family.TIVMIV, Family.CHAMPIONS])
def test_many_tiles_of_two_seats_lie_in_two_rows_so_that_their_numbers_can_be_read(family: Family) -> None:
    hand = some(family, 20, random.Random(3))
    picture = placed(TableLayout(family, (Strip(cards_in_row("", hand)), Strip(cards_in_row("", ())))))
    shown = [(name, x, y) for name, x, y in picture.sprites if name in cards_of(picture, family)]
    assert len(shown) == 20
    assert len({y for _, _, y in shown}) == 2
    assert all(right - left >= 31 for (_, left, y), (_, right, same) in pairwise(shown) if y == same)


def test_of_a_long_pile_the_top_cards_are_shown_and_how_many_there_are() -> None:
    pile = some(Family.FRENCH, 30, random.Random(4))
    empty = Strip(cards_in_row("", ()))
    picture = placed(TableLayout(Family.FRENCH, (Strip(cards_in_row("", ()), (Pile("", pile, 30),)), empty)))
    top = placed(TableLayout(Family.FRENCH, (Strip(cards_in_row("", ()), (Pile("", pile[-4:], 4),)), empty)))
    assert cards_of(picture, Family.FRENCH) == cards_of(top, Family.FRENCH)
    assert "count_30" in names(picture, "count_")
    assert names(top, "count_") == ["count_0", "count_0"]


def test_numbers_of_three_digits_are_written() -> None:
    counts = [
        placed(TableLayout(Family.FRENCH, (Strip(backs("", number)), Strip(cards_in_row("", ())))))
        for number in (99, 648)
    ]
    assert names(counts[0], "count_") == [f"count_{MOST_COUNTED}", "count_0"]
    assert [*names(counts[1], "pill"), *names(counts[1], "digit_")] == ["pill", "digit_6", "digit_4", "digit_8"]


def test_a_card_without_a_picture_is_refused_and_not_named() -> None:
    with pytest.raises(NoPictureError) as refused:
        draw(TableLayout(Family.FRENCH, (Strip(cards_in_row("", (Unknown(),))), Strip(cards_in_row("", ())))))
    assert "ZZ" not in str(refused.value)


# ---------------------------------------------------------------------------------------------- bytes


@pytest.mark.parametrize("family", dict.fromkeys(FAMILIES.values()))
@pytest.mark.parametrize("seats", [2, 6])
def test_equal_tables_give_the_same_bytes_and_other_ones_give_others(family: Family, seats: int) -> None:
    one = table(family, seats, 5, 2)
    assert draw(one) == draw(table(family, seats, 5, 2))
    assert draw(one) != draw(table(family, seats, 5, 2, seed=1))
    assert draw(one) != draw(table(family, seats, 6, 2))


@pytest.mark.parametrize("seats", [2, 4])
def test_the_pixels_are_those_of_the_sprites(seats: int) -> None:
    layout = TableLayout(
        Family.FRENCH,
        tuple(Strip(cards_in_row("", some(Family.FRENCH, 3, random.Random(seats)))) for _ in range(seats)),
    )
    picture, png = placed(layout), draw(layout)
    width, _ = size_of(png)
    pixels, palette = unpacked(png)
    scale = width / WIDTH
    assert palette == b"".join(bytes(colour[:3]) for colour in sheet(picture.size).palette)
    assert pixels[0] == FELT
    for name, x, y in picture.sprites[-3:]:
        image = images(picture.size)[name]
        left, top = round(x * scale), round(y * scale)
        middle = image.height // 2
        at = (top + middle) * width + left
        assert pixels[at : at + image.width] == image.pixels.pixels[middle * image.width :][: image.width]


def unpacked(png: bytes) -> tuple[bytes, bytes]:
    """The pixels and the palette of a picture that Pillow wrote without row filters."""
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        name = png[at + 4 : at + 8]
        chunks[name] = chunks.get(name, b"") + png[at + 8 : at + 8 + length]
        at += 12 + length
    assert set(chunks) == {b"IHDR", b"PLTE", b"IDAT", b"IEND"}, "nothing else, such as a date, is in the file"
    width, _ = size_of(png)
    raw = zlib.decompress(chunks[b"IDAT"])
    step = width + 1
    assert not any(raw[::step])
    return b"".join(raw[start + 1 : start + step] for start in range(0, len(raw), step)), chunks[b"PLTE"]

"""The animated picture of a match: what each frame shows, how long the file may be, and on what its bytes depend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageSequence

from bot.art import images
from bot.art.animation_picture import MOST_BYTES, MOST_FRAMES, Animation, Frame, draw_animation
from bot.art.images import FAMILIES, Family, Size, emoji_names
from bot.art.layout import Pile, Strip, TableLayout, backs, cards_in_row
from bot.art.placing import placed
from bot.art.table import draw, paste, whole_sheet
from tests.bot.art.test_table import PACKS, table

pytestmark = pytest.mark.slow  # draws every frame of animations

FELT = (29, 74, 64)


def tables(seats: int, count: int, *, family: Family = Family.FRENCH, hand: int = 5) -> list[TableLayout]:
    """Tables one after the other on which nothing stays where it was."""
    return [table(family, seats, hand, 3, seed=seed, winner=seed == count - 1) for seed in range(count)]


def animation(layouts: Sequence[TableLayout]) -> Animation:
    """Tables that are each shown for a second; the later, the sooner left out."""
    return Animation(tuple([Frame(layout, 1000, at) for at, layout in enumerate(layouts)]))


def played(file: bytes) -> tuple[list[Image.Image], list[int]]:
    """The frames of a file as people see them, and how long each is shown."""
    with Image.open(BytesIO(file)) as opened:
        frames = [(frame.convert("RGB"), frame.info["duration"]) for frame in ImageSequence.Iterator(opened)]
    return [frame for frame, _ in frames], [duration for _, duration in frames]


def laid(layout: TableLayout) -> Image.Image:
    """A table of an animation, pasted together anew."""
    picture = placed(layout, steady=True)
    ground = Image.new("P", (480, picture.height), images.FELT)
    ground.putpalette(whole_sheet(Size.TABLE).palette or ())
    for name, x, y in picture.sprites:
        paste(ground, Size.TABLE, name, x, y)
    return ground.convert("RGB")


@pytest.mark.parametrize(("seats", "family"), [(2, Family.TIVMIV), (3, Family.FRENCH), (5, Family.CHAMPIONS)])
def test_each_frame_shows_its_table_and_the_last_the_whole_table_of_the_end(seats: int, family: Family) -> None:
    layouts = tables(seats, 5, family=family, hand=16)
    frames, _ = played(draw_animation(animation(layouts)))
    assert [frame.tobytes() for frame in frames[:-1]] == [laid(layout).tobytes() for layout in layouts[:-1]]
    with Image.open(BytesIO(draw(layouts[-1]))) as end:
        assert frames[-1].tobytes() == end.convert("RGB").tobytes()


def test_of_two_seats_it_is_as_wide_as_any_other_even_if_the_table_of_the_end_has_a_larger_picture() -> None:
    few = [TableLayout(Family.FRENCH, (Strip(backs("", held)), Strip(backs("", 3)))) for held in (4, 5)]
    assert placed(few[-1]).size is Size.TABLE_LARGE
    frames, _ = played(draw_animation(animation(few)))
    assert [frame.size for frame in frames] == [(480, 206)] * 2


@pytest.mark.parametrize("family", dict.fromkeys(FAMILIES.values()))
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_it_is_at_most_250_kilobytes_even_if_nothing_stays_where_it_was(family: Family, seats: int) -> None:
    file = draw_animation(animation(tables(seats, MOST_FRAMES, family=family, hand=30)))
    frames, _ = played(file)
    assert len(file) <= MOST_BYTES == 250 * 1024
    assert 10 < len(frames) <= MOST_FRAMES
    height = 206 + 64 * (seats - 2) + (28 if seats == 2 and family is not Family.FRENCH else 0)
    assert frames[0].size == frames[-1].size == (480, height)


def test_what_matters_least_is_left_out_first_and_never_the_first_or_the_last_frame() -> None:
    layouts = tables(4, MOST_FRAMES, hand=30)
    frames = [Frame(layout, 1000 + 10 * at, MOST_FRAMES - at) for at, layout in enumerate(layouts)]
    shown, durations = played(draw_animation(Animation(tuple(frames))))
    kept = [(duration - 1000) // 10 for duration in durations]
    assert kept == [0, *range(MOST_FRAMES - len(shown) + 1, MOST_FRAMES)]
    assert 2 < len(kept) < MOST_FRAMES


def test_six_seats_have_fewer_frames_because_they_have_most_pixels() -> None:
    layouts = [TableLayout(Family.FRENCH, (Strip(backs("", held)), *[Strip(backs("", 3))] * 5)) for held in range(45)]
    frames, _ = played(draw_animation(animation(layouts)))
    assert len(frames) == 39


def test_a_frame_that_changes_nothing_is_shown_all_the_same() -> None:
    one, other = tables(3, 2)
    frames, durations = played(draw_animation(Animation((Frame(one, 500), Frame(one, 700), Frame(other, 5000)))))
    assert durations == [500, 700, 5000]
    assert frames[0].tobytes() == frames[1].tobytes() != frames[2].tobytes()


def test_what_stays_where_it_was_is_in_the_file_once() -> None:
    still = replace(table(Family.FRENCH, 3, 5, 3), play=())
    tops = [replace(still, play=(cards_in_row("", (card,), 0),)) for card in PACKS[Family.FRENCH][:20]]
    once, all_of_them = len(draw_animation(animation(tops[:1]))), len(draw_animation(animation(tops)))
    assert (all_of_them - once) / 19 < once / 20


def test_a_growing_pile_moves_nothing_beside_it() -> None:
    def hand_of(pile: int) -> list[tuple[str, float, float]]:
        cards = PACKS[Family.FRENCH]
        strip = Strip(backs("", 6), (Pile("", cards[:pile], pile),))
        sprites = placed(TableLayout(Family.FRENCH, (strip,) * 3), steady=True).sprites
        return [sprite for sprite in sprites if sprite[0] == Family.FRENCH.value]

    assert hand_of(1) == hand_of(2) == hand_of(9)


def test_two_seats_have_room_for_the_whole_of_small_piles() -> None:
    cards = PACKS[Family.FRENCH]
    for seats, pile, in_sight in ((2, 3, 3), (2, 4, 1), (3, 3, 1)):
        strips = (Strip(backs("", 6), (cards_in_row("", cards[:pile]),)), *[Strip(backs("", 6))] * (seats - 1))
        picture = placed(TableLayout(Family.FRENCH, strips), steady=True)
        known = {*emoji_names(Family.FRENCH)} - {Family.FRENCH.value}
        assert len([name for name, _, _ in picture.sprites if name in known]) == in_sight


def test_no_frames_too_many_and_those_of_different_tables_are_refused() -> None:
    with pytest.raises(ValueError, match="frames"):
        Animation(())
    with pytest.raises(ValueError, match="frames"):
        animation(tables(2, MOST_FRAMES + 1))
    with pytest.raises(ValueError, match="different"):
        animation([*tables(2, 1), *tables(3, 1)])

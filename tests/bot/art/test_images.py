"""Every card has its picture, every picture its name for ever, and all of them fit where they are shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from bot.art.images import (
    FAMILIES,
    FELT,
    MOST_COUNTED,
    SEATS,
    SIGNS,
    STRIP,
    TRANSPARENT,
    Family,
    Size,
    card_name,
    emoji_names,
    images,
    sheet,
)
from bot.art.sheet import Sheet
from engines import GAMES, champions, ciq, haymaker, tivmiv, unbreakable
from engines.champions.cards import PACKS as CHAMPIONS_PACKS
from engines.ciq.table import PACKS as CIQ_PACKS
from engines.game import Pack
from engines.haymaker.table import PACK as HAYMAKER_PACK
from engines.tivmiv.table import PACK as TIVMIV_PACK
from engines.unbreakable.table import PACK as UNBREAKABLE_PACK

pytestmark = pytest.mark.slow  # reads every picture

NAMES = Path(__file__).with_name("names.txt")

PACKS: dict[str, tuple[Pack, ...]] = {
    haymaker.Haymaker.info.key: (HAYMAKER_PACK,),
    unbreakable.Unbreakable.info.key: (UNBREAKABLE_PACK,),
    ciq.CIQ.info.key: CIQ_PACKS,
    tivmiv.TivMiv.info.key: (TIVMIV_PACK,),
    champions.Champions.info.key: tuple(CHAMPIONS_PACKS.values()),
}
"""Every pack of every game, whatever its options."""

EMOJI_LIMIT = 256 * 1024
"""Discord's limit of an emoji's file, in bytes (https://discord.com/developers/docs/resources/emoji)."""


def printed() -> Iterator[tuple[str, str, str]]:
    """Each card of each pack: its game, its code, and what is printed on it."""
    for game, packs in PACKS.items():
        for pack in packs:
            for card in pack.cards:
                yield game, card.code, card.name


def test_the_packs_here_are_those_of_all_games_with_pictures_and_their_presets() -> None:
    assert PACKS.keys() == FAMILIES.keys()
    for key, packs in PACKS.items():
        game = GAMES[key]
        for options in game.info.presets.values():
            assert game.pack(options, min(game.info.seats)) in packs


def test_every_card_of_every_pack_has_exactly_one_picture() -> None:
    names: dict[tuple[Family, str], set[str]] = {}
    for game, code, text in printed():
        name = card_name(FAMILIES[game], code)
        assert name is not None, code
        assert all(name in images(size) for size in Size)
        names.setdefault((FAMILIES[game], text), set()).add(name)
    assert all(len(each) == 1 for each in names.values())
    assert len(set[str]().union(*names.values())) == len(names), "two different cards have one picture"


def test_every_emoji_is_a_card_a_back_or_the_disc_of_a_seat() -> None:
    cards = {card_name(FAMILIES[game], code) for game, code, _ in printed()}
    discs = emoji_names(Family.DISCS)
    assert len(discs) == SEATS
    assert set(images(Size.EMOJI)) == {*cards, *(family.value for family in Family), *discs}
    assert len(images(Size.EMOJI)) == 142 + SEATS


@pytest.mark.parametrize("game", PACKS)
def test_a_face_down_card_is_the_one_back_of_its_game(game: str) -> None:
    back = FAMILIES[game].value
    assert all(back in images(size) for size in Size)
    assert back not in [card_name(FAMILIES[game], code) for key, code, _ in printed() if key == game]


@pytest.mark.parametrize(
    ("family", "code"),
    [
        *((Family.FRENCH, code) for code in ("", "1C", "10C", "TX", "th", "TH0x", "X-1", "7-2a", "back")),
        *((Family.TIVMIV, code) for code in ("", "0-1", "11-1", "5-4", "5-2ab", "5", "TH")),
        *((Family.CHAMPIONS, code) for code in ("", "0#0", "7#0", "1.4#0", "1!TIEBREAK#0", "1!#0", "4#", "TH")),
    ],
)
def test_what_is_no_card_has_no_picture(family: Family, code: str) -> None:
    assert card_name(family, code) is None


def test_a_code_without_its_copy_has_the_same_picture() -> None:
    assert card_name(Family.FRENCH, "TH") == card_name(Family.FRENCH, "TH3") == "10_hearts"
    assert card_name(Family.FRENCH, "X7") == "joker"
    assert card_name(Family.TIVMIV, "7-2") == card_name(Family.TIVMIV, "7-2b") == "7_pm_2"
    assert card_name(Family.CHAMPIONS, "4!STEAL") == card_name(Family.CHAMPIONS, "4!STEAL#0") == "die_4_steal"


# ---------------------------------------------------------------------------------------------- names


def test_names_are_kept_for_ever() -> None:
    kept = NAMES.read_text(encoding="utf-8").split()
    assert set(kept) <= set(images(Size.EMOJI)), "a name that Discord has on an emoji must stay"
    assert set(images(Size.EMOJI)) <= set(kept), "write the new names into names.txt"


def test_emoji_names_are_what_discord_takes_and_say_which_picture_it_is() -> None:
    for image in images(Size.EMOJI).values():
        assert re.fullmatch(r"[a-z0-9_]{2,32}", image.emoji_name)
        assert image.emoji_name == f"{image.name}_{image.digest[:6]}"
    assert len({image.emoji_name for image in images(Size.EMOJI).values()}) == len(images(Size.EMOJI))


def test_every_emoji_belongs_to_one_family() -> None:
    assert sorted(name for family in Family for name in emoji_names(family)) == sorted(images(Size.EMOJI))
    for game, packs in PACKS.items():
        cards = {card_name(FAMILIES[game], card.code) for pack in packs for card in pack.cards}
        assert cards <= set(emoji_names(FAMILIES[game]))


# ---------------------------------------------------------------------------------------------- what is shipped


@pytest.mark.parametrize("size", Size)
def test_every_stored_picture_is_the_one_in_the_index(size: Size) -> None:
    assert [image.name for image in images(size).values() if image.pixels.digest != image.digest] == []


@pytest.mark.parametrize("size", Size)
def test_no_two_pictures_are_equal_or_overlap(size: Size) -> None:
    every = images(size).values()
    assert len({image.digest for image in every}) == len(every)
    for one, other in combinations(every, 2):
        apart = (
            one.x + one.width <= other.x
            or other.x + other.width <= one.x
            or one.y + one.height <= other.y
            or other.y + other.height <= one.y
        )
        assert apart, f"{one.name} and {other.name} overlap"


def test_emojis_are_as_large_as_discord_shows_and_small_enough_as_files() -> None:
    for image in images(Size.EMOJI).values():
        assert (image.width, image.height) == (128, 128)
        assert len(image.png) <= 6 * 1024 < EMOJI_LIMIT
        file = Sheet.read(image.png)
        assert file.rgba == image.pixels.rgba
        corners = [file.pixels[point] for point in (0, 127, 127 * 128, 128 * 128 - 1)]
        assert [file.palette[corner][3] for corner in corners] == [0, 0, 0, 0], image.name


# ---------------------------------------------------------------------------------------------- pictures of a table


@pytest.mark.parametrize("size", [Size.TABLE, Size.TABLE_LARGE])
def test_a_table_has_all_cards_counts_seats_and_strips(size: Size) -> None:
    counts = {f"count_{number}" for number in range(MOST_COUNTED + 1)}
    seats = {f"seat_{number}" for number in range(1, SEATS + 1)}
    figures = {"pill", *(f"digit_{digit}" for digit in range(10))}
    rest = {"crown", "turn", *(f"sign_{sign}" for sign in SIGNS)}
    rest |= {f"{strip}{line}" for strip in ("strip", "strip_low") for line in ("", "_winner", "_turn")}
    assert set(images(size)) == set(images(Size.EMOJI)) | counts | figures | seats | rest


def test_both_tables_have_one_palette_in_which_one_colour_is_transparent() -> None:
    palette = sheet(Size.TABLE).palette
    assert palette == sheet(Size.TABLE_LARGE).palette
    assert [index for index, colour in enumerate(palette) if colour[3] < 255] == [TRANSPARENT]
    assert palette[FELT] == (0x1D, 0x4A, 0x40, 255)
    assert palette[STRIP] == (0x25, 0x5A, 0x4E, 255)
    assert len(palette) <= 64

"""The table in words and as a part of a message."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.art.images import Family
from bot.art.layout import Pile, Strip, TableLayout, backs, cards_in_row, stack
from bot.art.rating_picture import RatingCurve, RatingPoint, draw_rating
from bot.telemetry import NO_TELEMETRY
from bot.ui.catalogue import translations
from bot.ui.screen import Picture, Screen, Text
from cogs.screens import tables
from cogs.screens.presenter import Reader
from cogs.screens.renderer import render, sheet, utf16_units
from cogs.screens.tables import LONGEST_DESCRIPTION, LONGEST_TEXT, drawn, table_layout, with_pictures
from engines.cards import pack
from laws.bodies import match_of
from laws.play import Odds, random_match
from tests.games.cases import case_of, deal_of

CARDS = pack(range(1, 14))
READER = Reader(translations("en"), ("Al\\_ice", "Bob"))
LAYOUT = TableLayout(
    Family.FRENCH,
    (
        Strip(cards_in_row("picture.hand", CARDS[:2]), (stack("ciq.in_play.attack_pile", 30),)),
        Strip(backs("picture.hand", 1), winner=True),
    ),
    (stack("picture.draw", 14),),
    (cards_in_row("haymaker.laid.attack", CARDS[4:5], 1),),
    (cards_in_row("haymaker.laid.discards", (), 0), cards_in_row("haymaker.laid.discards", CARDS[7:9], 1)),
)
PICTURED = Screen("Title", (Text("before"), Picture(LAYOUT, "described"), Text("after")), footer="foot")


# ---------------------------------------------------------------------------------------------- words


def test_the_description_says_seat_by_seat_what_lies_there_and_the_text_the_same_with_marks() -> None:
    assert tables.description(LAYOUT, READER).splitlines() == [
        "1 Al_ice, 2 cards in hand: A♣ 2♣; Attack Pile, 30 cards",
        "2 Bob, winner, 1 card in hand",
        "Draw pile, 14 cards",
        "2 Bob, attack, 1 card: 5♣",
        "2 Bob, discards, 2 cards: 8♣ 9♣",
    ]
    text = tables.text(LAYOUT, READER)
    assert text.replace("**", "").replace("`", "").replace("\\", "") == tables.description(LAYOUT, READER)
    assert "1 **Al\\_ice**, 2 cards in hand: `A♣` `2♣`" in text


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("count", [10, 40, 120, 600])
def test_long_lists_are_cut_and_the_rest_is_counted(seats: int, count: int) -> None:
    rng = random.Random(count)

    def pile(says: str) -> Pile:
        return cards_in_row(says, tuple(rng.choice(CARDS) for _ in range(count)))

    strips = [
        Strip(pile("picture.hand"), (pile("ciq.in_play.damage_pile"), pile("ciq.in_play.defense_pile")))
        for _ in range(seats)
    ]
    layout = TableLayout(Family.FRENCH, tuple(strips), play=(pile("ciq.in_play.damage"),))
    reader = Reader(translations("en"), tuple(f"{'W' * 31}{seat}" for seat in range(seats)))
    description, text = tables.description(layout, reader), tables.text(layout, reader)
    assert utf16_units(description) <= LONGEST_DESCRIPTION
    assert utf16_units(text) <= LONGEST_TEXT
    for written in (description, text):
        assert written.count(f"{count} cards") == 3 * seats + 1
        assert len(written.splitlines()) == seats + 1
        assert ("+" in written) or all(card.name in written for card in strips[0].hand.open_cards)


def test_of_a_hand_the_first_cards_are_listed_and_of_a_pile_the_top_ones() -> None:
    cards = tuple(CARDS * 5)
    layout = TableLayout(
        Family.FRENCH, (Strip(cards_in_row("picture.hand", cards), (cards_in_row("ciq.in_play.damage_pile", cards),)),)
    )
    hand, pile = tables.description(layout, READER).split("; ")
    assert hand.startswith("1 Al_ice, 260 cards in hand: A♣ 2♣ ")
    assert hand.rsplit("+", 1)[1].isdecimal()
    assert pile.startswith("Damage Pile, 260 cards: +")
    assert pile.endswith(" Q♠ K♠")


# ---------------------------------------------------------------------------------------------- messages


def test_a_drawn_picture_stands_where_it_is_on_the_screen_and_without_it_the_message_is_as_ever() -> None:
    made = sheet(with_pictures(PICTURED), "note")
    (container,) = made.to_components()
    before, gallery, after = container["components"]
    assert (before["content"], after["content"]) == ("### Title\nbefore", "after\n-# foot")
    media = {"url": "attachment://table.png"}
    assert gallery == {"type": 12, "items": [{"media": media, "description": "described"}]}
    first, second = made.files(), made.files()
    assert [file.filename for file in (*first, *second)] == ["table.png"] * 2
    assert first[0].fp.read() == second[0].fp.read() == made.picture
    (container,) = render(PICTURED, "note")
    assert [each["content"] for each in container["components"]] == ["### Title\nbefore\nafter\n-# foot"]
    assert sheet(PICTURED, "note").files() == []
    plain = sheet(with_pictures(PICTURED), "note").without_picture()
    assert (plain.picture, plain.to_components()) == (b"", render(PICTURED, "note"))


def test_two_messages_with_other_pictures_have_other_marks() -> None:
    other = replace(LAYOUT, strips=LAYOUT.strips[::-1])
    sections = (Picture(LAYOUT, "described"),), (Picture(other, "described"),)
    marks = {sheet(with_pictures(Screen("Title", each)), "note").mark() for each in sections}
    assert len(marks) == 2


def test_a_ratings_curve_is_drawn_as_other_pictures_are() -> None:
    curve = RatingCurve((RatingPoint(0, 1000, 0, 2000), RatingPoint(1, 1100, 300, 1900)))
    assert sheet(with_pictures(Screen("Title", (Picture(curve, "described"),))), "note").picture == draw_rating(curve)


async def test_a_screen_without_pictures_is_not_touched() -> None:
    screen = Screen("Title", (Text("text"),))
    assert await drawn(screen, NO_TELEMETRY) is screen


# ---------------------------------------------------------------------------------------------- matches


@pytest.mark.parametrize("key", ["haymaker", "unbreakable", "ciq", "tivmiv", "champions"])
def test_only_ones_own_hand_lies_open_until_the_match_is_over(key: str) -> None:
    case, rng = case_of(key), random.Random(3)
    setting, seats = case.setups[0]
    log = random_match(deal_of(key, setting, seats, rng), rng)

    def closed(moves: int, viewer: int | None) -> list[bool]:
        match = match_of(log.deal, log.events(moves), moves)
        presenter = case.presenter
        layout = table_layout(match, presenter, viewer)  # type: ignore[arg-type]  # all our presenters have pictures
        return [None in strip.hand.cards for strip in layout.strips]

    middle = len(log.moves) // 2
    watched = closed(middle, None)
    assert any(watched)
    for seat in range(seats):
        assert closed(middle, seat) == [hidden and other != seat for other, hidden in enumerate(watched)]
    assert not any(closed(len(log.moves), None))


def test_winners_are_marked_and_nobody_is_in_a_draw() -> None:
    case, rng = case_of("haymaker"), random.Random(3)
    log = random_match(deal_of("haymaker", "default", 2, rng), rng, Odds(resign=0.2))
    for ranks, winners in {(1, 2): [True, False], (2, 1): [False, True], (1, 1): [False, False]}.items():
        match = match_of(log.deal, log.events(1), 1, ranks)
        layout = table_layout(match, case.presenter, None)  # type: ignore[arg-type]  # it has pictures
        assert [strip.winner for strip in layout.strips] == winners

"""What may be planned follows from what the planning player may know, and fits into a message."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest

from bot.ui.catalogue import translations
from bot.ui.screen import Button, Press, Select
from cogs.conditions.queries import ConditionalMove
from cogs.conditions.screens import Begun, Planning, action_of, move_screen, plans_screen
from cogs.games.ciq import CIQPresenter
from cogs.games.haymaker import HaymakerPresenter
from cogs.screens import custom_ids
from cogs.screens.presenter import Reader
from cogs.screens.renderer import render
from discord_sandbox import refusals
from engines import ciq
from engines.game import Pick
from laws.bodies import EMOJI_IDS
from tests.cogs.games.test_ciq_presenter import IN_EMOJIS, SIX, holding
from tests.engines import ciq_table, haymaker_table
from tests.engines.haymaker_table import Played, attack, block

say = translations("en")
ANN_AND_BEN = Reader(say, ("Ann", "Ben"), 1)
HAYMAKER, CIQ = HaymakerPresenter(), CIQPresenter()
OCCASIONS = ("any", "clubs", "diamonds", "hearts", "spades", "haymaker", "attack")


@pytest.mark.parametrize(
    ("attacked_with", "occurring"),
    [("7S", {"any", "spades"}), ("2S 9S", {"any", "spades", "haymaker"}), ("3D", {"any", "diamonds"})],
)
def test_an_attack_is_an_occasion_by_its_suit_and_size(attacked_with: str, occurring: set[str]) -> None:
    table = Played(haymaker_table.lay("7S 2S 9S 3D", "TC 5H 6D")).does(0, attack(attacked_with))
    own = haymaker_table.GAME.observe(table.state, 1)
    assert {each for each in OCCASIONS if HAYMAKER.occurs(each, own)} == occurring
    others = haymaker_table.GAME.observe(table.state, 0)
    assert not any(HAYMAKER.occurs(each, others) for each in OCCASIONS), "they are not asked"


def test_the_own_attack_is_an_occasion_and_a_choice_of_a_drawn_card_is_none() -> None:
    table = Played(haymaker_table.lay("7S 2S", "TC 5H", draw="AC 2C", may_pass=True))
    own = haymaker_table.GAME.observe(table.state, 0)
    assert {each for each in OCCASIONS if HAYMAKER.occurs(each, own)} == {"attack"}
    table.does(0, haymaker_table.GAME.read("pass"))
    own = haymaker_table.GAME.observe(table.state, 0)
    assert not any(HAYMAKER.occurs(each, own) for each in OCCASIONS)


def test_occasions_do_not_depend_on_what_the_others_hold() -> None:
    hands = ("7S 2S 9S 3D", "AC 2C 3C 4C")
    told = [
        HAYMAKER.occasions(haymaker_table.GAME.observe(haymaker_table.lay(hand, "TC 5H 6D"), 1), ANN_AND_BEN)
        for hand in hands
    ]
    assert told[0] == told[1]
    assert told[0]["hearts"] == "Ann attacks with ♥"
    assert tuple(told[0]) == OCCASIONS


def test_an_attack_is_an_occasion_of_who_is_attacked_in_ciq_and_of_those_who_still_play() -> None:
    state = ciq_table.lay(*[ciq_table.Place("7S 9S", 9)] * 4)
    reader = Reader(say, ("Ann", "Ben", "Cat", "Dan"), 1)
    own = ciq_table.GAME.observe(state, 1)
    assert [*CIQ.occasions(own, reader)] == ["any", "by0", "by2", "by3"]
    state = replace(state, out=frozenset({0, 3}))
    assert CIQ.occasions(ciq_table.GAME.observe(state, 1), reader) == {"by2": "Cat attacks you"}
    state = ciq_table.lay(*[ciq_table.Place("7S 9S", 9)] * 3)
    asked = ciq.Assault(0, 2, ciq.Pile.DAMAGE, (ciq_table.card("7S"),), 8, needed=7)
    state = replace(state, phase=ciq.Phase.BLOCK, assault=asked)
    occurring = {
        (seat, each)
        for seat, each in product(range(3), ("any", "by0", "by1"))
        if CIQ.occurs(each, ciq_table.GAME.observe(state, seat))
    }
    assert occurring == {(2, "any"), (2, "by0")}


@pytest.mark.parametrize(
    ("size", "reader"), [(0, SIX), (25, SIX), (600, SIX), (1, IN_EMOJIS), (26, IN_EMOJIS), (80, IN_EMOJIS)]
)
def test_a_hand_of_any_size_fits_and_each_of_its_cards_can_be_planned(size: int, reader: Reader) -> None:
    cards = random.Random(size).sample([card for card in ciq.packs(12) if card.rank != 8], size)
    asked = Planning(holding(tuple(cards)), 0, CIQ, reader)
    screen = move_screen(asked, Begun("any"))
    assert not refusals(render(screen, asked.match.id), EMOJI_IDS)
    options = [
        option for row in screen.rows for control in row if isinstance(control, Select) for option in control.options
    ]
    held = asked.match.private(0).own.hand
    assert len(options) == len({(card.rank, card.suit) for card in held if not card.is_joker})
    for option in options:
        begun = Begun.read(option.value)
        assert begun.written() == option.value
        picked = move_screen(asked, begun)
        assert not refusals(render(picked, asked.match.id), EMOJI_IDS)
        (save,) = [
            each
            for row in picked.rows
            for each in row
            if isinstance(each, Button) and each.press == Press("plansave", asked.window, option.value)
        ]
        assert save.enabled
        assert asked.match.game.read(asked.match.game.write(action_of(asked, begun))) == action_of(asked, begun)


def test_the_list_of_plans_fits_with_the_longest_names() -> None:
    cards = random.Random(1).sample([card for card in ciq.packs(12) if card.rank != 8], 30)
    asked = Planning(holding(tuple(cards)), 0, CIQ, SIX)
    card = next(card for card in asked.match.private(0).own.hand if not card.is_joker)
    move = asked.match.game.write(ciq.Block((card,)))
    planned = [ConditionalMove("m", 0, nth, 1, 1, 0, f"by{nth}", "block", move) for nth in (1, 2, 3)]
    for some in ([], planned[:1], planned):
        screen = plans_screen(asked, some, say("plan.full", most=3))
        assert not refusals(render(screen, asked.match.id), EMOJI_IDS)
    gone = replace(planned[0], move=asked.match.game.write(ciq.Block((ciq_table.card("8S", 3),))))
    assert "→" in str(plans_screen(asked, [gone])), "a card that is gone is not named"


@pytest.mark.parametrize(
    "arg", ["", "never", "any.nothing", "any.block.aa", "any.block.......z", "any.block.zzz.", "any..", "any.block.~"]
)
def test_an_argument_that_was_never_written_is_no_plan(arg: str) -> None:
    asked = Planning(holding((ciq_table.card("7S"), ciq_table.card("9S"))), 0, CIQ, SIX)
    with pytest.raises(custom_ids.UnknownCustomId):
        action_of(asked, Begun.read(arg))


def test_a_move_that_can_never_be_legal_is_not_planned() -> None:
    own = haymaker_table.GAME.observe(haymaker_table.lay("7S 2S", "TC 6D"), 1)
    attacking, blocking = [
        HAYMAKER.plannable(each, own).find(verb) for each, verb in (("attack", "attack"), ("any", "block"))
    ]
    assert isinstance(attacking, Pick)
    assert isinstance(blocking, Pick)
    assert attacking.step((0, 1)).unfinished is not None
    assert blocking.step((0, 1)).unfinished is None
    assert blocking.action((0, 1)) == block("TC 6D")

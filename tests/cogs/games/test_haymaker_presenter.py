"""Haymaker's presenter: what the hand says that a hit costs and a block brings, and why a pass is not possible."""

from __future__ import annotations

import random

from bot.ui.catalogue import translations
from bot.ui.screen import Cards, Text
from cogs.games.haymaker import HaymakerPresenter
from cogs.screens.hands.hand import hand_screen
from cogs.screens.presenter import Reader
from laws.bodies import match_of
from tests.engines.haymaker_table import GAME, A, B, Played, attack, block, lay
from tests.games.cases import deal_of
from tests.wrapped_text import unwrapped

PRESENTER = HaymakerPresenter()
READER = Reader(translations("en"), ("Ann", "Ben"), B)


def prompt(attacked_with: str) -> str:
    """What the defender reads when attacked with these cards."""
    table = Played(lay("7S 2S 9S 3D", "TC 5H 6D")).does(A, attack(attacked_with))
    return PRESENTER.prompt(GAME.observe(table.state, B), READER)


def test_an_attack_says_that_an_exact_block_is_a_reversal_and_what_the_hit_costs() -> None:
    said = prompt("7S")
    assert "exactly **7** is a reversal" in said
    assert "The hit costs you a random card." in said


def test_a_haymaker_says_that_any_block_is_a_reversal_and_that_the_hit_costs_two() -> None:
    said = prompt("2S 9S")
    assert "Block with **11** or more, and it's a reversal" in said
    assert "The hit costs you 2 random cards" in said


def test_an_attack_with_the_last_card_says_that_any_block_is_a_reversal() -> None:
    table = Played(lay("7S", "TC 5H 6D")).does(A, attack("7S"))
    assert "Block with **7** or more, and it's a reversal" in PRESENTER.prompt(GAME.observe(table.state, B), READER)


def attacking(*, draw: str, may_pass: bool) -> str:
    """What the attacker reads."""
    return PRESENTER.prompt(GAME.observe(lay("7S 2S", "TC 5H", draw=draw, may_pass=may_pass), A), READER)


def test_before_an_attack_it_is_said_what_a_hit_costs_and_what_a_reversal_is() -> None:
    said = attacking(draw="AC 2C", may_pass=False)
    assert "costs them a random card: two from a haymaker, or the match with too few" in said
    assert "An exact block, or any block of a haymaker, is a reversal" in said
    assert "pass" not in said


def test_what_a_pass_brings_is_said_by_what_is_left_to_draw() -> None:
    assert "draw two cards and keep one" in attacking(draw="AC 2C", may_pass=True)
    assert "nothing left to draw" in attacking(draw="", may_pass=True)


def test_why_no_pass_is_possible_is_a_sentence_of_its_own() -> None:
    deal = deal_of("haymaker", "default", 2, random.Random(1))
    match = match_of(deal, deal.open()[1], 0)
    (seat,) = match.awaited
    shown = hand_screen(match, seat, PRESENTER, Reader(translations("en"), ("Ann", "Ben"), seat)).sections
    texts = [unwrapped(section.text) for section in shown if isinstance(section, Text)]
    assert f"-# {translations('en')('haymaker.refusal.pass_not_open')}" in texts


def test_anybody_can_look_through_both_discard_piles_the_top_card_first() -> None:
    table = Played(lay("7S 2S 9S 3D", "7C 5H 6D")).does(A, attack("7S")).does(B, block("7C"))
    shown = PRESENTER.piles(GAME.observe_public(table.state), READER)
    assert shown == (Cards("**Ann**, discards (0):", ()), Cards("**Ben**, discards (2):", ("`7♣`", "`7♠`")))

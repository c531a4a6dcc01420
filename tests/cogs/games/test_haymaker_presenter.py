"""Haymaker's presenter: what the hand says that a hit costs and a block brings, and why a pass is not possible."""

from __future__ import annotations

import random

from bot.ui.catalogue import translations
from bot.ui.screen import Cards, Text
from cogs.games.haymaker import HaymakerPresenter
from cogs.screens.hands.hand import explanation, hand_screen
from cogs.screens.presenter import Reader
from laws.bodies import match_of
from tests.engines.haymaker_table import GAME, A, B, Played, attack, block, lay
from tests.games.cases import deal_of
from tests.wrapped_text import unwrapped

PRESENTER = HaymakerPresenter()
READER = Reader(translations("en"), ("Ann", "Ben"), B)


def reply(attacked_with: str, defends: str = "TC 5H 6D", attacks: str = "7S 2S 9S 3D") -> tuple[str, str]:
    """What the defender reads when attacked with these cards, and what *?* adds."""
    table = Played(lay(attacks, defends)).does(A, attack(attacked_with))
    own = GAME.observe(table.state, B)
    return PRESENTER.prompt(own, READER), PRESENTER.explained(own, READER)


def test_what_an_attack_costs_and_what_a_block_brings_is_said_or_explained() -> None:
    said, explained = reply("7S")
    assert "exactly **7** is a reversal" in said
    assert "The hit costs you a random card." in explained
    said, explained = reply("2S 9S")
    assert "Block with **11** or more. The hit costs you 2 cards." in said
    assert "Any block of a haymaker is a reversal" in explained
    said, _ = reply("2S 9S", "TC")
    assert "The hit costs you the match." in said
    said, _ = reply("7S", attacks="7S")
    assert "Block with **7** or more: a reversal." in said


def attacking(*, draw: str, may_pass: bool) -> str:
    """What *?* tells the attacker."""
    return PRESENTER.explained(GAME.observe(lay("7S 2S", "TC 5H", draw=draw, may_pass=may_pass), A), READER)


def test_it_is_explained_what_a_hit_costs_what_a_reversal_is_and_what_a_pass_brings() -> None:
    said = attacking(draw="AC 2C", may_pass=False)
    assert "costs them a random card: two from a haymaker, or the match with too few" in said
    assert "An exact block, or any block of a haymaker, is a reversal" in said
    assert "pass" not in said
    assert "draw two cards and keep one" in attacking(draw="AC 2C", may_pass=True)
    assert "nothing left to draw" in attacking(draw="", may_pass=True)


def test_why_no_pass_is_possible_is_explained_and_not_said_before() -> None:
    deal = deal_of("haymaker", "default", 2, random.Random(1))
    match = match_of(deal, deal.open()[1], 0)
    (seat,) = match.awaited
    reader, why = Reader(translations("en"), ("Ann", "Ben"), seat), translations("en")("haymaker.refusal.pass_not_open")
    shown = hand_screen(match, seat, PRESENTER, reader).sections
    assert why not in unwrapped("\n".join(section.text for section in shown if isinstance(section, Text)))
    assert f"- {why}" in explanation(match, seat, PRESENTER, reader).splitlines()


def test_anybody_can_look_through_both_discard_piles_the_top_card_first() -> None:
    table = Played(lay("7S 2S 9S 3D", "7C 5H 6D")).does(A, attack("7S")).does(B, block("7C"))
    shown = PRESENTER.piles(GAME.observe_public(table.state), READER)
    assert shown == (Cards("**Ann**, discards (0):", ()), Cards("**Ben**, discards (2):", ("`7♣`", "`7♠`")))

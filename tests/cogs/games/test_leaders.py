"""Who is ahead, as *More…* of a board says it: from what everybody may know, and nothing where nothing tells."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from bot.ui.catalogue import translations
from bot.ui.screen import Text
from cogs.screens.board import more_on_board
from cogs.screens.presenter import Lead, Presenter, Reader
from engines.champions import Options
from engines.tivmiv import Stage
from engines.unbreakable import Phase
from laws.bodies import match_after
from laws.play import random_match
from tests.engines import champions_table, ciq_table, haymaker_table, test_unbreakable_rulings, tivmiv_table
from tests.games.cases import case_of

READER = Reader(translations("en"), ("Ann", "Ben", "Cleo"))


def ahead(key: str, public: Any) -> str:
    """What is said of a game."""
    presenter: Presenter = case_of(key).presenter
    return presenter.leader(public, READER)


def test_nobody_is_ahead_of_equals_and_several_may_be_ahead_of_one() -> None:
    def line(points: dict[int, int], *, fewest: bool) -> str:
        return Lead(points, fewest=fewest, far=2, told="tivmiv.ahead").line(READER)

    assert line({0: 3, 1: 3}, fewest=True) == ""
    assert line({0: 3, 1: 1, 2: 1}, fewest=True) == "Ahead: **Ben** and **Cleo** with 1 point."
    assert line({0: 3, 1: 1}, fewest=False) == "Ahead: **Ann** with 3 points."


def test_haymaker_more_cards_are_ahead() -> None:
    game, lay = haymaker_table.GAME, haymaker_table.lay
    assert ahead("haymaker", game.observe_public(lay("7S 2S", "TC"))) == "Ahead: **Ann** with 2 cards in hand."
    assert ahead("haymaker", game.observe_public(lay("7S", "TC"))) == ""


def test_unbreakable_the_attacker_in_the_middle_still_counts_for_its_owner() -> None:
    laid = test_unbreakable_rulings.laid("7S", "5D AC KH", "9S TH 6C", hands=("2C 3C", "2D 3D 4D"))
    public = test_unbreakable_rulings.GAME.observe_public(laid)
    assert ahead("unbreakable", public) == ""
    assert ahead("unbreakable", replace(public, turn=None)) == "Ahead: **Ann** with 2 cards to get rid of."
    assert ahead("unbreakable", replace(public, phase=Phase.LAY)) == "Ahead: **Ann** with 2 cards to get rid of."


def test_ciq_fewest_cards_of_those_who_still_play_are_ahead() -> None:
    table = ciq_table.against("9H", "2S 6S")
    assert ahead("ciq", ciq_table.GAME.observe_public(table.state)) == "Ahead: **Ben** with 15 cards left."
    assert ahead("ciq", ciq_table.GAME.observe_public(replace(table.state, out=frozenset({1})))) == ""


def test_tivmiv_points_decide_once_a_phase_is_scored() -> None:
    public = tivmiv_table.GAME.observe_public(tivmiv_table.lay("5±2", "3±1", "4±1"))
    assert ahead("tivmiv", public) == ""
    scored = replace(public, stage=Stage.SCORED, totals=(4, 9, 1))
    assert ahead("tivmiv", scored) == "Ahead: **Ann** with 4 points.", "who is out is not ahead"


def test_champions_icons_with_victory_dice_and_cards_without() -> None:
    game, lay = champions_table.GAME, champions_table.lay
    assert ahead("champions", game.observe_public(lay("1 2", "3"))) == "Ahead: **Ben** with 1 card to get rid of."
    scoring = lay("1 2", "3", options=Options(victory_dice=True), piles=("4.4", ""))
    assert ahead("champions", game.observe_public(scoring)) == "Ahead: **Ann** with 4 icons."


def test_it_is_said_behind_more_of_a_board() -> None:
    case, rng = case_of("haymaker"), random.Random(2)
    log = random_match(case.deal("default", 2, rng), rng)
    said = [more_says_who_is_ahead(log, moves) for moves in range(len(log.states) - 1)]
    assert {True, False} == set(said)
    assert not said[0], "both hold ten cards"


def more_says_who_is_ahead(log: Any, moves: int) -> bool:
    """Whether *More…* on a board after some moves leads to the line."""
    match, reader = match_after(log, moves), replace(READER, names=("Ann", "Ben"))
    screen = more_on_board(match, case_of("haymaker").presenter, reader)
    return any(isinstance(each, Text) and each.text.startswith("-# Ahead: ") for each in screen.sections)

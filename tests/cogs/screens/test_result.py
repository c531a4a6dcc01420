"""The result on the board: once a match is over, everybody's cards are open."""

from __future__ import annotations

import random

import pytest

from bot.games import GAMES
from bot.ui.catalogue import translations
from bot.ui.screen import Cards
from cogs.screens.board import HANDS, board_screen
from cogs.screens.card_text import TEXT_CARDS
from cogs.screens.presenter import Reader
from engines.cards import Card, Suit
from engines.game import Resign
from laws.bodies import match_of
from laws.play import random_match
from tests.games.cases import case_of, deal_of


@pytest.mark.parametrize("game", GAMES)
def test_the_result_shows_what_everybody_held_and_a_running_board_does_not(game: str) -> None:
    reader = Reader(translations("en"), ("Ann", "Ben"))
    presenter = case_of(game).presenter
    deal = deal_of(game, "default", 2, random.Random(4))
    moves = 40 if game == "tivmiv" else 12  # until then, nobody has drawn a card
    log = random_match(deal, random.Random(4), moves=moves)
    running = match_of(deal, log.events(), moves)
    left = deal.game.decide(log.states[-1], 1, Resign(), deal.chance(moves + 1))
    over = match_of(deal, (*log.events(), *left), moves + 1)
    assert over.over
    shown = [each for each in board_screen(over, presenter, reader).sections if isinstance(each, Cards)]
    held = {name: presenter.held(over.private(seat)) for seat, name in enumerate(reader.names)}
    assert any(held.values())
    for name, cards in held.items():
        assert (TEXT_CARDS.listed(f"**{name}** held:", cards) in shown) is bool(cards)
    assert not any(" held:" in str(each) for each in board_screen(running, presenter, reader).sections)


def test_who_holds_nothing_has_no_line() -> None:
    deal = deal_of("haymaker", "default", 2, random.Random(1))
    log = random_match(deal, random.Random(1))
    match = match_of(deal, log.events(), len(log.moves))
    presenter, reader = case_of("haymaker").presenter, Reader(translations("en"), ("Ann", "Ben"))
    assert match.over
    lines = [str(each) for each in board_screen(match, presenter, reader).sections]
    for seat, name in enumerate(reader.names):
        assert any(f"**{name}** held:" in line for line in lines) is bool(match.private(seat).own.hand)


def test_equal_cards_are_written_together() -> None:
    cards = [Card(rank, Suit.SPADES) for rank in (7, 8, 7, 7)]
    assert TEXT_CARDS.listed("", cards, together=True).cards == ("`7♠`×3", "`8♠`")


def test_a_row_that_is_too_long_says_how_many_cards_it_leaves_out() -> None:
    cards = [Card(1 + n % 13, Suit.SPADES) for n in range(1000)]
    kept = TEXT_CARDS.listed("", cards, room=HANDS // 6).cards
    assert kept[-1] == f"+{1000 - (len(kept) - 1)}"
    assert len(" ".join(kept)) <= HANDS // 6
    assert TEXT_CARDS.listed("", cards[:5], room=HANDS) == TEXT_CARDS.listed("", cards[:5])

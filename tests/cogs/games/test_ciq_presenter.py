"""CIQ's presenter: sentences for what happens, and hands of any size within Discord's limits."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any, cast

import pytest

from bot.play.live_match import LiveMatch
from bot.play.match_state import Position
from bot.ui.catalogue import translations
from bot.ui.screen import Select
from cogs.games.ciq import CIQPresenter
from cogs.screens import custom_ids, selections
from cogs.screens.board import board_screen, piles_screen
from cogs.screens.hand import hand_screen
from cogs.screens.presenter import Reader
from cogs.screens.renderer import render
from engines.ciq import (
    AttackCut,
    AttackLaid,
    BlockAsked,
    Blocked,
    Card,
    CardsDrawn,
    CardTaken,
    CountDrawn,
    DealerDrawn,
    Defended,
    Fact,
    GivingAsked,
    Leaving,
    LetThrough,
    Options,
    Passed,
    Phase,
    Pile,
    Place,
    ResultBegun,
    SeatLeft,
    Source,
    State,
    Transferred,
    TurnBegun,
    TurnedOver,
    packs,
)
from engines.game import Event, Pick, Seat
from laws.bodies import match_of
from sandbox.model.errors import Faults
from sandbox.validation.components import Media, read_components
from sandbox.validation.forms import Form
from tests.engines.ciq_table import card
from tests.games.cases import case_of

PRESENTER = CIQPresenter()
LONG = tuple(f"{'W' * 31}{seat}" for seat in range(6))
SIX = Reader(translations("en"), LONG, 0)
TWO = Reader(translations("en"), ("Ann", "Ben"), 0)


class Standing:
    """A match as it is, but for its position."""

    def __init__(self, match: LiveMatch, position: Position) -> None:
        self._match = match
        self.position = position

    def __getattr__(self, name: str) -> Any:
        return getattr(self._match, name)

    def public(self) -> Any:
        return self.game.observe_public(self.position.state)

    def private(self, seat: Seat) -> Any:
        return self.game.observe(self.position.state, seat)

    def choices(self, seat: Seat) -> Any:
        return self.game.choices(self.position.state, seat)


def holding(hand: tuple[Card, ...], seats: int = 6, phase: Phase = Phase.TURN, owed: int = 0) -> LiveMatch:
    """A match in which seat 0 is asked and holds this hand, and the other cards lie in open piles."""
    deal = case_of("ciq").deal("default", seats, random.Random(1))
    match = match_of(deal, deal.open()[1], 0)
    state: State = match.position.state
    rest = [card for card in packs(12) if card not in hand]
    eights = [card for card in rest if card.rank == 8][:seats]
    spread = random.Random(2).sample([card for card in rest if card not in eights], len(rest) - seats)
    places = [
        Place(damage=tuple(spread[seat::seats]), defense=(eights[seat],)).with_hand(hand if seat == 0 else ())
        for seat in range(seats)
    ]
    state = replace(state, turn=0, phase=phase, places=tuple(places))
    if owed:
        assault = match.game.evolve(state, AttackLaid(0, 1, Pile.DAMAGE, (), 8)).assault
        state = replace(state, phase=Phase.GIVE, assault=replace(assault, owed=owed))
    return cast("LiveMatch", Standing(match, replace(match.position, state=state)))


def faults(match: LiveMatch, selection: str = "") -> dict[str, object]:
    """What Discord would refuse in a hand."""
    found = Faults()
    components = render(hand_screen(match, 0, PRESENTER, SIX, selection=selection), match.id)
    read_components(Form({"components": components}, found), v2=True, custom_emojis=(), media=Media())
    return dict(found.tree)


@pytest.mark.parametrize("size", [0, 1, 5, 24, 25, 26, 40, 64, 65, 130, 318, 600])
def test_hands_of_any_size_fit(size: int) -> None:
    cards = random.Random(size).sample([card for card in packs(12) if card.rank != 8], min(size, 600))
    turn = holding(tuple(cards))
    assert faults(turn) == {}
    for offer in turn.choices(0):
        if isinstance(offer, Pick):
            picked: tuple[int, ...] = ()
            while True:
                selection = custom_ids.write_selection(offer.verb, picked, ordered=offer.ordered)
                assert faults(turn, selection) == {}
                free = [place for place, refusal in enumerate(offer.step(picked).addable) if refusal is None]
                if not free:
                    break
                picked = (*picked, free[0]) if offer.ordered else tuple(sorted((*picked, free[0])))


def test_a_huge_giving_fits_and_its_selection_is_saved() -> None:
    cards = tuple(card for card in packs(12) if card.rank != 8)
    match = holding(cards, owed=len(cards) - 1)
    for count in (0, 1, 100, len(cards) - 1):
        selection = custom_ids.write_selection("give", tuple(range(count)), ordered=False)
        assert faults(match, selection) == {}
        assert selections.is_truncated(hand_screen(match, 0, PRESENTER, SIX, selection=selection))


def test_a_small_hand_is_a_button_a_card_and_a_large_one_lists_of_faces() -> None:
    small = hand_screen(holding(packs(1)[:25], 2), 0, PRESENTER, TWO, selection="damage1.")
    (target,) = [control for row in small.rows for control in row if isinstance(control, Select)]
    assert [option.value for option in target.options] == ["damage1.", "defense1.", "defend."]
    large = hand_screen(holding(packs(2)[:30], 2), 0, PRESENTER, TWO, selection="damage1.")
    lists = [
        control for row in large.rows for control in row if isinstance(control, Select) and control.press.verb == "p"
    ]
    assert [each.placeholder for each in lists] == ["♣", "♦", "♥"]
    assert sum(len(each.options) for each in lists) == 30


def test_the_board_and_the_piles_fit_with_the_longest_names() -> None:
    match = holding(())
    for screen in (board_screen(match, PRESENTER, SIX), piles_screen(match, PRESENTER, SIX)):
        texts = [part["content"] for part in render(screen, match.id)[0]["components"] if "content" in part]
        assert sum(len(text) for text in texts) <= 4000
        assert "…" not in "".join(texts), "nothing is cut"


def test_names_on_buttons_are_plain() -> None:
    match = holding(packs(1)[:5], 2)
    label = PRESENTER.label("damage1", match.private(0), Reader(translations("en"), ("Ann", r"\*\*Ben\*\*"), 0))
    assert "**Ben**" in label
    assert "\\" not in label


SENTENCES: list[tuple[Event, str | None]] = [
    (DealerDrawn(1), "Ben dealt; Ann begins."),
    (TurnBegun(0, 1), None),
    (TurnedOver(0), "Ann turns the Damage Pile over."),
    (CardsDrawn(0, (card("TH"),), chosen=True), "You draw `10♥`."),
    (CountDrawn(1, 1, chosen=True), "Ben draws a card."),
    (CountDrawn(1, 3, chosen=False), None),
    (AttackLaid(0, 1, Pile.DAMAGE, (card("2S"), card("X")), 8), "Ann attacks Ben with `2♠` `🃏`."),
    (AttackLaid(0, 1, Pile.DAMAGE, (card("QS"),), 11), "Ann attacks Ben with `Q♠` alone, which counts as J."),
    (AttackLaid(0, 1, Pile.DAMAGE, (card("2S"),), 8), "Ann attacks Ben with `2♠`."),
    (AttackLaid(0, 1, Pile.DEFENSE, (card("2S"),), 8), "Ann plays `2♠` on Ben's Defense Pile."),
    (BlockAsked(1, 7), None),
    (Blocked(1, card("9D")), "Ben blocks the last card with `9♦`."),
    (LetThrough(1), "Ben doesn't block."),
    (ResultBegun(0), None),
    (CardTaken(1, card("KD")), "The Jack takes `K♦` from Ben's hand."),
    (Transferred(0, 1, Source.ATTACK, (card("2C"),)), "Ann moves 1 card to Ben."),
    (Transferred(0, 1, Source.DAMAGE, (card("2C"), card("3C"))), "Ann moves the Damage Pile, 2 cards, to Ben."),
    (Transferred(0, 1, Source.HAND, (card("2C"),)), "Ann gives Ben 1 card from their hand."),
    (Transferred(0, 1, Source.DEFENSE, (card("2C"),)), "Ann moves 1 card from the Defense Pile to Ben."),
    (GivingAsked(0, 2), None),
    (AttackCut(0), "Ann's Attack Pile has run out, so the attack ends."),
    (Defended(0, card("2C")), "Ann defends with `2♣`."),
    (Passed(0, forced=False), "Ann passes."),
    (Passed(0, forced=True), "Ann has nothing to play and nothing to draw, so they pass."),
    (Leaving(1, "resignation"), "Ben leaves as soon as the attack is over."),
    (SeatLeft(1, "resignation"), "Ben has resigned."),
    (SeatLeft(1, "time"), "Ben ran out of time and is out."),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES, ids=lambda value: type(value).__name__)
def test_every_event_has_its_sentence(event: Fact, sentence: str | None) -> None:
    assert PRESENTER.narrate(event, TWO) == sentence


def test_the_summary_of_an_attack_says_what_it_amounts_to() -> None:
    worth: dict[str, int | str] = {
        "cards": "4♠ J♠",
        "transfer": 4,
        "jack": 1,
        "cut": 1,
        "wins": 1,
        "needed": "J",
        "top": "J♠",
    }
    said = PRESENTER.selection_summary("damage1", worth, TWO)
    for part in ("jack", "cut", "wins"):
        assert translations("en")(f"ciq.worth.{part}") in said
    assert "moves **4**" in said
    assert translations("en")("ciq.worth.safe") in PRESENTER.selection_summary("damage1", {**worth, "needed": ""}, TWO)


def test_the_terms_say_what_differs_and_always_the_limit() -> None:
    assert PRESENTER.terms(Options(), TWO) == ("After 100 rounds, the player with the fewest cards left wins.",)
    assert len(PRESENTER.terms(Options(decks=2, block_seconds=30, round_limit=20), TWO)) == 3
    assert translations("en")("ciq.terms.fewest") in PRESENTER.terms(Options(decks=0), TWO)

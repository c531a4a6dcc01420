"""CIQ's presenter: sentences for what happens, and hands of any size within Discord's limits."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any, cast

import pytest

from bot.play.live_match import LiveMatch
from bot.play.match_state import Position
from bot.ui.catalogue import translations
from bot.ui.screen import Button, Cards, Select, Text
from cogs.games.ciq import CIQPresenter
from cogs.screens import custom_ids, selections
from cogs.screens.hands.hand import explanation, hand_screen
from cogs.screens.presenter import Reader
from cogs.screens.renderer import render
from discord_sandbox import refusals
from engines.ciq import (
    Allow,
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
from laws.bodies import EMOJI_IDS, card_form, match_of, styled
from laws.hands import buttons
from tests.engines.ciq_table import GAME, against, card
from tests.games.cases import case_of
from tests.wrapped_text import unwrapped

PRESENTER = CIQPresenter()
LONG = tuple(f"{'W' * 31}{seat}" for seat in range(6))
SIX = Reader(translations("en"), LONG, 0)
IN_EMOJIS = replace(SIX, cards=card_form(styled(case_of("ciq"))[1]))
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


def faults(match: LiveMatch, selection: str = "", reader: Reader = SIX) -> dict[str, object]:
    """What Discord would refuse in a hand."""
    components = render(hand_screen(match, 0, PRESENTER, reader, selection=selection), match.id)
    return refusals(components, EMOJI_IDS)


@cache
def held(size: int) -> tuple[LiveMatch, tuple[str, ...]]:
    """A match with so many cards in a hand, and the selections that are looked at while they are picked one by one."""
    cards = random.Random(size).sample([card for card in packs(12) if card.rank != 8], min(size, 600))
    turn = holding(tuple(cards))
    looked_at: list[str] = []
    for offer in turn.choices(0):
        if isinstance(offer, Pick):
            picked: tuple[int, ...] = ()
            while True:
                free = [index for index, refusal in enumerate(offer.step(picked).addable) if refusal is None]
                if len(picked) in (0, 1, 2, 24, 25, 26) or len(picked) % 50 == 0 or not free:  # lists have 25 lines
                    looked_at.append(custom_ids.write_selection(offer.verb, picked, ordered=offer.ordered))
                if not free:
                    break
                picked = (*picked, free[0]) if offer.ordered else tuple(sorted((*picked, free[0])))
    return turn, tuple(looked_at)


def test_a_huge_giving_fits_and_its_selection_is_saved() -> None:
    cards = tuple(card for card in packs(12) if card.rank != 8)
    match = holding(cards, owed=len(cards) - 1)
    for count in (0, 1, 100, len(cards) - 1):
        selection = custom_ids.write_selection("give", tuple(range(count)), ordered=False)
        assert faults(match, selection) == {}
        assert selections.is_truncated(hand_screen(match, 0, PRESENTER, SIX, selection=selection))


def test_a_small_hand_is_a_button_a_card_and_a_large_one_lists_of_faces() -> None:
    small = hand_screen(holding(packs(1)[:24], 2), 0, PRESENTER, TWO, selection="damage1.")
    (target,) = [control for row in small.rows for control in row if isinstance(control, Select)]
    assert [option.value for option in target.options] == ["damage1.", "defense1.", "defend."]
    large = hand_screen(holding(packs(2)[:30], 2), 0, PRESENTER, TWO, selection="damage1.")
    lists = [
        control for row in large.rows for control in row if isinstance(control, Select) and control.press.verb == "p"
    ]
    assert [each.placeholder for each in lists] == ["♣", "♦", "♥"]
    assert sum(len(each.options) for each in lists) == 30


def test_the_lines_of_a_list_have_emojis_and_the_hand_is_listed_whole_in_one_form() -> None:
    for size in (30, 600):
        hand = random.Random(1).sample([card for card in packs(12) if card.rank != 8], size)
        screen = hand_screen(holding(tuple(hand)), 0, PRESENTER, IN_EMOJIS, selection="damage1.")
        lists = [row[0] for row in screen.rows if isinstance(row[0], Select) and row[0].press.verb == "p"]
        options = [option for control in lists for option in control.options]
        assert all(option.label for option in options)
        assert all(option.emoji for option in options)
        (held,) = [section for section in screen.sections if isinstance(section, Cards)]
        assert not any(card.startswith("`") for card in held.cards)


def test_a_single_opponent_needs_no_name_on_a_button_and_a_hand_says_what_lies_before_its_owner() -> None:
    own = holding(packs(1)[:5], 2).private(0)
    assert [PRESENTER.label(verb, own, TWO) for verb in ("damage1", "defense1", "defend")] == [
        "Attack",
        "Weaken",
        "Defend",
    ]
    own = GAME.observe(replace(against("9H", "2S 6S").state), 0)
    (_, standing) = PRESENTER.hand_text(own, TWO)
    assert isinstance(standing, Text)
    assert standing.text == "-# Attack 40 · Damage 0 · Defense `8♣`"


@pytest.mark.parametrize(("cards", "seats"), [(5, 2), (5, 3), (12, 6)])
def test_all_that_can_be_done_with_cards_is_one_list_that_says_what_a_choice_needs(cards: int, seats: int) -> None:
    screen = hand_screen(holding(packs(1)[:cards], seats), 0, PRESENTER, replace(SIX, names=SIX.names[:seats]))
    ((targets,),) = [row for row in screen.rows if row[0].press.verb == "o"]
    assert isinstance(targets, Select)
    assert [option.value for option in targets.options][:2] == ["damage1.", "defense1."]
    assert len(targets.options) == 2 * (seats - 1) + 1
    assert all("8" in option.description for option in targets.options), "each says the Defense"
    assert all("cards, Defense" in option.description for option in targets.options[:-1])


def test_what_to_play_now_is_said_once_something_is_chosen_to_do() -> None:
    match = holding(packs(1)[:5], 2)
    for verb, said in (("damage1", "Up to 8"), ("defense1", "no jokers"), ("defend", "replaces your 8♣")):
        shown = hand_screen(match, 0, PRESENTER, TWO, selection=f"{verb}.").sections
        assert said in unwrapped("\n".join(section.text for section in shown if isinstance(section, Text)))


def test_it_is_explained_what_each_deed_is_for() -> None:
    said = explanation(holding(packs(1)[:5], 2), 0, PRESENTER, TWO, "defense1.")
    for deed in ("Attack", "Weaken", "Defend"):
        assert f"\n{deed}: " in said
    assert say_refusal("ciq.refusal.joker_on_defense") not in said, "there is no joker"
    joker = explanation(holding((*packs(1)[:5], card("X")), 2), 0, PRESENTER, TWO, "defense1.")
    assert say_refusal("ciq.refusal.joker_on_defense") in joker


def say_refusal(key: str) -> str:
    """A refusal in a list of reasons."""
    return f"- {translations('en')(key)}"


def test_one_press_picks_the_lowest_of_many_cards_to_give_and_they_can_be_changed() -> None:
    cards = (*(card(code) for code in ("KC", "2C", "9D", "3H")), card("X"))
    match = holding(cards, 2, owed=3)
    hand = [each.name for each in match.private(0).own.hand]
    (row,) = [row for row in hand_screen(match, 0, PRESENTER, TWO).rows if row[0].press.verb == "c"]
    clear, lowest, _ = [control for control in row if isinstance(control, Button)]
    assert (clear.enabled, lowest.enabled, lowest.label) == (False, True, "Pick the lowest 3")
    picked = custom_ids.read_selection(lowest.press.arg, ordered=False)
    assert sorted(hand[place] for place in picked) == ["2♣", "3♥", "9♦"]
    after = hand_screen(match, 0, PRESENTER, TWO, selection=lowest.press.arg)
    (*_, completing) = after.rows
    (give,) = [control for control in completing if isinstance(control, Button)]
    assert give.enabled
    (row,) = [row for row in after.rows if row[0].press.verb == "c"]
    assert [isinstance(control, Button) and control.enabled for control in row] == [True, False, True]
    buttons.same_slots([hand_screen(match, 0, PRESENTER, TWO), after])


@pytest.mark.parametrize(("held", "owed"), [(5, 2), (600, 599)])
def test_few_cards_to_give_and_more_than_an_id_can_name_are_picked_one_by_one(held: int, owed: int) -> None:
    match = holding(packs(12)[:held], 2, owed=owed)
    rows = hand_screen(match, 0, PRESENTER, TWO).rows
    assert [[each.press.verb for each in row] for row in rows if row[0].press.verb == "c"] == [["c", "explain"]]


def test_who_may_block_reads_what_the_attack_moves_that_it_wins_and_what_a_jack_adds() -> None:
    table = against("9H", "2S 6S 6H TH", 40).attacks("2S 6S 6H TH")
    said = PRESENTER.prompt(GAME.observe(table.state, 1), TWO)
    assert "It moves **24** cards; blocked, **14**." in said
    assert "Block with **10** or higher" in said
    table.does(1, Allow())
    assert table.moved() == 24
    winning = against("9H", "2S 3S", 1, own="8C").attacks("2S 3S")
    assert "**Unblocked, Ann wins.**" in PRESENTER.prompt(GAME.observe(winning.state, 1), TWO)
    jack = against("KH", "2S JS", 40).attacks("2S JS")
    assert translations("en")("ciq.worth.jack") in PRESENTER.prompt(GAME.observe(jack.state, 1), TWO)


SENTENCES: list[tuple[Event, str | None]] = [
    (DealerDrawn(1), "Ben dealt; Ann begins."),
    (TurnBegun(0, 1), None),
    (TurnedOver(0), "Ann turns the Damage Pile over."),
    (CardsDrawn(0, (card("TH"),), chosen=True), "You draw `10♥`."),
    (CountDrawn(1, 1, chosen=True), "Ben draws a card."),
    (CountDrawn(1, 3, chosen=False), None),
    (AttackLaid(0, 1, Pile.DAMAGE, (card("2S"), card("X")), 8), "Ann attacks Ben with `2♠` `🃏`."),
    (AttackLaid(0, 1, Pile.DAMAGE, (card("QS"),), 11), "Ann attacks Ben with `Q♠` alone, as J."),
    (AttackLaid(0, 1, Pile.DAMAGE, (card("2S"),), 8), "Ann attacks Ben with `2♠`."),
    (AttackLaid(0, 1, Pile.DEFENSE, (card("2S"),), 8), "Ann plays `2♠` on the Defense of Ben."),
    (BlockAsked(1, 7), None),
    (Blocked(1, card("9D")), "Ben blocks the last card with `9♦`."),
    (LetThrough(1), "Ben doesn't block."),
    (ResultBegun(0), None),
    (CardTaken(1, card("KD")), "The Jack takes `K♦` from the hand of Ben."),
    (Transferred(0, 1, Source.ATTACK, (card("2C"),)), "Ann moves 1 card to Ben."),
    (Transferred(0, 1, Source.DAMAGE, (card("2C"), card("3C"))), "Ann moves the Damage Pile, 2 cards, to Ben."),
    (Transferred(0, 1, Source.HAND, (card("2C"),)), "Ann gives Ben 1 card from their hand."),
    (Transferred(0, 1, Source.DEFENSE, (card("2C"),)), "Ann moves 1 card from the Defense Pile to Ben."),
    (GivingAsked(0, 2), None),
    (AttackCut(0), "The Attack Pile of Ann has run out, so the attack ends."),
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
    assert translations("en")("ciq.worth.wins") in said
    assert "moves" not in said, "nothing else matters"
    said = PRESENTER.selection_summary("damage1", {**worth, "wins": 0}, TWO)
    for part in ("jack", "cut"):
        assert translations("en")(f"ciq.worth.{part}") in said
    assert "moves **4**" in said
    assert translations("en")("ciq.worth.safe") in PRESENTER.selection_summary("damage1", {**worth, "needed": ""}, TWO)


def test_the_terms_say_what_differs_and_always_the_limit() -> None:
    assert PRESENTER.terms(Options(), TWO) == ("After 100 rounds, the player with the fewest cards wins.",)
    assert len(PRESENTER.terms(Options(decks=2, block_seconds=30, round_limit=20), TWO)) == 3
    assert translations("en")("ciq.terms.fewest") in PRESENTER.terms(Options(decks=0), TWO)

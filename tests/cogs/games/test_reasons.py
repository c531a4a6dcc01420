"""What is said to speak for a move is true of it, and every such sentence is said in some match."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import pytest

from bot.ui.catalogue import catalogue, translations
from cogs.screens.cards.words import WordCards
from cogs.screens.clauses import Move, Reason, reason_for
from cogs.screens.hands.picking import move_of
from cogs.screens.presenter import Reader
from engines import champions, haymaker
from laws.case import GameCase
from laws.play import Deal, random_act
from tests.cogs.reviews.test_screens import played
from tests.games.cases import case_of

say = translations("en")
WITH_REASONS = ("haymaker", "unbreakable", "ciq", "champions")


class Weighed(NamedTuple):
    """A move that a seat was offered, and what speaks for it."""

    deal: Deal
    state: Any
    seat: int
    act: Any
    move: Move
    reasons: dict[str, Reason]


def weighed(case: GameCase, seeds: range) -> Iterator[Weighed]:
    """Moves by chance, of every seat after every move of some matches."""
    rng = random.Random(1)
    for (setting, seats), seed in product(dict.fromkeys(case.setups), seeds):
        log = played(case.game.info.key, setting, seats, seed)
        reader = Reader(say, tuple([f"Player {seat}" for seat in range(seats)]), cards=WordCards(say))
        for at, seat in product(rng.sample(range(len(log.moves)), min(40, len(log.moves))), range(seats)):
            choices = case.game.choices(log.states[at], seat)
            act = random_act(choices, rng)
            if act is None:
                continue
            own, move = case.game.observe(log.states[at], seat), move_of(act, choices)
            reasons = {each.key: each for each in case.presenter.reasons(move, own, reader)}
            yield Weighed(log.deal, log.states[at], seat, act, move, reasons)


@pytest.mark.parametrize("game", WITH_REASONS)
def test_every_reason_of_the_catalogue_is_given_and_is_a_sentence(game: str) -> None:
    given: dict[str, str] = {}
    keys = (message.id if isinstance(message.id, str) else message.id[0] for message in catalogue("en"))
    wanted = {key for key in keys if key.startswith(f"{game}.why.")}
    for each in weighed(case_of(game), range(8)):
        given |= {key: reason.told(say) for key, reason in each.reasons.items()}
        if given.keys() >= wanted:
            break
    assert given.keys() == wanted
    assert all(told[0].isupper() and told.endswith(".") for told in given.values()), given


def test_in_haymaker_knockouts_reversals_and_dearer_blocks_are_what_the_rules_make_of_them() -> None:
    made = [*weighed(case_of("haymaker"), range(8))]
    attacks = [each for each in made if each.move.verb == "attack"]
    said = ["haymaker.why.knockout" in each.reasons for each in attacks]
    hits = [each._replace(state=after_move(each), seat=1 - each.seat, act=haymaker.TakeHit()) for each in attacks]
    # Who has no card is hit at once.
    assert said == [(hit.state if hit.state.ended else after_move(hit)).ended is not None for hit in hits]
    assert {*said} == {True, False}
    blocks = [each for each in made if each.move.verb == "block"]
    said = ["haymaker.why.reversal" in each.reasons for each in blocks]
    assert said == [after_move(each).attacker == each.seat for each in blocks]
    assert {*said} == {True, False}
    costly = [each.state.hands[each.seat] for each in made if "haymaker.why.hit" in each.reasons]
    attacked = [each.state.attack for each in made if "haymaker.why.hit" in each.reasons]
    assert costly
    assert all(haymaker.strength(hand) >= haymaker.strength(row) for hand, row in zip(costly, attacked, strict=True))


@pytest.mark.parametrize("game", ["ciq", "champions"])
def test_who_is_said_to_have_the_fewest_cards_or_the_most_has_them_of_all_who_play(game: str) -> None:
    said = set()
    for each in weighed(case_of(game), range(2)):
        for key in ("ahead", "behind"):
            reason = each.reasons.get(f"{game}.why.{key}")
            if reason is None:
                continue
            said.add(key)
            (name,) = reason.values.values()
            target = int(name.removeprefix("Player "))
            cards = counted(game, each.state)
            others = [count for seat, count in cards.items() if seat != target]
            assert cards[target] < min(others) if key == "ahead" else cards[target] > max(others)
            if game == "champions":  # a win is worth least to who has most cards, but for icons
                assert each.deal.options.victory_dice is (key == "ahead")
    assert said == ({"ahead"} if game == "ciq" else {"ahead", "behind"})


def counted(game: str, state: Any) -> dict[int, int]:
    """How many cards each seat has that is still in."""
    if game == "ciq":
        return {seat: state.places[seat].cards for seat in state.staying}
    return {seat: len(state.decks[seat]) for seat in state.able}


@pytest.mark.parametrize("die", ["chosen", "blind", "soft_blind"])
def test_in_champions_a_number_leaves_no_choice_only_where_cards_are_chosen(die: str) -> None:
    deal = Deal(case_of("champions").game, champions.Options(die=die), 2, bytes(32))
    state, _ = deal.open()
    seat = state.battle.opponent
    own, choices = deal.game.observe(state, seat), deal.game.choices(state, seat)
    reader = Reader(say, ("Ann", "Ben"), cards=WordCards(say))
    presenter = case_of("champions").presenter
    said = [
        bool(presenter.reasons(move_of(champions.NameNumber(number), choices), own, reader)) for number in range(2, 7)
    ]
    assert said == ([False, False, True, True, True] if die == "chosen" else [False] * 5)


def after_move(made: Weighed) -> Any:
    """The state once the rules have decided a move."""
    return made.deal.game.decide(made.state, made.seat, made.act, made.deal.chance(1_000)).state


def test_a_reason_is_true_of_all_equal_moves_and_of_no_other_and_the_larger_attack_is_named() -> None:
    one, two, three = Reason("one"), Reason("two"), Reason("three")
    assert reason_for([[one, two, three], [three, two]], [[two]]) == three
    assert reason_for([[one]], []) == one
    assert reason_for([[one]], [[two, one]]) is None
    assert reason_for([[], [one]], []) is None
    larger, smaller = (Reason("ciq.why.moves", {"target": "Ann"}, n, worth=n) for n in (8, 4))
    assert reason_for([[larger]], [[smaller]]) == larger
    assert reason_for([[smaller]], [[larger]]) is None

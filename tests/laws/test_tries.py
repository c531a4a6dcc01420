"""Acts and picks that the laws find by themselves, where a case does not make them."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pytest

from cogs.screens.hands.picking import picks_by_cards
from engines import GAMES, haymaker
from engines.game import Pick
from laws.case import CaseError
from laws.play import random_match, random_picks
from laws.tries import EACH
from tests.games.cases import case_of


@pytest.mark.parametrize("key", GAMES)
def test_acts_of_every_class_are_made(key: str) -> None:
    case = replace(case_of(key), illegal_tries=None)
    tries = [act for seed in range(20) for act in case.tries(random.Random(seed))]
    assert len(tries) == 20 * EACH * len(case.game.info.actions)
    assert {type(act) for act in tries} == set(case.game.info.actions)
    assert len({repr(act) for act in tries}) > 5 * len(case.game.info.actions) / 2
    assert case.tries(random.Random(7)) == case.tries(random.Random(7))


@dataclass(frozen=True, slots=True)
class Whisper:
    """An act of which nothing can be made up."""

    words: bytes


def test_a_class_that_cannot_be_made_asks_for_illegal_tries() -> None:
    game = haymaker.Haymaker()
    game.info = replace(game.info, actions=(Whisper,))
    case = replace(case_of("haymaker"), game=game, illegal_tries=None)
    with pytest.raises(CaseError, match="no value of bytes can be made by chance; add `illegal_tries=`"):
        case.tries(random.Random(1))


@pytest.mark.parametrize("key", GAMES)
def test_the_picks_of_an_act_are_found_by_its_cards(key: str) -> None:
    case, rng, found = case_of(key), random.Random(3), 0
    for setup in case.setups:
        log = random_match(case.deal(*setup, rng), rng, moves=40)
        for state in log.states:
            for seat in range(log.deal.seats):
                for pick in case.game.choices(state, seat):
                    picked = random_picks(pick, rng) if isinstance(pick, Pick) else None
                    if picked is None or not isinstance(pick, Pick):
                        continue
                    found += 1
                    again = picks_by_cards(pick, pick.action(picked))
                    assert again == picked
                    assert all(picks_by_cards(pick, act) is None for act in (object(), haymaker.Pass()))
    assert found or key not in {"champions", "ciq", "haymaker", "unbreakable"}


def test_an_act_with_a_card_that_is_not_there_or_is_there_twice_is_no_pick() -> None:
    case, rng = case_of("haymaker"), random.Random(1)
    deal = case.deal("default", 2, rng)
    state, _ = deal.open()
    (seat,) = case.game.window(state).awaited  # type: ignore[union-attr]  # a match has begun
    pick = case.game.choices(state, seat).find("attack")
    assert isinstance(pick, haymaker.AttackPick)
    one, other = pick.hand[:2]
    elsewhere = next(card for card in haymaker.PACK.cards if card not in pick.hand)
    assert picks_by_cards(pick, haymaker.Attack((other, one))) == (0, 1)
    assert picks_by_cards(pick, haymaker.Attack((one, one))) is None
    assert picks_by_cards(pick, haymaker.Attack((one, elsewhere))) is None
    assert picks_by_cards(pick, haymaker.Attack(())) == ()

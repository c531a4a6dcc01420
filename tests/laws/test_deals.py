"""The laws on deals find what was planted: games that remember the last match, and that use no salt."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import engines.deals
from bot.play.deals import sealing
from bot.store.queries.matches import MatchRow
from engines import haymaker
from engines.chance import Chance, SeededChance
from engines.game import Facts
from laws import deals
from laws.play import Deal
from tests.games.cases import case_of


def deal_of(game: haymaker.Haymaker) -> Deal:
    return replace(case_of("haymaker").deal("default", 2, random.Random(1)), game=game)


class Alternating(haymaker.Haymaker):
    """Deals every other match in another way, whatever its seed is."""

    def __init__(self) -> None:
        self._matches = 0

    def deal(self, state: haymaker.State, chance: Chance) -> Facts[haymaker.Fact, haymaker.State]:
        self._matches += 1
        facts = super().deal(state, chance)
        return facts if self._matches % 2 else Facts((*facts, *facts), facts.state)


class Fixed(haymaker.Haymaker):
    """Deals the same cards in every match."""

    def deal(self, state: haymaker.State, chance: Chance) -> Facts[haymaker.Fact, haymaker.State]:
        super().deal(state, chance)
        sealed = engines.deals.Deal("haymaker", 1, "d", ())
        return super().deal(state, SeededChance(bytes(32), sealed, 0, haymaker.PACK.pack_id))


def test_a_game_that_remembers_the_match_before_is_found() -> None:
    deals.it_is_the_same_with_seats_exchanged(deal_of(haymaker.Haymaker()), random.Random(1))
    with pytest.raises(AssertionError, match="played by others, is another match"):
        deals.it_is_the_same_with_seats_exchanged(deal_of(Alternating()), random.Random(1))


def test_a_deal_that_depends_on_who_plays_is_found(monkeypatch: pytest.MonkeyPatch) -> None:

    def naming(row: MatchRow) -> engines.deals.Deal:
        sealed = sealing.deal_of(row)
        return replace(sealed, deal_id=f"{sealed.deal_id}:{row.seats[0]}")

    monkeypatch.setattr(deals, "deal_of", naming)
    with pytest.raises(AssertionError, match=r"played by others, is another match|is refused in the second"):
        deals.it_is_the_same_with_seats_exchanged(deal_of(haymaker.Haymaker()), random.Random(1))


def test_a_salt_that_takes_no_part_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    deals.another_salt_makes_another_deal(deal_of(haymaker.Haymaker()))
    with pytest.raises(AssertionError, match="the salt of seat 0 changes nothing in the opening"):
        deals.another_salt_makes_another_deal(deal_of(Fixed()))

    def forgetting(row: MatchRow) -> engines.deals.Deal:
        sealed = sealing.deal_of(row)
        return replace(sealed, salts=(sealed.salts[0], bytes(32)))

    monkeypatch.setattr(deals, "deal_of", forgetting)
    with pytest.raises(AssertionError, match="the salt of seat 1 takes no part in a key"):
        deals.another_salt_makes_another_deal(deal_of(haymaker.Haymaker()))

"""Every shuffle and every draw of the five games is fair: counted over many seeds and acts, which are fixed.

Each count is seen to find the same draw made unfairly: shuffles that leave half of the cards where they are, and draws
that favour low numbers.
"""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations, product
from typing import Any, TypeVar

import pytest

from engines import GAMES, champions, chance, ciq, haymaker, tivmiv, unbreakable
from engines.cards import in_order
from engines.chance import Chance, SeededStream
from engines.ciq import CIQ
from engines.game import Resign
from laws.play import Deal
from tests.engines import champions_table, ciq_table, haymaker_table, tivmiv_table
from tests.engines.fairness import UNFAIR, Finding, assert_fair, depth, evenly, shuffled

pytestmark = pytest.mark.slow  # counts thousands of draws

T = TypeVar("T")

DEALS = 400
"""Openings of a game, so that each card is at each place five times or more."""
DRAWS = 600
"""Acts with the same draw."""
OPENINGS = 250
"""Openings of CIQ for each number of seats, spread over all numbers of packs; together over a thousand."""

A, B = 0, 1


def deals(key: str, options: Any, seats: int, count: int = 0) -> Iterator[tuple[Any, ...]]:
    """The facts of a game's openings, from seeds counted from 0."""
    for seed in range(count or DEALS):
        yield Deal(GAMES[key], options, seats, seed.to_bytes(32, "big")).open()[1]


def acts(key: str, state: Any, actor: int, action: Any, kind: type[T], *, seats: int = 2) -> list[tuple[T, ...]]:
    """The facts of a kind that follow from the same act in the same state, as the n-th act of a match for many n."""
    game = GAMES[key]
    deal = Deal(game, state.options if hasattr(state, "options") else haymaker.Options(), seats, bytes(32))
    found = []
    for seq in range(1, DRAWS + 1):
        facts = game.decide(state, actor, action, deal.chance(seq))
        found.append(tuple(fact for fact in facts if isinstance(fact, kind)))
    return found


def only(facts: Sequence[Any], kind: type[T]) -> T:
    """The one fact of a kind."""
    (found,) = [fact for fact in facts if isinstance(fact, kind)]
    return found


def in_turn(facts: Sequence[Any], kind: type[Any]) -> list[Any]:
    """The cards of these facts as they were dealt: one at a time, to each in turn."""
    hands = [fact.cards for fact in facts if isinstance(fact, kind)]
    return [card for row in zip(*hands, strict=True) for card in row]


# ---------------------------------------------------------------------------------------------- Haymaker


def haymaker_deal() -> list[Finding]:
    """The dealer and the deck, card by card as it is dealt."""
    dealers, decks = [], []
    for facts in deals("haymaker", haymaker.Options(), 2):
        dealers.append(only(facts, haymaker.DealerDrawn).dealer)
        pile = only(facts, haymaker.PileLaid)
        decks.append((*in_turn(facts, haymaker.HandDealt), *pile.burned, *pile.draw))
    return [evenly("dealer", dealers, range(2)), *shuffled("deck", decks, haymaker.PACK.cards)]


def haymaker_hits() -> list[Finding]:
    """H-12: the card that a hit costs, and the two that a haymaker's hit costs."""
    found = []
    for attack, cost in (("7S", 1), ("7S 3S", 2)):
        laid = haymaker_table.lay("7S 3S 9D", "4C 3H 9H 2C 5H")
        state = haymaker_table.Played(laid).does(A, haymaker_table.attack(attack)).state
        given = [each.cards for (each,) in acts("haymaker", state, B, haymaker.TakeHit(), haymaker.CardsGiven)]
        found.append(evenly(f"hit of {cost}", given, list(permutations(state.hands[B], cost))))
    return found


# ---------------------------------------------------------------------------------------------- Unbreakable


def unbreakable_deal() -> list[Finding]:
    """The dealer and the deck."""
    dealt = list(deals("unbreakable", unbreakable.Options(), 2))
    dealers = [only(facts, unbreakable.DealerDrawn).dealer for facts in dealt]
    decks = [only(facts, unbreakable.DeckLaid).cards for facts in dealt]
    return [evenly("dealer", dealers, range(2)), *shuffled("deck", decks, unbreakable.PACK.cards)]


def unbreakable_reshuffle() -> list[Finding]:
    """U-8: the discards as the new deck."""
    pack = unbreakable.PACK.cards
    state = unbreakable.State(
        unbreakable.Options(),
        hands=(pack[:5], pack[5:10]),
        discards=pack[30:],
        deck=(),
        turn=A,
        window=5,
        phase=unbreakable.Phase.LAY,
    )
    found = acts("unbreakable", state, A, unbreakable.Lay(pack[:1]), unbreakable.Reshuffled)
    return shuffled("reshuffle", [each.cards for (each,) in found], in_order(pack[30:]))


# ---------------------------------------------------------------------------------------------- CIQ


def ciq_dealers() -> list[Finding]:
    """Who deals, at each number of seats."""
    found = []
    for seats in GAMES["ciq"].info.seats:
        openings = deals("ciq", ciq.Options(decks=0), seats, 260)
        found.append(evenly(f"{seats} seats", [only(each, ciq.DealerDrawn).dealer for each in openings], range(seats)))
    return found


def ciq_eights() -> list[Finding]:
    """Q-19: which 8s are laid out, and in which order."""
    openings = deals("ciq", ciq.Options(decks=0), 2)
    laid = [tuple(fact.card for fact in each if isinstance(fact, ciq.EightLaid)) for each in openings]
    eights = [card for card in ciq.packs(1) if card.rank == 8]
    return [evenly("8s", laid, list(permutations(eights, 2)))]


def ciq_jacks() -> list[Finding]:
    """Q-10: the card that one Jack takes, and the two that two Jacks take."""
    found = []
    for hand in ("JS", "JS JH"):
        state = ciq_table.against("KH", f"{hand} 2D").attacks(hand).state
        taken = acts("ciq", state, B, ciq.Allow(), ciq.CardTaken)
        cards = [tuple(fact.card for fact in facts) for facts in taken]
        found.append(evenly(hand, cards, list(permutations(state.places[B].hand, len(hand.split())))))
    return found


def ciq_depths(tables: Sequence[tuple[int, int]], openings: int) -> list[Finding]:
    """Q-19: how deep each rank lies in the Attack Piles of these tables (seats, packs), hands included."""
    found = []
    for seats, decks in tables:
        depths: dict[int, list[float]] = defaultdict(list)
        for facts in deals("ciq", ciq.Options(decks=decks), seats, openings):
            for pile in (fact.cards for fact in facts if isinstance(fact, ciq.PileDealt)):
                for index, card in enumerate(pile):
                    depths[card.rank].append((index + 0.5) / len(pile))
        others = {8} if 4 * decks > seats else set[int]()
        assert depths.keys() == {0, *range(2, 8), *others, *range(9, 15)}
        found += [depth(f"{seats} seats, {decks} packs, rank {rank}", each) for rank, each in depths.items()]
    return found


def ciq_tables(seats: int) -> list[tuple[int, int]]:
    """Every number of packs that so many players may choose (Q-18)."""
    return [(seats, decks) for decks in range(-(-seats // 4), 2 * seats + 1)]


# ---------------------------------------------------------------------------------------------- Tiv-Miv


def order_of(facts: Sequence[Any]) -> tuple[Any, ...]:
    """All cards of a phase as they were dealt."""
    left = [card for fact in facts if isinstance(fact, tivmiv.LeftOver) for card in fact.cards]
    return (only(facts, tivmiv.CentreTurned).card, *in_turn(facts, tivmiv.DeckDealt), *left)


def tivmiv_deal() -> list[Finding]:
    """The first phase; five seats, so that some cards are left over."""
    orders = [order_of(facts) for facts in deals("tivmiv", tivmiv.Options(), 5)]
    return shuffled("phase 1", orders, tivmiv.PACK.cards)


def tivmiv_next_deal() -> list[Finding]:
    """The second phase."""
    laid = tivmiv_table.Played(tivmiv_table.lay("5±2", "9±1", "3±2 10±1"))
    state = laid.does(A, tivmiv.Dinner()).does(A, tivmiv.Ready()).state
    orders = []
    for seed in range(DEALS):
        by = tivmiv_table.chance(seed, seats=3, seq=9)
        orders.append(order_of(GAMES["tivmiv"].decide(state, B, tivmiv.Ready(), by)))
    return shuffled("phase 2", orders, tivmiv.PACK.cards)


def tivmiv_buried() -> list[Finding]:
    """T-13: the cards of a seat that is out."""
    state = tivmiv_table.lay("5±2", "9±1 1±1 4±1 6±2", "3±2", "7±1", decks=("2±1 2±2 8±3", "", "4±2"))
    found = acts("tivmiv", state, A, Resign(), tivmiv.Buried, seats=4)
    return shuffled("buried", [each.cards for (each,) in found], state.left_over(A))


# ---------------------------------------------------------------------------------------------- Champions of Chance


def champions_deal() -> list[Finding]:
    """The first player at each number of seats, and two packs."""
    found = []
    for seats in GAMES["champions"].info.seats:
        options = champions.Options(victory_dice=seats == 5, wacky_numbers=seats == 5)
        dealt = list(deals("champions", options, seats))
        firsts = [only(facts, champions.FirstDrawn).seat for facts in dealt]
        found.append(evenly(f"first of {seats}", firsts, range(seats)))
        if seats in (2, 5):
            decks = [(*in_turn(facts, champions.DeckDealt), *only(facts, champions.PileLaid).draw) for facts in dealt]
            found += shuffled(f"deck for {seats}", decks, GAMES["champions"].pack(options, seats).cards)
    return found


def champions_dice() -> list[Finding]:
    """K-7, K-8: which cards are drawn for both dice."""
    found = []
    for mode in ("blind", "soft_blind"):
        laid = champions_table.lay("1 2 3 4 5", "1 2 3 4 5 6", "6 6", options=champions.Options(die=mode))
        state = champions_table.Played(laid).does(A, champions.Challenge(B)).state
        for seat, facts in enumerate(zip(*_dice(state), strict=True)):
            dice = [frozenset(each.cards) for each in facts]
            found.append(evenly(f"{mode} {seat}", dice, [*map(frozenset, combinations(state.decks[seat], 3))]))
    return found


def _dice(state: Any) -> list[tuple[champions.DieDrawn, ...]]:
    return acts("champions", state, B, champions.NameNumber(3), champions.DieDrawn, seats=3)


def champions_roll() -> list[Finding]:
    """The cards that are revealed, both together."""
    state = champions_table.roll("1 2 3", "4 5 6", "1 1", dice=(3, 3))
    rolled = [each.cards for (each,) in acts("champions", state, A, champions_table.HIGHEST, champions.Rolled, seats=3)]
    first, second = state.fought.dice
    return [evenly("roll", rolled, list(product(first, second)))]


def champions_number() -> list[Finding]:
    """K-19: the number that is drawn."""
    state = champions_table.lay("1 2 3", "4 5 6", "1 1", options=champions.Options(number="drawn"))
    drawn = acts("champions", state, A, champions.Challenge(B), champions.NumberDrawn, seats=3)
    return [evenly("number", [each.number for (each,) in drawn], range(2, 7))]


def champions_reshuffle() -> list[Finding]:
    """K-4: the discards as the new draw pile."""
    laid = champions_table.roll("4 1", "4 6", "1 1", draw="", discards="1 2 3 5 6 6")
    table = champions_table.Played(laid).does(A, champions_table.HIGHEST)
    state = table.does(A, champions.Exchange(table.state.decks[A][:1])).state
    last = champions.Exchange(state.decks[B][:1])
    found = acts("champions", state, B, last, champions.Reshuffled, seats=3)
    given = (state.fought.gives[A][0], state.decks[B][0])
    return shuffled("reshuffle", [each.draw for (each,) in found], (*state.discards, *given))


# ---------------------------------------------------------------------------------------------- the tests

SHUFFLES: tuple[Callable[[], list[Finding]], ...] = (
    haymaker_deal,
    haymaker_hits,
    unbreakable_deal,
    unbreakable_reshuffle,
    ciq_eights,
    tivmiv_deal,
    tivmiv_next_deal,
    tivmiv_buried,
    champions_deal,
    champions_dice,
    champions_reshuffle,
)
DRAWN: tuple[Callable[[], list[Finding]], ...] = (ciq_dealers, ciq_jacks, champions_roll, champions_number)


@pytest.mark.parametrize("counted", [*SHUFFLES, *DRAWN])
def test_C_1_what_chance_makes_is_fair(counted: Callable[[], list[Finding]]) -> None:
    assert_fair(counted())


@pytest.mark.parametrize("seats", GAMES["ciq"].info.seats)
def test_Q_19_every_rank_lies_as_deep_as_every_other_for_every_number_of_packs(seats: int) -> None:
    tables = ciq_tables(seats)
    assert_fair(ciq_depths(tables, -(-OPENINGS // len(tables))))


# ---------------------------------------------------------------------------------------------- and can fail


def half_stays(stream: SeededStream, items: Sequence[T]) -> tuple[T, ...]:
    """A shuffle of the first half only."""
    order = list(items)
    for i in range(len(order) // 2, 0, -1):
        j = stream.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


_below = SeededStream.below


def low(stream: SeededStream, n: int) -> int:
    """The lower one of two draws."""
    return min(_below(stream, n), _below(stream, n))


@pytest.mark.nightly  # thousands of draws each, to see that the counting notices
@pytest.mark.parametrize("counted", SHUFFLES)
def test_an_unfair_shuffle_is_found(counted: Callable[[], list[Finding]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance.SeededStream, "shuffled", half_stays)
    monkeypatch.setattr(f"{__name__}.DEALS", DEALS // 2)
    assert max(each.off for each in counted()) > UNFAIR


@pytest.mark.nightly
@pytest.mark.parametrize("counted", [*DRAWN, haymaker_deal, unbreakable_deal, champions_deal])
def test_an_unfair_draw_is_found(counted: Callable[[], list[Finding]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance.SeededStream, "below", low)
    drawn = [each for each in counted() if "deck" not in each.what]
    assert min(each.off for each in drawn) > UNFAIR


class OneShuffle:
    """Chance that shuffles a whole pack once: the cards of each draw come in that order."""

    rules_version = None

    def __init__(self, seeded: Chance, pack: Sequence[Any]) -> None:
        self._seeded = seeded
        self._order = seeded.deck(pack)

    def deck(self, pack: Sequence[Any], deal: int = 1, pack_id: str | None = None) -> tuple[Any, ...]:  # noqa: ARG002  one deal
        """These cards."""
        return self.shuffled(pack)

    def use(self, name: str) -> Any:
        """The same order for the 8s; anything else as it is drawn."""
        return self if name == "eights" else self._seeded.use(name)

    def first_seat(self, seats: int) -> int:
        """As it is drawn."""
        return self._seeded.first_seat(seats)

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """These cards."""
        wanted = set(items)
        return tuple([card for card in self._order if card in wanted])


def test_Q_19_one_shuffle_for_all_is_found_at_the_fewest_packs_and_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """The 8s that come first are laid out, so every other 8 lies deep."""
    before = CIQ.deal

    def deal(game: CIQ, state: Any, seeded: Chance) -> Any:
        return before(game, state, OneShuffle(seeded, game.pack(state.options, len(state.places)).cards))

    monkeypatch.setattr(CIQ, "deal", deal)
    for seats in GAMES["ciq"].info.seats:
        tables = ciq_tables(seats)
        found = ciq_depths([tables[1], tables[-1]], -(-OPENINGS // len(tables)))
        assert {each.what.rpartition(" ")[2] for each in found if each.off > UNFAIR} == {"8"}

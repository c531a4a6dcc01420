"""What the laws must be told of each game, beside its Knowledge table."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engines import champions, ciq, haymaker, tivmiv, unbreakable
from engines.game import Pick, Seat


@dataclass(frozen=True, slots=True)
class Particulars:
    """One game's.

    `recall_fields` are the fields of a state that recall cards which lie elsewhere. `illegal_tries` makes acts that
    somebody might try, legal or not. `picks` finds the picks that an act would be made of, None when it is no act of
    that pick. `closed` makes the act that a closed verb stands for, where the game does not say itself. `timed_out`
    tells which seats, of so many, a fact takes out because their time ran out (C-5). `long_run` is how many matches a
    long run has; `rare` are the endings that matches played by chance seldom or never come to.
    """

    recall_fields: frozenset[str]
    illegal_tries: Callable[[random.Random], list[Any]]
    picks: Callable[[Pick[Any], Any], tuple[int, ...] | None]
    closed: Mapping[str, Any]
    timed_out: Callable[[Any, int], Collection[Seat]]
    long_run: int = 400
    rare: frozenset[str] = frozenset()


def _duel_timed_out(fact: Any, seats: int) -> Collection[Seat]:
    """Of two, whoever did not win by time; both, where neither did."""
    match fact:
        case haymaker.Ended(kind="time", winner=winner) | unbreakable.Ended(kind="time", winner=winner):
            return set(range(seats)) - {winner}
    return ()


def _ciq_timed_out(fact: Any, _seats: int) -> Collection[Seat]:
    match fact:
        case ciq.SeatLeft(seat, "time") | ciq.Leaving(seat, "time"):
            return (seat,)
    return ()


def _champions_timed_out(fact: Any, _seats: int) -> Collection[Seat]:
    return fact.seats if isinstance(fact, champions.SeatsLeft) and fact.kind == "time" else ()


def _tivmiv_timed_out(fact: Any, _seats: int) -> Collection[Seat]:
    return fact.seats if isinstance(fact, tivmiv.SeatsOut) and fact.kind == "time" else ()


def _haymaker_acts(rng: random.Random) -> list[Any]:
    few = tuple(rng.sample(haymaker.PACK.cards, rng.randint(1, 3)))
    one = rng.choice(haymaker.PACK.cards)
    suited = tuple(card for card in rng.sample(haymaker.PACK.cards, 12) if card.suit is one.suit)
    return [
        haymaker.Attack(()),
        haymaker.Attack((one,)),
        haymaker.Attack((one, one)),
        haymaker.Attack(few),
        haymaker.Attack(suited),
        haymaker.Pass(),
        haymaker.Block(()),
        haymaker.Block((one,)),
        haymaker.Block((one, one)),
        haymaker.Block(few),
        haymaker.TakeHit(),
        haymaker.Keep(one),
    ]


def _haymaker_picks(pick: Pick[Any], action: Any) -> tuple[int, ...] | None:
    match pick, action:
        case (haymaker.AttackPick(hand=hand), haymaker.Attack(cards)) | (
            haymaker.BlockPick(hand=hand),
            haymaker.Block(cards),
        ):
            if len(set(cards)) == len(cards) and set(cards) <= set(hand):
                return tuple(sorted(hand.index(card) for card in cards))
    return None


def _ciq_acts(rng: random.Random) -> list[Any]:
    cards = ciq.packs(2)
    one, *others = few = tuple(rng.sample(cards, rng.randint(2, 4)))
    alike = tuple(card for card in rng.sample(cards, 40) if card.suit is one.suit or card.rank == one.rank)
    attacks = [
        ciq.Attack(rng.randint(-1, 6), pile, laid) for pile in ciq.Pile for laid in ((), (one,), (one, one), few, alike)
    ]
    return [
        *attacks,
        *(answer(laid) for answer in (ciq.Defend, ciq.Block, ciq.Give) for laid in ((), (one,), (one, one), few)),
        ciq.Give(tuple(others)),
        ciq.Allow(),
        ciq.Draw(),
        ciq.Pass(),
    ]


def _ciq_picks(pick: Any, action: Any) -> tuple[int, ...] | None:
    match pick, action:
        case ciq.AttackPick(target=target, pile=pile), ciq.Attack():
            if (target, pile) != (action.target, action.pile):
                return None
        case (ciq.BlockPick(), ciq.Block()) | (ciq.DefendPick(), ciq.Defend()) | (ciq.GivePick(), ciq.Give()):
            pass
        case _:
            return None
    hand: tuple[Any, ...] = pick.hand
    cards: tuple[Any, ...] = action.cards
    if len(set(cards)) < len(cards) or not set(cards) <= set(hand):
        return None
    return tuple(hand.index(card) for card in cards)


def _champions_acts(rng: random.Random) -> list[Any]:
    cards = rng.choice(list(champions.PACKS.values())).cards
    one, few = rng.choice(cards), tuple(rng.sample(cards, rng.randint(2, 4)))
    return [
        *(champions.Challenge(rng.randint(-1, 5), take) for take in (False, True)),
        *(champions.NameNumber(number) for number in (1, rng.randint(2, 6), 7)),
        *(pick(laid) for pick in (champions.Select, champions.Exchange) for laid in ((), (one,), (one, one), few)),
        champions.Call(lowest=True),
        champions.Call(lowest=False),
        champions.Steal(one),
        champions.Decline(),
    ]


def _champions_picks(pick: Pick[Any], action: Any) -> tuple[int, ...] | None:
    match pick, action:
        case (champions.DiePick(deck=deck), champions.Select(cards)) | (
            champions.ExchangePick(deck=deck),
            champions.Exchange(cards),
        ):
            if len(set(cards)) == len(cards) and set(cards) <= set(deck):
                return tuple(sorted(deck.index(card) for card in cards))
    return None


def _tivmiv_acts(rng: random.Random) -> list[Any]:
    faces = [tivmiv.Place(*face) for face in rng.sample(tivmiv.FACES, 4)]
    return [*faces, tivmiv.Place(11, 4), tivmiv.Draw(), tivmiv.Dinner(), tivmiv.Ready()]


def _champions_variants() -> Mapping[str, champions.Options]:
    """Every combination of the options but the default one, the plainest first."""
    choices = itertools.product(("chosen", "blind", "soft_blind"), (False, True), (False, True), (False, True))
    _, *others = [champions.Options(*chosen) for chosen in choices]
    names = ("victory", "wacky", "icons")
    return {
        "_".join((each.die, *(name for name, on in zip(names, _switches(each), strict=True) if on))): each
        for each in others
    }


def _switches(options: champions.Options) -> tuple[bool, bool, bool]:
    return options.victory_dice, options.wacky_numbers, options.icon_tiebreak


def _unbreakable_acts(rng: random.Random) -> list[Any]:
    first, second = rng.sample(unbreakable.PACK.cards, 2)
    return [
        unbreakable.Discard(first),
        unbreakable.Discard(second),
        unbreakable.Lay((first,)),
        unbreakable.Lay((first, second)),
    ]


def _unbreakable_picks(pick: Pick[Any], action: Any) -> tuple[int, ...] | None:
    match pick, action:
        case unbreakable.LayPick(hand=hand), unbreakable.Lay(cards):
            if len(set(cards)) == len(cards) and set(cards) <= set(hand):
                return tuple(sorted(map(hand.index, cards)))
    return None


OF: Final[Mapping[str, Particulars]] = {
    "champions": Particulars(
        recall_fields=frozenset({"battle"}),
        illegal_tries=_champions_acts,
        picks=_champions_picks,
        closed={"take": champions.Challenge(0, take=True)},
        timed_out=_champions_timed_out,
        rare=frozenset({"nobody_left"}),
    ),
    "ciq": Particulars(
        recall_fields=frozenset({"sequence"}),
        illegal_tries=_ciq_acts,
        picks=_ciq_picks,
        closed={"pass": ciq.Pass(), "draw": ciq.Draw()},
        timed_out=_ciq_timed_out,
    ),
    "haymaker": Particulars(
        recall_fields=frozenset({"last"}),
        illegal_tries=_haymaker_acts,
        picks=_haymaker_picks,
        closed={"pass": haymaker.Pass()},
        timed_out=_duel_timed_out,
    ),
    "tivmiv": Particulars(
        recall_fields=frozenset(),
        illegal_tries=_tivmiv_acts,
        picks=lambda _pick, _action: None,
        closed={},
        timed_out=_tivmiv_timed_out,
        long_run=60,
        rare=frozenset({"shared", "abandoned", "time", "called_off"}),
    ),
    "unbreakable": Particulars(
        recall_fields=frozenset({"known", "chosen", "last"}),
        illegal_tries=_unbreakable_acts,
        picks=_unbreakable_picks,
        closed={},
        timed_out=_duel_timed_out,
    ),
}
"""Each game's. A registered game without them fails the laws."""


VARIANTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "champions": _champions_variants(),
    "ciq": {
        "short": ciq.Options(decks=0, round_limit=10, block_seconds=10),
        "two_packs": ciq.Options(decks=2, round_limit=40, block_seconds=600),
    },
    "tivmiv": {
        "one_phase": tivmiv.Options(phases=1, idle_seconds=30, ready_seconds=10),
        "ten_phases": tivmiv.Options(phases=10, idle_seconds=900, ready_seconds=600),
    },
    "unbreakable": {
        "least": unbreakable.Options(match_hand=2, turn_limit=20),
        "most_swift": unbreakable.Options(match_hand=7, turn_limit=300, pace="swift"),
    },
}
"""Options beside a game's presets that the laws hold for too, by names of their own: together they try every option at
its least, its most and in company. Where options do not fit every number of seats, those tables are left out."""

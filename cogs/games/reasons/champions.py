"""What speaks for a move of Champions of Chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from cogs.screens.clauses import Move, Reason
from cogs.screens.presenter import Reader
from engines import champions
from engines.game import Private

Hand: TypeAlias = Private[champions.Public, champions.Own]

MIDDLE: Final = 3.5
"""Between the low numbers and the high ones."""


def reasons(move: Move, own: Hand, reader: Reader) -> Iterator[Reason]:
    """The weightiest first."""
    picked = [own.own.deck[index] for index in move.picked]
    match move.verb:
        case "select":
            yield from _of_a_die(picked, own)
        case "exchange":
            if picked[0].number in (3, 4):
                yield Reason("champions.why.middle")
        case "highest" | "lowest":
            yield from _of_a_call(move.verb, own.own.die)
        case verb if verb.startswith("number"):
            yield from _of_a_number(int(verb.removeprefix("number")), own, reader)
        case verb if verb.startswith(("battle", "take")):
            yield from _of_an_opponent(int(verb[-1]), own, reader)


def _of_a_die(die: Sequence[champions.Card], own: Hand) -> Iterator[Reason]:
    low = sum([card.number < MIDDLE for card in die])
    if own.seat == own.public.challenger:
        if low in (0, len(die)):
            yield Reason("champions.why.all_low" if low else "champions.why.all_high")
    elif 0 < low < len(die):
        yield Reason("champions.why.both")


def _of_a_call(verb: str, die: Sequence[champions.Card]) -> Iterator[Reason]:
    middle = sum([card.number for card in die]) / len(die) if die else MIDDLE
    if (verb == "highest") == (middle > MIDDLE) and middle != MIDDLE:
        yield Reason("champions.why.mostly_high" if middle > MIDDLE else "champions.why.mostly_low")


def _of_a_number(number: int, own: Hand, reader: Reader) -> Iterator[Reason]:
    """A challenger with as many cards or fewer has no choice left. Of dice that are drawn nobody ever has one."""
    if own.public.options.die != "chosen":
        return
    challenger = own.public.challenger
    cards, player = own.public.decks[challenger], {"player": reader.names[challenger]}
    if number >= cards:
        yield Reason("champions.why.no_choice", player)
    elif 2 * number > cards:
        yield Reason("champions.why.little_choice", player)


def _of_an_opponent(target: int, own: Hand, reader: Reader) -> Iterator[Reason]:
    """A win is worth least to who has most cards. With Victory Dice who has none left wins no more icons."""
    decks, player = own.public.decks, {"player": reader.names[target]}
    others = [cards for seat, cards in enumerate(decks) if cards and seat != target and not own.public.left[seat]]
    if len(others) < 2:
        return
    if own.public.options.victory_dice:
        if decks[target] < min(others):
            yield Reason("champions.why.ahead", player)
    elif decks[target] > max(others):
        yield Reason("champions.why.behind", player)

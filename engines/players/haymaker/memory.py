"""What a seat of Haymaker knows: a memory folded from the facts, and all of it together in bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engines import haymaker
from engines.game import Event, Private, Seat
from engines.players.haymaker import history
from engines.players.haymaker.bits import ALL, OF_RANK, RANKS, bits_of
from engines.players.haymaker.history import NOTHING, History
from engines.values import put_of_two, replace


@dataclass(frozen=True, slots=True)
class Memory:
    """What a seat remembers beyond what it sees: the cards that each of the two knows in the other's hand, and what
    each has told by its acts.

    Both see a card that is given for a hit or in a pass, and where it goes.
    """

    seat: Seat
    theirs: int = 0
    """The opponent's cards that the seat knows."""
    shown: int = 0
    """The seat's own cards that the opponent knows."""
    histories: tuple[History, History] = (NOTHING, NOTHING)
    """What each seat has told."""
    attack: int = 0
    """The last attack."""


def remember(memory: Memory, fact: Event) -> Memory:
    """The memory after a fact as the seat sees it."""
    return _told(_moved(memory, fact), fact)


def _moved(memory: Memory, fact: Event) -> Memory:
    """The memory after known cards have left a hand or come to one."""
    match fact:
        case haymaker.CardsGiven(giver=giver, cards=cards):
            given = bits_of(cards)
            if giver == memory.seat:
                return replace(memory, theirs=memory.theirs | given, shown=memory.shown & ~given)
            return replace(memory, theirs=memory.theirs & ~given, shown=memory.shown | given)
        case haymaker.AttackLaid(seat=seat, cards=cards) | haymaker.BlockLaid(seat=seat, cards=cards):
            if seat == memory.seat:
                return replace(memory, shown=memory.shown & ~bits_of(cards))
            return replace(memory, theirs=memory.theirs & ~bits_of(cards))
        case _:
            return memory


def _told(memory: Memory, fact: Event) -> Memory:
    """The memory after a seat has told something by an act."""
    before = memory.histories
    match fact:
        case haymaker.AttackLaid(seat, cards):
            memory = replace(memory, attack=bits_of(cards))
            after = history.attacked(before[seat], memory.attack)
        case haymaker.BlockLaid(seat, cards, reversal):
            after = history.blocked(before[seat], memory.attack, bits_of(cards), reversal=reversal)
        case haymaker.HitTaken(seat):
            after = history.hit(before[seat], memory.attack)
        case haymaker.Passed(seat):
            after = history.passed(before[seat])
        case haymaker.CardsGiven(giver=seat, cards=cards, passing=True):
            after = history.gave(before[seat], bits_of(cards))
        case haymaker.CardsDrawn(seat) | haymaker.CountDrawn(seat) if not _chooses(fact):
            after = history.drew(before[seat])
        case _:
            return memory
    return replace(memory, histories=put_of_two(before, seat, after))


def _chooses(drawn: haymaker.CardsDrawn | haymaker.CountDrawn) -> bool:
    """Whether two cards were drawn in a pass, of which one is taken only when the other is given."""
    return drawn.passing and (drawn.count if isinstance(drawn, haymaker.CountDrawn) else len(drawn.cards)) == 2


class Known(NamedTuple):
    """All that a seat knows when it is asked; sets of cards are bits."""

    hand: int
    theirs: int
    """The opponent's cards that the seat knows."""
    shown: int
    """The seat's cards that the opponent knows."""
    unseen: int
    """Cards that may lie in the opponent's hand, the draw pile or among the burned ones."""
    their_count: int
    draw: int
    """How many cards the draw pile has."""
    discards: tuple[int, int]
    """How many cards the seat's own discard pile has, and the opponent's."""
    phase: haymaker.Phase
    may_pass: bool
    attack: int
    """The attack to answer."""
    drawn: tuple[int, ...]
    """The two cards drawn in a pass, the first one first."""
    history: History
    """What the opponent has told."""

    @property
    def hidden(self) -> int:
        """How many of the opponent's cards the seat doesn't know."""
        return self.their_count - self.theirs.bit_count()


def known_from(memory: Memory, view: Private[haymaker.Public, haymaker.Own]) -> Known:
    """What a seat knows by its memory and its observation."""
    public, own, seat = view.public, view.own, view.seat
    hand, drawn = bits_of(own.hand), tuple([bits_of((card,)) for card in own.drawn])
    piles = [bits_of(pile) for pile in public.discards]
    attack = bits_of(public.attack)
    return Known(
        hand=hand,
        theirs=memory.theirs,
        shown=memory.shown,
        unseen=ALL & ~(hand | memory.theirs | piles[0] | piles[1] | attack | sum(drawn)),
        their_count=public.hands[1 - seat],
        draw=public.draw,
        discards=(len(public.discards[seat]), len(public.discards[1 - seat])),
        phase=public.phase,
        may_pass=public.may_pass,
        attack=attack,
        drawn=drawn,
        history=memory.histories[1 - seat],
    )


def odds_of_ranks(known: Known) -> list[float]:
    """How likely the opponent holds at least one card of each rank, by the rank; index 0 is unused.

    As if each unseen card were in the hand independently of the others, which is close enough and fast.
    """
    unseen = known.unseen
    count = unseen.bit_count()
    missed = 1 - known.hidden / count if count else 1.0
    square = missed * missed
    powers = (1.0, missed, square, square * missed, square * square)
    theirs = known.theirs
    return [
        0.0,
        *[
            1.0 if theirs & OF_RANK[rank] else 1 - powers[(unseen & OF_RANK[rank]).bit_count()]
            for rank in range(1, RANKS + 1)
        ],
    ]

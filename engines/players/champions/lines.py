"""Champions of Chance played on from tables that may be the true one, to judge what an act was worth."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from random import Random
from typing import Final, TypeAlias

from engines.champions.cards import Card, Cards, sorted_cards
from engines.champions.facts import Action
from engines.champions.rules import Champions
from engines.champions.table import Battle, Own, Phase, Public, PublicBattle, State
from engines.game import Private, Seat
from engines.players.champions.judging import weights_of
from engines.players.champions.memory import Memory
from engines.players.champions.numbering import numbering
from engines.players.champions.rules_of_thumb import by_rule_of_thumb
from engines.players.champions.sight import sight_from
from engines.players.rules_table import RulesTable

View: TypeAlias = Private[Public, Own]

ACTS: Final = 60
"""After this number of acts a line is cut off. Most matches of two or three end before that."""


class ChampionsTable(RulesTable[State, Action]):
    """Champions' table for lines."""

    game = Champions()

    def candidates(self) -> Sequence[Action]:
        seat = self.asked()
        return () if seat is None else [plays_on(self, seat, Random(0))]

    def label(self, action: Action, viewer: Seat) -> Hashable:  # noqa: ARG002  nobody searches here
        return action


def sampled(memory: Memory, view: View, rng: Random) -> ChampionsTable:
    """A table that agrees with all that a seat sees. Cards that it saw in other decks lie there as likely as they still
    do; the rest lies anywhere."""
    public, own, seat = view.public, view.own, view.seat
    cards = numbering(memory.options)
    rows: list[list[int]] = [[] for _ in public.decks]
    for other, known in enumerate(memory.held):
        if other != seat:
            rows[other] = [held.card for held in known if rng.random() < held.likely][: public.decks[other]]
    placed = {card for row in rows for card in row} | _placed(memory, view)
    rest = [card for card in cards.pack if card not in placed]
    rng.shuffle(rest)
    for other, row in enumerate(rows):
        missing = 0 if other == seat else public.decks[other] - len(row)
        rows[other], rest = row + rest[:missing], rest[missing:]
    decks = tuple([own.deck if other == seat else cards.cards_of(row) for other, row in enumerate(rows)])
    discards = [*sorted(memory.gone), *rest][: public.discards]
    draw = [card for card in [*sorted(memory.gone), *rest] if card not in discards]
    return ChampionsTable(
        State(
            options=memory.options,
            seats=len(public.decks),
            first=public.first,
            turn=public.turn,
            window=1,
            phase=public.phase,
            challenger=public.challenger,
            battle=None if public.battle is None else _battle(public, public.battle, view, decks, rng),
            decks=decks,
            piles=public.piles,
            draw=tuple([cards.cards[card] for card in draw]),
            discards=tuple([cards.cards[card] for card in discards]),
            left=public.left,
        )
    )


def _placed(memory: Memory, view: View) -> set[int]:
    """The cards that lie where the seat sees them, or in the discard pile."""
    piles = [card.place for pile in view.public.piles for card in pile]
    return {*memory.gone, *piles, *[card.place for card in view.own.deck]}


def _battle(public: Public, shown: PublicBattle, view: View, decks: Sequence[Cards], rng: Random) -> Battle:
    """The battle under way, with dice that may be the true ones."""
    battlers = (public.challenger, shown.opponent)
    own = view.own if view.seat in battlers else None
    mine = battlers.index(view.seat) if own is not None else -1
    dice = [
        _die(
            decks[seat],
            size,
            (*shown.rolled[side : side + 1], *_stolen(own, mine, side)),
            decks[battlers[1 - side]],
            rng,
        )
        for side, (seat, size) in enumerate(zip(battlers, shown.sizes, strict=True))
    ]
    if own is not None and own.die:
        dice[mine] = own.die
    open_dice = public.phase in (Phase.STEAL, Phase.EXCHANGE) or public.options.die != "blind"
    owing = [seat in public.awaited for seat in battlers]
    asked_to = public.phase if shown.asked else None
    answered = [side in shown.asked and not owing[side] for side in (0, 1)]
    left = [tuple([card for card in dice[1 - side] if card in decks[battlers[1 - side]]]) for side in (0, 1)]
    to_steal = [left[side] if asked_to is Phase.STEAL else () for side in (0, 1)]
    steals: list[Cards | None] = [() if asked_to is Phase.STEAL and answered[side] else None for side in (0, 1)]
    gives = [decks[battlers[side]][:1] if asked_to is Phase.EXCHANGE and answered[side] else () for side in (0, 1)]
    if own is not None:  # it still knows what it stole while both exchange a card
        to_steal[mine], steals[mine], gives[mine] = own.shown, own.steals, own.gives
    return Battle(
        opponent=shown.opponent,
        taken=shown.taken,
        number=shown.number,
        dice=(dice[0], dice[1]),
        seen=(open_dice, open_dice),
        lowest=shown.lowest,
        rolled=shown.rolled,
        tied=shown.tied,
        asked=shown.asked,
        shown=(to_steal[0], to_steal[1]),
        steals=(steals[0], steals[1]),
        gives=(gives[0], gives[1]),
    )


def _stolen(own: Own | None, mine: int, side: int) -> Cards:
    """What a seat has seen on the other's die before it stole a card of it."""
    return own.shown if own is not None and side != mine else ()


def _die(deck: Cards, size: int, certain: Iterable[Card], other: Cards, rng: Random) -> Cards:
    """A die of this size from a deck, with the cards that are certain to be on it. Cards of it may have left the deck
    since: a stolen one lies in the other battler's."""
    found = list(dict.fromkeys(certain))[:size]
    for cards in (deck, other):
        rest = [card for card in cards if card not in found]
        found += rng.sample(rest, min(len(rest), size - len(found)))
    return sorted_cards(found)


def plays_on(table: ChampionsTable, seat: Seat, rng: Random) -> Action:  # noqa: ARG001  it needs no luck
    """The act by rule of thumb, of somebody who remembers no cards."""
    state = table.state
    memory = Memory(state.options, seat, tuple(map(len, state.decks)), ((),) * state.seats)
    return by_rule_of_thumb(sight_from(memory, table.game.observe(state, seat)))


def shares(table: ChampionsTable) -> Sequence[float]:
    """How the win is shared where a line is cut off."""
    state = table.state
    weights = weights_of(state.options, [len(deck) for deck in state.decks], list(map(state.score, range(state.seats))))
    staying = [weight * (seat in state.living) for seat, weight in enumerate(weights)]
    return [weight / sum(staying) for weight in staying]

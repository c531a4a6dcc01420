"""Unbreakable played on from tables that may be the true one, to judge what an act was worth."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import Final, TypeAlias

from engines.cards import in_order
from engines.game import Private, Seat
from engines.players.rules_table import RulesTable
from engines.players.unbreakable.odds import after_attack, after_chooser, left_after, round_of, worth
from engines.players.unbreakable.player import to_lay
from engines.unbreakable import Unbreakable
from engines.unbreakable.facts import Action, Discard, Lay
from engines.unbreakable.table import PACK, WEAPONS, Own, Phase, Public, State, swift_discard, target_value

View: TypeAlias = Private[Public, Own]

ACTS: Final = 2
"""After this number of acts what is left is judged by the odds: by then the round is over that the act decided."""


class UnbreakableTable(RulesTable[State, Action]):
    """Unbreakable's table for lines."""

    game = Unbreakable()

    def candidates(self) -> Sequence[Action]:
        state, seat = self.state, self.asked()
        if seat is None:
            return ()
        if state.phase is Phase.LAY:
            return [Lay((card,)) for card in state.hands[seat]]
        return [Discard(card) for card in state.weapons[seat]]

    def label(self, action: Action, viewer: Seat) -> Hashable:  # noqa: ARG002  nobody searches here
        return action


def sampled(view: View, rng: Random) -> UnbreakableTable:
    """A table that agrees with what a seat sees; the other cards lie anywhere. Of discarded cards it remembers none."""
    public, own, seat = view.public, view.own, view.seat
    other, target = 1 - seat, public.target
    seen = {*own.hand, *own.weapons, *public.known[other]} | ({target} if target else set())
    rest = [card for card in PACK.cards if card not in seen]
    rng.shuffle(rest)
    hidden = public.hands[other] - len(public.known[other])
    hand, rest = in_order((*public.known[other], *rest[:hidden])), rest[hidden:]
    held = WEAPONS if public.phase is Phase.CHOOSE else 0
    weapons, rest = in_order(rest[:held]), rest[held:]
    theirs = swift_discard(weapons, target) if public.chosen[other] and target else None
    mine_first = seat == 0
    return UnbreakableTable(
        State(
            options=public.options,
            dealer=public.dealer,
            deck=tuple(rest[: public.deck]),
            discards=tuple(rest[public.deck :]),
            hands=(own.hand, hand) if mine_first else (hand, own.hand),
            known=public.known,
            weapons=(own.weapons, weapons) if mine_first else (weapons, own.weapons),
            chosen=(own.chosen, theirs) if mine_first else (theirs, own.chosen),
            target=target,
            turn=public.turn,
            attackers=public.attackers,
            window=1,
            phase=public.phase,
        )
    )


def plays_on(table: UnbreakableTable, seat: Seat, rng: Random) -> Action:  # noqa: ARG001  it needs no luck
    """The act by rule of thumb."""
    state = table.state
    if state.phase is Phase.LAY:
        return Lay((to_lay(state.hands[seat]),))
    if state.target is None:
        raise ValueError("weapons are chosen against a target")
    return Discard(swift_discard(state.weapons[seat], state.target))


def shares(table: UnbreakableTable) -> Sequence[float]:
    """How the win is shared where a line is cut off, by the cards in both hands and the attackers that are left."""
    state = table.state
    seat = 0 if state.turn is None else state.turn
    mine, theirs, left = len(state.hands[seat]), len(state.hands[1 - seat]), left_after(state.options, state.attackers)
    if state.phase is Phase.LAY or state.target is None:
        share = worth(mine, theirs, left)
    else:
        how = round_of(target_value(state.target))
        to_come = after_chooser if state.turn is None else after_attack
        share = to_come(how, mine + (state.turn is not None), theirs, left)
    return (share, 1 - share) if seat == 0 else (1 - share, share)

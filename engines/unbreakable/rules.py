"""The rules of Unbreakable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, assert_never, get_args

from engines import game
from engines.cards import Card, in_order
from engines.chance import Chance
from engines.common_facts import DealerDrawn
from engines.guards import check, check_on, check_time_up, check_turn, seated
from engines.hands import CardPick, check_holds, picked_cards
from engines.notation import read_cards, read_common, write_cards, write_common
from engines.options import NONE
from engines.run import Run
from engines.unbreakable import facts, table
from engines.unbreakable.facts import Action, Cards, Fact, Options
from engines.values import put_of_two, replace

_NO_CARD: Final = game.Refusal("U-0", "unbreakable.refusal.no_card")
_ONE_CARD: Final = game.Refusal("U-0", "unbreakable.refusal.one_card")


@dataclass(frozen=True, slots=True)
class LayPick(CardPick[facts.Lay, Card]):
    """One card of the match hand, to be the attacker."""

    hand: Cards
    verb = "lay"
    makes = facts.Lay

    def step(self, picked: tuple[int, ...]) -> game.Step:
        """With one card picked, any other is one too many, and so is the same card once more."""
        cards = picked_cards(self.hand, picked)
        return game.Step((_ONE_CARD if cards else None,) * len(self.hand), self.refusal(cards), self.worth(cards))

    def refusal(self, cards: Cards) -> game.Refusal | None:
        return _lay_refusal(cards)

    def worth(self, cards: Cards) -> dict[str, game.Value]:
        return {"card": cards[0].name} if cards else {}


class Unbreakable(game.Game[table.State, Action, Fact, Options, table.Public, table.Own]):
    """The rules of Unbreakable."""

    info = game.GameInfo(
        key="unbreakable",
        title="Unbreakable",
        seats=range(2, 3),
        rules_version=1,
        options=Options,
        presets={"default": Options(), "short": Options(match_hand=3, turn_limit=200)},
        recommended={2: "short"},
        actions=get_args(Action),
        events=get_args(Fact),
        # Each attacker is laid and answered by two choices. Without a limit (U-10) the rules set no bound, and they
        # bound neither deflected choosers nor changed choices. In simulations one match in ten had 190 to 2,600
        # attackers with the best pairs, so play does not reach this.
        longest=10_000 * 3,
        seat_time=True,
    )

    def pack(self, options: Options, seats: int) -> game.Pack:  # noqa: ARG002  one pack for all options
        return table.PACK

    def start(self, options: Options, seats: int) -> table.State:
        if seats not in self.info.seats:
            raise ValueError("Unbreakable is a game for two")
        return table.State(options.settled())

    def deal(self, state: table.State, chance: Chance) -> game.Facts[Fact, table.State]:
        """The dealer, the deck, the match hands one card at a time (the other player first), the chooser."""
        dealer = 1 - chance.first_seat(2)
        run = _Run(self.evolve, state, chance)
        deck = chance.deck(table.PACK.cards)
        run.add(DealerDrawn(dealer), facts.DeckLaid(deck))
        both = 2 * state.options.match_hand
        run.add(facts.MatchHandDealt(1 - dealer, deck[0:both:2]), facts.MatchHandDealt(dealer, deck[1:both:2]))
        run.turn_chooser()
        return run.facts

    def decide(
        self, state: table.State, actor: game.Seat | None, action: Action | game.TimeUp | game.Resign, chance: Chance
    ) -> game.Facts[Fact, table.State]:
        check_on(state.ended)
        run = _Run(self.evolve, state, chance)
        if isinstance(action, game.TimeUp):
            awaited = state.undecided if state.phase is table.Phase.CHOOSE else (_laying(state),)
            _time_up(run, check_time_up(actor, action, (game.Timer.of_turn(state.window),), awaited))
            return run.facts
        seat = seated(actor, len(state.hands))
        match action:
            case game.Resign():
                run.add(facts.Ended("resignation", 1 - seat))
            case facts.Discard(card):
                _check_discard(state, seat, card)
                run.add(facts.Chosen(seat, card))
                if not run.state.undecided:
                    run.show_pairs()
            case facts.Lay(cards):
                _check_lay(state, seat, cards)
                run.add(facts.AttackerLaid(seat, cards[0]))
                run.deal_weapons()
            case _:
                assert_never(action)
        return run.facts

    def evolve(self, state: table.State, event: Fact) -> table.State:  # noqa: PLR0911, PLR0912  one answer per fact
        # Frequent facts come first, because the cases are tried in turn.
        match event:
            case facts.WeaponDealt():
                hand = in_order((*state.weapons[event.seat], event.card))
                return replace(state, deck=state.deck[1:], weapons=put_of_two(state.weapons, event.seat, hand))
            case facts.Chosen():
                return replace(state, chosen=put_of_two(state.chosen, event.seat, event.card))
            case facts.WeaponsReady():
                return replace(state, phase=table.Phase.CHOOSE, window=state.window + 1)
            case facts.PairsShown(first, second, winner, knockout):
                return replace(state, last=_round(state, (first, second), winner, knockout=knockout))
            case facts.TurnBegun():
                return replace(
                    state,
                    weapons=((), ()),
                    chosen=(None, None),
                    discards=_with_weapons(state),
                    turn=event.seat,
                    phase=table.Phase.LAY,
                    window=state.window + 1,
                )
            case facts.AttackerLaid(seat, card):
                hands = put_of_two(state.hands, seat, _rest(state.hands[seat], (card,)))
                known = put_of_two(state.known, seat, _rest(state.known[seat], (card,)))
                return replace(state, hands=hands, known=known, target=card, attackers=state.attackers + 1)
            case facts.TargetTaken(seat):
                hands = put_of_two(state.hands, seat, in_order((*state.hands[seat], *_target(state))))
                known = put_of_two(state.known, seat, in_order((*state.known[seat], *_target(state))))
                return replace(state, hands=hands, known=known, target=None)
            case facts.TargetDiscarded():
                return replace(state, discards=(*state.discards, *_target(state)), target=None)
            case facts.ExtraDrawn(seat, card):
                hands = put_of_two(state.hands, seat, in_order((*state.hands[seat], card)))
                return replace(state, deck=state.deck[1:], hands=hands)
            case facts.WeaponsDiscarded():
                return replace(state, weapons=((), ()), chosen=(None, None), discards=_with_weapons(state))
            case facts.Reshuffled(cards):
                return replace(state, deck=cards, discards=())
            case DealerDrawn():
                return replace(state, dealer=event.dealer)
            case facts.DeckLaid():
                return replace(state, deck=event.cards)
            case facts.MatchHandDealt(seat, cards):
                return replace(
                    state, deck=_rest(state.deck, cards), hands=put_of_two(state.hands, seat, in_order(cards))
                )
            case facts.ChooserTurned(card):
                return replace(state, deck=state.deck[1:], target=card)
            case facts.Ended():
                return replace(state, phase=table.Phase.OVER, ended=event)
            case _:
                assert_never(event)

    def window(self, state: table.State) -> game.Window | None:
        if state.ended is not None:
            return None
        timer = game.Timer.of_turn(state.window)
        if state.phase is table.Phase.LAY:
            return game.Window.asking(state.window, frozenset({_laying(state)}), timer)
        return game.Window(state.window, frozenset({0, 1}), frozenset(state.undecided), (timer,))

    def choices(self, state: table.State, seat: game.Seat) -> game.Choices[Action]:
        if state.phase is table.Phase.CHOOSE:
            return game.Choices(
                tuple([game.Act(f"put{index}", facts.Discard(card)) for index, card in enumerate(state.weapons[seat])])
            )
        if state.phase is table.Phase.LAY and seat == state.turn:
            return game.Choices((LayPick(state.hands[seat]),))
        return game.Choices()

    def observe_public(self, state: table.State) -> table.Public:
        return table.observe_public(state)

    def observe(self, state: table.State, seat: game.Seat) -> game.Private[table.Public, table.Own]:
        own = table.Own(state.hands[seat], state.weapons[seat], state.chosen[seat])
        return game.Private(seat, table.observe_public(state), own)

    def outcome(self, state: table.State) -> game.Outcome | None:
        if state.ended is None:
            return None
        winner = state.ended.winner
        return game.Outcome(state.ended.kind, tuple([1 if winner in (None, seat) else 2 for seat in range(2)]))

    def write(self, action: Action | game.TimeUp | game.Resign) -> str:
        match action:
            case facts.Discard(card):
                return f"put {card.code}"
            case facts.Lay(cards):
                return f"lay {write_cards(cards)}"
            case _:
                return write_common(action)

    def read(self, text: str) -> Action | game.TimeUp | game.Resign:
        match text.split(" "):
            case ["put", card]:
                return facts.Discard(Card.of(card))
            case ["lay", cards]:
                return facts.Lay(read_cards(cards))
            case _:
                return read_common(text)


class _Run(Run[Fact, table.State]):
    """An act of Unbreakable being worked out."""

    _shuffles = 0

    def turn_chooser(self) -> None:
        """Turn a new chooser and deal for it."""
        card = self._draw()
        if card is None:
            raise RuntimeError("42 cards are never all in match hands before the first attacker")
        self.add(facts.ChooserTurned(card))
        self.deal_weapons()

    def deal_weapons(self) -> None:
        """Three cards each, one at a time, the dealer's opponent first; then both choose, or swift play chooses."""
        for nth in range(2 * table.WEAPONS):
            card = self._draw()
            if card is None:
                raise RuntimeError("a round is begun only while six cards can be dealt (U-9)")
            self.add(facts.WeaponDealt((1 - self.state.dealer + nth) % 2, card))
        self.add(facts.WeaponsReady())
        target = self.state.target
        if self.state.options.pace == "swift" and target is not None:
            for seat in (0, 1):
                self.add(facts.Chosen(seat, table.swift_discard(self.state.weapons[seat], target)))
            self.show_pairs()

    def show_pairs(self) -> None:
        """Both choices are in: show the pairs and work out the round."""
        state = self.state
        first, second = (tuple([card for card in state.weapons[seat] if card != state.chosen[seat]]) for seat in (0, 1))
        if state.target is None:
            raise RuntimeError("a round has a target")
        far = table.distance(first, state.target), table.distance(second, state.target)
        winner = None if far[0] == far[1] else 0 if far[0] < far[1] else 1
        self.add(facts.PairsShown(first, second, winner, knockout=winner is not None and min(far) == 0))
        if state.turn is None:
            self._after_chooser(winner, knockout=min(far) == 0)
        else:
            self._after_attacker(state.turn, winner, knockout=min(far) == 0)

    def _after_chooser(self, winner: game.Seat | None, *, knockout: bool) -> None:
        if winner is None:  # U-2
            self.add(facts.TargetDiscarded(), facts.WeaponsDiscarded())
            self.turn_chooser()
            return
        self.add(facts.TargetTaken(1 - winner) if knockout else facts.TargetDiscarded())
        self._begin_turn(winner)

    def _after_attacker(self, turn: game.Seat, winner: game.Seat | None, *, knockout: bool) -> None:
        if winner is None:
            self.add(facts.TargetDiscarded())
        else:
            self.add(facts.TargetTaken(1 - winner))
            if knockout and (card := self._draw()) is not None:  # U-5, U-9
                self.add(facts.ExtraDrawn(1 - winner, card))
        for seat in (turn, 1 - turn):
            if not self.state.hands[seat]:  # U-7
                self.add(facts.Ended("unbreakable", seat))
                return
        limit = self.state.options.limit
        if limit != NONE and self.state.attackers >= limit:  # U-10
            self._decide()
            return
        self._begin_turn(1 - turn)  # U-6

    def _begin_turn(self, seat: game.Seat) -> None:
        """The next attacker, unless the weapon hands for it could not be dealt (U-9)."""
        self.add(facts.TurnBegun(seat))
        if len(self.state.deck) + len(self.state.discards) < 2 * table.WEAPONS:
            self._decide()

    def _decide(self) -> None:
        mine, theirs = map(len, self.state.hands)
        self.add(facts.Ended("draw", None) if mine == theirs else facts.Ended("decision", 0 if mine < theirs else 1))

    def _draw(self) -> Card | None:
        """The deck's top card. If the deck is empty, the discard pile is first shuffled into a new one (U-8)."""
        if not self.state.deck and self.state.discards:
            self._shuffles += 1
            order = self.chance.use(f"reshuffle{self._shuffles}").shuffled(in_order(self.state.discards))
            self.add(facts.Reshuffled(order))
        return self.state.deck[0] if self.state.deck else None


def _time_up(run: _Run, late: tuple[game.Seat, ...]) -> None:
    """C-5: a seat that has not answered resigns; if neither has, it is a draw."""
    run.add(facts.Ended("time", None if len(late) == 2 else 1 - late[0]))


def _check_discard(state: table.State, actor: game.Seat, card: Card) -> None:
    if state.phase is not table.Phase.CHOOSE:
        raise game.IllegalAction("C-0", "unbreakable.refusal.no_choice_now")
    if card not in state.weapons[actor]:
        raise game.IllegalAction("U-1", "unbreakable.refusal.not_a_weapon", card=card.name)


def _lay_refusal(cards: Cards) -> game.Refusal | None:
    if len(cards) == 1:
        return None
    return _ONE_CARD if cards else _NO_CARD


def _check_lay(state: table.State, actor: game.Seat, cards: Cards) -> None:
    if state.phase is not table.Phase.LAY:
        raise game.IllegalAction("C-0", "unbreakable.refusal.no_attacker_now")
    check_turn(actor, _laying(state))
    for card in cards:
        check_holds(state.hands[actor], card)
    check(_lay_refusal(cards))


def _target(state: table.State) -> Cards:
    return () if state.target is None else (state.target,)


def _laying(state: table.State) -> game.Seat:
    if state.turn is None:
        raise RuntimeError("nobody lays an attacker before the chooser is decided")
    return state.turn


def _round(state: table.State, pairs: table.Two, winner: game.Seat | None, *, knockout: bool) -> table.Round | None:
    if state.target is None:
        return state.last
    return table.Round(state.target, state.turn, pairs, winner, knockout)


def _with_weapons(state: table.State) -> Cards:
    """The discard pile with all weapon cards on it."""
    return (*state.discards, *state.weapons[0], *state.weapons[1])


def _rest(cards: Cards, gone: Cards) -> Cards:
    places = {card.place for card in gone}  # numbers are compared faster than cards
    return tuple([card for card in cards if card.place not in places])

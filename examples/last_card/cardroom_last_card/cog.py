"""Last Card in Discord: its commands, and how it looks.

A presenter turns what a reader may know into text. It is given observations, never a state, so it has nothing to leak.
Board, hand, buttons, clock and result are the same for all games and need nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from bot.ui.screen import Section, Text, Tone
from cardroom_last_card.engine import BackDrawn, CardDrawn, CardPlayed, Ended, Options, Own, Passed, Public, SeatLeft
from cogs.game_registry import GameRegistry
from cogs.screens.card_text import Card, Face
from cogs.screens.presenter import Presenter, Reader
from engines.game import Event, Private, Seat, Value

Hand: TypeAlias = Private[Public, Own]


def setup(registry: GameRegistry) -> None:
    """Register the presenter and the commands."""
    registry.register("last_card", LastCardPresenter())


class LastCardPresenter(Presenter):
    """How Last Card is shown. `Presenter` says what each method is for."""

    def terms(self, options: Options, reader: Reader) -> tuple[str, ...]:
        if options == Options():
            return ()
        return (reader.words("last_card.terms.cards", cards=options.cards),)

    def question(self, public: Public, reader: Reader) -> str:
        return reader.words("last_card.question", player=reader.names[public.turn])

    def seat_facts(self, public: Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
        if public.left[seat]:
            return (reader.words("last_card.left"),)
        return (reader.words.count("last_card.in_hand", public.hands[seat]),)

    def table(self, public: Public, reader: Reader) -> tuple[Section, ...]:
        top = reader.cards.listed(reader.words("last_card.top"), public.heap[-1:])
        return top, Text(reader.words.count("last_card.pile", public.pile))

    def narrate(self, event: Event, reader: Reader) -> str | None:
        words, who = reader.words, reader.names
        match event:
            case CardPlayed(seat, card):
                return words("last_card.told.played", player=who[seat], card=reader.cards.text(card))
            case CardDrawn(seat, card):
                return words("last_card.told.drawn", player=who[seat], card=reader.cards.text(card))
            case BackDrawn(seat):
                return words("last_card.told.drawn_unseen", player=who[seat])
            case Passed(seat):
                return words("last_card.told.passed", player=who[seat])
            case SeatLeft(seat, _):
                return words("last_card.told.left", player=who[seat])
        return None

    def weight(self, events: Sequence[Event], index: int) -> int:
        return 1 if isinstance(events[index], CardPlayed) else 0

    def decisive(self, events: Sequence[Event]) -> int | None:
        match events[-2:]:
            case [CardPlayed(), Ended("emptied")]:
                return len(events) - 2
        return None

    def prompt(self, own: Hand, reader: Reader) -> str:
        public = own.public
        if public.left[own.seat]:
            return reader.words("last_card.asked.out")
        if own.seat != public.turn:
            return reader.words("last_card.asked.wait", player=reader.names[public.turn])
        return reader.words("last_card.asked.play", top=reader.cards.text(public.heap[-1]))

    def hand_text(self, own: Hand, reader: Reader) -> tuple[Section, ...]:
        hand = own.own.hand
        if not hand:
            return (Text(reader.words("last_card.no_cards")),)
        return (reader.cards.hand(reader.words.count("last_card.holding", len(hand)), hand),)

    def rules_page(self, public: Public) -> str:  # noqa: ARG002  there is only one question
        return "turn"

    def held(self, own: Hand) -> tuple[Card, ...]:
        return own.own.hand

    def item(self, own: Hand, verb: str, index: int, reader: Reader) -> Face:  # noqa: ARG002  the one pick is of the hand
        return reader.cards.face(own.own.hand[index])

    def selection_summary(self, verb: str, worth: Mapping[str, Value], reader: Reader) -> str:  # noqa: ARG002  as above
        return reader.words("last_card.picked", card=worth["card"])

    def label(self, verb: str, own: Hand, reader: Reader) -> str:  # noqa: ARG002  nothing depends on the hand
        return reader.words(f"last_card.act.{verb}")

    def tone(self, verb: str) -> Tone:
        return Tone.MAIN if verb == "play" else Tone.PLAIN

"""High Card in Discord: its commands, and how it looks.

A presenter turns what a reader may know into text. It is given observations, never a state, so it has nothing to leak.
Board, hand, buttons, clock and result are the same for all games and need nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from bot.ui.screen import Section, Text, Tone
from cardroom_high_card.engine import BackLaid, Ended, Options, Own, Public, TrickShown
from cogs.game_registry import GameRegistry
from cogs.screens.card_text import Card
from cogs.screens.presenter import Presenter, Reader
from engines.game import Event, Private, Seat

Hand: TypeAlias = Private[Public, Own]


def setup(registry: GameRegistry) -> None:
    """Register the presenter and the commands."""
    registry.register("high_card", HighCardPresenter())


class HighCardPresenter(Presenter):
    """How High Card is shown. `Presenter` says what each method is for."""

    def terms(self, options: Options, reader: Reader) -> tuple[str, ...]:
        if options == Options():
            return ()
        return (reader.words("high_card.terms.tricks", tricks=options.tricks),)

    def question(self, public: Public, reader: Reader) -> str:
        words, who = reader.words, reader.names
        if not any(public.laid):
            return words("high_card.question.both", first=who[0], second=who[1])
        return words("high_card.question.one", player=who[1] if public.laid[0] else who[0])

    def seat_facts(self, public: Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
        words = reader.words
        counts = (
            words.count("high_card.taken", public.taken[seat]),
            words.count("high_card.in_hand", public.hands[seat]),
        )
        return (*counts, words("high_card.laid")) if public.laid[seat] else counts

    def table(self, public: Public, reader: Reader) -> tuple[Section, ...]:
        words = reader.words
        played = Text(words("high_card.played", played=len(public.tricks), tricks=public.options.tricks))
        if not public.tricks:
            return (played,)
        return (reader.cards.listed(words("high_card.last"), public.tricks[-1].cards), played)

    def narrate(self, event: Event, reader: Reader) -> str | None:
        words, who = reader.words, reader.names
        match event:
            case BackLaid(seat):
                return words("high_card.told.laid_unseen", player=who[seat])
            case TrickShown((first, second)):
                shown = words(
                    "high_card.told.shown",
                    first=who[0],
                    card=reader.cards.text(first),
                    second=who[1],
                    other=reader.cards.text(second),
                )
                return f"{shown} {_verdict(event, reader)}"
        return None

    def weight(self, events: Sequence[Event], index: int) -> int:
        event = events[index]
        return 1 if isinstance(event, TrickShown) and event.winner is not None else 0

    def decisive(self, events: Sequence[Event]) -> int | None:
        match events[-1]:
            case Ended("tricks", winner):
                return max(
                    at for at, each in enumerate(events) if isinstance(each, TrickShown) and each.winner == winner
                )
        return None

    def prompt(self, own: Hand, reader: Reader) -> str:
        if own.own.laid is None:
            return reader.words("high_card.asked.lay")
        return reader.words(
            "high_card.asked.wait", card=reader.cards.text(own.own.laid), other=reader.names[1 - own.seat]
        )

    def hand_text(self, own: Hand, reader: Reader) -> tuple[Section, ...]:
        hand = own.own.hand
        if not hand:
            return (Text(reader.words("high_card.no_cards")),)
        return (reader.cards.listed(reader.words.count("high_card.holding", len(hand)), hand),)

    def rules_page(self, public: Public) -> str:  # noqa: ARG002  there is only one question
        return "trick"

    def held(self, own: Hand) -> tuple[Card, ...]:
        laid = () if own.own.laid is None else (own.own.laid,)
        return (*own.own.hand, *laid)

    def label(self, verb: str, own: Hand, reader: Reader) -> str:
        card = own.own.hand[int(verb.removeprefix("lay"))]
        return reader.words("high_card.act.lay", card=reader.cards.label(card))

    def tone(self, verb: str) -> Tone:  # noqa: ARG002  there is only one kind of act
        return Tone.PLAIN


def _verdict(trick: TrickShown, reader: Reader) -> str:
    """Who takes the trick."""
    if trick.winner is None:
        return reader.words("high_card.told.nobody")
    return reader.words("high_card.told.taken", player=reader.names[trick.winner])

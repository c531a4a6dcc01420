"""Hidden Face in Discord: its commands, and how it looks.

A presenter turns what a reader may know into text. It is given observations, never a state, so it has nothing to leak.
Board, hand, buttons, clock and result are the same for all games and need nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from bot.ui.screen import Section, Text, Tone
from cardroom_hidden_face.engine import (
    Answer,
    FaceShown,
    Guessed,
    Options,
    Own,
    Phase,
    Public,
    SeatLeft,
    TargetNamed,
    Unmasked,
)
from cogs.game_registry import GameRegistry
from cogs.screens.card_text import Card
from cogs.screens.presenter import Presenter, Reader
from engines.game import Event, Private, Seat

Hand: TypeAlias = Private[Public, Own]


def setup(registry: GameRegistry) -> None:
    """Register the presenter and the commands."""
    registry.register("hidden_face", HiddenFacePresenter())


class HiddenFacePresenter(Presenter):
    """How Hidden Face is shown. `Presenter` says what each method is for."""

    def terms(self, options: Options, reader: Reader) -> tuple[str, ...]:
        if options == Options():
            return ()
        return (reader.words.count("hidden_face.terms.rounds", options.rounds),)

    def question(self, public: Public, reader: Reader) -> str:
        words, who = reader.words, reader.names
        if public.phase is Phase.NAME or public.target is None:
            return words("hidden_face.question.name", player=who[public.turn])
        return words("hidden_face.question.guess", player=who[public.turn], target=who[public.target])

    def seat_facts(self, public: Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
        words, card = reader.words, public.shown[seat]
        if public.left[seat]:
            return (words("hidden_face.left"),)
        if card is not None:
            key = "hidden_face.showed" if seat in public.staying else "hidden_face.out"
            return (words(key, card=reader.cards.text(card)),)
        lowest, highest = public.bounds[seat]
        turns = words.count("hidden_face.turns_left", public.options.rounds - public.turns[seat])
        return words("hidden_face.between", lowest=lowest, highest=highest), turns

    def table(self, public: Public, reader: Reader) -> tuple[Section, ...]:
        return (Text(reader.words.count("hidden_face.still_in", len(public.staying))),)

    def narrate(self, event: Event, reader: Reader) -> str | None:
        words, who = reader.words, reader.names
        match event:
            case TargetNamed(seat, target):
                return words("hidden_face.told.named", player=who[seat], target=who[target])
            case Guessed(seat, target, rank, answer):
                key = f"hidden_face.told.{answer.value}"
                return words(key, player=who[seat], target=who[target], rank=rank)
            case Unmasked(seat, card):
                return words("hidden_face.told.unmasked", player=who[seat], card=reader.cards.text(card))
            case SeatLeft(seat, _):
                return words("hidden_face.told.left", player=who[seat])
            case FaceShown(seat, card):
                return words("hidden_face.told.shown", player=who[seat], card=reader.cards.text(card))
        return None

    def weight(self, events: Sequence[Event], index: int) -> int:
        match events[index]:
            case Guessed(answer=Answer.RIGHT):
                return 3
            case Guessed():
                return 1
        return 0

    def decisive(self, events: Sequence[Event]) -> int | None:
        guesses = [at for at, event in enumerate(events) if isinstance(event, Guessed)]
        if not guesses or not isinstance(events[-2], Unmasked):
            return None
        return guesses[-1]

    def prompt(self, own: Hand, reader: Reader) -> str:
        public = own.public
        if own.seat not in public.staying:
            return reader.words("hidden_face.asked.out")
        if own.seat != public.turn:
            return reader.words("hidden_face.asked.wait", player=reader.names[public.turn])
        if public.phase is Phase.NAME or public.target is None:
            return reader.words("hidden_face.asked.name")
        lowest, highest = public.bounds[public.target]
        target = reader.names[public.target]
        return reader.words("hidden_face.asked.guess", target=target, lowest=lowest, highest=highest)

    def hand_text(self, own: Hand, reader: Reader) -> tuple[Section, ...]:
        return (reader.cards.listed(reader.words("hidden_face.your_card"), self._face(own)),)

    def rules_page(self, public: Public) -> str:  # noqa: ARG002  one page explains both questions
        return "turn"

    def held(self, own: Hand) -> tuple[Card, ...]:
        return () if own.public.shown[own.seat] is not None else self._face(own)

    def _face(self, own: Hand) -> tuple[Card, ...]:
        return () if own.own.face is None else (own.own.face,)

    def label(self, verb: str, own: Hand, reader: Reader) -> str:  # noqa: ARG002  nothing depends on the hand
        if verb.startswith("name"):
            return reader.words("hidden_face.act.name", target=reader.names[int(verb.removeprefix("name"))])
        return reader.words("hidden_face.act.guess", rank=verb.removeprefix("guess"))

    def tone(self, verb: str) -> Tone:  # noqa: ARG002  all acts are alike
        return Tone.PLAIN

"""Quick Step in Discord: its commands, and how it looks.

A presenter turns what a reader may know into text. It is given observations, never a state, so it has nothing to leak.
Board, hand, buttons, clock and result are the same for all games and need nothing here.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, TypeAlias

from bot.ui.screen import Section, Text, Tone
from cardroom_quick_step.engine import Called, CardLaid, CardTurned, Ended, Go, Options, Own, Public, SeatsLeft
from cogs.game_registry import GameRegistry
from cogs.screens.card_text import Card
from cogs.screens.presenter import Racing, Reader
from engines.game import Event, Private, Seat

Hand: TypeAlias = Private[Public, Own]

IN_A_ROW: Final = 4
"""Cards in a row of buttons: as many as a phone shows beside one another."""


def setup(registry: GameRegistry) -> None:
    """Register the presenter and the commands."""
    registry.register("quick_step", QuickStepPresenter())


class QuickStepPresenter(Racing):
    """How Quick Step is shown. `Presenter` and `Racing` say what each method is for."""

    def terms(self, options: Options, reader: Reader) -> tuple[str, ...]:
        words, usual = reader.words, Options()
        lines = [words("quick_step.terms.race")]
        if options.cards != usual.cards:
            lines.append(words("quick_step.terms.cards", cards=options.cards))
        return (*lines, words("quick_step.terms.seconds", seconds=options.seconds))

    def question(self, public: Public, reader: Reader) -> str:
        return reader.words("quick_step.question.race" if public.racing else "quick_step.question.countdown")

    def seat_facts(self, public: Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
        words = reader.words
        if public.left[seat]:
            return (words("quick_step.left"),)
        held = words.count("quick_step.in_hand", public.hands[seat])
        return (held, words("quick_step.calls")) if seat in public.called else (held,)

    def table(self, public: Public, reader: Reader) -> tuple[Section, ...]:
        top = reader.cards.listed(reader.words("quick_step.top"), (public.top,))
        return top, Text(reader.words.count("quick_step.stock", public.stock))

    def narrate(self, event: Event, reader: Reader) -> str | None:
        words, who = reader.words, reader.names
        match event:
            case CardTurned(card):
                return words("quick_step.told.turned", card=reader.cards.text(card))
            case Go():
                return words("quick_step.told.go")
            case CardLaid(seat, card):
                return words("quick_step.told.laid", player=who[seat], card=reader.cards.text(card))
            case Called(seat):
                return words("quick_step.told.called", player=who[seat])
            case SeatsLeft(seats, _):
                players = words.all_of(who[seat] for seat in seats)
                return words("quick_step.told.left", players=players)
        return None

    def weight(self, events: Sequence[Event], index: int) -> int:
        return 1 if isinstance(events[index], CardLaid) else 0

    def decisive(self, events: Sequence[Event]) -> int | None:
        match events[-2:]:
            case [CardLaid(), Ended("emptied")]:
                return len(events) - 2
        return None

    def prompt(self, own: Hand, reader: Reader) -> str:
        public = own.public
        if public.left[own.seat]:
            return reader.words("quick_step.asked.out")
        key = "quick_step.asked.race" if public.racing else "quick_step.asked.countdown"
        return reader.words(key, top=reader.cards.text(public.top))

    def hand_text(self, own: Hand, reader: Reader) -> tuple[Section, ...]:
        """The cards are the buttons; what is left at the end is listed."""
        return (Text(reader.words.count("quick_step.holding", len(own.own.hand))),)

    def rules_page(self, public: Public) -> str:  # noqa: ARG002  there is only one question
        return "race"

    def held(self, own: Hand) -> tuple[Card, ...]:
        return own.own.hand

    def rows(self, own: Hand, verbs: Collection[str]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG002  places stay
        """Each card that was dealt keeps its place. Where it was laid, the button is disabled."""
        if own.public.left[own.seat]:
            return ()
        lays = [f"lay{index}" for index in range(len(own.own.dealt))]
        rows = [tuple(lays[first : first + IN_A_ROW]) for first in range(0, len(lays), IN_A_ROW)]
        return (*rows, ("call",))

    def is_card(self, verb: str) -> bool:
        return verb != "call"

    def label(self, verb: str, own: Hand, reader: Reader) -> str:
        """A card's label says whether it is still held, in a sign that is always as wide."""
        if verb == "call":
            return reader.words("quick_step.act.call")
        card = _dealt(verb, own)
        return reader.cards.in_hand(card.name, int(card in own.own.hand))

    def emoji(self, verb: str, own: Hand, reader: Reader) -> str:
        return "" if verb == "call" else reader.cards.face(_dealt(verb, own)).emoji

    def tone(self, verb: str) -> Tone:
        return Tone.MAIN if verb == "call" else Tone.PLAIN


def _dealt(verb: str, own: Hand) -> Card:
    """The card that a verb lays, or laid."""
    return own.own.dealt[int(verb.removeprefix("lay"))]

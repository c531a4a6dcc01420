"""What a game's cog tells the house about its looks: pure functions of what a seat may know.

The frames around it (board, hand, buttons, clock, seals) are the same for all games and stand in `cogs.screens.board`
and `cogs.screens.hand`. A presenter is given observations, never a state, so it cannot show what its reader may not
know.

What only some games have, a presenter says by its base class and not by its methods: that is asked for each hand, and
looking at methods takes a tenth of a press in Python 3.11.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bot.ui.catalogue import Translations
from bot.ui.screen import Section, Tone
from engines.game import Event, Private, Seat, Value


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: in which words, on which seat (None: everybody), and what the seats are called (safe names)."""

    words: Translations
    names: tuple[str, ...]
    seat: Seat | None = None


class Presenter(Protocol):
    """One game's looks."""

    def terms(self, options: Any, reader: Reader) -> tuple[str, ...]:
        """What a challenge must say of the options: those that are not the game's own, and its safety limit."""

    def question(self, public: Any, reader: Reader) -> str:
        """Who is asked what, in a sentence all may read."""

    def seat_facts(self, public: Any, seat: Seat, reader: Reader) -> tuple[str, ...]:
        """A seat's facts on the board, such as how many cards it holds."""

    def table(self, public: Any, reader: Reader) -> tuple[Section, ...]:
        """What lies on the table."""

    def narrate(self, event: Event, reader: Reader) -> str | None:
        """An event, as its reader may know it, in a sentence; None for what goes without saying."""

    def is_highlight(self, event: Event) -> bool:
        """Whether an event, as everybody may know it, is one that a summary of the match tells."""

    def prompt(self, own: Private[Any, Any], reader: Reader) -> str:
        """What the hand's owner is asked, or what they wait for."""

    def hand_text(self, own: Private[Any, Any], reader: Reader) -> tuple[Section, ...]:
        """The owner's cards as text."""

    def item(self, own: Private[Any, Any], verb: str, place: int) -> str:
        """The label of an item that an offer lets its owner pick."""

    def selection_summary(self, verb: str, worth: Mapping[str, Value], reader: Reader) -> str:
        """What the picked items amount to, and what they must beat."""

    def label(self, verb: str, own: Private[Any, Any], reader: Reader) -> str:
        """The label of the button that does an act or completes a pick."""

    def tone(self, verb: str) -> Tone:
        """That button's colour."""


class Racing(Presenter):
    """Further looks of a game in which everybody acts at once: its buttons keep their places and all can be pressed.

    What was painted last may be old when it is pressed, so no button is grey; the rules judge and the answer says why.
    """

    @abstractmethod
    def rows(self, own: Private[Any, Any], verbs: Collection[str]) -> tuple[tuple[str, ...], ...]:
        """The buttons, at most five a row, of these verbs, open and closed; a verb left out has none."""


class Shelves(ABC):
    """A presenter that says in which list an item stands where a hand is too large for a button each."""

    @abstractmethod
    def shelf(self, own: Private[Any, Any], verb: str, place: int) -> str:
        """The list's placeholder, such as a suit."""


class OpenPiles(ABC):
    """A presenter whose table has open piles that anybody may look through; the board then has a button for them."""

    @abstractmethod
    def piles(self, public: Any, reader: Reader) -> tuple[Section, ...]:
        """The open piles, card by card."""

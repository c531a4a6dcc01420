"""How one game is shown: the interface that each game's cog implements, pure functions of what a seat may know.

What surrounds it (board, hand, buttons, clock, commitments) is the same for all games: see `cogs.screens.board` and
`cogs.screens.hands`. A presenter is given observations, never a state, so it cannot show what its reader may not know.

A presenter declares what only some games have by its base class, not by its methods. Every hand checks for it, and
checking for methods takes a tenth of a press's time in Python 3.11.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

from bot.art.layout import Pile, TableLayout
from bot.games import GAMES
from bot.ui.catalogue import Translations
from bot.ui.screen import SeatLine, Seats, Section, Tone
from cogs.screens.additions import NOTHING_ADDED, Additions
from cogs.screens.card_text import DISCS, TEXT_CARDS, Card, CardForm, Face
from cogs.screens.clauses import Clause, Move, Reason
from cogs.screens.lesson import Lesson
from engines.game import Choices, Event, Private, Seat, Value
from engines.options import settled

Known: TypeAlias = Sequence[Private[Any, Any] | None]
"""What a reader may know of each seat beyond what everybody does; None for nothing."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: in which language, on which seat (None: everybody), the names of all seats (safe names), how they see
    cards, what rooms add to their screens, and whether the match's deal is `closed` (`bot.play.closed_deals`)."""

    words: Translations
    names: tuple[str, ...]
    seat: Seat | None = None
    cards: CardForm = TEXT_CARDS
    added: Additions = NOTHING_ADDED
    discs: tuple[str, ...] = DISCS
    """What seats have before their names below a picture, which has the same."""
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Lead:
    """Numbers by seat that tell who is ahead, such as cards: the highest are best or, with `fewest`, the lowest.

    Seats that are out have none. `far` is how many times as good the best number must be for a seat to be far behind,
    both with one more: so far that of equal players who once were, at most about one in six still won. `told` is the
    key of the sentence that says who is ahead and by what; without one nothing says it. `counted` is the key of what
    the numbers are, such as "cards in hand"; without one no story says how the match stood.
    """

    numbers: Mapping[Seat, int]
    fewest: bool
    far: float
    told: str = ""
    counted: str = ""

    @property
    def best(self) -> int:
        """The number of those who are ahead. Raises ValueError if nobody has one."""
        return (min if self.fewest else max)(self.numbers.values())

    def is_far_behind(self, seat: Seat) -> bool:
        """Whether a seat is far behind the best one."""
        if seat not in self.numbers:
            return False
        low, high = sorted((self.numbers[seat], self.best))
        return high + 1 >= self.far * (low + 1)

    def line(self, reader: Reader) -> str:
        """Those with the best numbers in the sentence; empty without one, and if all have the same."""
        if not self.told or len(set(self.numbers.values())) < 2:
            return ""
        leading = [f"**{reader.names[seat]}**" for seat, number in self.numbers.items() if number == self.best]
        return reader.words.count(self.told, self.best, players=reader.words.all_of(leading))


class Presenter(ABC):
    """How one game is shown. A presenter leaves out what its game has no use for, unless it is abstract here."""

    @abstractmethod
    def terms(self, options: Any, reader: Reader) -> tuple[str, ...]:
        """What a challenge must say about the options: those that are not the game's defaults, and its safety limit."""

    @abstractmethod
    def question(self, public: Any, reader: Reader) -> str:
        """Who is asked what, in a sentence that everybody may read."""

    @abstractmethod
    def seat_facts(self, public: Any, seat: Seat, reader: Reader) -> tuple[str, ...]:
        """A seat's facts on the board, such as how many cards it holds."""

    @abstractmethod
    def table(self, public: Any, reader: Reader) -> tuple[Section, ...]:
        """The cards and piles on the table."""

    def table_in_brief(self, public: Any, reader: Reader) -> tuple[Section, ...]:
        """What a board in words has room for: what the open question is about. Behind *More…* is the whole `table`."""
        return self.table(public, reader)

    def facts_beside_hand(self, public: Any, seat: Seat, reader: Reader) -> tuple[str, ...]:
        """What another player's hand has of a seat where no board shows it: without what its question says."""
        return self.seat_facts(public, seat, reader)

    def table_beside_hand(self, public: Any, reader: Reader) -> tuple[Section, ...]:
        """What a hand has of the table where no board shows it: what neither its question nor its last event says."""
        return self.table_in_brief(public, reader)

    @abstractmethod
    def narrate(self, event: Event, reader: Reader) -> str | None:
        """An event in a sentence, as its reader may know it; None if it needs no sentence."""

    def is_told_beside_hand(self, event: Event) -> bool:  # noqa: ARG002  only the log tells most events
        """Whether the next question, or the table beside a hand, tells an event as well."""
        return False

    @abstractmethod
    def weight(self, events: Sequence[Event], index: int) -> int:
        """How much the event at this index mattered for the match; 0 if no result should mention it.

        `events` are all events of a match that is over, as everybody may know them. The result tells the heaviest, the
        later of equal ones. An act that makes several events has its weight at one of them.
        """

    def decisive(self, events: Sequence[Event]) -> int | None:  # noqa: ARG002  in some games no act decides
        """The index of the event by which the match was won; None if there was none: somebody left, or a count decided.

        It must be one that has a moment, and the events after it are taken for what followed from it.
        """
        return None

    def moment(self, events: Sequence[Event], index: int, reader: Reader) -> str | None:
        """The event at this index in a sentence or a few, for the result, where no other lines explain it."""
        return self.narrate(events[index], reader)

    @abstractmethod
    def prompt(self, own: Private[Any, Any], reader: Reader) -> str:
        """The hand owner's question, or what they wait for, in no more words than this decision needs; the same for as
        long as it can be answered. `explained` says the rest."""

    @abstractmethod
    def hand_text(self, own: Private[Any, Any], reader: Reader) -> tuple[Section, ...]:
        """The owner's cards as text."""

    def held(self, own: Private[Any, Any]) -> tuple[Card, ...]:  # noqa: ARG002  there is nothing to show
        """The cards that a seat holds and only its owner has seen: when a match is over, everybody sees them."""
        return ()

    def item(self, own: Private[Any, Any], verb: str, index: int, reader: Reader) -> Face:  # noqa: ARG002  as above
        """An item that an offer lets its owner pick. It does not depend on what is picked.

        Only games that offer a `Pick` need it.
        """
        raise LookupError(f"{verb} has nothing to pick")

    def selection_summary(self, verb: str, worth: Mapping[str, Value], reader: Reader) -> str:  # noqa: ARG002  as above
        """What the picked items amount to, and what they must beat, in about 32 letters, or twice that where it needs
        more: a hand has two lines of a phone for it. Of several sentences, each on a line of its own, it has as many as
        fit, the first ones first.

        Only games that offer a `Pick` need it.
        """
        raise LookupError(f"{verb} has nothing to pick")

    def lead(self, public: Any) -> Lead | None:  # noqa: ARG002  not every game can tell
        """The numbers that tell who is ahead, of what everybody may know; None if nothing tells."""
        return None

    def leader(self, public: Any, reader: Reader) -> str:
        """Who is ahead and by what, in a sentence, from what everybody may know; empty if nothing tells."""
        lead = self.lead(public)
        return "" if lead is None else lead.line(reader)

    def lesson(self, verb: str, own: Private[Any, Any], reader: Reader) -> str:  # noqa: ARG002  prompts say most of it
        """What decides about something to pick cards for, without markup, in one or two lines of about 32 letters: it
        is shown until something is picked, and in the list of all that can be done. Empty if the prompt says it."""
        return ""

    def facing(self, verb: str, own: Private[Any, Any], reader: Reader) -> str:  # noqa: ARG002  most have one deed
        """What a choice among several things to pick cards for needs, such as what their target has, without markup."""
        return ""

    def kind(self, verb: str, reader: Reader) -> str:  # noqa: ARG002  most have a few acts alone
        """The placeholder of a list of acts that are made at once, by their verbs without numbers."""
        return ""

    def explained(self, own: Private[Any, Any], reader: Reader) -> str:  # noqa: ARG002  the prompt may say it all
        """How the hand owner's question works and what follows from each answer, for who presses *?*: what the prompt
        leaves out. Empty if there is nothing more to say."""
        return ""

    def rules_page(self, public: Any) -> str:  # noqa: ARG002  all questions are on the first page
        """The name of the page of the rules that explains the present question; the first page opens without one."""
        return ""

    @abstractmethod
    def label(self, verb: str, own: Private[Any, Any], reader: Reader) -> str:
        """The label of the button that does an act or completes a pick."""

    def clause(self, move: Move, own: Private[Any, Any], reader: Reader) -> Clause:
        """A move as hints, reviews and replays say it: "Attack with 7♠", not what its button says.

        A game without clauses of its own gets one that names what is picked, or else the verb.
        """
        if not move.picked:
            return Clause("moves.{}.verb", {"verb": move.verb})
        items = [self.item(own, move.verb, index, reader).text for index in move.picked]
        return Clause("moves.{}.items", {"items": reader.cards.joined(items)})

    def reasons(self, move: Move, own: Private[Any, Any], reader: Reader) -> Sequence[Reason]:  # noqa: ARG002  see below
        """What speaks for a move, the weightiest first, by what its seat knows. A game may have no reasons."""
        return ()

    def emoji(self, verb: str, own: Private[Any, Any], reader: Reader) -> str:  # noqa: ARG002  most have none
        """The emoji before that label, such as a card's; empty for none."""
        return ""

    @abstractmethod
    def tone(self, verb: str) -> Tone:
        """That button's colour."""


class Racing(Presenter):
    """A presenter of a game in which everybody acts at once: its buttons keep their slots for a whole question.

    What a hand shows may be out of date when it is pressed. So every act that can be tried can be pressed: the rules
    decide, and the answer gives the reason. A hand's text has a fixed number of lines in a race, so prompts are short.
    """

    @abstractmethod
    def rows(self, own: Private[Any, Any], verbs: Collection[str]) -> tuple[tuple[str, ...], ...]:
        """The rows of buttons, at most five a row, as verbs.

        `verbs` can be pressed, open or closed; those without a slot get no button. A verb that is not among them keeps
        its slot with a disabled button, which has a label too. Slots and widths of the buttons never change while a
        question is open.
        """

    def labels(self, verbs: Iterable[str], own: Private[Any, Any], reader: Reader) -> dict[str, str]:
        """The labels of several buttons, by verb: a game may work out once what they have in common."""
        return {verb: self.label(verb, own, reader) for verb in verbs}

    def slot(self, verb: str) -> str:
        """What stays where an act's button is, while the act there may change: the act itself if it doesn't."""
        return verb

    def most_cards(self, own: Private[Any, Any]) -> int:
        """How many lines the lists of cards can need in this question, for readers whose cards are in lists: by default
        one for each slot of a card."""
        return sum(self.is_card(verb) for row in self.rows(own, ()) for verb in row)

    def is_card(self, verb: str) -> bool:  # noqa: ARG002  a game may have acts only
        """Whether a verb places a card, or keeps the slot of one. For some readers the cards are in a list."""
        return False

    def is_pressable(self, own: Private[Any, Any], verb: str) -> bool:  # noqa: ARG002  a game may know better
        """Whether an act that may be tried has an enabled button now."""
        return True


class Shelves(ABC):
    """A presenter that sorts items into lists when a hand is too large for a button each."""

    @abstractmethod
    def shelf(self, own: Private[Any, Any], verb: str, index: int) -> str:
        """The placeholder of the list that an item is in, such as a suit."""


class Suggestions(ABC):
    """A presenter of a game in which many items may have to be picked: one press picks those that most would pick."""

    @abstractmethod
    def suggestion(self, own: Private[Any, Any], verb: str, reader: Reader) -> tuple[str, tuple[int, ...]] | None:
        """The label of that button, and the indexes that it picks (ascending unless their order matters), whatever is
        picked; None if there are only a few to pick."""


class ChangeableChoices(ABC):
    """A presenter of a game in which a sealed choice may be changed: the others must not see that it was."""

    @abstractmethod
    def chosen(self, own: Private[Any, Any], reader: Reader) -> str:
        """What the owner has chosen and may still change; empty if nothing. The prompt stays as it was before."""

    @abstractmethod
    def is_chosen(self, own: Private[Any, Any], verb: str) -> bool:
        """Whether this act is what the owner has chosen; its button has another colour."""

    @abstractmethod
    def is_shown_once(self, event: Event) -> bool:
        """Whether an event that follows one that looks the same is left out."""


class OpenPiles(ABC):
    """A presenter of a game with open piles that anybody may look through; its boards have a button for them."""

    @abstractmethod
    def piles(self, public: Any, reader: Reader) -> tuple[Section, ...]:
        """The open piles, card by card."""


class PlansAhead(Presenter):
    """A presenter of a game in which a player who waits may plan moves for what may happen next.

    An occasion is a kind of question that the others may put to the player. Which there are follows from what the
    player may know now, never from what the others really can do.
    """

    @abstractmethod
    def occasions(self, own: Private[Any, Any], reader: Reader) -> Mapping[str, str]:
        """What may happen next, in words without markup, by short keys of lower-case letters and digits."""

    @abstractmethod
    def occurs(self, occasion: str, own: Private[Any, Any]) -> bool:
        """Whether the question that the seat is asked now is such an occasion."""

    @abstractmethod
    def plannable(self, occasion: str, own: Private[Any, Any]) -> Choices[Any]:
        """The moves that may be planned for an occasion, as offers with the verbs that the question will have. The
        rules judge a move when its time comes; until then only what can never be legal is refused."""


class Taught(Presenter):
    """A presenter of a game with a first lesson (`/learn`)."""

    @property
    @abstractmethod
    def first_lesson(self) -> Lesson:
        """The lesson. `cogs.screens.lesson` says which sentences it needs."""

    def lesson_table(self, own: Private[Any, Any], reader: Reader) -> tuple[Section, ...]:
        """What the learner sees of the table below the players' lines: no more than a newcomer needs."""
        return (*self.table(own.public, reader), *self.hand_text(own, reader))


Presenters: TypeAlias = Mapping[str, Presenter]
"""Those of all games, by their keys. Games may be added later."""


class Pictured(Presenter):
    """A presenter of a game whose cards have pictures; its boards have a button that shows the table."""

    @abstractmethod
    def picture(self, public: Any, known: Known) -> TableLayout:
        """Where everything lies, as one reader may see it.

        What is in it, and in which order, may depend only on these observations. Winners are marked elsewhere.
        """

    def last_laid(self, public: Any, told: Sequence[Event]) -> tuple[Pile, ...]:  # noqa: ARG002  not every act lays cards
        """What was laid last and is not in play any more, of the last events that everybody may know, oldest first."""
        return ()

    def unpictured_facts(self, public: Any, seat: Seat, reader: Reader) -> tuple[str, ...]:  # noqa: ARG002  a picture may show all
        """The facts of a seat that everybody may know and no picture shows, such as points."""
        return ()


def seat_lines(
    presenter: Presenter,
    public: Any,
    reader: Reader,
    awaited: Collection[Seat],
    stand_ins: Collection[Seat] = (),
    *,
    times: Mapping[Seat, str] = MappingProxyType({}),
) -> Seats:
    """The players' lines: what everybody may know of each seat, that a computer plays it on, as everybody must know
    (C-8), and in `times` what is left of its player's time (C-15)."""
    facts = partial(presenter.seat_facts, public)
    return Seats(tuple(_lines(facts, reader, awaited, stand_ins, times)))


def seat_discs(
    presenter: Pictured,
    public: Any,
    reader: Reader,
    awaited: Collection[Seat],
    stand_ins: Collection[Seat] = (),
    *,
    times: Mapping[Seat, str] = MappingProxyType({}),
) -> Seats:
    """Whose discs are in a picture, and what it doesn't show of them; in bold those whom the match waits for."""
    facts = partial(presenter.unpictured_facts, public)
    lines = _lines(facts, reader, awaited, stand_ins, times)
    discs = tuple([line._replace(disc=reader.discs[seat]) for seat, line in enumerate(lines)])
    return Seats(discs, in_a_row=True)


def _lines(
    facts: Callable[[Seat, Reader], tuple[str, ...]],
    reader: Reader,
    awaited: Collection[Seat],
    stand_ins: Collection[Seat],
    times: Mapping[Seat, str],
) -> Iterator[SeatLine]:
    played_on = (reader.words("stand_in.plays_on"),)
    for seat, name in enumerate(reader.names):
        told = (*(played_on if seat in stand_ins else ()), *facts(seat, reader), *_time(times, seat))
        yield SeatLine(name, told, seat in awaited)


def _time(times: Mapping[Seat, str], seat: Seat) -> tuple[str, ...]:
    return (times[seat],) if seat in times else ()


def told_terms(presenter: Presenter, game: str, options: Any, reader: Reader) -> tuple[str, ...]:
    """The options in lines. Where a game has several presets, its author's own settings are named as such."""
    terms = presenter.terms(options, reader)
    info = GAMES[game].info
    if len(info.presets) > 1 and settled(options) == settled(info.options()):
        return (reader.words("terms.author"), *terms)
    return terms

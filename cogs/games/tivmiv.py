"""Tiv-Miv in Discord: its commands and its presenter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final, TypeAlias

from bot.art.images import Family
from bot.art.layout import Pile, Strip, TableLayout, backs, cards_in_row, stack
from bot.ui.screen import Section, Text, Tone
from cogs.game_registry import GameRegistry
from cogs.games.lessons.tivmiv import LESSON
from cogs.screens.card_text import DIGIT_SPACE, Card
from cogs.screens.clauses import Clause, Move
from cogs.screens.presenter import Known, Lead, Pictured, Racing, Reader, Taught
from cogs.screens.renderer import chunks
from engines import tivmiv
from engines.game import Event, Private, Seat
from engines.options import NONE

Hand: TypeAlias = Private[tivmiv.Public, tivmiv.Own]

IN_A_ROW = 4
"""Faces in a row: as many as a phone shows beside one another."""
WIDTH = 4
"""Of a face on a button, in letters: its value in two digits or a space as wide, the sign, its index."""
LEAVING = 20
"""What it weighs among a match's moments that somebody leaves: as much as a phase that as many points lie between."""
_EMPTY = re.compile(r"place(\d+)")
_CARDS = {(card.value, card.index): card for card in tivmiv.PACK.cards}
"""One card with each face."""
_NAMES: Final = {face: tivmiv.face_name(*face).rjust(WIDTH, DIGIT_SPACE) for face in _CARDS}
"""Each face as a button has it, with its value in two digits."""
_VALUES: Final = sorted({value for value, _ in _CARDS})

_TONES = {"draw": Tone.MAIN, "handful": Tone.MAIN, "dinner": Tone.GOOD, "ready": Tone.GOOD}

LAST_PLACED: Final = 3
"""How many of the cards that were placed last a board's picture shows."""
FAR_BEHIND: Final = 40.0
"""How many times as many points are far behind (`Lead`). In 166 matches between equal racers (`tests/arena/races.py`),
17 % of those who were once so far behind still won."""


def setup(registry: GameRegistry) -> None:
    """Register the presenter and the commands."""
    registry.register("tivmiv", TivMivPresenter())


class TivMivPresenter(Racing, Pictured, Taught):
    """How Tiv-Miv is shown. `cogs.screens.presenter.Presenter` says what each method is for."""

    first_lesson = LESSON

    def terms(self, options: tivmiv.Options, reader: Reader) -> tuple[str, ...]:
        words, usual = reader.words, tivmiv.Options()
        lines = [words("tivmiv.terms.real_time")]
        if options.phases != usual.phases:
            lines.append(words.count("tivmiv.terms.phases", options.phases))
        if options.ready_seconds != usual.ready_seconds:
            lines.append(words("tivmiv.terms.ready", seconds=options.ready_seconds))
        stall = "tivmiv.terms.no_stall" if options.stall_seconds == NONE else "tivmiv.terms.stall"
        lines.append(words(stall, seconds=options.stall_seconds))
        return (*lines, words("tivmiv.terms.idle", seconds=options.idle_seconds))

    def question(self, public: tivmiv.Public, reader: Reader) -> str:
        if public.stage is tivmiv.Stage.OVER:
            return ""
        key = f"tivmiv.question.{public.stage.value}{'_drawn_out' if public.may_stall else ''}"
        return reader.words(key, phase=public.phase, phases=public.phases)

    def seat_facts(self, public: tivmiv.Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
        words = reader.words
        shown = [_points(public, seat, reader)]
        if seat in public.out:
            return (words("tivmiv.out"), *shown)
        if seat in public.ready:
            shown.insert(0, words("tivmiv.ready"))
        in_deck = words.count("tivmiv.in_deck", public.decks[seat])
        return (words.count("tivmiv.in_hand", public.hands[seat]), in_deck, *shown)

    def lead(self, public: tivmiv.Public) -> Lead:
        """Before points are scored nothing tells: who has fewest cards may not be able to place them."""
        return Lead(
            {seat: total for seat, total in enumerate(public.totals) if seat not in public.out},
            fewest=True,
            far=FAR_BEHIND,
            told="tivmiv.ahead",
            counted="tivmiv.counted",
        )

    def table(self, public: tivmiv.Public, reader: Reader) -> tuple[Section, ...]:
        down, up = public.takes
        return (
            Text(reader.words("tivmiv.top", top=reader.cards.heading(public.top))),
            Text(reader.words.count("tivmiv.takes", public.below, down=down, up=up)),
        )

    def narrate(self, event: Event, reader: Reader) -> str | None:  # noqa: PLR0911  one sentence for each event
        words, names = reader.words, reader.names
        match event:
            case tivmiv.PhaseBegun(phase):
                return words("tivmiv.told.dealt", phase=phase)
            case tivmiv.CentreTurned(card):
                return words("tivmiv.told.turned", card=reader.cards.text(card))
            case tivmiv.Go():
                return words("tivmiv.told.go")
            case tivmiv.CardPlaced(seat, card):
                return words("tivmiv.told.placed", player=names[seat], value=card.value, card=reader.cards.text(card))
            case tivmiv.CardDrawn(_, card, by_house):
                return words("tivmiv.told.house_drew" if by_house else "tivmiv.told.drew", card=reader.cards.text(card))
            case tivmiv.HouseDraws():
                return words("tivmiv.told.house_draws")
            case tivmiv.BottomTurned(card):
                return words("tivmiv.told.bottom_turned", card=reader.cards.text(card))
            case tivmiv.Recycled(cards):
                return words.count("tivmiv.told.recycled", len(cards), card=reader.cards.row(cards[-1:]))
            case tivmiv.PhaseEnded():
                return _ended(event, reader)
            case tivmiv.MadeReady(seat):
                return words("tivmiv.told.ready", player=names[seat])
            case tivmiv.SeatsOut(seats, kind):
                players = words.all_of(names[seat] for seat in seats)
                return words(f"tivmiv.told.out_by_{kind}", players=players)
        return None

    def weight(self, events: Sequence[Event], index: int) -> int:
        """A phase weighs by how far apart it left the players. Whose leaving ends the match, the result says anyway."""
        match events[index]:
            case tivmiv.SeatsOut() if index + 2 < len(events):
                return LEAVING
            case tivmiv.PhaseEnded(points=points):
                scored = [each for each in points if each is not None]
                return 1 + max(scored) - min(scored) if scored else 0
        return 0

    def decisive(self, events: Sequence[Event]) -> int | None:
        """The last phase, if it was won by somebody who won the match."""
        last = max((index for index, event in enumerate(events) if isinstance(event, tivmiv.PhaseEnded)), default=None)
        match None if last is None else events[last], events[-1]:
            case tivmiv.PhaseEnded(winner=int() as seat), tivmiv.Ended("points" | "shared", ranks) if ranks[seat] == 1:
                return last
        return None

    def moment(self, events: Sequence[Event], index: int, reader: Reader) -> str | None:
        event, told = events[index], self.narrate(events[index], reader)
        if not isinstance(event, tivmiv.PhaseEnded) or not event.points:
            return told
        scored = [f"{name} {n}" for name, n in zip(reader.names, event.points, strict=True) if n is not None]
        return f"{told} {reader.words('tivmiv.scored', points=' · '.join(scored))}"

    def prompt(self, own: Hand, reader: Reader) -> str:
        public, words = own.public, reader.words
        if own.seat in public.out:
            return words("tivmiv.asked.out")
        match public.stage:
            case tivmiv.Stage.RACE:
                down, up = public.takes
                key = "tivmiv.asked.last_card" if _is_last(own) else "tivmiv.asked.race"
                return words(key, top=reader.cards.text(public.top), down=down, up=up)
            case tivmiv.Stage.DEALT:
                key = "tivmiv.asked.dealt_waiting" if own.seat in public.ready else "tivmiv.asked.dealt"
                return words(key, top=reader.cards.text(public.top))
            case tivmiv.Stage.SCORED:
                key = "tivmiv.asked.waiting" if own.seat in public.ready else "tivmiv.asked.scored"
                return words(key, phase=public.phase, phases=public.phases)
        return words("tivmiv.asked.countdown", top=reader.cards.text(public.top))

    def hand_text(self, own: Hand, reader: Reader) -> tuple[Section, ...]:
        """The cards are the buttons: between phases, too, those that were left over. At the end they are listed."""
        words, hand = reader.words, own.own.hand
        if own.public.stage in (tivmiv.Stage.DEALT, tivmiv.Stage.COUNTDOWN, tivmiv.Stage.RACE):
            in_deck = words.count("tivmiv.in_deck", own.public.decks[own.seat])
            return (Text(words.count("tivmiv.holding", len(hand), deck=in_deck)),)
        totals = " · ".join(f"{name} {total}" for name, total in zip(reader.names, own.public.totals, strict=True))
        if own.public.stage is tivmiv.Stage.SCORED:
            return (Text(words("tivmiv.totals", totals=totals)),)
        scored = Text(words("tivmiv.scored", points=totals))
        return (reader.cards.listed(words("tivmiv.left"), hand) if hand else Text(words("tivmiv.none_left")), scored)

    def held(self, own: Hand) -> tuple[Card, ...]:
        return own.own.hand

    def picture(self, public: tivmiv.Public, known: Known) -> TableLayout:
        strips = [_strip(count, deck, own) for count, deck, own in zip(public.hands, public.decks, known, strict=True)]
        centre = Pile("tivmiv.laid.centre", (public.top,), public.below + 1)
        return TableLayout(Family.TIVMIV, tuple(strips), play=(centre,))

    def last_laid(self, public: tivmiv.Public, told: Sequence[Event]) -> tuple[Pile, ...]:  # noqa: ARG002  the centre pile stays
        """The last cards that were placed, the last one nearest to the centre pile."""
        placed = [event for event in told if isinstance(event, tivmiv.CardPlaced)][-LAST_PLACED:]
        return tuple(cards_in_row("picture.laid", (event.card,), event.seat) for event in placed)

    def unpictured_facts(self, public: tivmiv.Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
        shown = (_points(public, seat, reader),) if public.totals[seat] else ()
        if seat in public.out:
            return (reader.words("tivmiv.out"), *shown)
        return (reader.words("tivmiv.ready"), *shown) if seat in public.ready else shown

    def lesson_table(self, own: Hand, reader: Reader) -> tuple[Section, ...]:
        """The pile and the learner's cards: a lesson has few of them as buttons."""
        hand = own.own.hand
        held = (reader.cards.listed(reader.words("tivmiv.lesson_hand"), hand),) if hand else ()
        return (*self.table(own.public, reader), *held)

    def rules_page(self, public: tivmiv.Public) -> str:
        return "points" if public.stage is tivmiv.Stage.SCORED else "phase"

    def label(self, verb: str, own: Hand, reader: Reader) -> str:
        return _label(verb, _faces(own), reader)

    def labels(self, verbs: Iterable[str], own: Hand, reader: Reader) -> dict[str, str]:
        held = _faces(own)
        return {verb: _label(verb, held, reader) for verb in verbs}

    def emoji(self, verb: str, own: Hand, reader: Reader) -> str:  # noqa: ARG002  a face looks the same in every hand
        face = tivmiv.face_of(verb)
        if face is None:
            return reader.cards.back if _EMPTY.fullmatch(verb) else ""
        return reader.cards.face(_CARDS[face]).emoji

    def tone(self, verb: str) -> Tone:
        return _TONES.get(verb, Tone.PLAIN)

    def is_card(self, verb: str) -> bool:
        return tivmiv.face_of(verb) is not None or _EMPTY.fullmatch(verb) is not None

    def is_pressable(self, own: Hand, verb: str) -> bool:
        """Between phases nothing but *Ready*, which nobody should press with a finger that is still drawing."""
        return verb == "ready" or own.public.stage not in (tivmiv.Stage.DEALT, tivmiv.Stage.SCORED)

    def rows(self, own: Hand, verbs: Collection[str]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG002  a slot stays
        """In the first row what is always there: Draw, Ready, the cry. Below it each value has its slot for ever, with
        the card of this value that a press would place; without one, the button is disabled."""
        if own.seat in own.public.out:
            return ()
        held = _to_place(own)
        slots = [tivmiv.verb_of(value, held[value]) if value in held else f"place{value}" for value in _VALUES]
        return (("draw", "handful", "ready", "dinner"), *chunks(slots, IN_A_ROW))

    def slot(self, verb: str) -> str:
        face = tivmiv.face_of(verb)
        return verb if face is None else f"place{face[0]}"

    def most_cards(self, own: Hand) -> int:
        return min(len(_CARDS), own.own.dealt)

    def explained(self, own: Hand, reader: Reader) -> str:
        keys = ["phase", "fits"]
        if own.public.stage in (tivmiv.Stage.DEALT, tivmiv.Stage.SCORED):
            keys.append("ready")
        return "\n".join([reader.words(f"tivmiv.explained.{key}") for key in keys])

    def clause(self, move: Move, own: Hand, reader: Reader) -> Clause:  # noqa: ARG002  a verb says it all
        face = tivmiv.face_of(move.verb)
        if face is not None:
            return Clause("tivmiv.{}.place", {"cards": reader.cards.text(_CARDS[face])})
        return Clause(f"tivmiv.{{}}.{move.verb}")


def _label(verb: str, held: Counter[tuple[int, int]], reader: Reader) -> str:
    """A face has its value in two digits, and how many cards of this value are held: so its button is always as wide
    as any other. An emoji has the count alone beside it. In a list, a face has its own count."""
    face, empty = tivmiv.face_of(verb), _EMPTY.fullmatch(verb)
    if face is not None:
        of_value = sum(count for (value, _), count in held.items() if value == face[0])
        return reader.cards.in_hand(_NAMES[face], held[face] if reader.cards.lists_race else of_value)
    if empty is not None:
        return reader.cards.in_hand(f"{empty[1]}±{DIGIT_SPACE}".rjust(WIDTH, DIGIT_SPACE), None)
    return reader.words(f"tivmiv.act.{verb}", n=tivmiv.HANDFUL)


def _strip(count: int, deck: int, own: Hand | None) -> Strip:
    """A player's hand, and the deck while there is one."""
    hand = backs("picture.hand", count) if own is None else cards_in_row("picture.hand", own.own.hand)
    return Strip(hand, (stack("tivmiv.laid.deck", deck),) if deck else ())


def _to_place(own: Hand) -> dict[int, int]:
    """For each value that is held, the index of the card to place: one after which the hand can go on, else the lowest.

    Of several cards of one value only the index differs, and by it what fits next.
    """
    held: dict[int, list[int]] = {}
    for value, index in sorted(_faces(own)):
        held.setdefault(value, []).append(index)
    return {
        value: next((index for index in indices if not held.keys().isdisjoint(tivmiv.takes(value, index))), indices[0])
        for value, indices in held.items()
    }


def _points(public: tivmiv.Public, seat: Seat, reader: Reader) -> str:
    """A seat's points, phase by phase if there are several."""
    points = [str(phase[seat]) for phase in public.scores if phase and phase[seat] is not None]
    total = public.totals[seat]
    if len(points) < 2:
        return reader.words.count("tivmiv.points", total)
    return reader.words("tivmiv.points_of_phases", total=total, phases=" + ".join(points))


def _ended(event: tivmiv.PhaseEnded, reader: Reader) -> str:
    """How a phase ended; its points are in the players' lines."""
    words = reader.words
    if not event.points:
        return words("tivmiv.told.nobody_acted", phase=event.phase)
    if event.winner is not None:
        return words("tivmiv.told.dinner", phase=event.phase, player=reader.names[event.winner])
    return words(f"tivmiv.told.{event.how}", phase=event.phase)


def _faces(own: Hand) -> Counter[tuple[int, int]]:
    """The faces of the sorted hand, and how many cards it has of each."""
    return Counter([(card.value, card.index) for card in own.own.hand])


def _is_last(own: Hand) -> bool:
    return len(own.own.hand) == 1 and not own.public.decks[own.seat]

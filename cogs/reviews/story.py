"""The story of a finished match, to be posted: one picture without names, and a few sentences of facts.

The picture has the table at the end, the curve of the match, and on it a ring where the move was made that cost the
losing side most. Everything in a story is open by then to everybody in the match's server.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.art.curve_picture import Curve, StoryPicture
from bot.play.live_match import LiveMatch
from bot.ui.screen import Button, Picture, Press, Screen, SeatLine, Seats, Section, Text, Tone
from cogs.reviews.course import Course, Fact, Kind, facts_of
from cogs.reviews.screens import curve_of, has_review, listed_curve, made_move
from cogs.screens.card_text import TEXT_CARDS
from cogs.screens.endings import ending
from cogs.screens.narration import decisive_moment
from cogs.screens.presenter import Pictured, Presenter, Reader
from cogs.screens.renderer import utf16_units
from cogs.screens.tables import LONGEST_DESCRIPTION, description, table_layout
from engines.players.review import CostlyAct, Measure, Point, Review

LONGEST: Final = 600
"""How many characters the sentences have together, in UTF-16 units. What says least is left out for it."""

NUMBERS: Final[Mapping[Kind, Sequence[str]]] = {
    Kind.COMEBACK: ("own", "best"),
    Kind.NEVER_BEHIND: (),
    Kind.BEHIND: ("behind", "moves"),
    Kind.CHANGES: ("changes",),
    Kind.AHEAD: ("moves",),
}
"""What the numbers of a fact are called in its sentence."""


@dataclass(frozen=True, slots=True)
class Story:
    """A finished match, how it went, and what a review says of it."""

    match: LiveMatch
    course: Course
    review: Review
    presenter: Presenter

    @property
    def turn(self) -> CostlyAct | None:
        """The move that cost those who lost most; None where no move cost them much."""
        ranks = self.match.result.ranks if self.match.result is not None else ()
        return next((act for act in self.review.costly if ranks and ranks[act.seat] > 1), None)

    @property
    def numbers(self) -> Review | None:
        """A curve of what the board counts, for a match whose chances nobody has measured; None if it has none."""
        leads, seats = self.course.leads, range(len(self.match.seats))
        if not any(len(set(lead.numbers.values())) > 1 for lead in leads):
            return None
        if any(seat not in lead.numbers for lead in leads for seat in seats):
            return None
        points = [Point(at, tuple([float(lead.numbers[seat]) for seat in seats])) for at, lead in enumerate(leads)]
        return replace(self.review, curve=tuple(points), measure=Measure.CARDS, costly=())


def story_screen(story: Story, reader: Reader, *, offered: bool) -> Screen:
    """A match's story. It is `offered` in private to a player, who may have it posted.

    Raises RuntimeError for a match of which anything is secret.
    """
    if story.match.secret:
        raise RuntimeError("a match that is secret has no story")
    words = reader.words
    lines = sentences(story, reader)
    discs = [SeatLine(name, (), disc=disc) for name, disc in zip(reader.names, reader.discs, strict=False)]
    sections: tuple[Section, ...] = (*_picture(story, reader), Seats(tuple(discs), in_a_row=True), Text(lines.text))
    rows = ((Button(words("story.post"), Press("storypost"), Tone.MAIN),),) if offered else ()
    footer = words("story.judged") if lines.judged else ""
    return Screen(words("story.title", game=story.match.game.info.title), sections, rows, footer, Tone.GOOD)


def share_button(match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """*Share*, for a player of a match that has a story and is no practice."""
    is_practice = not match.has_board and match.day is None
    if reader.seat is None or is_practice or not has_review(match):
        return ()
    return (Button(reader.words("story.share"), Press("story")),)


# ---------------------------------------------------------------------------------------------- sentences


@dataclass(frozen=True, slots=True)
class Sentences:
    """The text of a story, and whether anything in it is judged, so that it must say so."""

    text: str
    judged: bool


def sentences(story: Story, reader: Reader) -> Sentences:
    """The sentences of a story, each on a line of its own, as many of the weightiest as have room."""
    reader = reader if reader.cards.is_spoken else replace(reader, cards=TEXT_CARDS)
    match, words = story.match, reader.words
    if match.result is None:
        raise RuntimeError("a match that is being played has no story")
    won = " ".join(ending(match.game.info.key, match.result, match.position.outcome, reader))
    told = [
        _Told(won, 0),
        _Told(words.count("story.moves", len(story.course.moves)) if story.course.moves else "", 3),
        *[
            _Told(_fact(fact, story, reader), 2, fact.kind is Kind.CHANCE)
            for fact in facts_of(story.course, story.review)
        ],
        _Told(_turn(story, reader), 1, judged=True),
        _Told(decisive_moment(match.events, story.presenter, reader), 4),
        _Told(_final(story, reader), 5),
    ]
    kept: list[_Told] = []
    for each in sorted([each for each in told if each.text], key=lambda each: each.order):
        if utf16_units("\n".join([other.text for other in (*kept, each)])) <= LONGEST:
            kept.append(each)
    shown = [each for each in told if each in kept]
    return Sentences("\n".join([each.text for each in shown]), any(each.judged for each in shown))


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence. Those with a lower order are kept first."""

    text: str
    order: int
    judged: bool = False


def _fact(fact: Fact, story: Story, reader: Reader) -> str:
    """A fact in a sentence."""
    words = reader.words
    player = "" if fact.seat is None else reader.names[fact.seat]
    if fact.kind is Kind.CHANCE:
        return words("story.chance", player=player, share=words.percent(fact.first))
    values = dict(zip(NUMBERS[fact.kind], (fact.first, fact.second), strict=False))
    return words(f"story.{fact.kind.value}", player=player, counted=_counted(story, reader), **values)


def _counted(story: Story, reader: Reader) -> str:
    """What the board counts, such as "cards in hand"."""
    return reader.words(story.course.leads[-1].counted)


def _turn(story: Story, reader: Reader) -> str:
    act = story.turn
    if act is None:
        return ""
    return reader.words("story.turn", told=made_move(story.match, act, story.presenter, reader))


def _final(story: Story, reader: Reader) -> str:
    """What everybody had at the end, where the board counts something of all seats."""
    if not story.course.leads:
        return ""
    numbers = story.course.leads[-1].numbers
    if len(numbers) < len(reader.names) or len(set(numbers.values())) < 2:
        return ""
    values = " · ".join([f"{name} {numbers[seat]}" for seat, name in enumerate(reader.names)])
    return reader.words("story.final", counted=_counted(story, reader), values=values)


# ---------------------------------------------------------------------------------------------- the picture


def _picture(story: Story, reader: Reader) -> Sequence[Picture]:
    """The picture, described without names; none where there is nothing to draw."""
    words, match = reader.words, story.match
    nameless = replace(reader, names=tuple([words("story.seat", seat=seat + 1) for seat in range(len(match.seats))]))
    curve, told = _curve(story, nameless)
    if not isinstance(story.presenter, Pictured):
        return () if curve is None else (Picture(curve, told, instead=(Text(told),)),)
    layout = table_layout(match, story.presenter, None)
    table = description(layout, nameless, LONGEST_DESCRIPTION - utf16_units(told) - 1)
    said = "\n".join(filter(None, (table, told)))
    return (Picture(StoryPicture(layout, curve), said, instead=(Text(said),)),)


def _curve(story: Story, nameless: Reader) -> tuple[Curve | None, str]:
    """The curve with its ring, and the same in words: of chances if they were measured, else of what the board
    counts."""
    review, words = story.review, nameless.words
    if review.curve:
        act = story.turn
        curve = curve_of(replace(review, costly=() if act is None else (act,)))
        ringed = tuple([replace(mark, number=0) for mark in curve.marks])
        return replace(curve, marks=ringed), listed_curve(review, nameless, words(f"review.{review.measure.value}"))
    numbers = story.numbers
    if numbers is None:
        return None, ""
    heading = words("story.counted", counted=_counted(story, nameless))
    return curve_of(numbers), listed_curve(numbers, nameless, heading)

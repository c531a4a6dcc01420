"""What decided a match, once it is over: its curve as a picture and in words, and the moves that cost most. Hints in
words, and where both are offered.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from bot.art.curve_picture import Coordinates, Curve, Mark
from bot.play.live_match import LiveMatch
from bot.store.special_ids import people
from bot.ui.screen import Button, Log, Picture, Press, Rule, Screen, Section, Text
from cogs.reviews.openings import can_begin_from
from cogs.screens.cards.fitting import fitting
from cogs.screens.clauses import advised_any, reason_for
from cogs.screens.hands.picking import move_of
from cogs.screens.narration import moments
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.renderer import is_whole
from cogs.screens.safe_names import unescaped
from engines.game import Seat
from engines.players.levels import PLAYERS
from engines.players.review import CostlyAct, Hint, Measure, Point, Review, is_reviewed

LOST_FROM_THE_DEAL: Final = 0.7
"""Of an even chance: who had less by the deal alone, and lost, is offered the same deal with seats exchanged."""
QUARTERS: Final = 4
"""Words tell the curve after each quarter of the moves. How it began is the deal's doing, and nobody's."""


def review_screen(match: LiveMatch, review: Review, presenter: Presenter, reader: Reader) -> Screen:
    """What decided a match. Everything is open by then, so it is the same for everybody.

    Raises RuntimeError for a match that is not over: what moves are worth gives hands away.
    """
    if not match.over:
        raise RuntimeError("a match that is being played has no review")
    return fitting(reader, lambda reader: _screen(match, review, presenter, reader), is_whole)


def _screen(match: LiveMatch, review: Review, presenter: Presenter, reader: Reader) -> Screen:
    words = reader.words
    race = review.measure is Measure.CARDS
    told = _race(match, presenter, reader) if race else _costly(match, review, presenter, reader)
    sections: tuple[Section, ...] = (*_curve(review, reader), Rule(), *told)
    footer = "" if race else words("review.judged")
    rows = differently_row(match, review, reader)
    if rows:
        sections += (Text(words("review.differently")),)
    unlucky = lost_from_the_deal(match, review)
    if unlucky:
        players = words.all_of([reader.names[seat] for seat in unlucky])
        sections += (Text(words("review.exchanged", players=players)),)
        rows += ((Button(words("button.exchanged"), Press("exchanged")),),)
    return Screen(words("review.title", game=match.game.info.title), sections, rows, footer=footer)


# ---------------------------------------------------------------------------------------------- the curve


def _curve(review: Review, reader: Reader) -> Sequence[Section]:
    """The curve as a picture and in words, or that there is none."""
    if not review.curve:
        return (Text(reader.words("review.unmeasured")),)
    return Picture(curve_of(review), _described(review, reader)), Text(_curve_words(review, reader))


def _curve_words(review: Review, reader: Reader) -> str:
    """The curve in a text: each player's value after each quarter."""
    then = reader.words("review.listed" if reader.cards.is_spoken else "review.then")
    heading = reader.words(f"review.{review.measure.value}")
    return _told_curve(review, reader, tuple([f"**{name}**" for name in reader.names]), then, heading)


def _described(review: Review, reader: Reader) -> str:
    """The same without Markdown, for people who cannot see the picture."""
    return listed_curve(review, reader, reader.words(f"review.{review.measure.value}"))


def listed_curve(review: Review, reader: Reader, heading: str) -> str:
    """Each player's value after each quarter, in lines without Markdown below a heading."""
    names = tuple([unescaped(name) for name in reader.names])
    return _told_curve(review, reader, names, reader.words("review.listed"), heading)


def _told_curve(review: Review, reader: Reader, names: Sequence[str], then: str, heading: str) -> str:
    points = _at_quarters(review)
    lines = [heading]
    for seat, name in enumerate(names):
        told = then.join([_value(review, point.values[seat], reader) for point in points])
        lines.append(reader.words("review.line", seat=seat + 1, player=name, values=told))
    return "\n".join(lines)


def _at_quarters(review: Review) -> list[Point]:
    """The points nearest to the end of each quarter."""
    wanted = [review.acts * quarter / QUARTERS for quarter in range(1, QUARTERS + 1)]
    return [min(review.curve, key=lambda point: abs(point.after - after)) for after in wanted]


def _value(review: Review, value: float, reader: Reader) -> str:
    if review.measure is Measure.CARDS:
        return f"{value:.0f}"
    return reader.words.percent(percent(value))


def percent(share: float) -> int:
    """A share of the win in whole percent."""
    return round(100 * share)


# ---------------------------------------------------------------------------------------------- moves


def _costly(match: LiveMatch, review: Review, presenter: Presenter, reader: Reader) -> Sequence[Section]:
    """The moves that cost most, each with the one that would have been better."""
    words, costly = reader.words, review.costly
    if not costly:
        return (Text(words("review.none")),)
    lines = []
    for nth, act in enumerate(costly, start=1):
        made, better = _told(match, act, presenter, reader)
        lines.append(
            words("review.move", place=nth, share=words.percent(percent(act.cost)), number=act.number, told=made)
        )
        lines.append(better)
    return Text(words.count("review.costly", len(costly))), Text("\n".join(lines))


def _told(match: LiveMatch, act: CostlyAct, presenter: Presenter, reader: Reader) -> tuple[str, str]:
    """What a seat did, and the line with the better move and why."""
    choices, own = match.earlier(act.facts, act.seat)
    made, better = [move_of(match.game.read(notation), choices) for notation in (act.act, act.better)]
    why = reason_for([presenter.reasons(better, own, reader)], [presenter.reasons(made, own, reader)])
    told = made_move(match, act, presenter, reader)
    advised = presenter.clause(better, own, reader).advised(reader.words)
    if why is None:
        return told, reader.words("review.better", move=advised)
    return told, reader.words("review.better_why", move=advised, reason=why.told(reader.words))


def made_move(match: LiveMatch, act: CostlyAct, presenter: Presenter, reader: Reader) -> str:
    """What a seat did, in a sentence."""
    choices, own = match.earlier(act.facts, act.seat)
    clause = presenter.clause(move_of(match.game.read(act.act), choices), own, reader)
    return clause.told(reader.words, reader.names[act.seat])


def _race(match: LiveMatch, presenter: Presenter, reader: Reader) -> Sequence[Section]:
    """In a race no move can be judged: the moments that mattered most."""
    told: Log = moments(match.events, presenter, reader)
    judged = Text(reader.words("review.race"))
    return (judged, Text(reader.words("review.race_moments")), told) if told.lines else (judged,)


def hint_lines(
    match: LiveMatch, seat: Seat, hints: Sequence[Hint], presenter: Presenter, reader: Reader
) -> tuple[str, ...]:
    """A hint in lines, the best moves first and why, equal ones in one line. Only the seat itself may read it.

    Raises LookupError if a move is not offered any more, because the hint was asked for at an earlier question.
    """
    choices, own, words = match.choices(seat), match.private(seat), reader.words
    moves = [[move_of(match.game.read(act), choices) for act in each.acts] for each in hints]
    reasons = [[presenter.reasons(move, own, reader) for move in equal] for equal in moves]
    lines = []
    for index, (each, equal) in enumerate(zip(hints, moves, strict=True)):
        clauses = [presenter.clause(move, own, reader) for move in equal]
        key = "hint.equal" if len(clauses) > 1 else "hint.move"
        lines.append(words(key, move=advised_any(clauses, words), share=words.percent(percent(each.worth))))
        why = None if index else reason_for(reasons[0], [other for later in reasons[1:] for other in later])
        if why is not None:
            lines.append(words("hint.why", reason=why.told(words)))
    return (words.count("hint.best", len(hints)), *lines)


def has_review(match: LiveMatch) -> bool:
    """Whether a match ended by its rules and is secret no more, and its game's matches can be judged."""
    if match.secret or match.result is None:
        return False
    return bool(match.result.ranks) and is_reviewed(match.game.info.key)


def gives_hints(match: LiveMatch, seat: Seat) -> bool:
    """Whether a seat may have a hint now: its player is asked something, and plays against computers alone.

    There are none for a deal of the day.
    """
    alone = match.day is None and len(people(match.seats)) == 1 < len(match.seats)
    return alone and match.game.info.key in PLAYERS and seat in match.awaited


def review_button(match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """*What decided it*, where it is offered."""
    return (Button(reader.words("button.review"), Press("review")),) if has_review(match) else ()


def differently_row(match: LiveMatch, review: Review, reader: Reader) -> tuple[tuple[Button, ...], ...]:
    """A row with *Try it differently* for each of the moves that cost most, where one can begin from them."""
    if not review.costly or not can_begin_from(match):
        return ()
    words = reader.words
    presses = [Press("differently", arg=str(act.number)) for act in review.costly]
    return (tuple([Button(words("button.differently", place=n), press) for n, press in enumerate(presses, start=1)]),)


def lost_from_the_deal(match: LiveMatch, review: Review) -> tuple[Seat, ...]:
    """The seats that lost and had little chance from the deal on, where the deal can be played once more."""
    if not review.dealt or match.result is None or not can_begin_from(match):
        return ()
    seats, dealt, ranks = len(match.seats), review.dealt, match.result.ranks
    return tuple([seat for seat in range(seats) if ranks[seat] > 1 and dealt[seat] * seats < LOST_FROM_THE_DEAL])


def hint_row(match: LiveMatch, reader: Reader) -> tuple[tuple[Button, ...], ...]:
    """A row with *Hint*, where it is offered."""
    if reader.seat is None or not gives_hints(match, reader.seat):
        return ()
    return ((Button(reader.words("button.hint"), Press("hint", match.window_number)),),)


def curve_of(review: Review) -> Curve:
    """What is drawn where. Chances rise from 0 to 1, cards left from none to the most that anybody had."""
    chances = review.measure is Measure.CHANCE
    top = 1.0 if chances else max([1.0, *[value for point in review.curve for value in point.values]])
    last = max(1, review.acts)
    seats = range(len(review.curve[0].values))
    lines = tuple([tuple([(point.after / last, point.values[seat] / top) for point in review.curve]) for seat in seats])
    marks = [
        Mark(nth, act.seat, _on_line(lines[act.seat], act.number / last))
        for nth, act in enumerate(review.costly, start=1)
    ]
    return Curve(lines, tuple(marks), halves=chances)


def _on_line(line: tuple[Coordinates, ...], x: float) -> Coordinates:
    """The point of a line at this distance from its beginning."""
    for (left, low), (right, high) in pairwise(line):
        if left <= x <= right:
            return x, low + (high - low) * (x - left) / (right - left)
    return line[-1]

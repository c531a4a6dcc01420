"""The text of a hand around its last events: a fixed number of lines, whatever they say.

Above the buttons they say what is picked, what it amounts to, and why it makes no act yet. A note (what was refused,
not saved, or made before) comes first of all, in bold and whole. It takes the place of the lines that say what the
picks amount to, so the hand keeps its height.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bot.ui import text_lines
from bot.ui.screen import Text, noted
from cogs.screens.hands.picking import Asked, Picking, refusal_text
from cogs.screens.presenter import ChangeableChoices, Reader
from engines.game import Refusal

SUMMARY_LINES = 2
"""Lines for what the picked items amount to, or for a note."""
REASON_LINES = 2
"""Small lines below those, for why they make no act yet."""


class Lines(NamedTuple):
    """The lines of a question that change: a note above all others, and what is below the last events."""

    note: tuple[Text, ...]
    below: tuple[Text, ...]


def cut(text: str, most: int) -> list[str]:
    """A text in as many lines as it needs, at most this many."""
    lines = min(most, len(text_lines.wrapped(text)))
    return text_lines.fixed(text, lines) if lines > 0 else []


def act_lines(asked: Asked, note: str) -> Lines:
    """The lines of a question without anything to pick."""
    presenter, lines = asked.presenter, asked.lines(SUMMARY_LINES)
    said = presenter.chosen(asked.own, asked.reader) if isinstance(presenter, ChangeableChoices) else ""
    said = said or _closed(asked, lines, text_lines.LINE) or asked.reader.words("hand.at_once")
    return _noted(note, asked, [], text_lines.fixed(said, lines), [])


def pick_lines(picking: Picking, rejected: Refusal | None, note: str) -> Lines:
    """What is picked, in words or emojis if no marks show it, what it amounts to, and why it makes no act yet or why
    other items cannot join it. A line of a list that was `rejected` is noted."""
    asked = picking.asked
    amount, why = _summary(picking)
    note = note or ("" if rejected is None else refusal_text(rejected, asked.reader))
    small = _small("" if note and note in why else why, asked.lines(REASON_LINES))
    return _noted(note, asked, _named(picking), cut(amount, asked.lines(SUMMARY_LINES)), [small])


def _noted(note: str, asked: Asked, named: Sequence[str], said: Sequence[str], rest: Sequence[Text]) -> Lines:
    """The lines that name what is picked, what is `said` of it and the `rest`, or a note in the place of what is said.

    A note that needs more lines is whole above everything else, and what is said stays. Only one that comes with
    another question is so long (it tells which move was made before, or that the match was resumed).
    """
    lines, most_named = asked.lines(SUMMARY_LINES), asked.reader.cards.pick_lines
    if not note or not text_lines.fits(f"**{note}**", lines):
        return Lines(noted(note), (_at_foot([*named, *said], most_named + lines), *rest))
    kept = (_at_foot(named, most_named),) if most_named else ()
    return Lines((Text("\n".join(text_lines.fixed(f"**{note}**", lines))),), (*kept, *rest))


def _named(picking: Picking) -> list[str]:
    """The lines that name what is picked; none if the marks on the buttons do."""
    cards = picking.asked.reader.cards
    if not cards.pick_lines:
        return []
    said = cards.picks([picking.item(place) for place in picking.picked])
    short = [each for each in said if text_lines.fits(each, cards.pick_lines)]
    return cut((short or said)[0], cards.pick_lines) if said else []


def _summary(picking: Picking) -> tuple[str, str]:
    """What the picks amount to, and as many reasons as there is room for."""
    step, reader, words = picking.step, picking.asked.reader, picking.asked.reader.words
    lines = picking.asked.lines(REASON_LINES)
    if not picking.begun:
        return words("hand.choose"), _closed(picking.asked, lines)
    reasons = [
        refusal for place, refusal in enumerate(step.addable) if refusal is not None and place not in picking.picked
    ]
    if picking.picked or step.unfinished is None:
        worth = reader.cards.values(step.worth)
        amount = picking.asked.presenter.selection_summary(picking.pick.verb, worth, reader)
        reasons = reasons if step.unfinished is None else [step.unfinished, *reasons]
    else:
        amount = refusal_text(step.unfinished, reader)
        if lesson := picking.asked.lesson(picking.pick.verb):
            return amount, lesson
    why = _reasons(reasons, reader, lines)
    return amount, why or (words("hand.put_back") if picking.picked else _closed(picking.asked, lines))


def _closed(asked: Asked, lines: int, longest: float = text_lines.SMALL_LINE) -> str:
    """Why the player cannot do now what they would look for."""
    return _reasons([shut.refusal for shut in asked.choices.closed], asked.reader, lines, longest)


def _reasons(refusals: Iterable[Refusal], reader: Reader, lines: int, longest: float = text_lines.SMALL_LINE) -> str:
    """As many of these reasons as fit into a number of lines (small ones by default), but one at least."""
    why, seen = "", set[str]()
    for refusal in refusals:
        reason = refusal_text(refusal, reader)
        if reason in seen:
            continue
        seen.add(reason)
        longer = f"{why} {reason}".strip()
        if why and not text_lines.fits(longer, lines, longest):
            break
        why = longer
    return why


def _at_foot(said: Sequence[str], lines: int) -> Text:
    """These lines at the foot of a number of lines. The blank ones above part them from the last events."""
    return Text("\n".join([*[text_lines.BLANK] * (lines - len(said)), *said]))


def _small(text: str, lines: int) -> Text:
    return Text("\n".join(f"-# {line}" for line in text_lines.fixed(text, lines, text_lines.SMALL_LINE)))

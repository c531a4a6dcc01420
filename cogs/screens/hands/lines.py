"""The text of a hand around its last events: a fixed number of lines, whatever they say.

Above the buttons they say what is picked and what it amounts to, and to readers who hear a screen also why it makes no
act yet: others press *?* for that (`cogs.screens.hands.hand`). A note (what was refused, not saved, or made
before) comes first of all, in bold and whole. It takes the place of the lines that say what the picks amount to, so the
hand keeps its height. Each of these lines is short enough for a phone, so none is cut but a long note.
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
    if not said and asked.reader.cards.is_spoken:
        said = _closed(asked, lines)
    return _noted(note, asked, cut(said or asked.reader.words("hand.at_once"), lines))


def pick_lines(picking: Picking, rejected: Refusal | None, note: str) -> Lines:
    """What is picked, in words or emojis if no marks show it, and what it amounts to. A line of a list that was
    `rejected` is noted."""
    asked = picking.asked
    note = note or ("" if rejected is None else refusal_text(rejected, asked.reader))
    said = _summary(picking, asked.lines(SUMMARY_LINES))
    return _noted(note, asked, said, _named(picking), asked.reader.cards.pick_lines)


def _noted(note: str, asked: Asked, said: Sequence[str], named: Sequence[str] = (), most_named: int = 0) -> Lines:
    """The `most_named` lines that name what is picked and what is `said` of it, or a note in the place of what is said.

    A note that needs more lines is whole above everything else, and what is said stays. Only one that comes with
    another question is so long (it tells which move was made before, or that the match was resumed).
    """
    lines = asked.lines(SUMMARY_LINES)
    if not note or not text_lines.fits(f"**{note}**", lines):
        return Lines(noted(note), (_at_foot([*named, *said], most_named + lines),))
    kept = (_at_foot(named, most_named),) if most_named else ()
    return Lines((Text("\n".join(text_lines.fixed(f"**{note}**", lines))),), kept)


def _named(picking: Picking) -> list[str]:
    """The lines that name what is picked; none if nothing is, or if the marks on the buttons do."""
    cards = picking.asked.reader.cards
    if not cards.pick_lines or not picking.picked:
        return []
    said = cards.picks([picking.item(index) for index in picking.picked])
    short = [each for each in said if text_lines.fits(each, cards.pick_lines)]
    return cut((short or said)[0], cards.pick_lines) if said else []


def _summary(picking: Picking, lines: int) -> list[str]:
    """What the picks amount to; before that, what decides about them. One who hears it gets the reasons too."""
    step, reader, words, asked = picking.step, picking.asked.reader, picking.asked.reader.words, picking.asked
    if picking.begun and (picking.picked or step.unfinished is None):
        worth = reader.cards.values(step.worth)
        said = cut(_as_much(asked.presenter.selection_summary(picking.pick.verb, worth, reader), lines), lines)
    else:
        lesson = asked.lesson(picking.pick.verb) if picking.begun else ""
        said = [line for each in lesson.splitlines() for line in cut(each, lines)]
        said = said or [words("hand.none_picked")]
    if reader.cards.is_spoken and len(said) < lines:
        refusals = reasons(picking) if picking.begun else [shut.refusal for shut in asked.choices.closed]
        why = _reasons(refusals, reader, lines - len(said))
        said = [*said, *cut(why, lines - len(said))]
    return said


def reasons(picking: Picking) -> list[Refusal]:
    """Why the picks make no act yet, and why other items can't join them."""
    step = picking.step
    others = [refusal for index, refusal in enumerate(step.addable) if refusal and index not in picking.picked]
    return others if step.unfinished is None else [step.unfinished, *others]


def _closed(asked: Asked, lines: int) -> str:
    """Why the player cannot do now what they would look for."""
    return _reasons([shut.refusal for shut in asked.choices.closed], asked.reader, lines)


def _reasons(refusals: Iterable[Refusal], reader: Reader, lines: int) -> str:
    """As many of these reasons as fit into a number of lines; perhaps none, for *?* says all of them."""
    why = ""
    for reason in dict.fromkeys(refusal_text(refusal, reader) for refusal in refusals):
        longer = f"{why} {reason}".strip()
        if not text_lines.fits(longer, lines):
            break
        why = longer
    return why


def _as_much(text: str, lines: int) -> str:
    """The sentences of a text, one a line of it, as many as fit into a number of lines, but one at least."""
    said, *others = text.splitlines() or [""]
    for sentence in others:
        if not text_lines.fits(f"{said} {sentence}", lines):
            break
        said = f"{said} {sentence}"
    return said


def _at_foot(said: Sequence[str], lines: int) -> Text:
    """These lines at the foot of a number of lines. The blank ones above part them from the last events."""
    return Text("\n".join([*[text_lines.BLANK] * (lines - len(said)), *said]))

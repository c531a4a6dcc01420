"""The text of a hand between the last events and its buttons: a fixed number of lines, whatever they say.

They say what is picked and what it amounts to, and below that why it makes no act yet, or a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.ui import text_lines
from bot.ui.screen import Section, Text
from cogs.screens.hands.picking import Asked, Picking, refusal_text
from cogs.screens.presenter import ChangeableChoices, Reader
from engines.game import Refusal

SUMMARY_LINES = 2
"""Lines for what the picked items amount to."""
REASON_LINES = 2
"""Small lines below those, for why they make no act yet, or for a note."""
ACT_LINES = 3
"""Small lines of a question without anything to pick, for a note."""


def cut(text: str, most: int) -> list[str]:
    """A text in as many lines as it needs, at most this many."""
    lines = min(most, len(text_lines.wrapped(text)))
    return text_lines.fixed(text, lines) if lines > 0 else []


def act_lines(asked: Asked, note: str) -> tuple[Section, ...] | None:
    """The lines of a question without anything to pick."""
    presenter = asked.presenter
    said = presenter.chosen(asked.own, asked.reader) if isinstance(presenter, ChangeableChoices) else ""
    lines = asked.lines(ACT_LINES)
    if note:
        said = _bold(note, lines, text_lines.SMALL_LINE)
        if not text_lines.fits(said, lines, text_lines.SMALL_LINE):
            return None
    return (_small(said or _closed(asked, lines) or asked.reader.words("hand.at_once"), lines),)


def pick_lines(picking: Picking, rejected: Refusal | None, note: str) -> tuple[Section, ...] | None:
    """What is picked, in words or emojis if no marks show it, and what it amounts to; below it a note, or why the picks
    make no act yet or why other items cannot join them."""
    asked, named = picking.asked, _named(picking)
    amount, why = _summary(picking)
    lines, small = asked.lines(REASON_LINES), text_lines.SMALL_LINE
    why_not = note or ("" if rejected is None else refusal_text(rejected, asked.reader))
    if why_not:
        why = f"**{why_not}**"
    most, most_named = asked.lines(SUMMARY_LINES), asked.reader.cards.pick_lines
    if text_lines.fits(why, lines, small):
        return _at_foot([*named, *cut(amount, most)], most_named + most), _small(why, lines)
    over = _over_both(asked, f"**{why_not}**") or _over_both(asked, why_not)
    return (_at_foot(named, most_named), *over) if over and named else over


def _named(picking: Picking) -> list[str]:
    """The lines that name what is picked; none if the marks on the buttons do."""
    cards = picking.asked.reader.cards
    if not cards.pick_lines:
        return []
    said = cards.picks([picking.item(place) for place in picking.picked])
    short = [each for each in said if text_lines.fits(each, cards.pick_lines)]
    return cut((short or said)[0], cards.pick_lines) if said else []


def _over_both(asked: Asked, note: str) -> tuple[Section, ...] | None:
    """A note in the place of what the picks amount to and the lines below it; None if it needs more."""
    begun = text_lines.wrapped(note)[: asked.lines(SUMMARY_LINES)]
    bold = "**" if note.startswith("**") else ""
    said = " ".join(line.strip("*") if bold else line for line in begun)
    rest = note.strip("*").removeprefix(said).strip()
    rest = f"{bold}{rest}{bold}" if rest else ""
    lines = asked.lines(REASON_LINES)
    if not text_lines.fits(rest, lines, text_lines.SMALL_LINE):
        return None
    return Text("\n".join(begun)), _small(rest, lines)


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


def _closed(asked: Asked, lines: int) -> str:
    """Why the player cannot do now what they would look for."""
    return _reasons([shut.refusal for shut in asked.choices.closed], asked.reader, lines)


def _reasons(refusals: Iterable[Refusal], reader: Reader, lines: int) -> str:
    """As many of these reasons as fit into a number of small lines, but one at least."""
    why, seen = "", set[str]()
    for refusal in refusals:
        reason = refusal_text(refusal, reader)
        if reason in seen:
            continue
        seen.add(reason)
        longer = f"{why} {reason}".strip()
        if why and not text_lines.fits(longer, lines, text_lines.SMALL_LINE):
            break
        why = longer
    return why


def _at_foot(said: Sequence[str], lines: int) -> Text:
    """These lines at the foot of a number of lines. The blank ones above part them from the last events."""
    return Text("\n".join([*[text_lines.BLANK] * (lines - len(said)), *said]))


def _small(text: str, lines: int) -> Text:
    return Text("\n".join(f"-# {line}" for line in text_lines.fixed(text, lines, text_lines.SMALL_LINE)))


def _bold(note: str, lines: int, longest: float = text_lines.LINE) -> str:
    """A note in bold, or as it is if it needs too many lines in bold."""
    bold = f"**{note}**"
    return bold if text_lines.fits(bold, lines, longest) else note

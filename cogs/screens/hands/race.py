"""The hand of a race: what is on it may be out of date when it is pressed, so every act that can be tried is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.play.live_match import LiveMatch
from bot.ui import text_lines
from bot.ui.screen import Button, Control, Option, Press, Rows, Section, Select, Text
from cogs.screens import custom_ids
from cogs.screens.hands.controls import press_of
from cogs.screens.hands.lines import cut
from cogs.screens.narration import recent_events
from cogs.screens.presenter import Racing, Reader
from cogs.screens.renderer import LONGEST_OPTION, MOST_OPTIONS, chunks
from engines.game import Choices, Private

RACE_LINES = 6
"""Lines of a race: up to two for the prompt, one or more for the hand, and the others for the last event or a note."""


def race_sections(
    match: LiveMatch, presenter: Racing, own: Private[Any, Any], reader: Reader, note: str
) -> tuple[Section, ...]:
    """The text of a race in a fixed number of lines: a note takes the place of the last event."""
    told = recent_events(match, own.seat, presenter, reader, most=1).lines
    spare = reader.cards.spare_lines
    asked = cut(presenter.prompt(own, reader), 2 + spare)
    lines = RACE_LINES + 2 * spare
    room = lines - len(asked)
    said = cut(f"**{note}**" if note else "".join(told), room - 1)
    if note and not text_lines.fits(f"**{note}**", room - 1):
        said = cut(note, room)
    text = " ".join(section.text for section in presenter.hand_text(own, reader) if isinstance(section, Text))
    held = cut(text, room - len(said))
    return tuple(map(Text, (*asked, *held, *said, *[text_lines.BLANK] * lines)[:lines]))


def race_rows(
    presenter: Racing, own: Private[Any, Any], reader: Reader, choices: Choices[Any], window: int, *, acts: int
) -> Rows:
    """The buttons of a race, in the rows that the game gives; acts that are closed can be pressed too.

    The same act may be made again and again, so each carries how many `acts` of its owner the hand counts.
    """
    presses = {offer.verb: press_of(offer, window, acts) for offer in choices}
    presses |= {shut.verb: press_of(shut.act, window, acts) for shut in choices.closed if shut.act is not None}

    rows = presenter.rows(own, presses)
    labels = presenter.labels([verb for row in rows for verb in row], own, reader)

    def button(verb: str) -> Button:
        press = presses.get(verb)
        enabled = press is not None and presenter.is_pressable(own, verb)
        shown = press or Press("a", window, custom_ids.write_act(verb, acts))
        return Button(labels[verb], shown, presenter.tone(verb), enabled, presenter.emoji(verb, own, reader))

    if not reader.cards.lists_race:
        return tuple(tuple(map(button, row)) for row in rows)
    acts_alone = [[verb for verb in row if not presenter.is_card(verb)] for row in rows]
    cards = [verb for row in rows for verb in row if presenter.is_card(verb)]
    buttons = tuple(tuple(map(button, row)) for row in acts_alone if row)
    return (*buttons, *_race_lists(presenter, own, reader, window, {verb: presses.get(verb) for verb in cards}))


def _race_lists(
    presenter: Racing, own: Private[Any, Any], reader: Reader, window: int, cards: Mapping[str, Press | None]
) -> list[tuple[Control, ...]]:
    """Lists of the cards of a race that are held; choosing a line plays one. `cards` are presses by verb, None for a
    place where nothing is held. There are as many lists as all places need, so none comes or goes.
    """
    lines = [
        Option(presenter.label(verb, own, reader).strip()[:LONGEST_OPTION], press.arg)
        for verb, press in cards.items()
        if press is not None
    ]
    filled = chunks(lines, MOST_OPTIONS)
    none_held = Option(reader.words("cards.none_held"), "none")
    can_play = any(press is not None and presenter.is_pressable(own, verb) for verb, press in cards.items())
    rows: list[tuple[Control, ...]] = []
    for n in range(-(-len(cards) // MOST_OPTIONS)):
        chunk = filled[n] if n < len(filled) else (none_held,)
        placeholder = reader.words("cards.play_one" if n < len(filled) else "cards.none_held")
        rows.append((Select(Press("a", window, f"list{n}"), placeholder, chunk, can_play and n < len(filled)),))
    return rows

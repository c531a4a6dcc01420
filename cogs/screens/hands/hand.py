"""The hand: what a player sees of a match in the message that only they can see.

A selection is built by pressing cards. It is kept in the buttons' ids, so nothing is lost with the process, and every
button carries the selection as it is after a press. Up to 25 items are buttons; more are lists to pick one from, in
which items that look alike share a line.

People press twice by accident. So while a question is open every button keeps its slot and its width, and the text
above has the same number of lines, whatever is picked or refused (`bot.ui.text_lines`). From top to bottom:

- acts that are made at once and cannot be undone, in a row of their own, or many of them in a list
- what there is to pick cards for, if there are several things: a list
- the items, with a mark of one width; or without marks, and then lines above name what is picked
- *Clear* (*Undo*, where an order is picked from lists), beside it what picks many items at once, and *?*, which
  explains the question in a message of its own
- what is made of the picked items, in a row of its own, because it cannot be undone either
- where the match has a stand-in, what lets a computer play on (C-8)

What is a button is not listed in the text as well.

An act that opens the player's next question is answered with a hand whose acts at once are `resting`: disabled for a
moment, since no slot on the screen is safe from a second press (decision 22).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from bot.play.computers.stand_ins import LEVEL
from bot.play.live_match import LiveMatch
from bot.play.match_state import Position
from bot.scheduler import ends_at
from bot.store.queries.matches import Suspension
from bot.store.special_ids import is_direct
from bot.ui import text_lines
from bot.ui.catalogue import Translations
from bot.ui.screen import (
    Button,
    Cards,
    Control,
    Log,
    Option,
    Press,
    Rows,
    Screen,
    SeatLine,
    Seats,
    Section,
    Select,
    Text,
    Tone,
    noted,
)
from cogs.screens import custom_ids
from cogs.screens.additions import arranged
from cogs.screens.board import board_screen, leader_line
from cogs.screens.card_text import CardForm
from cogs.screens.cards.fitting import fitting, has_room
from cogs.screens.deal_lines import practice_line
from cogs.screens.endings import outcome
from cogs.screens.hands.controls import explain_button, press_of, rows_of_acts, rows_of_picks
from cogs.screens.hands.lines import Lines, act_lines, cut, pick_lines, reasons
from cogs.screens.hands.picking import Asked, Picking, Question, refusal_text, selection_of
from cogs.screens.more import more_button, more_screen
from cogs.screens.narration import lines_of, recent_events
from cogs.screens.presenter import OpenPiles, Pictured, Presenter, Racing, Reader, seat_lines
from cogs.screens.renderer import (
    FRAME,
    LONGEST_LABEL,
    LONGEST_OPTION,
    MOST_COMPONENTS,
    MOST_OPTIONS,
    chunks,
    components_of,
    is_whole,
)
from cogs.screens.time_control_text import time_left
from engines.game import Act, Choices, Private, Seat, seen_by

LOG_LINES = 3
"""Lines of a phone for the last events."""
MOST_EVENTS = 2
"""How many of them a hand has; for a reader who hears the screen, as many as there are lines."""
FEW_ROWS = 2
"""Rows of items that leave room for all of these lines; each further one takes one."""


class _Opened(NamedTuple):
    """A hand with cards in one form: what stays as it is while the question is open, the lines that change, and the
    buttons."""

    reader: Reader
    fixed: Fixed
    lines: Lines | None
    rows: Rows


def hand_screen(
    match: LiveMatch,
    seat: Seat,
    presenter: Presenter,
    reader: Reader,
    *,
    note: str = "",
    selection: str = "",
    reported: Collection[int] = (),
    resting: bool = False,
) -> Screen:
    """A seat's hand: its cards, the question, the possible moves. `selection` is what is picked, as in the ids.

    `reported` are the seat's own acts that this hand is the first to show or report. `resting` disables the acts that
    are made at once.
    """
    if match.over:
        return _last_hand(match, presenter, match.private(seat), reader, note)
    if match.suspended is not None or match.failed is not None:
        return _on_hold(match, reader, note)
    if match.has_stand_in(seat):
        return stand_in_hand(match, presenter, match.private(seat), reader, note, resting=resting)
    parts = hand_parts(match, seat, presenter, reader)
    if isinstance(presenter, Racing):
        acts = match.own_acts.shown(seat, reported)
        sections = (*seats_of_race(match, presenter, reader), *race_sections(match, presenter, parts.own, reader, note))
        rows = race_rows(presenter, parts.own, reader, parts.choices, match.window_number, acts=acts)
        return Screen(parts.title, sections, rows, parts.footer, _edge(rows))

    def opened(reader: Reader) -> _Opened:
        """The hand with cards in this form."""
        question = parts.question(match, presenter, reader)
        lines, rows = _answers(question, note, selection, parts.room, resting=resting)
        form = reader.cards, _has_items(rows, reader), _rows_of_items(rows)
        fixed = parts.fixed.get(form)
        if fixed is None:
            made = _fixed(match, question.asked, has_items=form[1], rows_of_items=form[2])
            fixed = parts.fixed[form] = Fixed(made, has_room(made))
        return _Opened(reader, fixed, lines, rows)

    shown = fitting(reader, opened, lambda opened: opened.fixed.has_room)
    if shown.lines is not None:
        sections = (*shown.lines.note, *shown.fixed.sections, *shown.lines.below)
    else:
        closed = () if parts.choices.offers else parts.choices.closed
        why = [Text(f"-# {refusal_text(shut.refusal, shown.reader)}") for shut in closed]
        sections = (*noted(note), *shown.fixed.sections, *why)
    return Screen(parts.title, sections, (*shown.rows, *parts.below), parts.footer, _edge(shown.rows))


def _on_hold(match: LiveMatch, reader: Reader, note: str) -> Screen:
    """A hand while its match is suspended, or stopped by a failed rule."""
    words, footer = reader.words, boardless_footer(match, reader)
    title = words("hand.title", game=match.game.info.title)
    if match.suspended is not None:
        last = match.last_suspension
        made = suspended_screen(match.id, title, match.suspended, words, last=last, footer=footer)
        return replace(made, sections=(*noted(note), *made.sections))
    return Screen(title, (*noted(note), Text(words("match.paused", number=match.failed))), (), footer, Tone.BAD)


def _fixed(match: LiveMatch, asked: Asked, *, has_items: bool, rows_of_items: int) -> tuple[Section, ...]:
    """What stays as it is while the question is open."""
    presenter, own, reader = asked.presenter, asked.own, asked.reader
    told = _told(match, asked, rows_of_items)
    acts = any(isinstance(offer, Act) for offer in asked.choices.offers)
    held = _listed_once(presenter.hand_text(own, reader), are_buttons=has_items, are_offered=acts)
    return (*table_sections(match, presenter, reader), Text(presenter.prompt(own, reader)), *held, told)


def _told(match: LiveMatch, asked: Asked, rows_of_items: int) -> Log:
    """The last events before the question; where the hand is the board as well, the last one that nothing else there
    tells."""
    presenter, seat, reader, waits = asked.presenter, asked.own.seat, asked.reader, bool(asked.choices.offers)
    if match.has_board:
        room = None if reader.cards.is_spoken else LOG_LINES - max(0, rows_of_items - FEW_ROWS)
        most = LOG_LINES if reader.cards.is_spoken else MOST_EVENTS
        return recent_events(match, seat, presenter, reader, most=most, room=room, before_question=waits)
    facts = match.last_facts(before_question=waits)
    # What the seat doesn't see makes no difference to which of the others is shown.
    while waits and facts and ((seen := seen_by(facts[-1], seat)) is None or presenter.is_told_beside_hand(seen)):
        facts = facts[:-1]
    return lines_of(facts, seat, presenter, reader, most=1)


def _answers(question: Question, note: str, selection: str, room: int, *, resting: bool) -> tuple[Lines | None, Rows]:
    """The lines that change, and the buttons: at most `room` components. There are no lines if there is nothing to
    press."""
    asked, acts, picks = question.asked, question.acts, question.picks
    rows = rows_of_acts(asked, acts, resting=resting)
    if not picks:
        return (act_lines(asked, note), (*rows, (explain_button(asked, ""),))) if acts else (None, ())
    offer, picked, rejected = selection_of(asked.choices, selection)
    pick = offer or picks[0]
    picking = Picking(question, asked, pick, picked, pick.step(picked), begun=offer is not None)
    controls = rows_of_picks(picking, room=room - components_of(rows))
    return pick_lines(picking, rejected, note), (*rows, *controls)


def _rows_of_items(rows: Collection[tuple[Control, ...]]) -> int:
    """How many of these rows have items to pick."""
    return sum(1 for row in rows if row[0].press.verb == "p")


def _last_hand(match: LiveMatch, presenter: Presenter, own: Private[Any, Any], reader: Reader, note: str) -> Screen:
    """A hand when the match is over."""
    title = reader.words("hand.title", game=match.game.info.title)
    if match.day is not None:
        return last_hand(match, match.day, title, reader, note)
    if not match.has_board:
        result = board_screen(match, presenter, reader)
        return replace(result, sections=(*noted(note), *result.sections))
    begun = (*noted(note), Text("\n".join(outcome(match, reader))))
    if reader.closed:
        return Screen(title, (*begun, Text(reader.words("shared.closed"))))
    return fitting(reader, lambda reader: Screen(title, (*begun, *presenter.hand_text(own, reader))), is_whole)


def _edge(rows: Collection[object]) -> Tone:
    """Coloured while there is something to press, even for a player who has chosen: an edge moves all buttons."""
    return Tone.MAIN if rows else Tone.PLAIN


def _has_items(rows: Iterable[Sequence[Control]], reader: Reader) -> bool:
    """Whether cards are buttons. To who hears the screen a list says them as well."""
    return any((isinstance(row[0], Button) or reader.cards.is_spoken) and row[0].press.verb == "p" for row in rows)


def _listed_once(sections: Iterable[Section], *, are_buttons: bool, are_offered: bool) -> list[Section]:
    """The text of a hand, without the cards that are buttons, and without those that buttons name."""
    return [
        each
        for each in sections
        if not (isinstance(each, Cards) and ((are_buttons and each.is_hand) or (are_offered and each.is_offered)))
    ]


# ------------------------------------------------------------------------------------ what is remembered
#
# Somebody who picks cards presses several times at one position of the match. Whatever they pick, the hand then shows
# the same cards, question and last events. A match makes a new position with each act, and a hand is remembered with
# its position, so it is never out of date. It is never another reader's either: it belongs to a match, a seat and
# everything else that its lines can depend on (language, names, form of cards).

HANDS: Final = 512
"""How many hands are remembered."""


class Fixed(NamedTuple):
    """The sections of a hand that stay as they are while its question is open, and whether they leave room for the
    others."""

    sections: tuple[Section, ...]
    has_room: bool


class HandParts(NamedTuple):
    """What a seat knows and may do at a position, and what its hand has whatever is picked.

    `below` are the rows under those of the question, `room` is how many components the question's rows may have. In
    each form of cards that was shown there is a question, and there are fixed sections: these depend on the form, on
    whether cards are buttons, and on how many rows have items to pick.
    """

    position: Position
    own: Private[Any, Any]
    choices: Choices[Any]
    title: str
    footer: str
    below: Rows
    room: int
    questions: dict[CardForm, Question]
    fixed: dict[tuple[CardForm, bool, int], Fixed]

    def question(self, match: LiveMatch, presenter: Presenter, reader: Reader) -> Question:
        """The question in the reader's form of cards."""
        found = self.questions.get(reader.cards)
        if found is None:
            asked = Asked(presenter, self.own, reader, match.window_number, self.choices)
            found = self.questions[reader.cards] = Question.of(asked)
        return found


def hand_parts(match: LiveMatch, seat: Seat, presenter: Presenter, reader: Reader) -> HandParts:
    """The parts of a seat's hand at the match's present position."""
    last = last_parts((match.id, seat, presenter, reader))
    if not last or last[0].position is not match.position:
        last[:] = [_parts(match, seat, presenter, reader)]
    return last[0]


def _parts(match: LiveMatch, seat: Seat, presenter: Presenter, reader: Reader) -> HandParts:
    words = reader.words
    below = rows_below(match, reader)
    waiting = () if seat in match.awaited else arranged((), reader.added.waiting_hand, match, presenter, reader)
    if waiting:
        below = (waiting, *below)
    return HandParts(
        match.position,
        match.private(seat),
        match.choices(seat),
        words("hand.title", game=match.game.info.title),
        "\n".join(filter(None, (boardless_footer(match, reader), time_left(match, seat, words)))),
        below,
        MOST_COMPONENTS - FRAME - components_of(below),
        {},
        {},
    )


@lru_cache(maxsize=HANDS)
def last_parts(whose: tuple[str, Seat, Presenter, Reader]) -> list[HandParts]:  # noqa: ARG001  it is the key
    """The parts of the hand that was last shown of a match to a reader, if there was one."""
    return []


# ------------------------------------------------------------------------------------ a race
#
# What is on the hand of a race may be out of date when it is pressed, so every act that can be tried is there.

RACE_LINES = 5
"""Lines of a race: a note, the prompt, one or more for the hand, and the last event if there is no note."""
MOST_ASKED = 2
"""Lines of a race's prompt at most. One is enough for it in English."""


def race_sections(
    match: LiveMatch, presenter: Racing, own: Private[Any, Any], reader: Reader, note: str
) -> tuple[Section, ...]:
    """The text of a race in a fixed number of lines: a note comes first, and takes the place of the last event."""
    told = recent_events(match, own.seat, presenter, reader, most=1).lines
    spare = reader.cards.spare_lines
    above = text_lines.wrapped(f"**{note}**") if note else []
    lines = RACE_LINES + 2 * spare
    asked = cut(presenter.prompt(own, reader), min(MOST_ASKED + spare, max(1, lines - len(above))))
    room = lines - len(above) - len(asked)
    text = " ".join(section.text for section in presenter.hand_text(own, reader) if isinstance(section, Text))
    held = cut(text, room)
    said = [] if note else cut("".join(told), room - len(held))
    return tuple(map(Text, (*above, *asked, *held, *said, *[text_lines.BLANK] * lines)[: max(lines, len(above))]))


def seats_of_race(match: LiveMatch, presenter: Racing, reader: Reader) -> tuple[Section, ...]:
    """What everybody may know of each seat, where no board says it because the deal is closed."""
    return (seat_lines(presenter, match.public(), reader, match.awaited),) if reader.closed else ()


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

    if not rows:
        return ()
    why = (Button(reader.words(reader.cards.explain), Press("explain", window)),)
    if not reader.cards.lists_race:
        return (*(tuple(map(button, row)) for row in rows), why)
    acts_alone = [[verb for verb in row if not presenter.is_card(verb)] for row in rows]
    held = {verb: press for verb, press in presses.items() if presenter.is_card(verb)}
    lists = _race_lists(presenter, own, reader, window, held)
    return (*(tuple(map(button, row)) for row in acts_alone if row), *lists, why)


def _race_lists(
    presenter: Racing, own: Private[Any, Any], reader: Reader, window: int, held: Mapping[str, Press]
) -> list[tuple[Control, ...]]:
    """Lists of the cards of a race that are held; choosing a line plays one. There are as many lists as the question
    can need, so none comes or goes.
    """
    lines = [
        Option(presenter.label(verb, own, reader).strip()[:LONGEST_OPTION], press.arg) for verb, press in held.items()
    ]
    filled = chunks(lines, MOST_OPTIONS)
    none_held = Option(reader.words("cards.none_held"), "none")
    can_play = any(presenter.is_pressable(own, verb) for verb in held)
    rows: list[tuple[Control, ...]] = []
    for n in range(-(-presenter.most_cards(own) // MOST_OPTIONS)):
        chunk = filled[n] if n < len(filled) else (none_held,)
        placeholder = reader.words("cards.play_one" if n < len(filled) else "cards.none_held")
        rows.append((Select(Press("a", window, f"list{n}"), placeholder, chunk, can_play and n < len(filled)),))
    return rows


_SAFE: Final = {Suspension.BOARD_REMOVED: "suspended.safe_full"}
_WHERE: Final = dict.fromkeys((Suspension.CHANNEL_GONE, Suspension.GAVE_PLACE), "suspended.elsewhere")


def suspended_screen(
    match_id: str, title: str, why: Suspension, words: Translations, *, last: bool = False, footer: str = ""
) -> Screen:
    """What a player of the match sees: why it is suspended and what they can do. No cards: nothing can be played. While
    a moderator holds it, they can do nothing.

    `last` says that losing its venue once more would end the match.
    """
    reason = Text(words(f"suspended.{why}"))
    if why is Suspension.MODERATED:
        return Screen(title, (reason,), (), footer, Tone.BAD)
    sections = [reason, Text(f"{words(_SAFE.get(why, 'suspended.safe'))}\n{words(_WHERE.get(why, 'suspended.here'))}")]
    if last:
        sections.append(Text(words("suspended.last_time")))
    row = (resume_button(match_id, words("button.resume")), Button(words("button.resign"), Press("resign"), Tone.BAD))
    return Screen(title, tuple(sections), (row,), footer, Tone.BAD)


def resume_button(match_id: str, label: str) -> Button:
    """The button that resumes a match where it is pressed. It names the match, because a list may have several."""
    return Button(label[:LONGEST_LABEL], Press("resume", 0, match_id), Tone.GOOD)


def explanation(match: LiveMatch, seat: Seat, presenter: Presenter, reader: Reader, selection: str = "") -> str:
    """The explanation of a seat's question, with what is picked as in the ids; a paragraph each. Never empty."""
    own, choices = match.private(seat), match.choices(seat)
    asked = Asked(presenter, own, reader, match.window_number, choices)
    refusals = [] if isinstance(presenter, Racing) else [shut.refusal for shut in choices.closed]
    offer, picked, _ = selection_of(choices, selection)
    if offer is not None:
        step = offer.step(picked)
        refusals += reasons(Picking(Question.of(asked), asked, offer, picked, step, begun=True))
    said = [presenter.prompt(own, reader), presenter.explained(own, reader)]
    said += [f"- {reason}" for reason in dict.fromkeys(refusal_text(refusal, reader) for refusal in refusals)]
    return "\n".join(filter(None, said)) or reader.words("refusal.match_over")


def table_sections(match: LiveMatch, presenter: Presenter, reader: Reader) -> tuple[Section, ...]:
    """What a board would show; nothing where there is one that does. A hand without a board has it in brief: the whole
    table is behind its *More…*."""
    public = match.public()
    if not match.has_board:
        return *_others(match, presenter, reader), *presenter.table_beside_hand(public, reader)
    if not reader.closed:
        return ()
    return seat_lines(presenter, public, reader, match.awaited), *presenter.table(public, reader)


def _others(match: LiveMatch, presenter: Presenter, reader: Reader) -> tuple[Section, ...]:
    """The lines of the other players, and of the hand's own what neither its cards nor its question say."""
    public, lines = match.public(), list[SeatLine]()
    for seat, name in enumerate(reader.names):
        if seat != reader.seat:
            facts = presenter.facts_beside_hand(public, seat, reader)
        else:
            facts = presenter.unpictured_facts(public, seat, reader) if isinstance(presenter, Pictured) else ()
        if seat != reader.seat or facts:
            lines.append(SeatLine(name, facts, awaited=seat in match.awaited))
    return (Seats(tuple(lines)),)


def rows_below(match: LiveMatch, reader: Reader) -> Rows:
    """The rows below a question: what rooms add and, where there is no board, *More…*."""
    added = arranged((), reader.added.hand, match, reader)
    if match.has_board:
        return added
    *others, last = added or ((),)
    return (*others, (*last, more_button(reader.words)))


def more_on_hand(match: LiveMatch, presenter: Presenter, reader: Reader) -> Screen:
    """What is behind *More…* on a hand without a board: the whole table, and what other matches have on theirs."""
    words = reader.words
    piles = (Button(words("button.piles"), Press("piles")),) if isinstance(presenter, OpenPiles) else ()
    rules = Button(words("button.rules"), Press("rules"))
    own_venue = match.day is not None or is_direct(match.guild_id)
    show = () if own_venue else (Button(words("button.show_here"), Press("showhere")),)
    resign = Button(words("button.resign"), Press("resign"), Tone.BAD)
    public = match.public()
    told = (
        seat_lines(presenter, public, reader, match.awaited),
        *presenter.table(public, reader),
        *leader_line(presenter, public, reader),
        *(() if match.day is not None else (Text(f"-# {words('practice.hand_ends')}"),)),
    )
    return more_screen(match.game.info.title, (*piles, rules, *show, resign), words, sections=told)


def boardless_footer(match: LiveMatch, reader: Reader) -> str:
    """What a board would say: when the match ends, or that it has no clock and proves nothing. Empty where there is
    one."""
    if match.has_board:
        return ""
    if match.day is not None:
        return reader.words("daily.hand_ends", when=f"<t:{ends_at(match.day) // 1000}:R>")
    return "\n".join(filter(None, (reader.words("practice.no_clock"), practice_line(match, reader.words))))


def last_hand(match: LiveMatch, day: int, title: str, reader: Reader, note: str) -> Screen:
    """The hand when the match is over: how it ended, and no card. `day` is the day of its deal."""
    words = reader.words
    sections = [*noted(note), Text("\n".join(outcome(match, reader)))]
    if match.secret:
        sections.append(Text(words("daily.closed", when=f"<t:{ends_at(day) // 1000}:R>")))
    added = reader.added
    row = arranged((), (*added.last_hand, *added.deal), match, reader)
    return Screen(title, tuple(sections), (row,))


STAND_IN_LINES: Final = 4
"""How many of the last events the hand lists, those of the computer among them."""


def stand_in_hand(
    match: LiveMatch,
    presenter: Presenter,
    own: Private[Any, Any],
    reader: Reader,
    note: str = "",
    *,
    resting: bool = False,
) -> Screen:
    """The cards, what the computer did, and the one button that gives the seat back. `resting` disables it."""

    def made(reader: Reader) -> Screen:
        words = reader.words
        level = words(f"computer.level.{match.holders.level(own.seat) or LEVEL}")
        said = [words("stand_in.held"), words(f"stand_in.until_back.{match.stand_in}", level=level)]
        sections = (
            *noted(note),
            Text(said[1] if note == said[0] else f"**{said[0]}** {said[1]}"),
            *presenter.hand_text(own, reader),
            recent_events(match, own.seat, presenter, reader, most=STAND_IN_LINES),
        )
        back = Button(words("button.take_back"), Press("takeback"), Tone.GOOD, enabled=not resting)
        title = words("hand.title", game=match.game.info.title)
        return Screen(title, sections, ((back,),), tone=Tone.MAIN)

    return fitting(reader, made, is_whole)

"""The hand: what a player sees of a match in the message that only they can see.

A selection is built by pressing cards. It is kept in the buttons' ids, so nothing is lost with the process, and every
button carries the selection as it is after a press. Up to 25 items are buttons; more are lists to pick one from, in
which items that look alike share a line.

People press twice by accident. So while a question is open every button keeps its place and its width, and the text
above has the same number of lines, whatever is picked or refused (`bot.ui.text_lines`). From top to bottom:

- acts that are made at once and cannot be undone, in rows of their own
- what there is to pick cards for, if there are several things: buttons, or a list where they would fill a phone
- the items, with a mark of one width; or without marks, and then lines above name what is picked
- *Clear*, and beside it what picks many items at once
- what is made of the picked items, in a row of its own, because it cannot be undone either

What is a button is not listed in the text as well.

An act that opens the player's next question is answered with a hand whose acts at once are `resting`: disabled for a
moment, since no place on the screen is safe from a second press (decision 22).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from string import digits
from typing import Any, TypeVar

from bot.play.live_match import LiveMatch
from bot.ui import text_lines
from bot.ui.screen import Button, Cards, Control, Log, Option, Press, Screen, Section, Select, Text, Tone
from cogs.screens import custom_ids, selections
from cogs.screens.card_text import Face
from cogs.screens.cards.fitting import fitting, has_room
from cogs.screens.deals.deal_line import played_deal
from cogs.screens.endings import outcome
from cogs.screens.narration import recent_events
from cogs.screens.presenter import ChangeableChoices, Presenter, Racing, Reader, Shelves, Suggestions
from cogs.screens.renderer import FRAME, MOST_COMPONENTS, components_of, is_whole
from cogs.screens.suspension import suspended_screen
from engines.game import Act, Choices, Pick, Private, Refusal, Seat, Step

T = TypeVar("T")
Rows = list[tuple[Control, ...]]

IN_A_ROW = 5
MOST_BUTTONS = 25
MOST_OPTIONS = 25
LONGEST_DESCRIPTION = 100
LOG_LINES = 4
"""Lines of a phone for the last events."""
FEW_ROWS = 2
"""Rows of items that leave room for all of these; each further one takes a line."""
MOST_OPENING_ROWS = 3
"""Rows of a phone for what there is to pick cards for; if it needs more, it is a list."""
SUMMARY_LINES = 2
"""Lines for what the picked items amount to."""
REASON_LINES = 2
"""Small lines below those, for why they make no act yet, or for a note."""
ACT_LINES = 3
"""Small lines of a question without anything to pick, for a note."""
RACE_LINES = 6
"""Lines of a race: up to two for the prompt, one or more for the hand, and the others for the last event or a note."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """An open question: who reads it, what its owner knows, and the window's number."""

    presenter: Presenter
    own: Private[Any, Any]
    reader: Reader
    window: int
    choices: Choices[Any]

    def lines(self, usual: int) -> int:
        """How many lines a text of usually this many has in its reader's form of cards."""
        return usual + self.reader.cards.spare_lines

    def label(self, verb: str) -> str:
        """The label of an offer's button."""
        return self.presenter.label(verb, self.own, self.reader)

    def lesson(self, verb: str) -> str:
        """What decides about an offer to pick something."""
        return self.presenter.lesson(verb, self.own, self.reader)

    def emoji(self, verb: str) -> str:
        """The emoji before that label."""
        return self.presenter.emoji(verb, self.own, self.reader)


@dataclass(frozen=True, slots=True)
class _Picking:
    """A question with something to pick: the offer that is picked for, what is picked, and its summary.

    `begun` is False while the player still has to say which of several offers they pick for: then `pick` is the first
    of them, and its items are shown disabled. `figures` is how wide the number beside a mark is, 0 if no order matters.
    """

    asked: _Asked
    pick: Pick[Any]
    picked: tuple[int, ...]
    step: Step
    begun: bool
    figures: int

    def press(self, verb: str, arg: str) -> Press:
        """A press that answers this question."""
        return Press(verb, self.asked.window, arg)

    def argument(self, place: int | None = None) -> str:
        """The argument of a control that takes the picks as they are, or as they are after a press on an item."""
        return selections.argument(self.pick.verb, self.picked, ordered=self.pick.ordered, place=place)

    def item(self, place: int) -> Face:
        """An item as its owner sees it."""
        return self.asked.presenter.item(self.asked.own, self.pick.verb, place, self.asked.reader)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A hand with cards in one form: what stays as it is while the question is open, the lines that change, and the
    buttons."""

    reader: Reader
    fixed: tuple[Section, ...]
    lines: tuple[Section, ...] | None
    rows: tuple[tuple[Control, ...], ...]


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
    own = match.private(seat)
    words = reader.words
    title = words("hand.title", game=match.game.info.title)
    if match.over:
        return _last_hand(match, presenter, own, reader, note)
    footer = played_deal(match, words)
    if match.suspended is not None:
        last = match.last_suspension
        return suspended_screen(match.id, title, match.suspended, words, last=last, footer=footer)
    if match.failed is not None:
        return Screen(title, (*_noted(note), Text(words("match.paused", number=match.failed))), (), footer, Tone.BAD)
    choices = match.choices(seat)
    if isinstance(presenter, Racing):
        acts = match.own_acts.shown(seat, reported)
        sections = _race_sections(match, presenter, own, reader, note)
        rows = _race(presenter, own, reader, choices, match.window_number, acts=acts)
        return Screen(title, sections, rows, footer, _edge(rows))
    asked = match.asked_after if choices.offers else None

    def opened(reader: Reader) -> _Opened:
        """The hand with cards in this form."""
        question = _Asked(presenter, own, reader, match.window_number, choices)
        lines, rows = _question(question, note, selection, resting=resting)
        told = recent_events(match, seat, presenter, reader, most=LOG_LINES, first=asked)
        if not reader.cards.is_spoken:
            told = _within_lines(told, LOG_LINES - max(0, _rows_of_items(rows) - FEW_ROWS))
        held = _listed_once(presenter.hand_text(own, reader), rows)
        return _Opened(reader, (Text(presenter.prompt(own, reader)), *held, told), lines, rows)

    shown = fitting(reader, opened, lambda opened: has_room(opened.fixed))
    if shown.lines is not None:
        sections = (*shown.fixed, *shown.lines)
    else:
        closed = () if choices.offers else choices.closed
        why = [Text(f"-# {refusal_text(shut.refusal, shown.reader)}") for shut in closed]
        sections = (*_noted(note), *shown.fixed, *why)
    return Screen(title, sections, shown.rows, footer, _edge(shown.rows))


def _rows_of_items(rows: Collection[tuple[Control, ...]]) -> int:
    """How many of these rows have items to pick."""
    return sum(1 for row in rows if row[0].press.verb == "p")


def _within_lines(log: Log, room: int) -> Log:
    """The latest of these events that need no more lines of a phone than this, but one event at least."""
    for place, line in reversed(list(enumerate(log.lines))):
        room -= len(text_lines.wrapped(line))
        if room < 0 and place < len(log.lines) - 1:
            return Log(log.lines[place + 1 :])
    return log


def _last_hand(match: LiveMatch, presenter: Presenter, own: Private[Any, Any], reader: Reader, note: str) -> Screen:
    """A hand when the match is over."""
    title = reader.words("hand.title", game=match.game.info.title)
    begun = (*_noted(note), Text("\n".join(outcome(match, reader))))
    return fitting(reader, lambda reader: Screen(title, (*begun, *presenter.hand_text(own, reader))), is_whole)


def _edge(rows: Collection[object]) -> Tone:
    """Coloured while there is something to press, even for a player who has chosen: an edge moves all buttons."""
    return Tone.MAIN if rows else Tone.PLAIN


def _listed_once(sections: Iterable[Section], rows: Iterable[Sequence[Control]]) -> list[Section]:
    """The text of a hand, without the cards that are buttons; their label, which counts them, stays."""
    are_buttons = any(isinstance(row[0], Button) and row[0].press.verb == "p" for row in rows)
    return [
        Text(section.label.rstrip(" :")) if are_buttons and isinstance(section, Cards) and section.is_hand else section
        for section in sections
    ]


def _noted(note: str) -> tuple[Section, ...]:
    return (Text(f"**{note}**"),) if note else ()


# ---------------------------------------------------------------------------------------------- races


def _race_sections(
    match: LiveMatch, presenter: Racing, own: Private[Any, Any], reader: Reader, note: str
) -> tuple[Section, ...]:
    """The text of a race in a fixed number of lines: a note takes the place of the last event."""
    told = recent_events(match, own.seat, presenter, reader, most=1).lines
    spare = reader.cards.spare_lines
    asked = _cut(presenter.prompt(own, reader), 2 + spare)
    lines = RACE_LINES + 2 * spare
    room = lines - len(asked)
    said = _cut(f"**{note}**" if note else "".join(told), room - 1)
    if note and not text_lines.fits(f"**{note}**", room - 1):
        said = _cut(note, room)
    text = " ".join(section.text for section in presenter.hand_text(own, reader) if isinstance(section, Text))
    held = _cut(text, room - len(said))
    return tuple(map(Text, (*asked, *held, *said, *[text_lines.BLANK] * lines)[:lines]))


def _cut(text: str, most: int) -> list[str]:
    """A text in as many lines as it needs, at most this many."""
    lines = min(most, len(text_lines.wrapped(text)))
    return text_lines.fixed(text, lines) if lines > 0 else []


def _race(
    presenter: Racing, own: Private[Any, Any], reader: Reader, choices: Choices[Any], window: int, *, acts: int
) -> tuple[tuple[Control, ...], ...]:
    """The buttons of a race, in the rows that the game gives; acts that are closed can be pressed too.

    The same act may be made again and again, so each carries how many `acts` of its owner the hand counts.
    """
    presses = {offer.verb: _press(offer, window, acts) for offer in choices}
    presses |= {shut.verb: _press(shut.act, window, acts) for shut in choices.closed if shut.act is not None}

    def button(verb: str) -> Button:
        press = presses.get(verb)
        label, tone = presenter.label(verb, own, reader), presenter.tone(verb)
        emoji = presenter.emoji(verb, own, reader)
        if press is None:
            return Button(label, Press("a", window, custom_ids.write_act(verb, acts)), tone, enabled=False, emoji=emoji)
        return Button(label, press, tone, enabled=presenter.is_pressable(own, verb), emoji=emoji)

    rows = presenter.rows(own, presses)
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
        Option(presenter.label(verb, own, reader).strip()[:LONGEST_DESCRIPTION], press.arg)
        for verb, press in cards.items()
        if press is not None
    ]
    chunks = _chunks(lines, MOST_OPTIONS)
    none_held = Option(reader.words("cards.none_held"), "none")
    can_play = any(press is not None and presenter.is_pressable(own, verb) for verb, press in cards.items())
    rows: list[tuple[Control, ...]] = []
    for n in range(-(-len(cards) // MOST_OPTIONS)):
        chunk = chunks[n] if n < len(chunks) else (none_held,)
        placeholder = reader.words("cards.play_one" if n < len(chunks) else "cards.none_held")
        rows.append((Select(Press("a", window, f"list{n}"), placeholder, chunk, can_play and n < len(chunks)),))
    return rows


# ---------------------------------------------------------------------------------------------- selections


def current_selection(match: LiveMatch, seat: Seat, selection: str) -> str:
    """A selection as the hand shows it: without picks that are not possible, empty when nothing is being selected."""
    offer, picked, _ = _selection(match.choices(seat), selection)
    return "" if offer is None else custom_ids.write_selection(offer.verb, picked, ordered=offer.ordered)


def refusal_text(refusal: Refusal, reader: Reader) -> str:
    """A rule's refusal in words."""
    return reader.words(refusal.key, **reader.cards.values(refusal.values))


def _selection(choices: Choices[Any], selection: str) -> tuple[Pick[Any] | None, tuple[int, ...], Refusal | None]:
    """The pick that is being built, if any (the selection's, or the only one there is), and the places picked.

    Lines of a list cannot be disabled as buttons can. So when the last item of an order may not follow, it is taken
    back, and the reason is returned too.
    """
    offer = choices.find(custom_ids.offer_of(selection)) if selection else None
    if isinstance(offer, Pick):
        picked = custom_ids.read_selection(selection, ordered=offer.ordered)
        if not all(place < offer.items for place in picked) or len(set(picked)) < len(picked):
            return offer, (), None
        if offer.ordered and picked:
            rejected = offer.step(picked[:-1]).addable[picked[-1]]
            return offer, picked if rejected is None else picked[:-1], rejected
        return offer, picked, None
    picks = [offer for offer in choices if isinstance(offer, Pick)]
    return (picks[0] if len(picks) == 1 else None), (), None


# ---------------------------------------------------------------------------------------------- questions


def _question(
    asked: _Asked, note: str, selection: str, *, resting: bool
) -> tuple[tuple[Section, ...] | None, tuple[tuple[Control, ...], ...]]:
    """The lines above the buttons, and the buttons. There are no lines if there is nothing to press, or if the note
    needs more than there are.
    """
    acts = [act for act in asked.choices if isinstance(act, Act)]
    picks = [offer for offer in asked.choices if isinstance(offer, Pick)]
    rows = [tuple(_at_once(asked, act, resting=resting) for act in row) for row in _rows_of_acts(acts)]
    if not picks:
        return (_act_lines(asked, note) if acts else None), tuple(rows)
    offer, picked, rejected = _selection(asked.choices, selection)
    pick = offer or picks[0]
    figures = max([len(str(each.items)) for each in picks if each.ordered], default=0)
    picking = _Picking(asked, pick, picked, pick.step(picked), begun=offer is not None, figures=figures)
    controls = _controls(picking, picks, room=MOST_COMPONENTS - FRAME - components_of(rows))
    return _pick_lines(picking, rejected, note), (*rows, *controls)


def _rows_of_acts(acts: Sequence[Act[Any]]) -> list[tuple[Act[Any], ...]]:
    """Acts that are made at once in rows. If they need several, each kind begins a row of its own."""
    if len(acts) <= IN_A_ROW:
        return [tuple(acts)] if acts else []
    kinds = [list(kind) for _, kind in groupby(acts, key=lambda act: act.verb.rstrip(digits))]
    return [row for kind in kinds for row in _chunks(kind, IN_A_ROW)]


def _act_lines(asked: _Asked, note: str) -> tuple[Section, ...] | None:
    """The lines of a question without anything to pick."""
    presenter = asked.presenter
    said = presenter.chosen(asked.own, asked.reader) if isinstance(presenter, ChangeableChoices) else ""
    lines = asked.lines(ACT_LINES)
    if note:
        said = _bold(note, lines, text_lines.SMALL_LINE)
        if not text_lines.fits(said, lines, text_lines.SMALL_LINE):
            return None
    return (_small(said or _closed(asked, lines) or asked.reader.words("hand.at_once"), lines),)


def _pick_lines(picking: _Picking, rejected: Refusal | None, note: str) -> tuple[Section, ...] | None:
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
        return _at_foot([*named, *_cut(amount, most)], most_named + most), _small(why, lines)
    over = _over_both(asked, f"**{why_not}**") or _over_both(asked, why_not)
    return (_at_foot(named, most_named), *over) if over and named else over


def _named(picking: _Picking) -> list[str]:
    """The lines that name what is picked; none if the marks on the buttons do."""
    cards = picking.asked.reader.cards
    said = cards.picks([picking.item(place) for place in picking.picked])
    short = [each for each in said if text_lines.fits(each, cards.pick_lines)]
    return _cut((short or said)[0], cards.pick_lines) if said else []


def _over_both(asked: _Asked, note: str) -> tuple[Section, ...] | None:
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


def _summary(picking: _Picking) -> tuple[str, str]:
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


def _closed(asked: _Asked, lines: int) -> str:
    """Why the player cannot do now what they would look for."""
    return _reasons([shut.refusal for shut in asked.choices.closed], asked.reader, lines)


def _reasons(refusals: Iterable[Refusal], reader: Reader, lines: int) -> str:
    """As many of these reasons as fit into a number of small lines, but one at least."""
    why = ""
    for reason in dict.fromkeys(refusal_text(refusal, reader) for refusal in refusals):
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


# ---------------------------------------------------------------------------------------------- controls


def _controls(picking: _Picking, picks: Sequence[Pick[Any]], *, room: int) -> Rows:
    """The controls of a selection, at most `room` components if the items can be buttons.

    Which of their forms they have depends on the question alone, and not on what is picked.
    """
    openings: list[Rows] = [[]] if len(picks) == 1 else [_openings(picking, picks)]
    shelved = _packed([_opening(picking, offer) for offer in picks]) if len(picks) > 1 else []
    if shelved and len(shelved) <= MOST_OPENING_ROWS:
        openings.insert(0, shelved)
    clear, last = (_clear(picking), *_suggested(picking)), (_complete(picking),)
    if max(offer.items for offer in picks) <= MOST_BUTTONS:
        buttons = [_item_button(picking, place) for place in range(picking.pick.items)]
        least = picking.asked.reader.cards.least_in_a_row
        size = _in_a_row([button.label for button in buttons], least, emojis=bool(buttons and buttons[0].emoji))
        for above in openings:
            for in_a_row in range(size, IN_A_ROW + 1):
                rows: Rows = [*above, *_chunks(buttons, in_a_row), clear, last]
                if components_of(rows) <= room:
                    return rows
    undo = (_undo(picking),) if picking.pick.ordered else ()
    return [*openings[0], *_lists(picking), (*clear, *undo), last]


def _in_a_row(labels: Sequence[str], least: int, *, emojis: bool) -> int:
    """How many buttons a row has, so that no row has to be broken on a phone; at least this many."""
    for size in range(IN_A_ROW, least, -1):
        if all(text_lines.row_fits(row, emojis=emojis) for row in _chunks(labels, size)):
            return size
    return least


def _packed(buttons: Sequence[Button]) -> Rows:
    """Buttons in rows that need not be broken on a phone."""
    rows: list[list[Button]] = []
    for button in buttons:
        joined = [*rows[-1], button] if rows else []
        if joined and len(joined) <= IN_A_ROW and text_lines.row_fits([each.label for each in joined]):
            rows[-1] = joined
        else:
            rows.append([button])
    return [tuple(row) for row in rows]


def _item_button(picking: _Picking, place: int) -> Button:
    picked, face = place in picking.picked, picking.item(place)
    number = str(picking.picked.index(place) + 1) if picked and picking.pick.ordered else ""
    return Button(
        picking.asked.reader.cards.item(face, picked=picked, number=number, figures=picking.figures),
        picking.press("p", picking.argument(place)),
        Tone.MAIN if picked else Tone.PLAIN,
        enabled=picking.begun and (picked or picking.step.addable[place] is None),
        emoji=face.emoji,
    )


def _lists(picking: _Picking) -> Rows:
    """Lists of the items, with one line for all that look alike; choosing a line picks one of them."""
    asked, alike = picking.asked, dict[tuple[str, Face], list[int]]()
    for place in range(picking.pick.items):
        presenter = asked.presenter
        shelf = presenter.shelf(asked.own, picking.pick.verb, place) if isinstance(presenter, Shelves) else ""
        alike.setdefault((shelf, picking.item(place)), []).append(place)
    shelves: dict[str, list[Option]] = {}
    for (shelf, face), places in alike.items():
        shelves.setdefault(shelf, []).append(_line(picking, face, places))
    chunks = [(shelf, chunk) for shelf, lines in shelves.items() for chunk in _chunks(lines, MOST_OPTIONS)]
    pick_one = asked.reader.words("hand.pick_one")
    named = asked.reader.cards.named
    return [
        (Select(picking.press("p", f"list{n}"), named(shelf) or pick_one, chunk, enabled=picking.begun),)
        for n, (shelf, chunk) in enumerate(chunks)
    ]


def _line(picking: _Picking, face: Face, places: list[int]) -> Option:
    """The line of items that look alike: picks the first that can be picked or, once all are picked, puts one back."""
    free = [place for place in places if place not in picking.picked]
    addable = [place for place in free if picking.step.addable[place] is None]
    place = (addable or free or places[-1:])[0]
    refusal = None if addable or not free else picking.step.addable[place]
    line = picking.asked.reader.cards.line(face.label, len(places), len(places) - len(free))
    why_not = "" if refusal is None else refusal_text(refusal, picking.asked.reader)[:LONGEST_DESCRIPTION]
    return Option(line[:LONGEST_DESCRIPTION], picking.argument(place), why_not, emoji=face.emoji)


def _clear(picking: _Picking) -> Button:
    press = picking.press("c", f"{picking.pick.verb}.")
    return Button(picking.asked.reader.words("hand.clear"), press, enabled=bool(picking.picked))


def _suggested(picking: _Picking) -> tuple[Button, ...]:
    """Picks many items at once, if the game suggests some and an id has room for them. They can still be changed."""
    asked, pick = picking.asked, picking.pick
    presenter = asked.presenter
    found = presenter.suggestion(asked.own, pick.verb, asked.reader) if isinstance(presenter, Suggestions) else None
    if found is None:
        return ()
    label, places = found
    argument = custom_ids.write_selection(pick.verb, places, ordered=pick.ordered)
    if len(argument) > custom_ids.LONGEST_ARGUMENT:
        return ()
    return (Button(label, picking.press("c", argument), enabled=picking.begun and picking.picked != places),)


def _undo(picking: _Picking) -> Button:
    """Removes the last of several items that are picked from lists in an order.

    With one item *Clear* does the same, and two buttons cannot share an id.
    """
    several = len(picking.picked) > 1
    after = picking.argument(picking.picked[-1]) if several else picking.pick.verb
    return Button(picking.asked.reader.words("hand.undo"), picking.press("c", after), enabled=several)


def _complete(picking: _Picking) -> Button:
    """Makes the act that is picked."""
    asked, verb = picking.asked, picking.pick.verb
    if not picking.begun:
        return Button(asked.reader.words("hand.choose"), picking.press("d", "-"), enabled=False)
    press = picking.press("d", picking.argument())
    return Button(asked.label(verb), press, asked.presenter.tone(verb), enabled=picking.step.unfinished is None)


def _opening(picking: _Picking, offer: Pick[Any]) -> Button:
    """Begins the selection for one of several offers."""
    chosen = _is_chosen(picking, offer)
    label = picking.asked.reader.cards.choice(picking.asked.label(offer.verb), picked=chosen)
    return Button(label, _press(offer, picking.asked.window), Tone.MAIN if chosen else Tone.PLAIN)


def _openings(picking: _Picking, picks: Sequence[Pick[Any]]) -> Rows:
    """A list of all offers, to begin the selection for one of them."""
    options = [
        Option(
            picking.asked.label(offer.verb)[:LONGEST_DESCRIPTION],
            f"{offer.verb}.",
            picking.asked.lesson(offer.verb)[:LONGEST_DESCRIPTION],
            chosen=_is_chosen(picking, offer),
        )
        for offer in picks
    ]
    choose = picking.asked.reader.words("hand.choose")
    return [
        (Select(picking.press("o", f"list{n}"), choose, chunk),)
        for n, chunk in enumerate(_chunks(options, MOST_OPTIONS))
    ]


def _is_chosen(picking: _Picking, offer: Pick[Any]) -> bool:
    return picking.begun and offer.verb == picking.pick.verb


def _at_once(asked: _Asked, act: Act[Any], *, resting: bool) -> Button:
    """The button of an act that is made at once."""
    press, tone = _press(act, asked.window), asked.presenter.tone(act.verb)
    return Button(asked.label(act.verb), press, tone, enabled=not resting, emoji=asked.emoji(act.verb))


def _press(offer: Act[Any] | Pick[Any], window: int, acts: int | None = None) -> Press:
    if isinstance(offer, Act):
        argument = offer.verb if acts is None else custom_ids.write_act(offer.verb, acts)
        return Press("a", 0 if offer.lasting else window, argument)
    return Press("o", window, f"{offer.verb}.")


def _chunks(items: Sequence[T], size: int) -> list[tuple[T, ...]]:
    return [tuple(items[start : start + size]) for start in range(0, len(items), size)]

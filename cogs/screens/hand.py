"""The hand: what a player sees of a match in the message that only they can see.

A selection is built by pressing cards. It is kept in the buttons' ids, so nothing is lost with the process, and every
button carries the selection as it is after a press. Up to 25 items are buttons; more are lists to pick one from, in
which items that look alike share a line.

People press twice by accident. So while a question is open every button keeps its place and its width, and the text
above has the same number of lines, whatever is picked or refused (`bot.ui.text_lines`). From top to bottom:

- acts that are made at once and cannot be undone, in rows of their own
- what there is to pick cards for, if there are several things
- the items, with a mark of one width
- *Clear*
- what is made of the picked items, in a row of its own, because it cannot be undone either

An act that opens the player's next question is answered with a hand whose acts at once are `resting`: disabled for a
moment, since no place on the screen is safe from a second press (decision 22).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.play.live_match import LiveMatch
from bot.ui import text_lines
from bot.ui.screen import Button, Control, Option, Press, Screen, Section, Select, Text, Tone
from cogs.screens import custom_ids, selections
from cogs.screens.card_text import NOT_PICKED, PICKED
from cogs.screens.deals.deal_line import played_deal
from cogs.screens.endings import ending
from cogs.screens.narration import recent_events
from cogs.screens.presenter import ChangeableChoices, Presenter, Racing, Reader, Shelves
from cogs.screens.renderer import FRAME, LONGEST_LABEL, MOST_COMPONENTS, components_of
from cogs.screens.suspension import suspended_screen
from engines.game import Act, Choices, Pick, Private, Refusal, Seat, Step

T = TypeVar("T")
Rows = list[tuple[Control, ...]]

IN_A_ROW = 5
LEAST_IN_A_ROW = 3
MOST_BUTTONS = 25
MOST_OPTIONS = 25
LONGEST_DESCRIPTION = 100
LOG_LINES = 4
SUMMARY_LINES = 2
"""Lines for what the picked items amount to."""
REASON_LINES = 2
"""Small lines below those, for why they make no act yet, or for a note."""
ACT_LINES = 3
"""Small lines of a question without anything to pick, for a note."""
RACE_LINES = 5
"""Lines of a race: up to two for the prompt, up to two for the last event or a note, and the others for the hand."""

DIGIT_SPACE = "\u2007"
"""As wide as a digit."""


@dataclass(frozen=True, slots=True)
class _Picking:
    """A question with something to pick: whose it is, the offer that is picked for, what is picked, and its summary.

    `begun` is False while the player still has to say which of several offers they pick for: then `pick` is the first
    of them, and its items are shown disabled. `digits` is how wide the number beside a mark is, 0 if no order matters.
    """

    presenter: Presenter
    own: Private[Any, Any]
    reader: Reader
    window: int
    pick: Pick[Any]
    picked: tuple[int, ...]
    step: Step
    begun: bool
    digits: int

    def argument(self, place: int | None = None) -> str:
        """The argument of a control that takes the picks as they are, or as they are after a press on an item."""
        return selections.argument(self.pick.verb, self.picked, ordered=self.pick.ordered, place=place)


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
        return Screen(title, (*_noted(note), Text(ending(match, reader)), *presenter.hand_text(own, reader)))
    footer = played_deal(match, words)
    if match.suspended is not None:
        last = match.last_suspension
        return suspended_screen(match.id, title, match.suspended, words, last=last, footer=footer)
    if match.failed is not None:
        return Screen(title, (*_noted(note), Text(words("match.paused", number=match.failed))), (), footer, Tone.BAD)
    choices = match.choices(seat)
    tone = Tone.MAIN if seat in match.awaited else Tone.PLAIN
    if isinstance(presenter, Racing):
        acts = match.own_acts.shown(seat, reported)
        sections = _race_sections(match, presenter, own, reader, note)
        rows = _race(presenter, own, reader, choices, match.window_number, acts=acts)
        return Screen(title, sections, rows, footer, tone)
    asked = match.asked_after if choices.offers else None
    sections = (
        Text(presenter.prompt(own, reader)),
        *presenter.hand_text(own, reader),
        recent_events(match, seat, presenter, reader, most=LOG_LINES, first=asked),
        *(Text(f"-# {refusal_text(closed.refusal, reader)}") for closed in choices.closed),
    )
    lines, asking = _question(presenter, own, reader, choices, match.window_number, note, selection, resting=resting)
    above = _noted(note) if note and lines is None else ()
    return Screen(title, (*above, *sections, *(lines or ())), asking, footer, tone)


def _noted(note: str) -> tuple[Section, ...]:
    return (Text(f"**{note}**"),) if note else ()


# ---------------------------------------------------------------------------------------------- races


def _race_sections(
    match: LiveMatch, presenter: Racing, own: Private[Any, Any], reader: Reader, note: str
) -> tuple[Section, ...]:
    """The text of a race in a fixed number of lines: a note takes the place of the last event."""
    told = recent_events(match, own.seat, presenter, reader, most=1).lines
    said = _cut(_bold(note, 2) if note else "".join(told), 2)
    asked = _cut(presenter.prompt(own, reader), 2)
    text = " ".join(section.text for section in presenter.hand_text(own, reader) if isinstance(section, Text))
    held = _cut(text, RACE_LINES - len(asked) - len(said))
    return tuple(map(Text, (*asked, *held, *said, *[text_lines.BLANK] * RACE_LINES)[:RACE_LINES]))


def _cut(text: str, most: int) -> list[str]:
    """A text in as many lines as it needs, at most this many."""
    return text_lines.fixed(text, min(most, len(text_lines.wrapped(text))))


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
        if press is None:
            return Button(label, Press("a", window, custom_ids.write_act(verb, acts)), tone, enabled=False)
        return Button(label, press, tone)

    return tuple(tuple(map(button, row)) for row in presenter.rows(own, presses))


# ---------------------------------------------------------------------------------------------- selections


def current_selection(match: LiveMatch, seat: Seat, selection: str) -> str:
    """A selection as the hand shows it: without picks that are not possible, empty when nothing is being selected."""
    offer, picked, _ = _selection(match.choices(seat), selection)
    return "" if offer is None else custom_ids.write_selection(offer.verb, picked, ordered=offer.ordered)


def refusal_text(refusal: Refusal, reader: Reader) -> str:
    """A rule's refusal in words."""
    return reader.words(refusal.key, **refusal.values)


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
    presenter: Presenter,
    own: Private[Any, Any],
    reader: Reader,
    choices: Choices[Any],
    window: int,
    note: str,
    selection: str,
    *,
    resting: bool,
) -> tuple[tuple[Section, ...] | None, tuple[tuple[Control, ...], ...]]:
    """The lines above the buttons, and the buttons. No lines if there is nothing to press, or if the note needs more
    lines than there are.
    """
    acts = [_at_once(act, presenter, own, reader, window, resting=resting) for act in choices if isinstance(act, Act)]
    picks = [offer for offer in choices if isinstance(offer, Pick)]
    rows: Rows = [*_chunks(acts, IN_A_ROW)]
    if not picks:
        return (_act_lines(presenter, own, reader, note) if acts else None), tuple(rows)
    offer, picked, rejected = _selection(choices, selection)
    pick = offer or picks[0]
    digits = max([len(str(each.items)) for each in picks if each.ordered], default=0)
    step = pick.step(picked)
    picking = _Picking(presenter, own, reader, window, pick, picked, step, begun=offer is not None, digits=digits)
    lines = _pick_lines(picking, rejected, note)
    return lines, (*rows, *_controls(picking, picks, room=MOST_COMPONENTS - FRAME - components_of(rows)))


def _act_lines(
    presenter: Presenter, own: Private[Any, Any], reader: Reader, note: str
) -> tuple[Section, ...] | None:
    """The lines of a question without anything to pick."""
    said = presenter.chosen(own, reader) if isinstance(presenter, ChangeableChoices) else ""
    if note:
        said = _bold(note, ACT_LINES, text_lines.SMALL_LINE)
        if not text_lines.fits(said, ACT_LINES, text_lines.SMALL_LINE):
            return None
    return (_small(said or reader.words("hand.at_once"), ACT_LINES),)


def _pick_lines(picking: _Picking, rejected: Refusal | None, note: str) -> tuple[Section, ...] | None:
    """What the picks amount to; below it a note, or why they make no act yet or why other items cannot join them."""
    amount, why = _summary(picking)
    small = text_lines.SMALL_LINE
    why_not = note or ("" if rejected is None else refusal_text(rejected, picking.reader))
    if why_not:
        why = _bold(why_not, REASON_LINES, small)
    if text_lines.fits(why, REASON_LINES, small):
        return _fixed(amount, SUMMARY_LINES), _small(why, REASON_LINES)
    begun = text_lines.wrapped(why_not)[:SUMMARY_LINES]
    rest = why_not.removeprefix(" ".join(begun)).strip()
    if not text_lines.fits(rest, REASON_LINES, small):
        return None
    return _fixed(" ".join(begun), SUMMARY_LINES), _small(rest, REASON_LINES)


def _summary(picking: _Picking) -> tuple[str, str]:
    """What the picks amount to, and as many reasons as there is room for."""
    step, reader, words = picking.step, picking.reader, picking.reader.words
    if not picking.begun:
        return words("hand.choose"), ""
    reasons = [
        refusal for place, refusal in enumerate(step.addable) if refusal is not None and place not in picking.picked
    ]
    if picking.picked or step.unfinished is None:
        amount = picking.presenter.selection_summary(picking.pick.verb, step.worth, reader)
        reasons = reasons if step.unfinished is None else [step.unfinished, *reasons]
    else:
        amount = refusal_text(step.unfinished, reader)
    why = ""
    for reason in dict.fromkeys(refusal_text(reason, reader) for reason in reasons):
        longer = f"{why} {reason}".strip()
        if why and not text_lines.fits(longer, REASON_LINES, text_lines.SMALL_LINE):
            break
        why = longer
    return amount, why or words("hand.put_back")


def _fixed(text: str, lines: int) -> Text:
    return Text("\n".join(text_lines.fixed(text, lines)))


def _small(text: str, lines: int) -> Text:
    return Text("\n".join(f"-# {line}" for line in text_lines.fixed(text, lines, text_lines.SMALL_LINE)))


def _bold(note: str, lines: int, longest: float = text_lines.LINE) -> str:
    """A note in bold, or as it is if it needs too many lines in bold."""
    bold = f"**{note}**"
    return bold if text_lines.fits(bold, lines, longest) else note


# ---------------------------------------------------------------------------------------------- controls


def _controls(picking: _Picking, picks: Sequence[Pick[Any]], *, room: int) -> Rows:
    """The controls of a selection. Which of their forms they have depends on the question alone, not on the picks."""
    below: Rows = [_clearing(picking), (_complete(picking),)]
    chosen: Rows = [tuple(_opening(picking, offer) for offer in picks)] if 1 < len(picks) <= IN_A_ROW else []
    listed: Rows = _openings(picking, picks) if len(picks) > 1 else []
    if max(offer.items for offer in picks) <= MOST_BUTTONS:
        buttons = [_item_button(picking, place) for place in range(picking.pick.items)]
        size = min(IN_A_ROW, max(LEAST_IN_A_ROW, text_lines.buttons_in_a_row([button.label for button in buttons])))
        for above in (chosen or listed, listed):
            for in_a_row in range(size, IN_A_ROW + 1):
                rows = [*above, *_chunks(buttons, in_a_row), *below]
                if components_of(rows) <= room:
                    return rows
    return [*(chosen or listed), *_lists(picking), *below]


def _item_button(picking: _Picking, place: int) -> Button:
    picked = place in picking.picked
    mark = PICKED if picked else NOT_PICKED
    number = str(picking.picked.index(place) + 1) if picked and picking.pick.ordered else ""
    return Button(
        f"{mark}{number.ljust(picking.digits, DIGIT_SPACE)} {picking.presenter.item(picking.own, picking.pick.verb, place)}",
        Press("p", picking.window, picking.argument(place)),
        Tone.MAIN if picked else Tone.PLAIN,
        enabled=picking.begun and (picked or picking.step.addable[place] is None),
    )


def _lists(picking: _Picking) -> Rows:
    """Lists of the items, with one line for all that look alike; choosing a line picks one of them."""
    presenter, own, verb = picking.presenter, picking.own, picking.pick.verb
    alike: dict[tuple[str, str], list[int]] = {}
    for place in range(picking.pick.items):
        shelf = presenter.shelf(own, verb, place) if isinstance(presenter, Shelves) else ""
        alike.setdefault((shelf, presenter.item(own, verb, place)), []).append(place)
    shelves: dict[str, list[Option]] = {}
    for (shelf, label), places in alike.items():
        shelves.setdefault(shelf, []).append(_line(picking, label, places))
    chunks = [(shelf, chunk) for shelf, lines in shelves.items() for chunk in _chunks(lines, MOST_OPTIONS)]
    pick_one = picking.reader.words("hand.pick_one")
    return [
        (Select(Press("p", picking.window, f"list{n}"), shelf or pick_one, chunk, enabled=picking.begun),)
        for n, (shelf, chunk) in enumerate(chunks)
    ]


def _line(picking: _Picking, label: str, places: list[int]) -> Option:
    """The line of items that look alike: picks the first that can be picked or, once all are picked, puts one back."""
    free = [place for place in places if place not in picking.picked]
    addable = [place for place in free if picking.step.addable[place] is None]
    place = (addable or free or places[-1:])[0]
    refusal = None if addable or not free else picking.step.addable[place]
    count = f" ×{len(places)}" if len(places) > 1 else ""
    mark = f"{PICKED} " * (len(places) - len(free))
    why_not = "" if refusal is None else refusal_text(refusal, picking.reader)[:LONGEST_DESCRIPTION]
    return Option(f"{mark}{label}{count}"[:LONGEST_DESCRIPTION], picking.argument(place), why_not)


def _clearing(picking: _Picking) -> tuple[Control, ...]:
    """The row with *Clear*, which is always there; in an order that is picked from lists, *Undo* too."""
    arg = f"{picking.pick.verb}."
    clear = Button(picking.reader.words("hand.clear"), Press("c", picking.window, arg), enabled=bool(picking.picked))
    in_lists = picking.pick.ordered and picking.pick.items > MOST_BUTTONS
    return (clear, _undo(picking)) if in_lists else (clear,)


def _undo(picking: _Picking) -> Button:
    """Removes the last of several items. With one item *Clear* does the same, and two buttons cannot share an id."""
    several = len(picking.picked) > 1
    after = picking.argument(picking.picked[-1]) if several else picking.pick.verb
    return Button(picking.reader.words("hand.undo"), Press("c", picking.window, after), enabled=several)


def _complete(picking: _Picking) -> Button:
    """Makes the act that is picked. With nothing picked it is disabled, so it follows no press of an earlier act."""
    words, verb = picking.reader.words, picking.pick.verb
    if not picking.begun:
        return Button(words("hand.choose"), Press("d", picking.window, "-"), enabled=False)
    return Button(
        picking.presenter.label(verb, picking.own, picking.reader),
        Press("d", picking.window, picking.argument()),
        picking.presenter.tone(verb),
        enabled=picking.step.unfinished is None,
    )


def _opening(picking: _Picking, offer: Pick[Any]) -> Button:
    """Begins the selection for one of several offers."""
    chosen = _is_chosen(picking, offer)
    label = f"{PICKED if chosen else NOT_PICKED} {picking.presenter.label(offer.verb, picking.own, picking.reader)}"
    return Button(label, _press(offer, picking.window), Tone.MAIN if chosen else Tone.PLAIN)


def _openings(picking: _Picking, picks: Sequence[Pick[Any]]) -> Rows:
    """A list of all offers, to begin the selection for one of them."""
    options = [
        Option(
            picking.presenter.label(offer.verb, picking.own, picking.reader)[:LONGEST_LABEL],
            _press(offer, picking.window).arg,
            chosen=_is_chosen(picking, offer),
        )
        for offer in picks
    ]
    return [
        (Select(Press("o", picking.window, f"list{n}"), picking.reader.words("hand.choose"), chunk),)
        for n, chunk in enumerate(_chunks(options, MOST_OPTIONS))
    ]


def _is_chosen(picking: _Picking, offer: Pick[Any]) -> bool:
    return picking.begun and offer.verb == picking.pick.verb


def _at_once(
    act: Act[Any], presenter: Presenter, own: Private[Any, Any], reader: Reader, window: int, *, resting: bool
) -> Button:
    """The button of an act that is made at once."""
    label = presenter.label(act.verb, own, reader)
    return Button(label, _press(act, window), presenter.tone(act.verb), enabled=not resting)


def _press(offer: Act[Any] | Pick[Any], window: int, acts: int | None = None) -> Press:
    if isinstance(offer, Act):
        argument = offer.verb if acts is None else custom_ids.write_act(offer.verb, acts)
        return Press("a", 0 if offer.lasting else window, argument)
    return Press("o", window, f"{offer.verb}.")


def _chunks(items: Sequence[T], size: int) -> list[tuple[T, ...]]:
    return [tuple(items[start : start + size]) for start in range(0, len(items), size)]

"""The hand: what a player sees of a match in the message that only they can see.

A selection is built by pressing cards. It is kept in the buttons' ids, so nothing is lost with the process, and every
button carries the selection as it is after a press. Discord allows 40 components: up to 25 items are buttons, five a
row; more are lists to pick one from, in which items that look alike share a line.

While a question is open every button keeps its place, and no line of text comes or goes with a pick, because people
press twice by accident. An act that needs no pick is made at once and cannot be undone. So such acts have the first
rows to themselves, where no other button ever is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.play.live_match import LiveMatch
from bot.ui.screen import Button, Control, Option, Press, Screen, Section, Select, Text, Tone
from cogs.screens import custom_ids, selections
from cogs.screens.deals.deal_line import played_deal
from cogs.screens.endings import ending
from cogs.screens.narration import recent_events
from cogs.screens.presenter import Presenter, Racing, Reader, Shelves
from cogs.screens.suspension import suspended_screen
from engines.game import Act, Choices, Pick, Private, Refusal, Seat, Step

T = TypeVar("T")

IN_A_ROW = 5
MOST_BUTTONS = 25
MOST_OPTIONS = 25
LONGEST_DESCRIPTION = 100
LOG_LINES = 4


@dataclass(frozen=True, slots=True)
class _Picking:
    """A selection under way: whose it is, for which offer, what is picked, and its summary."""

    presenter: Presenter
    own: Private[Any, Any]
    reader: Reader
    window: int
    pick: Pick[Any]
    picked: tuple[int, ...]
    step: Step

    @property
    def in_lists(self) -> bool:
        """Whether there are too many items for a button each."""
        return self.pick.items > MOST_BUTTONS

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
) -> Screen:
    """A seat's hand: its cards, the question, the possible moves. `selection` is what is picked, as in the ids.

    `reported` are the seat's own acts that this hand is the first to show or report.
    """
    own = match.private(seat)
    words = reader.words
    title = words("hand.title", game=match.game.info.title)
    sections: list[Section] = [Text(f"**{note}**")] if note else []
    if match.over:
        return Screen(title, (*sections, Text(ending(match, reader)), *presenter.hand_text(own, reader)))
    footer = played_deal(match, words)
    if match.suspended is not None:
        last = match.last_suspension
        return suspended_screen(match.id, title, match.suspended, words, last=last, footer=footer)
    if match.failed is not None:
        return Screen(title, (*sections, Text(words("match.paused", number=match.failed))), (), footer, Tone.BAD)
    sections += [Text(presenter.prompt(own, reader)), *presenter.hand_text(own, reader)]
    if isinstance(presenter, Racing) and not match.awaited:
        sections = _same_height(sections, note, recent_events(match, seat, presenter, reader, most=1))
    else:
        sections.append(recent_events(match, seat, presenter, reader, most=LOG_LINES))
    choices = match.choices(seat)
    window = match.window_number
    tone = Tone.MAIN if seat in match.awaited else Tone.PLAIN
    if isinstance(presenter, Racing):
        shown = match.own_acts.shown(seat, reported)
        rows_of_race = _race(presenter, own, reader, choices, window, acts=shown)
        return Screen(title, tuple(sections), rows_of_race, footer, tone)
    offer, picked, rejected = _selection(choices, selection)
    acts = [_other(act, presenter, own, reader, window) for act in choices if isinstance(act, Act)]
    others = [
        _other(each, presenter, own, reader, window) for each in choices if isinstance(each, Pick) and each is not offer
    ]
    rows: list[tuple[Control, ...]] = [*_chunks(acts, IN_A_ROW)]
    if offer is None:
        rows += _chunks(others, IN_A_ROW)
    else:
        picking = _Picking(presenter, own, reader, window, offer, picked, offer.step(picked))
        sections += _texts(picking, rejected)
        rows += [*_items(picking), _completing(picking, others)]
    sections += [Text(f"-# {refusal_text(closed.refusal, reader)}") for closed in choices.closed]
    return Screen(title, tuple(sections), tuple(rows), footer, tone)


def _same_height(sections: list[Section], note: str, last: Section) -> list[Section]:
    """The sections at a constant height: in a race a note takes the log's one line, so that no button ever moves."""
    return [*sections[1:], sections[0]] if note else [*sections, last]


def _race(
    presenter: Racing, own: Private[Any, Any], reader: Reader, choices: Choices[Any], window: int, *, acts: int
) -> tuple[tuple[Control, ...], ...]:
    """The buttons of a race, in the rows that the game gives; acts that are closed can be pressed too.

    The same act may be made again and again, so each carries how many `acts` of its owner the hand counts.
    """
    presses = {offer.verb: _press(offer, window, acts) for offer in choices}
    presses |= {shut.verb: _press(shut.act, window, acts) for shut in choices.closed if shut.act is not None}
    return tuple(
        tuple(Button(presenter.label(verb, own, reader), presses[verb], presenter.tone(verb)) for verb in row)
        for row in presenter.rows(own, presses)
    )


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


def _texts(picking: _Picking, rejected: Refusal | None) -> list[Section]:
    """Always two lines: what the picks amount to, and why they make no act yet or why other items cannot join them."""
    step, reader = picking.step, picking.reader
    reasons = [
        refusal for place, refusal in enumerate(step.addable) if refusal is not None and place not in picking.picked
    ]
    if picking.picked or step.unfinished is None:
        amount = picking.presenter.selection_summary(picking.pick.verb, step.worth, reader)
        reasons = reasons if step.unfinished is None else [step.unfinished, *reasons]
    else:
        amount = refusal_text(step.unfinished, reader)
    if rejected is not None:
        return [Text(amount), Text(f"**{refusal_text(rejected, reader)}**")]
    why = " ".join(dict.fromkeys(refusal_text(reason, reader) for reason in reasons))
    return [Text(amount), Text(f"-# {why or reader.words('hand.put_back')}")]


def _items(picking: _Picking) -> list[tuple[Control, ...]]:
    """The items as buttons, or as lists when there are too many."""
    if picking.in_lists:
        return _lists(picking)
    return [*_chunks([_item_button(picking, place) for place in range(picking.pick.items)], IN_A_ROW)]


def _item_button(picking: _Picking, place: int) -> Button:
    picked = place in picking.picked
    label = picking.presenter.item(picking.own, picking.pick.verb, place)
    if picked:
        number = str(picking.picked.index(place) + 1) if picking.pick.ordered else ""
        label = f"✓{number} {label}"
    return Button(
        label,
        Press("p", picking.window, picking.argument(place)),
        Tone.MAIN if picked else Tone.PLAIN,
        enabled=picked or picking.step.addable[place] is None,
    )


def _lists(picking: _Picking) -> list[tuple[Control, ...]]:
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
    return [
        (Select(Press("p", picking.window, f"list{n}"), shelf or picking.reader.words("hand.pick_one"), chunk),)
        for n, (shelf, chunk) in enumerate(chunks)
    ]


def _line(picking: _Picking, label: str, places: list[int]) -> Option:
    """The line of items that look alike: picks the first that can be picked or, once all are picked, puts one back."""
    free = [place for place in places if place not in picking.picked]
    addable = [place for place in free if picking.step.addable[place] is None]
    place = (addable or free or places[-1:])[0]
    refusal = None if addable or not free else picking.step.addable[place]
    count = f" ×{len(places)}" if len(places) > 1 else ""
    mark = "✓ " * (len(places) - len(free))
    why_not = "" if refusal is None else refusal_text(refusal, picking.reader)[:LONGEST_DESCRIPTION]
    return Option(f"{mark}{label}{count}"[:LONGEST_DESCRIPTION], picking.argument(place), why_not)


def _completing(picking: _Picking, others: Sequence[Button]) -> tuple[Control, ...]:
    """The row below the items: play what is picked, clear it, or begin another selection.

    25 cards and a row of acts leave room for one row only. Other selections that do not fit are behind one button.
    """
    verb, words = picking.pick.verb, picking.reader.words
    do = Button(
        picking.presenter.label(verb, picking.own, picking.reader),
        Press("d", picking.window, picking.argument()),
        picking.presenter.tone(verb),
        enabled=picking.step.unfinished is None,
    )
    clear = Button(words("hand.clear"), Press("c", picking.window, f"{verb}."), enabled=bool(picking.picked))
    row = [do, clear]
    if picking.in_lists and picking.pick.ordered:
        row.append(_undo(picking))
    if len(row) + len(others) <= IN_A_ROW:
        return (*row, *others)
    return (*row, Button(words("hand.back"), Press("c", picking.window, "-")))


def _undo(picking: _Picking) -> Button:
    """Removes the last of several items. With one item *Clear* does the same, and two buttons cannot share an id."""
    several = len(picking.picked) > 1
    after = picking.argument(picking.picked[-1]) if several else picking.pick.verb
    return Button(picking.reader.words("hand.undo"), Press("c", picking.window, after), enabled=several)


def _other(
    offer: Act[Any] | Pick[Any], presenter: Presenter, own: Private[Any, Any], reader: Reader, window: int
) -> Button:
    """The button of an offer that is not being selected for: it makes the act, or begins the selection."""
    return Button(presenter.label(offer.verb, own, reader), _press(offer, window), presenter.tone(offer.verb))


def _press(offer: Act[Any] | Pick[Any], window: int, acts: int | None = None) -> Press:
    if isinstance(offer, Act):
        argument = offer.verb if acts is None else custom_ids.write_act(offer.verb, acts)
        return Press("a", 0 if offer.lasting else window, argument)
    return Press("o", window, f"{offer.verb}.")


def _chunks(items: Sequence[T], size: int) -> list[tuple[T, ...]]:
    return [tuple(items[start : start + size]) for start in range(0, len(items), size)]

"""The buttons and lists of a hand that answer a question. Each has its place for as long as the question is open."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, islice
from string import digits
from typing import Any

from bot.ui import text_lines
from bot.ui.screen import Button, Control, Option, Press, Select, Tone
from cogs.screens import custom_ids
from cogs.screens.card_text import Face
from cogs.screens.hands.picking import Asked, Items, Picking, refusal_text
from cogs.screens.presenter import Shelves, Suggestions
from cogs.screens.renderer import IN_A_ROW, LONGEST_OPTION, MOST_OPTIONS, chunks, components_of
from engines.game import Act, Pick

Rows = list[tuple[Control, ...]]

MOST_BUTTONS = 25
MOST_OPENING_ROWS = 3
"""Rows of a phone for what there is to pick cards for; if it needs more, it is a list."""


def rows_of_acts(asked: Asked, acts: Sequence[Act[Any]], *, resting: bool) -> Rows:
    """The buttons of acts that are made at once. If they need several rows, each kind begins a row of its own."""
    kinds = [list(acts)]
    if len(acts) > IN_A_ROW:
        kinds = [list(kind) for _, kind in groupby(acts, key=lambda act: act.verb.rstrip(digits))]
    return [
        tuple([_at_once(asked, act, resting=resting) for act in row])
        for kind in kinds
        for row in chunks(kind, IN_A_ROW)
    ]


def _at_once(asked: Asked, act: Act[Any], *, resting: bool) -> Button:
    """The button of an act that is made at once."""
    press, tone = press_of(act, asked.window), asked.presenter.tone(act.verb)
    return Button(asked.label(act.verb), press, tone, enabled=not resting, emoji=asked.emoji(act.verb))


def rows_of_picks(picking: Picking, *, room: int) -> Rows:
    """The controls of a selection, at most `room` components if the items can be buttons.

    Which of their forms they have depends on the question alone, and not on what is picked.
    """
    picks, items = picking.question.picks, _items(picking, room)
    above: Rows = []
    if items.opened_by is not None:
        openings = iter([_opening(picking, offer) for offer in picks] if items.opened_by else ())
        above = [tuple(islice(openings, size)) for size in items.opened_by]
    elif len(picks) > 1:
        above = _openings(picking, picks)
    clear, last = (_clear(picking), *_suggested(picking)), (_complete(picking),)
    if items.in_a_row:
        return [*above, *chunks(_item_buttons(picking, items), items.in_a_row), clear, last]
    undo = (_undo(picking),) if picking.pick.ordered else ()
    return [*above, *_lists(picking), (*clear, *undo), last]


def _items(picking: Picking, room: int) -> Items:
    """The items of the offer that is picked for, remembered with their question."""
    known = picking.question.items
    verb = picking.pick.verb
    found = known.get(verb)
    if found is None:
        faces = tuple([picking.item(place) for place in range(picking.pick.items)])
        label, figures = picking.asked.reader.cards.item, picking.question.figures
        labels = tuple([label(face, picked=False, figures=figures) for face in faces])
        found = known[verb] = Items(faces, labels, *_arrangement(picking, faces, labels, room))
    return found


def _arrangement(
    picking: Picking, faces: Sequence[Face], labels: Sequence[str], room: int
) -> tuple[int, tuple[int, ...] | None]:
    """How many items are in a row, and how the buttons above them are arranged (`Items`).

    If not all has room, first the buttons that begin a selection become a list, and then the items do.
    """
    picks = picking.question.picks
    listed = [1 + len(chunk) for chunk in chunks(picks, MOST_OPTIONS)] if len(picks) > 1 else []
    openings: list[tuple[int, tuple[int, ...] | None]] = [(2 * len(listed), None if listed else ())]
    shelved = packed([_opening(picking, offer) for offer in picks]) if len(picks) > 1 else []
    if shelved and len(shelved) <= MOST_OPENING_ROWS:
        openings.insert(0, (components_of(shelved), tuple(map(len, shelved))))
    if max(offer.items for offer in picks) <= MOST_BUTTONS:
        below = 4 + len(_suggested(picking))  # the two last rows of `rows_of_picks`
        least = picking.asked.reader.cards.least_in_a_row
        size = _in_a_row(labels, least, emojis=bool(faces and faces[0].emoji))
        for above, sizes in openings:
            for in_a_row in range(size, IN_A_ROW + 1):
                if above + len(labels) + -(-len(labels) // in_a_row) + below <= room:
                    return in_a_row, sizes
    return 0, openings[0][1]


def _in_a_row(labels: Sequence[str], least: int, *, emojis: bool) -> int:
    """How many buttons a row has, so that no row has to be broken on a phone; at least this many."""
    widths = [text_lines.button_width(label, emoji=emojis) for label in labels]
    for size in range(IN_A_ROW, least, -1):
        if all(map(text_lines.widths_fit, chunks(widths, size))):
            return size
    return least


def packed(buttons: Sequence[Button]) -> Rows:
    """Buttons in rows that need not be broken on a phone."""
    rows: list[list[Button]] = []
    for button in buttons:
        joined = [*rows[-1], button] if rows else []
        if joined and len(joined) <= IN_A_ROW and _fit(joined):
            rows[-1] = joined
        else:
            rows.append([button])
    return [tuple(row) for row in rows]


def _fit(buttons: Sequence[Button]) -> bool:
    """Whether buttons have room beside one another on a phone."""
    return text_lines.row_fits([each.label for each in buttons], emojis=any(each.emoji for each in buttons))


def _item_buttons(picking: Picking, items: Items) -> list[Button]:
    """A button for each item: picks it, or puts it back."""
    picked, begun, addable, figures = picking.picked, picking.begun, picking.step.addable, picking.question.figures
    label, window, faces, labels = picking.asked.reader.cards.item, picking.asked.window, items.faces, items.labels
    buttons = list[Button]()
    for place, argument in enumerate(picking.arguments()):
        face, press = faces[place], Press("p", window, argument)
        if place in picked:
            number = str(picked.index(place) + 1) if picking.pick.ordered else ""
            marked = label(face, picked=True, number=number, figures=figures)
            buttons.append(Button(marked, press, Tone.MAIN, begun, face.emoji))
        else:
            buttons.append(Button(labels[place], press, Tone.PLAIN, begun and addable[place] is None, face.emoji))
    return buttons


def _lists(picking: Picking) -> Rows:
    """Lists of the items, with one line for all that look alike; choosing a line picks one of them."""
    asked, alike = picking.asked, dict[tuple[str, Face], list[int]]()
    for place in range(picking.pick.items):
        presenter = asked.presenter
        shelf = presenter.shelf(asked.own, picking.pick.verb, place) if isinstance(presenter, Shelves) else ""
        alike.setdefault((shelf, picking.item(place)), []).append(place)
    shelves: dict[str, list[Option]] = {}
    for (shelf, face), places in alike.items():
        shelves.setdefault(shelf, []).append(_line(picking, face, places))
    shelved = [(shelf, chunk) for shelf, lines in shelves.items() for chunk in chunks(lines, MOST_OPTIONS)]
    pick_one = asked.reader.words("hand.pick_one")
    named = asked.reader.cards.named
    return [
        (Select(picking.press("p", f"list{n}"), named(shelf) or pick_one, chunk, enabled=picking.begun),)
        for n, (shelf, chunk) in enumerate(shelved)
    ]


def _line(picking: Picking, face: Face, places: list[int]) -> Option:
    """The line of items that look alike: picks the first that can be picked or, once all are picked, puts one back."""
    free = [place for place in places if place not in picking.picked]
    addable = [place for place in free if picking.step.addable[place] is None]
    place = (addable or free or places[-1:])[0]
    refusal = None if addable or not free else picking.step.addable[place]
    line = picking.asked.reader.cards.line(face.label, len(places), len(places) - len(free))
    why_not = "" if refusal is None else refusal_text(refusal, picking.asked.reader)[:LONGEST_OPTION]
    return Option(line[:LONGEST_OPTION], picking.argument(place), why_not, emoji=face.emoji)


def _clear(picking: Picking) -> Button:
    press = picking.press("c", f"{picking.pick.verb}.")
    return Button(picking.asked.reader.words("hand.clear"), press, enabled=bool(picking.picked))


def _suggested(picking: Picking) -> tuple[Button, ...]:
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


def _undo(picking: Picking) -> Button:
    """Removes the last of several items that are picked from lists in an order.

    With one item *Clear* does the same, and two buttons cannot share an id.
    """
    several = len(picking.picked) > 1
    after = picking.argument(picking.picked[-1]) if several else picking.pick.verb
    return Button(picking.asked.reader.words("hand.undo"), picking.press("c", after), enabled=several)


def _complete(picking: Picking) -> Button:
    """Makes the act that is picked."""
    asked, verb = picking.asked, picking.pick.verb
    if not picking.begun:
        return Button(asked.reader.words("hand.choose"), picking.press("d", "-"), enabled=False)
    press = picking.press("d", picking.argument())
    return Button(asked.label(verb), press, asked.presenter.tone(verb), enabled=picking.step.unfinished is None)


def _opening(picking: Picking, offer: Pick[Any]) -> Button:
    """Begins the selection for one of several offers."""
    chosen = _is_chosen(picking, offer)
    label = picking.asked.reader.cards.choice(picking.asked.label(offer.verb), picked=chosen)
    return Button(label, press_of(offer, picking.asked.window), Tone.MAIN if chosen else Tone.PLAIN)


def _openings(picking: Picking, picks: Sequence[Pick[Any]]) -> Rows:
    """A list of all offers, to begin the selection for one of them."""
    options = [
        Option(
            picking.asked.label(offer.verb)[:LONGEST_OPTION],
            f"{offer.verb}.",
            picking.asked.lesson(offer.verb)[:LONGEST_OPTION],
            chosen=_is_chosen(picking, offer),
        )
        for offer in picks
    ]
    choose = picking.asked.reader.words("hand.choose")
    return [
        (Select(picking.press("o", f"list{n}"), choose, chunk),)
        for n, chunk in enumerate(chunks(options, MOST_OPTIONS))
    ]


def _is_chosen(picking: Picking, offer: Pick[Any]) -> bool:
    return picking.begun and offer.verb == picking.pick.verb


def press_of(offer: Act[Any] | Pick[Any], window: int, acts: int | None = None) -> Press:
    """The press that makes an act, of which a race counts how many its owner made, or begins a selection."""
    if isinstance(offer, Act):
        argument = offer.verb if acts is None else custom_ids.write_act(offer.verb, acts)
        return Press("a", 0 if offer.lasting else window, argument)
    return Press("o", window, f"{offer.verb}.")

"""The buttons and lists of a hand that answer a question. Each has its slot for as long as the question is open."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from string import digits
from typing import Any

from bot.ui import text_lines
from bot.ui.screen import Button, Control, Option, Press, Select, Tone
from cogs.screens import custom_ids
from cogs.screens.card_text import Face
from cogs.screens.hands.picking import Asked, Items, Picking, refusal_text
from cogs.screens.presenter import ChangeableChoices, Shelves, Suggestions
from cogs.screens.renderer import IN_A_ROW, LONGEST_OPTION, MOST_OPTIONS, chunks
from engines.game import Act, Pick

Rows = list[tuple[Control, ...]]

MOST_BUTTONS = 25
MOST_ROWS = 9
"""Rows of items that a phone has room for; more are lines of lists."""
MOST_ACTS = 4
"""Acts that are made at once; more are lines of a list. Choosing one takes two presses in two slots."""


def rows_of_acts(asked: Asked, acts: Sequence[Act[Any]], *, resting: bool) -> Rows:
    """The controls of acts that are made at once: a few are buttons in a row. Of many, those of one kind are a list."""
    if len(acts) <= MOST_ACTS:
        return [tuple([_at_once(asked, act, resting=resting) for act in acts])] if acts else []
    kinds = [(kind, [*alike]) for kind, alike in groupby(acts, key=lambda act: act.verb.rstrip(digits))]
    return [
        (_list_of_acts(asked, kind, alike, n, resting=resting),)
        if len(alike) > 1
        else (_at_once(asked, alike[0], resting=resting),)
        for n, (kind, alike) in enumerate(kinds)
    ]


def _list_of_acts(asked: Asked, kind: str, acts: Sequence[Act[Any]], number: int, *, resting: bool) -> Select:
    """A list of acts; choosing a line makes one."""
    return Select(
        Press("a", asked.window, f"list{number}"),
        asked.presenter.kind(kind, asked.reader) or asked.reader.words("hand.choose"),
        tuple([Option(asked.label(act.verb)[:LONGEST_OPTION], act.verb, emoji=asked.emoji(act.verb)) for act in acts]),
        enabled=not resting,
    )


def _at_once(asked: Asked, act: Act[Any], *, resting: bool) -> Button:
    """The button of an act that is made at once."""
    press, presenter = press_of(act, asked.window), asked.presenter
    chosen = isinstance(presenter, ChangeableChoices) and presenter.is_chosen(asked.own, act.verb)
    tone = Tone.MAIN if chosen else presenter.tone(act.verb)
    return Button(asked.label(act.verb), press, tone, enabled=not resting, emoji=asked.emoji(act.verb))


def rows_of_picks(picking: Picking, *, room: int) -> Rows:
    """The controls of a selection, at most `room` components if the items can be buttons.

    Which of their forms they have depends on the question alone, and not on what is picked.
    """
    picks, items = picking.question.picks, _items(picking, room)
    above = _openings(picking, picks) if len(picks) > 1 else []
    clear, last = (_clear(picking), *_suggested(picking)), (_complete(picking),)
    why = (explain_button(picking.asked, picking.argument() if picking.begun else ""),)
    if items.in_a_row:
        return [*above, *chunks(_item_buttons(picking, items), items.in_a_row), (*clear, *why), last]
    back = (_undo(picking),) if picking.pick.ordered else clear
    return [*above, *_lists(picking), (*back, *why), last]


def explain_button(asked: Asked, arg: str) -> Button:
    """Explains the question, and why not everything can be pressed, in a message of its own."""
    return Button(asked.reader.words(asked.reader.cards.explain), Press("explain", asked.window, arg))


def _items(picking: Picking, room: int) -> Items:
    """The items of the offer that is picked for, remembered with their question."""
    known = picking.question.items
    verb = picking.pick.verb
    found = known.get(verb)
    if found is None:
        faces = tuple([picking.item(index) for index in range(picking.pick.items)])
        label, figures = picking.asked.reader.cards.item, picking.question.figures
        labels = tuple([label(face, picked=False, figures=figures) for face in faces])
        found = known[verb] = Items(faces, labels, _arrangement(picking, faces, labels, room))
    return found


def _arrangement(picking: Picking, faces: Sequence[Face], labels: Sequence[str], room: int) -> int:
    """How many items are in a row; 0 if not all have room as buttons, or too many rows would be needed."""
    picks, most = picking.question.picks, max([offer.items for offer in picking.question.picks])
    lists = -(-len(picks) // MOST_OPTIONS) if len(picks) > 1 else 0
    below = 5 + len(_suggested(picking))  # the two last rows of `rows_of_picks`
    cards = picking.asked.reader.cards
    if most > MOST_BUTTONS or -(-most // cards.least_in_a_row) > MOST_ROWS:
        return 0
    size = _in_a_row(labels, cards.least_in_a_row, cards.most_in_a_row, emojis=bool(faces and faces[0].emoji))
    for in_a_row in range(size, cards.most_in_a_row + 1):
        if 2 * lists + len(labels) + -(-len(labels) // in_a_row) + below <= room:
            return in_a_row
    return 0


def _in_a_row(labels: Sequence[str], least: int, most: int, *, emojis: bool) -> int:
    """How many buttons a row has, so that no row has to be broken on a phone; at least and at most this many."""
    widths = [text_lines.button_width(label, emoji=emojis) for label in labels]
    for size in range(most, least, -1):
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
    for index, argument in enumerate(picking.arguments()):
        face, press = faces[index], Press("p", window, argument)
        if index in picked:
            number = str(picked.index(index) + 1) if picking.pick.ordered else ""
            marked = label(face, picked=True, number=number, figures=figures)
            buttons.append(Button(marked, press, Tone.MAIN, begun, face.emoji))
        else:
            buttons.append(Button(labels[index], press, Tone.PLAIN, begun and addable[index] is None, face.emoji))
    return buttons


def _lists(picking: Picking) -> Rows:
    """Lists of the items, with one line for all that look alike; choosing a line picks one of them."""
    asked, alike = picking.asked, dict[tuple[str, Face], list[int]]()
    shelves_of = asked.presenter if isinstance(asked.presenter, Shelves) else None
    if max(offer.items for offer in picking.question.picks) <= MOST_OPTIONS:
        shelves_of = None
    for index in range(picking.pick.items):
        shelf = "" if shelves_of is None else shelves_of.shelf(asked.own, picking.pick.verb, index)
        alike.setdefault((shelf, picking.item(index)), []).append(index)
    shelves: dict[str, list[Option]] = {}
    for (shelf, face), indexes in alike.items():
        shelves.setdefault(shelf, []).append(_line(picking, face, indexes))
    shelved = [(shelf, chunk) for shelf, lines in shelves.items() for chunk in chunks(lines, MOST_OPTIONS)]
    pick_one = asked.reader.words("hand.pick_one")
    named = asked.reader.cards.named
    return [
        (Select(picking.press("p", f"list{n}"), named(shelf) or pick_one, chunk, enabled=picking.begun),)
        for n, (shelf, chunk) in enumerate(shelved)
    ]


def _line(picking: Picking, face: Face, indexes: list[int]) -> Option:
    """The line of items that look alike: picks the first that can be picked or, once all are picked, puts one back.

    One that can't join the others begins again with it alone, unless their order matters.
    """
    free = [index for index in indexes if index not in picking.picked]
    addable = [index for index in free if picking.step.addable[index] is None]
    index = (addable or free or indexes[-1:])[0]
    refusal = None if addable or not free else picking.step.addable[index]
    line = picking.asked.reader.cards.line(face.label, len(indexes), len(indexes) - len(free))
    why_not = "" if refusal is None else refusal_text(refusal, picking.asked.reader)[:LONGEST_OPTION]
    argument, alone = picking.argument(index), custom_ids.write_selection(picking.pick.verb, (index,), ordered=False)
    if refusal is not None and not picking.pick.ordered and len(alone) <= custom_ids.LONGEST_ARGUMENT:
        argument = alone
    return Option(line[:LONGEST_OPTION], argument, why_not, emoji=face.emoji)


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
    label, indexes = found
    argument = custom_ids.write_selection(pick.verb, indexes, ordered=pick.ordered)
    if len(argument) > custom_ids.LONGEST_ARGUMENT:
        return ()
    return (Button(label, picking.press("c", argument), enabled=picking.begun and picking.picked != indexes),)


def _undo(picking: Picking) -> Button:
    """Removes the last of the items that are picked from lists in an order, where choosing a line may add another."""
    after = picking.argument(picking.picked[-1]) if picking.picked else f"{picking.pick.verb}."
    return Button(picking.asked.reader.words("hand.undo"), picking.press("c", after), enabled=bool(picking.picked))


def _complete(picking: Picking) -> Button:
    """Makes the act that is picked."""
    asked, verb = picking.asked, picking.pick.verb
    if not picking.begun:
        return Button(asked.reader.words("hand.play"), picking.press("d", "-"), enabled=False)
    press = picking.press("d", picking.argument())
    return Button(asked.label(verb), press, asked.presenter.tone(verb), enabled=picking.step.unfinished is None)


def _openings(picking: Picking, picks: Sequence[Pick[Any]]) -> Rows:
    """A list of all offers, to begin the selection for one of them."""
    options = [
        Option(
            picking.asked.label(offer.verb)[:LONGEST_OPTION],
            f"{offer.verb}.",
            picking.asked.about(offer.verb)[:LONGEST_OPTION],
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

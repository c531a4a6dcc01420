"""Selections under way, as the controls of a hand carry them.

A selection (`cogs.screens.custom_ids.write_selection`) travels whole in the ids while it fits. A longer one is saved in
the store, and each control carries only its change of the saved one: ``-<how many are picked>.<verb>.<index>``, or
without an index to take it as it is. The number tells a press on an older message from one on the latest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.play.live_match import LiveMatch
from bot.play.match_state import Offer
from bot.play.refusals import StaleQuestion
from bot.store.store import Store
from bot.ui.screen import Screen, Select
from cogs.screens import custom_ids
from engines.game import Pick, Seat

FEW_ITEMS = 100
"""Any set of so few items fits into an id."""
_CHANGE = re.compile(r"-(\d{1,3})\.([a-z0-9]{1,12})\.(.*)")


@dataclass(frozen=True, slots=True)
class Change:
    """How a control changes a saved selection: the index that it picks or puts back, None for no change.

    `size` is how many indexes the saved selection has.
    """

    size: int
    verb: str
    index: int | None


def toggled(picked: tuple[int, ...], index: int, *, ordered: bool) -> tuple[int, ...]:
    """The picks after an index was pressed: with it, or without it and (in an order) without what came after it."""
    if index not in picked:
        more = (*picked, index)
        return more if ordered else tuple(sorted(more))
    if ordered:
        return picked[: picked.index(index)]
    return tuple(other for other in picked if other != index)


def argument(verb: str, picked: tuple[int, ...], *, ordered: bool, index: int | None = None) -> str:
    """The argument of a control that takes the picks as they are or, with an `index`, toggles it: the selection, or its
    change where the whole is too long for an id."""
    after = picked if index is None else toggled(picked, index, ordered=ordered)
    whole = custom_ids.write_selection(verb, after, ordered=ordered)
    if len(whole) <= custom_ids.LONGEST_ARGUMENT:
        return whole
    changed = () if index is None else (index,)
    return f"-{len(picked)}.{custom_ids.write_selection(verb, changed, ordered=True)}"


def arguments(verb: str, picked: tuple[int, ...], items: int, *, ordered: bool) -> list[str]:
    """The arguments of the controls that toggle the indexes below `items`, as `argument` makes each."""
    if ordered or items > FEW_ITEMS:
        return [argument(verb, picked, ordered=ordered, index=index) for index in range(items)]
    mask = custom_ids.mask_of(picked)
    return [custom_ids.write_set(verb, mask ^ (1 << index)) for index in range(items)]


def read_change(arg: str) -> Change | None:
    """The change that an argument carries; None for a whole selection. Raises UnknownCustomId."""
    found = _CHANGE.fullmatch(arg) if arg.startswith("-") else None
    if found is None:
        return None
    size, verb, _ = found.groups()
    indexes = custom_ids.read_selection(arg.partition(".")[2], ordered=True)
    if len(indexes) > 1:
        raise custom_ids.UnknownCustomId("not a change of a selection")
    return Change(int(size), verb, indexes[0] if indexes else None)


def verb_of(arg: str) -> str:
    """The verb of the offer that an argument belongs to."""
    change = read_change(arg)
    return custom_ids.offer_of(arg) if change is None else change.verb


async def resolve(
    store: Store, match: LiveMatch, seat: Seat, window: int, arg: str, *, find: Callable[[str], Offer | None]
) -> str:
    """The selection that the argument of a press leads to; `find` returns the seat's offer of a verb.

    Raises StaleQuestion when the saved selection has changed since, and UnknownCustomId.
    """
    change = read_change(arg)
    if change is None:
        return arg
    offer = find(change.verb)
    if not isinstance(offer, Pick):
        raise StaleQuestion
    saved = await store.selection(match.id, seat, window) or f"{change.verb}."
    picked = custom_ids.read_selection(saved, ordered=offer.ordered)
    if custom_ids.offer_of(saved) != change.verb or len(picked) != change.size:
        raise StaleQuestion
    if change.index is not None:
        picked = toggled(picked, change.index, ordered=offer.ordered)
    return custom_ids.write_selection(change.verb, picked, ordered=offer.ordered)


def is_truncated(screen: Screen) -> bool:
    """Whether a hand has controls that carry only a change, so that its selection must be saved."""
    for row in screen.rows:
        for control in row:
            if isinstance(control, Select):
                if any(read_change(option.value) is not None for option in control.options):
                    return True
            elif control.press.arg.startswith("-") and read_change(control.press.arg) is not None:
                return True
    return False

"""An open question and the selection that answers it, as its player's hand needs them.

Which picks an act would be made of is found by what picking each item puts into the act (`picks_by_cards`).
"""

from __future__ import annotations

import itertools
from dataclasses import fields
from typing import Any, NamedTuple

from bot.play.live_match import LiveMatch
from bot.ui.screen import Press
from cogs.screens import custom_ids, selections
from cogs.screens.card_text import Face
from cogs.screens.clauses import Clause, Move
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.renderer import LONGEST_OPTION
from engines.game import Act, Choices, Pick, Private, Refusal, Seat, Step


class Asked(NamedTuple):
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
        """What decides about an offer to pick something, in a line or two."""
        return self.presenter.lesson(verb, self.own, self.reader)

    def about(self, verb: str) -> str:
        """What is below an offer's line in the list of all that can be done: as much of it as has room there."""
        said = (self.presenter.facing(verb, self.own, self.reader), *self.lesson(verb).splitlines())
        told = [*itertools.accumulate(filter(None, said), "{} {}".format)]
        return next((each for each in reversed(told) if len(each) < LONGEST_OPTION), "")

    def emoji(self, verb: str) -> str:
        """The emoji before that label."""
        return self.presenter.emoji(verb, self.own, self.reader)


class Items(NamedTuple):
    """The items of an offer as its reader sees them, and the labels of their buttons while nothing is picked.

    `in_a_row` is how many buttons a row has; 0 means that they are lines of lists.
    """

    faces: tuple[Face, ...]
    labels: tuple[str, ...]
    in_a_row: int


class Question(NamedTuple):
    """An open question, and what of it stays the same whatever is picked, so a press on a card doesn't make it again.

    `figures` is how wide the number beside a mark is, 0 if no order matters. `items` are those of each offer that was
    shown, by its verb.
    """

    asked: Asked
    acts: tuple[Act[Any], ...]
    picks: tuple[Pick[Any], ...]
    figures: int
    items: dict[str, Items]

    @classmethod
    def of(cls, asked: Asked) -> Question:
        """A question of which nothing was shown yet."""
        picks = tuple([offer for offer in asked.choices.offers if not isinstance(offer, Act)])
        acts = tuple([offer for offer in asked.choices.offers if isinstance(offer, Act)])
        figures = max([len(str(each.items)) for each in picks if each.ordered], default=0)
        return cls(asked, acts, picks, figures, {})


class Picking(NamedTuple):
    """A question with something to pick: the offer that is picked for, what is picked, and its summary.

    `begun` is False while the player still has to say which of several offers they pick for: then `pick` is the first
    of them, and its items are shown disabled.
    """

    question: Question
    asked: Asked
    pick: Pick[Any]
    picked: tuple[int, ...]
    step: Step
    begun: bool

    def press(self, verb: str, arg: str) -> Press:
        """A press that answers this question."""
        return Press(verb, self.asked.window, arg)

    def argument(self, index: int | None = None) -> str:
        """The argument of a control that takes the picks as they are or, with an `index`, as its press makes them."""
        return selections.argument(self.pick.verb, self.picked, ordered=self.pick.ordered, index=index)

    def arguments(self) -> list[str]:
        """The arguments of the items' controls, by the items' indexes."""
        return selections.arguments(self.pick.verb, self.picked, self.pick.items, ordered=self.pick.ordered)

    def item(self, index: int) -> Face:
        """An item as its owner sees it."""
        known = self.question.items.get(self.pick.verb)
        if known is not None:
            return known.faces[index]
        return self.asked.presenter.item(self.asked.own, self.pick.verb, index, self.asked.reader)


def current_selection(match: LiveMatch, seat: Seat, selection: str) -> str:
    """A selection as the hand shows it: without picks that are not possible, empty when nothing is being selected."""
    offer, picked, _ = selection_of(match.choices(seat), selection)
    return "" if offer is None else custom_ids.write_selection(offer.verb, picked, ordered=offer.ordered)


def selection_of(choices: Choices[Any], selection: str) -> tuple[Pick[Any] | None, tuple[int, ...], Refusal | None]:
    """The pick that is being built, if any (the selection's, or the only one there is), and the indexes picked.

    Lines of a list cannot be disabled as buttons can. So when the last item of an order may not follow, it is taken
    back, and the reason is returned too.
    """
    offer = choices.find(custom_ids.offer_of(selection)) if selection else None
    if isinstance(offer, Pick):
        picked = custom_ids.read_selection(selection, ordered=offer.ordered)
        if not all(index < offer.items for index in picked) or len(set(picked)) < len(picked):
            return offer, (), None
        if offer.ordered and picked:
            rejected = offer.step(picked[:-1]).addable[picked[-1]]
            return offer, picked if rejected is None else picked[:-1], rejected
        return offer, picked, None
    picks = [offer for offer in choices.offers if not isinstance(offer, Act)]
    return (picks[0] if len(picks) == 1 else None), (), None


def refusal_text(refusal: Refusal, reader: Reader) -> str:
    """A rule's refusal in words."""
    return reader.words(refusal.key, **reader.cards.values(refusal.values))


def picks_by_cards(pick: Pick[Any], action: Any) -> tuple[int, ...] | None:
    """The picks that make such an act, in any order where that does not matter; None when it is no act of this pick."""
    empty = pick.action(())
    if type(empty) is not type(action):
        return None
    if empty == action:
        return ()
    single = [item for item in range(pick.items) if pick.action((item,)) == action]
    return (single[0],) if single else _picked(pick, empty, action)


def _picked(pick: Pick[Any], empty: Any, action: Any) -> tuple[int, ...] | None:
    """The picks of an act that holds the picked items in tuples, and else what every act of this pick holds."""
    names = [field.name for field in fields(action)]
    rows = [name for name in names if getattr(empty, name) == ()]
    if any(getattr(action, name) != getattr(empty, name) for name in names if name not in rows):
        return None
    alone = [_items(pick.action((item,)), rows) for item in range(pick.items)]
    wanted = [(item,) for item in _items(action, rows)]
    if len(set(wanted)) < len(wanted) or any(item not in alone for item in wanted):
        return None
    picked = tuple(map(alone.index, wanted))
    return picked if pick.ordered else tuple(sorted(picked))


def _items(action: Any, rows: list[str]) -> tuple[Any, ...]:
    """The items that were picked for an act."""
    return tuple(item for row in rows for item in getattr(action, row))


def clause_of(
    action: Any, choices: Choices[Any], own: Private[Any, Any], presenter: Presenter, reader: Reader
) -> Clause:
    """A move as its game says it. Raises LookupError for a move that the seat is not offered."""
    return presenter.clause(move_of(action, choices), own, reader)


def move_of(action: Any, choices: Choices[Any]) -> Move:
    """The offer and the picks that make an act. Raises LookupError for one that is not offered."""
    for offer in choices:
        if isinstance(offer, Act):
            if offer.action == action:
                return Move(offer.verb)
            continue
        picked = picks_by_cards(offer, action)
        if picked is not None and (step := offer.step(picked)).unfinished is None:
            return Move(offer.verb, picked, step.worth)
    raise LookupError("nobody was offered this move")

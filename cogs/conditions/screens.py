"""The screens on which a player plans moves. Only they see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from bot.play.live_match import LiveMatch
from bot.ui.screen import Button, Control, Option, Press, Rows, Screen, Select, Text, Tone, noted
from cogs.conditions.plans import indexes_of, may_plan, planning
from cogs.conditions.queries import MOST, ConditionalMove
from cogs.screens import custom_ids
from cogs.screens.clauses import Move
from cogs.screens.hands.picking import refusal_text
from cogs.screens.presenter import PlansAhead, Presenter, Reader
from cogs.screens.renderer import LONGEST_OPTION, MOST_OPTIONS, chunks
from engines.game import Act, Pick, Private, Seat, Step


def plan_button(match: LiveMatch, presenter: Presenter, reader: Reader) -> Sequence[Button]:
    """*Plan ahead*, on the hand of somebody who may. It is the same whether they have planned something or not."""
    if reader.seat is None or planning(match, presenter) is None or not may_plan(match, reader.seat):
        return ()
    return (Button(reader.words("button.plan"), Press("plan", match.window_number)),)


class Begun(NamedTuple):
    """A move that is being planned: for which occasion, and what is picked for it, by indexes in the hand."""

    occasion: str
    verb: str = ""
    picked: tuple[int, ...] = ()

    def written(self) -> str:
        """It as the argument of a press."""
        selection = custom_ids.write_selection(self.verb, self.picked, ordered=True)  # short in hands of any size
        return f"{self.occasion}.{selection}" if self.verb else self.occasion

    @classmethod
    def read(cls, text: str) -> Begun:
        """It from an argument. Raises UnknownCustomId."""
        occasion, _, selection = text.partition(".")
        picked = custom_ids.read_selection(selection, ordered=True) if selection else ()
        return cls(occasion, custom_ids.offer_of(selection), picked)


class Planning(NamedTuple):
    """Who plans, and where."""

    match: LiveMatch
    seat: Seat
    presenter: PlansAhead
    reader: Reader

    @property
    def own(self) -> Private[Any, Any]:
        """What the player may know."""
        return self.match.private(self.seat)

    @property
    def window(self) -> int:
        """The question that others are asked meanwhile."""
        return self.match.window_number


def plans_screen(asked: Planning, planned: Sequence[ConditionalMove], note: str = "") -> Screen:
    """What is planned, and what more can be."""
    words, window = asked.reader.words, asked.window
    occasions = asked.presenter.occasions(asked.own, asked.reader)
    lines = [
        words("plan.line", number=nth, occasion=occasions.get(each.occasion, ""), move=_told(asked, each))
        for nth, each in enumerate(planned, start=1)
    ]
    options = tuple([Option(told[:LONGEST_OPTION], key) for key, told in occasions.items()])
    choosing: Rows = ((Select(Press("plancards", window), words("plan.choose"), options),),)
    dropping: tuple[Control, ...] = tuple(
        [
            Button(words("button.forget_plan", number=nth), Press("plandrop", window, str(each.number)))
            for nth, each in enumerate(planned, start=1)
        ]
    )
    rows = (*(choosing if len(planned) < MOST else ()), *((dropping,) if dropping else ()), (_back(asked),))
    texts = (Text(words("plan.about", most=MOST)), *((Text("\n".join(lines)),) if lines else ()))
    return Screen(words("plan.title"), (*noted(note), *texts), rows)


def move_screen(asked: Planning, begun: Begun) -> Screen:
    """What to do on an occasion: what is done at once, or cards to pick for it. Raises UnknownCustomId."""
    words, own = asked.reader.words, asked.own
    occasion = asked.presenter.occasions(own, asked.reader).get(begun.occasion)
    if occasion is None:
        raise custom_ids.UnknownCustomId("no such occasion")
    sections, acts, lists = [Text(f"**{occasion}**"), Text(words("plan.pick"))], [], []
    for offer in asked.presenter.plannable(begun.occasion, own):
        if isinstance(offer, Pick):
            picked = begun.picked if begun.verb == offer.verb else ()
            step = step_of(offer, picked)
            lists += _lists(asked, begun._replace(verb=offer.verb, picked=picked), step)
            if picked:
                sections[1:] = [Text(_advice(asked, Move(offer.verb, picked)))]
                acts += _of_picked(asked, begun, step)
                sections += [Text(refusal_text(step.unfinished, asked.reader))] if step.unfinished else []
        else:
            press = Press("plansave", asked.window, begun._replace(verb=offer.verb, picked=()).written())
            acts.append(Button(asked.presenter.label(offer.verb, own, asked.reader), press))
    back = Button(words("button.previous"), Press("plan", asked.window))
    return Screen(words("plan.title"), tuple(sections), (*lists, (*acts, back)))


def step_of(pick: Pick[Any], picked: tuple[int, ...]) -> Step:
    """The state of a pick. Raises UnknownCustomId for cards that the hand doesn't have."""
    try:
        return pick.step(picked)
    except IndexError:
        raise custom_ids.UnknownCustomId("no such cards") from None


def _of_picked(asked: Planning, begun: Begun, step: Step) -> list[Button]:
    words = asked.reader.words
    save = Button(
        words("button.save_plan"),
        Press("plansave", asked.window, begun.written()),
        Tone.GOOD,
        enabled=step.unfinished is None,
    )
    return [save, Button(words("hand.clear"), Press("plancards", asked.window, begun.occasion))]


def _lists(asked: Planning, begun: Begun, step: Step) -> list[tuple[Control, ...]]:
    """Lists of the cards that can be added, each once by what it looks like."""
    found: dict[str, Option] = {}
    for index, refusal in enumerate(step.addable):
        face = asked.presenter.item(asked.own, begun.verb, index, asked.reader)
        if refusal is None:
            after = begun._replace(picked=tuple(sorted((*begun.picked, index))))
            found.setdefault(face.label, Option(face.label[:LONGEST_OPTION], after.written(), emoji=face.emoji))
    label = asked.presenter.label(begun.verb, asked.own, asked.reader)
    return [
        (Select(Press("plancards", asked.window, f"list{number}"), label, chunk),)
        for number, chunk in enumerate(chunks(list(found.values()), MOST_OPTIONS))
    ]


def _told(asked: Planning, planned: ConditionalMove) -> str:
    """A planned move as advice, with those of its cards that are still held."""
    action = asked.match.game.read(planned.move)
    return _advice(asked, Move(planned.verb, indexes_of(action, asked.presenter.held(asked.own))))


def _advice(asked: Planning, move: Move) -> str:
    return asked.presenter.clause(move, asked.own, asked.reader).advised(asked.reader.words)


def _back(asked: Planning) -> Button:
    return Button(asked.reader.words("button.back_to_cards"), Press("cards"))


def action_of(asked: Planning, begun: Begun) -> Any | None:
    """The move that is planned; None if what is picked can never be one. Raises UnknownCustomId."""
    if begun.occasion not in asked.presenter.occasions(asked.own, asked.reader):
        raise custom_ids.UnknownCustomId("no such occasion")
    offer = asked.presenter.plannable(begun.occasion, asked.own).find(begun.verb)
    if isinstance(offer, Act):
        return offer.action
    if offer is None:
        raise custom_ids.UnknownCustomId("no such move")
    return None if step_of(offer, begun.picked).unfinished else offer.action(begun.picked)

"""People at a table as they are: they press what they see, sometimes twice, sometimes what is long gone, look at their
cards again, read the rules, walk away or give up; and others who do not play press too.

They know what stands on the board and in their own private messages, and nothing else.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bot.ui.catalogue import translations
from cogs.screens import custom_ids
from discord_sandbox import DrivenChannel, MessageView, Person, Reply
from tests.end_to_end.players import acts, is_picked, picks, turns, verb
from tests.end_to_end.racers import DINNER, DRAW, ON_TOP, READY

say = translations("en")

MY_CARDS, RULES, RESIGN, MORE, REPLAY = (
    say(f"button.{key}") for key in ("my_cards", "rules", "resign", "more", "replay")
)
REMATCH = say("button.rematch")
IDLE = 0.05
"""Seconds until the next look where nobody has anything to press."""
MOST_PRESSES = 20_000
"""Presses of a match after which it counts as never ending."""
REMEMBERED = 5
"""How many buttons somebody may press again who does not look closely."""
MOST_PICKS = 60
"""Picks after which somebody acts if they can."""


@dataclass(frozen=True, slots=True)
class Manners:
    """How likely, before each press, somebody does something else instead."""

    twice: float = 0.03
    stale: float = 0.03
    cards: float = 0.02
    rules: float = 0.005
    onlooker: float = 0.01
    resign: float = 0.001
    wavers: float = 0.5
    """How many of those who were asked whether they will resign stay."""


@dataclass
class Table:
    """One match and those who play it; `absent` are the seats of those who will walk away after a while.

    `replies` is called with every reply, to be judged by whoever runs the table.
    """

    people: Sequence[Person]
    channel: DrivenChannel
    board: MessageView
    onlooker: Person
    rng: random.Random
    reply: Callable[[Reply, str], None]
    manners: Manners = field(default_factory=Manners)
    absent: int | None = None
    stays: int = 20
    """After how many presses the absent one walks away."""
    presses: Counter[str] = field(default_factory=Counter)
    acts: int = 0
    """How many presses were for a move, taken or not."""
    _hands: dict[Person, MessageView] = field(default_factory=dict)
    _gone: list[tuple[Person, MessageView, str]] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether the board shows the end."""
        return self._board().find_button(MY_CARDS) is None

    @property
    def shows_end(self) -> bool:
        """Whether the last that is to be seen of the match is its end."""
        return self.over

    async def play(self, end: float) -> None:
        """Press until the match is over; past `end` (the loop's time) everybody present resigns.

        Raises AssertionError for a match that never ends.
        """
        loop = asyncio.get_running_loop()
        for number in range(MOST_PRESSES):
            if self.over:
                return
            present = [person for seat, person in enumerate(self.people) if seat != self.absent or number < self.stays]
            if loop.time() > end:
                await self._resign(self.rng.choice(self.people), waver=False)
            elif not await self.step(present):
                await asyncio.sleep(IDLE)
        raise AssertionError("the match does not end")

    # ------------------------------------------------------------------------------------ a press

    async def step(self, present: Sequence[Person]) -> bool:
        """One press by somebody; whether it was more than a look."""
        if await self._mishap(present):
            return True
        order = self.rng.sample(present, len(present))
        for person in order:
            hand = self._hands.get(person)
            if hand is not None and not hand.deleted and await self._use(person, hand):
                return True
        person = order[0]
        await self._look(person)
        return bool(_offers(self._hands[person])) if person in self._hands else False

    async def _use(self, person: Person, hand: MessageView) -> bool:
        """One press on a hand, if it offers anything."""
        pressed = self._choose(hand)
        if pressed is None:
            return False
        custom_id, value = pressed
        if value:
            reply = await person.select(hand, custom_id=custom_id, values=[value])
            self._note(reply, "select")
            return True
        self.acts += custom_ids.read(custom_id)[1].verb in "ad"
        self._gone = [*self._gone[1 - REMEMBERED :], (person, hand, custom_id)]
        if self.rng.random() < self.manners.twice:
            replies = await asyncio.gather(*(person.press(hand, custom_id=custom_id, force=True) for _ in range(2)))
            for reply in replies:
                self._note(reply, "twice")
        else:
            self._note(await person.press(hand, custom_id=custom_id), "press")
        return True

    def _choose(self, hand: MessageView) -> tuple[str, str] | None:
        """What somebody presses of a hand: an act as a rule, else a card, else what turns the hand; the id, and the
        value where it is a list's."""
        doable = acts(hand)
        racing = {button.label: button.custom_id for button in doable}
        for first in (READY, DINNER):
            if first in racing:
                return racing[first], ""
        top = ON_TOP.search(hand.text)
        if top is not None and DRAW in racing:
            fitting = [custom_id for label, custom_id in racing.items() if label.split("±")[0].strip() in top.groups()]
            if fitting and self.rng.random() < 0.9:
                return self.rng.choice(fitting), ""
            return racing[DRAW] if self.rng.random() < 0.9 else self.rng.choice(list(racing.values())), ""
        picked = sum(is_picked(button.label) for button in hand.buttons)
        if doable and self.rng.random() < (0.5 if picked < MOST_PICKS else 0.95):
            return self.rng.choice(doable).custom_id, ""
        offers = _offers(hand)
        return self.rng.choice(offers) if offers else None

    async def _look(self, person: Person) -> None:
        reply = await person.press(self._board(), label=MY_CARDS)
        self._note(reply, "my cards")
        if not reply.failed and reply.message.buttons:
            self._hands[person] = reply.message

    # ------------------------------------------------------------------------------------ mishaps

    async def _mishap(self, present: Sequence[Person]) -> bool:
        """Now and then something that does not lead on; whether there was one."""
        manners, person = self.manners, self.rng.choice(present)
        chance = self.rng.random()
        for odds, act in (
            (manners.stale, self._press_what_is_gone),
            (manners.cards, lambda: self._look(person)),
            (manners.rules, lambda: self._read_rules(person)),
            (manners.onlooker, self._look_on),
            (manners.resign, lambda: self._resign(person, waver=True)),
        ):
            if chance < odds:
                await act()
                return True
            chance -= odds
        return False

    async def _press_what_is_gone(self) -> None:
        if self._gone:
            person, hand, custom_id = self.rng.choice(self._gone)
            self._note(await person.press(hand, custom_id=custom_id, force=True), "stale")

    async def _read_rules(self, person: Person) -> None:
        message = self._board()
        if message.find_button(RULES) is None:
            more = await self._open_more(person)
            if more is None:
                return
            message = more
        self._note(await person.press(message, label=RULES), "rules")

    async def _look_on(self) -> None:
        reply = await self.onlooker.press(self._board(), label=MY_CARDS)
        self._note(reply, "onlooker")
        if reply.text != say("match.not_seated"):
            raise AssertionError("somebody who does not play was shown something else than that")

    async def _resign(self, person: Person, *, waver: bool) -> None:
        board = self._board()
        if board.find_button(RESIGN) is None:
            more = await self._open_more(person)
            if more is None or more.find_button(RESIGN) is None:
                return
            board = more
        asked = await person.press(board, label=RESIGN)
        self._note(asked, "resign")
        if asked.failed or asked.message.find_button(RESIGN) is None:
            return
        stays = waver and self.rng.random() < self.manners.wavers
        label = say("button.stay") if stays else RESIGN
        self._note(await person.press(asked.message, label=label), "stayed" if stays else "resigned")

    async def _open_more(self, person: Person) -> MessageView | None:
        """What stands behind *More…* of a match that is on; None where it has just ended, or nothing came."""
        board = self._board()
        if board.find_button(REPLAY) is not None or board.find_button(MORE) is None:
            return None
        more = await person.press(board, label=MORE)
        self._note(more, "more")
        return None if more.failed else more.message

    # ------------------------------------------------------------------------------------ what is seen

    def _board(self) -> MessageView:
        """The board as it stands, wherever it was posted anew."""
        if self.board.deleted:
            mine = table_of(self.board)
            boards = [view for view in self.channel.messages if table_of(view) == mine and not view.content]
            self.board = boards[-1]
        return self.board

    def _note(self, reply: Reply, kind: str) -> None:
        self.presses[kind] += 1
        self.reply(reply, kind)


@dataclass
class PrivateTable(Table):
    """A match that one person plays alone against computers. Its hand is all that there is of it, and `/games` opens it
    again."""

    _ended: bool = False

    @property
    def over(self) -> bool:
        """Whether the list of the person's matches has it no more."""
        return self._ended

    @property
    def shows_end(self) -> bool:
        """Whether the last hand offers another match."""
        return self.board.find_button(REMATCH) is not None

    async def _open(self, person: Person) -> bool:
        """Open the hand by the list, unless the match is not there any more; whether the list came."""
        listed = await person.slash(self.channel, "games")
        self._note(listed, "games")
        if listed.failed:
            return False
        mine = table_of(self.board)
        opens = [custom_ids.read(button.custom_id)[1] for button in listed.message.buttons]
        found = next((press for press in opens if press.verb == "open" and press.arg == mine), None)
        if found is None:
            self._ended = True
            return True
        reply = await person.press(listed.message, custom_id=custom_ids.write("games", found))
        self._note(reply, "my cards")
        if not reply.failed and reply.message_or_none is not None:
            self._hands[person] = self.board = reply.message
        return True

    async def _look(self, person: Person) -> None:
        await self._open(person)

    async def _look_on(self) -> None:
        """Nobody else sees anything of it."""

    def _board(self) -> MessageView:
        return self.board


def is_begun(message: MessageView) -> bool:
    """Whether a message shows a match that is on: its board or, where one person plays alone, their hand."""
    return message.find_button(MORE if message.ephemeral else MY_CARDS) is not None


def table_of(message: MessageView) -> str:
    """What a message's buttons say they belong to; empty without any."""
    return next((custom_ids.read(button.custom_id)[0] for button in message.buttons), "")


def _offers(hand: MessageView) -> list[tuple[str, str]]:
    """All that can be pressed on a hand: the id, and the value where it is a list's."""
    buttons = [button for button in (*acts(hand), *picks(hand)) if not is_picked(button.label)]
    turning = [button for button in turns(hand) if verb(button) == "o"] or (turns(hand) if not buttons else [])
    lists = [
        (select.custom_id, option.value)
        for select in hand.selects
        if not select.disabled
        for option in select.options
        if not is_picked(option.label)
    ]
    return [*((button.custom_id, "") for button in (*buttons, *turning)), *lists]

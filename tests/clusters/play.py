"""Matches in the servers of several processes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, MessageView, Person, Reply, Sandbox, Server
from tests.end_to_end.players import acts, picks, shows_picked
from tests.wrapped_text import unwrapped

GAME = "haymaker"
TRIES = 100
SEATED_WITHIN = 20.0
PAUSE = 0.2
"""Seconds after which a person presses again."""
ANSWERED_WITHIN = 6.0
"""Seconds from a deferral to the answer: the store waits for five."""
_say = translations("en")
NOT_CONFIRMED = tuple(_say(key) for key in ("store.busy", "store.unsaved", "store.unsettled"))
"""What stands in answers that confirm nothing."""


@dataclass(frozen=True, slots=True)
class Act:
    """A button that makes a move, about to be pressed."""

    person: Person
    hand: MessageView
    custom_id: str

    async def press(self) -> Reply:
        """Press it. A second press is one that a person makes after the first has failed."""
        return await self.person.press(self.hand, custom_id=self.custom_id, force=True)

    async def is_confirmed(self) -> bool:
        """Press it; whether an answer comes, and isn't that it couldn't be saved."""
        before = self.hand.text
        reply = await self.press()
        if reply.failed:
            return False
        if reply.kind.startswith("deferred") and not await self._is_changed(before):
            return False
        return not any(words in unwrapped(reply.text) for words in NOT_CONFIRMED)

    async def _is_changed(self, before: str) -> bool:
        """Whether the hand shows something else in time, after a deferral."""
        for _ in range(int(ANSWERED_WITHIN / PAUSE)):
            if self.hand.text != before:
                return True
            await asyncio.sleep(PAUSE)
        return False

    async def press_until_confirmed(self) -> None:
        """Press it again and again until it is confirmed."""
        for _ in range(TRIES):
            if await self.is_confirmed():
                return
            await asyncio.sleep(PAUSE)
        raise AssertionError("the press was never confirmed")


class Table:
    """Two people with a match in a server. `confirmed` counts the moves that the bot has answered."""

    def __init__(
        self,
        sandbox: Sandbox,
        server: Server,
        *,
        clock: str = "daily",
        channel: str = "lobby",
        people: tuple[str, str] = ("Alice", "Bob"),
    ) -> None:
        self._sandbox = sandbox
        self.server = server
        self.channel: DrivenChannel = sandbox.channel(channel, server=server.name)
        self.people: tuple[Person, Person] = (sandbox.user(people[0]), sandbox.user(people[1]))
        self._clock = clock
        self._board: MessageView | None = None
        self.confirmed = 0

    @property
    def board(self) -> MessageView:
        """The match's board."""
        if self._board is None:
            raise RuntimeError("nobody sits here yet")
        return self._board

    async def sit_down(self) -> None:
        """Begin a match. On a busy machine the bot defers, and what it posts comes later."""
        host, guest = self.people
        await host.slash(self.channel, f"{GAME} challenge", opponent=guest, clock=self._clock)
        await guest.press(await self._newest_with("Accept"), label="Accept")
        self._board = await self._newest_with("My cards")

    async def _newest_with(self, label: str) -> MessageView:
        """The newest message with a button, once there is one."""
        found: list[MessageView] = []

        def find() -> bool:
            found[:] = [each for each in self.channel.messages if label in each.labels]
            return bool(found)

        await self._sandbox.wait_for(find, SEATED_WITHIN)
        return found[-1]

    async def next_act(self) -> Act:
        """The next move: whoever is on turn has opened their hand and picked a card."""
        for _ in range(TRIES):
            for person in self.people:
                reply = await person.press(self.board, label="My cards")
                if reply.failed or reply.visibility != "ephemeral":
                    continue
                hand = reply.message
                unpicked = [each for each in picks(hand) if not shows_picked(each)]
                if unpicked and not acts(hand):
                    await person.press(hand, custom_id=unpicked[0].custom_id)
                if acts(hand):
                    return Act(person, hand, acts(hand)[0].custom_id)
            await asyncio.sleep(0.05)
        raise AssertionError(f"nobody can act in {self.server.name}")

    async def move(self) -> None:
        """One move, pressed until it is confirmed."""
        await (await self.next_act()).press_until_confirmed()
        self.confirmed += 1

    async def play(self) -> None:
        """Move again and again until cancelled, in a match whose board is there or comes soon."""
        self._board = await self._newest_with("My cards")
        while True:
            await self.move()

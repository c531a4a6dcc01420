"""The start of a large round: ``python -m tests.bench.tournaments [--brief]``.

64 people join a tournament, and its first round begins with the last of them: 32 matches, on a Discord that enforces
its limits. All of them ask `/tournament me` over and over. Printed are the seconds from the last press on *Join* until
everybody was offered their cards, the slowest of these answers, and the seconds until each match has its board in the
channel. Then all give up, as fast as they can, and the edits of the one message with the standings are counted beside
the matches that ended. The exit code is 1 if somebody found their match later than `GOAL`, or if there were more edits
than ends. What boards wait for is Discord's limit: five posts in five seconds in a channel.
"""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import dataclass, field
from typing import Final

from bot.ui.catalogue import translations
from cogs.screens import custom_ids
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from tests.bench.house import opened, until
from tests.bench.sizes import sized
from tests.soak.report import Load, measured

PLAYERS: Final = sized(64, brief=8)
GOAL: Final = 5.0
"""Seconds in which everybody finds their match."""
LATEST: Final = 180.0
"""Seconds that anything is waited for."""
POLL: Final = 0.2
NAMES: Final = [f"Player {number}" for number in range(1, PLAYERS + 1)]
WORLD: Final = {
    "people": [{"name": name} for name in NAMES],
    "servers": [{"name": "Server", "owner": NAMES[0], "members": NAMES, "channels": [{"name": "hall"}]}],
}

say = translations("en")
JOIN, MY_CARDS = (say(f"button.{key}") for key in ("join", "my_cards"))


@dataclass
class Night:
    """A tournament, as its channel tells of it."""

    sandbox: Sandbox
    channel: DrivenChannel
    waits: list[float] = field(default_factory=list)
    """Seconds that answers to `/tournament me` took, once the round was due."""

    @property
    def message(self) -> MessageView:
        """The message of the tournament."""
        title = f"### {say('tournament.title', game='Haymaker')}"
        return [each for each in self.channel.messages if title in each.text][-1]

    def boards(self) -> dict[str, MessageView]:
        """The boards that are there, by match."""
        found = {}
        for each in self.channel.messages:
            if each.text.startswith("### ") and each.find_button(MY_CARDS) is not None:  # a notice has the button too
                found[custom_ids.read(each.button(MY_CARDS).custom_id)[0]] = each
        return found

    async def open(self) -> None:
        """Open a tournament that all but one have joined."""
        host, people = self.sandbox.people[0], self.sandbox.people[:-1]
        panel = await host.slash(self.channel, "tournament new", game="haymaker", clock="relaxed", players=PLAYERS)
        await host.press(panel.message, label=say("tournament.open"))
        await self.sandbox.wait_for(lambda: any(JOIN in each.labels for each in self.channel.messages), LATEST)
        await asyncio.gather(*(person.press(self.message, label=JOIN) for person in people))

    async def find_cards(self, person: Person) -> None:
        """Have somebody ask where their match is until they are offered its cards."""
        while True:
            asked = time.perf_counter()
            reply = await person.slash(self.channel, "tournament me")
            self.waits.append(time.perf_counter() - asked)
            if reply.message_or_none is not None and MY_CARDS in reply.message.labels:
                return
            await asyncio.sleep(POLL)

    async def give_up(self, match_id: str, board: MessageView) -> None:
        """Have somebody of a match resign."""
        person = next(each for each in self.sandbox.people if f"**{each.name}**" in board.text)
        await person.press(board, custom_id=f"g1:{match_id}:0:leave", force=True)


async def measure(load: Load) -> None:
    """Play a round."""
    async with opened(WORLD, transcript_entries=100_000) as house, asyncio.timeout(2 * LATEST):
        sandbox, matches = house.sandbox, PLAYERS // 2
        sandbox.rate_limits.enforced = True
        await house.bot().start()
        night = Night(sandbox, sandbox.channel("hall"))
        await night.open()
        began = time.perf_counter()
        await sandbox.people[-1].press(night.message, label=JOIN)
        await asyncio.gather(*map(night.find_cards, sandbox.people))
        found = time.perf_counter() - began
        await until(lambda: len(night.boards()) == matches, LATEST)
        shown = time.perf_counter() - began
        boards, before = night.boards(), len(sandbox.transcript.requests)
        await asyncio.gather(*(night.give_up(*each) for each in boards.items()))
        waiting = say("tournament.next_round", when="|").split("|")[0]
        await sandbox.wait_for(lambda: waiting in night.message.text, LATEST)
        asked = sandbox.transcript.requests[before:]
        edits = sum(each.method == "PATCH" and each.path.endswith(f"/{night.message.id}") for each in asked)
        load.figures += [
            f"{matches} matches: everybody finds theirs within {found:.1f} s",
            f"slowest answer {max(night.waits):.2f} s of {len(night.waits)}",
            f"all boards are there after {shown:.1f} s",
            f"{edits} edits of one message for {matches} ends",
            f"{sum(each.status == 429 for each in sandbox.transcript.requests)} requests refused by limits",
        ]
        load.most(found, GOAL, "seconds until everybody finds their match")
        load.expect(edits <= matches, "the message was edited more often than matches ended")


if __name__ == "__main__":
    sys.exit(measured("tournaments", measure))

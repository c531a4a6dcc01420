"""The start of a large round: ``python -m tests.bench.tournaments [--brief]``.

64 people join a tournament, and its first round begins with the last of them: 32 matches, on a Discord that enforces
its limits. All of them ask `/tournament me` over and over. Printed are the seconds from the last press on *Join* until
all 32 matches are saved and until everybody was offered their cards, the slowest of these answers, and the seconds
until each match has its board in the channel. Then all give up, as fast as they can, and the edits of the one message
with the standings are counted beside the matches that ended.

The bot is a process of its own, with its database on a disk; the sandbox and the people are in this one. The baseline
is what Discord's limits allow: five posts in five seconds in a channel.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bot.ui.catalogue import translations
from cogs.screens import custom_ids
from discord_sandbox import DrivenChannel, Exchange, MessageView, Person, Reply, Sandbox
from tests.bench.processes import cpu_seconds
from tests.bench.sizes import sized
from tests.end_to_end.process import bot_process

PLAYERS: Final = sized(64, brief=8)
GOAL: Final = 5.0
"""Seconds in which all matches of a round are in play, and everybody finds theirs."""
POSTS_A_SECOND: Final = 1.0
"""How often Discord lets a bot post in a channel."""
LATEST: Final = 180.0
"""Seconds that anything is waited for."""
POLL: Final = 0.2

say = translations("en")
JOIN, MY_CARDS, MORE = (say(f"button.{key}") for key in ("join", "my_cards", "more"))


@dataclass
class Night:
    """A tournament, as its channel and its database tell of it."""

    sandbox: Sandbox
    folder: Path
    channel: DrivenChannel
    pid: int
    """Of the bot's process."""
    people: Sequence[Person]
    waits: list[float] = field(default_factory=list)
    """Seconds that answers to `/tournament me` took, once the round was due."""

    @property
    def message(self) -> MessageView:
        """The message of the tournament."""
        title = f"### {say('tournament.title', game='Haymaker')}"
        return [each for each in self.channel.messages if title in each.text][-1]

    def started(self) -> int:
        """How many matches are saved as begun, as another program reads it."""
        with closing(sqlite3.connect(f"file:{self.folder / 'cardroom.db'}?mode=ro", uri=True)) as db:
            (count,) = db.execute("SELECT count(*) FROM matches").fetchone()
        return int(count)

    def boards(self) -> dict[str, MessageView]:
        """The boards that are there, by match."""
        found = {}
        for each in self.channel.messages:
            if each.text.startswith("### ") and each.find_button(MY_CARDS) is not None:  # a notice has the button too
                found[custom_ids.read(each.button(MY_CARDS).custom_id)[0]] = each
        return found

    def asked(self) -> list[Exchange]:
        """What the bot asked of the channel's messages."""
        return [each for each in self.sandbox.transcript.requests if f"/channels/{self.channel.id}/" in each.path]

    async def open(self) -> None:
        """Open it, and have all but one join."""
        panel = await self.people[0].slash(
            self.channel, "tournament new", game="haymaker", clock="relaxed", players=PLAYERS
        )
        await self.people[0].press(panel.message, label=say("tournament.open"))
        await self.sandbox.wait_for(lambda: any(JOIN in each.labels for each in self.channel.messages), LATEST)
        await asyncio.gather(*(person.press(self.message, label=JOIN) for person in self.people[:-1]))

    async def find_cards(self, person: Person) -> Reply:
        """Have somebody ask where their match is until they are offered its cards."""
        while True:
            asked = time.perf_counter()
            reply = await person.slash(self.channel, "tournament me")
            self.waits.append(time.perf_counter() - asked)
            if reply.message_or_none is not None and MY_CARDS in reply.message.labels:
                return reply
            await asyncio.sleep(POLL)

    async def until(self, count: int, found: int) -> int:
        """Wait a moment, unless this many are found."""
        if found < count:
            await asyncio.sleep(POLL / 4)
        return found


async def measure(folder: Path) -> int:
    """Play a round, print its figures, and return 1 if the message was edited more often than matches ended."""
    names = [f"Player {number}" for number in range(1, PLAYERS + 1)]
    plan = {
        "people": [{"name": name} for name in names],
        "servers": [{"name": "Server", "owner": names[0], "members": names, "channels": [{"name": "hall"}]}],
    }
    async with Sandbox.running(plan, transcript_entries=100_000) as sandbox, bot_process(sandbox, folder) as bot:
        sandbox.rate_limits.enforced = True
        night = Night(sandbox, folder, sandbox.channel("hall"), bot.pid, sandbox.people)
        async with asyncio.timeout(2 * LATEST):
            await night.open()
            return await _round(night)


async def _round(night: Night) -> int:
    matches = PLAYERS // 2
    began, cpu = time.perf_counter(), cpu_seconds(night.pid)
    await night.people[-1].press(night.message, label=JOIN)
    finding = asyncio.gather(*map(night.find_cards, night.people))
    while await night.until(matches, night.started()) < matches:
        pass
    in_play = time.perf_counter() - began
    cpu = cpu_seconds(night.pid) - cpu
    await finding
    found = time.perf_counter() - began
    while await night.until(matches, len(night.boards())) < matches:
        pass
    boards = time.perf_counter() - began
    slowest = max(night.waits)
    met = max(in_play, found) <= GOAL
    print(f"{matches} matches of {PLAYERS} people")
    print(f"all in play                 {in_play:>6.2f} s, in which the bot had {cpu:.2f} s of a processor")
    print(f"everybody finds their match {found:>6.2f} s; goal {GOAL:.0f} s {'met' if met else 'MISSED'}")
    print(f"slowest answer              {slowest:>6.2f} s of {len(night.waits)}")
    limit, posted = matches / POSTS_A_SECOND, sum(each.method == "POST" for each in night.asked())
    print(f"all boards are there        {boards:>6.2f} s, {posted} posts; Discord's limit allows {limit:.0f} s")
    coalesced = await _end(night, matches)
    return 0 if coalesced else 1


async def _end(night: Night, matches: int) -> bool:
    """Have all matches end, and count the edits of the message. Returns whether there was no more than one an end."""
    message, boards = night.message, night.boards()
    path, before = f"/messages/{message.id}", len(night.asked())
    began = time.perf_counter()

    async def resign(match_id: str, board: MessageView) -> None:
        for person in night.people:
            if f"**{person.name}**" in board.text:
                await person.press(board, custom_id=f"g1:{match_id}:0:leave", force=True)
                return

    await asyncio.gather(*(resign(*each) for each in boards.items()))
    waiting = say("tournament.next_round", when="|").split("|")[0]
    await night.sandbox.wait_for(lambda: waiting in night.message.text, LATEST)
    shown = time.perf_counter() - began
    asked = night.asked()[before:]
    edits = sum(each.method == "PATCH" and each.path.endswith(path) for each in asked)
    refused = sum(each.status == 429 for each in night.sandbox.transcript.requests)
    print(f"standings, after all ended  {shown:>6.2f} s, {edits} edits of one message for {matches} ends")
    print(f"refused by Discord's limits {refused:>6}")
    return edits <= matches


def main() -> int:
    """Print the figures; the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(measure(Path(folder)))


if __name__ == "__main__":
    sys.exit(main())

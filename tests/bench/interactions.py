"""What a press costs and how fast it is answered: ``python -m tests.bench.interactions [GAME …] [--turns N]``.

Matches of every game are played through discord.py on the sandbox, by 16 tables at once (and by 1 of the first game),
beside a bot that only says "pong", one that makes as many requests as ours by the library's own ways, and ours in a
server that wants its boards in text instead of pictures. Each bot is a process of its own on a sandbox of its own; the
sandboxes and the people are in this one. The bots take turns of less than a second, so that whatever slows the machine
down slows all.

What is compared is the processor's time that the bot's process takes for a press, all its threads together. Rates and
waits stand beside it: they are of the sandbox as much as of the bot.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from statistics import mean, median

from bot.play.server_settings import BOARD_FORM, BoardForm
from discord_sandbox import DrivenChannel, Entry, Exchange, JsonObject, Reply, Sandbox
from engines import GAMES
from tests.bench.house import House, opened
from tests.bench.processes import CpuMeter
from tests.bench.sizes import BRIEF, sized
from tests.bench.tables import Table

MANY = 16
CHANNELS = 8
TURNS = sized(12, brief=1)
SECONDS = sized(0.5, brief=0.1)
WARMING = sized(2, brief=1)
"""How many turns are not counted, before the others."""
PAUSE = 0.01
"""Seconds until the next look at a table where nobody has anything to press, as while a race counts down."""
GOAL = 1.6
"""How many times the bare bot's CPU time a press may cost."""
OURS = ("Cardroom", "boards in text")
OTHERS = {"bare discord.py": "tests.bench.bare_bot", "same requests": "tests.bench.library_bot"}

Act = Callable[[], Awaitable[tuple[str, Reply] | None]]


@dataclass(slots=True)
class Turn:
    """What so many people at once got from one bot in a moment, and the CPU seconds that it took for it."""

    seconds: float = 0.0
    cpu: float = 0.0
    waits: list[float] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    requests: int = 0

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.waits) / self.seconds

    @property
    def cpu_a_press(self) -> float:
        """CPU seconds of the bot's process for each press."""
        return self.cpu / len(self.waits)


@dataclass(slots=True)
class Bot:
    """A bot that is measured: what presses it, and how it is watched."""

    name: str
    acts: Sequence[Act]
    meter: CpuMeter
    requests: Counter[str]
    turns: list[Turn] = field(default_factory=list)


FOR_TWO = tuple(key for key, game in GAMES.items() if 2 in game.info.seats)
"""The games that can be measured: at each table sit two."""


class Unanswered(RuntimeError):  # noqa: N818  named for what it is
    """Raised when a press failed: figures of a bot that does not answer mean nothing."""


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.interactions", description="What a press costs.")
    parser.add_argument("games", nargs="*", metavar="GAME", default=[*FOR_TWO], help=f"all of {', '.join(FOR_TWO)}")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"turns of each bot for each figure, {TURNS} if none")
    parser.add_argument(BRIEF, action="store_true", help="only that it runs: the figures mean little")
    given = parser.parse_args(argv)
    unknown = set(given.games) - set(FOR_TWO)
    if unknown:
        parser.error(f"there is no game for two called {', '.join(sorted(unknown))}")
    asyncio.run(compare(given.games, given.turns))
    return 0


async def compare(games: Sequence[str], count: int) -> None:
    """All bots in turns, game by game."""
    async with AsyncExitStack() as stack:
        ours, in_text, bare, library = [await stack.enter_async_context(opened(_world())) for _ in range(4)]
        cardroom, texts = [await _begun(name, house) for name, house in zip(OURS, (ours, in_text), strict=True)]
        await _want_text(in_text.sandbox)
        others = []
        for (name, module), house in zip(OTHERS.items(), (bare, library), strict=True):
            other = await _begun(name, house, module)
            await house.sandbox.wait_for(partial(_has_boards, house.sandbox))
            other.acts = [_bell(house.sandbox, number) for number in range(MANY)]
            others.append(other)
        ratios = []
        for game in games:
            for bot, house in ((cardroom, ours), (texts, in_text)):
                bot.acts = [_match(house.sandbox, number, game) for number in range(MANY)]
            for people in (1, MANY) if game == games[0] else (MANY,):
                await _turns([*others, texts, cardroom], people, count)
                ratio = _report(game, people, cardroom, (*others, texts))
                ratios += [ratio] if people == MANY else []
        print(f"all games, {MANY} at once: a press costs {mean(ratios):.2f} of bare's CPU time (goal {GOAL})")


async def _begun(name: str, house: House, module: str = "bot") -> Bot:
    """A bot that has started."""
    process = house.bot(module, CARDROOM_MAX_MATCHES_PER_CHANNEL="1000", CARDROOM_MAX_MATCHES_PER_PLAYER="1000")
    await process.start()
    return Bot(name, (), CpuMeter(process.pid), _requests(house.sandbox))


async def _want_text(sandbox: Sandbox) -> None:
    """Have the server's boards in text."""
    person, option = sandbox.people[0], f"{BOARD_FORM}.{BoardForm.TEXT}"
    screen = (await person.slash(_channel(sandbox, 0), "settings")).message
    (control,) = [each for each in screen.selects if option in [offered.value for offered in each.options]]
    await person.select(screen, custom_id=control.custom_id, values=[option])


def _has_boards(sandbox: Sandbox) -> bool:
    return all(_channel(sandbox, number).messages for number in range(CHANNELS))


def _requests(sandbox: Sandbox) -> Counter[str]:
    """All requests of a sandbox's bot from now on, by their method."""
    made: Counter[str] = Counter()

    def hear(entry: Entry) -> None:
        if isinstance(entry, Exchange):
            made[entry.method] += 1

    sandbox.transcript.listen(hear)
    return made


def _world() -> JsonObject:
    people = [f"Player {number}" for number in range(2 * MANY)]
    channels = [f"table-{number}" for number in range(CHANNELS)]
    return {
        "people": [{"name": name} for name in people],
        "servers": [{"name": "Cardroom", "channels": [{"name": name} for name in channels]}],
    }


def _channel(sandbox: Sandbox, number: int) -> DrivenChannel:
    return sandbox.channel(f"table-{number % CHANNELS}")


def _match(sandbox: Sandbox, number: int, game: str) -> Act:
    """A table at which two play match after match."""
    return Table(sandbox.people[2 * number : 2 * number + 2], _channel(sandbox, number), number, game).play


def _bell(sandbox: Sandbox, number: int) -> Act:
    """A button that one presses again and again."""
    person, message = sandbox.people[number], _channel(sandbox, number).last

    async def ring() -> tuple[str, Reply]:
        return "pongs", await person.press(message, label="My cards")

    return ring


async def _turns(bots: Sequence[Bot], people: int, count: int) -> None:
    """Let the bots take turns, and keep those after the first ones."""
    for bot in bots:
        bot.turns = []
    for _ in range(WARMING + count):
        for bot in bots:
            bot.turns.append(await _turn(bot, people))
    for bot in bots:
        bot.turns = bot.turns[WARMING:]


async def _turn(bot: Bot, people: int) -> Turn:
    """Everybody at once, each as soon as they are answered; until as many presses as people were answered, at least."""
    gc.collect()
    gc.freeze()  # the sandbox's own pauses are not what is measured
    turn = Turn()
    begun = time.perf_counter()
    bot.meter.lap()
    before = bot.requests.total()
    await asyncio.gather(*(_keep_at_it(act, turn, begun + SECONDS, people) for act in bot.acts[:people]))
    turn.cpu = bot.meter.lap()
    turn.seconds = time.perf_counter() - begun
    turn.requests = bot.requests.total() - before
    return turn


async def _keep_at_it(act: Act, turn: Turn, end: float, least: int) -> None:
    while time.perf_counter() < end or len(turn.waits) < least:
        made = await act()
        if made is None:
            await asyncio.sleep(PAUSE)
            continue
        kind, reply = made
        if reply.failed:
            raise Unanswered(f"one of the {kind}: {reply.reason}")
        turn.waits.append(reply.elapsed)
        turn.kinds[kind] += 1


def _report(game: str, people: int, ours: Bot, others: Sequence[Bot]) -> float:
    """Print what was measured; a press's CPU time as a multiple of the bare bot's."""
    kinds = sum((one.kinds for one in ours.turns), Counter[str]())
    mix = ", ".join(f"{count / kinds.total():.0%} {kind}" for kind, count in kinds.most_common())
    costs = {other.name: _times(ours, other, lambda turn: turn.cpu_a_press) for other in others}
    bare, library, texts = others
    rate = _times(ours, bare, lambda turn: turn.rate)
    print(f"{game}, {people} at once: {kinds.total()} presses, {mix}")
    for bot in (*others, ours):
        print(_figures(bot))
    print(
        f"  Cardroom took {costs[bare.name]:.2f} of bare's CPU time, {costs[library.name]:.2f} of that for the same "
        f"requests, {costs[texts.name]:.2f} of that with boards in text, and had {rate:.2f} of bare's rate",
        flush=True,
    )
    return costs[bare.name]


def _times(ours: Bot, other: Bot, figure: Callable[[Turn], float]) -> float:
    """The median, over the turns, of our figure as a multiple of the other's beside it."""
    return median(figure(one) / figure(beside) for one, beside in zip(ours.turns, other.turns, strict=True))


def _figures(bot: Bot) -> str:
    """One line: the medians of the turns' CPU time and rates, and percentiles (nearest rank) of all waits for a first
    response."""
    turns = bot.turns
    waits = sorted(wait * 1000 for turn in turns for wait in turn.waits)
    middle, late = (waits[len(waits) * percent // 100] for percent in (50, 99))
    cpu = 1000 * median(turn.cpu_a_press for turn in turns)
    rate = median(turn.rate for turn in turns)
    requests = sum(turn.requests for turn in turns) / len(waits)
    return (
        f"  {bot.name:<16} {cpu:>6.3f} ms of CPU a press  {requests:.2f} requests a press  {rate:>6.0f} answers/s  "
        f"p50 {middle:>6.2f} ms  p99 {late:>6.2f} ms"
    )


if __name__ == "__main__":
    sys.exit(main())

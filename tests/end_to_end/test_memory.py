"""People, servers, channels, matches and tournaments come and go, and nothing of them stays in memory but what has a
bound."""

from __future__ import annotations

import gc
import tracemalloc
from collections import Counter, deque
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from bot import kept
from bot.play.matchmaking.invitations import Presence
from cogs.updates.token_edits import TOKEN_SECONDS
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.players import ENGLISH, challenge, press_where_it_is, resign
from tests.end_to_end.test_tournaments import JOIN, MORE, opened

ROOT = Path(__file__).parents[2]
HALF = 12
SERVERS = 8
SMALL = 8
FEW = 4
"""What may be more by chance: a request under way, a message that is still being edited."""
MOST_BYTES_A_MATCH = 6000
"""That the bot's own modules may have allocated in a match and that is still held. Most of it are parts of dictionaries
that the interpreter has used again, for what the sandbox remembers of a match."""
CALL_OFF = ENGLISH("tournament.call_off")
MATCHES = 2 * HALF + SMALL
PEOPLE = [f"Player {number}" for number in range(2 * MATCHES)]
WORLD: dict[str, Any] = {
    "people": [{"name": name} for name in PEOPLE],
    "servers": [
        {
            "name": f"Server {server}",
            "channels": [{"name": f"channel-{server}-{each}"} for each in range(MATCHES // SERVERS)],
        }
        for server in range(SERVERS)
    ],
}


def small_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make what has a bound full after a few matches, and forget remembered results."""
    gc.collect()
    for each in kept.all_kept():
        if each.most is not None:
            for bound in ("most", "own"):
                monkeypatch.setattr(each, bound, SMALL)
            each.keep_only(lambda _: False)
    forget_results()


def forget_results() -> None:
    """Forget the results that functions remember up to a bound."""
    for function in kept.remembering().values():
        if kept.bound_of(function) is not None:
            function.cache_clear()


async def play(sandbox: Sandbox, room: Cardroom, matches: Iterator[int]) -> None:
    """Matches of people who have not played before, all over the servers and channels."""
    for number in matches:
        host, guest = (sandbox.user(PEOPLE[2 * number + each]) for each in range(2))
        server, channel = number % SERVERS, number // SERVERS
        place = sandbox.channel(f"channel-{server}-{channel}", server=f"Server {server}")
        board = await challenge(host, guest, place)
        await press_where_it_is(host, board, "My cards")
        await resign(guest, board)
        assert not len(room.app.matches)


async def settled(room: Cardroom) -> None:
    """Wait until nothing is under way, and tokens have expired."""
    room.pass_time(2 * TOKEN_SECONDS)
    await eventually(room.is_quiet)
    forget_results()
    gc.collect()


def lengths() -> Counter[str]:
    """How many objects there are of each class of ours, how long the collections are that they hold, by class and
    attribute, and how many results functions remember without a bound."""
    found = Counter({each.name: each.size for each in kept.counts() if each.name in kept.remembering()})
    for each in gc.get_objects():
        kind = type(each)
        if kind.__module__.partition(".")[0] not in kept.PACKAGES or isinstance(each, kept.Kept | Enum):
            continue
        found[kind.__qualname__] += 1
        names = {name for base in kind.__mro__ for name in getattr(base, "__slots__", ())} | {
            *getattr(each, "__dict__", ())
        }
        for name in names:
            value = getattr(each, name, None)
            if isinstance(value, dict | list | set | deque):
                found[f"{kind.__qualname__}.{name}"] += len(value)
    return found


def held() -> int:
    """The bytes that modules of the bot have allocated while that was traced, and that are held."""
    ours = [tracemalloc.Filter(True, f"{ROOT}/{package}/*") for package in kept.PACKAGES]
    return sum(trace.size for trace in tracemalloc.take_snapshot().filter_traces(ours).traces)


def grown(before: Counter[str]) -> dict[str, int]:
    """What is longer or more than it was, by more than chance."""
    return {name: more for name, more in (lengths() - before).items() if more >= FEW}


@pytest.fixture
def others() -> list[kept.Kept[Any, Any]]:
    """What bots of other tests have kept in this process, and may still keep."""
    return kept.all_kept()


def kept_beside(others: list[kept.Kept[Any, Any]]) -> list[kept.Kept[Any, Any]]:
    """What the bot of this test keeps."""
    foreign = {id(each) for each in others}
    return [each for each in kept.all_kept() if id(each) not in foreign]


@pytest.mark.nightly  # dozens of matches, half of them traced
async def test_the_second_half_of_many_matches_leaves_nothing_behind_and_a_dictionary_that_grows_is_found(
    tmp_path: Path, others: list[kept.Kept[Any, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Sandbox.running(WORLD) as sandbox, cardroom(sandbox, tmp_path) as room:
        # The second half leaves nothing behind.
        small_bounds(monkeypatch)
        await play(sandbox, room, iter(range(HALF // 2)))
        tracemalloc.start()
        try:
            await play(sandbox, room, iter(range(HALF // 2, HALF)))
            await settled(room)
            before, bytes_before = lengths(), held()
            await play(sandbox, room, iter(range(HALF, 2 * HALF)))
            await settled(room)
            assert grown(before) == {}
            assert held() - bytes_before < MOST_BYTES_A_MATCH * HALF
        finally:
            tracemalloc.stop()
        assert [each.name for each in kept_beside(others) if each.most is not None and len(each) > each.most] == []
        unbounded = {each.name: len(each) for each in kept_beside(others) if each.most is None and len(each) > FEW}
        assert unbounded == {"servers": SERVERS}

        # What grows with the matches is found.
        monkeypatch.setattr(Presence, "forget", lambda *_: None)
        before = lengths()
        await play(sandbox, room, iter(range(2 * HALF, MATCHES)))
        await settled(room)
        assert grown(before) == {"Presence._pressed": SMALL}


async def call_off(sandbox: Sandbox, room: Cardroom, tournaments: Iterator[int]) -> None:
    """Tournaments that somebody joins, and that their hosts call off."""
    lobby = sandbox.channel("channel-0-0")
    for number in tournaments:
        host, guest = (sandbox.user(PEOPLE[2 * number + each]) for each in range(2))
        message = await opened(sandbox, host, lobby)
        await guest.press(message, label=JOIN)
        asked = await press_where_it_is(host, (await host.press(message, label=MORE)).message, CALL_OFF)
        assert ENGLISH("tournament.called_off") in (await host.press(asked.message, label=CALL_OFF)).text
        await eventually(room.is_quiet)


async def test_tournaments_that_are_over_leave_nothing_behind(
    tmp_path: Path, others: list[kept.Kept[Any, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    world = {**WORLD, "servers": WORLD["servers"][:1]}
    async with Sandbox.running(world) as sandbox, cardroom(sandbox, tmp_path) as room:
        small_bounds(monkeypatch)
        await call_off(sandbox, room, iter(range(2 * SMALL)))
        await settled(room)
        before = lengths()
        await call_off(sandbox, room, iter(range(2 * SMALL, 2 * SMALL + FEW)))
        await settled(room)
        assert grown(before) == {}
        assert [each.name for each in kept_beside(others) if each.most is not None and len(each) > each.most] == []

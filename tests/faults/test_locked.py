"""F-4: another program keeps the database locked for longer than Discord waits for an answer.

Discord's three seconds are real here, and so is what the store waits. Whoever presses gets one first response
in time, in private, and then the answer; what is meant for one person never comes to stand in public.
"""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.ui.catalogue import translations
from bot.ui.screen import Press
from cogs.screens import custom_ids
from discord_sandbox import DrivenChannel, Exchange, MessageView, Permission, Person, Reply, Sandbox
from tests.bot.store.failing_disk import locked_by_another
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import (
    CALL_OFF_ASKED,
    asked_first,
    challenge,
    hand_of,
    is_picked,
    picks,
    press_where_it_is,
)
from tests.wrapped_text import unwrapped

pytestmark = pytest.mark.real_time

say = translations("en")

SHORT = 3.3
"""Seconds of a lock that the store waits out."""
LONG = 4.0
"""Seconds of one that it does not."""
PATIENCE = 3200
"""Milliseconds that it waits then, instead of 5000."""


@asynccontextmanager
async def locked(folder: Path, seconds: float) -> AsyncIterator[None]:
    """Another process with the database locked; the block's end waits until it has let go."""
    with locked_by_another(folder / "cardroom.db") as other:

        async def let_go() -> None:
            await asyncio.sleep(seconds)
            assert other.stdin is not None
            other.stdin.write("\n")
            other.stdin.flush()

        letting_go = asyncio.create_task(let_go())
        try:
            yield
            await letting_go
        finally:
            letting_go.cancel()


def first_responses(sandbox: Sandbox) -> list[Exchange]:
    """The first responses the bot has tried to give."""
    return [each for each in sandbox.transcript.requests if each.path.endswith("/callback")]


def ticked(hand: MessageView) -> list[str]:
    return [label for label in hand.labels if is_picked(label)]


async def ready_to_attack(people: list[Person], board: MessageView) -> tuple[Person, MessageView]:
    """The attacker, with a card picked."""
    attacker, hand, _, _ = await asked_first(people, board)
    await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    return attacker, hand


class Evening:
    """What is under way before the lock: a match, a challenge, two tables, a panel, a match that is over."""

    def __init__(self, sandbox: Sandbox, room: Cardroom) -> None:
        self.sandbox = sandbox
        self.lobby = sandbox.channel("lobby")
        self.games: DrivenChannel = sandbox.channel("games")
        self.people = sandbox.people
        self.room = room

    async def begin(self) -> None:
        alice, bob, carol, dave, erin, frank = self.people
        self.board = await challenge(alice, bob, self.lobby)
        (self.match,) = self.room.app.matches.live()
        self.attacker, self.hand = await ready_to_attack([alice, bob], self.board)
        self.fresh = await challenge(alice, carol, self.lobby)
        self.asked = (await carol.slash(self.lobby, "haymaker challenge", opponent=dave)).message
        self.table = (await erin.slash(self.lobby, "champions open")).message
        self.panel = (await frank.context_menu(self.lobby, "Challenge…", alice)).message
        self.over = await challenge(dave, erin, self.games)
        await dave.press((await press_where_it_is(dave, self.over, "Resign")).message, label="Resign")
        await self.sandbox.wait_for(lambda: "Rematch" in self.over.labels)

    async def press_everywhere(self, *but: str) -> dict[str, Reply]:
        """Press everything at once but these; what came first for each."""
        alice, bob, carol, dave, erin, frank = self.people
        match, _ = custom_ids.read(self.fresh.buttons[0].custom_id)
        call_off = custom_ids.write(match, Press("calloff"))  # on *More…* it would be another press before
        presses = {
            "attack": self.attacker.press(self.hand, label="Attack"),
            "call off": carol.press(self.fresh, custom_id=call_off, force=True),
            "accept": dave.press(self.asked, label="Accept"),
            "join": bob.press(self.table, label="Join"),
            "send": frank.press(self.panel, label="Send the challenge"),
            "rematch": erin.press(self.over, label="Rematch"),
            "open": erin.slash(self.games, "ciq open"),
            "export": alice.slash(self.games, "mydata export"),
            "leaderboard": bob.slash(self.games, "leaderboard"),
        }
        for left in but:
            presses.pop(left).close()
        replies = await asyncio.gather(*presses.values())
        return dict(zip(presses, replies, strict=True))


@pytest.fixture
async def evening(sandbox: Sandbox, room: Cardroom) -> Evening:
    evening = Evening(sandbox, room)
    await evening.begin()
    return evening


def put_off_in_private(replies: dict[str, Reply]) -> None:
    """Assert that every first response came in time, without an answer, and where only its presser sees it."""
    for press, reply in replies.items():
        assert not reply.failed, press
        own = press in ("attack", "send")
        assert reply.kind == ("deferred_update" if own else "deferred"), press
        assert reply.visibility == "ephemeral", press
        assert 1.5 < reply.elapsed < 3, press


async def test_F_4_a_lock_that_is_waited_out_costs_time_and_nothing_else(
    sandbox: Sandbox, room: Cardroom, tmp_path: Path, evening: Evening
) -> None:
    comes = sandbox.wait_for
    sandbox.transcript.clear()
    public = {channel.name: len(channel.messages) for channel in (evening.lobby, evening.games)}
    async with locked(tmp_path, SHORT):
        replies = await evening.press_everywhere()
        put_off_in_private(replies)
        assert evening.match.position.acts == 0
    await comes(lambda: evening.match.position.acts == 1)
    await comes(lambda: evening.hand.find_button("Attack") is None)
    await comes(lambda: replies["call off"].text in CALL_OFF_ASKED)
    await comes(lambda: "My cards" in evening.asked.labels)
    await comes(lambda: "**Bob**" in evening.table.text)
    await comes(lambda: say("mydata.exported") in replies["export"].text)
    await comes(lambda: say("ladder.title", game=say("ladder.all_games")) in replies["leaderboard"].text)
    await comes(lambda: len(evening.lobby.messages) == public["lobby"] + 1)  # the panel's challenge
    await comes(lambda: len(evening.games.messages) == public["games"] + 2)  # the rematch and the table
    answered_elsewhere = [replies[press].message for press in ("accept", "join", "rematch", "open")]
    await comes(lambda: all(message.deleted for message in answered_elsewhere))
    assert not replies["send"].message.deleted
    told = [each.record.data["mentions"] for each in (evening.lobby.last, *evening.games.messages[-2:])]
    assert sorted(user["username"] for mentions in told for user in mentions) == ["alice", "dave"]

    responses = first_responses(sandbox)
    assert len(responses) == len(replies)
    assert {each.status for each in responses} <= {200, 204}
    assert len(await room.store.records(evening.match.id)) == 2
    for board in (evening.asked, *evening.lobby.messages):
        assert not ticked(board)
    dealt = await hand_of(evening.people[3], evening.asked)
    assert dealt.ephemeral


async def test_F_4_a_lock_that_lasts_too_long_is_reported_privately_and_nothing_is_changed(
    sandbox: Sandbox, room: Cardroom, tmp_path: Path, evening: Evening
) -> None:
    await room.store.database.read(lambda db: db.execute(f"PRAGMA busy_timeout = {PATIENCE:d}"))
    sandbox.transcript.clear()
    shown = [(message.id, message.text) for channel in (evening.lobby, evening.games) for message in channel.messages]
    picked = ticked(evening.hand)
    async with locked(tmp_path, LONG):
        # These five read before they write; a read waits for the write before it, so they would find the lock gone.
        replies = await evening.press_everywhere("accept", "join", "rematch", "open", "send")
        put_off_in_private(replies)
        reading = ("export", "leaderboard")
        await sandbox.wait_for(lambda: replies["call off"].text == say("store.busy"))
        await sandbox.wait_for(lambda: say("store.busy") in unwrapped(evening.hand.text))
        await sandbox.wait_for(lambda: not any(replies[press].message.loading for press in reading))
        assert say("mydata.exported") in replies["export"].text
        assert evening.match.position.acts == 0
    assert shown == [
        (message.id, message.text) for channel in (evening.lobby, evening.games) for message in channel.messages
    ]
    assert len(await room.store.records(evening.match.id)) == 1
    assert ticked(evening.hand) == picked
    assert {each.status for each in first_responses(sandbox)} <= {200, 204}
    assert len(first_responses(sandbox)) == len(replies)

    again = await evening.attacker.press(evening.hand, label="Attack")
    assert again.kind == "update"
    assert evening.match.position.acts == 1
    assert (await evening.people[3].press(evening.asked, label="Accept")).kind == "update"


async def test_F_4_a_deferred_table_that_cannot_be_posted_is_cancelled_and_reported(
    sandbox: Sandbox, room: Cardroom, tmp_path: Path
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    attacker, hand = await ready_to_attack([alice, bob], board)
    async with locked(tmp_path, 2.6):
        attack = asyncio.create_task(attacker.press(hand, label="Attack"))
        opened = await alice.slash(lobby, "haymaker open")
        lobby.deny(Permission.SEND_MESSAGES)
        await attack
    await sandbox.wait_for(lambda: opened.text == say("challenge.not_posted"))
    assert opened.visibility == "ephemeral"
    assert lobby.messages == [board]
    assert room.app.invitations.open() == ()

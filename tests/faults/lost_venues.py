"""Lost venues, for tests: what was asked of a channel, a suspended match, and resuming it from `/games`."""

from __future__ import annotations

from collections.abc import Callable

from bot.play.live_match import LiveMatch
from bot.store.queries.matches import Suspension
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, Exchange, MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom, eventually

say = translations("en")

DAY = 24 * 3600
ELSEWHERE = "games"


def people(sandbox: Sandbox) -> tuple[Person, Person, DrivenChannel]:
    return sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")


def thread_in(sandbox: Sandbox, channel: DrivenChannel) -> DrivenChannel:
    """A thread that Alice begins."""
    return channel.begin_thread(sandbox.user("Alice"), "table")


def lock(thread: DrivenChannel) -> None:
    """Let a moderator close a thread and lock it."""
    thread.archive(locked=True)


def unlock(thread: DrivenChannel) -> None:
    """Let a moderator unlock a thread, which stays archived until somebody writes there or presses something."""
    thread.lock(locked=False)


def asked_of(sandbox: Sandbox, channel: DrivenChannel) -> list[Exchange]:
    """What the bot asked of a channel's messages."""
    return [each for each in sandbox.transcript.requests if f"/channels/{channel.id}/" in each.path]


async def until(check: Callable[[], object]) -> None:
    """Return once something in the bot is so: it may be so without anything that the sandbox notices."""

    async def checked() -> object:
        return check()

    await eventually(checked)


async def only_match(room: Cardroom) -> LiveMatch:
    (match,) = room.app.matches.live()
    return match


async def suspended(sandbox: Sandbox, room: Cardroom, why: Suspension) -> LiveMatch:
    """The only match, once it is suspended for this reason, in memory and in the store."""
    match = await only_match(room)
    await until(lambda: match.suspended is why)
    row = await room.store.match(match.id)
    assert row is not None
    assert row.suspended_why is why
    assert await room.store.timers(match.id) == []
    assert match.position.timers == ()
    return match


async def resumed_from_games(person: Person, channel: DrivenChannel) -> MessageView:
    """What a player sees after `/games` and Resume: the list, which stays for the others that may be resumed."""
    listed = await person.slash(channel, "games")
    (button,) = [button for button in listed.message.buttons if button.label.startswith("Resume: Haymaker, ")]
    reply = await person.press(listed.message, custom_id=button.custom_id)
    assert not reply.failed
    assert reply.message.find_button(say("button.own_reliability")) is not None
    return reply.message


def has_whole_time(room: Cardroom, match: LiveMatch, seconds: int = DAY) -> bool:
    """Whether every deadline of a match is as long as its clock allows, but for the minute that a test may take."""
    left = [(timer.deadline - room.now()) / 1000 for timer in match.position.timers]
    return bool(left) and all(seconds - 60 < each <= seconds for each in left)


async def gone(room: Cardroom) -> bool:
    """Whether no departure is noted."""
    return not await room.store.departures()

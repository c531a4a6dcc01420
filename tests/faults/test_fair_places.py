"""Lost venues are no weapon: F-36 a match resumed where somebody cannot follow, F-37 a player who could not act."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from bot.play.access import ASK_SECONDS
from bot.play.clocks.deadlines import GRACE
from bot.play.live_match import LiveMatch
from bot.store.queries.matches import Obstacle, Suspension, Unrated
from bot.ui.catalogue import translations
from cogs.personal_data.export import everything_of
from discord_sandbox import DrivenChannel, MessageView, Permission, Person, Reply, Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge, hand_of, move
from tests.faults.lost_venues import ELSEWHERE, lock, only_match, people, suspended, thread_in, unlock
from tests.wrapped_text import unwrapped

say = translations("en")

TURN = 30
"""Seconds per turn of a blitz."""
OUT = TURN + GRACE / 1000 + 1
COUNTED = 4
"""Acts after which a result counts."""


async def lost_channel(sandbox: Sandbox, room: Cardroom, clock: str = "blitz") -> LiveMatch:
    """A match of Alice and Bob whose channel was deleted."""
    alice, bob, lobby = people(sandbox)
    await challenge(alice, bob, lobby, clock=clock)
    sandbox.delete_channel(lobby)
    return await suspended(sandbox, room, Suspension.CHANNEL_GONE)


async def resume(person: Person, channel: DrivenChannel) -> Reply:
    """Press *Resume* under `/games`."""
    listed = await person.slash(channel, "games")
    (button,) = [button for button in listed.message.buttons if button.label.startswith("Resume: ")]
    return await person.press(listed.message, custom_id=button.custom_id)


def private_thread(sandbox: Sandbox, channel: DrivenChannel, *members: Person) -> DrivenChannel:
    """A private thread that Alice begins, with the bot and these people in it."""
    thread = channel.begin_thread(sandbox.user("Alice"), "table", private=True)
    for member in (None, *members):
        thread.join(member)
    return thread


def time_out(sandbox: Sandbox, person: Person, seconds: float = 86_400) -> None:
    """Have a moderator time somebody out."""
    person.time_out(sandbox.server(), seconds)


def left(room: Cardroom, match: LiveMatch) -> float:
    """Seconds left of the question."""
    (timer,) = match.position.timers
    return (timer.deadline - room.now()) / 1000


async def played(people: list[Person], board: MessageView, match: LiveMatch, acts: int) -> tuple[int, Person]:
    """Make moves until the match has this many acts; the seat on turn, and its player."""
    rng = random.Random(1)
    while True:
        (seat,) = match.awaited
        person = next(each for each in people if each.id == match.seats[seat])
        if match.position.acts >= acts:
            return seat, person
        assert await move(person, await hand_of(person, board), rng) is not None


# ---------------------------------------------------------------------------------------------- where it goes on


def hidden(_: Sandbox, venue: DrivenChannel, bob: Person) -> None:
    venue.deny(Permission.VIEW_CHANNEL, member=bob)


def read_only(_: Sandbox, venue: DrivenChannel, bob: Person) -> None:
    venue.deny(Permission.SEND_MESSAGES, member=bob)


def timed_out(sandbox: Sandbox, _: DrivenChannel, bob: Person) -> None:
    time_out(sandbox, bob)


Harm = Callable[[Sandbox, DrivenChannel, Person], None]


@pytest.mark.parametrize(
    ("harm", "why"),
    [(hidden, Obstacle.HIDDEN), (timed_out, Obstacle.TIMED_OUT)],
)
async def test_F_36_nobody_resumes_where_the_other_cannot_follow(
    sandbox: Sandbox, room: Cardroom, harm: Harm, why: Obstacle
) -> None:
    match = await lost_channel(sandbox, room)
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    elsewhere = sandbox.channel(ELSEWHERE)
    harm(sandbox, elsewhere, bob)
    for _ in range(3):
        assert (await resume(alice, elsewhere)).text == say(f"resume.{why}", player="Bob")
    room.pass_time(10 * OUT)
    assert match.suspended is Suspension.CHANNEL_GONE
    assert not match.over
    assert elsewhere.messages == []


async def test_F_36_a_private_thread_is_for_those_who_are_in_it(sandbox: Sandbox, room: Cardroom) -> None:
    match = await lost_channel(sandbox, room)
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    elsewhere = sandbox.channel(ELSEWHERE)
    without = private_thread(sandbox, elsewhere)
    assert (await resume(alice, without)).text == say("resume.hidden", player="Bob")
    assert match.suspended is not None
    together = private_thread(sandbox, elsewhere, bob)
    assert say("resume.done") in unwrapped((await resume(alice, together)).text)
    assert match.channel_id == together.id


async def test_F_36_whoever_presses_there_can_play_there(sandbox: Sandbox, room: Cardroom) -> None:
    match = await lost_channel(sandbox, room)
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    elsewhere = sandbox.channel(ELSEWHERE)
    read_only(sandbox, elsewhere, bob)
    assert (await resume(alice, elsewhere)).text == say("resume.no_sending", player="Bob")
    assert say("resume.done") in unwrapped((await resume(bob, elsewhere)).text)
    assert match.suspended is None


# ---------------------------------------------------------------------------------------------- with which time


async def test_F_36_closing_a_thread_again_and_again_wins_little_time_and_then_ends_the_match(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = people(sandbox)
    thread = thread_in(sandbox, lobby)
    board = await challenge(alice, bob, thread, clock="blitz")
    match = await only_match(room)
    room.pass_time(TURN - 5)
    for time in range(1, 3):
        lock(thread)
        await suspended(sandbox, room, Suspension.THREAD_CLOSED)
        unlock(thread)
        told = await alice.press(board, label="My cards")
        assert (say("suspended.last_time") in told.text) is (time == 2)
        assert say("resume.done") in unwrapped((await alice.press(told.message, label="Resume")).text)
        assert left(room, match) <= 20.1
        await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
        board = next(message for message in thread.messages if "My cards" in message.labels)
        room.pass_time(left(room, match) - 5)
    my_cards = board.button("My cards").custom_id
    lock(thread)
    await sandbox.wait_for(lambda: match.over)
    unlock(thread)
    assert match.result is not None
    assert (match.result.kind, match.result.counted) == ("lost_place", False)
    assert await room.store.result(match.id) == match.result
    assert list(room.app.matches.live()) == []
    pressed = await bob.press(board, custom_id=my_cards, force=True)  # the result may stand there by now
    assert say("ending.lost_place") in pressed.text


# ---------------------------------------------------------------------------------------------- who could not act
# Alice owns the server, so everything is open to her.


def removed(sandbox: Sandbox, _: DrivenChannel, person: Person) -> None:
    sandbox.remove_member(person)


@pytest.mark.parametrize(
    ("harm", "why"), [(hidden, Obstacle.HIDDEN), (timed_out, Obstacle.TIMED_OUT), (removed, Obstacle.GONE)]
)
async def test_F_37_a_loss_by_time_of_somebody_who_could_not_act_does_not_count(
    sandbox: Sandbox, room: Cardroom, harm: Harm, why: Obstacle
) -> None:
    carol, bob, lobby = sandbox.user("Carol"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(carol, bob, lobby, clock="blitz")
    match = await only_match(room)
    seat, late = await played([carol, bob], board, match, COUNTED)
    harm(sandbox, lobby, late)
    room.pass_time(OUT)
    await sandbox.wait_for(lambda: match.over)
    assert match.result is not None
    assert (match.result.kind, match.result.counted) == ("time", False)
    assert match.result.ranks[seat] == 2
    row = await room.store.match(match.id)
    assert row is not None
    assert row.unrated == match.unrated
    await sandbox.wait_for(lambda: say(f"ending.unrated.{why}", player=late.name) in board.text)
    assert await room.store.count_ranked(match.guild_id, "haymaker") == 0
    for person in (carol, bob):
        (exported,) = (await everything_of(room.store, match.guild_id, person.id))["matches"]
        assert exported["could_not_act"] == (why if person is late else None)


async def test_F_37_a_loss_by_time_of_somebody_who_could_act_counts(sandbox: Sandbox, room: Cardroom) -> None:
    carol, bob, lobby = sandbox.user("Carol"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(carol, bob, lobby, clock="blitz")
    match = await only_match(room)
    _, late = await played([carol, bob], board, match, COUNTED)
    read_only(sandbox, lobby, late)  # buttons can be pressed all the same
    room.pass_time(OUT)
    await sandbox.wait_for(lambda: match.over)
    assert match.result is not None
    assert (match.result.kind, match.result.counted, match.unrated) == ("time", True, None)


async def test_F_37_if_discord_does_not_answer_in_time_the_loss_does_not_count(
    sandbox: Sandbox, room: Cardroom
) -> None:
    carol, bob, lobby = sandbox.user("Carol"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(carol, bob, lobby, clock="blitz")
    match = await only_match(room)
    seat, late = await played([carol, bob], board, match, COUNTED)
    await challenge(sandbox.user("Alice"), sandbox.user("Dave"), lobby, clock="blitz")
    other = next(each for each in room.app.matches.live() if each is not match)
    sandbox.faults.on("GET", f"/guilds/*/members/{late.id}", times=None, delay=600.0)
    room.pass_time(OUT)
    await sandbox.wait_for(lambda: match.over and other.over, timeout=ASK_SECONDS + 2)
    assert match.result is not None
    assert not match.result.counted
    assert match.unrated == Unrated(seat, Obstacle.UNKNOWN)
    await sandbox.wait_for(lambda: say("ending.unrated.unknown", player=late.name) in board.text)


async def test_F_37_a_press_that_comes_while_discord_is_asked_counts(sandbox: Sandbox, room: Cardroom) -> None:
    carol, bob, lobby = sandbox.user("Carol"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(carol, bob, lobby, clock="blitz")
    match = await only_match(room)
    _, late = await played([carol, bob], board, match, COUNTED)
    hand, acts = await hand_of(late, board), match.position.acts
    sandbox.faults.on("GET", f"/guilds/*/members/{late.id}", times=None, delay=3.0)
    room.pass_time(OUT)
    assert room.app.clock.acting
    assert await move(late, hand, random.Random(1)) is not None
    await sandbox.wait_for(lambda: not room.app.clock.acting)
    assert match.position.acts == acts + 1
    assert not match.over

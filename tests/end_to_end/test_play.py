"""`/play`: one person finds a match with two presses at most, whoever else is there."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.games import GAMES
from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.play.refusals import Unsaved
from bot.store.errors import Busy, NotSaved
from bot.store.queries.people import NoticeLevel
from bot.store.special_ids import is_computer
from bot.ui import isolation
from bot.ui.catalogue import translations
from cogs.matchmaking.tables import SittingDown
from cogs.screens.renderer import Sheet
from cogs.updates.channel_messages import NotTaken, Posted
from cogs.wording import Wording
from discord_sandbox import DrivenChannel, MessageView, Permission, Person, Reply, Sandbox
from tests.end_to_end.cardroom import Cardroom, eventually
from tests.end_to_end.players import hand_of, resign
from tests.failing_rules import raising

say = translations("en")
MEANWHILE = say("play.meanwhile")


async def play(person: Person, channel: DrivenChannel, game: str | None = None) -> Reply:
    """Use the command, and wait until others find the table that it may have opened. Its answer is always private."""
    reply = await person.slash(channel, "play", **({} if game is None else {"game": game}))
    assert reply.visibility == "ephemeral"
    await asyncio.sleep(1)
    return reply


async def begun(room: Cardroom, matches: int = 1) -> LiveMatch:
    """The latest match, once there are as many as this."""

    async def there() -> bool:
        return len(room.app.matches) == matches

    await eventually(there)
    match: LiveMatch = list(room.app.matches.live())[-1]
    return match


async def reads(message: MessageView, text: str) -> None:
    """Wait until a message says something, or has it on a button."""

    async def there() -> bool:
        return text in f"{message.text} {' '.join(message.labels)}"

    await eventually(there)


@pytest.mark.parametrize("level", [NoticeLevel.PING, NoticeLevel.DIRECT])
async def test_who_waited_is_told_that_the_match_begins(sandbox: Sandbox, room: Cardroom, level: NoticeLevel) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    await alice.slash(lobby, "notify", level=level.value)
    await play(alice, lobby, "haymaker")
    await play(bob, lobby, "haymaker")
    match = await begun(room)
    if level is NoticeLevel.DIRECT:
        await sandbox.wait_for(lambda: alice.direct_messages.messages)
        told, key = alice.direct_messages.last, "begun.told_there"
        server = lobby.record.server
        assert server is not None
        assert say(key, player="Bob", game="Haymaker", server=server.name) in told.text
        return
    await sandbox.wait_for(lambda: len(lobby.messages) == 2)
    told = lobby.last
    assert say("begun.told", other=isolation.mention(alice.id), player="Bob", game="Haymaker") in told.text
    assert told.mentions == [alice.id]
    await hand_of(bob, told)  # it is not his
    hand = await hand_of(alice, told)
    assert hand.text.startswith("### Haymaker: ")
    await sandbox.wait_for(lambda: told.deleted)
    assert match.board_id == lobby.messages[0].id
    await sandbox.wait_for(lambda: not room.app.updates.notices.is_notice(match, told.id))


async def test_who_waited_is_told_of_the_match_although_the_other_cannot_be_answered(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    await play(alice, lobby, "haymaker")
    monkeypatch.setattr(SittingDown, "show_match", raising(Busy("as often")))
    await play(bob, lobby, "haymaker")
    await begun(room)
    told = say("begun.told", other=isolation.mention(alice.id), player="Bob", game="Haymaker")
    await sandbox.wait_for(lambda: any(told in each.text for each in lobby.messages))


async def test_who_waited_is_told_of_the_match_although_the_names_for_its_board_cannot_be_read(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    await play(alice, lobby, "haymaker")
    load, failing = Wording.load, [Busy("as often")]

    async def loaded(wording: Wording, *given: Any) -> None:
        if failing and len(room.app.matches):
            raise failing.pop()
        await load(wording, *given)

    monkeypatch.setattr(Wording, "load", loaded)
    await bob.press(lobby.last, label="Join")
    await begun(room)
    assert not failing
    told = say("begun.told", other=isolation.mention(alice.id), player="Bob", game="Haymaker")
    await sandbox.wait_for(lambda: any(told in each.text for each in lobby.messages))


async def test_the_computer_is_one_press_away_once_and_the_table_stays_open(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    waits = await play(alice, lobby, "haymaker")
    practice = await alice.press(waits.message, label=MEANWHILE)
    assert practice.visibility == "ephemeral"
    match = await begun(room)
    assert match.seats[0] == alice.id
    assert is_computer(match.seats[1])
    assert practice.message.id != waits.message.id
    assert MEANWHILE in waits.message.labels, "what says that somebody waits stays"
    await asyncio.sleep(1)  # until the answer is given, another press counts as the same
    again = await alice.press(waits.message, label=MEANWHILE)  # no second one
    assert again.visibility == "ephemeral"
    assert "More…" in again.message.labels
    await play(bob, lobby, "haymaker")
    real = await begun(room, 2)
    assert real.seats == (alice.id, bob.id)
    await resign(alice, again.message)
    await eventually(lambda: _over(match))
    assert match.result is not None
    assert not match.result.counted

    # Presses at the same moment begin one match against the computer.
    await room.clear()
    waits = await play(alice, lobby, "haymaker")
    await asyncio.gather(*(alice.press(waits.message, label=MEANWHILE) for _ in range(3)))
    match = await begun(room)
    await asyncio.sleep(1)  # until the answer is given, another press counts as the same
    hand = (await alice.press(waits.message, label=MEANWHILE)).message
    await resign(alice, hand)
    await eventually(lambda: _over(match))
    await reads(hand, "Rematch")
    await asyncio.gather(*(alice.press(hand, label="Rematch") for _ in range(3)))
    assert (await begun(room)).seats == (*match.seats[1:], alice.id)


def _link(message: MessageView, channel: DrivenChannel) -> str:
    return f"https://discord.com/channels/{channel.server_id}/{channel.id}/{message.id}"


def _closing(room: Cardroom) -> str:
    """When the only table closes, as its screens say it."""
    (table,) = room.app.invitations.open()
    return f"<t:{table.expires_at // 1000}:R>"


async def _over(match: LiveMatch) -> bool:
    return match.over


async def test_without_a_game_one_press_waits_and_one_press_joins_in_this_server_alone(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, carol = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.user("Carol")
    lobby = sandbox.channel("lobby")
    offered = await play(alice, lobby)
    assert say("play.nobody_waits") in offered.text
    first = say("play.wait", game="Haymaker")
    assert offered.message.labels[0] == first
    waits = await alice.press(offered.message, label=first)
    await room.settle()
    assert say("table.waits_for_one", host="Alice", game="Haymaker") in lobby.last.text
    assert MEANWHILE in waits.message.labels
    seen = await play(bob, lobby)
    join = say("play.join", host="Alice", game="Haymaker")
    assert join in seen.message.labels
    late = await play(carol, lobby)
    found = await bob.press(seen.message, label=join)
    assert "My cards" in found.message.labels
    assert (await begun(room)).seats == (alice.id, bob.id)
    gone = await carol.press(late.message, label=join)
    assert say("play.gone") in gone.text
    assert join not in gone.message.labels

    # A table of another server is not joined.
    await room.clear()
    await play(alice, lobby, "haymaker")
    (table,) = room.app.invitations.open()
    far = sandbox.channel("general", server="Second Server")
    offered = await play(bob, far)
    assert say("play.nobody_waits") in offered.text
    answer = await bob.press(offered.message, custom_id=f"g1:play:0:seat:{table.id}", force=True)
    assert answer.text == say("challenge.unknown")
    await alice.slash(lobby, "haymaker open", private=True)
    hidden = next(table for table in room.app.invitations.open() if table.private)
    here = await play(bob, sandbox.channel("games"))
    answer = await bob.press(here.message, custom_id=f"g1:play:0:seat:{hidden.id}", force=True)
    assert say("play.gone") in answer.text
    assert [each.seated for each in room.app.invitations.open()] == [(alice.id,), (alice.id,)]


async def test_the_first_one_waits_at_a_table_as_recommended_and_the_second_one_begins_the_match(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # Waiting twice opens one table.
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    await play(alice, lobby, "haymaker")
    again = await play(alice, lobby, "haymaker")
    assert say("play.already") in again.text
    assert len(lobby.messages) == 1
    assert len(room.app.invitations.open()) == 1
    assert say("play.waiting_already", game="Haymaker", link="") in (await play(alice, lobby)).text

    # The first one waits and the second one begins the match.
    await room.clear()
    bob = sandbox.user("Bob")
    waits = await play(alice, lobby, "haymaker")
    table = lobby.last
    assert say("table.waits_for_one", host="Alice", game="Haymaker") in table.text
    assert str(table.id) in waits.text
    assert MEANWHILE in waits.message.labels
    assert "Start" not in table.labels
    found = await play(bob, lobby, "haymaker")
    match = await begun(room)
    assert match.seats == (alice.id, bob.id)
    assert match.board_id == table.id
    await reads(table, "My cards")
    hand = await bob.press(found.message, label="My cards")
    assert hand.text.startswith("### Haymaker: ")
    assert hand.visibility == "ephemeral"

    # A press on join begins it too.
    await room.clear()
    await play(alice, lobby, "ciq")
    joined = await bob.press(lobby.last, label="Join")
    assert "My cards" in joined.message.labels
    assert (await begun(room)).seats == (alice.id, bob.id)
    await sandbox.wait_for(lambda: lobby.last.mentions == [alice.id])

    # C-11: the table and the computer meanwhile are as recommended.
    await room.clear()
    waits = await play(alice, lobby, "ciq")
    (waiting,) = room.app.invitations.open()
    quick = GAMES["ciq"].info.presets["quick"]
    assert codec("ciq").decode(waiting.options) == quick
    assert say("terms.author") not in lobby.last.text
    await alice.press(waits.message, label=MEANWHILE)
    assert (await begun(room)).options == quick

    # Another game is chosen from the list.
    await room.clear()
    offered = await play(alice, lobby)
    (games,) = offered.message.selects
    await alice.select(offered.message, custom_id=games.custom_id, values=["tivmiv"])
    (waiting,) = room.app.invitations.open()
    assert (waiting.game, waiting.auto_start, waiting.seated) == ("tivmiv", True, (alice.id,))

    # The game played last comes first.
    await room.clear()
    await play(alice, lobby, "unbreakable")
    await play(bob, lobby, "unbreakable")
    await begun(room)
    offered = await play(alice, lobby)
    assert offered.message.labels[0] == say("play.wait", game="Unbreakable")
    (games,) = offered.message.selects
    assert [each.value for each in games.options] == [game for game in GAMES if game != "unbreakable"]


async def test_presses_at_the_same_moment_open_one_table_and_find_each_other(sandbox: Sandbox, room: Cardroom) -> None:
    # Presses at the same moment open one table.
    carol, bob = sandbox.user("Carol"), sandbox.user("Bob")
    lobby, other = sandbox.channel("lobby"), sandbox.channel("games")
    other.deny(Permission.VIEW_CHANNEL, member=carol)
    await play(bob, other, "haymaker")  # so that Discord is asked whether Carol can see it, which takes a while
    await asyncio.gather(*(play(carol, lobby, "haymaker") for _ in range(3)))
    assert [table.host_id for table in room.app.invitations.open()] == [bob.id, carol.id]
    assert len(lobby.messages) == 1

    # Two who look at the same moment find each other.
    await room.clear()
    people, lobby = sandbox.people[:4], sandbox.channel("lobby")
    await asyncio.gather(*(play(person, lobby, "haymaker") for person in people))
    await begun(room, 2)
    assert room.app.invitations.open() == ()
    assert {user for match in room.app.matches.live() for user in match.seats} == {person.id for person in people}


async def test_a_table_is_offered_once_its_message_is_posted(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    post, may_post = room.app.messages.post, asyncio.Event()

    async def slowly(guild_id: int, channel_id: int, made: Sheet) -> Posted:
        await may_post.wait()
        return await post(guild_id, channel_id, made)

    monkeypatch.setattr(room.app.messages, "post", slowly)
    waiting = asyncio.create_task(play(alice, lobby, "haymaker"))

    async def is_open() -> bool:
        return len(room.app.invitations.open()) == 1

    await eventually(is_open)
    early = await play(bob, lobby)
    assert say("play.join", host="Alice", game="Haymaker") not in early.message.labels
    (table,) = room.app.invitations.open()
    pressed = await bob.press(early.message, custom_id=f"g1:play:0:seat:{table.id}", force=True)
    assert say("play.gone") in pressed.text
    may_post.set()
    await waiting
    found = await play(bob, lobby, "haymaker")
    assert "My cards" in found.message.labels
    board = lobby.messages[0]
    await reads(board, "My cards")
    assert [shown.id for shown in lobby.messages if "Rules" in shown.labels] == [board.id], (
        "what was posted for the table became the board"
    )


async def test_ordinary_tables_are_joined_by_who_can_see_them(sandbox: Sandbox, room: Cardroom) -> None:
    # An ordinary table is joined and its host starts.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    table = (await alice.slash(lobby, "ciq open")).message
    await room.settle()
    seated = await play(bob, lobby, "ciq")
    assert say("play.seated", game="CIQ", link=_link(table, lobby), when=_closing(room)) in seated.text
    await reads(table, "Bob")
    await alice.press(table, label="Start")
    assert (await begun(room)).seats == (alice.id, bob.id)

    # Of several ordinary tables one is picked.
    await room.clear()
    carol = sandbox.user("Carol")
    for host in (alice, bob):
        await host.slash(lobby, "ciq open")
    await room.settle()
    offered = await play(carol, lobby, "ciq")
    assert say("play.several") in offered.text
    assert offered.message.labels[:2] == [say("play.join", host=host, game="CIQ") for host in ("Alice", "Bob")]
    join = offered.message.button(say("play.join", host="Bob", game="CIQ"))
    await carol.press(offered.message, custom_id=join.custom_id)
    assert [table.seated for table in room.app.invitations.open()] == [(alice.id,), (bob.id, carol.id)]
    again = await carol.press(offered.message, custom_id=join.custom_id, force=True)  # the answer was lost
    assert say("play.already") in again.text
    assert [table.seated for table in room.app.invitations.open()] == [(alice.id,), (bob.id, carol.id)]

    # A table in a channel that somebody cannot see is not for them.
    await room.clear()
    other = sandbox.channel("games")
    lobby.deny(Permission.VIEW_CHANNEL, member=bob)
    await play(alice, lobby, "haymaker")
    assert say("play.nobody_waits") in (await play(bob, other)).text
    await play(bob, other, "haymaker")
    assert len(room.app.invitations.open()) == 2
    await play(carol, other, "haymaker")  # this channel's comes first
    assert (await begun(room)).seats == (bob.id, carol.id)


async def test_where_matches_have_threads_it_begins_in_one(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    await _set_threads(room, lobby, alice)
    await play(alice, lobby, "haymaker")
    table = lobby.last
    found = await play(bob, lobby, "haymaker")
    match = await begun(room)
    (thread,) = lobby.threads
    assert match.channel_id == thread.id
    assert f"/{thread.id}" in found.text
    await reads(table, say("table.accepted", game="Haymaker"))
    await sandbox.wait_for(lambda: any(alice.id in message.mentions for message in thread.messages))


async def _set_threads(room: Cardroom, channel: DrivenChannel, by: Person) -> None:
    await room.app.server_settings.change(channel.server_id or 0, by.id, "place", "thread")


BAD_PRESSES = {
    "play:nothing": "game.not_installed",
    "meanwhile": "press.unknown",
    "meanwhile:nothing": "game.not_installed",
    "seat": "play.gone",
    "seat:nobody": "play.gone",
}


async def test_what_cannot_be_is_answered_and_opens_no_table(sandbox: Sandbox, room: Cardroom) -> None:
    # A press that cannot be right is answered.
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    for press, key in BAD_PRESSES.items():
        offered = await play(alice, lobby)
        answer = await alice.press(offered.message, custom_id=f"g1:play:0:{press}", force=True)
        assert say(key, game="Nothing") in answer.text
        assert len(room.app.matches) == len(room.app.invitations.open()) == 0

    # A table that cannot be posted is not open.
    async def refusing(*_: object) -> None:
        raise NotTaken("Forbidden", 50013, status=403, answered=True)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room.app.messages, "post", refusing)
        assert say("challenge.not_posted") in (await play(alice, lobby, "haymaker")).text
    assert room.app.invitations.open() == ()

    # A table that cannot be saved is not open.
    async def failing(_: object) -> None:
        raise NotSaved("the disk is full")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room.store, "add_invitation", failing)
        refused = await play(alice, lobby, "haymaker")
    assert say(Unsaved(busy=False).key) in refused.text
    assert room.app.invitations.open() == ()
    assert not lobby.messages

    # Where no match can be played nothing is offered.
    other = sandbox.channel("games")
    await room.app.server_settings.change(lobby.server_id or 0, alice.id, "channels", str(other.id))
    for game in (None, "haymaker"):
        refused = await play(alice, lobby, game)
        assert f"<#{other.id}>" in refused.text
        assert not refused.message.buttons
    assert room.app.invitations.open() == ()

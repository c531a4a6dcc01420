"""Long lists: matches and leaderboards on pages, from the commands to the last page, in servers and direct messages."""

from __future__ import annotations

import re

from bot.store.queries.leaderboards import LEAST_MATCHES, Span
from bot.ui.catalogue import translations
from cogs.actions.match_list import PAGE
from cogs.leaderboards.commands import PAGE as RANKS
from discord_sandbox import MessageView, Person, Sandbox, Server
from engines import GAMES
from tests.bot.store.contract_boards import ended
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge

say = translations("en")
LINK = re.compile(r"https://discord\.com/channels/\d+/\d+/(\d+)")
MATCHES = 20


async def pages(person: Person, listed: MessageView) -> list[str]:
    """The texts of all pages, turned by *Next* from the first."""
    found = [listed.text]
    while (following := listed.find_button("Next")) is not None and not following.disabled:
        reply = await person.press(listed, label="Next")
        assert reply.kind == "update"
        found.append(listed.text)
    return found


def server_of(sandbox: Sandbox, name: str) -> Server:
    return next(server for server in sandbox.world.servers.values() if server.name == name)


async def test_of_20_matches_all_that_wait_for_the_reader_are_on_the_first_pages(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    for number in range(MATCHES):
        clock = ("daily", "normal", "2h", "3 days")[number % 4]
        await challenge(*((alice, bob) if number % 3 else (bob, alice)), lobby, clock=clock)
    matches = {match.board_id: match for match in room.app.matches.live()}
    assert len(matches) == MATCHES
    for person in (alice, bob):
        listed = (await person.slash(lobby, "games")).message
        found = await pages(person, listed)
        assert len(found) == -(-MATCHES // PAGE)
        shown = [matches[int(board)] for text in found for board in LINK.findall(text)]
        assert len({match.id for match in shown}) == len(shown) == MATCHES
        awaited = [match.seat_of(person.id) in match.awaited for match in shown]
        assert awaited == sorted(awaited, reverse=True)
        assert say("games.group.waiting", n=sum(awaited)) in found[0]
        deadlines = [min(timer.deadline for timer in match.position.timers) for match in shown]
        mine = sum(awaited)
        assert deadlines == sorted(deadlines[:mine]) + sorted(deadlines[mine:])
        back = await person.press(listed, label="Back")
        assert back.text == found[-2]


async def test_direct_messages_list_the_matches_of_all_servers(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    lobby, general = sandbox.channel("lobby"), sandbox.channel("general", server="Second Server")
    boards = [await challenge(alice, bob, channel) for channel in (lobby, general)]
    listed = await alice.slash(alice.direct_messages, "games")
    assert listed.visibility == "ephemeral"
    assert say("games.title_everywhere") in listed.text
    assert {int(board) for board in LINK.findall(listed.text)} == {board.id for board in boards}
    servers = [channel.record.server for channel in (lobby, general)]
    assert all(server is not None and server.name in listed.text for server in servers)
    here = await alice.slash(lobby, "games")
    assert LINK.findall(here.text) == [str(boards[0].id)]
    assert say.count("games.elsewhere", 1) in here.text
    nobody = await sandbox.user("Carol").slash(sandbox.user("Carol").direct_messages, "games")
    assert say("games.none_anywhere") in nobody.text


async def test_a_match_of_a_server_that_the_reader_left_is_listed_without_its_link(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    lobby, general = sandbox.channel("lobby"), sandbox.channel("general", server="Second Server")
    boards = [await challenge(alice, bob, channel) for channel in (lobby, general)]
    second = server_of(sandbox, "Second Server")
    sandbox.remove_member(alice, second)
    listed = await alice.slash(alice.direct_messages, "games")
    assert LINK.findall(listed.text) == [str(boards[0].id)]
    assert str(general.id) not in listed.text
    (away,) = [line for line in listed.text.splitlines() if "Second Server" in line]
    assert away.endswith(say("games.no_link"))
    sandbox.add_member(alice, second)
    again = await alice.slash(alice.direct_messages, "games")
    assert {int(board) for board in LINK.findall(again.text)} == {board.id for board in boards}


async def test_a_match_of_a_server_that_removed_the_bot_is_listed_without_its_link(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    general = sandbox.channel("general", server="Second Server")
    await challenge(alice, bob, general)
    (match,) = room.app.matches.live()
    sandbox.remove_bot(server_of(sandbox, "Second Server"))
    await sandbox.wait_for(lambda: match.suspended is not None)
    listed = await alice.slash(alice.direct_messages, "games")
    assert say("games.suspended.removed") in listed.text
    assert say("games.unknown_server") in listed.text
    assert "discord.com" not in listed.text
    assert listed.message.labels == []


async def test_what_needs_a_server_is_not_offered_in_direct_messages(sandbox: Sandbox, room: Cardroom) -> None:
    alice = sandbox.user("Alice")
    offered = [each["name"] for each in alice.client.commands(alice.direct_messages.record)]
    others = ("games", "history", "learn", "mydata", "preferences", "replay", "verify")
    assert sorted(offered) == sorted((*GAMES, *others))


async def test_a_leaderboard_changes_its_game_and_goes_to_ones_own_row(sandbox: Sandbox, room: Cardroom) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    server = lobby.server_id or 0
    today = room.app.days.today()
    for number in range(RANKS):
        await ended(room.store, f"h{number}", (1000 + number, 2000 + number), (1, 2), day=today, guild=server)
    await ended(room.store, "own", (alice.id, 3000), (2, 1), day=today, guild=server)
    listed = (await alice.slash(lobby, "leaderboard", game="haymaker")).message
    assert "➤" not in listed.text
    await alice.press(listed, label=say("button.my_rank"))
    (own,) = [line for line in listed.text.splitlines() if line.startswith("➤")]
    assert "Alice" in own
    assert re.search(r" ±\d+\? · ", own)
    assert listed.button(say("button.my_rank")).disabled
    await alice.press(listed, label="Back")
    assert not listed.button(say("button.my_rank")).disabled
    reply = await alice.select(listed, values=["t.ciq"])
    assert (reply.kind, say("ladder.empty", game="ciq") in listed.text) == ("update", True)
    await alice.select(listed, values=["t.-"])
    assert say("ladder.title", game=say("ladder.all_games")) in listed.text
    await alice.press(listed, label=say("ladder.span.last_days", days=7))
    few = say("ladder.heading.few", least=LEAST_MATCHES[Span.LAST_DAYS])
    assert few in listed.text.splitlines()
    await alice.select(listed, values=["w.haymaker"])
    assert few in listed.text.splitlines()


async def test_buttons_of_leaderboards_of_older_versions_still_work(sandbox: Sandbox, room: Cardroom) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    server = lobby.server_id or 0
    today = room.app.days.today()
    for number in range(RANKS):
        await ended(room.store, f"h{number}", (1000 + number, 2000 + number), (1, 2), day=today, guild=server)
    await ended(room.store, "own", (alice.id, 3000), (2, 1), day=today, guild=server)
    listed = (await alice.slash(lobby, "leaderboard", game="haymaker")).message
    first = listed.text
    await alice.press(listed, label="Next")
    second = listed.text
    assert first != second
    assert (await alice.press(listed, custom_id="g1:haymaker:1:ranks:0", force=True)).text == first
    assert (await alice.press(listed, custom_id="g1:haymaker:2:ranks:1", force=True)).text == second
    own = await alice.press(listed, custom_id="g1:haymaker:0:ownrank", force=True)
    assert "➤" in own.text
    chosen = await alice.press(listed, custom_id="g1:haymaker:0:standings:haymaker", force=True)
    assert chosen.text == first


async def test_who_hides_is_off_everybody_elses_leaderboards_until_they_come_back(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    today = room.app.days.today()
    await ended(room.store, "m1", (alice.id, bob.id), (1, 2), day=today, guild=lobby.server_id or 0)
    shown = (await alice.slash(lobby, "haymaker leaderboard")).message
    await alice.press(shown, label=say("ladder.span.all_time"))  # with a press the bot learns what she is called
    theirs = (await bob.slash(lobby, "haymaker leaderboard")).message
    assert "**Alice**" in theirs.text
    await alice.press(shown, label=say("button.hide_me"))
    assert say("ladder.hidden_rank", rank=1, of=2) in shown.text
    assert "**Alice**" not in shown.text
    for span in Span:
        await bob.press(theirs, label=say(f"ladder.span.{span.name.lower()}", days=7))
        assert "Alice" not in theirs.text
    assert str(alice.id) not in str(theirs.raw["components"])
    await alice.press(shown, label=say("button.list_me"))
    assert say("ladder.own", rank=1, of=2) in shown.text
    assert "**Alice**" in (await bob.slash(lobby, "haymaker leaderboard")).text

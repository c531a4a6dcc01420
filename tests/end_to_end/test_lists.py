"""Long lists: matches and leaderboards on pages, from the commands to the last page, in servers and direct messages."""

from __future__ import annotations

import re

from bot.store.queries.leaderboards import LEAST_MATCHES, Span
from bot.ui.catalogue import translations
from cogs.leaderboards.commands import PAGE as RANKS
from cogs.leaderboards.screens import write
from discord_sandbox import MessageView, Person, Sandbox
from engines import GAMES
from tests.bot.store.contract_boards import ended
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge

say = translations("en")
LINK = re.compile(r"https://discord\.com/channels/\d+/\d+/(\d+)")


async def pages(person: Person, listed: MessageView) -> list[str]:
    """The texts of all pages, turned by *Next* from the first."""
    found = [listed.text]
    while (following := listed.find_button("Next")) is not None and not following.disabled:
        reply = await person.press(listed, label="Next")
        assert reply.kind == "update"
        found.append(listed.text)
    return found


async def test_direct_messages_list_the_matches_of_all_servers_and_offer_what_needs_none(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # Direct messages list the matches of all servers.
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

    # What needs a server is not offered in direct messages.
    offered = [each["name"] for each in alice.client.commands(alice.direct_messages.record)]
    others = (
        "away",
        "daily",
        "games",
        "help",
        "history",
        "learn",
        "mydata",
        "preferences",
        "replay",
        "verify",
        "weekly",
    )
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
    await alice.press(listed, label=say("button.how"))
    await alice.press(listed, label=say("button.my_rank"))
    (own,) = [line for line in listed.text.splitlines() if line.startswith("➤")]
    assert "Alice" in own
    assert " · new · " in own
    reply = await alice.select(listed, values=["t.ciq"])
    assert (reply.kind, say("ladder.empty") in listed.text) == ("update", True)
    await alice.select(listed, values=["t.-"])
    assert say("ladder.title", game=say("ladder.all_games")) in listed.text
    await alice.select(listed, values=["w.-"])
    assert say("ladder.empty_everywhere") in listed.text  # nobody is settled, so no game counts there
    few = say("ladder.heading.few", least=LEAST_MATCHES[Span.LAST_DAYS])
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
    await alice.press(shown, label=say("button.how"))  # with a press the bot learns what she is called
    theirs = (await bob.slash(lobby, "haymaker leaderboard")).message
    assert "**Alice**" in theirs.text
    await alice.press(shown, label=say("button.hide_me"))
    assert say("ladder.hidden_rank", rank=1, of=2) in shown.text
    assert "**Alice**" not in shown.text
    for span in Span:
        await bob.select(theirs, custom_id=theirs.selects[1].custom_id, values=[write(span, "haymaker")])
        assert "Alice" not in theirs.text
    assert str(alice.id) not in str(theirs.raw["components"])
    await alice.press(shown, label=say("button.how"))
    await alice.press(shown, label=say("button.list_me"))
    assert say("ladder.own", rank=1, of=2) in shown.text
    assert "**Alice**" in (await bob.slash(lobby, "haymaker leaderboard")).text

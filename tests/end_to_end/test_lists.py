"""Long lists: matches and leaderboards on pages, from the commands to the last page, in servers and direct messages."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.play.refusals import Refused
from bot.store.queries import counting_again
from bot.store.queries.leaderboards import LEAST_MATCHES, Span
from bot.store.queries.resets import TAKEN_BACK_WITHIN
from bot.ui.catalogue import translations
from cogs.actions.file_queue import FileQueue
from cogs.leaderboards.commands import PAGE as RANKS
from cogs.leaderboards.queries import LeaderboardQueries
from cogs.leaderboards.screens import POST, RESET, SAVE, START_OVER, TAKE_BACK, write
from discord_sandbox import MessageView, Person, Sandbox
from engines import GAMES
from tests.bot.store.contract_boards import ended
from tests.end_to_end.cardroom import Cardroom, eventually
from tests.end_to_end.players import challenge
from tests.end_to_end.test_stuck_matches import changes

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

    # Buttons of leaderboards of older versions still work.
    listed = (await alice.slash(lobby, "leaderboard", game="haymaker")).message
    first = listed.text
    await alice.press(listed, label="Next")
    second = listed.text
    assert first != second
    assert (await alice.press(listed, custom_id="g1:haymaker:1:ranks:0", force=True)).text == first
    assert (await alice.press(listed, custom_id="g1:haymaker:2:ranks:1", force=True)).text == second
    older = await alice.press(listed, custom_id="g1:haymaker:0:ownrank", force=True)
    assert "➤" in older.text
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


# ----------------------------------------------------------- what who manages the server does with a leaderboard


async def _refuse(*_: object) -> None:
    """What the queue says to who waits for a file."""
    raise Refused("files.one")


async def test_who_manages_the_server_posts_and_saves_a_leaderboard(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    for person in (alice, bob):
        await person.slash(lobby, "games")  # the bot knows their names
    listed = await alice.slash(lobby, "leaderboard", game="haymaker")
    data = {"component_type": 2, "custom_id": f"g1:haymaker:0:{POST}:{write(Span.ALL_TIME, 'haymaker')}"}
    empty = await alice.forge(lobby, "component", data, listed.message)
    assert say("ladder.empty_since") in empty.text
    await ended(room.store, "m1", (alice.id, bob.id), (1, 2), game="haymaker", guild=lobby.server_id or 0)
    listed = await alice.slash(lobby, "leaderboard", game="haymaker")
    how = await alice.press(listed.message, label=say("button.how"))
    posted = await alice.press(how.message, label=say("ladder.post"))
    assert posted.visibility == "public"
    assert say("ladder.title", game="Haymaker") in posted.text
    saved = await alice.press(how.message, label=say("ladder.save"))
    assert (saved.visibility, say("ladder.saved") in saved.text) == ("ephemeral", True)
    files: Any = saved.message.raw["attachments"]
    assert [each["filename"] for each in files] == ["leaderboard-haymaker.csv", "leaderboard-haymaker.json"]
    with monkeypatch.context() as patched:
        patched.setattr(FileQueue, "made", _refuse)
        waits = await alice.press(how.message, label=say("ladder.save"))
        assert say("files.one") in waits.text
    private = await bob.press(posted.message, label=say("button.leaderboard"))
    assert private.visibility == "ephemeral"

    others = await bob.press(private.message, label=say("button.how"))
    assert say("ladder.post") not in others.message.labels
    for verb in (POST, SAVE):
        data = {"component_type": 2, "custom_id": f"g1:haymaker:0:{verb}:{write(Span.ALL_TIME, 'haymaker')}"}
        told = await bob.forge(lobby, "component", data, others.message)
        assert say("settings.not_yours") in told.text


async def test_who_manages_the_server_resets_its_standings_and_takes_that_back(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    guild, queries = lobby.server_id or 0, LeaderboardQueries(room.store)
    for person in (alice, bob):
        await person.slash(lobby, "games")  # the bot knows their names
    await ended(room.store, "m1", (bob.id, alice.id), (1, 2), game="haymaker", guild=guild)

    async def counted() -> bool:
        found = await room.store.database.read(counting_again.recount)
        return not (await queries.is_counting(guild) or found.differing or found.differing_lines)

    listed = await alice.slash(lobby, "leaderboard", game="haymaker")
    how = await alice.press(listed.message, label=say("button.how"))
    asked = await alice.press(how.message, label=say("ladder.reset"))
    assert say("ladder.reset_ask", days=7) in asked.text
    done = await alice.press(asked.message, label=say("ladder.reset_do"))
    reset = await queries.latest_reset(guild)
    assert reset is not None
    assert done.message.labels == [say("button.previous"), say("ladder.reset_undo")]
    await eventually(counted)

    since = say("ladder.since", when=f"<t:{reset.at // 1000}:D>")
    empty = (await bob.slash(lobby, "leaderboard", game="haymaker")).text
    assert since in empty
    assert "Alice" not in empty
    assert "m1" in {row.id for row in await room.store.latest_finished(guild, bob.id, 9)}
    await ended(room.store, "m2", (alice.id, bob.id), (1, 2), game="haymaker", guild=guild)
    text = (await bob.slash(lobby, "leaderboard", game="haymaker")).text
    assert "**Alice** · new · 1–0" in text, text

    undone = await alice.press(done.message, label=say("ladder.reset_undo"))
    assert say("ladder.reset_undone") in undone.text
    await eventually(counted)
    both = await bob.slash(lobby, "leaderboard", game="haymaker")
    assert since not in both.text
    standing = await room.store.standing(guild, "haymaker", bob.id)
    assert standing is not None
    assert (standing.wins, standing.losses) == (1, 1)
    lines = await changes(alice, lobby)
    assert "**Alice** took a reset of all standings back" in lines[0]
    assert "**Alice** reset all standings" in lines[1]

    # Nobody else can, and after seven days nobody.
    others = await bob.press(both.message, label=say("button.how"))
    assert say("ladder.reset") not in others.message.labels
    for verb in (RESET, START_OVER, TAKE_BACK):
        data = {"component_type": 2, "custom_id": f"g1:haymaker:0:{verb}:{write(Span.ALL_TIME, 'haymaker')}"}
        assert say("settings.not_yours") in (await bob.forge(lobby, "component", data, others.message)).text
    done = await alice.press(undone.message, label=say("ladder.reset_do"))
    await eventually(counted)
    room.pass_time(TAKEN_BACK_WITHIN / 1000)
    assert say("ladder.reset_final") in (await alice.press(done.message, label=say("ladder.reset_undo"))).text
    assert await queries.latest_reset(guild) is not None


# ------------------------------------------------------------------------------------------------ games and help


async def test_games_lists_matches_and_challenges_with_whose_turn_it_is_and_its_time(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # Games lists matches and challenges with whose turn it is.
    alice, bob, carol, lobby = (
        sandbox.user("Alice"),
        sandbox.user("Bob"),
        sandbox.user("Carol"),
        sandbox.channel("lobby"),
    )
    nothing = await alice.slash(lobby, "games")
    assert (nothing.visibility, say("games.none") in nothing.text) == ("ephemeral", True)
    offered = await alice.press(nothing.message, label="Play")
    assert say("play.nobody_waits") in offered.text
    board = await challenge(alice, bob, lobby)
    await carol.slash(lobby, "haymaker challenge", opponent=alice)
    seen = [(await person.slash(lobby, "games")).text for person in (alice, bob, carol)]
    assert sum(say("games.your_turn") in text for text in seen[:2]) == 1
    assert all(f"/{lobby.id}/{board.id}" in text for text in seen[:2])
    assert "waiting for your answer" in seen[0]
    assert "waiting for an answer" in seen[2]

    # Relative times are placed where their sentence reads well.
    await room.clear()
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    opened = await alice.slash(lobby, "ciq open")
    for invitation in (asked, opened):
        assert re.search(r"^Expires <t:\d+:R>\.$", invitation.text, re.MULTILINE)
    await bob.press(asked.message, label="Accept")
    (match,) = room.app.matches.live()
    (seat,) = match.awaited
    listed = {person.id: (await person.slash(lobby, "games")).text for person in (alice, bob)}
    assert re.search(r": \*\*your turn\*\*, time runs out <t:\d+:R> ", listed[match.seats[seat]])
    assert re.search(r": their turn, time runs out <t:\d+:R> ", listed[match.seats[1 - seat]])


async def test_help_names_every_command_and_how_many_can_play_each_game(sandbox: Sandbox, room: Cardroom) -> None:
    # Help names every command.
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    helped = await alice.slash(lobby, "help")
    assert helped.message.labels == ["Learn", "Play", "Practice", "All commands"]
    reply = await alice.press(helped.message, label="All commands")
    assert reply.visibility == "ephemeral"
    for command in (
        *(f"/{game}" for game in GAMES),
        *("challenge", "open", "rules", "leaderboard"),  # of each game
        *("/games", "/leaderboard", "/help", "/notify", "/preferences", "/mydata", "/history", "/replay"),
    ):
        assert f"`{command}`" in reply.text

    # Help says how many can play each game.
    shown = (await sandbox.user("Alice").slash(sandbox.channel("lobby"), "help")).text
    counts = dict(re.findall(r"^\*\*(.+)\*\* · ([^·\n]+)$", shown, re.MULTILINE))
    assert counts.keys() == {game.info.title for game in GAMES.values()}
    assert counts.items() >= {("Haymaker", "2 players"), ("Champions of Chance", "2 to 5 players")}

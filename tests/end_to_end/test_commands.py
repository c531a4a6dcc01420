"""The commands that show: /games, /leaderboard, /help, the rules."""

from __future__ import annotations

import random
import re

from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from engines import GAMES
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge, play_out

say = translations("en")


async def test_games_lists_matches_and_challenges_with_whose_turn_it_is(sandbox: Sandbox, room: Cardroom) -> None:
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


async def test_relative_times_are_placed_where_their_sentence_reads_well(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    opened = await alice.slash(lobby, "ciq open")
    for invitation in (asked, opened):
        assert re.search(r"^Expires <t:\d+:R>\.$", invitation.text, re.MULTILINE)
    await bob.press(asked.message, label="Accept")
    (match,) = room.app.matches.live()
    (seat,) = match.awaited
    seen = {person.id: (await person.slash(lobby, "games")).text for person in (alice, bob)}
    assert re.search(r": \*\*your turn\*\*, time runs out <t:\d+:R> ", seen[match.seats[seat]])
    assert re.search(r": their turn, time runs out <t:\d+:R> ", seen[match.seats[1 - seat]])


async def test_a_leaderboard_is_of_one_server(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    elsewhere = sandbox.channel("general", server="Second Server")
    board = await challenge(alice, bob, lobby)
    await play_out({"Alice": alice, "Bob": bob}, board, random.Random(3))
    assert "**Alice**" in (await alice.slash(lobby, "leaderboard", game="haymaker")).text
    empty = await alice.slash(elsewhere, "leaderboard")
    assert say("ladder.empty_everywhere") in empty.text
    assert "Play" in empty.message.labels
    assert say("ladder.title", game="Haymaker") in (await alice.slash(lobby, "leaderboard")).text
    carol = sandbox.user("Carol")
    assert say("ladder.title", game=say("ladder.all_games")) in (await carol.slash(lobby, "leaderboard")).text
    unranked = await carol.slash(lobby, "leaderboard", game="haymaker")
    assert say("ladder.unranked") in unranked.text
    await carol.press(unranked.message, label=say("button.how"))
    assert say("button.hide_me") not in unranked.message.labels


async def test_help_names_every_command(sandbox: Sandbox, room: Cardroom) -> None:
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


async def test_help_says_how_many_can_play_each_game(sandbox: Sandbox, room: Cardroom) -> None:
    shown = (await sandbox.user("Alice").slash(sandbox.channel("lobby"), "help")).text
    counts = dict(re.findall(r"^\*\*(.+)\*\* · ([^·\n]+)$", shown, re.MULTILINE))
    assert counts.keys() == {game.info.title for game in GAMES.values()}
    assert counts.items() >= {("Haymaker", "2 players"), ("Champions of Chance", "2 to 5 players")}

"""The commands that show: /games, /leaderboard, /help, the rules."""

from __future__ import annotations

import re

from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from engines import GAMES
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge

say = translations("en")


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

"""The commands that show: /games, /leaderboard, /help, the rules."""

from __future__ import annotations

import random
import re

from bot.ui.catalogue import translations
from cogs.screens.rules_pages import sections
from engines import GAMES
from sandbox import Sandbox
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
    elsewhere = sandbox.channel("general", server="Second Table")
    board = await challenge(alice, bob, lobby)
    await play_out({"Alice": alice, "Bob": bob}, board, random.Random(3))
    assert "**Alice**" in (await alice.slash(lobby, "leaderboard", game="haymaker")).text
    assert say("ladder.empty", game="haymaker") in (await alice.slash(elsewhere, "leaderboard")).text
    unranked = await sandbox.user("Carol").slash(lobby, "leaderboard")
    assert say("ladder.unranked") in unranked.text


async def test_help_names_every_command(sandbox: Sandbox, room: Cardroom) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    reply = await alice.slash(lobby, "help")
    assert reply.visibility == "ephemeral"
    for command in (
        *(f"/{game}" for game in GAMES),
        *("challenge", "open", "rules", "leaderboard"),  # of each game
        *("/games", "/leaderboard", "/help", "/notify", "/mydata export", "/mydata delete"),
    ):
        assert f"`{command}`" in reply.text


async def test_the_rules_are_read_page_by_page(sandbox: Sandbox, room: Cardroom) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    reply = await alice.slash(lobby, "haymaker rules")
    pages = sections("haymaker")
    for number, (heading, text) in enumerate(pages, start=1):
        assert heading in reply.text
        assert text in reply.text
        assert say("rules.page", page=number, pages=len(pages)) in reply.text
        if number < len(pages):
            reply = await alice.press(reply.message, label="Next")
            assert reply.kind == "update"
    assert reply.message.button("Next").disabled
    back = await alice.press(reply.message, label="Back")
    assert pages[-2][0] in back.text


async def test_the_boards_rules_button_shows_the_rules(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    shown = await sandbox.user("Carol").press(asked.message, label="Rules")
    assert (shown.visibility, sections("haymaker")[0][0] in shown.text) == ("ephemeral", True)
    board = (await bob.press(asked.message, label="Accept")).message
    assert sections("haymaker")[0][0] in (await alice.press(board, label="Rules")).text


async def test_help_says_how_many_can_play_each_game(sandbox: Sandbox, room: Cardroom) -> None:
    shown = (await sandbox.user("Alice").slash(sandbox.channel("lobby"), "help")).text
    counts = dict(re.findall(r"^\*\*(.+)\*\* · ([^·]+) · ", shown, re.MULTILINE))
    assert counts.keys() == {game.info.title for game in GAMES.values()}
    assert counts.items() >= {("Haymaker", "2 players"), ("Champions of Chance", "2 to 5 players")}

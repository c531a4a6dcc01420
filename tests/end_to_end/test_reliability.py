"""Reliability: read by those who are asked to sit, asked for by tables, improved by playing."""

from __future__ import annotations

from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import behind_more, challenge, press_where_it_is, resign

say = translations("en")
FEW = 4
"""Matches after which somebody is no longer new."""
LEAVES = say("reliability.level.sometimes_leaves")
NEW = say("reliability.level.new")


async def leave_matches(person: Person, other: Person, channel: DrivenChannel) -> None:
    """Leave a few matches right after the deal, so that one is no longer reliable."""
    for _ in range(FEW):
        board = await challenge(other, person, channel)
        await resign(person, board)


async def test_who_is_asked_to_sit_reads_how_reliably_the_others_play_and_everybody_reads_their_own(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # Who is asked to sit reads privately how reliably the others play.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    carol = sandbox.user("Carol")
    await leave_matches(alice, bob, lobby)
    asked = (await alice.slash(lobby, "haymaker challenge", opponent=bob)).message
    assert LEAVES not in asked.text
    mine = await behind_more(bob, asked)
    reliability = mine.button("Reliability").custom_id
    told = await bob.press(mine, label="Reliability")
    assert told.visibility == "ephemeral"
    assert say("reliability.line", name="Alice", level=LEAVES) in told.text
    assert say("reliability.left", n=FEW) in told.text
    assert say("reliability.of_you", level=NEW) in told.text  # nothing is kept of the one who was left
    other = await carol.press(asked, custom_id=reliability, force=True)
    assert (other.visibility, other.text) == ("ephemeral", say("reliability.not_asked"))
    await bob.press(asked, label="Decline")

    # Play says of hosts how reliably they play.
    await room.clear()
    await alice.slash(lobby, "haymaker open")
    await room.settle()
    offered = await carol.slash(lobby, "play")
    assert say("play.host", level=LEAVES) in offered.text
    table = (await bob.slash(lobby, "ciq open", reliable=True)).message
    await room.settle()
    assert say("play.for_reliable") in (await carol.slash(lobby, "play")).text
    seen = await press_where_it_is(alice, table, "Reliability")
    assert say("reliability.of_you", level=LEAVES) in seen.text

    # Everybody reads their own and how to improve it.
    await room.clear()
    unknown = await carol.press((await carol.slash(lobby, "games")).message, label="Your reliability")
    assert unknown.visibility == "ephemeral"
    assert say("reliability.new") in unknown.text
    own = await alice.press((await alice.slash(lobby, "games")).message, label="Your reliability")
    assert say("reliability.of_you", level=LEAVES) in own.text
    assert say.count("reliability.improve", 2) in own.text
    back = await alice.press(own.message, label="Back")
    assert say("games.none") in back.text

    # A table may ask for reliable people and says how to get in.
    await room.clear()
    table = (await bob.slash(lobby, "haymaker open", reliable=True)).message
    assert say("table.for_reliable") in table.text
    refused = await alice.press(table, label="Join")
    sentence = say("table.not_reliable", finished=0, matches=FEW, needed=2)
    assert (refused.visibility, refused.text) == ("ephemeral", sentence)
    offered = await alice.slash(lobby, "play")
    assert "Join" not in " ".join(offered.message.labels)
    waits = await alice.slash(lobby, "play", game="haymaker")
    assert say("play.waits", game="Haymaker", link="{", when="").partition("{")[0] in waits.text
    assert len(room.app.invitations.open()) == 2
    joined = await carol.press(table, label="Join")  # she is new
    assert "**Carol**" in joined.text

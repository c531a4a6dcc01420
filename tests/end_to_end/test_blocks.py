"""`/block` and *Decline for good*: two people are kept apart, and only who wanted it knows."""

from __future__ import annotations

from pathlib import Path

from bot.play.server_settings import EXCLUDED_ROLES
from bot.ui import isolation
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, MessageView, Permission, Person, Role, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.exports import exported
from tests.end_to_end.players import behind_more, challenge, hand_of, resign

say = translations("en")


async def block(person: Person, other: Person, channel: DrivenChannel) -> MessageView:
    """Block somebody; the list."""
    reply = await person.slash(channel, "block", user=other)
    assert (reply.visibility, reply.failed) == ("ephemeral", False)
    assert say("block.done") in reply.text
    return reply.message


async def refusal(person: Person, channel: DrivenChannel, opponent: Person) -> str:
    """What somebody reads whose challenge is refused."""
    reply = await person.slash(channel, "haymaker challenge", opponent=opponent)
    assert reply.visibility == "ephemeral"
    return reply.text


async def test_neither_challenges_the_other_and_the_words_fit_other_reasons(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    server = sandbox.server()
    server.roles[77] = Role(77, "Guests", Permission.SEND_MESSAGES, 1)
    async with cardroom(sandbox, tmp_path) as room:
        await block(alice, bob, lobby)
        refused = await refusal(bob, lobby, alice)
        assert refused == say("challenge.takes_none", player=isolation.mention(alice.id))
        assert await refusal(alice, lobby, bob) == say("challenge.takes_none", player=isolation.mention(bob.id))
        listed = (await alice.slash(lobby, "block")).message
        await alice.select(listed, values=[str(bob.id)])
        assert say("block.nobody") in listed.text
        server.members[alice.id].role_ids.append(77)
        await room.app.server_settings.change(server.id, bob.id, EXCLUDED_ROLES, "77")
        assert await refusal(bob, lobby, alice) == refused
        server.members[alice.id].role_ids.clear()
        assert (await bob.slash(lobby, "haymaker challenge", opponent=alice)).visibility == "public"


async def test_nobody_is_seated_with_somebody_they_are_kept_apart_from(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, carol = map(sandbox.user, ("Alice", "Bob", "Carol"))
    lobby = sandbox.channel("lobby")
    await block(alice, bob, lobby)
    table = (await alice.slash(lobby, "haymaker open")).message
    for _ in range(2):
        assert (await bob.press(table, label="Join")).text == say("table.not_now")
    await bob.slash(lobby, "play", game="haymaker")
    await room.settle()
    (_, waiting) = room.app.invitations.open()
    assert (waiting.host_id, waiting.auto_start) == (bob.id, True)
    offered = (await alice.slash(lobby, "play")).message
    assert waiting.id not in str(offered.raw)
    begun = await carol.slash(lobby, "play", game="haymaker")
    assert begun.visibility == "ephemeral"
    (match,) = room.app.matches.live()
    assert {*match.seats} == {bob.id, carol.id}


async def test_a_guest_does_not_join_a_challenge_with_somebody_they_have_blocked(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = (await bob.slash(lobby, "haymaker challenge", opponent=alice)).message
    await block(alice, bob, lobby)
    assert (await alice.press(asked, label="Accept")).text == say("table.not_now")
    assert (await alice.press(asked, label="Decline")).visibility == "public"


async def test_a_match_goes_on_between_people_who_block_each_other(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    await block(alice, bob, lobby)
    await block(bob, alice, lobby)
    assert (await hand_of(alice, board)).ephemeral
    (match,) = room.app.matches.live()
    assert match.suspended is None
    await resign(alice, board)
    await sandbox.wait_for(lambda: "Rematch" in board.labels)
    assert (await bob.press(board, label="Rematch")).text == say(
        "challenge.takes_none", player=isolation.mention(alice.id)
    )


async def test_decline_for_good_asks_and_shows_no_more_than_decline(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, carol = map(sandbox.user, ("Alice", "Bob", "Carol"))
    lobby = sandbox.channel("lobby")
    asked = (await bob.slash(lobby, "haymaker challenge", opponent=alice)).message
    mine = await behind_more(alice, asked)
    never = mine.button(say("block.decline")).custom_id
    for other in (bob, carol):
        assert (await other.press(asked, custom_id=never, force=True)).text == say("challenge.not_yours")
    question = await alice.press(mine, label=say("block.decline"))
    assert question.visibility == "ephemeral"
    assert "**Bob**" in question.text
    done = await alice.press(question.message, label=say("block.decline"))
    assert (done.visibility, say("block.done") in done.text) == ("ephemeral", True)
    declined = say("challenge.declined", guest="Alice", host="Bob", game="Haymaker")
    await sandbox.wait_for(lambda: asked.text.endswith(declined))
    assert await refusal(bob, lobby, alice) == say("challenge.takes_none", player=isolation.mention(alice.id))


async def test_blocks_count_in_all_servers_outlive_a_restart_and_are_exported(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    elsewhere = sandbox.channel("general", server="Second Server")
    async with cardroom(sandbox, tmp_path):
        await block(alice, bob, lobby)
    async with cardroom(sandbox, tmp_path):
        assert await refusal(bob, elsewhere, alice) == say("challenge.takes_none", player=isolation.mention(alice.id))
        (exported_block,) = (await exported(alice, elsewhere))["blocks"]
        assert exported_block["user"] == str(bob.id)
        assert (await exported(bob, lobby))["blocks"] == []

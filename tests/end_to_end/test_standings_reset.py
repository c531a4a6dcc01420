"""Standings of a server that start over, and are as before when that is taken back."""

from __future__ import annotations

from bot.store.queries import counting_again
from bot.store.queries.leaderboards import Span
from bot.store.queries.resets import TAKEN_BACK_WITHIN
from bot.ui.catalogue import translations
from cogs.leaderboards.queries import LeaderboardQueries
from cogs.leaderboards.screens import RESET, START_OVER, TAKE_BACK, write
from discord_sandbox import Sandbox
from tests.bot.store.contract_boards import ended
from tests.end_to_end.cardroom import Cardroom, eventually
from tests.end_to_end.test_stuck_matches import changes

say = translations("en")


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

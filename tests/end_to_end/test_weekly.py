"""The deal of the week: one deal for two servers, one try for each person in both, and closed until its week ends."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.scheduler import DAY, ends_at
from bot.store.queries.matches import MatchRow
from bot.store.special_ids import direct_venue
from bot.ui.catalogue import translations
from cogs.weekly import queries
from cogs.weekly.deals import last_day, points_of
from cogs.weekly.queries import BEST, WeeklyQueries
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually, to_noon
from tests.end_to_end.exports import exported
from tests.end_to_end.players import resign
from tests.end_to_end.practising import MORE, only_match
from tests.end_to_end.test_daily import Watch, attempt_of, doors, known, play_out, pressed
from tests.end_to_end.test_settings import choose, opened

say = translations("en")
GAME = "haymaker"


def to_monday(room: Cardroom) -> None:
    """Let it be noon on a Monday: no week must end in the middle of a test."""
    week = last_day(room.app.days.today())
    room.pass_time((ends_at(week) - room.now()) / 1000 - 60)
    to_noon(room)


async def tries(room: Cardroom, person: Person, channel: DrivenChannel) -> MessageView:
    """Begin a try; the private message."""
    begun = await person.slash(channel, "weekly", game=GAME)
    assert begun.visibility == "ephemeral"
    await eventually(lambda: known(room))
    return begun.message


async def row_of(room: Cardroom, match_id: str) -> MatchRow:
    row = await room.store.match(match_id)
    assert row is not None
    return row


async def test_two_servers_play_one_deal_which_opens_when_the_week_is_over(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "LEAST_RATED", 0)
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    lobby, far = sandbox.channel("lobby"), sandbox.channel("general", server="Second Server")
    to_monday(room)

    await tries(room, alice, lobby)
    match = attempt_of(room, alice)
    refused = await alice.slash(far, "weekly", game=GAME)
    assert say("weekly.elsewhere") in refused.text
    first = await row_of(room, match.id)
    watch = Watch(sandbox, match, first)
    await watch.look()
    await play_out(room, alice, (await alice.slash(lobby, "weekly", game=GAME)).message)
    listed = await alice.slash(lobby, "games")
    assert say("games.weekly_open", game="Haymaker") not in listed.text
    mine = (await alice.slash(lobby, "weekly", game=GAME)).message
    closed = say("daily.closed", when=f"<t:{ends_at(first.day or 0) // 1000}:R>")
    assert sum(closed in reply.text for reply in await doors(alice, lobby, match, mine)) >= 6
    for channel in (lobby, far):
        asked_by_bob = await doors(bob, channel, match, (await bob.slash(channel, "weekly")).message)
        assert not any("Alice" in reply.text for reply in asked_by_bob)
        assert not any(closed in reply.text for reply in asked_by_bob), "there is no such match for Bob"
    await watch.look()
    hand = await tries(room, bob, far)
    other = attempt_of(room, bob)
    second = await row_of(room, other.id)
    assert (first.seed, first.deal_id, first.day) == (second.seed, second.deal_id, second.day)
    assert say("games.weekly_open", game="Haymaker") in (await bob.slash(far, "games")).message.labels

    result = await alice.slash(lobby, "weekly", game=GAME)
    assert say("weekly.no_servers") in result.text
    assert say("weekly.not_shown") in result.text
    await choose(alice, await opened(alice, lobby), "set", "weekly.shown")
    result = await alice.slash(lobby, "weekly", game=GAME)
    own = await WeeklyQueries(room.store).attempt(GAME, first.day or 0, alice.id)
    assert own is not None
    assert own.counts
    assert sandbox.channel("lobby").server_id == own.guild_id
    assert say("weekly.not_shown") not in result.text
    name, score = sandbox.world.servers[own.guild_id].name, points_of(own) // BEST
    assert say("weekly.line", place=1, name=f"**{name}**", score=score) in result.text
    assert say("daily.closed", when=f"<t:{ends_at(first.day or 0) // 1000}:R>") in result.text
    proof = await alice.press((await alice.slash(lobby, "weekly")).message, label=say("button.proof"))
    assert first.deal_id in proof.text
    for shown in (result, proof, await bob.slash(far, "verify", code=match.id), await alice.slash(lobby, "verify")):
        assert first.seed.hex() not in shown.text
    assert first.seed.hex() not in str(await exported(alice, lobby))
    asked = await alice.slash(lobby, "mydata delete")
    assert say("mydata.daily", when=f"<t:{ends_at(first.day or 0) // 1000}:R>") in asked.text

    await play_out(room, bob, hand)
    theirs = await bob.slash(far, "weekly", game=GAME)
    assert say("weekly.line", place=1, name=name, score=score) in theirs.text, "Bob's server isn't in the table"
    assert "Alice" not in theirs.text
    assert lobby.messages == far.messages == [], "nothing is posted"

    room.pass_time(7 * DAY / 1000)
    week = (await bob.slash(far, "weekly")).message
    assert say("weekly.last_week") in week.text
    assert "Alice" not in week.text
    shown = await bob.press(week, label=say("button.weekly_last", game="Haymaker"))
    assert "Replay" in shown.message.labels
    verified = await bob.slash(far, "verify", code=other.id)
    assert say("verify.all_fits") in verified.text
    unknown = await bob.slash(far, "verify", code=match.id)
    assert say("verify.all_fits") not in unknown.text, "it is another server's match"
    await choose(alice, await opened(alice, lobby), "set", "weekly.hidden")
    assert say("weekly.last_week") not in (await bob.slash(far, "weekly")).text


async def test_in_a_chat_somebody_plays_the_same_deal_for_no_server(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    alice.user.has_installed = True
    chat = sandbox.chat(alice, sandbox.user("Bob"))
    async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL="on") as room:
        to_monday(room)
        hand = await tries(room, alice, chat)
        assert attempt_of(room, alice).guild_id == direct_venue(alice.id)
        assert (await alice.slash(lobby, "weekly", game=GAME)).text == say("weekly.elsewhere")
        await resign(alice, hand)
        for channel in (chat, alice.direct_messages):
            result = await alice.slash(channel, "weekly", game=GAME)
            assert (result.visibility, say("weekly.outside") in result.text) == ("ephemeral", True)
            assert say("weekly.not_shown") not in result.text
        assert chat.messages == alice.direct_messages.messages == []


async def test_presses_that_no_screen_offers_are_refused_and_two_commands_at_once_begin_one_attempt(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # Presses that no client sends are refused.
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    for verb, arg in [
        ("weeklyplay", "tivmiv"),
        ("weeklyplay", "chess"),
        ("weeklyplay", ""),
        ("weeklyend", ""),
        ("weeklyend", "x"),
    ]:
        listed = (await alice.slash(lobby, "weekly")).message
        reply = await alice.press(listed, custom_id=pressed("weekly", verb, arg), force=True)
        assert not reply.failed
        assert reply.visibility == "ephemeral"
        assert len(room.app.matches) == 0

    # A try at a day and one at a week are not shown as each other.
    to_monday(room)
    both = await asyncio.gather(*(alice.slash(lobby, "weekly", game=GAME) for _ in range(2)))
    weekly = await only_match(room)
    assert all(each.message.find_button(MORE) for each in both), "it is on a hand only"
    await alice.slash(lobby, "daily", game=GAME)
    (daily,) = [each for each in room.app.matches.live() if each.id != weekly.id]
    listed = (await alice.slash(lobby, "weekly")).message
    for subject, verb, match in (("daily", "dailyend", weekly), ("weekly", "weeklyend", daily)):
        reply = await alice.press(listed, custom_id=pressed(subject, verb, match.id), force=True)
        assert say("press.unknown") in reply.text

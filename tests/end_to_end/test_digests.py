"""*Once a day*: chosen under `/notify`, heard in one direct message that is edited, kept over a restart."""

from __future__ import annotations

from pathlib import Path

from bot.store.queries.people import NoticeLevel
from bot.ui.catalogue import translations
from cogs.actions.digests import EDIT_AFTER, LOOK_EVERY
from discord_sandbox import MessageView, Sandbox
from tests.end_to_end.cardroom import cardroom, eventually
from tests.end_to_end.players import challenge, hand_of

say = translations("en")
DAY = 24 * 3600


async def test_one_message_a_day_lists_what_waits_and_follows_it(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        due = 0
        for person in (alice, bob):
            shown = (await person.slash(lobby, "notify")).message
            await person.select(shown, custom_id="g1:notify:0:notify", values=["digest"])
            assert say("notify.level.digest") in shown.text
            await person.select(shown, custom_id="g1:notify:0:owntime", values=["12"])
            await person.select(shown, custom_id="g1:notify:0:digest", values=["9"])
            assert say("settings.saved") in shown.text
            found = await room.store.digest(person.id)
            assert found is not None
            due = found.due
            assert found.hour == (9 - 12 + room.now() // 3_600_000) % 24
        board = await challenge(alice, bob, lobby, clock="daily")
        (match,) = room.app.matches.live()
        (seat,) = match.awaited
        away = alice if match.seats[seat] == alice.id else bob
        room.pass_time(due / 1000 - room.now() / 1000 + LOOK_EVERY)
        await sandbox.wait_for(lambda: len(away.direct_messages.messages) == 1)
        told: MessageView = away.direct_messages.last
        assert f"https://discord.com/channels/{lobby.server_id}/{lobby.id}/{board.id}" in told.text
        assert say("games.group.waiting", n=1) in told.text

        async def noted() -> bool:
            return len(await room.store.shown_digests()) == 1

        await eventually(noted)
        listed = await away.press(told, label=say("digest.all"))
        assert (listed.visibility, say("games.title_everywhere") in listed.text) == ("ephemeral", True)
    async with cardroom(sandbox, tmp_path) as room:
        (match,) = room.app.matches.live()
        assert await room.store.notice_level(match.guild_id, away.id) is NoticeLevel.DIGEST
        hand = await hand_of(away, board)
        assert hand is not None
        room.pass_time(EDIT_AFTER + LOOK_EVERY)
        assert len(away.direct_messages.messages) == 1
        assert not told.deleted
        assert all(str(away.id) not in each.text for each in lobby.messages if each.id != board.id)

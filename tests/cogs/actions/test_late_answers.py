"""An answer that comes late shows the past, and must not stay over what became of it."""

from __future__ import annotations

import asyncio

import discord
import pytest

from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.store.queries.invitations import Invitation, InvitationState
from bot.store.special_ids import chat_venue
from bot.ui.screen import Press
from cogs.screens import custom_ids
from cogs.screens.renderer import Sheet, sheet
from cogs.updates.board_updater import BoardUpdater
from cogs.updates.channel_messages import Posted
from cogs.updates.edit_queue import SPACING
from cogs.updates.token_edits import InteractionToken
from discord_sandbox.virtual_time import settle
from engines import GAMES
from engines.game import Resign
from tests.bot.play.parts import ANN, BOB, CAT, CHANNEL, MESSAGE, press_ids
from tests.cogs.actions.offline_bot import OfflineBot
from tests.cogs.fake_interaction import FakeInteraction, Seen
from tests.cogs.fake_messages import FakeMessage


async def both_ready(bot: OfflineBot, table: Invitation) -> asyncio.Task[FakeInteraction]:
    """Two say that they are ready, and the first one's answer comes after the second one's."""
    ready = custom_ids.write(table.id, Press("here"))
    late = bot.interaction(ready, BOB)
    late.takes = 2.0
    answering = asyncio.create_task(bot.send(late))
    await settle()
    await bot.press(ready, CAT)
    return answering


async def test_a_late_answer_of_who_is_ready_leaves_the_board_of_the_match_that_has_begun(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = list[str]()
    table = await bot.readying()

    def show_again(_: BoardUpdater, match: LiveMatch) -> None:
        again.append(match.id)

    monkeypatch.setattr(BoardUpdater, "show_again", show_again)
    answering = await both_ready(bot, table)
    assert bot.registry.playing(table.id) is not None
    assert again == []
    await answering
    assert again == [table.id]


async def asking_three(bot: OfflineBot) -> tuple[Invitation, FakeMessage]:
    """A table that waits until three are ready, and its message."""
    table, dan = await bot.readying(), 4
    with bot.presses.take_up(table.id, next(press_ids)) as press:
        await bot.seating.take_seat(table.id, dan, MESSAGE, press)
    await bot.invitations.note_message(table, MESSAGE)
    message = bot.messages.messages[Posted(CHANNEL, MESSAGE)] = FakeMessage(Posted(CHANNEL, MESSAGE), "")
    bot.invitations.presence.ask(table.id, (BOB, CAT, dan))
    return bot.invitations.get_open(table.id), message


def shows_present(bot: OfflineBot, table: Invitation, message: FakeMessage) -> bool:
    present = bot.app.public_screens.invitation(bot.invitations.get_open(table.id), InvitationState.OPEN)
    return isinstance(message.shown, Sheet) and message.shown.mark() == sheet(present, table.id).mark()


async def test_a_late_answer_of_who_is_ready_does_not_hide_that_another_is(bot: OfflineBot) -> None:
    table, message = await asking_three(bot)
    await (await both_ready(bot, table))
    await asyncio.sleep(SPACING)
    assert shows_present(bot, table, message)


async def test_a_late_edit_of_a_table_does_not_hide_who_is_ready(bot: OfflineBot) -> None:
    table, message = await asking_three(bot)
    bot.app.updates.invitations.changed(table)
    may_edit = bot.messages.hold()
    await settle()
    await bot.press(custom_ids.write(table.id, Press("here")), BOB)
    may_edit.set()
    await asyncio.sleep(2 * SPACING)
    assert shows_present(bot, table, message)


class BoardInChat(Seen):
    """The board of a match in a chat, which answers and tokens edit. Its edits wait for `may_edit`, and their replies
    for `may_reply`."""

    def __init__(self) -> None:
        super().__init__(private=False)
        self.may_edit, self.may_reply = asyncio.Event(), asyncio.Event()

    async def edit(self, token: InteractionToken, made: Sheet) -> None:
        del token
        await self.may_edit.wait()
        self.shown = made
        await self.may_reply.wait()


async def test_an_answer_that_crosses_the_last_edit_in_a_chat_leaves_the_result(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer lands after the edit, and its reply comes before that of the edit."""
    board = BoardInChat()
    in_chat = discord.app_commands.AppCommandContext(guild=False, dm_channel=False, private_channel=True)
    monkeypatch.setattr(FakeInteraction, "context", in_chat)
    monkeypatch.setattr(bot.app.updates.board_updater.tokens, "edits", board)
    terms = Terms(chat_venue(CHANNEL), CHANNEL, "haymaker", GAMES["haymaker"].info.options(), "daily")
    asked = await bot.inviting.invite(Proposal(terms, ANN, (BOB,)))
    await bot.invitations.note_message(asked, MESSAGE)
    await bot.press(custom_ids.write(asked.id, Press("accept")), BOB, source=board, guild_id=None)
    match = bot.registry.playing(asked.id)
    assert match is not None
    late = bot.interaction(custom_ids.write(asked.id, Press("cards")), ANN, source=board, guild_id=None, takes=2.0)
    looking = asyncio.create_task(bot.send(late))
    await settle()
    await match.act(0, Resign())
    bot.observers.match_changed(match)
    board.may_edit.set()
    await looking
    board.may_reply.set()
    await asyncio.sleep(2 * SPACING)
    assert "Rematch" in board.text

"""The parts of `bot.play`, followed by the parts of `cogs.updates`, which show everything on `FakeMessages`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.gateway.requests.rate_limiter import EDITS_PER_SECOND
from bot.play.live_match import LiveMatch
from bot.store.rows.daily import DailyAttempt
from bot.telemetry import NO_TELEMETRY
from bot.ui.catalogue import translations
from bot.ui.screen import Button, Press, Screen, Text
from cogs.games.haymaker import HaymakerPresenter
from cogs.screens.board import board_screen
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.renderer import Sheet, sheet
from cogs.screens.tables.drawing import with_pictures
from cogs.updates.channel_messages import Posted
from cogs.updates.edit_queue import SPACING, EditQueue
from cogs.updates.interaction_edits.board_tokens import BoardTokens
from cogs.updates.screen_updates import ScreenUpdates
from engines.game import Seat
from tests.bot.play.parts import CHANNEL, Parts, an_act, on_turn
from tests.cogs.fake_interaction import FakeHands
from tests.cogs.fake_messages import Doing, FakeMessage, FakeMessages
from tests.cogs.fake_token_edits import FakeTokenEdits
from tests.virtual_time import settle

NAMES = {1: "Ann", 2: "Bob", 3: "Cat"}
SERVER = "The *Club*"
NOTICE_AFTER = 60.0
PRESENTERS: dict[str, Presenter] = {"haymaker": HaymakerPresenter()}

say = translations("en")


class Following(Parts):
    """All of it."""

    def __init__(self) -> None:
        fresh = Parts.fresh()
        super().__init__(fresh.store, fresh.scheduler)
        self.messages = FakeMessages()
        self.token_edits = FakeTokenEdits(self.messages)
        self.edits = EditQueue(SPACING, EDITS_PER_SECOND, self.scheduler, NO_TELEMETRY)
        self.updates = ScreenUpdates(
            self.messages,
            FakeHands(),
            self.store,
            self.edits,
            BoardTokens(self.token_edits, self.scheduler, enabled=True),
            presenters=PRESENTERS,
            board=self.board,
            invitation=lambda invitation, state: Screen("", (Text(f"{invitation.game} {state}"),)),
            reader=self.reader,
            seat_reader=lambda match, seat, _: replace(self.reader(match), seat=seat),
            server_name=lambda _: SERVER,
            words=lambda _: say,
            open_invitation=self.invitations.open_by_id,
            playing=self.registry.playing,
            clock=self.clock,
            lifecycle=self.lifecycle,
            scheduler=self.scheduler,
            notice_after=NOTICE_AFTER,
            daily_message=self.daily_message,
            server_purged=lambda _: None,
        )
        self.observers.add(self.updates)

    async def close(self) -> None:
        await super().close()
        await self.updates.close()

    def reader(self, match: LiveMatch) -> Reader:
        """Everybody."""
        return Reader(say, tuple(NAMES[user] for user in match.seats))

    def board(self, match: LiveMatch) -> Screen:
        """The board as everybody sees it."""
        return board_screen(match, PRESENTERS[match.game.info.key], self.reader(match))

    @staticmethod
    async def daily_message(
        guild_id: int, day: int, told: Sequence[DailyAttempt], attempts: Sequence[DailyAttempt]
    ) -> Screen:
        """What a channel reads of a day, as far as it matters."""
        text = f"{guild_id} on {day}: {len(told)} of {len(attempts)}"
        return Screen("", (Text(text),), ((Button("Today", Press("daily", 0, str(day))),),))

    @staticmethod
    def invitation_with_buttons() -> Screen:
        """A challenge as far as its controls matter."""
        return Screen("", (Text("asked"),), ((Button("Accept", Press("accept")),),))

    async def seated(self, clock: str = "daily") -> LiveMatch:
        """A match in play, whose board is posted; nothing else is shown, and no edit is under way."""
        match = await self.opened(clock=clock)
        await self.seconds(SPACING)  # the message that was pressed is not there, so the board is posted
        self.messages.requests.clear()
        self.messages.tries.clear()
        return match

    async def move(self, match: LiveMatch) -> None:
        """The seat on turn acts."""
        await match.act(on_turn(match), an_act(match))
        self.clock.settle(match)
        self.updates.match_changed(match)
        await settle()

    async def pass_turn(self, match: LiveMatch) -> None:
        """Players act until it is another one's turn."""
        seat = on_turn(match)
        while on_turn(match) == seat:
            await self.move(match)

    async def seconds(self, seconds: float) -> None:
        """Let time pass; what is due by then is done."""
        await asyncio.sleep(seconds)
        await settle()

    def board_of(self, match: LiveMatch) -> FakeMessage:
        """The message that a match says is its board."""
        assert match.board_id is not None
        return self.messages.messages[Posted(match.channel_id, match.board_id)]

    def is_right(self, match: LiveMatch) -> bool:
        """Whether a match has one board, which shows it as it is."""
        made = sheet(with_pictures(self.board(match)), match.id)
        boards = [each for each in self.messages.there(match.channel_id) if not isinstance(each.shown, str)]
        return (
            boards == [self.board_of(match)]
            and not isinstance(boards[0].shown, str)
            and (boards[0].shown.mark() == made.mark())
        )

    def board_requests(self) -> list[tuple[Doing, Posted]]:
        """What was carried out with boards, in its order."""
        shown = self.messages.messages
        return [(doing, posted) for doing, posted in self.messages.requests if isinstance(shown[posted].shown, Sheet)]

    def texts(self, channel_id: int = CHANNEL) -> list[str]:
        """The plain texts in a channel: mentions and notices."""
        return [each.text for each in self.messages.there(channel_id) if isinstance(each.shown, str)]

    @staticmethod
    def next_act(match: LiveMatch) -> tuple[Seat, Any]:
        """The seat on turn, and an act that it may make."""
        return on_turn(match), an_act(match)

"""The parts of `bot.play`, followed by the parts of `cogs.updates`, which show everything on `FakeMessages`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.gateway.requests import EDITS_PER_SECOND
from bot.play.live_match import LiveMatch
from bot.play.server_settings import KnownServerSettings
from bot.store.queries.invitations import Invitation, InvitationState
from bot.store.queries.people import NoticeLevel
from bot.telemetry import NO_TELEMETRY
from bot.ui.catalogue import Translations, translations
from bot.ui.screen import Button, Press, Screen, Text
from cogs.board_pictures import BoardPictures
from cogs.daily.messages import DailyMessages
from cogs.daily.queries import DailyAttempt, DailyQueries
from cogs.games.haymaker import HaymakerPresenter
from cogs.matchmaking.notices import TableNotices
from cogs.matchmaking.queries import TableSubscriptions
from cogs.public_screens import PublicScreens
from cogs.screens.board import board_screen
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.renderer import Sheet, sheet
from cogs.screens.tables import with_pictures
from cogs.updates.board_updater import BoardUpdater, InvitationUpdater
from cogs.updates.channel_messages import Posted
from cogs.updates.edit_queue import SPACING, EditQueue
from cogs.updates.match_notices import MatchNotices
from cogs.updates.notifier import Notifier
from cogs.updates.open_hands import OpenHands
from cogs.updates.opened_deals import OpenedDeals
from cogs.updates.screen_updates import ScreenUpdates
from cogs.updates.shown_messages import Postings, ShownMessages
from cogs.updates.shown_records import BoardMarks, HandRecords
from cogs.updates.time_warnings import TimeWarnings
from cogs.updates.token_edits import BoardTokens
from cogs.wording import Readers, Wording
from discord_sandbox.virtual_time import settle
from engines.game import Seat
from tests.bot.play.parts import CHANNEL, ELSEWHERE, GUILD, OpenToAll, Parts, an_act, on_turn, press_ids
from tests.cogs.fake_interaction import FakeHands
from tests.cogs.fake_messages import Doing, FakeMessage, FakeMessages
from tests.cogs.fake_token_edits import FakeTokenEdits

NAMES = {1: "Ann", 2: "Bob", 3: "Cat"}
SERVER = "The *Club*"
NOTICE_AFTER = 60.0
PRESENTERS: dict[str, Presenter] = {"haymaker": HaymakerPresenter()}

say = translations("en")


class FakeWording(Wording):
    """The only server, in English."""

    def __init__(self) -> None:
        """Nothing is needed."""

    def of_server(self, guild_id: int) -> Translations:  # noqa: ARG002  the only one
        return say

    async def of_person(self, guild_id: int, user_id: int) -> Translations:  # noqa: ARG002  all read English
        return say

    def server_name(self, guild_id: int) -> str:  # noqa: ARG002  the only one
        return SERVER


class FakeReaders(Readers):
    """Everybody reads English, and cards as text."""

    def __init__(self) -> None:
        """Nothing is needed."""

    def public(self, match: LiveMatch, words: Translations | None = None) -> Reader:
        return Reader(words or say, tuple(NAMES[user] for user in match.seats))

    def on_seat(self, match: LiveMatch, seat: Seat, words: Translations) -> Reader:  # noqa: ARG002  all English
        return replace(self.public(match), seat=seat)


class FakeScreens(PublicScreens):
    """Boards as they are, and screens of their own for what is no match's."""

    def __init__(self, room: Following) -> None:
        self._room = room
        self.pictures = room.pictures

    def board(self, match: LiveMatch) -> Screen:
        return self._room.board(match)

    def invitation(self, invitation: Invitation, state: InvitationState) -> Screen:
        return Screen("", (Text(f"{invitation.game} {state}"),))


class FakeDailyMessages(DailyMessages):
    """Messages about a day that say who has finished."""

    async def screen(
        self, guild_id: int, day: int, told: Sequence[DailyAttempt], attempts: Sequence[DailyAttempt]
    ) -> Screen:
        return await Following.daily_message(guild_id, day, told, attempts)


class Following(Parts):
    """All of it."""

    def __init__(self) -> None:
        fresh = Parts.fresh()
        super().__init__(fresh.store, fresh.scheduler)
        self.messages = FakeMessages()
        self.token_edits = FakeTokenEdits(self.messages)
        self.edits = EditQueue(SPACING, EDITS_PER_SECOND, self.scheduler, NO_TELEMETRY)
        self.pictures = BoardPictures(KnownServerSettings(self.store, self.scheduler.now), self.scheduler, NO_TELEMETRY)
        screens, readers, wording = FakeScreens(self), FakeReaders(), FakeWording()
        self.board_tokens = BoardTokens(self.token_edits, self.scheduler, enabled=True)
        self.access = OpenToAll()
        self.notifier = Notifier(self.messages, self.store, self.access)
        self.subscriptions = TableSubscriptions(self.store)
        self.table_notices = TableNotices(
            self.notifier,
            self.subscriptions,
            self.store,
            self.edits,
            wording=wording,
            open_invitation=self.invitations.open_by_id,
            scheduler=self.scheduler,
            admission=self.invitations.admission,
        )
        hands = OpenHands(
            FakeHands(),
            self.edits,
            presenters=PRESENTERS,
            readers=readers,
            scheduler=self.scheduler,
            records=HandRecords(self.store, self.scheduler),
        )

        async def known(_match: LiveMatch) -> None:
            """Load nothing: everybody has a name."""

        postings = Postings(self.messages, self.store, self.edits, self.scheduler)
        notices = self.new_notices(postings)
        shown_messages = ShownMessages(self.messages, self.edits, self.scheduler, NO_TELEMETRY)
        boards = BoardUpdater(
            shown_messages,
            self.edits,
            BoardMarks(self.store, self.scheduler),
            self.board_tokens,
            postings=postings,
            screens=screens,
            lost=self.lifecycle.suspend,
            shown=lambda match, seen: self.clock.mark_shown(match, seen.window_number),
        )
        self.updates = ScreenUpdates(
            self.edits,
            postings,
            open_hands=hands,
            board_updater=boards,
            invitations=InvitationUpdater(
                shown_messages,
                self.messages,
                self.store,
                screens,
                boards=boards,
                open_invitation=self.invitations.open_by_id,
                playing=self.registry.playing,
            ),
            time_warnings=TimeWarnings(self.scheduler, self.clock, notices),
            opened_deals=OpenedDeals(
                self.store,
                self.restorer,
                self.closed_deals,
                self.scheduler,
                NO_TELEMETRY,
                prepare=known,
                show=boards.match_changed,
            ),
        )
        self.daily_messages = FakeDailyMessages(
            shown_messages, self.messages, DailyQueries(self.store), self.edits, FakeWording(), self.closed_deals
        )
        for observer in (self.updates, self.table_notices, self.daily_messages):
            self.observers.add(observer)

    def new_notices(self, postings: Postings) -> MatchNotices:
        """Notices on the store, messages and edit queue of the room."""
        return MatchNotices(
            Notifier(self.messages, self.store, self.access),
            self.store,
            self.edits,
            postings,
            readers=FakeReaders(),
            wording=FakeWording(),
            scheduler=self.scheduler,
            after=NOTICE_AFTER,
        )

    async def close(self) -> None:
        await super().close()
        await self.updates.close()

    def reader(self, match: LiveMatch) -> Reader:
        """Everybody."""
        closed = self.closed_deals.closing(match) is not None
        return Reader(say, tuple(NAMES[user] for user in match.seats), closed=closed)

    def board(self, match: LiveMatch) -> Screen:
        """The board as everybody sees it."""
        pictured = self.pictures.wanted(match)
        return board_screen(match, PRESENTERS[match.game.info.key], self.reader(match), pictured=pictured)

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

    async def resume(self, match: LiveMatch, seat: Seat = 0) -> None:
        """A seat resumes a suspended match in another channel."""
        with self.presses.take_up(match.id, next(press_ids)) as press:
            assert await self.lifecycle.resume(match, ELSEWHERE, seat, press)

    def seen(self, match: LiveMatch) -> None:
        """The seat on turn has pressed something."""
        self.updates.notices.seen(match, on_turn(match))

    async def choose(self, level: NoticeLevel) -> None:
        """Everybody chooses how they are notified."""
        for user in NAMES:
            await self.store.set_notice_level(GUILD, user, level)

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

    def mentions(self, channel_id: int = CHANNEL) -> list[FakeMessage]:
        """The messages in a channel that are plain text: mentions and notices."""
        return [each for each in self.messages.there(channel_id) if isinstance(each.shown, str)]

    def texts(self, channel_id: int = CHANNEL) -> list[str]:
        """What those say."""
        return [each.text for each in self.mentions(channel_id)]

    @staticmethod
    def next_act(match: LiveMatch) -> tuple[Seat, Any]:
        """The seat on turn, and an act that it may make."""
        return on_turn(match), an_act(match)

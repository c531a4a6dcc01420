"""The whole bot but for Discord: the cogs with their router and dispatcher, on the store and the fakes in memory."""

from __future__ import annotations

from typing import Any

import discord

from bot.gateway.client import CardroomClient
from bot.gateway.connectivity import ConnectionGuard
from bot.gateway.sessions import IdentifyBudget
from bot.play.live_match import LiveMatch
from bot.settings import Settings
from bot.telemetry import NO_TELEMETRY
from bot.ui.catalogue import translations
from bot.ui.screen import Press
from cogs.actions.dispatcher import Dispatcher
from cogs.screens import custom_ids
from cogs.wiring import wire
from discord_sandbox.virtual_time import settle
from tests.bot.play.parts import ANN, GUILD, OpenToAll, Parts, on_turn
from tests.cogs.fake_interaction import FakeHands, FakeInteraction, Seen, snowflake
from tests.cogs.fake_messages import FakeMessages
from tests.insides import Insides
from tests.quick_reviewer import InLoop

say = translations("en")


class OfflineBot(Parts):
    """The bot without Discord. People press with `press` and `send`, and everything is answered when that returns."""

    def __init__(self) -> None:
        fresh = Parts.fresh()
        super().__init__(fresh.store, fresh.scheduler)
        self.messages = FakeMessages()
        self.hand_messages = FakeHands()
        self.dispatcher: Dispatcher
        self.client = CardroomClient(
            Settings(),
            self.store,
            self.venues(),
            ConnectionGuard(self.store, self.clock, self.invitations, self.scheduler),
            identify_budget=IdentifyBudget(self.store, self.now),
            dispatcher=self._dispatcher,
            telemetry=NO_TELEMETRY,
        )
        self.dispatcher.load()
        self.app = Insides(self.client)

    def _dispatcher(self, client: CardroomClient) -> Dispatcher:
        self.dispatcher = wire(
            client,
            self.registry,
            self.clock,
            self.lifecycle,
            self.invitations,
            inviting=self.inviting,
            seating=self.seating,
            restorer=self.restorer,
            presses=self.presses,
            days=self.days,
            observers=self.observers,
            scheduler=self.scheduler,
            reviewer=InLoop(),
            access=OpenToAll(),
            messages=self.messages,
            hand_messages=self.hand_messages,
        )
        return self.dispatcher

    async def close(self) -> None:
        await self.dispatcher.close()

    def interaction(
        self, custom_id: str, user: int = ANN, *, source: Seen | None = None, age: float = 0.0, **more: Any
    ) -> FakeInteraction:
        """A press that nobody has answered, made `age` seconds ago; `more` are further fields of its data."""
        place = {key: more.pop(key) for key in ("guild_id", "takes", "reply_takes") if key in more}
        made = FakeInteraction(
            {"component_type": 2, "custom_id": custom_id, "id": 1, **more},
            user_id=user,
            source=Seen("pressed", private=False) if source is None else source,
            id=snowflake(self.now() - int(age * 1000)),
            **{"guild_id": GUILD, **place},
        )
        self.hand_messages.note(made)
        return made

    async def send(self, interaction: FakeInteraction) -> FakeInteraction:
        """Hand an interaction to the bot as the client does, and wait until it was dealt with."""
        await self.dispatcher.on_interaction(interaction.as_interaction)
        await settle()
        return interaction

    async def press(self, custom_id: str, user: int = ANN, **more: Any) -> FakeInteraction:
        """Press a control with this id."""
        return await self.send(self.interaction(custom_id, user, **more))

    async def press_on(
        self, match: LiveMatch, verb: str, user: int = ANN, arg: str = "", **more: Any
    ) -> FakeInteraction:
        """Press a control of a match that stands on its present question."""
        window = more.pop("window", match.window_number)
        return await self.press(custom_ids.write(match.id, Press(verb, window, arg)), user, **more)

    def asked(self, match: LiveMatch) -> int:
        """Who is asked in a match."""
        return match.seats[on_turn(match)]

    async def command(
        self, name: str, user: int = ANN, *, age: float = 0.0, **more: Any
    ) -> tuple[bool, FakeInteraction]:
        """Send a slash command without options; whether it is admitted."""
        sent = FakeInteraction(
            {"id": "1", "name": name, "type": 1, **more},
            user_id=user,
            type=discord.InteractionType.application_command,
            id=snowflake(self.now() - int(age * 1000)),
        )
        admitted = await self.dispatcher.admit(sent.as_interaction)
        await settle()
        return admitted, sent

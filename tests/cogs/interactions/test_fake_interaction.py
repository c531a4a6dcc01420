"""The fake keeps the contract."""

from __future__ import annotations

import discord
import pytest

from bot.gateway.requests import ServerFailed
from cogs.interactions.responses import Interaction
from discord_sandbox.virtual_time import settle
from tests.cogs.fake_interaction import FakeInteraction, Seen, http_error
from tests.cogs.fake_messages import FakeMessages
from tests.cogs.interactions.contract_responses import Cut, Door, ResponsesContract


class FakeDoor:
    def __init__(self) -> None:
        self._made: FakeInteraction | None = None
        self._source = Seen("pressed")
        self._refused = False
        self._cut: Cut | None = None
        self._posted = FakeMessages()

    async def command(self) -> Interaction:
        return self._keep(FakeInteraction({}, type=discord.InteractionType.application_command))

    async def press(self, *, private: bool) -> Interaction:
        self._source.private = private
        return self._keep(FakeInteraction({}, source=self._source))

    def _keep(self, made: FakeInteraction) -> Interaction:
        self._made = made
        if self._refused:
            made.fail_first_response(http_error(404, 10062))
        if self._cut:
            self.cut(self._cut)
        return made.as_interaction

    @property
    def _interaction(self) -> FakeInteraction:
        assert self._made is not None
        return self._made

    async def settle(self) -> None:
        await settle()

    def source(self) -> str:
        return self._source.text

    def private(self) -> list[str]:
        return [each.text for each in self._interaction.answers if each.private and not each.deleted]

    def public(self) -> list[str]:
        interaction = self._interaction
        answers = [each.text for each in interaction.answers if not each.private and not each.deleted]
        assert interaction.channel_id is not None
        return [*answers, *(each.text for each in interaction.posted.there(interaction.channel_id))]

    def form(self) -> str:
        form = self._interaction.form
        return "" if form is None else str(form["title"])

    def pictures(self) -> int:
        return sum(each.files == ("table.png",) for each in self._interaction.answers)

    def refuse_picture(self) -> None:
        self._interaction.fail_first_response(http_error(403, 50013))

    def refuse(self, *, first: bool) -> None:
        if first and self._made is None:
            self._refused = True
        elif first:
            self._interaction.fail_first_response(http_error(404, 10062))
        else:
            self._interaction.fail("edit original", http_error(404, 10015))

    def cut(self, when: Cut) -> None:
        self._cut = when
        if self._made is not None:
            self._made.fail_first_response(
                ServerFailed() if when == "failure" else ConnectionResetError(), after=when != "before"
            )

    def second_responses(self) -> int:
        return self._interaction.second_responses


class TestFakeInteraction(ResponsesContract):
    @pytest.fixture
    async def door(self) -> Door:
        return FakeDoor()

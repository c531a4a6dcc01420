"""The fake keeps the contract."""

from __future__ import annotations

import pytest

from tests.cogs.fake_messages import CUT, Doing, FakeMessages, refused
from tests.cogs.updates.contract_messages import ChannelMessagesContract, Venue

DOES: dict[str, Doing] = {"POST": "post", "PATCH": "edit", "DELETE": "delete"}


class FakeVenue:
    guild_id, channel_id, person_id = 1, 2, 3
    begun = 0

    def __init__(self, messages: FakeMessages) -> None:
        self._messages = messages

    def seen(self) -> list[str]:
        return [each.text for each in self._messages.there(self.channel_id)]

    def seen_directly(self) -> list[str]:
        return [each.text for each in self._messages.direct(self.person_id)]

    def notified(self) -> list[list[int]]:
        return [list(each.notified) for each in self._messages.there(self.channel_id)]

    def delete_channel(self) -> None:
        self._messages.gone.add(self.channel_id)

    def somebody_writes(self) -> None:
        pass  # the fake has no messages but the bot's

    def close_direct_messages(self) -> None:
        self._messages.closed.add(self.person_id)

    def cut(self, method: str) -> None:
        self._messages.fail(DOES[method], CUT)

    def refuse(self, method: str, status: int, code: int) -> None:  # noqa: ARG002  the contract's
        self._messages.fail(DOES[method], refused(code))


class TestFakeMessages(ChannelMessagesContract):
    @pytest.fixture
    async def messages(self) -> FakeMessages:
        return FakeMessages()

    @pytest.fixture
    async def venue(self, messages: FakeMessages) -> Venue:
        return FakeVenue(messages)

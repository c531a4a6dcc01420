"""Discord is asked for the echo of a new public message alone, because only that one's id is needed."""

from __future__ import annotations

from typing import Any, cast

import pytest
from discord.http import MultipartParameters

from bot.gateway.response_echo import NoEcho

EPHEMERAL = 1 << 6


class Recording(NoEcho):
    """An adapter that sends nothing and keeps what it would have sent."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the library's constructor has no types
        self.sent: list[tuple[Any, dict[str, Any]]] = []

    async def request(self, route: Any, session: Any, **more: Any) -> Any:  # noqa: ARG002  the library's
        self.sent.append((route, more))
        return {"interaction": {"id": 7, "response_message_id": 8}}


async def respond(payload: dict[str, Any]) -> tuple[bool, Any]:
    """Give this first response; whether its echo was asked for, and what came back."""
    adapter = Recording()
    params = MultipartParameters(payload=payload, multipart=None, files=None)
    answer = await adapter.create_interaction_response(7, "token", session=cast("Any", None), params=params)
    ((route, more),) = adapter.sent
    assert route.url.partition("?")[0].endswith("/interactions/7/token/callback")
    assert more["payload"] == payload
    return (more.get("params") or {}).get("with_response") == "1", answer


@pytest.mark.parametrize(
    ("payload", "echoed"),
    [
        ({"type": 4, "data": {"content": "everybody"}}, True),
        ({"type": 4, "data": {"content": "one", "flags": EPHEMERAL}}, False),
        ({"type": 7, "data": {"content": "changed"}}, False),
    ],
    ids=["public", "private", "changed"],
)
async def test_only_a_new_public_message_is_echoed(payload: dict[str, Any], echoed: bool) -> None:
    asked, answer = await respond(payload)
    assert asked == echoed
    assert answer["interaction"]["id"] == 7
    assert ("response_message_id" in answer["interaction"]) == echoed

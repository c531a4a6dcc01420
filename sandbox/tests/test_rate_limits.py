"""Rate limits: headers always, refusals only where switched on."""

from __future__ import annotations

import asyncio

from discord_sandbox import Sandbox
from discord_sandbox.model.rate_limits import Rule
from tests.conftest import Api


async def test_headers_promise_plenty_by_default(sandbox: Sandbox, api: Api) -> None:
    path = f"/channels/{sandbox.channel('lobby').id}/messages"
    answers = await asyncio.gather(*(api("POST", path, {"content": str(number)}) for number in range(60)))
    assert {each.status for each in answers} == {200}
    headers = answers[0].headers
    assert int(headers["X-RateLimit-Remaining"]) > 1000
    assert float(headers["X-RateLimit-Reset-After"]) > 0
    assert headers["X-RateLimit-Bucket"]


async def test_a_bucket_empties_and_fills_again(sandbox: Sandbox, api: Api) -> None:
    sandbox.backend.rate_limits.enforced = True
    path = f"/channels/{sandbox.channel('lobby').id}/messages"
    left = [(await api("POST", path, {"content": "x"})).headers["X-RateLimit-Remaining"] for _ in range(5)]
    assert left == ["4", "3", "2", "1", "0"]
    refused = await api("POST", path, {"content": "x"})
    assert (refused.status, refused.body["global"]) == (429, False)
    assert 0 < refused.body["retry_after"] <= 5
    assert refused.headers["X-RateLimit-Scope"] == "user"
    other = f"/channels/{sandbox.channel('games').id}/messages"
    assert (await api("POST", other, {"content": "x"})).status == 200
    sandbox.advance(5)
    assert (await api("POST", path, {"content": "x"})).status == 200


async def test_fifty_requests_a_second_in_all(sandbox: Sandbox, api: Api) -> None:
    limits = sandbox.backend.rate_limits
    limits.enforced = True
    limits.rules = {"GET /users/{user_id}": Rule(1000, 1.0)}
    me = sandbox.world.application.bot.id
    answers = [await api("GET", f"/users/{me}") for _ in range(120)]
    refused = [each for each in answers if each.status == 429]
    assert refused
    assert {each.headers["X-RateLimit-Scope"] for each in refused} == {"global"}
    assert all(each.body["global"] for each in refused)

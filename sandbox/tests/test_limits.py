"""Limits enforced: scopes, what the global one leaves out, tokens' buckets, and the ban of an address."""

from __future__ import annotations

import aiohttp

from discord_sandbox import Sandbox
from discord_sandbox.model.rate_limits import Rule
from tests.conftest import Api
from tests.sample_bot import SampleBot


async def test_interactions_do_not_count_against_the_global_limit(sandbox: Sandbox, bot: SampleBot, api: Api) -> None:
    sandbox.rate_limits.enforced = True
    sandbox.limits.requests_a_second = 0
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    for _ in range(5):
        assert not (await alice.slash(lobby, "hand")).failed
    refused = await api("GET", f"/users/{alice.id}")
    assert (refused.status, refused.headers["X-RateLimit-Scope"], refused.body["global"]) == (429, "global", True)


async def test_what_goes_through_a_token_has_a_bucket_of_its_own(sandbox: Sandbox, api: Api, bot: SampleBot) -> None:
    sandbox.rate_limits.enforced = True
    sandbox.rate_limits.rules["POST /webhooks/{application_id}/{token}"] = Rule(2, 3600.0)
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    statuses = []
    for _ in range(2):
        await alice.slash(lobby, "hand")
        token = sandbox.transcript.events[-1].data["token"]
        path = f"/webhooks/{sandbox.world.application.id}/{token}"
        statuses.append([(await api("POST", path, {"content": "more"})).status for _ in range(3)])
    assert statuses == [[200, 200, 429], [200, 200, 429]]


async def test_a_shared_limit_says_so(sandbox: Sandbox, api: Api) -> None:
    sandbox.rate_limits.enforced = True
    sandbox.rate_limits.rules["GET /guilds/{guild_id}"] = Rule(1, 60.0, "shared")
    path = f"/guilds/{sandbox.server().id}"
    assert (await api("GET", path)).status == 200
    refused = await api("GET", path)
    assert (refused.status, refused.headers["X-RateLimit-Scope"]) == (429, "shared")
    assert refused.headers["X-RateLimit-Remaining"] == "0"
    assert sandbox.rate_limits.invalid_requests == 0


async def test_too_many_invalid_requests_shut_the_address_out(sandbox: Sandbox, api: Api) -> None:
    sandbox.rate_limits.enforced = True
    sandbox.limits.invalid_requests = 3
    right, api.token = api.token, "wrong"
    assert [(await api("GET", "/users/@me")).status for _ in range(3)] == [401, 401, 401]
    api.token = right
    headers = {"Authorization": f"Bot {right}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(sandbox.api_base + "/users/@me") as answer,
    ):
        assert (answer.status, answer.content_type) == (429, "text/html")
        assert "Via" not in answer.headers
        assert int(answer.headers["Retry-After"]) > 3000
    sandbox.advance(3601)
    assert (await api("GET", "/users/@me")).status == 200


async def test_invalid_requests_are_counted_for_ten_minutes(sandbox: Sandbox, api: Api) -> None:
    missing = f"/channels/{sandbox.channel('lobby').id}/messages/1"
    api.token, right = "wrong", api.token
    await api("GET", "/users/@me")
    await api("GET", "/users/@me")
    api.token = right
    assert (await api("GET", missing)).status == 404
    assert sandbox.rate_limits.invalid_requests == 2  # a 404 is not one
    sandbox.advance(601)
    api.token = "wrong"
    await api("GET", "/users/@me")
    assert sandbox.rate_limits.invalid_requests == 1

"""What Discord counts against the bot is sent at a rate that Discord takes; everything else doesn't wait."""

from __future__ import annotations

import asyncio

from bot.gateway.requests.rate_limiter import EDITS_PER_SECOND, LEAST, REQUESTS_PER_SECOND, RateLimiter
from tests.virtual_time import VirtualTimeLoop

COUNTED = "/api/v10/channels/1"
FREE = ("/api/v10/interactions/1/token/callback", "/api/v10/webhooks/1/token/messages/@original")
DISCORDS = 50


def sent(limiter: RateLimiter, paths: list[str]) -> list[float]:
    """When each of these requests, all made at once, was sent; in virtual seconds."""

    async def one(path: str) -> float:
        await limiter.wait(path)
        return asyncio.get_running_loop().time()

    async def together() -> list[float]:
        begun = asyncio.get_running_loop().time()
        return [at - begun for at in await asyncio.gather(*map(one, paths))]

    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(together())


def test_no_second_has_more_requests_than_discord_takes() -> None:
    times = sent(RateLimiter(), [COUNTED] * 200)
    assert times == sorted(times), "what came first goes first"
    for begun in times:
        assert sum(begun <= at < begun + 1 for at in times) <= REQUESTS_PER_SECOND < DISCORDS
    assert times[-1] <= 200 / REQUESTS_PER_SECOND, "none waits longer than it must"


def test_what_carries_an_interactions_token_never_waits_and_counts_for_nothing() -> None:
    counted: list[None] = []
    limiter = RateLimiter()
    limiter.count_with(lambda: counted.append(None))
    assert set(sent(limiter, list(FREE) * 100 + [COUNTED])) == {0.0}
    assert len(counted) == 1


def test_each_process_has_its_share_and_people_always_get_answers() -> None:
    assert RateLimiter(0.5).edits_per_second == EDITS_PER_SECOND / 2
    half, little = sent(RateLimiter(0.5), [COUNTED] * 60), sent(RateLimiter(1 / 64), [COUNTED] * LEAST)
    assert sum(at < 1 for at in half) == REQUESTS_PER_SECOND // 2
    assert set(little) == {0.0}

"""The benchmark of the sandbox itself measures what it says."""

from __future__ import annotations

import pytest

from tests.bench.sandbox import AT_ONCE, measure


@pytest.mark.real_time
async def test_the_null_bot_answers_everybody() -> None:
    found = await measure(rounds=1, seconds=0.2)
    assert list(found) == list(AT_ONCE)
    for people, (done,) in found.items():
        assert done.rate > 20
        assert len(done.waits) >= people
        assert done.percentile(50) <= done.percentile(99)

"""Rate limits: the headers of every answer and, where switched on, refusals with 429.

Off by default: the headers then promise plenty, so that a client runs freely. Interaction
endpoints have no bucket and do not count against the global limit, on Discord as here.
Source: Discord's developer documentation, "Rate Limits"; the sizes of buckets are practice.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

from sandbox.clock import Clock
from sandbox.errors import ApiError

GLOBAL_A_SECOND = 50
PLENTY = 1_000_000


@dataclass(frozen=True, slots=True)
class Rule:
    """A bucket of `size` requests every `seconds`, one for each channel, server or webhook."""

    size: int = 50
    seconds: float = 1.0


@dataclass(slots=True)
class _Bucket:
    left: int
    resets: float


RULES: dict[str, Rule] = {
    "POST /channels/{channel_id}/messages": Rule(5, 5.0),
    "PATCH /channels/{channel_id}/messages/{message_id}": Rule(5, 5.0),
    "DELETE /channels/{channel_id}/messages/{message_id}": Rule(5, 1.0),
}
_ANY = Rule()


class RateLimits:
    """Counts requests a bucket. `enforced` switches 429s on."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._buckets: dict[tuple[str, str], _Bucket] = {}
        self._second = 0
        self._in_second = 0
        self._names: dict[str, str] = {}
        self.enforced = False
        self.rules = dict(RULES)

    def take(self, route: str, major: str) -> dict[str, str]:
        """Count one request; return its answer's headers. Raises ApiError 429 where enforced."""
        name = self._names.get(route)
        if name is None:
            name = self._names[route] = blake2b(route.encode(), digest_size=16).hexdigest()
        if not self.enforced:
            return {
                "X-RateLimit-Limit": str(PLENTY),
                "X-RateLimit-Remaining": str(PLENTY - 1),
                "X-RateLimit-Reset": f"{self._clock.now() + 1:.3f}",
                "X-RateLimit-Reset-After": "1.000",
                "X-RateLimit-Bucket": name,
            }
        return self._count(route, major, name)

    def _count(self, route: str, major: str, name: str) -> dict[str, str]:
        now = self._clock.now()
        if int(now) != self._second:
            self._second, self._in_second = int(now), 0
        self._in_second += 1
        if self._in_second > GLOBAL_A_SECOND:
            raise TooManyRequestsError(self._second + 1 - now, "global", {})
        rule = self.rules.get(route, _ANY)
        bucket = self._buckets.get((route, major))
        if bucket is None or bucket.resets <= now:
            bucket = self._buckets[(route, major)] = _Bucket(rule.size, now + rule.seconds)
        headers = {
            "X-RateLimit-Limit": str(rule.size),
            "X-RateLimit-Remaining": str(max(0, bucket.left - 1)),
            "X-RateLimit-Reset": f"{bucket.resets:.3f}",
            "X-RateLimit-Reset-After": f"{bucket.resets - now:.3f}",
            "X-RateLimit-Bucket": name,
        }
        if bucket.left <= 0:
            raise TooManyRequestsError(bucket.resets - now, "user", headers)
        bucket.left -= 1
        return headers


class TooManyRequestsError(ApiError):
    """429: `headers` go with the answer. The Via header tells discord.py that Discord itself spoke."""

    def __init__(self, retry_after: float, scope: str, headers: dict[str, str]) -> None:
        wait = round(retry_after, 3)
        is_global = scope == "global"
        super().__init__(
            429,
            0,
            "You are being rate limited.",
            extra={"retry_after": wait, "global": is_global},
        )
        self.headers = {
            **headers,
            "Retry-After": str(int(wait) + 1),
            "X-RateLimit-Scope": scope,
            "Via": "1.1 sandbox",
        }
        if is_global:
            self.headers["X-RateLimit-Global"] = "true"

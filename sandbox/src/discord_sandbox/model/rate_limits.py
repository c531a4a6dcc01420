"""Rate limits: the headers of every answer and, where enforced, refusals with 429.

Enforcement is off by default: the headers then announce generous limits, so that a client runs freely. Interaction
endpoints do not count against the global limit, on Discord as here: a callback has no bucket, and other requests
through a token have one per token. Source: Discord's developer documentation, "Rate Limits"; the sizes of buckets are
practice.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal, TypeAlias

from discord_sandbox.model.clock import Clock
from discord_sandbox.model.errors import ApiError
from discord_sandbox.model.limits import Limits

Scope: TypeAlias = Literal["user", "global", "shared"]
"""Whose limit it is: this bot's own in one bucket, this bot's in all, or everybody's on one resource."""

PLENTY = 1_000_000
_INVALID = frozenset({401, 403, 429})


@dataclass(frozen=True, slots=True)
class Rule:
    """A bucket of `size` requests every `seconds`, one for each channel, server or token."""

    size: int = 50
    seconds: float = 1.0
    scope: Scope = "user"


@dataclass(slots=True)
class _Bucket:
    left: int
    resets: float


_MESSAGES = "/channels/{channel_id}/messages"
_REACTIONS = _MESSAGES + "/{message_id}/reactions/{emoji}"
_HOOK = "/webhooks/{application_id}/{token}"

RULES: dict[str, Rule] = {
    f"POST {_MESSAGES}": Rule(5, 5.0),
    f"PATCH {_MESSAGES}/{{message_id}}": Rule(5, 5.0),
    f"DELETE {_MESSAGES}/{{message_id}}": Rule(5, 1.0),
    f"PUT {_REACTIONS}/@me": Rule(1, 0.25),
    "POST /channels/{channel_id}/typing": Rule(5, 5.0),
    "PATCH /channels/{channel_id}": Rule(5, 15.0),
    "GET /gateway/bot": Rule(2, 5.0),
    "POST /guilds/{guild_id}/emojis": Rule(50, 3600.0, "shared"),
    f"POST {_HOOK}": Rule(5, 2.0),
    f"GET {_HOOK}/messages/{{message_id}}": Rule(5, 2.0),
    f"PATCH {_HOOK}/messages/{{message_id}}": Rule(5, 2.0),
    f"DELETE {_HOOK}/messages/{{message_id}}": Rule(5, 2.0),
}
_ANY = Rule()


class RateLimits:
    """Counts requests per bucket, and invalid ones. `enforced` switches refusals on."""

    def __init__(self, clock: Clock, limits: Limits) -> None:
        self._clock = clock
        self._limits = limits
        self._buckets: dict[tuple[str, str], _Bucket] = {}
        self._second = 0
        self._in_second = 0
        self._names: dict[str, str] = {}
        self._invalid_since = 0.0
        self._invalid = 0
        self._banned_until = 0.0
        self.enforced = False
        self.rules = dict(RULES)

    def take(self, route: str, major: str, *, globally: bool = True) -> dict[str, str]:
        """Count one request and return its answer's headers. Raises TooManyRequestsError if enforced.

        `route` is method and path with their names in braces, `major` the value of the path's
        major parameter; `globally` says whether it counts against the global limit too.
        """
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
        now = self._clock.now()
        if globally:
            self._count_globally(now)
        return self._count(route, major, name, now)

    def _count_globally(self, now: float) -> None:
        if int(now) != self._second:
            self._second, self._in_second = int(now), 0
        self._in_second += 1
        if self._in_second > self._limits.requests_a_second:
            raise TooManyRequestsError(self._second + 1 - now, "global")

    def _count(self, route: str, major: str, name: str, now: float) -> dict[str, str]:
        rule = self.rules.get(route, _ANY)
        bucket = self._buckets.get((route, major))
        if bucket is None or bucket.resets <= now:
            bucket = self._buckets[(route, major)] = _Bucket(rule.size, now + rule.seconds)
            self._forget_the_full(now)
        headers = {
            "X-RateLimit-Limit": str(rule.size),
            "X-RateLimit-Remaining": str(max(0, bucket.left - 1)),
            "X-RateLimit-Reset": f"{bucket.resets:.3f}",
            "X-RateLimit-Reset-After": f"{bucket.resets - now:.3f}",
            "X-RateLimit-Bucket": name,
        }
        if bucket.left <= 0:
            raise TooManyRequestsError(bucket.resets - now, rule.scope, headers)
        bucket.left -= 1
        return headers

    def _forget_the_full(self, now: float) -> None:
        """Drop refilled buckets once there are many, because tokens come and go."""
        if len(self._buckets) > 1000:
            self._buckets = {key: each for key, each in self._buckets.items() if each.resets > now}

    # Invalid requests.

    @property
    def invalid_requests(self) -> int:
        """The answers of 401, 403 and 429 (shared limits apart) in the present window."""
        return self._invalid

    @property
    def banned_for(self) -> float:
        """Seconds for which this address is still banned; 0 if it is not."""
        return max(0.0, self._banned_until - self._clock.now()) if self._banned_until else 0.0

    def note(self, status: int, scope: Scope | None = None) -> None:
        """Count an answer if its request was invalid. Too many of them ban the address."""
        if status not in _INVALID or scope == "shared":
            return
        now = self._clock.now()
        if now - self._invalid_since > self._limits.invalid_window:
            self._invalid_since, self._invalid = now, 0
        self._invalid += 1
        if self.enforced and self._invalid >= self._limits.invalid_requests:
            self._banned_until = now + self._limits.ban


class TooManyRequestsError(ApiError):
    """429: `headers` go with the answer."""

    def __init__(self, retry_after: float, scope: Scope, headers: dict[str, str] | None = None) -> None:
        wait = round(retry_after, 3)
        is_global = scope == "global"
        super().__init__(
            429,
            0,
            "The resource is being rate limited." if scope == "shared" else "You are being rate limited.",
            extra={"retry_after": wait, "global": is_global},
        )
        self.scope = scope
        self.headers = {
            **(headers or {}),
            "X-RateLimit-Scope": scope,
            **of_discord(self),
        }
        if is_global:
            self.headers["X-RateLimit-Global"] = "true"


def of_discord(refusal: ApiError) -> dict[str, str]:
    """The headers of a 429 by which a client knows that Discord gave it, and may wait for the time it names.

    Without Via, discord.py takes it for a ban by the network in front of Discord.
    """
    wait: float = (refusal.extra or {}).get("retry_after", 0.0)
    return {"Retry-After": str(int(wait) + 1), "Via": "1.1 sandbox"}

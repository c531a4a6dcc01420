"""Requests to Discord that hide nothing: no retries and no waits behind the measurer's back, but bounds on everything.

A library waits before a limit is reached and repeats what was refused, so it cannot measure limits. Discord bans an
address after 10,000 invalid requests in ten minutes
(https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans). A whole run makes a
few hundred requests and stops long before that.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import aiohttp

WITHIN: Final = 15.0
"""Seconds each request may take."""
MOST_REQUESTS: Final = 500
MOST_INVALID: Final = 40
"""How many requests a run may make, and how many of them may be answered with 401, 403 or 429."""
LONGEST_WAIT: Final = 60.0
"""The longest wait in seconds that a limit may ask for; beyond it, nothing more is asked there."""

RATE_LIMITED: Final = 429
_INVALID = frozenset({401, 403, RATE_LIMITED})


class CannotAsk(Exception):  # noqa: N818  named for what happened
    """A request was not made, or was not answered. The text says why, without an address."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: HTTP's status, Discord's error code (0 if there is none), the JSON body (None without one)."""

    status: int
    code: int = 0
    body: Any = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def taken(self) -> bool:
        """Whether Discord did what was asked."""
        return 200 <= self.status < 300

    @property
    def limited(self) -> bool:
        """Whether a rate limit refused it."""
        return self.status == RATE_LIMITED

    @property
    def retry_after(self) -> float:
        """After how many seconds a rate limit allows the next request."""
        asked = self.body.get("retry_after") if isinstance(self.body, dict) else None
        return float(asked or self.headers.get("Retry-After") or 1)

    @property
    def scope(self) -> str:
        """Whose limit it was: user, global or shared; empty if Discord does not say."""
        return self.headers.get("X-RateLimit-Scope", "")

    def __str__(self) -> str:
        if self.taken:
            return "taken"
        if not self.limited:
            return f"refused ({self.status}, code {self.code})"
        bucket = self.headers.get("X-RateLimit-Limit")
        parts = [
            f"code {self.code}" if self.code else "",
            f"scope {self.scope}" if self.scope else "",
            f"bucket of {bucket}" if bucket else "",
            f"wait {self.retry_after:.1f} s",
        ]
        return f"429 ({', '.join(part for part in parts if part)})"


class Api:
    """Discord's HTTP API with a bot's token. Counts all requests of a run."""

    def __init__(self, session: aiohttp.ClientSession, base: str, token: str) -> None:
        self._session = session
        self._base = base
        self._token = token
        self._free_at: dict[str, float] = {}
        self._requests = 0
        self._invalid = 0

    async def request(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        at_once: bool = False,
        file: tuple[str, bytes] | None = None,
    ) -> Answer:
        """Make a request. `path` begins behind the API's version; `file` is a name and its contents.

        It first waits where an earlier answer asked for that, and repeats a request once that a limit refused. One
        that is made `at_once` does neither: its answer is what is measured. Raises CannotAsk.
        """
        if at_once:
            return await self._make(method, path, body, file)
        await self.wait_until_free(method, path)
        answer = await self._make(method, path, body, file)
        if answer.limited:
            await self.wait_until_free(method, path)
            answer = await self._make(method, path, body, file)
        return answer

    async def wait_until_free(self, method: str, path: str) -> None:
        """Wait until earlier answers allow the next request of this kind. Raises CannotAsk if that takes too long."""
        now = asyncio.get_running_loop().time()
        wait = max(self._free_at.get(key, now) - now for key in (_lane(method, path), ""))
        if wait > LONGEST_WAIT:
            raise CannotAsk(f"Discord asks to wait {wait:.0f} s")
        if wait > 0:
            await asyncio.sleep(wait)

    async def _make(self, method: str, path: str, body: object, file: tuple[str, bytes] | None) -> Answer:
        removes = method == "DELETE"  # what was posted is removed even then
        if (self._requests >= MOST_REQUESTS and not removes) or self._invalid >= MOST_INVALID:
            raise CannotAsk("this run has made as many requests as it may")
        self._requests += 1
        headers = {"User-Agent": "DiscordBot (cardroom, 1)"}
        if not path.startswith(("/interactions/", "/webhooks/")):
            headers["Authorization"] = f"Bot {self._token}"
        payload: dict[str, Any] = {} if body is None else {"json": body}
        if file is not None:
            payload = {"data": _form(body, *file)}
        try:
            async with self._session.request(
                method,
                self._base + path,
                headers=headers,
                timeout=aiohttp.ClientTimeout(total=WITHIN),
                allow_redirects=False,  # a redirect would send the token to another host
                **payload,
            ) as response:
                answer = _answer(response.status, await response.read(), response.headers)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise CannotAsk(f"Discord did not answer ({type(error).__name__})") from None
        self._note(_lane(method, path), answer)
        return answer

    def _note(self, lane: str, answer: Answer) -> None:
        """Remember how long to wait before the next request of this kind."""
        self._invalid += answer.status in _INVALID
        now = asyncio.get_running_loop().time()
        if answer.limited:
            self._free_at["" if answer.scope == "global" else lane] = now + answer.retry_after
        elif answer.headers.get("X-RateLimit-Remaining") == "0":
            self._free_at[lane] = now + float(answer.headers.get("X-RateLimit-Reset-After") or 1)


def _answer(status: int, raw: bytes, headers: Mapping[str, str]) -> Answer:
    try:
        body = json.loads(raw) if raw else None
    except ValueError:  # the network in front of Discord answers with a page
        body = None
    code = body.get("code") if isinstance(body, dict) and status >= 400 else 0
    return Answer(status, code if isinstance(code, int) else 0, body, headers)


def _lane(method: str, path: str) -> str:
    """What Discord probably counts together: requests of one kind in one channel, or through one token."""
    return f"{method} {re.sub(r'/messages/[^/]+', '/messages/*', path)}"


def _form(body: object, name: str, contents: bytes) -> aiohttp.FormData:
    form = aiohttp.FormData()
    form.add_field("payload_json", json.dumps(body), content_type="application/json")
    form.add_field("files[0]", contents, filename=name, content_type="application/octet-stream")
    return form

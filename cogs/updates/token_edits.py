"""Edits of messages through the tokens of the interactions that made or updated them.

Such a token edits what its interaction made or updated, for 15 minutes
(https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages). A private message can be
edited only so. A board can be edited by the bot's own token, too, but Discord grants that one 50 requests a second in
all, and these do not count (https://discord.com/developers/docs/topics/rate-limits). A challenge becomes the board of
its match, so the press that accepts it gives a token for the board. A press that is answered in private gives none: its
token edits the private message (decision 33).

The library would wait as long as a limit asks for, and try again; so for boards whatever Discord answers to one request
is reported at once.

The tokens of boards are kept in memory alone. A restart forgets them, and boards are edited by the bot's own token
until the next press gives one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Protocol

import aiohttp
import discord
from discord.http import handle_message_parameters, json_or_text
from discord.webhook.async_ import async_context

from bot.gateway.lean import requests as direct_requests
from bot.kept import Kept
from bot.scheduler import Scheduler
from bot.telemetry import NO_TELEMETRY, Telemetry
from cogs.interactions import responses
from cogs.screens.renderer import Sheet
from cogs.updates.channel_messages import TOO_MANY, UNKNOWN_MESSAGE, NotTaken, translate_failures

WITHIN: Final = 5.0
"""Seconds for an answer. After that it is unknown whether Discord has taken the edit."""
HANDS_WITHIN: Final = 45.0
"""The same for hands, which wait for limits. Otherwise nothing new would be shown while an edit is on a line that
brings nothing any more."""
_FAILED: Final = 500
GONE: Final = frozenset({UNKNOWN_MESSAGE, 10015, 50027})
"""Discord's error codes for a message that was dismissed, for an interaction that was never answered or is over, and
for an invalid token (https://discord.com/developers/docs/topics/opcodes-and-status-codes#json)."""
_GONE_STATUSES: Final = frozenset({401, 404})
ORIGINAL: Final[Any] = "@original"
"""Discord's name for the message that answers an interaction, in place of its id."""
TOKEN_SECONDS: Final = 14.5 * 60
"""For how long a token is used: half a minute less than Discord's fifteen."""
MOST_EDITS: Final = 5
EDITS_WITHIN: Final = 2.0
"""How many edits through one token Discord takes, and in how many seconds [practice]. Where that is wrong, it says
429."""


@dataclass(frozen=True, slots=True)
class InteractionToken:
    """What lets the bot edit what an interaction made or updated, for fifteen minutes. The token is a secret and is in
    no log."""

    application_id: int
    token: str = field(repr=False)


class TokenEdits(Protocol):
    """Edits through tokens."""

    async def edit(self, token: InteractionToken, made: Sheet) -> None:
        """Replace what the token's interaction made or updated. Raises NotTaken."""


class DiscordHands:
    """`TokenEdits` of hands, by discord.py, which waits for limits and tries again."""

    def __init__(
        self, client: discord.Client, refused: Callable[[discord.HTTPException], None] = lambda _: None
    ) -> None:
        """`refused` gets every refusal of an edit."""
        self._client = client
        self._refused = refused

    async def edit(self, token: InteractionToken, made: Sheet) -> None:
        webhook = discord.Webhook.partial(token.application_id, token.token, client=self._client)
        with translate_failures():
            mentions = self._client.allowed_mentions
            try:
                async with asyncio.timeout(HANDS_WITHIN):
                    if not await direct_requests.edit(webhook, made, mentions=mentions):
                        await webhook.edit_message(ORIGINAL, view=made)
            except discord.HTTPException as error:
                self._refused(error)
                raise


class DiscordBoardEdits:
    """`TokenEdits` of boards: one request, and no waiting."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def edit(self, token: InteractionToken, made: Sheet) -> None:
        webhook = discord.Webhook.partial(token.application_id, token.token, client=self._client)
        mentions = self._client.allowed_mentions
        with translate_failures():
            async with asyncio.timeout(WITHIN):
                if not await direct_requests.edit(webhook, made, mentions=mentions, wrap=_OneRequest):
                    await self._edit(token, made, webhook.session)

    async def _edit(self, token: InteractionToken, made: Sheet, session: aiohttp.ClientSession) -> None:
        once: Any = _OneRequest(session)
        files, mentions = made.files(), self._client.allowed_mentions
        with handle_message_parameters(view=made, attachments=files, previous_allowed_mentions=mentions) as body:
            # Not by `webhook.edit_message`: it makes objects of the message that Discord sends back.
            await async_context.get().edit_webhook_message(
                token.application_id,
                token.token,
                ORIGINAL,
                session=once,
                payload=body.payload,
                multipart=body.multipart,
                files=body.files,
                with_components=True,
            )


class _OneRequest:
    """An HTTP session, as far as the library's adapter for interactions uses it, whose limits and failures are not
    tried again: they are raised before the adapter sees them."""

    def __init__(self, session: Any) -> None:
        self._session = session

    @asynccontextmanager
    async def request(self, method: str, url: str, **options: Any) -> AsyncIterator[aiohttp.ClientResponse]:
        """Make a request, as `aiohttp.ClientSession.request` does. Raises what the library would in the end."""
        async with self._session.request(method, url, **options) as response:
            if response.status == TOO_MANY:
                raise discord.HTTPException(response, await json_or_text(response))
            if response.status >= _FAILED:
                raise discord.DiscordServerError(response, await json_or_text(response))
            yield response


@dataclass(slots=True, eq=False)
class _BoardToken:
    """A token for a message, until when it is used, and when it was used last (seconds of the scheduler's time)."""

    token: InteractionToken
    expires: float
    used: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_EDITS))


@dataclass(slots=True, eq=False)
class BoardTokens:
    """The newest token of each message that has one, by the message's id. If not `enabled`, there never is one."""

    edits: TokenEdits
    scheduler: Scheduler
    enabled: bool = field(kw_only=True)
    telemetry: Telemetry = field(default=NO_TELEMETRY, kw_only=True)
    _tokens: Kept[int, _BoardToken] = field(default_factory=partial(Kept, "tokens of boards"), init=False)

    def __len__(self) -> int:
        return len(self._tokens)

    def note_answered(self, interaction: responses.Interaction) -> None:
        """Keep the token of an interaction whose first response made or updated a public message, for that message."""
        message_id = responses.public_original(interaction)
        if not self.enabled or message_id is None:
            return
        now = self.scheduler.monotonic()
        self._forget_expired(now)
        self._tokens.pop(message_id, None)  # the newest comes last
        self._tokens[message_id] = _BoardToken(token_of(interaction), now + TOKEN_SECONDS)

    def can_edit(self, message_id: int) -> bool:
        """Whether a message has a token that Discord takes now."""
        return self._usable(message_id) is not None

    def has(self, message_id: int) -> bool:
        """Whether a message has a token, which may rest for some seconds."""
        return self._unexpired(message_id) is not None

    async def edit(self, message_id: int, made: Sheet) -> bool:
        """Edit a message through its token. Returns False if nothing was changed, because it has none or Discord
        refused it.

        Raises NotTaken if Discord gave no answer, so that it may have taken the edit, or refused the picture. Without
        an answer, and after a 429, the token rests for `EDITS_WITHIN` seconds: until the next try of the edit is made
        in another way.
        """
        found = self._usable(message_id)
        if found is None:
            return False
        found.used.append(self.scheduler.monotonic())
        try:
            await self.edits.edit(found.token, made)
        except NotTaken as error:
            if not error.answered or error.is_limit:
                found.used.extend([self.scheduler.monotonic()] * MOST_EDITS)
            if not error.answered or (made.picture and error.refuses_picture):
                raise
            if not error.is_limit and self._tokens.get(message_id) is found:
                self.forget(message_id)
            return False
        self.telemetry.board_edited("interaction")
        return True

    def forget(self, message_id: int) -> None:
        """Keep no token for a message any more."""
        self._tokens.pop(message_id, None)

    def _usable(self, message_id: int) -> _BoardToken | None:
        found = self._unexpired(message_id)
        if found is None:
            return None
        is_full = len(found.used) == MOST_EDITS and self.scheduler.monotonic() - found.used[0] < EDITS_WITHIN
        return None if is_full else found

    def _unexpired(self, message_id: int) -> _BoardToken | None:
        found = self._tokens.get(message_id)
        if found is not None and found.expires <= self.scheduler.monotonic():
            self.forget(message_id)
            return None
        return found

    def _forget_expired(self, now: float) -> None:
        while self._tokens:
            oldest = next(iter(self._tokens))
            if self._tokens[oldest].expires > now:
                return
            del self._tokens[oldest]


def is_gone(error: NotTaken) -> bool:
    """Whether a refused edit says that no further edit can reach the message. Anything else may pass."""
    return error.code in GONE or error.status in _GONE_STATUSES


def token_of(interaction: responses.Interaction) -> InteractionToken:
    """The token of an interaction."""
    return InteractionToken(interaction.application_id, interaction.token)

"""The tokens by which boards may be edited.

Discord grants a bot 50 requests a second in all, except those through an interaction's token
(https://discord.com/developers/docs/topics/rate-limits). Such a token edits what its interaction made or updated, for
15 minutes (https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages). A challenge
becomes the board of its match, so the press that accepts it gives a token for the board. A press that is answered in
private gives none: its token edits the private message (decision 33).

Tokens are kept in memory alone. A restart forgets them, and boards are edited by the bot's own token until the next
press gives one.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from bot.scheduler import Scheduler
from bot.telemetry import NO_TELEMETRY, Telemetry
from cogs.interactions import responses
from cogs.interactions.responses import Interaction
from cogs.screens.renderer import Sheet
from cogs.updates.channel_messages import NotTaken
from cogs.updates.open_hands import TOKEN_SECONDS
from cogs.updates.token_edits import InteractionToken, TokenEdits, token_of

MOST_EDITS: Final = 5
EDITS_WITHIN: Final = 2.0
"""How many edits through one token Discord takes, and in how many seconds [practice]. Where that is wrong, it says
429."""
_TOO_MANY: Final = 429


@dataclass(slots=True, eq=False)
class _BoardToken:
    """A token for a message, until when it is used, and when it was used last (seconds of the scheduler's time)."""

    token: InteractionToken
    expires: float
    used: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_EDITS))


class BoardTokens:
    """The newest token of each message that has one, by the message's id."""

    def __init__(
        self, edits: TokenEdits, scheduler: Scheduler, *, enabled: bool, telemetry: Telemetry = NO_TELEMETRY
    ) -> None:
        """If not `enabled`, there never is a token."""
        self._edits = edits
        self._scheduler = scheduler
        self._enabled = enabled
        self._telemetry = telemetry
        self._tokens: dict[int, _BoardToken] = {}

    def __len__(self) -> int:
        return len(self._tokens)

    def note_answered(self, interaction: Interaction) -> None:
        """Keep the token of an interaction whose first response made or updated a public message, for that message."""
        message_id = responses.public_original(interaction)
        if not self._enabled or message_id is None:
            return
        now = self._scheduler.monotonic()
        self._forget_expired(now)
        self._tokens.pop(message_id, None)  # the newest comes last
        self._tokens[message_id] = _BoardToken(token_of(interaction), now + TOKEN_SECONDS)

    def can_edit(self, message_id: int) -> bool:
        """Whether a message has a token that Discord takes now."""
        return self._usable(message_id) is not None

    async def edit(self, message_id: int, made: Sheet) -> bool:
        """Edit a message through its token. Returns False if nothing was changed, because it has none or Discord
        refused it.

        Raises NotTaken if Discord gave no answer, so that it may have taken the edit, or refused the picture.
        """
        found = self._usable(message_id)
        if found is None:
            return False
        found.used.append(self._scheduler.monotonic())
        try:
            await self._edits.edit(found.token, made)
        except NotTaken as error:
            if not error.answered or (made.picture and error.refuses_picture):
                raise
            if error.status == _TOO_MANY:
                found.used.extend([self._scheduler.monotonic()] * MOST_EDITS)
            elif self._tokens.get(message_id) is found:
                self.forget(message_id)
            return False
        self._telemetry.board_edited("interaction")
        return True

    def forget(self, message_id: int) -> None:
        """Keep no token for a message any more."""
        self._tokens.pop(message_id, None)

    def _usable(self, message_id: int) -> _BoardToken | None:
        now = self._scheduler.monotonic()
        found = self._tokens.get(message_id)
        if found is None:
            return None
        if found.expires <= now:
            self.forget(message_id)
            return None
        is_full = len(found.used) == MOST_EDITS and now - found.used[0] < EDITS_WITHIN
        return None if is_full else found

    def _forget_expired(self, now: float) -> None:
        while self._tokens:
            oldest = next(iter(self._tokens))
            if self._tokens[oldest].expires > now:
                return
            del self._tokens[oldest]

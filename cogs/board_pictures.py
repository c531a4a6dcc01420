"""Which boards are pictures of their table now, and which are words.

Words take less to make and to send than a picture. So where a board's edits are late, all boards of its channel are
words until their edits have been on time for a while. So they are where Discord has just refused a picture, or each
edit would be made twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Final

from bot.kept import Kept
from bot.play.live_match import LiveMatch
from bot.play.server_settings import BoardForm, KnownServerSettings
from bot.scheduler import Scheduler
from bot.telemetry import Telemetry

LATE: Final = 2.0
"""Seconds that an edit may wait, and its board still is a picture. One may wait for the edit before it: a second."""
WORDS_AFTER_LATE: Final = 15.0
"""Seconds for which boards stay words after a late edit, so that none changes its form with every move."""
WORDS_AFTER_REFUSAL: Final = 10 * 60.0
"""Seconds until the next try, after which somebody may have given the bot leave to attach files."""


@dataclass(slots=True, eq=False)
class BoardPictures:
    """Knows how long boards wait for their edits, and where pictures are refused."""

    server_settings: KnownServerSettings
    scheduler: Scheduler
    telemetry: Telemetry
    _requested: dict[str, float] = field(default_factory=dict, init=False)
    """Since when each board waits for its edit (seconds of the scheduler's time)."""
    _words_until: Kept[int, float] = field(default_factory=partial(Kept, "channels in words"), init=False)
    """Until when the boards of a channel are words (the same), by its id."""

    @property
    def idle(self) -> bool:
        """Whether no board waits for an edit."""
        return not self._requested

    def wanted(self, match: LiveMatch) -> bool:
        """Whether a board is a picture now, if its game has pictures."""
        if self.server_settings.of(match.guild_id).board_form is not BoardForm.PICTURE:
            return False
        return self._words_until.get(match.channel_id, 0.0) <= self.scheduler.monotonic()

    def note_requested(self, match: LiveMatch) -> None:
        """Record that a board waits for an edit, if it did not before."""
        self._requested.setdefault(match.id, self.scheduler.monotonic())

    def note_begun(self, match: LiveMatch) -> None:
        """Record that a board's edit is made now. If it is late, the boards of its channel become words."""
        now = self.scheduler.monotonic()
        if now - self._requested.pop(match.id, now) > LATE:
            self._keep_to_words(match.channel_id, WORDS_AFTER_LATE, "late")

    def note_refused(self, match: LiveMatch) -> None:
        """Record that Discord refused a board's picture."""
        self._keep_to_words(match.channel_id, WORDS_AFTER_REFUSAL, "refused")

    def forget(self, match: LiveMatch) -> None:
        """Keep nothing about a board that has no further edit."""
        self._requested.pop(match.id, None)

    def _keep_to_words(self, channel_id: int, seconds: float, why: str) -> None:
        now = self.scheduler.monotonic()
        self._words_until.keep_only(lambda until: until > now)
        if channel_id not in self._words_until:
            self.telemetry.boards_in_words(why)
        self._words_until[channel_id] = max(self._words_until.get(channel_id, 0.0), now + seconds)

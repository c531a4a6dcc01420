"""What the bot reports about itself while it runs.

The part that sees something happen reports it here, once, as an event, and the receiver decides what to do with it
(`bot.ops.metrics` counts for Prometheus). Log lines are for people and may be reworded at any time, so nothing counts
them (decision 13).
"""

from __future__ import annotations

from typing import Final


class Telemetry:
    """Receives events, and does nothing with those that no subclass counts. Any thread may report; no method waits or
    raises.

    No argument may contain a lasting id, a name, a card or a seed, because arguments may become public labels.
    """

    __slots__ = ()

    def interaction_arrived(self, interaction_id: int) -> None:
        """The gateway delivered an interaction. The id only connects it with `first_response`."""

    def first_response(self, interaction_id: int) -> None:
        """Discord has accepted the first response to an interaction."""

    def identify(self) -> None:
        """A new gateway session is about to begin."""

    def rate_limited(self, scope: str) -> None:
        """A request was answered with 429; the scope is "user", "global" or "shared"."""

    def invalid_request(self, status: int) -> None:
        """A request was answered with a status (401, 403, 429) that Discord counts against the bot's address."""

    def request_failed(self) -> None:
        """A request got no answer at all."""

    def press_late(self) -> None:
        """A press came too late to be answered and was dropped."""

    def command_late(self) -> None:
        """A command came too late to be answered and was dropped."""

    def answer_refused(self, code: int) -> None:
        """Discord refused an answer; the code is from its JSON error, or 0 if there was none."""

    def answer_given_plain(self, code: int) -> None:
        """Discord refused an answer with this code, so it is given once more without picture and emojis."""

    def answer_slow(self) -> None:
        """The bot gave up an answer at its own deadline."""

    def fault(self, doing: str) -> None:
        """The program failed; `doing` says what it was doing, in one of a few fixed phrases."""

    def replay_failed(self) -> None:
        """The log of a match could not be replayed. The error behind it is reported as well."""

    def deadlines_repaired(self) -> None:
        """The stored deadlines of a match did not follow from its log, and were corrected."""

    def store_failed(self) -> None:
        """The database refused a read or a write."""

    def backup_failed(self) -> None:
        """A backup failed."""

    def newest_backup(self, made_at: float) -> None:
        """The newest sound backup was made at this time (seconds since 1970, UTC)."""

    def backups_take(self, size: int) -> None:
        """All backups that the bot has made take `size` bytes together."""

    def disk_free(self, size: int) -> None:
        """`size` bytes are free on the disk with the backups."""

    def board_lag(self, seconds: float) -> None:
        """A board was edited this many seconds after its match changed."""

    def board_edited(self, by: str) -> None:
        """Discord took an edit of a board; `by` is whose token it was made with: "interaction" or "bot"."""

    def boards_in_words(self, why: str) -> None:
        """The boards of a channel became words instead of pictures; `why` is "late" or "refused"."""

    def computer_answered(self, seconds: float) -> None:
        """A worker answered what a computer player was asked, this many seconds after it was asked."""

    def computer_cut_short(self) -> None:
        """A computer player had to stop before it had thought as long as its level does."""

    def computer_fell_back(self, why: str) -> None:
        """A computer player made an act by a rule of thumb, whatever its level; `why` is one of
        `bot.computers.pool.NoAnswer`."""

    def worker_died(self) -> None:
        """A worker process of computer players ended without being asked to, or didn't start."""

    def loop_lag(self, seconds: float) -> None:
        """The event loop woke up this many seconds late; 0 means on time."""


NO_TELEMETRY: Final = Telemetry()
"""For tools and tests that use a part of the bot by itself. It has no state, so one is enough."""

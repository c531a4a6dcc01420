"""The data of a `MemoryStore`."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from bot.store.boards import BoardDates, DayKey, SeasonFirst, Tally
from bot.store.match_weights import Encounter
from bot.store.rows.daily import DailyDeal, DailyMessage
from bot.store.rows.invitations import Invitation, InvitationState
from bot.store.rows.matches import MatchRow, Record, Result, TimerRow
from bot.store.rows.people import Attendance, NoticeLevel
from bot.store.rows.profiles import ComebackSearch
from bot.store.rows.screens import BoardMark, HandKey, HandRow, Notice, Posting
from bot.store.rows.servers import SettingChange
from bot.store.rows.standings import HeldRating, RatingChange, RatingStart
from bot.store.scoring import Player, Score


@dataclass(frozen=True, slots=True)
class ClosableInvitation:
    """An invitation and its state."""

    invitation: Invitation
    state: InvitationState = InvitationState.OPEN

    @property
    def is_open(self) -> bool:
        """Whether it may still change."""
        return self.state is InvitationState.OPEN


@dataclass(frozen=True, slots=True)
class SavedSelection:
    """A seat's selection, and the window that it answers."""

    window: int
    text: str


@dataclass(frozen=True, slots=True)
class SavedAttempt:
    """Who has tried which deal of the day in a match, and whether a message shows how it ended."""

    guild_id: int
    game: str
    day: int
    user_id: int
    shown: bool = False


@dataclass(frozen=True, slots=True)
class ShardOwner:
    """A process that holds shards: the number of its claim, and until when its lease is in force."""

    fence: int
    until: int


@dataclass(slots=True)
class Data:
    """All rows, by their keys. Values are never changed, so a copy of the dicts is a copy of everything.

    What belongs to a match is keyed by the match's id, or by that id and a seat. Standings are keyed by server, game
    and user; names and notice levels by server and user; subscriptions to tables by server, game and user; preferences
    by user and name; the moments of notices of tables by user.
    """

    invitations: dict[str, ClosableInvitation] = field(default_factory=dict)
    matches: dict[str, MatchRow] = field(default_factory=dict)
    logs: dict[str, tuple[Record, ...]] = field(default_factory=dict)
    interactions: dict[int, str] = field(default_factory=dict)
    """The id of the match that each interaction was applied to."""
    timers: dict[str, tuple[TimerRow, ...]] = field(default_factory=dict)
    results: dict[str, Result] = field(default_factory=dict)
    """In the order in which they were applied to the standings."""
    notices: dict[tuple[str, int], Notice] = field(default_factory=dict)
    selections: dict[tuple[str, int], SavedSelection] = field(default_factory=dict)
    open_hands: dict[HandKey, HandRow] = field(default_factory=dict)
    postings: dict[tuple[str, int | None, int], Posting] = field(default_factory=dict)
    board_marks: dict[str, BoardMark] = field(default_factory=dict)
    chance_keys: dict[str, dict[str, bytes]] = field(default_factory=dict)
    standings: dict[tuple[int, str, int], Score] = field(default_factory=dict)
    attendances: dict[tuple[str, int], Attendance] = field(default_factory=dict)
    comeback_searches: dict[tuple[int, int], ComebackSearch] = field(default_factory=dict)
    """By server and user."""
    encounters: dict[Player, Mapping[int, Encounter]] = field(default_factory=dict)
    rating_changes: dict[str, tuple[RatingChange, ...]] = field(default_factory=dict)
    held_ratings: dict[tuple[int, int, str], HeldRating] = field(default_factory=dict)
    """By server, user and game."""
    rating_starts: dict[Player, RatingStart] = field(default_factory=dict)
    board_days: dict[DayKey, Tally] = field(default_factory=dict)
    board_dates: dict[int, BoardDates] = field(default_factory=dict)
    """The days of each server up to which its leaderboards were brought."""
    hidden_on_boards: dict[tuple[int, int], bool] = field(default_factory=dict)
    """Who isn't listed, by server and user. Who is listed is not in it."""
    season_firsts: dict[tuple[int, int], frozenset[SeasonFirst]] = field(default_factory=dict)
    """By server and user."""
    judged_seasons: dict[int, int] = field(default_factory=dict)
    """The day up to which each server's seasons were judged."""
    names: dict[tuple[int, int], str] = field(default_factory=dict)
    notice_levels: dict[tuple[int, int], NoticeLevel] = field(default_factory=dict)
    server_settings: dict[tuple[int, str], str] = field(default_factory=dict)
    setting_changes: dict[int, tuple[SettingChange, ...]] = field(default_factory=dict)
    """The latest first."""
    greetings: dict[int, int] = field(default_factory=dict)
    preferences: dict[tuple[int, str], str] = field(default_factory=dict)
    table_subscriptions: dict[tuple[int, str, int], bool] = field(default_factory=dict)
    """What is not wanted is not in it."""
    table_notices: dict[int, int] = field(default_factory=dict)
    daily_deals: dict[tuple[int, str, int], DailyDeal] = field(default_factory=dict)
    """By server, game and day."""
    daily_attempts: dict[str, SavedAttempt] = field(default_factory=dict)
    daily_messages: dict[tuple[int, int, int], DailyMessage] = field(default_factory=dict)
    """By server, channel and day."""
    private_wishes: dict[str, frozenset[int]] = field(default_factory=dict)
    """The seats that want the replay of a match to be private."""
    departures: dict[int, int] = field(default_factory=dict)
    observed: int = 0
    """For how long the bot has looked on in all, in ms."""
    looked_at: int | None = None
    departed_observed: dict[int, int] = field(default_factory=dict)
    suspended_observed: dict[str, int] = field(default_factory=dict)
    """What `observed` was when each departure and each suspension began."""
    metadata: dict[str, str] = field(default_factory=dict)
    heartbeat: int | None = None
    shard_owners: dict[str, ShardOwner] = field(default_factory=dict)
    """By their names."""
    shard_holders: dict[int, str] = field(default_factory=dict)
    """Who holds each shard."""
    shard_beats: dict[int, int | None] = field(default_factory=dict)
    """When the bot was last known to be up on each shard. It has all shards of the number that was claimed last."""
    claims: int = 0
    job_leases: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Who has each job, and until when."""
    turns: dict[str, int] = field(default_factory=dict)
    """When the next turn of each name may begin."""

    def copied(self) -> Data:
        """Equal data that can be changed without changing these."""
        return Data(**{each.name: copy.copy(getattr(self, each.name)) for each in fields(self)})

    def replace_by(self, other: Data) -> None:
        """Take over all rows of other data."""
        for each in fields(self):
            setattr(self, each.name, getattr(other, each.name))

    def is_live(self, match_id: str) -> bool:
        """Whether a match is known and has no result."""
        return match_id in self.matches and match_id not in self.results

"""The rows of a store: the values that it reads and writes.

Times are integer milliseconds since 1970 in UTC, ids of Discord are integers, `options`, `action` and `events` are JSON
texts that the store does not read (`bot.store.codec` writes them).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from bot.ratings import Rating
from bot.store.match_weights import FULL, MatchWeight


class InvitationKind(StrEnum):
    """How an invitation becomes a match."""

    CHALLENGE = "challenge"
    """When all invited people have sat down. If one declines, it closes."""
    TABLE = "table"
    """When the host starts it. Anybody may sit down; at a private table, only those invited."""


class InvitationState(StrEnum):
    """The state of an invitation. Only an open one changes, and it changes once."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


class StandIn(StrEnum):
    """What becomes of a seat whose time has run out, or whose player leaves it for a while (ruling C-8)."""

    OFF = "off"
    """Its player has resigned."""
    UNRATED = "unrated"
    """A computer plays it on, and then the match does not count."""
    RATED = "rated"
    """A computer plays it on. The result counts for a player who made at least half of the seat's acts."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The earlier match from which a match was begun, with the cards as they lay there.

    `facts` is how many of its first facts are the opening, and `digest` is the SHA-256 of the opening as the log of the
    new match has it (`bot.store.verification.opening_digest`).
    """

    match_id: str
    facts: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Series:
    """The place of a match in a series of matches between the same two (ruling C-9).

    `id` is the id of its first match, `best_of` is 3 or 5, `number` counts the matches from 1, and `wins` are those of
    the players before this match, by the seats that they have in it. The wins are stored with every match, because a
    board says them whenever it is shown, and to add them up would read all earlier matches each time.
    """

    id: str
    best_of: int
    number: int = 1
    wins: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Invitation:
    """A challenge, or a table that is filling. Its id becomes the match's; its seed is the secret of the deal.

    `commitment` is the deal's seal, 32 bytes, as its message shows it. `seated` lists users in the order in which they
    sat down. They get their seats in that order, or in the order of `places` where it is given (a rematch). The store
    adds `closed_at` when it is closed; before, it is None.

    In version 1 of a deal (`engines.deals`) the seal binds the seed alone. In version 2 it also binds the game,
    `rules_version`, `deal_id` and `sealed_options`, and `salts` are the texts that users have added, the oldest first.
    """

    id: str
    guild_id: int
    channel_id: int
    message_id: int | None
    game: str
    options: str
    clock: str
    host_id: int
    invited: tuple[int, ...]
    seated: tuple[int, ...]
    seed: bytes
    commitment: bytes
    created_at: int
    expires_at: int
    kind: InvitationKind = InvitationKind.CHALLENGE
    private: bool = False
    places: tuple[int, ...] = ()
    closed_at: int | None = field(default=None, compare=False)
    deal_version: int = 1
    deal_id: str = ""
    rules_version: int | None = None
    """The version to deal by; None in version 1, which takes the one of the day on which the match begins."""
    sealed_options: str = ""
    """All fields of the options as JSON, as the seal has them: without type and version. It is written once."""
    salts: tuple[tuple[int, str], ...] = ()
    in_thread: bool = False
    """Whether its match gets a thread of its own."""
    stand_in: StandIn = StandIn.OFF
    auto_start: bool = False
    """Whether it is a table whose match begins as soon as enough people sit there, without the host."""
    reliable: bool = False
    """Whether it is a table for people who finish most of their matches, and for new ones."""
    origin: Origin | None = None
    """Where its match begins, if not with a deal. Then nobody is shown a seal, `places` has the seats, and who plays
    doesn't change any more."""
    series: Series | None = None
    """The series that its match belongs to; None for a single match."""

    @property
    def is_rematch(self) -> bool:
        """Whether it asks the players of a match to play again: then, and with an origin, their places are given."""
        return bool(self.places) and self.origin is None


@dataclass(frozen=True, slots=True)
class Salt:
    """What a player added to a deal: its digest (`engines.deals.salt_digest`), and its text.

    The text is empty if they added nothing, and None once they were deleted.
    """

    digest: bytes
    text: str | None


UNSALTED: Final = Salt(hashlib.sha256().digest(), "")
"""Of somebody who added nothing, as most do: one value for all of them, because thousands of matches have it."""


class Suspension(StrEnum):
    """Why a live match is suspended: how its place was lost."""

    CHANNEL_GONE = "channel_gone"
    THREAD_CLOSED = "thread_closed"
    """Its thread was locked. Formerly also: archived."""
    NO_ACCESS = "no_access"
    """The bot may not see its channel."""
    NO_SENDING = "no_sending"
    """The bot may not write in its channel."""
    REMOVED = "removed"
    """The bot was removed from its server."""
    BOARD_REMOVED = "board_removed"
    """Somebody or something in its channel removes its board again and again."""


class Obstacle(StrEnum):
    """What keeps a player from acting where their match is played."""

    GONE = "gone"
    """They are no member of the server: they left, or were removed."""
    TIMED_OUT = "timed_out"
    """A moderator has timed them out."""
    HIDDEN = "hidden"
    """They may not see the channel, or are not in its private thread."""
    NO_THREAD_SENDING = "no_thread_sending"
    """They may not write in the thread."""
    NO_SENDING = "no_sending"
    """They may not write in the channel. They can still press buttons there."""
    UNKNOWN = "unknown"
    """Discord did not answer."""


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What was left (ms) of a deadline when its match was suspended."""

    name: str
    key: str
    left: int


@dataclass(frozen=True, slots=True)
class LostPlaces:
    """How often a match was suspended during one question (its `window`), and why: the latest cause is the last.

    `left` is what was left of each deadline at the latest suspension.
    """

    window: int = 0
    causes: tuple[Suspension, ...] = ()
    left: tuple[TimeLeft, ...] = ()


@dataclass(frozen=True, slots=True)
class Unrated:
    """Why a match does not count: this seat's time ran out while its player could not act."""

    seat: int
    why: Obstacle


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match. It is live until it has a `Result`. `seats[seat]` is the user; `paused` is the number of an error.

    `commitment` is its deal's seal, 32 bytes. All of the deal is as the invitation had it. In version 2 of a deal
    `salts` has one for each seat, in version 1 none.
    """

    id: str
    guild_id: int
    channel_id: int
    board_id: int | None
    board_at: int | None
    game: str
    rules_version: int
    options: str
    clock: str
    seats: tuple[int, ...]
    seed: bytes
    commitment: bytes
    opened_at: int
    paused: int | None = None
    agreed: tuple[int, ...] = ()
    """The seats that would like to call the match off (C-6)."""
    suspended_at: int | None = None
    """Since when it is suspended, without a timer; None while it is played and once it is over, as is the reason."""
    suspended_why: Suspension | None = None
    chained_from: int = 0
    """The seq from which its log was chained as it was played. Earlier records were chained by an upgrade, later."""
    lost_places: LostPlaces = LostPlaces()
    unrated: Unrated | None = None
    deal_version: int = 1
    deal_id: str = ""
    sealed_options: str = ""
    salts: tuple[Salt, ...] = ()
    stand_in: StandIn = StandIn.OFF
    origin: Origin | None = None
    """As the invitation had it. Its seed decides only what is drawn after the opening."""
    day: int | None = None
    """The day whose deal it tries (`DailyDeal`); None for every other match."""
    series: Series | None = None
    """As the invitation had it."""


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of a match's log. Seq 0 is the deal, without an action; `actor` is the seat, None for the clock.

    `computer` is the level and version of the computer player that made the act; None for a person's and the clock's.
    `chain` is its value in the log's hash chain (`bot.store.log_chain`), which the store makes when it appends the
    record; it is empty before.
    """

    match_id: str
    seq: int
    interaction_id: int | None
    actor: int | None
    action: str | None
    events: str
    at: int
    chain: bytes = field(default=b"", compare=False)
    computer: str | None = None


@dataclass(frozen=True, slots=True)
class TimerRow:
    """A running deadline of a live match, as the window's `Timer` names it."""

    match_id: str
    name: str
    key: str
    deadline: int


class Stay(StrEnum):
    """Whether a person stayed in a match to its end."""

    FINISHED = "finished"
    """They did, or resigned after they had played."""
    LEFT = "left"
    """They resigned right after they saw their hand."""
    OUT_OF_TIME = "out_of_time"
    """Their time ran out, and by that they lost or were put out."""


@dataclass(frozen=True, slots=True)
class BoardMark:
    """What a match's board shows: a digest of it, which only its painter reads, and how many acts led to it."""

    acts: int
    mark: bytes


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """What a start reads of a live match beside its row: its log, its timers, and the mark of its board."""

    records: tuple[Record, ...] = ()
    timers: tuple[TimerRow, ...] = ()
    board_mark: BoardMark | None = None


@dataclass(frozen=True, slots=True)
class Attendance:
    """How a person attended a finished match, on its seat: whether they stayed, how many questions they were asked, and
    how many they answered in time. `began_at` and `ended_at` are the match's."""

    match_id: str
    seat: int
    began_at: int
    ended_at: int
    stay: Stay
    asked: int
    in_time: int


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. `ranks[seat]` counts from 1; empty when called off. Only a `counted` one moves standings.

    `chain` is the last value of the log's hash chain, which the store adds when the match ends; it is empty before.
    `attendances` is what the store is to keep of its people; it is empty when the result is read.
    """

    match_id: str
    kind: str
    ranks: tuple[int, ...]
    ended_at: int
    counted: bool
    chain: bytes = field(default=b"", compare=False)
    attendances: tuple[Attendance, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that is over, and the seats whose players want its replay to be private."""

    row: MatchRow
    result: Result
    private_wishes: tuple[int, ...] = ()

    @property
    def is_private(self) -> bool:
        """Whether all of its players want that: computers and deleted people, whose ids are negative, aren't asked."""
        asked = [seat for seat, user in enumerate(self.row.seats) if user > 0]
        return bool(self.private_wishes) and set(asked) <= set(self.private_wishes)


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """Whose finished matches of a server are listed, and for whom. `today` counts the days since 1970, UTC, and `game`
    is None for all games."""

    guild_id: int
    user_id: int
    viewer_id: int
    today: int
    game: str | None = None


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a counted match did to a player's rating, and what it weighed for them. `matches` are the counted matches
    behind the rating now, with this one."""

    before: Rating
    after: Rating
    matches: int
    weight: MatchWeight = FULL

    @property
    def provisional(self) -> bool:
        """Whether the rating is too uncertain to say much."""
        return self.after.provisional


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """What two players won of the counted matches between them alone: the wins of each, and the draws."""

    wins: tuple[int, int] = (0, 0)
    draws: int = 0


@dataclass(frozen=True, slots=True)
class ResultEffects:
    """What a counted result did: the change of each seat's rating, and what two players have won with it.

    `head_to_head` is None in a match of more than two.
    """

    ratings: tuple[RatingChange, ...]
    head_to_head: HeadToHead | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place in a server's leaderboard of one game. Equal ordinals share a rank."""

    rank: int
    user_id: int
    rating: Rating
    wins: int
    losses: int
    draws: int

    @property
    def matches(self) -> int:
        """The number of counted matches."""
        return self.wins + self.losses + self.draws

    @property
    def provisional(self) -> bool:
        """Whether the rating is too uncertain to say much."""
        return self.rating.provisional


HELD_FOR: Final = 90 * 24 * 3600 * 1000
"""For how long a deleted person's ratings are held, in ms."""


@dataclass(frozen=True, slots=True)
class RatingStart:
    """With what somebody began in a game: what was held of the rating that they had deleted."""

    game: str
    rating: Rating
    wins: int
    losses: int
    draws: int


@dataclass(frozen=True, slots=True)
class HeldRating:
    """What is held of a deleted person's rating in a game, until a moment (ms UTC)."""

    start: RatingStart
    until: int


@dataclass(frozen=True, slots=True)
class FormerStanding:
    """The place that somebody had in a game before matches weighed differently, and what it was made of."""

    place: int
    start: RatingStart


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """How many counted matches somebody has finished in a server, in all games, and how many they have won in a row:
    the last ones, and the most so far."""

    matches: int = 0
    streak: int = 0
    longest_streak: int = 0


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody whom a person met in counted matches of a server, in all games.

    `matches` are those in which both sat. Wins, losses and draws are the person's in those between the two alone.
    """

    user_id: int
    matches: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def alone(self) -> int:
        """The number of matches between the two alone."""
        return self.wins + self.losses + self.draws


@dataclass(frozen=True, slots=True)
class ComebackSearch:
    """How far a person's wins were searched for the first in which they had been far behind: the number of the last win
    that was looked at, and the id of the match if it was found."""

    searched: int = 0
    found: str | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """A "your turn" mention in a channel, which is removed once it is no longer true."""

    match_id: str
    seat: int
    user_id: int
    channel_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class HandRow:
    """An open hand: a private message that shows a seat's cards, and the token that edits it until `expires_at`.

    `message` is the id of the interaction that the message was sent for, `locale` its reader's language, `selection`
    what is picked for the question `window`, and `shown` a digest of what the message shows.
    """

    match_id: str
    seat: int
    message: int
    application_id: int
    token: str = field(repr=False)
    locale: str
    window: int
    selection: str
    shown: bytes
    expires_at: int

    @property
    def key(self) -> HandKey:
        """What tells the message from all others."""
        return self.match_id, self.seat, self.message


HandKey: TypeAlias = tuple[str, int, int]
"""A match's id, a seat and a message."""


@dataclass(frozen=True, slots=True)
class Posting:
    """A message that is being posted in a channel: a match's board (seat None) or a seat's mention.

    `former_id` is the message that it replaces, if any, and `at` when this began.
    """

    match_id: str
    seat: int | None
    channel_id: int
    former_id: int | None
    at: int


class NoticeLevel(StrEnum):
    """How somebody wants to be notified of their turn."""

    NONE = "none"
    QUIET = "quiet"
    """A message in the channel that names them and notifies nobody."""
    PING = "ping"
    """A message in the channel that notifies them."""
    DIRECT = "dm"
    """A direct message, or a ping if they accept no direct messages."""


@dataclass(frozen=True, slots=True)
class TableSubscriber:
    """A person who wants to know when a table opens, and when they were last notified of one in any server (ms UTC)."""

    user_id: int
    last_notice: int | None


@dataclass(frozen=True, slots=True)
class DailyDeal:
    """The deal of the day of a server and a game. `day` counts the days since 1970, UTC.

    The computers in it play at `level`. The rest is as an `Invitation` has it; there are no salts.
    """

    guild_id: int
    game: str
    day: int
    level: str
    rules_version: int
    options: str
    deal_version: int
    deal_id: str
    sealed_options: str
    seed: bytes = field(repr=False)
    commitment: bytes
    sealed_at: int


@dataclass(frozen=True, slots=True)
class DailyAttempt:
    """A person's one attempt at a deal of the day. `acts` counts what they did themselves; `shown` says whether a
    message in the channel shows how it ended. `result` is None while it is being played."""

    match_id: str
    guild_id: int
    game: str
    day: int
    user_id: int
    channel_id: int
    shown: bool
    acts: int
    result: Result | None


@dataclass(frozen=True, slots=True)
class DailyMessage:
    """The message in a channel that says how people have done on a day. `message_id` is None while it is about to be
    posted, and `posted_at` is when it was, or is about to be (ms UTC)."""

    guild_id: int
    channel_id: int
    day: int
    message_id: int | None
    posted_at: int


MOST_SETTING_CHANGES: Final = 100
"""How many changes of a server's settings are kept. Older ones are deleted."""


@dataclass(frozen=True, slots=True)
class SettingChange:
    """Who changed a setting of a server, when, and from what to what; an empty value is the default.

    What a moderator did to a match is listed in the same way: then `name` is no setting, and `value` says what it was.
    """

    guild_id: int
    user_id: int
    at: int
    name: str
    former: str
    value: str


LONGEST_LOOK: Final = 24 * 3600 * 1000
"""Milliseconds that count at most from one look to the next. So a clock that jumps by years adds a day."""


@dataclass(frozen=True, slots=True)
class ObservedSuspension:
    """A suspended match: since when (ms UTC), and for how long the bot has observed that (ms)."""

    since: int
    observed: int


@dataclass(frozen=True, slots=True)
class Observed:
    """What the bot has observed at its looks: the servers that it is not in, each with how long (ms), and the suspended
    matches by their ids."""

    departures: Mapping[int, int]
    suspended: Mapping[str, ObservedSuspension]

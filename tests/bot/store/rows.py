"""Rows to store: made short, each field different from its neighbours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace

from bot.store.queries.attempts import TriedDeal
from bot.store.queries.attendances import Attendance, Stay
from bot.store.queries.invitations import Invitation, InvitationKind
from bot.store.queries.matches import MatchRow, Record, Result, Salt, TimerRow
from bot.store.queries.screens import HandRow, Notice, Posting
from bot.store.queries.server_settings import SettingChange
from bot.store.queries.standings import Standing
from bot.store.special_ids import computer_id
from bot.store.store import Store
from cogs.conditions.queries import ConditionalMove
from cogs.daily.queries import DailyDeal, DailyMessage, DailyQueries
from cogs.weekly.queries import WeeklyQueries
from engines.deals import VERSION, commitment_of, salt_digest

GUILD = 900000000000000001
GAME = "haymaker"
SEED = bytes(range(32))
FIELDS = "{}"
"""The fields of the options, as the seal has them."""
ANN, BOB, CAT = 100000000000000001, 100000000000000002, 100000000000000003
SALTS = {ANN: "a pinch"}


def invitation(
    match_id: str = "m1",
    *,
    expires_at: int = 9000,
    invited: tuple[int, ...] = (BOB,),
    guild: int = GUILD,
    game: str = GAME,
) -> Invitation:
    return Invitation(
        id=match_id,
        guild_id=guild,
        channel_id=910000000000000001,
        message_id=None,
        game=game,
        options='{"type":"Options","v":1}',
        clock="normal",
        host_id=ANN,
        invited=invited,
        seated=(ANN,),
        seed=SEED,
        commitment=commitment_of(SEED, game, 3, f"d-{match_id}", FIELDS, terms="off 120"),
        created_at=1000,
        expires_at=expires_at,
        deal_version=VERSION,
        deal_id=f"d-{match_id}",
        rules_version=3,
        sealed_options=FIELDS,
        salts=tuple(SALTS.items()),
    )


def match(
    match_id: str = "m1",
    *,
    seats: tuple[int, ...] = (ANN, BOB),
    opened_at: int = 2000,
    guild: int = GUILD,
    game: str = GAME,
) -> MatchRow:
    return MatchRow(
        id=match_id,
        guild_id=guild,
        channel_id=910000000000000001,
        board_id=920000000000000001,
        board_at=1500,
        game=game,
        rules_version=3,
        options='{"type":"Options","v":1}',
        clock="normal",
        seats=seats,
        seed=SEED,
        commitment=commitment_of(SEED, game, 3, f"d-{match_id}", FIELDS, terms="off 120"),
        opened_at=opened_at,
        deal_version=VERSION,
        deal_id=f"d-{match_id}",
        sealed_options=FIELDS,
        salts=tuple(Salt(salt_digest(text), text) for text in (SALTS.get(user, "") for user in seats)),
    )


def deal(match_id: str = "m1", *, interaction: int | None = None, events: str = "[]") -> Record:
    return Record(match_id, 0, interaction, None, None, events, 2000)


def record(
    seq: int, match_id: str = "m1", *, interaction: int | None = None, actor: int | None = 0, events: str = "[]"
) -> Record:
    return Record(match_id, seq, interaction, actor, '{"type":"Pass","v":1}', events, 2000 + seq)


def timer(key: str = "1", match_id: str = "m1", *, name: str = "turn", deadline: int = 5000) -> TimerRow:
    return TimerRow(match_id, name, key, deadline)


def result(match_id: str = "m1", *, ranks: tuple[int, ...] = (1, 2), counted: bool = True) -> Result:
    return Result(match_id, "knockout", ranks, 8000, counted)


def attended(match_id: str = "m1", *stays: Stay, ended_at: int = 8000, asked: int = 9) -> Result:
    """A result with how the people on the first seats attended: of two seats unless more are named."""
    kept = tuple(
        Attendance(match_id, seat, 2000, ended_at, stay, asked, asked - seat)
        for seat, stay in enumerate(stays or (Stay.FINISHED, Stay.OUT_OF_TIME))
    )
    return replace(result(match_id), ended_at=ended_at, attendances=kept)


def hand(match_id: str = "m1", seat: int = 0, *, message: int = 940000000000000001, expires_at: int = 9000) -> HandRow:
    return HandRow(match_id, seat, message, 1, "a token", "en-GB", 7, "attack.ab", b"\x00digest", expires_at)


def posting(match_id: str = "m1", seat: int | None = None, *, former: int | None = 5, channel: int = 6) -> Posting:
    return Posting(match_id, seat, channel, former, 7000)


def notice(match_id: str = "m1", *, seat: int = 1, message: int = 930000000000000001) -> Notice:
    return Notice(match_id, seat, BOB, 910000000000000001, message)


async def opened(
    store: Store,
    match_id: str = "m1",
    *,
    seats: tuple[int, ...] = (ANN, BOB),
    guild: int = GUILD,
    game: str = GAME,
    timers: tuple[TimerRow, ...] = (),
    alone: bool = False,
    newcomers: tuple[int, ...] = (),
) -> MatchRow:
    """A live match with its deal in the store."""
    row = replace(match(match_id, seats=seats, guild=guild, game=game), alone=alone)
    row = replace(row, newcomers=newcomers, reads_until=(None,) * len(newcomers))
    await store.add_invitation(
        invitation(match_id, invited=tuple(user for user in seats if user != ANN), guild=guild, game=game)
    )
    hashes = [bytes(31) + bytes([seat]) for seat in newcomers]
    await store.open_match(row, deal(match_id), timers, newcomers=hashes)
    return row


async def played(
    store: Store, match_id: str, ranks: tuple[int, ...], *, seats: tuple[int, ...], guild: int = GUILD, game: str = GAME
) -> None:
    """A match opened and ended with a counted result."""
    await opened(store, match_id, seats=seats, guild=guild, game=game)
    await store.append(record(1, match_id), (), result(match_id, ranks=ranks))


async def standings_of(store: Store, users: Iterable[int], *, guild: int = GUILD, game: str = GAME) -> list[Standing]:
    """The standings of those of these people who have one, the highest ordinal first, then by user id."""
    found = [await store.standing(guild, game, user) for user in sorted(set(users))]
    return sorted(filter(None, found), key=lambda standing: standing.rank)


def change(
    name: str = "place", value: str = "thread", *, user: int = ANN, guild: int = GUILD, former: str = ""
) -> SettingChange:
    return SettingChange(guild, user, 5000, name, former, value)


DAY = 20_000
"""The day of the deals below."""


def daily_deal(day: int = DAY, *, guild: int = GUILD, game: str = GAME, seed: bytes = SEED) -> DailyDeal:
    deal_id = f"d-{game}-{day}"
    commitment = commitment_of(seed, game, 3, deal_id, FIELDS, terms="off 120")
    return DailyDeal(
        VERSION,
        deal_id,
        3,
        FIELDS,
        seed,
        commitment,
        game,
        day,
        "hard",
        '{"type":"Options","v":1}',
        1200,
        bytes(32),
        2,
        450,
        "1",
        guild,
    )


def attempt_rows(
    match_id: str = "a1",
    user: int = ANN,
    day: int = DAY,
    *,
    guild: int = GUILD,
    game: str = GAME,
    opened_at: int = 2000,
) -> tuple[Invitation, MatchRow]:
    """What an attempt at `daily_deal` is opened with."""
    sealed, seats = daily_deal(day, guild=guild, game=game), (user, computer_id("hard"))
    asked = replace(
        invitation(match_id, invited=(), guild=guild, game=game),
        host_id=user,
        seated=seats,
        kind=InvitationKind.TABLE,
        private=True,
        created_at=sealed.sealed_at,
        commitment=sealed.commitment,
        deal_id=sealed.deal_id,
        salts=(),
    )
    tried = replace(
        match(match_id, seats=seats, guild=guild, game=game),
        board_id=None,
        board_at=None,
        commitment=sealed.commitment,
        deal_id=sealed.deal_id,
        salts=(Salt(salt_digest(""), ""),) * 2,
        day=day,
        alone=day is not None,
    )
    return asked, tried


async def attempted(
    store: Store, match_id: str = "a1", user: int = ANN, day: int = DAY, *, guild: int = GUILD, game: str = GAME
) -> MatchRow:
    """A live attempt at a deal of the day in the store, with its deal."""
    await DailyQueries(store).seal(daily_deal(day, guild=guild, game=game))
    asked, tried = attempt_rows(match_id, user, day, guild=guild, game=game)
    await DailyQueries(store).open_attempt(asked, tried, deal(match_id))
    return tried


WEEK = 20_002
"""The last day of the week of `DAY`, a Sunday."""


def weekly_deal(day: int = WEEK, *, game: str = GAME, seed: bytes = SEED) -> TriedDeal:
    daily = daily_deal(day, game=game, seed=seed)
    return TriedDeal(**{each.name: getattr(daily, each.name) for each in fields(TriedDeal)})


def weekly_rows(
    match_id: str = "w1", user: int = ANN, day: int = WEEK, *, guild: int = GUILD, game: str = GAME
) -> tuple[Invitation, MatchRow]:
    """What an attempt at `weekly_deal` is opened with."""
    asked, tried = attempt_rows(match_id, user, day, guild=guild, game=game)
    return asked, replace(tried, shared=True)


async def tried_weekly(
    store: Store, match_id: str = "w1", user: int = ANN, day: int = WEEK, *, guild: int = GUILD, game: str = GAME
) -> MatchRow:
    """A live attempt at a deal of the week in the store, with its deal."""
    await WeeklyQueries(store).seal(weekly_deal(day, game=game))
    asked, tried = weekly_rows(match_id, user, day, guild=guild, game=game)
    await WeeklyQueries(store).open_attempt(asked, tried, deal(match_id), server_name=f"server {guild}")
    return tried


def planned(match_id: str = "m1", *, acts: int = 0, move: str = "hit", guild: int = GUILD) -> ConditionalMove:
    """A move that Ann has planned on seat 1."""
    return ConditionalMove(match_id, 1, 1, guild, ANN, acts, "any", move.partition(" ")[0], move)


def daily_message(day: int = DAY, *, guild: int = GUILD, message: int | None = 960000000000000001) -> DailyMessage:
    return DailyMessage(guild, 910000000000000001, day, message, 7000)

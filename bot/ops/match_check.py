"""What `cardroom check` finds out about the matches and invitations in a database: whether they are as they were saved.

This reads the whole log of every match, also of finished ones. Nothing here depends on rules that may have changed
since a match was played: deals stay the same under the version that the match names.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.games import GAMES
from bot.play.deals.proof import DoesNotFollow, check_deal
from bot.play.deals.tried import CLOCK
from bot.play.match_state import codec, read_facts
from bot.shard_range import EVERYTHING
from bot.store.codec import CodecError
from bot.store.queries import invitations, matches
from bot.store.queries.invitations import ORIGIN, SERIES, Origin, StandIn
from bot.store.queries.matches import MatchRow, Record
from bot.store.verification import Altered, are_sealed, opens_seal, terms_of, verify
from engines.deals import VERSION, commitment_of
from engines.players.deal_of_day import seed_of

_TERMS: Final = (
    *("guild_id", "game", "options", "clock", "seed", "commitment", "deal_version", "deal_id", "rules_version"),
    *("sealed_options", "stand_in", *ORIGIN, *SERIES),
)
"""The columns that a match has as its invitation had them."""
_CONTRADICTIONS: Final = {
    "a row of it names another server": """
        SELECT match_id FROM (
            SELECT match_id, guild_id FROM seats
            UNION ALL SELECT match_id, guild_id FROM records
            UNION ALL SELECT match_id, guild_id FROM packed_logs
            UNION ALL SELECT match_id, guild_id FROM timers
            UNION ALL SELECT match_id, guild_id FROM results
            UNION ALL SELECT match_id, guild_id FROM notices
            UNION ALL SELECT match_id, guild_id FROM drafts
        ) AS part JOIN matches ON matches.id = match_id WHERE part.guild_id <> matches.guild_id
    """,
    "its terms are not its invitation's": f"""
        SELECT matches.id FROM matches JOIN invitations AS asked ON asked.id = matches.id
        WHERE asked.state <> 'accepted'
        OR ({", ".join(f"matches.{name}" for name in _TERMS)}) IS NOT ({", ".join(f"asked.{name}" for name in _TERMS)})
    """,  # noqa: S608  the columns' names
    "its players or their salts are not its invitation's": """
        SELECT seats.match_id FROM seats
        JOIN matches ON matches.id = seats.match_id
        JOIN invitations AS asked ON asked.id = seats.match_id
        WHERE CASE WHEN json_valid(asked.invited) AND json_valid(asked.seated) AND json_valid(asked.places)
                AND json_valid(asked.salts)
            THEN seats.user_id NOT IN (
                    SELECT asked.host_id UNION ALL SELECT value FROM json_each(asked.invited)
                    UNION ALL SELECT value FROM json_each(asked.seated)
                    UNION ALL SELECT value FROM json_each(asked.places)
                ) OR seats.user_id > 0 AND seats.salt IS NOT coalesce(
                    (SELECT json_extract(asked.salts, fullkey || '[1]') FROM json_each(asked.salts)
                        WHERE json_extract(asked.salts, fullkey || '[0]') = seats.user_id), ''
                )
            ELSE 1 END
    """,
    "its deal is not that of its day": """
        SELECT matches.id FROM matches
        LEFT JOIN daily_attempts AS tried ON tried.match_id = matches.id
        LEFT JOIN daily_deals AS sealed USING (guild_id, game, day)
        WHERE (matches.day IS NOT NULL AND matches.shared = 0 OR tried.match_id IS NOT NULL)
        AND (matches.guild_id, matches.game, matches.day, matches.seed, matches.commitment, matches.deal_id,
            matches.rules_version, matches.sealed_options, 1)
            IS NOT (tried.guild_id, tried.game, tried.day, sealed.seed, sealed.commitment, sealed.deal_id,
            sealed.rules_version, sealed.sealed_options,
            (SELECT count(*) FROM seats WHERE seats.match_id = matches.id AND seats.user_id = tried.user_id))
    """,
    "its deal is not that of its week": """
        SELECT matches.id FROM matches
        LEFT JOIN weekly_attempts AS tried ON tried.match_id = matches.id
        LEFT JOIN weekly_deals AS sealed USING (game, day)
        WHERE (matches.day IS NOT NULL AND matches.shared = 1 OR tried.match_id IS NOT NULL)
        AND (matches.guild_id, matches.game, matches.day, matches.shared, matches.seed, matches.commitment,
            matches.deal_id, matches.rules_version, matches.sealed_options, 1)
            IS NOT (tried.guild_id, tried.game, tried.day, 1, sealed.seed, sealed.commitment, sealed.deal_id,
            sealed.rules_version, sealed.sealed_options,
            (SELECT count(*) FROM seats WHERE seats.match_id = matches.id AND seats.user_id = tried.user_id))
    """,
    "it is over without a result, or live with one": """
        SELECT id FROM matches LEFT JOIN results ON match_id = id
        WHERE live = (match_id IS NOT NULL) OR results.game <> matches.game
    """,
    "its log is there twice, or is packed unlike its result says": """
        SELECT results.match_id FROM results LEFT JOIN packed_logs USING (match_id)
        WHERE packed <> (packed_logs.match_id IS NOT NULL)
        OR packed = 1 AND EXISTS (SELECT 1 FROM records WHERE records.match_id = results.match_id)
    """,
}
"""What rows of a match may not say, and the matches of which they do. The same fact is stored in each of two places."""
_SEALED: Final = "game, rules_version, deal_id, sealed_options, seed, commitment, options, deal_version"
_SHARED: Final = f"""
    SELECT {_SEALED}, '{CLOCK}', root, nth FROM daily_deals
    UNION ALL SELECT {_SEALED}, '{CLOCK}', root, nth FROM weekly_deals
    UNION ALL SELECT {_SEALED}, clock, NULL, NULL FROM tournament_deals AS deals
        LEFT JOIN tournaments ON tournaments.guild_id = deals.guild_id AND tournaments.id = tournament_id
"""  # noqa: S608  the columns' names and a constant
"""All deals that several matches share, played or not. Those of a day or a week say from what their seed was made."""


@dataclass(frozen=True, slots=True)
class Found:
    """How many matches and open invitations were verified, and what was altered: the reason by id."""

    matches: int
    invitations: int
    altered: dict[str, str]


def verify_all(connection: sqlite3.Connection) -> Found:
    """Verify every match and every open invitation. Raises sqlite3.Error."""
    altered = {**dict(_contradictions(connection)), **dict(_altered_shared_deals(connection))}
    count = 0
    for row in matches.all_by_id(connection):
        count += 1
        reason = _altered(connection, row)
        if reason is not None:
            altered[row.id] = reason
    asked = invitations.all_open(connection, EVERYTHING)
    altered.update({each.id: "its deal was altered" for each in asked if not opens_seal(each)})
    if len(asked) < invitations.count_open(connection):
        altered["an open invitation"] = "it can't be read"
    return Found(count, len(asked), altered)


def _contradictions(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    for reason, query in _CONTRADICTIONS.items():
        for (match_id,) in connection.execute(query):
            yield match_id, reason


def _altered_shared_deals(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    for row in connection.execute(_SHARED):
        game, rules, deal_id, sealed, seed, commitment, options, version, clock, root, nth = row
        try:
            terms = terms_of(clock, StandIn.OFF, None)
            opens = commitment_of(seed, game, rules, deal_id, sealed, terms=terms) == commitment
            was_chosen = root is None or seed_of(root, nth) == seed
            if game in GAMES:
                codec(game).decode(options)
        except (AttributeError, TypeError, ValueError, CodecError):  # without its tournament, too
            opens = was_chosen = False
        if version != VERSION or not opens or not was_chosen or not are_sealed(options, sealed):
            yield f"the deal {deal_id}", "it was altered"


def _altered(connection: sqlite3.Connection, row: MatchRow) -> str | None:
    """In what a match isn't as it was saved; None if it is."""
    records = matches.records(connection, row.id)
    try:
        verify(row, records, matches.result(connection, row.id))
        if row.origin is not None:
            return _altered_opening(connection, row, row.origin, records)
        if row.game in GAMES:
            check_deal(row, records)
    except Altered as found:
        return str(found)
    except DoesNotFollow:
        return "its deal doesn't follow from its seed"
    return None


def _altered_opening(
    connection: sqlite3.Connection, row: MatchRow, origin: Origin, records: Sequence[Record]
) -> str | None:
    """In what a match's opening isn't that of the match from which it was begun; None if it is."""
    source = matches.find(connection, origin.match_id)
    if source is None or (source.guild_id, source.game) != (row.guild_id, row.game):
        return "the match that it was begun from is missing"
    if row.game in GAMES:
        opening = read_facts(row.game, records[:1])
        before = read_facts(row.game, matches.records(connection, source.id))
        if opening is None or before is None or opening != before[: origin.facts] or len(opening) != origin.facts:
            return "it doesn't begin as the match that it was begun from"
    return None

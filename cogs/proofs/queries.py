"""Which matches were dealt from a deal."""

from __future__ import annotations

from bot.store.binding import Part, listing
from bot.store.queries import matches
from bot.store.queries.database import FEW, LEAST, Connection, Page, following
from bot.store.queries.matches import MatchRow


def of_deal(db: Connection, after: int, guild_id: int, deal_id: str) -> Page[MatchRow, int]:
    """All matches of a server that were dealt from a deal, live and finished: a page of them, by their row
    ids."""
    found = db.execute(
        "SELECT rowid, id FROM matches WHERE guild_id = ? AND deal_id = ? AND deal_id <> '' AND rowid > ?"
        " ORDER BY rowid LIMIT ?",
        (guild_id, deal_id, after, FEW),
    ).fetchall()
    return matches.of_ids(db, [match_id for _, match_id in found]), following([rowid for rowid, _ in found], FEW)


class DealtMatches(Part):
    """This query, as a method."""

    of_deal = listing(of_deal, LEAST, matches.oldest_first)

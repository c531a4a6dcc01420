"""A leaderboard as a file for a spreadsheet. It names people as they are named in the server, and has no id of them."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO

from bot.store.queries.leaderboards import Entry, Span
from cogs.screens.safe_names import spreadsheet_cell, unescaped

COLUMNS = ("rank", "name", "score", "uncertainty", "wins", "losses", "draws")


def standings_file(span: Span, entries: Sequence[Entry], names: Sequence[str]) -> bytes:
    """The lines, with these names. Spreadsheets know by its first bytes that it is UTF-8.

    The score is a rating, where the leaderboard ranks by one, and otherwise points. Who isn't ranked has no rank.
    """
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for entry, name in zip(entries, names, strict=True):
        rating = entry.rating if span is Span.ALL_TIME else None
        score = (entry.points, "") if rating is None else (rating.shown, rating.uncertainty)
        writer.writerow(
            (entry.rank or "", spreadsheet_cell(unescaped(name)), *score, entry.wins, entry.losses, entry.draws)
        )
    return text.getvalue().encode("utf-8-sig")

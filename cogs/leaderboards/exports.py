"""A leaderboard as files, for a spreadsheet and for programs. They name people as they are named in the server, and
have no id of them."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from io import StringIO

from bot.store.queries.leaderboards import Entry, Leaderboard, Span
from cogs.screens.safe_names import spreadsheet_cell, unescaped

COLUMNS = ("rank", "name", "score", "uncertainty", "wins", "losses", "draws")


def csv_of(span: Span, entries: Sequence[Entry], names: Sequence[str]) -> bytes:
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


def json_of(board: Leaderboard, entries: Sequence[Entry], names: Sequence[str]) -> bytes:
    """The same lines, with the leaderboard's game, null for all of them, and its time (docs/players-and-hosts.md)."""
    told = {
        "game": board.game or None,
        "time": board.span.name.lower(),
        "players": [_line(board.span, entry, name) for entry, name in zip(entries, names, strict=True)],
    }
    return json.dumps(told, ensure_ascii=False, indent=1).encode()


def _line(span: Span, entry: Entry, name: str) -> dict[str, int | str | None]:
    rating = entry.rating if span is Span.ALL_TIME else None
    return {
        "rank": entry.rank,
        "name": unescaped(name),
        "score": entry.points if rating is None else rating.shown,
        "uncertainty": None if rating is None else rating.uncertainty,
        "wins": entry.wins,
        "losses": entry.losses,
        "draws": entry.draws,
    }

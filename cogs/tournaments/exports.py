"""The results of a tournament as files. What is closed is in none of them, and no file has a Discord id of a person."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any, Final

from bot.pairing.standings import TIE_BREAKS
from cogs.screens.safe_names import spreadsheet_cell, unescaped
from cogs.tournaments.rows import DealRow, PairingRow
from cogs.tournaments.screens import View, is_closed, result_of

FILE: Final = "tournament-{id}.{kind}"
COLUMNS: Final = ("round", "match", "first", "second", "first_points", "second_points", "how", "codes")


def csv_of(view: View) -> bytes:
    """The results, a line each, with names. Spreadsheets know by its first bytes that it is UTF-8."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for pairing in _open_pairings(view):
        first, second = (result / 2 for result in result_of(pairing))
        names = spreadsheet_cell(_name(view, pairing.first)), spreadsheet_cell(_name(view, pairing.second))
        codes = " ".join(leg.match_id for leg in pairing.legs)
        writer.writerow((pairing.round, pairing.number, *names, first, second, str(pairing.how), codes))
    return text.getvalue().encode("utf-8-sig")


def json_of(view: View, deals: Sequence[DealRow] = ()) -> bytes:
    """The terms, the results and the standings, and the seals and seeds of these deals."""
    tournament = view.tournament
    told: dict[str, Any] = {
        "tournament": tournament.id,
        "game": tournament.game,
        "format": tournament.format,
        "options": json.loads(tournament.options),
        "clock": tournament.clock,
        "same_deal": tournament.same_deal,
        "matches_of_a_pair": tournament.legs,
        "scoring": tournament.scoring,
        "rated": tournament.rated,
        "state": tournament.state,
        "players": {each.seed: _name(view, each.user_id) for each in view.whole.entrants},
        "teams": {each.user_id: [one.seed for one in view.whole.members(each.user_id)] for each in view.whole.model}
        if tournament.teams
        else {},
        "results": [_told(view, each) for each in _open_pairings(view)],
        "standings": {
            "tie_breaks": list(TIE_BREAKS[tournament.format]),
            "rows": [
                {
                    "place": row.place,
                    "team" if tournament.teams else "player": view.seeds[row.user_id],
                    "points": row.points,
                    "ties": row.tie_breaks,
                }
                for row in view.rows
            ],
        },
        "deals": [
            {
                "round": each.round,
                "match": each.pairing or None,
                "id": each.deal_id,
                "seal": each.commitment.hex(),
                "seed": each.seed.hex() or None,
                "version": each.deal_version,
                "rules_version": each.rules_version,
                "options": each.sealed_options,
            }
            for each in deals
        ],
    }
    return json.dumps(told, ensure_ascii=False, indent=1).encode()


def _open_pairings(view: View) -> Iterator[PairingRow]:
    for each in view.whole.pairings:
        if each.how is not None and not is_closed(view.whole, each):
            yield each


def _told(view: View, pairing: PairingRow) -> dict[str, Any]:
    first, second = (result / 2 for result in result_of(pairing))
    return {
        "round": pairing.round,
        "match": pairing.number,
        "first": _seed(view, pairing.first),
        "second": None if pairing.second is None else _seed(view, pairing.second),
        "points": [first, second],
        "how": pairing.how,
        "codes": [leg.match_id for leg in pairing.legs],
    }


def _seed(view: View, user_id: int) -> int:
    entrant = view.whole.entrant(user_id)
    return 0 if entrant is None else entrant.seed


def _name(view: View, user_id: int | None) -> str:
    return "" if user_id is None else unescaped(view.names[user_id])

"""The results of a tournament as files. What is closed is in none of them, and no file has a Discord id of a person."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any, Final

from bot.pairing.standings import TIE_BREAKS
from cogs.screens.safe_names import spreadsheet_cell, unescaped
from cogs.tournaments.rows import DealRow, PairingRow, points_of
from cogs.tournaments.screens import View, is_closed, result_of

FILE: Final = "tournament-{id}.{kind}"


def csv_of(view: View) -> bytes:
    """The results, a line each, with names. Spreadsheets know by its first bytes that it is UTF-8."""
    text = StringIO()
    writer = csv.writer(text)
    seats = range(view.tournament.seats)
    players, points = [f"player_{1 + index}" for index in seats], [f"points_{1 + index}" for index in seats]
    writer.writerow(("round", "match", *players, *points, "how", "codes"))
    for pairing in _open_pairings(view):
        free = [""] * (len(seats) - len(pairing.people))
        names = [spreadsheet_cell(unescaped(view.names[user_id])) for user_id in pairing.people]
        codes = " ".join(leg.match_id for leg in pairing.legs)
        got = _points(pairing)
        writer.writerow((pairing.round, pairing.number, *names, *free, *got, *free, str(pairing.how), codes))
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
        "seats": tournament.seats,
        "same_deal": tournament.same_deal,
        "matches_of_a_pair": tournament.legs,
        "scoring": tournament.scoring,
        "rated": tournament.rated,
        "state": tournament.state,
        "players": {each.seed: unescaped(view.names[each.user_id]) for each in view.whole.entrants},
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
    return {
        "round": pairing.round,
        "match": pairing.number,
        "players": [_seed(view, user_id) for user_id in pairing.people],
        "points": _points(pairing),
        "how": pairing.how,
        "codes": [leg.match_id for leg in pairing.legs],
    }


def _points(pairing: PairingRow) -> tuple[float, ...]:
    return (1.0,) if pairing.is_bye else points_of(result_of(pairing))


def _seed(view: View, user_id: int) -> int:
    entrant = view.whole.entrant(user_id)
    return 0 if entrant is None else entrant.seed

"""The files of exported matches, at every game's every table, and altered as a forger would."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from bot.store import verification
from bot.store.queries.matches import MatchRow
from laws.play import Odds
from tests.bot.play.exported import json_of, played, row_of
from tests.games.cases import setups

File: TypeAlias = dict[str, Any]
"""An exported match as JSON reads it."""

LEAVING: Final = Odds(time=0.05, resign=0.01)
"""Odds under which most matches see the clock, and many a resignation."""


VALUES: Final = ("seq", "actor", "action", "events", "at", "computer")
"""What a record's value in the chain is made from."""


def rows(key: str, matches: int = 1) -> Iterator[MatchRow]:
    """This many matches of a game at its every setting and number of seats, before they are dealt: the first of each,
    then the second."""
    for number in range(matches):
        for game, setting, seats in setups():
            if game == key:
                yield row_of(key, setting, seats, seed=f"{seats} {number}")


def file_of(row: MatchRow, odds: Odds = LEAVING, moves: int | None = None) -> File:
    """The file of a match that is played by chance."""
    return json_of(played(row, random.Random(row.seed), odds, moves))


def chained(file: File) -> File:
    """The file with its log's chain made anew, as a forger would."""
    value = verification.first_link(file["match"])
    for record in file["records"]:
        value = verification.link_of_values(value, **{name: record[name] for name in VALUES if name in record})
        record["chain"] = value.hex()
    file["result"]["chain"] = value.hex()
    return file


def facts_of(file: File) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Every fact with its record's number and its index in it."""
    for seq, record in enumerate(file["records"]):
        for index, fact in enumerate(json.loads(record["events"])):
            yield seq, index, fact


def with_facts(file: File, seq: int, facts: Iterable[Mapping[str, Any]]) -> File:
    """A copy of the file in which a record has these facts, chained anew."""
    copy: File = json.loads(json.dumps(file))
    copy["records"][seq]["events"] = json.dumps(list(facts), separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    return chained(copy)

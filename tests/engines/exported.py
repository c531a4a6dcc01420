"""Exported matches (`cardroom/match/v1`) of any game, made from a log without a store."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from bot.play.match_state import codec
from bot.store import log_chain
from engines import GAMES
from engines.chance import Chance
from engines.deals import Deal as Made
from engines.deals import DealV1, DealV2, Sitter, commitment_v1, commitment_v2, salt_digest
from engines.game import Outcome
from laws.play import FIRST_USER, Deal, MatchLog, Odds, random_match
from tests.games.cases import case_of, tables

File: TypeAlias = dict[str, Any]
"""An exported match as JSON reads it."""

DEAL_ID: Final = "D7Q2"
SALTS: Final = ("apple", "", "cafe\N{COMBINING ACUTE ACCENT}", "\N{SNOWMAN}", "", "pear")
BEGUN: Final = 1_760_000_000_000
LEAVING: Final = Odds(time=0.05, resign=0.01)
"""Odds under which most matches see the clock, and many a resignation."""


@dataclass(frozen=True, slots=True)
class SealedDeal(Deal):
    """A match's deal by either version and any version of the rules."""

    version: int = 2
    rules: int = 1

    @property
    def made(self) -> Made:
        """What its contexts share."""
        key = self.game.info.key
        if self.version == 1:
            sitters = tuple(Sitter(FIRST_USER + seat) for seat in range(self.seats))
            return DealV1(key, self.rules, self.match_id, sitters)
        return DealV2(key, self.rules, DEAL_ID, tuple(map(salt_digest, SALTS[: self.seats])))

    def chances(self) -> Callable[[int], Chance]:
        made, pack_id = self.made, self.game.pack(self.options, self.seats).pack_id
        return lambda seq: Chance(self.seed, made, seq, pack_id)

    def chance(self, seq: int) -> Chance:
        return self.chances()(seq)


def sealed_deals(matches: int = 1) -> Iterator[SealedDeal]:
    """So many deals at every game's every setting and number of seats, by both versions and under all rules."""
    for key, setting, seats in tables():
        game = GAMES[key]
        for version in (1, 2):
            for rules in range(1, game.info.rules_version + 1):
                for number in range(matches):
                    rng = random.Random(f"{key} {setting} {seats} {version} {rules} {number}")
                    yield SealedDeal(
                        game, case_of(key).settings[setting], seats, rng.randbytes(32), version=version, rules=rules
                    )


def played(deal: SealedDeal, odds: Odds = LEAVING, moves: int | None = None) -> File:
    """A match of this deal, played by chance and exported."""
    return exported(random_match(deal, random.Random(deal.seed), odds, moves), deal)


def exported(log: MatchLog, deal: SealedDeal) -> File:
    """The file of a match. One without an end was called off."""
    key, texts = deal.game.info.key, codec(deal.game.info.key)
    stored = texts.encode(deal.options)
    acts = [(None, None, log.opening), *((move.actor, texts.encode(move.action), move.events) for move in log.moves)]
    records = [
        {"seq": seq, "actor": actor, "action": action, "events": texts.encode_all(events), "at": BEGUN + 1000 * seq}
        for seq, (actor, action, events) in enumerate(acts)
    ]
    outcome, ended_at = deal.game.outcome(log.states[-1]), BEGUN + 1000 * len(log.moves)
    file: File = {
        "form": "cardroom/match/v1",
        "match": deal.match_id,
        "game": key,
        "rules_version": deal.rules,
        "options": stored,
        "deal": _deal(deal, stored),
        "seats": [_seat(deal, seat) for seat in range(deal.seats)],
        "sealed_at": BEGUN - 60_000,
        "opened_at": ended_at,
        "records": records,
        "result": _result(outcome, ended_at),
    }
    return chained(file)


def chained(file: File) -> File:
    """The file with its log's chain made anew, as a forger would."""
    value = log_chain.first_link(file["match"])
    for record in file["records"]:
        value = log_chain.link(value, *(record[name] for name in ("seq", "actor", "action", "events", "at")))
        record["chain"] = value.hex()
    file["result"]["chain"] = value.hex()
    return file


def sealed_text(stored: str) -> str:
    """The options as version 2 seals them, from the stored text."""
    fields = {name: value for name, value in json.loads(stored).items() if name not in ("type", "v")}
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def facts_of(file: File) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Every fact with its record's number and its place in it."""
    for seq, record in enumerate(file["records"]):
        for place, fact in enumerate(json.loads(record["events"])):
            yield seq, place, fact


def with_facts(file: File, seq: int, facts: Iterable[Mapping[str, Any]]) -> File:
    """A copy of the file in which a record has these facts, chained anew."""
    copy: File = json.loads(json.dumps(file))
    copy["records"][seq]["events"] = json.dumps(list(facts), separators=(",", ":"), ensure_ascii=False)
    return chained(copy)


def _deal(deal: SealedDeal, stored: str) -> File:
    seed = deal.seed
    if deal.version == 1:
        return {"version": 1, "seed": seed.hex(), "seal": commitment_v1(seed).hex()}
    text = sealed_text(stored)
    seal = commitment_v2(seed, deal.game.info.key, deal.rules, DEAL_ID, text)
    return {"version": 2, "id": DEAL_ID, "seed": seed.hex(), "seal": seal.hex(), "options": text}


def _seat(deal: SealedDeal, seat: int) -> File:
    if deal.version == 1:
        return {"user": str(FIRST_USER + seat)}
    return {"salt": SALTS[seat], "salt_sha256": salt_digest(SALTS[seat]).hex()}


def _result(outcome: Outcome | None, ended_at: int) -> File:
    if outcome is None:
        return {"kind": "called_off", "ranks": [], "ended_at": ended_at, "counted": False}
    return {"kind": outcome.kind, "ranks": list(outcome.ranks), "ended_at": ended_at, "counted": not outcome.void}

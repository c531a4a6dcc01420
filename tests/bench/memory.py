"""What a live match holds in memory: ``python -m tests.bench.memory``. With ``--brief`` it takes some seconds.

Random matches of every game, with each preset and variant, are stopped at a stage drawn uniformly from their length, or
before their last act. Each is measured twice: taken up from its log, as after a start, and played act by act. What a
match holds is what becomes free when it alone is let go, so what all matches share isn't counted. Beside it is what
its log would hold as facts. The exit code is 1 if a match holds more than `LIMIT`.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import gc
import random
import sys
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import engines.deals
from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.store.queries.matches import UNSALTED, Record, Salt
from bot.telemetry import NO_TELEMETRY
from engines import GAMES
from engines.deals import salt_digest
from laws.bodies import NOW, records_of, row_of
from laws.play import Deal, MatchLog, random_match
from tests.bench.sizes import sized
from tests.games.cases import case_of

LIMIT: Final = 12.0
"""KiB that a live match may hold, at any length of its log."""
MATCHES: Final = sized(60, brief=1)
"""How many matches of each game are measured."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A match that is stopped after some of its moves."""

    log: MatchLog
    moves: int
    at_end: bool


class Nowhere:
    """A store that keeps nothing: nobody asks it for the log of a match that is played."""

    async def append(self, record: Record, *_: object) -> None:
        """Forget the next record."""


def main() -> int:
    """Print the figures. Returns the exit code."""
    print(f"{'KiB a live match':<28}{'matches':>8}{'acts':>12}{'mean':>8}{'most':>8}{'its facts, mean':>18}{'most':>8}")
    worst = 0.0
    for game in GAMES:
        drawn = list(stages(game, MATCHES))
        for at_end in (False, True):
            chosen = [each for each in drawn if each.at_end is at_end]
            facts = [_kib(size) for size in sizes(chosen, _facts_alone)]
            for how, make in (("taken up", taken_up), ("played", played)):
                held = [_kib(size) for size in sizes(chosen, make)]
                acts = [each.moves for each in chosen]
                what = f"{game}, {'last act' if at_end else 'stages'}, {how}"
                print(
                    f"{what:<36}{len(held):>4}{f'{min(acts)} to {max(acts)}':>12}{sum(held) / len(held):>8.1f}"
                    f"{max(held):>8.1f}{sum(facts) / len(facts):>14.1f}{max(facts):>12.1f}"
                )
                worst = max(worst, *held)
    print(f"\nat most {worst:.1f} KiB; the limit is {LIMIT:.0f}")
    return int(worst > LIMIT)


def stages(game: str, matches: int) -> Iterator[Stage]:
    """Each of these matches at a uniform stage and before its last act. All setups come in turn."""
    case, luck = case_of(game), random.Random(1)
    setups = luck.sample(case.setups, len(case.setups))
    for number in range(matches):
        setting, seats = setups[number % len(setups)]
        deal = _sealed(case.deal(setting, seats, luck), f"{game}{number}")
        log = random_match(deal, luck)
        last = len(log.moves) - 1
        yield Stage(log, luck.randint(0, last), at_end=False)
        yield Stage(log, last, at_end=True)


def sizes(chosen: Sequence[Stage], make: Callable[[Stage], Awaitable[object]]) -> list[int]:
    """How many bytes become free when each of what is made of these stages is let go alone."""

    async def measured() -> list[int]:
        await make(chosen[0])  # what all share is there already, and isn't counted
        gc.collect()
        tracemalloc.start()
        made: list[object] = [await make(stage) for stage in chosen]
        gc.collect()
        gc.freeze()  # so that the collections below, which empty the free lists, look at little
        found = []
        for index in range(len(made)):
            before, _ = tracemalloc.get_traced_memory()
            made[index] = None
            gc.collect()
            found.append(before - tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        gc.unfreeze()
        return found

    return asyncio.run(measured())


async def taken_up(stage: Stage) -> LiveMatch:
    """The match as a start takes it up."""
    match = _match(stage.log.deal)
    match.replay(_copied(records_of(stage.log, stage.moves)), ())
    return match


async def played(stage: Stage) -> LiveMatch:
    """The match as it was played since it was opened."""
    written = codec(stage.log.deal.game.info.key)
    match = _match(stage.log.deal)
    match.deal()
    for move in stage.log.moves[: stage.moves]:
        number = await match.act(move.actor, written.decode(written.encode(move.action)))
        if move.actor is not None:
            match.own_acts.confirm(move.actor, {number})  # its answer was shown
    assert match.position.state == stage.log.states[stage.moves], "it was not played as the log says"
    return match


async def _facts_alone(stage: Stage) -> object:
    """All facts of the log so far."""
    written = codec(stage.log.deal.game.info.key)
    return [written.decode_all(record.events) for record in records_of(stage.log, stage.moves)]


def _sealed(deal: Deal, name: str) -> Deal:
    """A deal as the bot seals it today, with a salt of one player."""
    info, salts = deal.game.info, tuple([salt_digest(_salt(seat)) for seat in range(deal.seats)])
    return replace(deal, match_id=name, sealed=engines.deals.Deal(info.key, info.rules_version, f"d{name}", salts))


def _salt(seat: int) -> str:
    return f"salt of seat {seat}" if seat == 1 else ""


def _match(deal: Deal) -> LiveMatch:
    texts = map(_salt, range(deal.seats))
    salts = tuple([Salt(salt_digest(text), text) if text else UNSALTED for text in texts])
    row = replace(
        row_of(deal, held=True),
        options=sys.intern(codec(deal.game.info.key).encode(deal.options)),  # as the store reads them
        seed=deal.seed,
        deal_version=3,
        deal_id=f"d{deal.match_id}",
        salts=salts,
    )
    nowhere: Any = Nowhere()
    match = LiveMatch(row, nowhere, lambda: NOW, NO_TELEMETRY)
    for seat in range(deal.seats):
        match.note_hand_seen(seat)
    return match


def _copied(records: Sequence[Record]) -> list[Record]:
    """The records with texts of their own, as they come from a database."""
    return [replace(record, events=" " + record.events) for record in records]


def _kib(size: int) -> float:
    return size / 1024


if __name__ == "__main__":
    sys.exit(main())

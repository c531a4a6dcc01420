"""How seldom the weaker side wins over a deal that is played from each seat: `python -m tests.arena.duplicate`.

Tournaments of teams of two and one round are played by the bot's own parts, without Discord, in virtual time: sealed
deals, live matches, the director, and two tables of one deal for two teams, whose partners have opposite seats. For
people, levels answer what the bot would ask a computer on their seat. The upper half of the teams plays by one level
and meets the lower half, which plays by a weaker one.

What was found is in `duplicate.csv` here.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import io
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from bot.play.computers.levels import rollouts_of
from bot.play.facts.read_facts import ReadFacts
from bot.play.live_match import LiveMatch
from discord_sandbox import virtual_time
from engines import GAMES
from engines.players.answering import answer
from tests.arena.balance import with_interval
from tests.bot.play.parts import Parts
from tests.cogs.tournaments.directed import Directed

PEOPLE: Final = 8
"""How many play a tournament, so that few pairs have one deal."""
DATA: Final = Path(__file__).with_name("duplicate.csv")


Key: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Duel:
    """Two levels that play a preset."""

    game: str
    preset: str
    stronger: str
    weaker: str

    @property
    def key(self) -> Key:
        """What its row in the file begins with."""
        return (self.game, self.preset, self.stronger, self.weaker)


DUELS: Final = (
    Duel("haymaker", "default", "hard", "normal"),
    Duel("champions", "default", "normal", "easy"),
    Duel("ciq", "quick", "skilled", "normal"),
    Duel("unbreakable", "short", "master", "skilled"),
)
"""The strongest levels without rollouts, and the next ones."""

Pair = tuple[int, int]
"""What the weaker team got in the two matches, in half points."""


async def tournament(duel: Duel, seed: int) -> list[Pair]:
    """The pairs of the first round of a tournament: in later ones teams of one level may meet."""
    directed, read = Directed(Parts.fresh(), seed), ReadFacts()
    await directed.director.resume()
    options = GAMES[duel.game].info.presets[duel.preset]
    terms = {"options": options, "teams": True, "rated": False}
    cup = await directed.opened_for(range(1, PEOPLE + 1), game=duel.game, **terms)
    whole = await directed.whole(cup)
    while whole.tournament.round == 1 and (playing := directed.playing()):
        for match in playing:
            await _play(match, [duel.stronger if user <= PEOPLE // 2 else duel.weaker for user in match.seats], read)
            directed.parts.clock.settle(match)
            directed.parts.observers.match_changed(match)
        await directed.quiet()
        whole = await directed.whole(cup)
    await directed.director.close()
    await directed.parts.close()
    pairs: dict[frozenset[int], list[int]] = {}
    for each in whole.of_round(1):
        weaker = max(range(2), key=each.people.__getitem__)
        (leg,) = each.legs
        assert leg.got is not None
        pairs.setdefault(frozenset(map(whole.side, each.people)), []).append(leg.got[weaker])
    return [(one, other) for one, other in pairs.values()]


async def _play(match: LiveMatch, levels: Sequence[str], read: ReadFacts) -> None:
    """Play a match to its end, a level on each seat."""
    while not match.over:
        seat = min(match.awaited)
        events = await read.up_to(match, match.position.acts)
        question = match.question(seat, levels[seat], rollouts_of(match.game.info.key, levels[seat]), events)
        act = match.game.read(answer(question, lambda: False).act)
        await match.act(seat, act, window=match.window_number)
    read.forget(match.id)


def measured(duel: Duel, pairs: int, seconds: float) -> list[Pair]:
    """At least so many pairs of a duel, unless this CPU time is over before."""
    found: list[Pair] = []
    begun, seed = time.process_time(), 0
    while len(found) < pairs and (not found or time.process_time() - begun < seconds):
        with asyncio.Runner(loop_factory=virtual_time.VirtualTimeLoop) as runner:
            found += runner.run(tournament(duel, seed))
        seed += 1
    return found


def row(duel: Duel, pairs: Sequence[Pair]) -> tuple[str, ...]:
    """A row of the file."""
    count = len(pairs)
    single = sum(map(sum, pairs)) / (4 * count)
    tied = sum(sum(pair) == 2 for pair in pairs) / count
    lost = sum(sum(pair) > 2 for pair in pairs) / count
    return (*duel.key, f"{single:.3f}", str(count), f"{tied:.3f}", with_interval(lost, count))


def with_row(text: str, cells: tuple[str, ...]) -> str:
    """The file with this row in the place of the one that begins like it; others stay."""
    head, *rows = csv.reader(text.splitlines())
    kept = {tuple(row[:4]): row for row in (*rows, cells)}
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([head, *kept.values()])
    return written.getvalue()


def main() -> None:
    """Measure, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m tests.arena.duplicate", description=__doc__)
    parser.add_argument("--game", choices=[each.game for each in DUELS], help="this game only")
    parser.add_argument("--pairs", type=int, default=1000, help="how many pairs of each (1,000)")
    parser.add_argument("--seconds", type=float, default=3600, help="CPU time for each (3600)")
    asked = parser.parse_args()
    virtual_time.install()
    for duel in DUELS:
        if asked.game in {None, duel.game}:
            cells = row(duel, measured(duel, asked.pairs, asked.seconds))
            print(*cells, flush=True)  # noqa: T201  the result
            DATA.write_text(with_row(DATA.read_text(encoding="utf-8"), cells), encoding="utf-8")


if __name__ == "__main__":
    main()

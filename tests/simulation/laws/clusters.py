"""Several processes on one database do nothing that one alone would not."""

from __future__ import annotations

from collections.abc import Iterable

from tests.simulation.happenings import Happening, LateWrite, Violation
from tests.simulation.history import History
from tests.simulation.laws.foundation import BaseLaw


class OneOwner(BaseLaw):
    """No two processes hold a shard at one time, as far as they know themselves."""

    name = "one owner a shard"
    why = "A process that takes its shards for its own answers people, and two would answer them differently."
    every = 0.25

    def look(self) -> Iterable[Violation]:
        bots = self.simulation.bots
        if len(bots) < 2:
            return
        held: dict[int, int] = {}
        for bot in bots:
            for shard in bot.shards:
                if shard in held:
                    yield self.violation(f"lives {held[shard]} and {bot.number} both hold shard {shard}")
                held[shard] = bot.number


class OwnersWrite(BaseLaw):
    """A process that was replaced writes nothing any more."""

    name = "only owners write"
    why = "A write that was held up, by a process that woke too late, would change a match behind its new owner's back."
    every = 1.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._late: list[LateWrite] = []

    def hear(self, happening: Happening) -> None:
        if isinstance(happening, LateWrite):
            self._late.append(happening)

    def look(self) -> Iterable[Violation]:
        late, self._late = self._late, []
        for write in late:
            yield Violation(self.name, write.at, f"life {write.life} wrote after its shards were taken")

    def end(self) -> Iterable[Violation]:
        return self.look()

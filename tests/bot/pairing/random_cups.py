"""Tournaments played by chance that a seed fixes: people of 4 to 64 with strengths, who come late, leave and return."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from bot.pairing import pair, rounds, seeded
from bot.pairing.model import Apart, Entrant, Format, Outcome, Pairing, Played

MOST = 64


@dataclass
class Cup:
    """A tournament of rounds. Iterated over, it gives each round's pairings before they are played."""

    form: Format
    rng: random.Random
    most: int = MOST
    entrants: list[Entrant] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)
    apart: Apart = frozenset()
    number: int = 0

    def __post_init__(self) -> None:
        # Small ones are the hard ones, so half have 16 people at most.
        people = [100 + k for k in range(int(4 * (self.most / 4 + 0.1) ** self.rng.random()))]
        quarrels = self.rng.choice([0, 0, 1, 2, 5])
        self.apart = frozenset(frozenset(self.rng.sample(people, 2)) for _ in range(quarrels))
        self.entrants = list(seeded(self.form, people, self.apart))
        self.last = rounds(self.form, len(people)) or 0
        if self.form is Format.SWISS:
            self.last += self.rng.randint(0, 3)
        self.leaving = self.rng.choice([0, 0.03, 0.12])

    def __iter__(self) -> Iterator[tuple[Pairing, ...]]:
        for number in range(1, self.last + 1):
            self.number = number
            self._come_and_go()
            pairings = self.pair()
            if not pairings:
                return
            yield pairings
            self.played += [self._play(each) for each in pairings]

    def pair(self) -> tuple[Pairing, ...]:
        """The pairings of the round that is now."""
        return pair(self.form, self.entrants, self.played, self.number, apart=self.apart)

    def there(self) -> list[int]:
        """Who is there in the round that is now."""
        return [each.user_id for each in self.entrants if each.plays_in(self.number)]

    def _come_and_go(self) -> None:
        for k, each in enumerate(self.entrants):
            if self.rng.random() < self.leaving:
                gone = self.rng.random() < 0.5 and each.left_after is None
                self.entrants[k] = (
                    replace(each, left_after=self.number - 1)
                    if gone
                    else replace(each, absent=each.absent | {self.number})
                )
        if self.form is Format.SWISS and self.rng.random() < 0.1 and len(self.entrants) < self.most:
            late = len(self.entrants)
            self.entrants.append(Entrant(100 + late, late + 1, joined=self.number))

    def _play(self, pairing: Pairing) -> Played:
        if pairing.second is None:
            return Played(self.number, pairing)
        strength = 0.5 + (pairing.second - pairing.first) / 150
        if self.rng.random() < 0.03:
            return Played(self.number, pairing, (Outcome(*self.rng.choice([(1, 0), (0, 1), (0, 0)])),), walkover=True)
        first = 0.5 if self.rng.random() < 0.1 else float(self.rng.random() < strength)
        return Played(self.number, pairing, (Outcome(first, 1 - first),))

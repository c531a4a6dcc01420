"""A server in which people meet at random. Results go through the ledger that all stores use."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.ratings import NEW, Rating, rate
from bot.store.scoring import Ledger, Score

GUILD, GAME = 7, "haymaker"

BETA: Final = 25 / 6
"""How much strength differs from match to match, in the model and here."""


class Server:
    """The ratings of a server by the weights of `bot.store.match_weights`."""

    def __init__(self) -> None:
        self._ledger = Ledger()

    def enter(self, users: Sequence[int], ranks: Sequence[int]) -> None:
        """Enter a result."""
        self._ledger.apply(GUILD, GAME, users, ranks, 0)

    def rating(self, user: int) -> Rating:
        """A player's rating."""
        return self.score(user).rating

    def score(self, user: int) -> Score:
        """A player's score; a new player's for somebody without a result."""
        return self._ledger.scores.get((GUILD, GAME, user), Score())

    def key(self, user: int) -> float:
        """What the leaderboard is ordered by, as players read it."""
        return 40 * replace(self.score(user), rating=self.rating(user)).ordinal


class UnweightedServer(Server):
    """The ratings of a server in which every match weighs in full, as it was before."""

    def __init__(self) -> None:
        super().__init__()
        self._ratings: dict[int, Rating] = {}

    def enter(self, users: Sequence[int], ranks: Sequence[int]) -> None:
        after = rate([self._ratings.get(user, NEW) for user in users], ranks)
        self._ratings.update(zip(users, after, strict=True))

    def rating(self, user: int) -> Rating:
        return self._ratings.get(user, NEW)


def win(server: Server, winner: int, *losers: int) -> None:
    """A match that one player wins and all others lose."""
    server.enter((winner, *losers), (1, *(2 for _ in losers)))


def settle(server: Server, people: Sequence[int], rng: random.Random, matches: int = 15) -> None:
    """Equally strong people meet at random, until each has played about so many matches."""
    for _ in range(matches * len(people) // 2):
        win(server, *rng.sample(people, 2))


def meet_by_strength(
    servers: Sequence[Server], strengths: Sequence[float], rng: random.Random, matches: int, *, in_a_row: int = 1
) -> None:
    """People of some strengths meet at random, often several times in a row; all servers get the same results."""
    for _ in range(matches // in_a_row):
        pair = rng.sample(range(len(strengths)), 2)
        for _ in range(in_a_row):
            ahead = strengths[pair[0]] - strengths[pair[1]]
            winner, loser = pair if rng.random() < 1 / (1 + math.exp(-ahead / BETA)) else pair[::-1]
            for server in servers:
                win(server, winner, loser)

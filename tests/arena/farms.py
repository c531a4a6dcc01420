"""Whether a board can be led without playing well: `python -m tests.arena.farms`, some ten minutes (`make balance`).

Thirty honest people of different strength play in a server. Somebody of average strength tries to get above the best of
them with up to twelve accounts of their own and four friends among the thirty, who lose to them on purpose. The
strategies of `STRATEGIES` and random mixtures of them are compared on three boards: of all time, of a season, and over
all games. Results go through the ledger that all stores use.

By luck somebody average is first now and then. So a strategy fails if it leads on the average of many servers. What
was found is in `farms.csv` here, and docs/how-we-count.md says what follows from it.
"""

# ruff: noqa: T201  a report prints

from __future__ import annotations

import csv
import math
import pickle
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from statistics import mean
from typing import Final, TypeAlias

from bot import pairing as pairings
from bot.pairing.model import Format, Outcome, Played
from bot.store.match_weights import grown
from bot.store.queries.leaderboards import DAY_MS, THOUSANDTHS, points, score_of
from bot.store.scoring import Ledger, Score

GUILD: Final = 7
MAIN: Final = "main"
QUIET: Final = ("quiet", "quieter", "quietest", "silent")
"""The game that everybody plays, and others that nobody plays."""
PEOPLE: Final = range(30)
ATTACKER: Final = 1000
MATCHES: Final = 40
"""How many matches each honest person plays in a month."""
SPREAD: Final = 0.63
"""The deviation of people's strength, in logits: the best of 200 beats somebody average in 85 % of their matches."""
MONTH: Final = 31 * DAY_MS
TOLD: Final = 2.25
"""What it is worth, in logits, to hear of all cards at another table with the same deal: who sees them all wins 0.905
in Haymaker against *normal*, and every short match of Unbreakable against *master*."""


class Community:
    """A server in which matches are played: honest ones by strength, others as they were arranged."""

    def __init__(self, rng: random.Random, strengths: Sequence[float]) -> None:
        self.rng = rng
        self.now = 0
        self._strengths = dict(enumerate(strengths))
        self._ledger = Ledger()
        self._points: dict[tuple[str, int], int] = {}

    def enter(self, users: Sequence[int], ranks: Sequence[int], game: str = MAIN) -> None:
        """Enter a result."""
        changes = self._ledger.apply(GUILD, game, users, ranks, self.now)
        for user, change in zip(users, changes, strict=True):
            self._points[game, user] = self._points.get((game, user), 0) + points(change.surplus)

    def win(self, winner: int, *losers: int, game: str = MAIN) -> None:
        """A match that one player wins and all others lose."""
        self.enter((winner, *losers), (1, *(2 for _ in losers)), game)

    def play(self, one: int, other: int, more: float = 0.0) -> bool:
        """A match that both want to win. Returns whether the first did. Who isn't among the people is average."""
        won = self.would_win(one, other, more)
        self.win(*((one, other) if won else (other, one)))
        return won

    def would_win(self, one: int, other: int, more: float = 0.0) -> bool:
        """Who wins, by chance and strength; the first has more of it for once."""
        ahead = self._strengths.get(one, 0.0) - self._strengths.get(other, 0.0) + more
        return self.rng.random() < 1 / (1 + math.exp(-ahead))

    def begin_month(self) -> None:
        """A season ends and another begins."""
        self.now += MONTH
        self._points.clear()

    def score(self, user: int, game: str = MAIN) -> Score:
        """Somebody's score."""
        return self._ledger.scores.get((GUILD, game, user), Score())

    def all_time(self, user: int, game: str = MAIN) -> float:
        """What the board of all time ranks by."""
        return score_of(self.score(user, game).ordinal) / THOUSANDTHS

    def season(self, user: int) -> float:
        """What the board of the season ranks by."""
        return self._points.get((MAIN, user), 0) / THOUSANDTHS

    def all_games(self, user: int) -> float:
        """What the board over all games ranks by."""
        settled = dict.fromkeys((MAIN, *QUIET), 0)
        for (_, game, _), score in self._ledger.scores.items():
            settled[game] += score.settled
        return sum(max(0.0, self.all_time(user, game)) for game in grown(settled))


@dataclass(frozen=True)
class Strategy:
    """What somebody does to lead: numbers of matches, of accounts of their own, and of friends who help.

    `honest` are matches against the thirty. Each account has first lost `lost` quick matches to them and played
    `warmed` honest ones, and `circle` are matches of the accounts among themselves. `given` are wins over accounts and
    friends in turn, at tables of `seats`; `swapped` are wins and losses in turn with them. `thrown` matches are lost to
    the thirty on purpose before the season begins. With `undone`, each of the first three matches that would be lost
    isn't counted. `quiet` repeats what is arranged in games that nobody else plays. `in_order` does one thing after the
    other, or else everything is mixed.

    `cups` are rated tournaments (Swiss) that the attacker hosts for accounts, friends and `guests` of the others, in
    which those who help lose to the attacker. With `corrected` the host sets the attacker's results the other way
    round, so that losers are met next. With `told` those who help have the same deal, and tell the cards.
    """

    name: str
    honest: int = 0
    accounts: int = 0
    lost: int = 0
    warmed: int = 0
    circle: int = 0
    friends: int = 0
    given: int = 0
    seats: int = 2
    swapped: int = 0
    thrown: int = 0
    undone: bool = False
    quiet: bool = False
    in_order: bool = True
    cups: int = 0
    guests: int = 0
    corrected: bool = False
    told: bool = False


STRATEGIES: Final = (
    Strategy("50 honest matches", honest=50),
    Strategy("150 honest matches", honest=150),
    Strategy("50 honest, and the first three undone if lost", honest=50, undone=True),
    Strategy("100 wins over one new account", accounts=1, given=100),
    Strategy("200 wins and losses swapped with a new account", accounts=1, swapped=200),
    Strategy("50 honest, 200 swapped with a friend", honest=50, friends=1, swapped=200),
    *[Strategy(f"50 honest, 100 given by friends, {n} of them", honest=50, friends=n, given=100) for n in (1, 2, 4)],
    *[
        Strategy(f"30 honest, 100 over {n} accounts that first lost 12 each", honest=30, accounts=n, lost=12, given=100)
        for n in (3, 6, 12)
    ],
    *[
        Strategy(
            f"30 honest, 100 over {n} accounts with 15 honest matches", honest=30, accounts=n, warmed=15, given=100
        )
        for n in (3, 6, 12)
    ],
    Strategy(
        "30 honest, 100 over 12 that lost 3 and played 72 among themselves",
        honest=30,
        accounts=12,
        lost=3,
        circle=72,
        given=100,
    ),
    Strategy("30 honest, 100 over 12 new accounts", honest=30, accounts=12, given=100),
    Strategy("100 over 12 accounts with 15 honest matches, nothing else", accounts=12, warmed=15, given=100),
    Strategy("30 honest, 100 over these at tables of six", honest=30, accounts=12, warmed=15, given=100, seats=6),
    Strategy("10 honest, 100 over these and four friends", honest=10, accounts=12, warmed=15, friends=4, given=100),
    Strategy("100 over these and four friends, nothing else", accounts=12, warmed=15, friends=4, given=100),
    Strategy(
        "30 honest, 300 over these and four friends, mixed",
        honest=30,
        accounts=12,
        warmed=15,
        friends=4,
        given=300,
        in_order=False,
    ),
    *[
        Strategy(
            f"30 honest, 100 in quiet games, too, over new accounts, {n} of them",
            honest=30,
            accounts=n,
            given=100,
            quiet=True,
        )
        for n in (1, 3, 11)
    ],
    Strategy(
        "the same with a circle of 12 and four friends",
        honest=30,
        accounts=12,
        circle=72,
        friends=4,
        given=100,
        quiet=True,
    ),
    *[Strategy(f"40 honest, {n} lost on purpose before the season", honest=40, thrown=n) for n in (8, 15, 30, 60)],
    Strategy("30 honest, 20 cups with four friends and 12 new accounts", honest=30, accounts=12, friends=4, cups=20),
    Strategy("20 cups with these after 15 honest matches each", accounts=12, warmed=15, friends=4, cups=20),
    Strategy(
        "30 honest, 20 such cups with 16 others", honest=30, accounts=12, warmed=15, friends=4, cups=20, guests=16
    ),
    Strategy(
        "the same, and results set so that losers are met next",
        honest=30,
        accounts=12,
        warmed=15,
        friends=4,
        cups=20,
        guests=16,
        corrected=True,
    ),
    Strategy("20 cups with four friends and the 26 others", friends=4, cups=20, guests=26),
)


def mixture(rng: random.Random) -> Strategy:
    """A random mixture of all strategies."""
    return Strategy(
        "a mixture",
        honest=rng.choice((0, 10, 30, 50, 100)),
        accounts=rng.randint(0, 12),
        lost=rng.choice((0, 0, 3, 12)),
        warmed=rng.choice((0, 5, 15)),
        circle=rng.choice((0, 0, 72)),
        friends=rng.randint(0, 4),
        given=rng.choice((0, 30, 100, 200)),
        seats=rng.choice((2, 2, 3, 6)),
        swapped=rng.choice((0, 0, 40, 100)),
        thrown=rng.choice((0, 0, 8, 30)),
        undone=rng.random() < 0.5,
        quiet=rng.random() < 0.3,
        in_order=rng.random() < 0.5,
    )


Act = Callable[[], object]


def prepare(server: Community, strategy: Strategy) -> list[int]:
    """Make the accounts and play their first matches. Returns who helps: the accounts, and friends among the people."""
    accounts = [ATTACKER + 1 + number for number in range(strategy.accounts)]
    for account in accounts:
        for _ in range(strategy.lost):
            server.win(server.rng.choice(PEOPLE), account)
        for _ in range(strategy.warmed):
            server.play(account, server.rng.choice(PEOPLE))
    for game in (MAIN, *(QUIET if strategy.quiet else ())):
        for _ in range(strategy.circle if len(accounts) > 1 else 0):
            server.win(*server.rng.sample(accounts, 2), game=game)
    return [*accounts, *server.rng.sample(PEOPLE, strategy.friends)]


def acts(server: Community, strategy: Strategy, helpers: Sequence[int]) -> list[Act]:
    """What the attacker does then, in order."""
    free = iter(range(3 if strategy.undone else 0))

    def honest() -> None:
        other = server.rng.choice(PEOPLE)
        won = server.would_win(ATTACKER, other)
        if won or next(free, None) is None:
            server.win(*((ATTACKER, other) if won else (other, ATTACKER)))

    def given(number: int, game: str) -> None:
        losers = [helpers[(number + seat) % len(helpers)] for seat in range(min(strategy.seats - 1, len(helpers)))]
        server.win(ATTACKER, *losers, game=game)

    def swapped(number: int) -> None:
        pair = ATTACKER, helpers[number // 2 % len(helpers)]
        server.win(*(pair if number % 2 else pair[::-1]))

    arranged: list[Act] = []
    if helpers:
        for game in (MAIN, *(QUIET if strategy.quiet else ())):
            arranged += [partial(given, number, game) for number in range(strategy.given)]
        arranged += [partial(swapped, number) for number in range(strategy.swapped)]
    arranged += [partial(cup, server, strategy, helpers)] * strategy.cups
    return [*[honest] * strategy.honest, *arranged]


def cup(server: Community, strategy: Strategy, helpers: Sequence[int]) -> None:
    """A tournament, paired as the bot pairs it."""
    guests = server.rng.sample([user for user in PEOPLE if user not in helpers], strategy.guests)
    users = sorted([ATTACKER, *helpers, *guests], key=server.all_time, reverse=True)
    entrants, played = pairings.seeded(Format.SWISS, users), list[Played]()
    for number in range(1, (pairings.rounds(Format.SWISS, len(users)) or 0) + 1):
        for pairing in pairings.pair(Format.SWISS, entrants, played, number):
            outcomes: tuple[Outcome, ...] = ()
            if pairing.second is not None:
                won = _won(server, strategy, helpers, pairing.first, pairing.second)
                set_ = won != (strategy.corrected and ATTACKER in pairing.people)
                outcomes = (Outcome(set_, not set_),)
            played.append(Played(number, pairing, outcomes))


def _won(server: Community, strategy: Strategy, helpers: Sequence[int], first: int, second: int) -> bool:
    """Play a match of a cup. Whether the first wins it."""
    if ATTACKER not in {first, second}:
        return server.play(first, second)
    other = second if first == ATTACKER else first
    if other in helpers:
        server.win(ATTACKER, other)
        won = True
    else:
        won = server.play(ATTACKER, other, TOLD if strategy.told else 0.0)
    return won == (first == ATTACKER)


def populated(seed: int) -> Community:
    """A server in which everybody has played a month."""
    server: Community = pickle.loads(_populated(seed))
    return server


@cache
def _populated(seed: int) -> bytes:
    """The same, to be copied: it takes longer to play than what most strategies do in it."""
    rng = random.Random(seed)
    server = Community(rng, [rng.gauss(0, SPREAD) for _ in PEOPLE])
    for _ in range(len(PEOPLE) * MATCHES // 2):
        server.play(*rng.sample(PEOPLE, 2))
    return pickle.dumps(server)


def leads_of_all_time(strategy: Strategy, seed: int) -> tuple[float, float]:
    """By how much the attacker is ahead of the best honest person of all time, and over all games."""
    server = populated(seed)
    todo = acts(server, strategy, prepare(server, strategy))
    if not strategy.in_order:
        server.rng.shuffle(todo)
    for act in todo:
        act()
    return _lead(server.all_time), _lead(server.all_games)


def lead_of_season(strategy: Strategy, seed: int) -> float:
    """By how much the attacker is ahead of the best honest person in a season in which everybody plays on."""
    server = populated(seed)
    helpers = prepare(server, strategy)
    for _ in range(strategy.thrown):
        server.win(server.rng.choice(PEOPLE), ATTACKER)
    server.begin_month()
    todo = acts(server, strategy, helpers)
    todo += [lambda: server.play(*server.rng.sample(PEOPLE, 2)) for _ in range(len(PEOPLE) * MATCHES // 2)]
    server.rng.shuffle(todo)
    for act in todo:
        act()
    return _lead(server.season)


def _lead(key: Callable[[int], float]) -> float:
    return key(ATTACKER) - max(key(user) for user in PEOPLE)


Leads: TypeAlias = tuple[float, float, float]
"""The mean leads of all time, over all games, and in a season."""


def measured(strategy: Strategy, servers: Sequence[int], seasons: Sequence[int]) -> Leads:
    """What a strategy comes to, in these servers and in the seasons of those."""
    always, everywhere = zip(*[leads_of_all_time(strategy, seed) for seed in servers], strict=True)
    return mean(always), mean(everywhere), mean(lead_of_season(strategy, seed) for seed in seasons)


# --------------------------------------------------------------------------------------------- friends


def friends_rated(seed: int, matches: int, share: float, *, people: int = 200, circle: int = 5) -> float:
    """How well a board orders people who play some matches each, of which a share is with four friends: the rank
    correlation with their true strength."""
    rng = random.Random(seed)
    strengths = [rng.gauss(0, SPREAD) for _ in range(people)]
    server = Community(rng, strengths)
    played = [0] * people
    while min(played) < matches:
        one = min(range(people), key=lambda user: (played[user], rng.random()))
        first = one // circle * circle
        among = range(first, first + circle) if rng.random() < share else range(people)
        other = rng.choice([user for user in among if user != one])
        server.play(one, other)
        played[one] += 1
        played[other] += 1
    return rank_correlation(strengths, [server.all_time(user) for user in range(people)])


def rank_correlation(some: Sequence[float], others: Sequence[float]) -> float:
    """Spearman's rank correlation of two lists without equal numbers."""
    middle = (len(some) - 1) / 2
    ranks = [_ranks(some), _ranks(others)]
    both = sum((mine - middle) * (theirs - middle) for mine, theirs in zip(ranks[0], ranks[1], strict=True))
    return both / sum((mine - middle) * (mine - middle) for mine in ranks[0])


def _ranks(values: Sequence[float]) -> list[int]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0] * len(values)
    for rank, number in enumerate(order):
        ranks[number] = rank
    return ranks


# ------------------------------------------------------------------------------------------- the report

SERVERS: Final = 12
"""In so many each strategy is measured."""
MIXTURES: Final = 500
CLOSE: Final = (-100.0, -100.0, -200.0)
"""A mixture that comes as close as this on a board is looked at again, in as many servers as the strategies."""
FIRST_LOOK: Final = range(100, 103)
"""The servers of the first look at a mixture. Its season is played in the first of them."""
FOUND: Final = Path(__file__).with_name("farms.csv")
COLUMNS: Final = ("what they do", "all time", "all games", "season", "servers")


def main() -> None:
    """Measure what each strategy comes to, and those of the mixtures that come closest, and write the file."""
    rows = []
    for strategy in STRATEGIES:
        rows.append(_row(strategy.name, measured(strategy, range(SERVERS), range(SERVERS))))
        print(rows[-1], flush=True)
    again = closest_mixtures()
    best: Leads = tuple(map(max, zip(*again.values(), strict=True))) if again else CLOSE
    rows.append(_row(f"of {MIXTURES} random mixtures the closest on each board", best))
    print(rows[-1])
    for number, leads in sorted(again.items(), key=lambda each: -max(each[1]))[:10]:
        print(number, leads, mixture(random.Random(number)))
    print("looked at again:", len(again), "leading:", sum(max(leads) > 0 for leads in again.values()))
    with FOUND.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows((COLUMNS, *rows))


def closest_mixtures() -> dict[int, Leads]:
    """What those mixtures come to that are close on a board at the first look, by their numbers, which are their
    seeds."""
    again: dict[int, Leads] = {}
    for number in range(MIXTURES):
        strategy = mixture(random.Random(number))
        leads = measured(strategy, FIRST_LOOK, FIRST_LOOK[:1])
        if any(lead > limit for lead, limit in zip(leads, CLOSE, strict=True)):
            again[number] = measured(strategy, range(SERVERS), range(SERVERS))
            print("close:", number, [round(lead) for lead in again[number]], flush=True)
    return again


def _row(name: str, leads: Leads) -> tuple[str, ...]:
    return (name, *(f"{lead:+.0f}" for lead in leads), str(SERVERS))


if __name__ == "__main__":
    main()

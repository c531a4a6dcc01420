"""No farm of a hundred matches gets ahead of an honest player, who wins 60 % of 50 matches against ten settled people.

Days don't appear here, because no weight depends on them: a farm that waits a year between two matches does the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from tests.bot.ratings.server import Server, UnweightedServer, play_honestly, settle, win

pytestmark = pytest.mark.slow  # rates hundreds of matches for each farm

SETTLED = range(100, 110)
FRESH = range(200, 210)
"""Ten accounts that never played before: the farm's."""
HONEST, FARMER, FRIEND = 1, 2, 109
"""The friend is one of the settled."""

MATCHES = 100
SEEDS = range(3)

Farm = Callable[[Server, int, random.Random], None]
"""One match of a farm, by its number."""


def one_account(server: Server, _number: int, _rng: random.Random) -> None:
    win(server, FARMER, FRESH[0])


def ten_accounts_in_turn(server: Server, number: int, _rng: random.Random) -> None:
    win(server, FARMER, FRESH[number % 10])


def one_account_after_another(server: Server, number: int, _rng: random.Random) -> None:
    win(server, FARMER, FRESH[number // 10])


def a_circle_that_settles_itself_first(server: Server, number: int, rng: random.Random) -> None:
    """Its accounts play each other, so that they look like people, and then lose to the farmer."""
    if number < 60:
        win(server, *rng.sample([*FRESH, FARMER], 2))
    else:
        win(server, FARMER, FRESH[number % 10])


def a_ladder_of_accounts(server: Server, number: int, _rng: random.Random) -> None:
    """Each account beats the one before, and the farmer the last."""
    step = number // 10
    win(server, FRESH[step + 1] if step < 9 else FARMER, FRESH[step])


def six_seats_with_the_same_five(server: Server, _number: int, _rng: random.Random) -> None:
    win(server, FARMER, *FRESH[:5])


def six_seats_out_of_ten(server: Server, _number: int, rng: random.Random) -> None:
    win(server, FARMER, *rng.sample(FRESH, 5))


def six_seats_in_order(server: Server, _number: int, rng: random.Random) -> None:
    server.enter((FARMER, *rng.sample(FRESH, 5)), (1, 2, 3, 4, 5, 6))


def a_settled_friend_who_loses(server: Server, _number: int, _rng: random.Random) -> None:
    win(server, FARMER, FRIEND)


FARMS: Sequence[Farm] = (
    one_account,
    ten_accounts_in_turn,
    one_account_after_another,
    a_circle_that_settles_itself_first,
    a_ladder_of_accounts,
    six_seats_with_the_same_five,
    six_seats_out_of_ten,
    six_seats_in_order,
    a_settled_friend_who_loses,
)


def lead_of(farm: Farm, seed: int, *, honest_first: bool = True, server: Server | None = None) -> float:
    """By how much the farmer's best is ahead of where the honest player ends; below 0 if it is behind."""
    rng, server = random.Random(seed), server or Server()
    settle(server, SETTLED, rng)
    keys: list[float] = []

    def play_farm() -> None:
        for number in range(MATCHES):
            farm(server, number, rng)
            keys.append(server.key(FARMER))

    def play_honest() -> None:
        play_honestly(server, HONEST, SETTLED, rng)

    for part in (play_honest, play_farm) if honest_first else (play_farm, play_honest):
        part()
    return max(keys) - server.key(HONEST)


@pytest.mark.parametrize("honest_first", [True, False])
@pytest.mark.parametrize("farm", FARMS)
def test_no_farm_gets_ahead_of_an_honest_player(farm: Farm, honest_first: bool) -> None:
    assert max(lead_of(farm, seed, honest_first=honest_first) for seed in SEEDS) < -100


@pytest.mark.parametrize("farm", [farm for farm in FARMS if farm is not a_ladder_of_accounts])
def test_every_one_of_them_did_while_all_matches_weighed_the_same(farm: Farm) -> None:
    assert lead_of(farm, 0, server=UnweightedServer()) > 100


@pytest.mark.parametrize("partner", [FRIEND, FRESH[0]])
@pytest.mark.parametrize("seed", SEEDS)
def test_nor_does_one_who_plays_honest_matches_meanwhile(partner: int, seed: int) -> None:
    """Somebody who wins half of their matches gains less by a hundred arranged wins than they would need."""
    rng, server = random.Random(seed), Server()
    settle(server, SETTLED, rng)
    play_honestly(server, HONEST, SETTLED, rng)

    def arranged(_: int) -> None:
        win(server, FARMER, partner)
        win(server, FARMER, partner)

    play_honestly(server, FARMER, SETTLED, rng, share=0.5, meanwhile=arranged)
    assert server.key(FARMER) < server.key(HONEST)


@pytest.mark.parametrize("farm", [one_account, ten_accounts_in_turn, six_seats_out_of_ten, a_settled_friend_who_loses])
@pytest.mark.parametrize("seed", SEEDS)
def test_nor_does_one_who_is_settled_before(farm: Farm, seed: int) -> None:
    rng, server = random.Random(seed), Server()
    settle(server, SETTLED, rng)
    play_honestly(server, HONEST, SETTLED, rng)
    play_honestly(server, FARMER, SETTLED, rng, share=0.5)
    for number in range(MATCHES):
        farm(server, number, rng)
        assert server.key(FARMER) < server.key(HONEST)


def test_matches_with_settled_people_weigh_almost_in_full() -> None:
    """The honest player must not pay for the farms."""
    weighed, unweighed = Server(), UnweightedServer()
    for server in (weighed, unweighed):
        settle(server, SETTLED, random.Random(5))
        play_honestly(server, HONEST, SETTLED, random.Random(6))
    assert weighed.key(HONEST) == pytest.approx(unweighed.key(HONEST), abs=40)

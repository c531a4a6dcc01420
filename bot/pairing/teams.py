"""Teams of two: partners sit on opposite seats of two matches with the same deal.

A team is an entrant and a pairing like a person's, by its number, so all formats and the standings work for teams too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, zip_longest

from bot.pairing.model import Apart, Entrant, Outcome, Pairing, Played, by_seed


def as_entrants(people: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """The teams, the strongest first. A team is there if both of it are."""
    members = _members(people)
    order = sorted(members, key=lambda team: (sum(each.seed for each in members[team]), team))
    return tuple(
        Entrant(
            team,
            seed,
            joined=max(each.joined for each in members[team]),
            absent=frozenset().union(*(each.absent for each in members[team])),
            left_after=min((each.left_after for each in members[team] if each.left_after is not None), default=None),
        )
        for seed, team in enumerate(order, 1)
    )


def as_apart(people: Sequence[Entrant], apart: Apart) -> Apart:
    """Teams in which somebody of one is apart from somebody of the other."""
    team = {each.user_id: each.team for each in people}
    pairs = (frozenset(number for each in pair if (number := team.get(each)) is not None) for pair in apart)
    return frozenset(pair for pair in pairs if len(pair) == 2)


def matches(pairing: Pairing, people: Sequence[Entrant], number: int) -> tuple[Pairing, ...]:
    """The two pairings of people that a pairing of teams in round `number` is played in; of a bye one for each of them.
    Who of both plays whom changes from round to round."""
    members = _members(people)
    one, its_partner = (each.user_id for each in members[pairing.first])
    if pairing.second is None:
        return (Pairing(one), Pairing(its_partner))
    other, its_other = (each.user_id for each in members[pairing.second][:: 1 if number % 2 else -1])
    return (Pairing(one, other), Pairing(its_other, its_partner))


def as_played(people: Sequence[Entrant], played: Sequence[Played]) -> tuple[Played, ...]:
    """What the teams played: all matches of two teams in a round count together. Scored by `Scoring.WINS`, that is by
    the difference of both teams."""
    team = {each.user_id: each.team or 0 for each in people}
    both: defaultdict[tuple[int, frozenset[int]], list[Played]] = defaultdict(list)
    for each in played:
        both[each.round, frozenset(team[user_id] for user_id in each.pairing.people)].append(each)
    return tuple(_together(two, team) for two in both.values())


def _together(two: Sequence[Played], team: dict[int, int]) -> Played:
    pairing = two[0].pairing
    if pairing.second is None:
        return Played(two[0].round, Pairing(team[pairing.first]))
    first = team[pairing.first]
    legs = [
        [
            each if team[one.pairing.first] == first else Outcome(*each.got[::-1], deal=each.deal)
            for each in one.outcomes
        ]
        for one in two
    ]
    # The first team has seat 0 in the first match of one pairing and in the second of the other, and so on.
    in_turn = (pair if leg % 2 == 0 else reversed(pair) for leg, pair in enumerate(zip_longest(*legs)))
    outcomes = tuple(each for each in chain.from_iterable(in_turn) if each is not None)
    walkover = all(each.walkover for each in two)
    both = Pairing(first, team[pairing.second])
    return Played(two[0].round, both, outcomes[:1] if walkover else outcomes, walkover)  # a walkover gives one point


def _members(people: Sequence[Entrant]) -> dict[int, list[Entrant]]:
    members: defaultdict[int, list[Entrant]] = defaultdict(list)
    for each in by_seed(people):
        if each.team is not None:
            members[each.team].append(each)
    return members

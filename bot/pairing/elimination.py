"""Who loses is out, at once or with the second loss."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.pairing.model import Entrant, Pairing, Played, by_seed, leans, seated


class Side(StrEnum):
    """A part of a bracket."""

    WINNERS = "winners"
    """Of those without a loss; all there is of a single elimination."""
    LOSERS = "losers"
    """Of those with one."""
    FINAL = "final"
    """Of the best of both sides. Level 2 is played if who comes without a loss loses level 1."""


@dataclass(slots=True)
class Node:
    """A node of the bracket, where two people meet, or one goes on because nobody comes to meet them."""

    side: Side
    level: int
    """From 1; how far its side has come."""
    people: tuple[int | None, int | None] = (None, None)
    """Who comes here, in the bracket's order; None if nobody does, or it isn't known yet."""
    round: int | None = None
    """When they were paired, or are now. None if they aren't yet, or there is nothing to play."""
    decided: bool = False
    winner: int | None = None
    loser: int | None = None


@dataclass(frozen=True, slots=True)
class _Source:
    """Who comes to a node: a seed, or who won or lost at another one."""

    seed: int = 0
    node: int = 0
    won: bool = True


@dataclass(frozen=True, slots=True)
class _Step:
    side: Side
    level: int
    sources: tuple[_Source, _Source]


def rounds(count: int, double: bool) -> int:
    """How many rounds it takes at most."""
    levels = max(1, (count - 1).bit_length())
    return 2 * levels + 1 if double else levels


def order(count: int) -> list[int]:
    """The seeds from the top of the bracket to its bottom: the strongest two meet in the last round. As many as a power
    of two; the ones past `count` aren't there, so the strongest go on without a match."""
    seeds = [1]
    while len(seeds) < count:
        seeds = [each for seed in seeds for each in (seed, 2 * len(seeds) + 1 - seed)]
    return seeds


def bracket(entrants: Sequence[Entrant], played: Sequence[Played], number: int, double: bool) -> tuple[Node, ...]:
    """The whole bracket as it is when round `number` is paired: `Node.round` of the nodes to be played is `number`.

    Who isn't there when they should meet somebody has lost; if neither is, both are out. After a draw the stronger seed
    has won.
    """
    seeded = by_seed(entrants)
    seeds = {each.user_id: index for index, each in enumerate(seeded)}
    results: dict[tuple[int, tuple[int | None, int | None]], Played] = {
        (each.round, people): each
        for each in played
        for people in ((each.pairing.first, each.pairing.second), (each.pairing.second, each.pairing.first))
    }
    steps = _steps(len(seeded), double)
    nodes = [Node(step.side, step.level) for step in steps]

    def known(source: _Source) -> bool:
        return bool(source.seed) or nodes[source.node].decided

    def who(source: _Source) -> int | None:
        if source.seed:
            return seeded[source.seed - 1].user_id if source.seed <= len(seeded) else None
        return nodes[source.node].winner if source.won else nodes[source.node].loser

    for now in range(1, number + 1):
        ended: list[tuple[Node, Played]] = []
        there = {each.user_id for each in entrants if each.plays_in(now)}
        for step, node in zip(steps, nodes, strict=True):
            if node.decided or not all(known(source) for source in step.sources):
                continue
            if node.side is Side.FINAL and node.level == 2 and nodes[-2].winner == who(steps[-2].sources[0]):
                node.decided, node.winner = True, nodes[-2].winner  # nothing is left to play
                continue
            node.people = who(step.sources[0]), who(step.sources[1])
            result = results.get((now, node.people)) if now < number else None
            if result is not None:
                node.round = now
                ended.append((node, result))
            elif not _walk_over(node, there):
                node.round = number if now == number else None
        for node, result in ended:  # after all, because who won now plays in the next round
            _decide(node, result, seeds)
    return tuple(nodes)


def pair(entrants: Sequence[Entrant], played: Sequence[Played], number: int, double: bool) -> tuple[Pairing, ...]:
    """The pairings of round `number`, in the bracket's order. Never a bye: who isn't in one waits for an opponent, or
    is out. Empty after the end."""
    lean = leans(each for each in played if each.round < number)
    return tuple(
        seated(node.people[0], node.people[1], lean, swap=k % 2 == 1)
        for k, node in enumerate(bracket(entrants, played, number, double))
        if node.round == number and not node.decided and node.people[0] is not None and node.people[1] is not None
    )


def reached(entrants: Sequence[Entrant], played: Sequence[Played], double: bool) -> dict[int, int]:
    """How far everybody came. More is better; those who are still in it, or have won it, are equal and first."""
    after = 1 + max((each.round for each in played), default=0)
    still_in = 2 * len(entrants) + 3
    far = dict.fromkeys((each.user_id for each in entrants), still_in)
    for node in bracket(entrants, played, after, double):  # where somebody came last is what counts
        for user_id in node.people:
            falls = double and node.side is Side.WINNERS and user_id == node.loser
            if user_id is not None:
                out = node.decided and user_id != node.winner and not falls
                far[user_id] = node.level + 2 * len(entrants) * (node.side is Side.FINAL) if out else still_in
    return far


def _walk_over(node: Node, there: Collection[int]) -> bool:
    """Decide a node where at most one person is to meet nobody or somebody who isn't there. Whether it could be."""
    one, other = node.people
    if one is None or other is None:
        node.winner = other if one is None else one
    elif one in there and other in there:
        return False
    elif one in there or other in there:
        node.winner, node.loser = (one, other) if one in there else (other, one)
    node.decided = True
    return True


def _decide(node: Node, result: Played, seeds: Mapping[int, int]) -> None:
    pairing = result.pairing
    if pairing.second is None:
        return
    first, second = result.points()
    first_won = first > second if first != second else seeds[pairing.first] < seeds[pairing.second]
    node.winner, node.loser = (pairing.first, pairing.second) if first_won else (pairing.second, pairing.first)
    node.decided = True


def _steps(count: int, double: bool) -> list[_Step]:
    """The whole plan, each step after those where its people come from."""
    steps: list[_Step] = []

    def add(side: Side, level: int, sources: Sequence[_Source]) -> tuple[list[_Source], list[_Source]]:
        """Let neighbours meet. Who wins, and who loses."""
        made = range(len(steps), len(steps) + len(sources) // 2)
        steps.extend(_Step(side, level, (one, other)) for one, other in zip(sources[::2], sources[1::2], strict=True))
        return [_Source(node=node) for node in made], [_Source(node=node, won=False) for node in made]

    winners, level = [_Source(seed=seed) for seed in order(count)], 0
    fallen: list[list[_Source]] = []
    while len(winners) > 1:
        level += 1
        winners, losers = add(Side.WINNERS, level, winners)
        fallen.append(losers)
    if not double or not fallen:
        return steps
    left, level = fallen[0], 0
    if len(left) > 1:
        level += 1
        left, _ = add(Side.LOSERS, level, left)
    for turn, losers in enumerate(fallen[1:]):
        # From the other end, or the other half, so that who met among the winners meets late again.
        half = len(losers) // 2
        crossed = losers[::-1] if turn % 2 == 0 else [*losers[half:], *losers[:half]]
        level += 1
        left, _ = add(Side.LOSERS, level, [each for both in zip(left, crossed, strict=True) for each in both])
        if len(left) > 1:
            level += 1
            left, _ = add(Side.LOSERS, level, left)
    first, second = add(Side.FINAL, 1, [*winners, *left])
    add(Side.FINAL, 2, [*first, *second])
    return steps

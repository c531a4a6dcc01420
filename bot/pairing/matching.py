"""The cheapest way to split people into pairs.

Edmonds' blossom algorithm with a price for each vertex: a pair may be made when the prices of both add up to its cost.
From all unpaired vertices at once a search goes on along such pairs. When it finds none, prices change by as little as
makes one more pair possible; a queue holds when each would be. What is found costs no more than any other way, because
prices never add up to more than a cost (but within an odd circle, for which a price of its own is paid back).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from heapq import heappop, heappush
from itertools import combinations
from typing import TypeVar

Edge = tuple[int, int]
_T = TypeVar("_T")


class _Mark(IntEnum):
    """What a search knows of a node."""

    FREE = 0
    """Not reached."""
    OUTER = 1
    """Reached by an even number of steps: pairs are looked for from here, and its prices rise."""
    INNER = 2
    """Reached by an odd number: its prices fall."""


@dataclass(slots=True, eq=False)
class _Node:
    """A vertex, or an odd circle of nodes that is treated as one vertex."""

    vertices: list[int]
    base: int
    """The one of its vertices that isn't paired within it."""
    mark: _Mark = _Mark.FREE
    entry: Edge | None = None
    """The step by which it was reached: from, to. None for where a search began."""
    circle: list[_Node] = field(default_factory=list)
    """First the one that holds the base. Of the rest each odd one is paired with the next."""
    links: list[Edge] = field(default_factory=list)
    """Link k goes from the node k of the circle to the next one."""
    price: int = 0


def cheapest(people: Sequence[_T], cost: Callable[[_T, _T], tuple[int, ...]]) -> list[tuple[_T, _T]]:
    """Pairs of all of an even number of people, with the least sum of costs.

    A cost is as many whole numbers as every other, from 0. Of two sums the first number that differs decides.
    """
    if not people:
        return []
    priced = {(one, other): cost(people[one], people[other]) for one, other in combinations(range(len(people)), 2)}
    totals = [1 + max(numbers) * len(people) // 2 for numbers in zip(*priced.values(), strict=True)]
    rows = [[0] * len(people) for _ in people]
    for (one, other), numbers in priced.items():
        weighed = 0
        for number, total in zip(numbers, totals, strict=True):
            weighed = weighed * total + number
        rows[one][other] = rows[other][one] = weighed
    mates = _Search(rows).run()
    return [(people[one], people[mate]) for one, mate in enumerate(mates) if one < mate]


class _Search:
    """`costs` is symmetric, has an even number of rows, and its diagonal isn't read."""

    def __init__(self, costs: Sequence[Sequence[int]]) -> None:
        # Times 4, so that half of a difference of prices is always whole.
        self._costs = [[4 * cost for cost in row] for row in costs]
        self._prices = [
            min(cost for other, cost in enumerate(row) if other != vertex) // 2
            for vertex, row in enumerate(self._costs)
        ]
        self._mates = self._at_once()
        self._tops = [_Node([vertex], vertex) for vertex in range(len(costs))]
        """By vertex, the outermost node that holds it."""
        self._now = 0
        self._soonest: list[int | None] = []
        """By vertex that is free: when it will be reached."""
        self._queue: list[tuple[int, int, int, int]] = []
        """When, and from and to which vertex; or of which node's vertices the first is, with -1."""
        self._pushed = 0

    def run(self) -> list[int]:
        """With whom each vertex is paired."""
        while -1 in self._mates:
            self._now, self._queue, self._soonest = 0, [], [None] * len(self._tops)
            for node in dict.fromkeys(self._tops):
                node.mark, node.entry = (_Mark.OUTER if self._mates[node.base] < 0 else _Mark.FREE), None
            for vertex, node in enumerate(self._tops):
                if node.mark is _Mark.OUTER:
                    self._look_from(vertex)
            while not self._step():
                pass
        return self._mates

    def _at_once(self) -> list[int]:
        """What can be paired at the first prices, without a search."""
        mates = [-1] * len(self._costs)
        for one, other in combinations(range(len(mates)), 2):
            if mates[one] < 0 and mates[other] < 0 and not self._slack(one, other):
                mates[one], mates[other] = other, one
        return mates

    def _step(self) -> bool:
        """Do the next thing in the queue. Whether it made one more pair."""
        when, _, one, other = heappop(self._queue)
        node = self._tops[one]
        if other < 0:
            if node.circle and node.mark is _Mark.INNER and self._now + node.price // 2 == when:
                self._advance(when)
                self._open(node)
            return False
        target = self._tops[other]
        if node is target or target.mark is _Mark.INNER or when != self._when(one, other):
            return False  # something else happened meanwhile
        self._advance(when)
        if target.mark is _Mark.FREE:
            self._reach(target, (one, other))
            return False
        path, other_path = self._path(node), self._path(target)
        if path[-1] is not other_path[-1]:
            self._pair_up(one, other)
            self._pair_up(other, one)
            return True
        self._close(path, other_path, (one, other))
        return False

    def _slack(self, one: int, other: int) -> int:
        return self._costs[one][other] - self._prices[one] - self._prices[other]

    def _when(self, one: int, other: int) -> int:
        """When a pair becomes possible, of an outer vertex and one that is outer or free."""
        slack = self._slack(one, other)
        return self._now + (slack // 2 if self._tops[other].mark is _Mark.OUTER else slack)

    def _push(self, when: int, one: int, other: int) -> None:
        self._pushed += 1  # of things at the same time the last comes first: a search is deep, and ends sooner
        heappush(self._queue, (when, -self._pushed, one, other))

    def _look_from(self, vertex: int) -> None:
        """Note what an outer vertex can reach."""
        mine = self._tops[vertex]
        for other, node in enumerate(self._tops):
            if node is not mine and node.mark is not _Mark.INNER:
                self._note(vertex, other, node)

    def _look_to(self, vertex: int) -> None:
        """Note from where a vertex that is free again can be reached."""
        self._soonest[vertex] = None
        for other, node in enumerate(self._tops):
            if node.mark is _Mark.OUTER:
                self._note(other, vertex, self._tops[vertex])

    def _note(self, one: int, other: int, target: _Node) -> None:
        when = self._when(one, other)
        if target.mark is _Mark.FREE:
            soonest = self._soonest[other]
            if soonest is not None and soonest <= when:
                return
            self._soonest[other] = when
        self._push(when, one, other)

    def _advance(self, when: int) -> None:
        """Change prices up to a time."""
        step, self._now = when - self._now, when
        if not step:
            return
        for vertex, node in enumerate(self._tops):
            if node.mark is not _Mark.FREE:
                self._prices[vertex] += step if node.mark is _Mark.OUTER else -step
                if node.circle and vertex == node.base:
                    node.price += 2 * step if node.mark is _Mark.OUTER else -2 * step

    def _reach(self, node: _Node, entry: Edge) -> None:
        """Go to a free node, and on to the one that it is paired with."""
        self._set_inner(node, entry)
        mate = self._mates[node.base]
        self._set_outer(self._tops[mate], (node.base, mate))

    def _set_inner(self, node: _Node, entry: Edge) -> None:
        node.mark, node.entry = _Mark.INNER, entry
        if node.circle:
            self._push(self._now + node.price // 2, node.base, -1)

    def _set_outer(self, node: _Node, entry: Edge) -> None:
        node.mark, node.entry = _Mark.OUTER, entry
        for vertex in node.vertices:
            self._look_from(vertex)

    def _path(self, node: _Node) -> list[_Node]:
        """The nodes from one back to where its search began."""
        path = [node]
        while entry := path[-1].entry:
            path.append(self._tops[entry[0]])
        return path

    def _close(self, path: list[_Node], other_path: list[_Node], link: Edge) -> None:
        """Make one outer node of the circle that a link closes."""
        while len(path) > 1 and len(other_path) > 1 and path[-2] is other_path[-2]:
            path.pop()
            other_path.pop()
        start = path.pop()
        other_path.pop()
        path.reverse()
        links = [node.entry for node in path if node.entry] + [link]
        links += [(node.entry[1], node.entry[0]) for node in other_path if node.entry]
        circle = [start, *path, *other_path]
        vertices = [vertex for node in circle for vertex in node.vertices]
        made = _Node(vertices, start.base, _Mark.OUTER, start.entry, circle, links)
        new = [vertex for node in circle if node.mark is _Mark.INNER for vertex in node.vertices]
        for vertex in vertices:
            self._tops[vertex] = made
        for vertex in new:
            self._look_from(vertex)

    def _open(self, node: _Node) -> None:
        """Take an inner circle apart whose price is used up."""
        assert node.entry is not None  # noqa: S101 - an inner node was reached
        for each in node.circle:
            each.mark, each.entry = _Mark.FREE, None
            for vertex in each.vertices:
                self._tops[vertex] = each
        way = _way(node, node.entry[1])
        inner_entry = node.entry
        for (inner, outer), (matched, next_entry) in zip(_twos(way.nodes), _twos(way.links), strict=True):
            self._set_inner(inner, inner_entry)
            outer.mark, outer.entry = _Mark.OUTER, matched
            inner_entry = next_entry
        self._set_inner(node.circle[0], inner_entry)
        for each in node.circle:
            for vertex in each.vertices:
                if each.mark is _Mark.OUTER:
                    self._look_from(vertex)
                elif each.mark is _Mark.FREE:
                    self._look_to(vertex)

    def _pair_up(self, vertex: int, mate: int) -> None:
        """Pair an outer vertex with another, and change all pairs back to where its search began."""
        node = self._tops[vertex]
        while True:
            self._rebase(node, vertex)
            self._mates[vertex] = mate
            if node.entry is None:
                return
            inner = self._tops[node.entry[0]]
            assert inner.entry is not None  # noqa: S101 - an inner node was reached
            vertex, mate = inner.entry
            self._rebase(inner, mate)
            self._mates[mate] = vertex
            node = self._tops[vertex]

    def _rebase(self, node: _Node, vertex: int) -> None:
        """Change the pairs within a node so that `vertex` is the one that isn't paired."""
        node.base = vertex
        if not node.circle:
            return
        way = _way(node, vertex)
        self._rebase(way.nodes[0], vertex)
        for one, other in way.links[1::2]:
            for each, its in ((one, other), (other, one)):
                self._rebase(next(part for part in way.nodes if each in part.vertices), each)
                self._mates[each] = its
        start = node.circle.index(way.nodes[0])
        node.circle = node.circle[start:] + node.circle[:start]
        node.links = node.links[start:] + node.links[:start]


@dataclass(frozen=True, slots=True)
class _Way:
    """Along a circle to its base, by an even number of links: one that is a pair, then one that isn't, and so on."""

    nodes: list[_Node]
    links: list[Edge]


def _way(node: _Node, vertex: int) -> _Way:
    """From the node of a circle that holds `vertex`."""
    circle = node.circle
    index = next(k for k, each in enumerate(circle) if vertex in each.vertices)
    if index % 2:
        return _Way([*circle[index:], circle[0]], node.links[index:])
    back = [(to, start) for start, to in reversed(node.links[:index])]
    return _Way(circle[index::-1], back)


def _twos(items: Sequence[_T]) -> list[tuple[_T, _T]]:
    return list(zip(items[::2], items[1::2], strict=False))

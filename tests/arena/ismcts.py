"""Information set Monte Carlo tree search, as an opponent to measure computer players against.

With several observers (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012): each seat has
a tree of its own, in which two acts that it can't tell apart lead to the same node. Every iteration goes down the trees
on another table that fits what the asked seat knows, adds a node, and plays on by random candidates. Chance is drawn
anew each time and has no nodes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from random import Random
from typing import Any, Final, TypeAlias

from engines.game import Seat
from engines.players.player import Table

EXPLORE: Final = 0.7
"""How much an act counts for being tried seldom. Shares of the win are from 0 to 1."""


class Node:
    """A node of a seat's tree: `share` is the sum over `visits` for the seat whose act led here, and `open` counts how
    often the act could have been made."""

    __slots__ = ("children", "open", "share", "visits")

    def __init__(self) -> None:
        self.children: dict[Hashable, Node] = {}
        self.visits = 0
        self.open = 0
        self.share = 0.0

    def child(self, label: Hashable) -> Node:
        """The node behind an act, made at the first time."""
        found = self.children.get(label)
        if found is None:
            found = self.children[label] = Node()
        return found


Model: TypeAlias = Callable[[Any, Seat, Random], Any]
"""Chooses an act at a table for a seat."""


def tried(
    sampled: Callable[[], Table[Any]], seats: int, iterations: int, rng: Random, model: Model | None = None
) -> dict[Any, int]:
    """How often each act of the asked seat was tried, as the tables write acts. `sampled` makes a table that fits what
    the seat knows. With a model the other seats act by it, so the search looks for a best response to it."""
    first = sampled()
    mine = first.asked()
    assert mine is not None
    acts = {first.label(act, mine): act for act in first.candidates()}
    if len(acts) == 1:
        return dict.fromkeys(acts.values(), iterations)
    roots = [Node() for _ in range(seats)]
    others = None if model is None else (mine, model)
    for _ in range(iterations):
        _iterate(sampled(), roots[:], rng, others)
    found = roots[mine].children
    return {act: found[label].visits if label in found else 0 for label, act in acts.items()}


def _iterate(table: Table[Any], nodes: list[Node], rng: Random, others: tuple[Seat, Model] | None) -> None:
    """One iteration; `nodes` has the root of each seat's tree, `others` who doesn't act by the model."""
    path: list[tuple[Seat, Node]] = []
    added = False
    while not added and (seat := table.asked()) is not None:
        modelled = others is not None and seat != others[0]
        act = others[1](table, seat, rng) if others and modelled else _select(table, nodes[seat], seat, rng)
        labels = [table.label(act, viewer) for viewer in range(len(nodes))]
        nodes = [node.child(label) for node, label in zip(nodes, labels, strict=True)]
        added = not modelled and nodes[seat].visits == 0
        path.append((seat, nodes[seat]))
        table.play(act, rng)
    while (seat := table.asked()) is not None:
        if others and seat != others[0]:
            table.play(others[1](table, seat, rng), rng)
        else:
            found = table.candidates()
            table.play(found[int(rng.random() * len(found))], rng)
    for seat, node in path:
        node.visits += 1
        node.share += table.share(seat)


def _select(table: Table[Any], node: Node, seat: Seat, rng: Random) -> Any:
    """An act that was never tried, or the one with the highest upper confidence bound."""
    found = table.candidates()
    untried, best, highest = [], found[0], -1.0
    for act in found:
        child = node.child(table.label(act, seat))
        child.open += 1
        if not child.visits:
            untried.append(act)
        elif not untried:
            bound = child.share / child.visits + EXPLORE * math.sqrt(math.log(child.open) / child.visits)
            if bound > highest:
                best, highest = act, bound
    return untried[int(rng.random() * len(untried))] if untried else best

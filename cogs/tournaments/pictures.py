"""The picture of a tournament: a bracket, or a crosstable with a column per round. It has seat numbers and no names.

A seat number is an entrant's seed. The standings beside the picture say whose it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from bot.art.chart_picture import BOX, Box, Chart, Look
from bot.pairing.elimination import Node, Side
from bot.pairing.model import Played
from bot.pairing.standings import Row

MOST_ROWS: Final = 16
"""Of a crosstable, so that a phone shows it whole."""
MOST_COLUMNS: Final = 9
"""Of a crosstable: the latest rounds."""
MOST_MEETINGS: Final = 8
"""Of a bracket's column: the numbers of more could not be read on a phone."""
_Half = tuple[int | None, Look]
"""The opponent's number, None without one; at a table of more than two their own place. And how it ended."""
_MARGIN: Final = 12
_ACROSS: Final = BOX[0] + 20
"""From one column to the next."""
_DOWN: Final = 2 * BOX[1] + 12
"""From one meeting of a bracket to the next."""
_LEAST_WIDTH: Final = 420
"""A narrower picture would be shown larger than its text."""


def crosstable_chart(
    rows: Sequence[Row], played: Sequence[Played], seeds: Mapping[int, int], *, in_turn: bool = False
) -> Chart:
    """Who stands where, the best first, with whom each met in each round, or in which place each was: the
    number and how that ended. With
    `in_turn` it has everybody's latest matches, one after the other, because there are no rounds."""
    halves = [(each.round, *half) for each in played for half in _halves(each, seeds)]
    if in_turn:
        halves = _latest(halves)
    met = {(number, user_id): half for number, user_id, half in halves}
    rounds = sorted({number for number, _ in met})[-MOST_COLUMNS:]
    boxes = []
    for line, row in enumerate(rows):
        y = _MARGIN + line * (BOX[1] + 6)
        boxes.append(Box(_MARGIN, y, seeds[row.user_id]))
        for column, number in enumerate(rounds, 1):
            opponent, look = met.get((number, row.user_id), (None, Look.LOST))
            if opponent is not None or look is not Look.LOST:
                boxes.append(Box(_MARGIN + column * _ACROSS, y, opponent, look))
    height = 2 * _MARGIN + len(rows) * (BOX[1] + 6)
    rule = _MARGIN + BOX[0] + (_ACROSS - BOX[0]) // 2
    return Chart(_width(1 + len(rounds)), height, tuple(boxes), (((rule, _MARGIN), (rule, height - _MARGIN)),))


def _latest(halves: Sequence[tuple[int, int, _Half]]) -> list[tuple[int, int, _Half]]:
    """The latest of everybody's, numbered from 1."""
    by_user: dict[int, list[_Half]] = {}
    for _, user_id, half in halves:
        by_user.setdefault(user_id, []).append(half)
    return [
        (nth, user_id, half)
        for user_id, theirs in by_user.items()
        for nth, half in enumerate(theirs[-MOST_COLUMNS:], 1)
    ]


def _halves(played: Played, seeds: Mapping[int, int]) -> Iterator[tuple[int, _Half]]:
    """What a round has for everybody in a pairing."""
    people, points = played.pairing.seats, played.points()
    for user_id, mine in zip(people, points, strict=True):
        others = [seeds[each] for each in people if each != user_id]
        number = 1 + sum(each > mine for each in points) if len(others) > 1 else next(iter(others), None)
        yield user_id, (number, _look(mine, points))


def _look(mine: float, points: Sequence[float]) -> Look:
    """Won for who was first, lost for who was last, and drawn for all others."""
    least, most = min(points), max(points)
    if len(points) > 1 and least < most and mine in (least, most):
        return Look.WON if mine == most else Look.LOST
    return Look.DRAWN if mine else Look.LOST


def bracket_chart(nodes: Sequence[Node], seeds: Mapping[int, int], most: int = MOST_MEETINGS) -> Chart:
    """A bracket, its levels from left to right, those of the losers below those of the winners. A level of more than
    `most` meetings isn't drawn."""
    columns = {key: [*group] for key, group in groupby(sorted(nodes, key=_column), key=_column)}
    upper = [columns[key] for key in columns if key[0] in (0, 2) and len(columns[key]) <= most]
    lower = [columns[key] for key in columns if key[0] == 1 and len(columns[key]) <= most]
    boxes: list[Box] = []
    lines: list[tuple[tuple[int, int], ...]] = []
    top = _MARGIN
    for block in (upper, lower):
        height = max(map(len, block), default=0) * _DOWN
        for index, column in enumerate(block):
            for nth, node in enumerate(column):
                x, y = _MARGIN + index * _ACROSS, _top(top, height, nth, len(column))
                boxes += _meeting(node, x, y, seeds)
                if index + 1 < len(block):
                    following = block[index + 1]
                    onward = _top(top, height, nth * len(following) // len(column), len(following)) + BOX[1]
                    lines.append(_way(x + BOX[0], y + BOX[1], x + _ACROSS, onward))
        top += height + (_MARGIN if height else 0)
    return Chart(_width(max(len(upper), len(lower))), top, tuple(boxes), tuple(lines))


def _column(node: Node) -> tuple[int, int]:
    return [Side.WINNERS, Side.LOSERS, Side.FINAL].index(node.side), node.level


def _top(top: int, height: int, nth: int, count: int) -> int:
    """Where the meeting with this number in its column begins: columns are spread over the block's height."""
    return top + (2 * nth + 1) * height // (2 * count) - BOX[1]


def _meeting(node: Node, x: int, y: int, seeds: Mapping[int, int]) -> Iterator[Box]:
    for nth, user_id in enumerate(node.people):
        look = Look.PLAIN
        if node.decided and user_id is not None:
            look = Look.WON if user_id == node.winner else Look.LOST
        yield Box(x, y + nth * BOX[1], None if user_id is None else seeds[user_id], look)


def _way(x: int, y: int, to_x: int, to_y: int) -> tuple[tuple[int, int], ...]:
    """From one meeting to the next, with a bend half-way."""
    middle = (x + to_x) // 2
    return ((x, y), (middle, y), (middle, to_y), (to_x, to_y))


def _width(columns: int) -> int:
    return max(_LEAST_WIDTH, 2 * _MARGIN + columns * _ACROSS)

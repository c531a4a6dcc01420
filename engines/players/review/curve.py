"""The curve of a match: each seat's chance to win after each act, or in a race the cards that each has left.

After an act, two players have just thought about the match: the one who acted and the one who is asked next. The point
is the mean of what both could tell, made true for who plays (`chances`). Nobody's hidden cards count in what somebody
else could tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Final

from engines.game import AnyGame, Outcome, fold
from engines.players.player import Expired
from engines.players.review.chances import PERSON, Chances
from engines.players.review.costs import evenly
from engines.players.review.request import Point, ReviewRequest
from engines.players.review.walk import Spot, Stage
from engines.players.review.ways import Shares, Way, mean

POINTS: Final = 48
"""How many points a curve has at most, if rollouts make them."""
MOST_TRIALS: Final = 48
"""How many rollouts each of two views of a point has at most."""
MOST_POINTS: Final = 160
"""How many it has at most at all: a picture can't show more."""


class CurveSearch:
    """Works out a curve of chances. `rollouts` counts what it played; `dealt` has each seat's chance before the first
    act, as if people played on all seats: what the deal gave them."""

    def __init__(self, way: Way, chances: Chances, luck: int, budget: int, expired: Expired) -> None:
        self.rollouts = 0
        self.dealt: Shares = ()
        self._way = way
        self._chances = chances
        self._luck = luck
        self._expired = expired
        self._budget = budget
        self._trials = 1

    def found(self, stages: Sequence[Stage], players: Sequence[str]) -> tuple[Point, ...]:
        """The curve of these stages, the last of which is the end of the match, between these kinds of players. It is
        empty where nobody knows how true it would be."""
        if not self._chances.know(players):
            return ()
        *shown, end = [stage for stage in stages if stage.spots or stage.outcome is not None]
        points = []
        indexes = evenly(len(shown), MOST_POINTS if not self._way.is_drawn else POINTS)
        self.share_out(len(shown))
        for index in indexes:
            if self._expired():
                break
            stage = shown[index]
            said = self.said(stage, stages[stage.after - 1] if stage.after else None)
            asked = [spot.seat for spot in stage.spots]
            points.append(Point(stage.after, self._chances.true(said, players, stage.after, asked)))
            if not stage.after:
                self.dealt = self._chances.true(said, (PERSON,) * len(said), 0, asked)
        last = Point(end.after, _shares(end.outcome)) if end.outcome is not None else None
        return tuple([*points, last] if last is not None else points)

    def share_out(self, stages: int) -> None:
        """Share the budget out to the points of a curve of this number of stages."""
        if self._way.is_drawn:
            self._trials = max(1, min(MOST_TRIALS, self._budget // (2 * max(1, min(stages, POINTS)))))

    def said(self, stage: Stage, before: Stage | None) -> Shares:
        """How the win is shared at a stage, as its players could tell by the cards; `before` is the stage before it."""
        rng = Random(f"{self._luck} {stage.after} curve")
        acted = before.acting if before is not None else None
        views = [self._way.outlook(spot, rng, self._trials) for spot in stage.spots]
        if acted is not None and acted.seat not in [spot.seat for spot in stage.spots]:
            views.append(self._after(acted, rng))
        if self._way.is_drawn:
            self.rollouts += self._trials * len(views)
        return mean(views)

    def _after(self, spot: Spot, rng: Random) -> tuple[float, ...]:
        """How the win is shared after the act that a seat made, as far as that seat could tell."""
        return mean([self._way.trial(spot, [spot.made], rng)[0] for _ in range(self._trials)])


def _shares(outcome: Outcome | None) -> tuple[float, ...]:
    if outcome is None:
        return ()
    winners = outcome.winners
    return tuple([1 / len(winners) if seat in winners else 0.0 for seat in range(len(outcome.ranks))])


def race(game: AnyGame, left: Callable[[Any], Iterable[int]], request: ReviewRequest) -> tuple[Point, ...]:
    """The cards that each seat of a race had left, after as many of the acts as a picture can show."""
    state = fold(game, game.start(request.options, request.seats), request.opening)
    shown = {*evenly(1 + len(request.acts), MOST_POINTS)}
    points = []
    for after in range(1 + len(request.acts)):
        if after:
            state = fold(game, state, request.acts[after - 1].facts)
        if after in shown:
            points.append(Point(after, tuple(map(float, left(game.observe_public(state))))))
    return tuple(points)

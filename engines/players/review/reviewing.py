"""Works out what decided a match: the one entrance to reviews."""

from __future__ import annotations

from itertools import accumulate

from engines import GAMES
from engines.game import AnyGame, fold
from engines.players.levels import PLAYERS
from engines.players.player import Expired
from engines.players.review.chances import PERSON, chances_of
from engines.players.review.costs import Cost, CostSearch
from engines.players.review.curve import CurveSearch, race
from engines.players.review.request import CostlyAct, Measure, Review, ReviewRequest
from engines.players.review.walk import walk
from engines.players.review.ways import RACES, way_of

CURVE_SHARE = 0.3
"""How much of a review's rollouts the curve gets."""


class NotOverError(ValueError):
    """Raised for a match that the rules have not ended: nobody may learn what its acts are worth."""


def is_reviewed(game: str) -> bool:
    """Whether there is a review of a game's matches."""
    return game in PLAYERS or game in RACES


def review(request: ReviewRequest, expired: Expired) -> Review:
    """What decided a match. It depends on the request alone, unless `expired` becomes true: then parts are missing.

    Raises NotOverError, and KeyError for a game that has no reviews.
    """
    game = GAMES[request.game]
    if request.game in RACES:
        _check_over(game, request)
        curve = race(game, RACES[request.game], request)
        return Review(Measure.CARDS, len(request.acts), curve)
    way = way_of(request.game)
    _check_over(game, request)
    stages = list(walk(game, PLAYERS[request.game], request))
    budget = request.rollouts or way.rollouts
    chances = chances_of(request.game, request.options, request.seats)
    curves = CurveSearch(way, chances, request.luck, int(budget * CURVE_SHARE), expired)
    costs = CostSearch(way, request.luck, int(budget * (1 - CURVE_SHARE)), expired)
    curve = curves.found(stages, request.players or (PERSON,) * request.seats)
    made = [(stage.after + 1, spot) for stage in stages if (spot := stage.acting) is not None]
    facts = [*accumulate([len(logged.facts) for logged in request.acts], initial=len(request.opening))]
    costly = tuple([_costly(game, cost, facts[cost.number - 1]) for cost in costs.found(made)])
    played = curves.rollouts + costs.rollouts
    return Review(Measure.CHANCE, len(request.acts), curve, costly, played, curves.dealt)


def _check_over(game: AnyGame, request: ReviewRequest) -> None:
    """Before anything is judged."""
    facts = [*request.opening, *[fact for logged in request.acts for fact in logged.facts]]
    if game.outcome(fold(game, game.start(request.options, request.seats), facts)) is None:
        raise NotOverError("a match that is being played has no review")


def _costly(game: AnyGame, cost: Cost, facts: int) -> CostlyAct:
    spot = cost.spot
    return CostlyAct(cost.number, facts, spot.seat, game.write(spot.made), game.write(cost.better), cost.cost)

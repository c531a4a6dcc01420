"""Requests for reviews of matches that tests play."""

from __future__ import annotations

from engines.players.review import LoggedAct, ReviewRequest, luck_of_review
from laws.play import MatchLog


def request_of(log: MatchLog, rollouts: int = 0) -> ReviewRequest:
    """The request for the review of a match; without rollouts, with those that the game's way plays."""
    deal, game = log.deal, log.deal.game
    acts = [LoggedAct(move.actor, game.write(move.action), move.events) for move in log.moves]
    luck = luck_of_review(deal.match_id)
    return ReviewRequest(game.info.key, deal.options, deal.seats, log.opening, tuple(acts), luck, rollouts)

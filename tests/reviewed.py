"""Requests for reviews of matches that tests play."""

from __future__ import annotations

import pytest

from engines.players.review import PERSON, LoggedAct, ReviewRequest, luck_of_review, reviewing
from engines.players.review.chances import Chances, Trust
from laws.play import MatchLog


def request_of(log: MatchLog, rollouts: int = 0) -> ReviewRequest:
    """The request for the review of a match; without rollouts, with those that the game's way plays."""
    deal, game = log.deal, log.deal.game
    acts = [LoggedAct(move.actor, game.write(move.action), move.events) for move in log.moves]
    luck = luck_of_review(deal.match_id)
    return ReviewRequest(game.info.key, deal.options, deal.seats, log.opening, tuple(acts), luck, rollouts)


def measure_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chances are shown of all matches between people, whether these were measured or not."""
    monkeypatch.setattr(reviewing, "chances_of", lambda *_: Chances((0,), ({PERSON: Trust()},)))

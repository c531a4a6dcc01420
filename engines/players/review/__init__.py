"""What decided a match that is over, and hints in one that is being practised.

`request` has what a worker process gets and gives back, `reviewing` works a review out, `hints` a hint. `walk` goes
through a match and says what each seat knew, `ways` say what an act was worth to it, by game; `costs` and `curve` are
the two parts of a review, and `chances` make the curve true.
"""

from engines.players.review.chances import PERSON
from engines.players.review.hints import Hint, hint
from engines.players.review.request import CostlyAct, LoggedAct, Measure, Point, Review, ReviewRequest, luck_of_review
from engines.players.review.reviewing import NotOverError, is_reviewed, review

__all__ = [
    "PERSON",
    "CostlyAct",
    "Hint",
    "LoggedAct",
    "Measure",
    "NotOverError",
    "Point",
    "Review",
    "ReviewRequest",
    "hint",
    "is_reviewed",
    "luck_of_review",
    "review",
]

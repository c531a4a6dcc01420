"""The computer player of CIQ.

`memory` is what a seat remembers, `sequences` finds rows of cards to attack with, `candidates` which acts are worth
trying, `rules_of_thumb` the levels *easy* and *normal*, `look_ahead` the level *hard*.
"""

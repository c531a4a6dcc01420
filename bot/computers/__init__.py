"""Answers for computer players: worker processes that think, and an answer without one when there is no time."""

"""Puts the unfinished matches of an earlier process in play again, while people already play."""

"""Commands and presses about standings: leaderboards, and why a rating changed."""

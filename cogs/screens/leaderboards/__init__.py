"""What a leaderboard looks like, and the ids of its buttons."""

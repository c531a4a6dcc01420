"""Leaderboards: their lines and how many there are in each interval of scores are kept, and read by key."""

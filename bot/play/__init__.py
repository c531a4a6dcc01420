"""Matches and invitations while they are open: moves, clocks, limits, venues."""

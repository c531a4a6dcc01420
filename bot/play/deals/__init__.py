"""Deals: sealed with an invitation, salted by its players, proven after the match."""

"""Somebody to play with: `/play`, and who is notified when a table opens."""

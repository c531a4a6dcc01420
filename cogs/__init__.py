"""Cardroom in Discord: commands, presses, and how matches look as messages."""

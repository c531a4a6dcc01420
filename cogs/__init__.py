"""Cardroom in Discord: its commands, its presses, and what matches look like as messages."""

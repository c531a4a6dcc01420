"""Tests of the sandbox: the real discord.py on it, and plain requests where discord.py is too polite."""

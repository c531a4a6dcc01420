"""Matches without Discord: the parts of `bot.play` on a real store, with a clock that a test moves."""

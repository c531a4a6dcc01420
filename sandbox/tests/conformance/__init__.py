"""Proof that the sandbox is like Discord: its published description, other bots, another library."""

"""Edits of public messages through the tokens of the interactions that made or updated them."""

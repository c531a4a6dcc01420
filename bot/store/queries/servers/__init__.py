"""Servers: which are known, what is set in them, how long something was observed, and who serves which."""

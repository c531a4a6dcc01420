"""Servers: which are known, what is set in them, and how long something in them has been observed."""

"""Finished matches: a person's list of them (`/history`), and each step by step (`/replay`)."""

"""The store in memory, for tests: the same promises as the SQLite store, without a file.

Its data are dicts of immutable rows. A write works on a copy of the dicts, which takes the place of the old ones only
when the write has succeeded. So a write is done completely or not at all, wherever it fails.
"""

"""Rows and SQL by subject. A query is a plain function that runs in the database's thread, a whole piece of work.

The statements are for SQLite and PostgreSQL alike; `bot.store.queries.database` says in which dialect. In rows, times
are integer milliseconds since 1970 in UTC, ids of Discord are integers, `options`, `action` and `events` are JSON texts
that the store does not read (`bot.store.codec` writes them).
"""

"""SQL by subject: plain functions that run in the database's thread, each one whole piece of work.

The statements are for SQLite and PostgreSQL alike; `bot.store.queries.connection` says in which dialect.
"""

"""Several processes that are one bot: their database on a PostgreSQL server, and the shards that each holds.

The database needs psycopg, which comes with the extra `cardroom[postgresql]`. Only the wiring imports this package.
"""

"""The store in a PostgreSQL database, which several processes may share.

It needs psycopg, which comes with the extra `cardroom[postgresql]`.
"""

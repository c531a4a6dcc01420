"""The store on a database that is asked in SQL: its methods by subject, and what is done in slices.

Long lists are read by page (`lists`), and rows deleted a few at a time (`deleting`), because one piece of work should
not keep others from the database for long. What differs between databases is behind `bot.store.queries.database.Database`.
"""

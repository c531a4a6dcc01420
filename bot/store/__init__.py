"""Everything the bot stores.

`queries` has the rows and what is done with them, `store` binds it to a database, `errors` says what is raised.
`sqlite` is the database in one file. `codec` turns the events of a log into text and back.
"""

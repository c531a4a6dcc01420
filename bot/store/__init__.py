"""Everything the bot stores.

`protocols` says what a store does, `rows` which values it reads and writes, `errors` what it raises. `sqlite` is the
store of the running bot, `memory` the one for tests. `codec` turns the events of a log into text and back.
"""

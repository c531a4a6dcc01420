"""What every bot makes once, at its start: the sentences of all languages, and what the tables should look like.

A fork server imports this module, so that the programs it forks have all of it. They start in half the time.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing

from bot.gateway.announced_commands import languages_by_locale
from bot.store.migrations import migrations
from bot.store.sqlite.schema import has_altered_schema

for words in languages_by_locale().values():  # with English, which the others are read beside
    assert words.from_right_to_left in (False, True)
with closing(sqlite3.connect(":memory:")) as _nothing:
    assert has_altered_schema(_nothing, migrations())

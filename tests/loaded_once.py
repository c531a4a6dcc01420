"""What every bot makes once, at its start: the sentences, and what the tables should look like.

A fork server imports this module, so that the programs it forks have all of it. They start in half the time.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing

from bot.store.migrations import migrations
from bot.store.sqlite.schema import has_altered_schema
from bot.ui.catalogue import translations

translations("en")
with closing(sqlite3.connect(":memory:")) as _nothing:
    assert has_altered_schema(_nothing, migrations())

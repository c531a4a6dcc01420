-- What the moderators of a server have set there, as texts by name (bot/play/server_settings.py says which there are). A
-- setting without a row has its default.

CREATE TABLE server_settings (
    guild_id INTEGER NOT NULL,
    name     TEXT NOT NULL,
    value    TEXT NOT NULL,
    PRIMARY KEY (guild_id, name)
) STRICT, WITHOUT ROWID;

-- Who changed what, when (ms UTC), from what to what. `number` counts the changes of a server; the latest hundred are kept.
-- `user_id` is a random negative number once its person was deleted.

CREATE TABLE setting_changes (
    guild_id INTEGER NOT NULL,
    number   INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    name     TEXT NOT NULL,
    former   TEXT NOT NULL,
    value    TEXT NOT NULL,
    PRIMARY KEY (guild_id, number)
) STRICT, WITHOUT ROWID;

-- The servers that were greeted when the bot joined them, and when (ms UTC): it greets once.

CREATE TABLE greetings (
    guild_id INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL
) STRICT;

-- Whether the match of an invitation gets a thread of its own.

ALTER TABLE invitations ADD COLUMN in_thread INTEGER NOT NULL DEFAULT 0 CHECK (in_thread IN (0, 1));

-- The servers that were greeted when the bot joined them, and when: it greets once.

CREATE TABLE greetings (
    guild_id INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL
) STRICT;

-- Who may not play in a server, until when; no moment means for good. A keyed hash stands for the person (bot.store.person_key), so that
-- nobody gets rid of this by deleting their data.

CREATE TABLE bars (
    guild_id INTEGER NOT NULL,
    person   BLOB NOT NULL CHECK (length(person) = 32),
    until    INTEGER,
    PRIMARY KEY (guild_id, person)
) STRICT, WITHOUT ROWID;

CREATE INDEX bars_until ON bars (until);

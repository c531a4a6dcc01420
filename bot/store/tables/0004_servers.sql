-- The servers that were greeted when the bot joined them, and when: it greets once.

CREATE TABLE greetings (
    guild_id INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL
) STRICT;

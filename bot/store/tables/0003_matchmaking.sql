-- Notices of tables that open (docs/players-and-hosts.md).

-- Who wants to know when a table of a game opens in a server. The key's order is that in which they are read, a few at a time.

CREATE TABLE table_subscriptions (
    guild_id INTEGER NOT NULL,
    game     TEXT NOT NULL,
    user_id  INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX table_subscriptions_by_user ON table_subscriptions (user_id, guild_id);

-- When somebody was last notified of a table, whatever the server: one notice an hour is the most.

CREATE TABLE table_notices (
    user_id INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL
) STRICT;

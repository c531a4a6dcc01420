-- One notice a day: who wants it in which servers, and what was sent. Who does is at the level 'dm' too, which a program that knows no
-- digests goes by.

CREATE TABLE digest_servers (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    PRIMARY KEY (guild_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX digest_servers_user ON digest_servers (user_id, guild_id);

-- A person's digest in all servers. Its message is in their direct messages. While one is being posted, `posting_at` says since when, and
-- `message_id` is that of the one before.

CREATE TABLE turn_digests (
    user_id    INTEGER PRIMARY KEY,
    hour       INTEGER NOT NULL CHECK (hour BETWEEN 0 AND 23),     -- of the day, in UTC
    due        INTEGER NOT NULL,                                   -- when the next is sent, ms UTC
    channel_id INTEGER,
    message_id INTEGER,
    posting_at INTEGER,
    refused    INTEGER NOT NULL DEFAULT 0 CHECK (refused IN (0, 1)) -- whether they took no direct message
) STRICT;

CREATE INDEX turn_digests_due ON turn_digests (due);

-- When somebody was last notified in slow matches, and of which question.

CREATE TABLE last_pings (
    user_id  INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    match_id TEXT NOT NULL,
    question INTEGER NOT NULL
) STRICT;

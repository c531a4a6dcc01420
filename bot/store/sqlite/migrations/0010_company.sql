-- Computer players have ids below -2^62 (bot/store/computer_ids.py). The acts that they make name who made them: the level and
-- its version. Acts of people and of the clock name nobody.

ALTER TABLE records ADD COLUMN computer TEXT;

-- What becomes of a seat whose time has run out is a term of the match, as the clock is: ruling C-8.
ALTER TABLE invitations ADD COLUMN stand_in TEXT NOT NULL DEFAULT 'off' CHECK (stand_in IN ('off', 'unrated', 'rated'));
ALTER TABLE matches ADD COLUMN stand_in TEXT NOT NULL DEFAULT 'off' CHECK (stand_in IN ('off', 'unrated', 'rated'));

-- Whether the match of a table begins as soon as enough people sit there, without its host: the queue of /play.

ALTER TABLE invitations ADD COLUMN auto_start INTEGER NOT NULL DEFAULT 0 CHECK (auto_start IN (0, 1));

-- Who wants to know when a table of a game opens in a server. The key's order is that in which they are read, a few at a time.

CREATE TABLE table_subscriptions (
    guild_id INTEGER NOT NULL,
    game     TEXT NOT NULL,
    user_id  INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX table_subscriptions_by_user ON table_subscriptions (user_id, guild_id);

-- When somebody was last notified of a table (ms UTC), whatever the server: one notice an hour is the most.

CREATE TABLE table_notices (
    user_id INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL
) STRICT;

-- The earlier match from which a match was begun (Try it differently): its id, how many of its first facts are the opening, and the
-- SHA-256 of the opening as the log has it. Null for a match that began with a deal of its own.
ALTER TABLE invitations ADD COLUMN origin_id TEXT;
ALTER TABLE invitations ADD COLUMN origin_facts INTEGER CHECK (origin_facts >= 1);
ALTER TABLE invitations ADD COLUMN origin_digest BLOB
    CHECK (length(origin_digest) = 32)
    CHECK ((origin_id IS NULL) = (origin_digest IS NULL) AND (origin_id IS NULL) = (origin_facts IS NULL));

ALTER TABLE matches ADD COLUMN origin_id TEXT;
ALTER TABLE matches ADD COLUMN origin_facts INTEGER CHECK (origin_facts >= 1);
ALTER TABLE matches ADD COLUMN origin_digest BLOB
    CHECK (length(origin_digest) = 32)
    CHECK ((origin_id IS NULL) = (origin_digest IS NULL) AND (origin_id IS NULL) = (origin_facts IS NULL));

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

-- The deals of the day (docs/daily.md): one for each server, game and day, sealed when somebody first asks for it. `day` counts
-- the days since 1970, UTC. Deals are kept for ever, because each was played by several people.

CREATE TABLE daily_deals (
    guild_id       INTEGER NOT NULL,
    game           TEXT NOT NULL,
    day            INTEGER NOT NULL,
    level          TEXT NOT NULL,     -- of the computers
    rules_version  INTEGER NOT NULL,
    options        TEXT NOT NULL,
    deal_version   INTEGER NOT NULL,
    deal_id        TEXT NOT NULL,
    sealed_options TEXT NOT NULL,
    seed           BLOB NOT NULL,
    commitment     BLOB NOT NULL,
    sealed_at      INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, day)
) STRICT, WITHOUT ROWID;

-- Who has tried a deal of the day, in which match: once each. `shown` says whether the channel's message shows how it ended.
-- `user_id` is a random negative number once its person was deleted.

CREATE TABLE daily_attempts (
    match_id TEXT PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
    guild_id INTEGER NOT NULL,
    game     TEXT NOT NULL,
    day      INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    shown    INTEGER NOT NULL DEFAULT 0 CHECK (shown IN (0, 1)),
    UNIQUE (guild_id, game, user_id, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX daily_attempts_day ON daily_attempts (guild_id, day);
CREATE INDEX daily_attempts_user ON daily_attempts (user_id, guild_id);
CREATE INDEX daily_attempts_unshown ON daily_attempts (day) WHERE shown = 0;

-- The one message a channel and day that says how people have done. It is recorded before it is posted; until then it has no id.

CREATE TABLE daily_messages (
    guild_id   INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    day        INTEGER NOT NULL,
    message_id INTEGER,
    posted_at  INTEGER NOT NULL,
    PRIMARY KEY (guild_id, channel_id, day)
) STRICT, WITHOUT ROWID;

-- The day whose deal a match tries; null in every other match.

ALTER TABLE matches ADD COLUMN day INTEGER;

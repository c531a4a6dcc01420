-- Deals of the day (docs/players-and-hosts.md).

-- One for each server, game and day, sealed when somebody first asks for it. They are kept for ever, because each was played by
-- several people.

CREATE TABLE daily_deals (
    guild_id       INTEGER NOT NULL,
    game           TEXT NOT NULL,
    day            INTEGER NOT NULL,
    level          TEXT NOT NULL,      -- of the computers
    rules_version  INTEGER NOT NULL,
    options        TEXT NOT NULL,
    deal_version   INTEGER NOT NULL,
    deal_id        TEXT NOT NULL,
    sealed_options TEXT NOT NULL,
    seed           BLOB NOT NULL,
    commitment     BLOB NOT NULL,
    sealed_at      INTEGER NOT NULL,
    root           BLOB NOT NULL,      -- what the seeds are derived from that were tried
    nth            INTEGER NOT NULL,   -- which of them was chosen
    worth          INTEGER NOT NULL,   -- to a decent player, in thousandths of a win
    program        TEXT NOT NULL,      -- the name of what tried them
    PRIMARY KEY (guild_id, game, day)
) STRICT, WITHOUT ROWID;

-- Who has tried one, in which match: once each. `shown` says whether the channel's message shows how it ended.

CREATE TABLE daily_attempts (
    match_id TEXT PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
    guild_id INTEGER NOT NULL,
    game     TEXT NOT NULL,
    day      INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,  -- replaced
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

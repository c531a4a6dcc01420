-- Deals of the week, the same in all servers (docs/players-and-hosts.md). `day` is the last of the week, in UTC.

-- One for each game and week, sealed when somebody first asks for it. They are kept for ever, because each was played by many.

CREATE TABLE weekly_deals (
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
    PRIMARY KEY (game, day)
) STRICT, WITHOUT ROWID;

-- Who has tried one, in which server and match: once each in all servers. `counts` says whether it counts for the server.

CREATE TABLE weekly_attempts (
    match_id TEXT PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
    guild_id INTEGER NOT NULL,
    game     TEXT NOT NULL,
    day      INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    counts   INTEGER NOT NULL CHECK (counts IN (0, 1)),
    UNIQUE (game, user_id, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX weekly_attempts_deal ON weekly_attempts (game, day, guild_id);
CREATE INDEX weekly_attempts_user ON weekly_attempts (user_id, guild_id);

-- What a server was called when somebody there last began to play one.

CREATE TABLE weekly_servers (
    guild_id INTEGER PRIMARY KEY,
    name     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

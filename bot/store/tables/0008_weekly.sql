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

-- Who has tried one, in which server and match: once each in all servers. `counts` says whether it counts for the server. What it was
-- worth is written soon after its match is over, and worked out from how that ended.

CREATE TABLE weekly_attempts (
    match_id TEXT PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
    guild_id INTEGER NOT NULL,
    game     TEXT NOT NULL,
    day      INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,  -- replaced
    counts   INTEGER NOT NULL CHECK (counts IN (0, 1)),
    points   INTEGER,  -- NULL until they are written
    UNIQUE (game, user_id, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX weekly_attempts_best ON weekly_attempts (game, day, guild_id, points, match_id) WHERE counts = 1;
CREATE INDEX weekly_attempts_unscored ON weekly_attempts (game, day, match_id) WHERE points IS NULL;
CREATE INDEX weekly_attempts_user ON weekly_attempts (user_id, guild_id);

-- What each server has made of one: the mean of its best five points that count. It is written with the points. Whether a server is in
-- the table is a setting, which is asked for when somebody looks.

CREATE TABLE weekly_scores (
    guild_id INTEGER NOT NULL,
    game     TEXT NOT NULL,
    day      INTEGER NOT NULL,
    score    INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX weekly_scores_best ON weekly_scores (game, day, score, guild_id);

-- What a server was called when somebody there last began to play one.

CREATE TABLE weekly_servers (
    guild_id INTEGER PRIMARY KEY,
    name     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

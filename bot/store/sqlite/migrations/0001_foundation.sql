-- Invitations, matches and their logs, timers, standings.
-- Ids of Discord and times (milliseconds since 1970, UTC) are integers. Every row that belongs to a server names it.

CREATE TABLE invitations (
    id         TEXT PRIMARY KEY,
    guild_id   INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER,
    game       TEXT NOT NULL,
    options    TEXT NOT NULL,
    clock      TEXT NOT NULL,
    host_id    INTEGER NOT NULL,
    invited    TEXT NOT NULL,  -- user ids, a JSON array
    seated     TEXT NOT NULL,  -- user ids in the order of the seats, a JSON array
    seed       BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('challenge', 'table')),
    private    INTEGER NOT NULL CHECK (private IN (0, 1)),
    places     TEXT NOT NULL,  -- user ids in the order of the seats they will have, a JSON array; empty: as seated
    state      TEXT NOT NULL DEFAULT 'open'
               CHECK (state IN ('open', 'accepted', 'declined', 'cancelled', 'expired')),
    closed_at  INTEGER,
    CHECK ((state = 'open') = (closed_at IS NULL))
) STRICT;

CREATE INDEX invitations_open ON invitations (expires_at) WHERE state = 'open';
CREATE INDEX invitations_guild ON invitations (guild_id);

CREATE TABLE matches (
    id            TEXT PRIMARY KEY REFERENCES invitations (id),
    guild_id      INTEGER NOT NULL,
    channel_id    INTEGER NOT NULL,
    board_id      INTEGER,
    board_at      INTEGER,
    game          TEXT NOT NULL,
    rules_version INTEGER NOT NULL,
    options       TEXT NOT NULL,
    clock         TEXT NOT NULL,
    seed          BLOB NOT NULL,
    opened_at     INTEGER NOT NULL,
    paused        INTEGER,            -- the number of the error that paused it
    live          INTEGER NOT NULL DEFAULT 1 CHECK (live IN (0, 1))
) STRICT;

CREATE INDEX matches_live ON matches (opened_at) WHERE live = 1;
CREATE INDEX matches_guild ON matches (guild_id, game);

CREATE TABLE seats (
    match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat     INTEGER NOT NULL CHECK (seat >= 0),
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    rank     INTEGER CHECK (rank >= 1),  -- null while the match is live, and when it was called off
    agreed   INTEGER NOT NULL DEFAULT 0 CHECK (agreed IN (0, 1)),  -- to call the match off
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_user ON seats (user_id, guild_id);

-- The log. Nothing in it is ever changed; the primary key is the optimistic lock.
CREATE TABLE records (
    match_id       TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seq            INTEGER NOT NULL CHECK (seq >= 0),
    guild_id       INTEGER NOT NULL,
    interaction_id INTEGER UNIQUE,
    actor          INTEGER,
    action         TEXT,
    events         TEXT NOT NULL,
    at             INTEGER NOT NULL,
    PRIMARY KEY (match_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER records_are_never_changed BEFORE UPDATE ON records
BEGIN
    SELECT raise(ABORT, 'a record is never changed');
END;

CREATE TABLE timers (
    match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    name     TEXT NOT NULL,
    key      TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    PRIMARY KEY (match_id, name, key)
) STRICT, WITHOUT ROWID;

-- `number` is the order in which results were applied to the standings: ratings can be computed anew from it.
CREATE TABLE results (
    number         INTEGER PRIMARY KEY,
    match_id       TEXT NOT NULL UNIQUE REFERENCES matches (id) ON DELETE CASCADE,
    guild_id       INTEGER NOT NULL,
    game           TEXT NOT NULL,
    interaction_id INTEGER UNIQUE,  -- of the press that called it off
    kind           TEXT NOT NULL,
    ended_at       INTEGER NOT NULL,
    counted        INTEGER NOT NULL CHECK (counted IN (0, 1))
) STRICT;

CREATE INDEX results_guild ON results (guild_id, game, number);
CREATE INDEX results_ended ON results (ended_at);

CREATE TABLE standings (
    guild_id INTEGER NOT NULL,
    game     TEXT NOT NULL,
    user_id  INTEGER NOT NULL,
    mu       REAL NOT NULL,
    sigma    REAL NOT NULL,
    ordinal  REAL NOT NULL,  -- as bot.ratings has it: what leaderboards are ordered by
    wins     INTEGER NOT NULL,
    losses   INTEGER NOT NULL,
    draws    INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX standings_order ON standings (guild_id, game, ordinal DESC, user_id);

CREATE TABLE notices (
    match_id   TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat       INTEGER NOT NULL,
    guild_id   INTEGER NOT NULL,
    user_id    INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;

-- What people are called in a server, as they wrote it.
CREATE TABLE names (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    name     TEXT NOT NULL,
    PRIMARY KEY (guild_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE heartbeat (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    at   INTEGER NOT NULL
) STRICT;

CREATE TABLE facts (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

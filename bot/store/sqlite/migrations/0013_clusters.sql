-- Processes that share the data: who holds which shards (bot/store/protocols/clusters.py).

-- A process that holds shards. Its row goes when another process takes one of them, and with it everything that it held. `fence`
-- counts the claims, so a later owner of a shard has a higher one. `until_at` is when its lease runs out (ms UTC).

CREATE TABLE shard_owners (
    owner    TEXT PRIMARY KEY,
    fence    INTEGER NOT NULL,
    until_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- All shards, of the number that was claimed last. `beat_at` is when the bot was last known to be up on a shard (ms UTC). A bot
-- that serves all servers goes by the table `heartbeat`, and has one row here, for the only shard of one.

CREATE TABLE shard_leases (
    total   INTEGER NOT NULL CHECK (total >= 1),
    shard   INTEGER NOT NULL CHECK (shard >= 0 AND shard < total),
    owner   TEXT,
    beat_at INTEGER,
    PRIMARY KEY (total, shard)
) STRICT, WITHOUT ROWID;

-- How many claims there were. Each claim changes this row first, so claims come one after the other.

CREATE TABLE shard_claims (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL
) STRICT;

-- Jobs that one process does for the whole bot.

CREATE TABLE job_leases (
    job      TEXT PRIMARY KEY,
    owner    TEXT NOT NULL,
    until_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- When the next turn of a name may begin (ms UTC): connections to the gateway and new sessions keep a distance.

CREATE TABLE turns (
    name    TEXT PRIMARY KEY,
    next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

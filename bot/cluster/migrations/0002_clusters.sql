-- Processes that share the data: who holds which shards. bot/store/sqlite/migrations/0013_clusters.sql says what each column is.

CREATE TABLE shard_owners (
    owner    text COLLATE "C" PRIMARY KEY,
    fence    bigint NOT NULL,
    until_at bigint NOT NULL
) WITH (fillfactor = 20);

CREATE TABLE shard_leases (
    total   bigint NOT NULL CHECK (total >= 1),
    shard   bigint NOT NULL CHECK (shard >= 0 AND shard < total),
    owner   text COLLATE "C",
    beat_at bigint,
    PRIMARY KEY (total, shard)
);

CREATE TABLE shard_claims (
    id     bigint PRIMARY KEY CHECK (id = 1),
    number bigint NOT NULL
);

CREATE TABLE job_leases (
    job      text COLLATE "C" PRIMARY KEY,
    owner    text COLLATE "C" NOT NULL,
    until_at bigint NOT NULL
);

CREATE TABLE turns (
    name    text COLLATE "C" PRIMARY KEY,
    next_at bigint NOT NULL
);

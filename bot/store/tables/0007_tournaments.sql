-- Tournaments (docs/players-and-hosts.md): their terms and how far they are. Times are in ms UTC.

CREATE TABLE tournaments (
    guild_id   INTEGER NOT NULL,
    id         TEXT NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER,                -- of its one public message
    game       TEXT NOT NULL,
    options    TEXT NOT NULL,
    clock      TEXT NOT NULL,
    format     TEXT NOT NULL,
    rounds     INTEGER NOT NULL,       -- 0: as many as it takes
    most       INTEGER NOT NULL,
    legs       INTEGER NOT NULL CHECK (legs IN (1, 2)),
    same_deal  INTEGER NOT NULL CHECK (same_deal IN (0, 1)),
    scoring    TEXT NOT NULL,
    rated      INTEGER NOT NULL CHECK (rated IN (0, 1)),
    check_in   INTEGER NOT NULL CHECK (check_in IN (0, 1)),
    every      INTEGER NOT NULL,       -- seconds from the start of a round to that of the next
    created_at INTEGER NOT NULL,
    closes_at  INTEGER NOT NULL,
    teams      INTEGER NOT NULL CHECK (teams IN (0, 1)),
    lasts      INTEGER NOT NULL,       -- minutes of an arena
    seats      INTEGER NOT NULL,       -- at a table
    state      TEXT NOT NULL,
    hold       TEXT,
    held_at    INTEGER,                -- since when it is on hold
    round      INTEGER NOT NULL,
    due_at     INTEGER,
    began_at   INTEGER,
    ended_at   INTEGER,
    event_id   INTEGER,                -- in the server's calendar; 0: it is lost
    PRIMARY KEY (guild_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX tournaments_ended ON tournaments (ended_at);
CREATE INDEX tournaments_unfinished ON tournaments (guild_id, id) WHERE ended_at IS NULL;
CREATE INDEX tournaments_over ON tournaments (guild_id, ended_at) WHERE ended_at IS NOT NULL;

-- Who began one. It has no host any more once they had their data deleted.

CREATE TABLE tournament_hosts (
    guild_id      INTEGER NOT NULL,
    tournament_id TEXT NOT NULL,
    user_id       INTEGER NOT NULL,
    PRIMARY KEY (guild_id, tournament_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX tournament_hosts_user ON tournament_hosts (user_id, guild_id);

-- Who is in one, by numbers in the order of joining. All else names them by their numbers.

CREATE TABLE tournament_entrants (
    guild_id      INTEGER NOT NULL,
    tournament_id TEXT NOT NULL,
    number        INTEGER NOT NULL,
    user_id       INTEGER NOT NULL,  -- replaced
    joined_at     INTEGER NOT NULL,
    checked_in    INTEGER NOT NULL CHECK (checked_in IN (0, 1)),
    seed          INTEGER NOT NULL,    -- 0 while people join
    joined        INTEGER NOT NULL,    -- their first round
    absent        TEXT NOT NULL,       -- a JSON array of rounds
    left_after    INTEGER,             -- a round
    team          INTEGER,             -- the number that both of a team have, once it has begun
    PRIMARY KEY (guild_id, tournament_id, number),
    UNIQUE (guild_id, tournament_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX tournament_entrants_user ON tournament_entrants (user_id, guild_id);

-- Whom entrants ask to be their partner while people join. Two who ask each other are a team.

CREATE TABLE tournament_asks (
    guild_id      INTEGER NOT NULL,
    tournament_id TEXT NOT NULL,
    number        INTEGER NOT NULL,    -- the entrant who asks
    user_id       INTEGER NOT NULL,    -- who is asked
    PRIMARY KEY (guild_id, tournament_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX tournament_asks_user ON tournament_asks (user_id, guild_id);

CREATE TABLE tournament_rounds (
    guild_id      INTEGER NOT NULL,
    tournament_id TEXT NOT NULL,
    number        INTEGER NOT NULL,
    began_at      INTEGER NOT NULL,
    ended_at      INTEGER,
    PRIMARY KEY (guild_id, tournament_id, number)
) STRICT, WITHOUT ROWID;

-- The sealed deals of a round, secret until it is over. `pairing` is 0 for one that all pairings play; `nth` is the leg of a pairing
-- that is played with it.

CREATE TABLE tournament_deals (
    guild_id       INTEGER NOT NULL,
    tournament_id  TEXT NOT NULL,
    round          INTEGER NOT NULL,
    pairing        INTEGER NOT NULL,
    nth            INTEGER NOT NULL,
    deal_version   INTEGER NOT NULL,
    deal_id        TEXT NOT NULL,
    rules_version  INTEGER NOT NULL,
    sealed_options TEXT NOT NULL,
    seed           BLOB NOT NULL,
    commitment     BLOB NOT NULL,
    PRIMARY KEY (guild_id, tournament_id, round, pairing, nth)
) STRICT, WITHOUT ROWID;

-- Who meets whom in a round, and how that ended. What all got is a JSON array of half points for each opponent, where it isn't what
-- their matches gave.

CREATE TABLE tournament_pairings (
    guild_id      INTEGER NOT NULL,
    tournament_id TEXT NOT NULL,
    round         INTEGER NOT NULL,
    number        INTEGER NOT NULL,
    people        TEXT NOT NULL,       -- a JSON array of the numbers of entrants; one in a bye
    how           TEXT,
    got           TEXT,
    ended_at      INTEGER,
    PRIMARY KEY (guild_id, tournament_id, round, number)
) STRICT, WITHOUT ROWID;

-- The matches of pairings, and what each gave to the pairing's people.

CREATE TABLE tournament_legs (
    guild_id      INTEGER NOT NULL,
    tournament_id TEXT NOT NULL,
    round         INTEGER NOT NULL,
    pairing       INTEGER NOT NULL,
    leg           INTEGER NOT NULL,
    match_id      TEXT NOT NULL UNIQUE REFERENCES matches (id) ON DELETE CASCADE,
    deal_id       TEXT NOT NULL,
    began_at      INTEGER NOT NULL,
    got           TEXT,
    PRIMARY KEY (guild_id, tournament_id, round, pairing, leg)
) STRICT, WITHOUT ROWID;

-- Who has corrected a result, when, and what all got by it.

CREATE TABLE tournament_corrections (
    guild_id      INTEGER NOT NULL,
    tournament_id TEXT NOT NULL,
    round         INTEGER NOT NULL,
    pairing       INTEGER NOT NULL,
    nth           INTEGER NOT NULL,
    at            INTEGER NOT NULL,
    user_id       INTEGER NOT NULL,
    got           TEXT NOT NULL,
    PRIMARY KEY (guild_id, tournament_id, round, pairing, nth)
) STRICT, WITHOUT ROWID;

CREATE INDEX tournament_corrections_user ON tournament_corrections (user_id, guild_id);

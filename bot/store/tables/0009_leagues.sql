-- Leagues (docs/players-and-hosts.md): their terms and how far they are. Times are in ms UTC.

CREATE TABLE leagues (
    guild_id   INTEGER NOT NULL,
    id         TEXT NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER,                -- of its one public message
    game       TEXT NOT NULL,
    options    TEXT NOT NULL,
    clock      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    season     INTEGER NOT NULL,       -- the latest that began
    weeks      INTEGER NOT NULL,       -- of this season
    week       INTEGER NOT NULL,       -- 0 between seasons; one more than there are while the last matches are played
    due_at     INTEGER,                -- when the week ends
    reminded   INTEGER NOT NULL,       -- the latest week of which people were reminded
    changed_at INTEGER NOT NULL,       -- when the week began, or the season ended
    ended_at   INTEGER,
    PRIMARY KEY (guild_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX leagues_unfinished ON leagues (guild_id, id) WHERE ended_at IS NULL;

-- Who began one. It has no host any more once they had their data deleted.

CREATE TABLE league_hosts (
    guild_id  INTEGER NOT NULL,
    league_id TEXT NOT NULL,
    user_id   INTEGER NOT NULL,
    PRIMARY KEY (guild_id, league_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX league_hosts_user ON league_hosts (user_id, guild_id);

-- Who is in one now. Who has no place in the season is a substitute.

CREATE TABLE league_members (
    guild_id  INTEGER NOT NULL,
    league_id TEXT NOT NULL,
    user_id   INTEGER NOT NULL,
    joined_at INTEGER NOT NULL,
    PRIMARY KEY (guild_id, league_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX league_members_user ON league_members (user_id, guild_id);

-- The places of a season, numbered from the strongest, and who has each now, or had it last.

CREATE TABLE league_places (
    guild_id   INTEGER NOT NULL,
    league_id  TEXT NOT NULL,
    season     INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    division   INTEGER NOT NULL,
    user_id    INTEGER NOT NULL,  -- replaced
    substitute INTEGER NOT NULL CHECK (substitute IN (0, 1)),
    PRIMARY KEY (guild_id, league_id, season, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX league_places_user ON league_places (user_id, guild_id);

-- Which places meet in a week, and how that ended, in half points.

CREATE TABLE league_pairings (
    guild_id   INTEGER NOT NULL,
    league_id  TEXT NOT NULL,
    season     INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    week       INTEGER NOT NULL,
    division   INTEGER NOT NULL,
    first      INTEGER NOT NULL,
    second     INTEGER NOT NULL,
    how        TEXT,
    first_got  INTEGER,
    second_got INTEGER,
    PRIMARY KEY (guild_id, league_id, season, number)
) STRICT, WITHOUT ROWID;

-- The challenges of pairings. `id` is that of the invitation, and of its match. It is written before the invitation.

CREATE TABLE league_offers (
    guild_id  INTEGER NOT NULL,
    league_id TEXT NOT NULL,
    season    INTEGER NOT NULL,
    pairing   INTEGER NOT NULL,
    id        TEXT NOT NULL,
    by_place  INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (guild_id, league_id, season, pairing, id)
) STRICT, WITHOUT ROWID;

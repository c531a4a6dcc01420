-- The tables of the core, by subject: invitations, matches, results and ratings, leaderboards, people, servers, messages on Discord,
-- and the bot itself. Those of a room are in a step of its own (docs/rooms.md). Both databases are made from these texts
-- (bot/store/migrations.py); what PostgreSQL has beside them is in bot/cluster/tables. How they may change: docs/changing-rules.md.
--
-- Ids of Discord are integers, and so are times (milliseconds since 1970, UTC), days (since 1970, UTC), and 0 and 1 for no and yes.
-- Every row that belongs to a server names it (guild_id), so that a purge finds it by an index. A user_id below -2^62 is a computer
-- player (bot/store/special_ids.py); another negative one is a random number in place of a person who was deleted. Rows that follow
-- from other rows say so, and why they are kept all the same.


-- Invitations ----------------------------------------------------------------------------------------------------------------------

-- Challenges and tables (kind), open and closed. Every match comes from one and has its id.

CREATE TABLE invitations (
    id                 TEXT PRIMARY KEY,
    guild_id           INTEGER NOT NULL,
    channel_id         INTEGER NOT NULL,
    message_id         INTEGER,            -- null until it is posted
    game               TEXT NOT NULL,
    options            TEXT NOT NULL,
    clock              TEXT NOT NULL,
    host_id            INTEGER NOT NULL,
    invited            TEXT NOT NULL,      -- user ids, a JSON array
    seated             TEXT NOT NULL,      -- user ids in the order in which they sat down, a JSON array
    seed               BLOB NOT NULL,
    created_at         INTEGER NOT NULL,
    expires_at         INTEGER NOT NULL,
    kind               TEXT NOT NULL CHECK (kind IN ('challenge', 'table')),
    private            INTEGER NOT NULL CHECK (private IN (0, 1)),
    places             TEXT NOT NULL,      -- user ids in the order of the seats they will have, a JSON array; empty: as seated
    state              TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'declined', 'cancelled', 'expired')),
    closed_at          INTEGER,
    -- The deal (engines/deals.py). Its commitment, the seal, is kept as it was shown: it binds game, rules, options, the deal's id,
    -- stand-in, clock and series.
    commitment         BLOB NOT NULL DEFAULT x'',
    deal_version       INTEGER NOT NULL CHECK (deal_version >= 1),
    deal_id            TEXT NOT NULL DEFAULT '',
    rules_version      INTEGER,
    sealed_options     TEXT NOT NULL DEFAULT '',    -- all fields of the options as JSON, sorted and without spaces, as in the seal
    salts              TEXT NOT NULL DEFAULT '[]',  -- [[user, salt], ...] in the order in which they were added
    -- Terms of the match, as its clock is.
    in_thread          INTEGER NOT NULL DEFAULT 0 CHECK (in_thread IN (0, 1)),  -- whether it gets a thread of its own
    stand_in           TEXT NOT NULL DEFAULT 'off' CHECK (stand_in IN ('off', 'unrated', 'rated')),  -- ruling C-8
    auto_start         INTEGER NOT NULL DEFAULT 0 CHECK (auto_start IN (0, 1)),  -- as soon as enough sit there: the queue of /play
    -- The earlier match from which it begins (Try it differently): its id, how many of its first facts are the opening, and the
    -- SHA-256 of the opening as the log has it. Null where the match begins with a deal of its own.
    origin_id          TEXT,
    origin_facts       INTEGER CHECK (origin_facts >= 1),
    origin_digest      BLOB
        CHECK (length(origin_digest) = 32)
        CHECK ((origin_id IS NULL) = (origin_digest IS NULL) AND (origin_id IS NULL) = (origin_facts IS NULL)),
    -- The series it belongs to (ruling C-9): the id of its first match, of how many it is the best, which match of it this is, and
    -- what the players had won before, by their seats in this match. Null in a single match.
    series_id          TEXT,
    series_best_of     INTEGER CHECK (series_best_of >= 3),
    series_number      INTEGER CHECK (series_number >= 1),
    series_first_wins  INTEGER CHECK (series_first_wins >= 0),
    series_first       INTEGER CHECK (series_first IN (0, 1)),  -- the seat that acts first; null where that is drawn
    series_second_wins INTEGER
        CHECK (series_second_wins >= 0)
        CHECK ((series_id IS NULL) = (coalesce(series_best_of, series_number, series_first_wins, series_second_wins) IS NULL)),
    reliable           INTEGER NOT NULL DEFAULT 0 CHECK (reliable IN (0, 1)),  -- takes only people who finish most matches, and new ones
    CHECK ((state = 'open') = (closed_at IS NULL))
) STRICT;

CREATE INDEX invitations_open ON invitations (expires_at) WHERE state = 'open';
-- Somebody who is named in an open invitation can't be deleted.
CREATE INDEX invitations_open_here ON invitations (guild_id) WHERE state = 'open';
CREATE INDEX invitations_guild ON invitations (guild_id);


-- Matches --------------------------------------------------------------------------------------------------------------------------

CREATE TABLE matches (
    id                 TEXT PRIMARY KEY REFERENCES invitations (id),
    guild_id           INTEGER NOT NULL,
    channel_id         INTEGER NOT NULL,   -- where it is played, maybe a thread
    board_id           INTEGER,            -- its message there
    board_at           INTEGER,
    game               TEXT NOT NULL,
    rules_version      INTEGER NOT NULL,   -- those it is played by; an upgrade of the rules may raise it
    options            TEXT NOT NULL,
    clock              TEXT NOT NULL,
    seed               BLOB NOT NULL,
    opened_at          INTEGER NOT NULL,
    paused             INTEGER,            -- the number of the error that paused it
    live               INTEGER NOT NULL DEFAULT 1 CHECK (live IN (0, 1)),
    -- A live match whose place was lost rests: since when, how long the bot had looked on by then (table looks), and why. Meanwhile it
    -- has no timers.
    suspended_at       INTEGER,
    suspended_observed INTEGER NOT NULL DEFAULT 0,
    suspended_why      TEXT
        CHECK (suspended_why IN ('channel_gone', 'thread_closed', 'no_access', 'no_sending', 'removed', 'board_removed', 'gave_place', 'moderated')),
    -- How often and why it rested during one question, and what was left of its deadlines, as JSON:
    -- {"window": 7, "causes": ["thread_closed"], "left": [["turn", "7", 12000]]}
    lost_places        TEXT,
    -- Whose time ran out although they could not act, and why they could not, or in one of their first matches: then the match does
    -- not count.
    unrated_seat       INTEGER,
    unrated_why        TEXT CHECK (
        (unrated_why IS NULL) = (unrated_seat IS NULL)
        AND unrated_why IN ('gone', 'timed_out', 'hidden', 'no_thread_sending', 'unknown', 'first_match')
    ),
    -- As in its invitation, whose row may be deleted before this one's.
    commitment         BLOB NOT NULL DEFAULT x'',
    deal_version       INTEGER NOT NULL CHECK (deal_version >= 1),
    deal_id            TEXT NOT NULL DEFAULT '',
    sealed_options     TEXT NOT NULL DEFAULT '',
    stand_in           TEXT NOT NULL DEFAULT 'off' CHECK (stand_in IN ('off', 'unrated', 'rated')),
    origin_id          TEXT,
    origin_facts       INTEGER CHECK (origin_facts >= 1),
    origin_digest      BLOB
        CHECK (length(origin_digest) = 32)
        CHECK ((origin_id IS NULL) = (origin_digest IS NULL) AND (origin_id IS NULL) = (origin_facts IS NULL)),
    series_id          TEXT,
    series_best_of     INTEGER CHECK (series_best_of >= 3),
    series_number      INTEGER CHECK (series_number >= 1),
    series_first_wins  INTEGER CHECK (series_first_wins >= 0),
    series_first       INTEGER CHECK (series_first IN (0, 1)),  -- the seat that acts first; null where that is drawn
    series_second_wins INTEGER
        CHECK (series_second_wins >= 0)
        CHECK ((series_id IS NULL) = (coalesce(series_best_of, series_number, series_first_wins, series_second_wins) IS NULL)),
    day                INTEGER,            -- whose deal it tries; null in every other match
    -- Whether its person plays it in private messages, without a board and a clock: practice, and every deal of the day.
    alone              INTEGER NOT NULL DEFAULT 0 CHECK (alone IN (0, 1)) CHECK (day IS NULL OR alone = 1),
    -- Whether that person has it shown on a board all the same.
    on_board           INTEGER NOT NULL DEFAULT 0 CHECK (on_board IN (0, 1)) CHECK (on_board = 0 OR (alone = 1 AND day IS NULL)),
    -- What the board shows: a digest, and after how many acts the board was made that shows it. A start compares it with the board
    -- that it would paint, and paints only what differs. Other acts, or another message, make it worthless.
    board_mark         BLOB,
    board_mark_acts    INTEGER
) STRICT;

CREATE INDEX matches_live ON matches (opened_at) WHERE live = 1;
CREATE INDEX matches_guild ON matches (guild_id, game);
CREATE INDEX matches_by_deal ON matches (guild_id, deal_id) WHERE deal_id <> '';
-- No match of a series is played twice.
CREATE UNIQUE INDEX matches_by_series ON matches (series_id, series_number) WHERE series_id IS NOT NULL;
-- A daily look asks for all suspended matches.
CREATE INDEX matches_suspended ON matches (id) WHERE suspended_at IS NOT NULL;

-- `result_number` is that of the match's result, and null while the match is live. It follows from `results`, and is kept because lists
-- of a person's finished matches begin with the last one, and sorting those of somebody who has played 10,000 takes 60 ms.

CREATE TABLE seats (
    match_id       TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat           INTEGER NOT NULL CHECK (seat >= 0),
    guild_id       INTEGER NOT NULL,
    user_id        INTEGER NOT NULL,
    rank           INTEGER CHECK (rank >= 1),  -- null while the match is live, and when it was called off
    agreed         INTEGER NOT NULL DEFAULT 0 CHECK (agreed IN (0, 1)),  -- to call the match off
    salt_digest    BLOB CHECK (length(salt_digest) = 32),  -- the SHA-256 of the seat's salt; null for that of none
    salt           TEXT,                       -- null once its player was deleted
    private_replay INTEGER NOT NULL DEFAULT 0 CHECK (private_replay IN (0, 1)),  -- only players may open the replay (docs/players-and-hosts.md)
    result_number  INTEGER,
    unaware        INTEGER NOT NULL DEFAULT 0 CHECK (unaware IN (0, 1)),  -- never came: nothing is kept of their attendance
    newcomer       INTEGER NOT NULL DEFAULT 0 CHECK (newcomer IN (0, 1)),  -- it is one of their first matches of the game (ruling C-13)
    reads_until    INTEGER,                    -- until when their clock waits or waited because they read; null if they have not yet
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_user ON seats (user_id, guild_id, result_number);

-- How many matches of a game somebody has begun in all servers, up to those that are their first (ruling C-13). `person` is an HMAC of
-- the user, whose key is in a file elsewhere (bot/store/person_key.py). Deletions leave it, so that nobody gets new ones by one.

CREATE TABLE first_matches (
    person BLOB NOT NULL CHECK (length(person) = 32),
    game   TEXT NOT NULL,
    begun  INTEGER NOT NULL CHECK (begun >= 1),
    PRIMARY KEY (person, game)
) STRICT, WITHOUT ROWID;

-- The log. Nothing in it is ever changed, which a trigger sees to; the primary key is the optimistic lock. Each record is chained to
-- the one before it (bot/store/verification.py). Actions and events are text, for the chain hashes their bytes. `actor` is a seat, and
-- null for the clock; a computer's act names its level and version. A press is applied once: its interaction_id is unique. A record is
-- deleted only with its match, or once that has a packed log.

CREATE TABLE records (
    match_id       TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seq            INTEGER NOT NULL CHECK (seq >= 0),
    guild_id       INTEGER NOT NULL,
    interaction_id INTEGER UNIQUE,
    actor          INTEGER,
    action         TEXT,
    events         TEXT NOT NULL,
    at             INTEGER NOT NULL,
    chain          BLOB NOT NULL CHECK (length(chain) = 32),
    computer       TEXT,
    PRIMARY KEY (match_id, seq)
) STRICT, WITHOUT ROWID;

-- The logs of matches that ended a while ago, each in one row, which takes a tenth of the room (bot/store/packed_log.py says how it is
-- written). A finished match has records or a packed log, never both, and what is read of them is the same except for the interactions:
-- they can't come again. `acts` says how many acts were each seat's, as a JSON array.

CREATE TABLE packed_logs (
    match_id TEXT PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
    guild_id INTEGER NOT NULL,
    acts     TEXT NOT NULL,
    log      BLOB NOT NULL
) STRICT;

CREATE TABLE timers (
    match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    name     TEXT NOT NULL,
    key      TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    PRIMARY KEY (match_id, name, key)
) STRICT, WITHOUT ROWID;

-- Selections under way that are too long for a button's id, a seat's latest. Indexes into its own hand, and no card.

CREATE TABLE drafts (
    match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat     INTEGER NOT NULL CHECK (seat >= 0),
    guild_id INTEGER NOT NULL,
    "window" INTEGER NOT NULL,
    draft    TEXT NOT NULL,
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;


-- Results and what follows from them -----------------------------------------------------------------------------------------------

-- `number` is the order in which results were applied to the standings: ratings can be worked out again from it. `chain` is that of the
-- last record. `packed` is 1 once the log is packed.

CREATE TABLE results (
    number         INTEGER PRIMARY KEY,
    match_id       TEXT NOT NULL UNIQUE REFERENCES matches (id) ON DELETE CASCADE,
    guild_id       INTEGER NOT NULL,
    game           TEXT NOT NULL,
    interaction_id INTEGER UNIQUE,     -- of the press that called it off
    kind           TEXT NOT NULL,
    ended_at       INTEGER NOT NULL,
    counted        INTEGER NOT NULL CHECK (counted IN (0, 1)),
    chain          BLOB NOT NULL DEFAULT x'',
    packed         INTEGER NOT NULL DEFAULT 0 CHECK (packed IN (0, 1))
) STRICT;

CREATE INDEX results_guild ON results (guild_id, game, number);
CREATE INDEX results_ended ON results (ended_at);
-- What is still to be packed.
CREATE INDEX results_unpacked ON results (ended_at, match_id) WHERE packed = 0;

-- How people attended finished matches (bot/play/reliability): whether they stayed, how many questions they were asked, how many they
-- answered in time. The log says all this too, but a person's latest matches are read each time somebody is asked to sit with them:
-- the key's order makes that one short range. `cardroom rebuild-standings` works it out again.

CREATE TABLE attendances (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat     INTEGER NOT NULL CHECK (seat >= 0),
    began_at INTEGER NOT NULL,
    stay     TEXT NOT NULL CHECK (stay IN ('finished', 'left', 'out_of_time')),
    asked    INTEGER NOT NULL CHECK (asked >= 0),
    in_time  INTEGER NOT NULL CHECK (in_time BETWEEN 0 AND asked),
    PRIMARY KEY (guild_id, user_id, ended_at, match_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX attendances_by_match ON attendances (match_id);

-- Profiles: each person's counted results in the order in which they counted, and whom they met in them. All of it follows from
-- `results` and `seats`. It is kept because those are found by match, and a person with 10,000 matches would have to wait for them.
-- `outcome` is 1 for a win, 0 for a draw, -1 for a loss; `streak` is how many matches in a row were won up to this one, and `longest`
-- the most so far.

CREATE TABLE player_results (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    number   INTEGER NOT NULL,         -- of the result
    game     TEXT NOT NULL,
    outcome  INTEGER NOT NULL CHECK (outcome IN (-1, 0, 1)),
    streak   INTEGER NOT NULL CHECK (streak >= 0),
    longest  INTEGER NOT NULL CHECK (longest >= streak),
    PRIMARY KEY (guild_id, user_id, number)
) STRICT, WITHOUT ROWID;

-- `matches` are those in which both sat; wins, losses and draws those of the two alone, as `user_id` sees them. `first_number` is the
-- result of the first. They are kept by game: what two have won of each other is shown when a match of theirs ends, and to find their
-- matches took 17 ms.

CREATE TABLE opponents (
    guild_id     INTEGER NOT NULL,
    user_id      INTEGER NOT NULL,
    opponent_id  INTEGER NOT NULL,
    game         TEXT NOT NULL,
    first_number INTEGER NOT NULL,
    matches      INTEGER NOT NULL,
    wins         INTEGER NOT NULL,
    losses       INTEGER NOT NULL,
    draws        INTEGER NOT NULL,
    PRIMARY KEY (guild_id, user_id, opponent_id, game)
) STRICT, WITHOUT ROWID;

-- How far somebody's wins were searched for the first in which they had been far behind: the number of the last one that was looked at,
-- and the match if it was found. It follows from the logs, and is kept so that each is read once.

CREATE TABLE comeback_searches (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    searched INTEGER NOT NULL,
    found    TEXT,
    PRIMARY KEY (guild_id, user_id)
) STRICT, WITHOUT ROWID;


-- Standings and ratings (docs/how-we-count.md, bot/store/match_weights.py) --------------------------------------------------------------

-- `ordinal` is as bot.ratings has it. What a match weighs for somebody depends on how many people they have met, and what the leads over
-- them add up to (`ahead`), and theirs (`behind`). `peak` is the highest that `mu` less one sigma has been; `month_peak` and
-- `month_mu` are what it and `mu` were when the `month` of the last match began. `settled` says whether the rating counts as known, `returned` whether they began with what was retained of a deleted one.

CREATE TABLE standings (
    guild_id   INTEGER NOT NULL,
    game       TEXT NOT NULL,
    user_id    INTEGER NOT NULL,
    mu         REAL NOT NULL,
    sigma      REAL NOT NULL,
    ordinal    REAL NOT NULL,
    wins       INTEGER NOT NULL,
    losses     INTEGER NOT NULL,
    draws      INTEGER NOT NULL,
    opponents  INTEGER NOT NULL DEFAULT 0 CHECK (opponents >= 0),
    ahead      REAL NOT NULL DEFAULT 0 CHECK (ahead >= 0),
    behind     REAL NOT NULL DEFAULT 0 CHECK (behind >= 0),
    peak       REAL NOT NULL DEFAULT 0,
    month_peak REAL NOT NULL DEFAULT 0,
    month_mu   REAL NOT NULL DEFAULT 0,
    month      INTEGER NOT NULL DEFAULT 0,
    settled    INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1)),
    returned   INTEGER NOT NULL DEFAULT 0 CHECK (returned IN (0, 1)),
    PRIMARY KEY (guild_id, game, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX standings_order ON standings (guild_id, game, ordinal DESC, user_id);
CREATE INDEX standings_settled ON standings (guild_id, game) WHERE settled = 1;

-- Whom somebody has met, by how many matches they led when they had played `at` (bot/store/match_weights.py), and what they gained from
-- them in a month (bot/store/scoring.py). It follows from the results, and is kept because a
-- match that ends may not wait until all of its players' results are read.

CREATE TABLE encounters (
    guild_id    INTEGER NOT NULL,
    game        TEXT NOT NULL,
    user_id     INTEGER NOT NULL,
    opponent_id INTEGER NOT NULL,
    lead        REAL NOT NULL,
    at          INTEGER NOT NULL,
    month       INTEGER NOT NULL,
    gained      REAL NOT NULL,
    PRIMARY KEY (guild_id, game, user_id, opponent_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX encounters_opponent ON encounters (opponent_id, guild_id);

-- What each counted match did to each seat's rating, and why: the factors of its weight, and what was won above what was to be expected. It follows from all results before it, so working it out for one would read
-- them all.

CREATE TABLE rating_changes (
    match_id     TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat         INTEGER NOT NULL CHECK (seat >= 0),
    guild_id     INTEGER NOT NULL,
    mu_before    REAL NOT NULL,
    sigma_before REAL NOT NULL,
    mu           REAL NOT NULL,
    sigma        REAL NOT NULL,
    matches      INTEGER NOT NULL,
    repeated     REAL NOT NULL,
    newcomers    REAL NOT NULL,
    surplus      REAL NOT NULL,
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;

-- What is retained of a deleted person's ratings until a moment. `person` is an HMAC of server and user; its key is in a file elsewhere
-- (bot/store/person_key.py).

CREATE TABLE held_ratings (
    guild_id INTEGER NOT NULL,
    person   BLOB NOT NULL CHECK (length(person) = 32),
    game     TEXT NOT NULL,
    mu       REAL NOT NULL,
    sigma    REAL NOT NULL,
    peak     REAL NOT NULL,
    wins     INTEGER NOT NULL,
    losses   INTEGER NOT NULL,
    draws    INTEGER NOT NULL,
    until    INTEGER NOT NULL,
    PRIMARY KEY (guild_id, person, game)
) STRICT, WITHOUT ROWID;

CREATE INDEX held_ratings_until ON held_ratings (until);

-- With what somebody began who came back within that time. Without it standings could not be worked out again.

CREATE TABLE rating_starts (
    guild_id INTEGER NOT NULL,
    game     TEXT NOT NULL,
    user_id  INTEGER NOT NULL,
    mu       REAL NOT NULL,
    sigma    REAL NOT NULL,
    peak     REAL NOT NULL,
    wins     INTEGER NOT NULL,
    losses   INTEGER NOT NULL,
    draws    INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX rating_starts_user ON rating_starts (user_id, guild_id);


-- Leaderboards (bot/store/queries/leaderboards.py, docs/how-we-count.md) -------------------------------------------------------------------------

-- What they show follows from the results. It is kept, because counting 100,000 players took 12 ms.

-- What somebody's counted matches of a day add up to, in thousandths of a point. `in_week` and `in_season` say whether the entries of
-- these leaderboards contain it at present.

CREATE TABLE board_days (
    guild_id  INTEGER NOT NULL,
    user_id   INTEGER NOT NULL,
    game      TEXT NOT NULL,
    day       INTEGER NOT NULL,
    points    INTEGER NOT NULL,
    wins      INTEGER NOT NULL,
    losses    INTEGER NOT NULL,
    draws     INTEGER NOT NULL,
    in_week   INTEGER NOT NULL CHECK (in_week IN (0, 1)),
    in_season INTEGER NOT NULL CHECK (in_season IN (0, 1)),
    PRIMARY KEY (guild_id, user_id, game, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX board_days_week ON board_days (guild_id, in_week, day);
CREATE INDEX board_days_season ON board_days (guild_id, in_season, day);

-- The lines of leaderboards. `span` and `section` are the numbers in bot/store/queries/leaderboards.py; no game means all games. `last_day` is the day
-- of the last counted match, and `everywhere` says in a line of a game and of all time whether the person's lines over all games contain
-- that game at present. Both are 0 where nothing depends on them.

CREATE TABLE board_entries (
    guild_id   INTEGER NOT NULL,
    user_id    INTEGER NOT NULL,
    span       INTEGER NOT NULL CHECK (span IN (0, 1, 2)),
    game       TEXT NOT NULL,
    section    INTEGER NOT NULL CHECK (section IN (0, 1, 2)),
    score      INTEGER NOT NULL,
    wins       INTEGER NOT NULL,
    losses     INTEGER NOT NULL,
    draws      INTEGER NOT NULL,
    last_day   INTEGER NOT NULL,
    everywhere INTEGER NOT NULL CHECK (everywhere IN (0, 1)),
    PRIMARY KEY (guild_id, user_id, span, game)
) STRICT, WITHOUT ROWID;

CREATE INDEX board_entries_order ON board_entries (guild_id, game, span, section, score DESC, user_id);
CREATE INDEX board_entries_everywhere ON board_entries (guild_id, game, everywhere) WHERE span = 0;
CREATE INDEX board_entries_active ON board_entries (guild_id, section, last_day) WHERE span = 0;

-- How many lines have a score in each interval: `bucket` is the score shifted right by `bits`. So a rank is a sum of a few dozen
-- numbers.

CREATE TABLE board_buckets (
    guild_id INTEGER NOT NULL,
    game     TEXT NOT NULL,
    span     INTEGER NOT NULL,
    section  INTEGER NOT NULL,
    bits     INTEGER NOT NULL,
    bucket   INTEGER NOT NULL,
    players  INTEGER NOT NULL CHECK (players > 0),
    PRIMARY KEY (guild_id, game, span, section, bits, bucket)
) STRICT, WITHOUT ROWID;

-- Who isn't listed on a server's leaderboards, because they chose so.

CREATE TABLE board_hidden (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    PRIMARY KEY (guild_id, user_id)
) STRICT, WITHOUT ROWID;

-- Who was first of a season when it ended, for an award (docs/how-we-count.md), in a game or, with no game, over all. `stop` is the day
-- after the season's last one. It does not follow from the results alone: a server can change how long its seasons are, and who wants
-- to be hidden can change their mind. `judged_seasons` says up to which day a server's seasons were looked at.

CREATE TABLE season_firsts (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    game     TEXT NOT NULL,
    stop     INTEGER NOT NULL,
    PRIMARY KEY (guild_id, user_id, game, stop)
) STRICT, WITHOUT ROWID;

CREATE TABLE judged_seasons (
    guild_id INTEGER PRIMARY KEY,
    until    INTEGER NOT NULL
) STRICT;


-- People ---------------------------------------------------------------------------------------------------------------------------

-- What people are called in a server, as they wrote it.

CREATE TABLE names (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    name     TEXT NOT NULL,
    PRIMARY KEY (guild_id, user_id)
) STRICT, WITHOUT ROWID;

-- For the purge of a server, which asks whether its people are known in another.
CREATE INDEX names_by_user ON names (user_id);

-- How people want to be told that it is their turn, server by server. Who has no row is pinged.

CREATE TABLE notice_levels (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    level    TEXT NOT NULL CHECK (level IN ('none', 'quiet', 'ping', 'dm')),
    PRIMARY KEY (guild_id, user_id)
) STRICT, WITHOUT ROWID;

-- What people prefer, in every server and in direct messages alike. Preferences are texts by name, so a new one needs no migration. Who
-- has no row has the default.

CREATE TABLE preferences (
    user_id INTEGER NOT NULL,
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;


-- Servers --------------------------------------------------------------------------------------------------------------------------

-- What the moderators of a server have set there, as texts by name (bot/play/server_settings.py says which there are). A setting
-- without a row has its default.

CREATE TABLE server_settings (
    guild_id INTEGER NOT NULL,
    name     TEXT NOT NULL,
    value    TEXT NOT NULL,
    PRIMARY KEY (guild_id, name)
) STRICT, WITHOUT ROWID;

-- Who changed what, when, from what to what, and whom it was about if it was what a moderator did to somebody. `number` counts the
-- changes of a server; the latest hundred are kept.

CREATE TABLE setting_changes (
    guild_id INTEGER NOT NULL,
    number   INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    name     TEXT NOT NULL,
    former   TEXT NOT NULL,
    value    TEXT NOT NULL,
    about_id INTEGER,
    PRIMARY KEY (guild_id, number)
) STRICT, WITHOUT ROWID;

-- Since when the bot has not been in a server that it knows, and how long it had looked on by then (table looks): all of that server is
-- purged some time after.

CREATE TABLE departures (
    guild_id INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    observed INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Deletions under way, which are done a few rows at a time (bot/store/queries/begun_deletions.py): of a person in a server, whose place a
-- marker takes, or of a whole server (user 0). A row is there until nothing else is left of them.

CREATE TABLE deletions (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    marker   INTEGER NOT NULL,
    PRIMARY KEY (guild_id, user_id)
) STRICT, WITHOUT ROWID;


-- Messages on Discord --------------------------------------------------------------------------------------------------------------

-- The mention that stands for a seat's turn. `mark` is what it says: a digest of its text, and the deadline that it shows. A start edits
-- only mentions that would say something else. Null if that isn't known.

CREATE TABLE notices (
    match_id   TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat       INTEGER NOT NULL,
    guild_id   INTEGER NOT NULL,
    user_id    INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    mark       BLOB,
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;

-- What lets the bot edit the private messages that show hands, for the fifteen minutes of their tokens, so that they stay up to date
-- after a restart. `message` is the interaction that a message was sent for, `shown` a digest of what it shows. A selection is indexes
-- into the hand, as in a button's id. There is no card.

CREATE TABLE open_hands (
    match_id       TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat           INTEGER NOT NULL CHECK (seat >= 0),
    message        INTEGER NOT NULL,
    guild_id       INTEGER NOT NULL,
    application_id INTEGER NOT NULL,
    token          TEXT NOT NULL,
    locale         TEXT NOT NULL,
    "window"       INTEGER NOT NULL,
    selection      TEXT NOT NULL,
    shown          BLOB NOT NULL,
    expires_at     INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat, message)
) STRICT, WITHOUT ROWID;

CREATE INDEX open_hands_by_expiry ON open_hands (expires_at);

-- Messages that are being posted in place of former ones: a match's board (seat -1) or a seat's mention. A row that a killed process
-- left says where to look for a message that nothing else knows.

CREATE TABLE postings (
    match_id   TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat       INTEGER NOT NULL CHECK (seat >= -1),
    channel_id INTEGER NOT NULL,
    guild_id   INTEGER NOT NULL,
    former_id  INTEGER,
    at         INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat, channel_id)
) STRICT, WITHOUT ROWID;


-- The bot itself -------------------------------------------------------------------------------------------------------------------

-- Which database this is, and how many commits it has seen: a witness outside it holds both, and a start compares them
-- (bot/store/sqlite/witness.py). Commits of nothing but the heartbeat are not counted.

CREATE TABLE progress (
    "only"      INTEGER PRIMARY KEY CHECK ("only" = 1),
    database_id TEXT NOT NULL,
    commits     INTEGER NOT NULL CHECK (commits >= 0)
) STRICT;

-- When the bot was last known to be up: time that it was down is given back to players.

CREATE TABLE heartbeat (
    "only" INTEGER PRIMARY KEY CHECK ("only" = 1),
    at     INTEGER NOT NULL
) STRICT;

-- Time between looks, for purges: how long the bot has looked on in all (ms), with at most a day from one look to the next, and when it
-- last looked. What is deleted or called off some day keeps how long that was when it began, so a wrong clock deletes nothing.

CREATE TABLE looks (
    "only"   INTEGER PRIMARY KEY CHECK ("only" = 1),
    observed INTEGER NOT NULL CHECK (observed >= 0),
    at       INTEGER NOT NULL
) STRICT;

-- What else one process leaves for the next, as texts by name.

CREATE TABLE facts (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A process that holds shards (docs/decisions/0037-clusters.md). Its row goes when another process takes one of them, and with it
-- everything that it held. `fence` counts the claims, so a later owner of a shard has a higher one. `until_at` is when its lease runs
-- out.

CREATE TABLE shard_owners (
    owner    TEXT PRIMARY KEY,
    fence    INTEGER NOT NULL,
    until_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- All shards, of the number that was claimed last. `beat_at` is when the bot was last known to be up on a shard. A bot that serves all
-- servers goes by the table `heartbeat`, and has one row here, for the only shard of one.

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

-- When the next turn of a name may begin: connections to the gateway and new sessions keep a distance.

CREATE TABLE turns (
    name    TEXT PRIMARY KEY,
    next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Sessions at Discord's gateway that the next process may resume, by their shard, of the number of shards that it is of: which
-- application and intents they are for (`profile`), the session's id and address, which are secrets, the last event that was read, and
-- when that was noted. Whoever resumes one takes its row away.

CREATE TABLE gateway_sessions (
    total    INTEGER NOT NULL CHECK (total >= 1),
    shard    INTEGER NOT NULL CHECK (shard >= 0 AND shard < total),
    profile  TEXT NOT NULL,
    session  TEXT NOT NULL,
    address  TEXT NOT NULL,
    sequence INTEGER NOT NULL CHECK (sequence >= 0),
    at       INTEGER NOT NULL,
    PRIMARY KEY (total, shard)
) STRICT, WITHOUT ROWID;

-- What such a session has said of the servers of its shard by then, as JSON (bot/gateway/lean/servers.py). Apart, because it is long and
-- seldom changes.

CREATE TABLE gateway_servers (
    total   INTEGER NOT NULL,
    shard   INTEGER NOT NULL,
    servers TEXT NOT NULL,
    PRIMARY KEY (total, shard),
    FOREIGN KEY (total, shard) REFERENCES gateway_sessions (total, shard) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;


-- In SQLite alone ------------------------------------------------------------------------------------------------------------------

CREATE TRIGGER records_are_never_changed BEFORE UPDATE ON records
BEGIN
    SELECT raise(ABORT, 'a record is never changed');
END;

CREATE TRIGGER records_are_kept BEFORE DELETE ON records
WHEN EXISTS (SELECT 1 FROM matches WHERE id = old.match_id)
    AND NOT EXISTS (SELECT 1 FROM packed_logs WHERE match_id = old.match_id)
BEGIN
    SELECT raise(ABORT, 'a record is kept until its log is packed');
END;

CREATE TRIGGER logs_of_live_matches_are_not_packed BEFORE INSERT ON packed_logs
WHEN NOT EXISTS (SELECT 1 FROM matches WHERE id = new.match_id AND live = 0)
BEGIN
    SELECT raise(ABORT, 'only the log of a finished match is packed');
END;

CREATE TRIGGER packed_logs_are_never_changed BEFORE UPDATE ON packed_logs
BEGIN
    SELECT raise(ABORT, 'a packed log is never changed');
END;

CREATE TRIGGER packed_logs_are_kept BEFORE DELETE ON packed_logs
WHEN EXISTS (SELECT 1 FROM matches WHERE id = old.match_id)
BEGIN
    SELECT raise(ABORT, 'a packed log is kept as long as its match');
END;

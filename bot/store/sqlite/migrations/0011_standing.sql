-- What a match leaves behind: standings and ratings, series, reliability, private replays.

-- Private replays (docs/replays.md): the seats whose players want that only its players can open the replay of a match.

ALTER TABLE seats ADD COLUMN private_replay INTEGER NOT NULL DEFAULT 0 CHECK (private_replay IN (0, 1));

-- The series that a match belongs to (ruling C-9): the id of its first match, of how many it is the best, which match of it this
-- is, and what the players had won before, by their seats in this match. Null in a single match. No number is played twice.

ALTER TABLE invitations ADD COLUMN series_id TEXT;
ALTER TABLE invitations ADD COLUMN series_best_of INTEGER CHECK (series_best_of >= 3);
ALTER TABLE invitations ADD COLUMN series_number INTEGER CHECK (series_number >= 1);
ALTER TABLE invitations ADD COLUMN series_first_wins INTEGER CHECK (series_first_wins >= 0);
ALTER TABLE invitations ADD COLUMN series_second_wins INTEGER CHECK (series_second_wins >= 0)
    CHECK ((series_id IS NULL) =
        (coalesce(series_best_of, series_number, series_first_wins, series_second_wins) IS NULL));

ALTER TABLE matches ADD COLUMN series_id TEXT;
ALTER TABLE matches ADD COLUMN series_best_of INTEGER CHECK (series_best_of >= 3);
ALTER TABLE matches ADD COLUMN series_number INTEGER CHECK (series_number >= 1);
ALTER TABLE matches ADD COLUMN series_first_wins INTEGER CHECK (series_first_wins >= 0);
ALTER TABLE matches ADD COLUMN series_second_wins INTEGER CHECK (series_second_wins >= 0)
    CHECK ((series_id IS NULL) =
        (coalesce(series_best_of, series_number, series_first_wins, series_second_wins) IS NULL));

CREATE UNIQUE INDEX matches_by_series ON matches (series_id, series_number) WHERE series_id IS NOT NULL;

-- Reliability (bot/play/reliability/)

-- How people attended finished matches: whether they stayed, how many questions they were asked, how many they answered in
-- time. The log says all this too, but a person's latest matches are read each time somebody is asked to sit with them:
-- the key's order makes that one short range. `rebuild-standings` works it out again, and for matches of before this upgrade.

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

-- Whether a table takes only people who finish most of their matches, and new ones.

ALTER TABLE invitations ADD COLUMN reliable INTEGER NOT NULL DEFAULT 0 CHECK (reliable IN (0, 1));

-- Profiles: each person's counted results in the order in which they counted, and whom they met in them. All of it follows from
-- `results` and `seats`. It is kept because those are found by match, and a person with 10,000 matches would have to wait for them.
-- `outcome` is 1 for a win, 0 for a draw, -1 for a loss; `streak` is how many matches in a row were won up to this one, and
-- `longest` the most so far. `user_id` is a random negative number once its person was deleted.

CREATE TABLE player_results (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    number   INTEGER NOT NULL,  -- of the result
    game     TEXT NOT NULL,
    outcome  INTEGER NOT NULL CHECK (outcome IN (-1, 0, 1)),
    streak   INTEGER NOT NULL CHECK (streak >= 0),
    longest  INTEGER NOT NULL CHECK (longest >= streak),
    PRIMARY KEY (guild_id, user_id, number)
) STRICT, WITHOUT ROWID;

-- `matches` are those in which both sat; wins, losses and draws those of the two alone, as `user_id` sees them. `first_number` is
-- the result of the first.

CREATE TABLE opponents (
    guild_id     INTEGER NOT NULL,
    user_id      INTEGER NOT NULL,
    opponent_id  INTEGER NOT NULL,
    first_number INTEGER NOT NULL,
    matches      INTEGER NOT NULL,
    wins         INTEGER NOT NULL,
    losses       INTEGER NOT NULL,
    draws        INTEGER NOT NULL,
    PRIMARY KEY (guild_id, user_id, opponent_id)
) STRICT, WITHOUT ROWID;

-- How far somebody's wins were searched for the first in which they had been far behind: the number of the last one that was looked
-- at, and the match if it was found. It follows from the logs, and is kept so that each is read once.

CREATE TABLE comeback_searches (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    searched INTEGER NOT NULL,
    found    TEXT,
    PRIMARY KEY (guild_id, user_id)
) STRICT, WITHOUT ROWID;

INSERT INTO player_results (guild_id, user_id, number, game, outcome, streak, longest)
WITH ended AS (
    SELECT results.guild_id, user_id, number, game,
           CASE WHEN min(rank) OVER together = max(rank) OVER together THEN 0 WHEN rank = 1 THEN 1 ELSE -1 END AS outcome
    FROM results JOIN seats USING (match_id) WHERE counted = 1
    WINDOW together AS (PARTITION BY number)
), runs AS (
    SELECT *, sum(outcome <> 1) OVER (PARTITION BY guild_id, user_id ORDER BY number) AS run FROM ended
), streaks AS (
    SELECT *, sum(outcome = 1) OVER (PARTITION BY guild_id, user_id, run ORDER BY number) AS streak FROM runs
)
SELECT guild_id, user_id, number, game, outcome, streak,
       max(streak) OVER (PARTITION BY guild_id, user_id ORDER BY number)
FROM streaks;

INSERT INTO opponents (guild_id, user_id, opponent_id, first_number, matches, wins, losses, draws)
WITH met AS (
    SELECT results.guild_id, mine.user_id, theirs.user_id AS opponent_id, number, theirs.rank - mine.rank AS ahead,
           NOT EXISTS (SELECT 1 FROM seats AS third WHERE third.match_id = results.match_id AND third.seat = 2) AS alone
    FROM results
    JOIN seats AS mine USING (match_id)
    JOIN seats AS theirs ON theirs.match_id = mine.match_id AND theirs.seat <> mine.seat
    WHERE counted = 1
)
SELECT guild_id, user_id, opponent_id, min(number), count(*),
       coalesce(sum(alone AND ahead > 0), 0), coalesce(sum(alone AND ahead < 0), 0), coalesce(sum(alone AND ahead = 0), 0)
FROM met GROUP BY guild_id, user_id, opponent_id;

-- Ratings (docs/ratings.md, bot/store/match_weights.py).

-- The places that players had before matches weighed differently, kept once. Nothing but an export and a deletion reads them.

CREATE TABLE former_standings (
    guild_id INTEGER NOT NULL,
    game     TEXT NOT NULL,
    user_id  INTEGER NOT NULL,
    place    INTEGER NOT NULL,
    mu       REAL NOT NULL,
    sigma    REAL NOT NULL,
    wins     INTEGER NOT NULL,
    losses   INTEGER NOT NULL,
    draws    INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX former_standings_user ON former_standings (user_id, guild_id);

INSERT INTO former_standings (guild_id, game, user_id, place, mu, sigma, wins, losses, draws)
SELECT guild_id, game, user_id, rank() OVER (PARTITION BY guild_id, game ORDER BY ordinal DESC), mu, sigma, wins, losses, draws
FROM standings;

-- What a match weighs for somebody depends on whom they have met: how many people, and how many of them are settled by now. `settled`
-- says whether they are it themselves, `returned` whether they began with what was held of a deleted rating.

ALTER TABLE standings ADD COLUMN opponents INTEGER NOT NULL DEFAULT 0 CHECK (opponents >= 0);
ALTER TABLE standings ADD COLUMN settled_opponents INTEGER NOT NULL DEFAULT 0 CHECK (settled_opponents >= 0);
ALTER TABLE standings ADD COLUMN settled INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1));
ALTER TABLE standings ADD COLUMN returned INTEGER NOT NULL DEFAULT 0 CHECK (returned IN (0, 1));

CREATE INDEX standings_settled ON standings (guild_id, game) WHERE settled = 1;

-- How many matches somebody has played with another lately: `matches` has faded as it was when they had played `at` matches. It
-- follows from the results, and is kept because a match that ends may not wait until all of its players' results are read.

CREATE TABLE encounters (
    guild_id    INTEGER NOT NULL,
    game        TEXT NOT NULL,
    user_id     INTEGER NOT NULL,
    opponent_id INTEGER NOT NULL,
    matches     REAL NOT NULL,
    at          INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, user_id, opponent_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX encounters_opponent ON encounters (opponent_id, guild_id);

-- What each counted match did to each seat's rating, and why: the factors of its weight, and how often the player had met the most
-- frequent opponent lately. It follows from all results before it, so working it out for one would read them all.

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
    circle       REAL NOT NULL,
    met          INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;

-- What is held of a deleted person's ratings until a moment (ms UTC). `person` is an HMAC of server and user; its key is in a file
-- elsewhere (bot/store/person_key.py).

CREATE TABLE held_ratings (
    guild_id INTEGER NOT NULL,
    person   BLOB NOT NULL CHECK (length(person) = 32),
    game     TEXT NOT NULL,
    mu       REAL NOT NULL,
    sigma    REAL NOT NULL,
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
    wins     INTEGER NOT NULL,
    losses   INTEGER NOT NULL,
    draws    INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX rating_starts_user ON rating_starts (user_id, guild_id);

SELECT rate_again();

-- Leaderboards (bot/store/boards.py, docs/leaderboards.md). What they show is kept, because counting 100,000 players took 12 ms.

-- What somebody's counted matches of a day add up to, in thousandths of a point; `day` counts the days since 1970, UTC. `in_week`
-- and `in_season` say whether the entries of these leaderboards contain it at present.

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

-- The lines of leaderboards. `span` and `section` are the numbers in bot/store/boards.py; no game means all games. `last_day` is the
-- day of the last counted match, and 0 where nothing depends on it.

CREATE TABLE board_entries (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    span     INTEGER NOT NULL CHECK (span IN (0, 1, 2)),
    game     TEXT NOT NULL,
    section  INTEGER NOT NULL CHECK (section IN (0, 1, 2)),
    score    INTEGER NOT NULL,
    wins     INTEGER NOT NULL,
    losses   INTEGER NOT NULL,
    draws    INTEGER NOT NULL,
    last_day INTEGER NOT NULL,
    PRIMARY KEY (guild_id, user_id, span, game)
) STRICT, WITHOUT ROWID;

CREATE INDEX board_entries_order ON board_entries (guild_id, game, span, section, score DESC, user_id);
CREATE INDEX board_entries_active ON board_entries (guild_id, section, last_day) WHERE span = 0;

-- How many lines have a score in each interval: `bucket` is the score shifted right by `bits`. So a rank is a sum of a few
-- dozen numbers.

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

-- Who was first of a season when it ended, for an award (docs/profiles.md), in a game or, with no game, over all. `stop` is the day
-- after the season's last one. It does not follow from the results alone: a server can change how long its seasons are, and who
-- wants to be hidden can change their mind. `judged_seasons` says up to which day a server's seasons were looked at.

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

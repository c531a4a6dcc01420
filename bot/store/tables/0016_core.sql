-- Standings that started over in a server (bot/store/queries/resets.py).

-- Results up to this `number` count for no rating and no leaderboard any more; the latest row of a server is what holds. `judged` is
-- the day up to which its seasons had been judged, if they had.

CREATE TABLE standings_resets (
    guild_id INTEGER NOT NULL,
    number   INTEGER NOT NULL,
    at       INTEGER NOT NULL,         -- ms UTC
    judged   INTEGER,
    PRIMARY KEY (guild_id, number)
) STRICT, WITHOUT ROWID;

-- The servers that are being counted again, and up to which result that has come; none while what was kept is still being deleted.

CREATE TABLE recounts (
    guild_id INTEGER PRIMARY KEY,
    reached  INTEGER
) STRICT;

-- What one person can add to another's season is less than in 0.9.0, so all that is kept there is counted again.
INSERT INTO recounts (guild_id) SELECT DISTINCT guild_id FROM results WHERE counted = 1;

-- The result with which somebody began with a rating that had been held; 0 where that is not known.
ALTER TABLE rating_starts ADD COLUMN number INTEGER NOT NULL DEFAULT 0;

-- Some indexes took more room than they were worth. What a pair of people met is found from either of them, and one index finds the
-- days that enter or leave a week or a season.
DROP INDEX encounters_opponent;
DROP INDEX board_days_week;
DROP INDEX board_days_season;
CREATE INDEX board_days_current ON board_days (guild_id, in_season, in_week, day);

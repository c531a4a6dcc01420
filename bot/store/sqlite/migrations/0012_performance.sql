-- No operation of the store holds the database's thread for long (tests/bench/operations.py).

-- The number of the result of a seat's match; null while the match is live. It follows from `results`, and is kept because lists of
-- a person's finished matches begin with the last one, and sorting the matches of somebody who has played 10,000 takes 60 ms.

ALTER TABLE seats ADD COLUMN result_number INTEGER;
UPDATE seats SET result_number = (SELECT number FROM results WHERE results.match_id = seats.match_id);
CREATE INDEX seats_finished ON seats (user_id, guild_id, result_number) WHERE result_number IS NOT NULL;

-- A daily look asks for all suspended matches.

CREATE INDEX matches_suspended ON matches (id) WHERE suspended_at IS NOT NULL;

-- Open invitations of a server: somebody who is named in one can't be deleted.

CREATE INDEX invitations_open_here ON invitations (guild_id) WHERE state = 'open';

-- Deletions under way, which are done a few rows at a time (bot/store/queries/deletions.py): of a person in a server, whose
-- place a marker takes, or of a whole server (user 0). A row is there until nothing else is left of them.

CREATE TABLE deletions (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    marker   INTEGER NOT NULL,
    PRIMARY KEY (guild_id, user_id)
) STRICT, WITHOUT ROWID;

-- Opponents by game: what two have won of each other is shown when a match of theirs ends, and to find their matches took 17 ms.

CREATE TABLE opponents_by_game (
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

INSERT INTO opponents_by_game (guild_id, user_id, opponent_id, game, first_number, matches, wins, losses, draws)
WITH met AS (
    SELECT results.guild_id, mine.user_id, theirs.user_id AS opponent_id, game, number, theirs.rank - mine.rank AS ahead,
           NOT EXISTS (SELECT 1 FROM seats AS third WHERE third.match_id = results.match_id AND third.seat = 2) AS alone
    FROM results
    JOIN seats AS mine USING (match_id)
    JOIN seats AS theirs ON theirs.match_id = mine.match_id AND theirs.seat <> mine.seat
    WHERE counted = 1
)
SELECT guild_id, user_id, opponent_id, game, min(number), count(*),
       coalesce(sum(alone AND ahead > 0), 0), coalesce(sum(alone AND ahead < 0), 0), coalesce(sum(alone AND ahead = 0), 0)
FROM met GROUP BY guild_id, user_id, opponent_id, game;

DROP TABLE opponents;
ALTER TABLE opponents_by_game RENAME TO opponents;

-- What a live match's board shows: a digest, and after how many acts the board was made that shows it. A start compares it
-- with the board that it would paint, and paints only what differs. Other acts, or another message, make it worthless.

ALTER TABLE matches ADD COLUMN board_mark BLOB;
ALTER TABLE matches ADD COLUMN board_mark_acts INTEGER;

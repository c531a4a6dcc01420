-- Moves that players planned for what may happen next in slow matches (docs/players-and-hosts.md). Nobody else may read them.

-- `acts` is how many moves the seat had made when this was planned: after the next one it is void. A row with an `outcome`, number 0, is
-- what is left once plans were tried: it says to their player whether one was made.

CREATE TABLE conditional_moves (
    match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat     INTEGER NOT NULL,
    number   INTEGER NOT NULL,         -- in the order in which they are tried
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    acts     INTEGER NOT NULL,
    occasion TEXT NOT NULL,            -- what must have happened
    verb     TEXT NOT NULL,
    move     TEXT NOT NULL,            -- in the game's notation
    outcome  TEXT NOT NULL CHECK (outcome IN ('', 'made', 'unfit')),
    PRIMARY KEY (match_id, seat, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX conditional_moves_user ON conditional_moves (user_id, guild_id);

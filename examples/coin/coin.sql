-- How often somebody flipped a coin in a server, and how often it was heads.

CREATE TABLE coin_flips (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    flips    INTEGER NOT NULL,
    heads    INTEGER NOT NULL CHECK (heads BETWEEN 0 AND flips),
    PRIMARY KEY (guild_id, user_id)
) STRICT, WITHOUT ROWID;

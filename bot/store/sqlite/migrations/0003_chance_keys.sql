-- The keys of a finished match's chance, kept when a player's id is taken out of it: every key is made from the ids, so
-- without them nobody could deal the match again. `use` names what the key is for, as engines.keys writes it.

CREATE TABLE chance_keys (
    match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    use      TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    key      BLOB NOT NULL,
    PRIMARY KEY (match_id, use)
) STRICT, WITHOUT ROWID;

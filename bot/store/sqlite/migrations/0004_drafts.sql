-- Selections under way that are too long for a button's id, a seat's latest. Places in its own hand, and no card.

CREATE TABLE drafts (
    match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat     INTEGER NOT NULL CHECK (seat >= 0),
    guild_id INTEGER NOT NULL,
    window   INTEGER NOT NULL,
    draft    TEXT NOT NULL,
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;

-- How people want to be told that it is their turn, server by server. Who has no row is pinged.

CREATE TABLE notice_levels (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    level    TEXT NOT NULL CHECK (level IN ('none', 'quiet', 'ping', 'dm')),
    PRIMARY KEY (guild_id, user_id)
) STRICT, WITHOUT ROWID;

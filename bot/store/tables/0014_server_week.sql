-- What the bot posts of a server's week, one message a room, and who has the role of the season's first. Times are in ms UTC.

CREATE TABLE week_posts (
    guild_id   INTEGER NOT NULL,
    room       TEXT NOT NULL,
    edition    INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER,                -- none while it is about to be posted
    posted_at  INTEGER NOT NULL,
    shown      BLOB NOT NULL,          -- a digest of what it shows
    PRIMARY KEY (guild_id, room)
) STRICT, WITHOUT ROWID;

CREATE TABLE week_firsts (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    role_id  INTEGER NOT NULL,
    PRIMARY KEY (guild_id, user_id, role_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX week_firsts_user ON week_firsts (user_id, guild_id);

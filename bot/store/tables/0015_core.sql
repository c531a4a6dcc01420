-- Whom moderators have set aside in a server: their results are on none of its leaderboards.

-- A keyed hash stands for the person (bot.store.person_key), so that nobody gets rid of this by deleting their data. There is an id until
-- they do, and again once a match of theirs counts.

CREATE TABLE set_asides (
    guild_id INTEGER NOT NULL,
    person   BLOB NOT NULL CHECK (length(person) = 32),
    user_id  INTEGER,
    PRIMARY KEY (guild_id, person)
) STRICT, WITHOUT ROWID;

CREATE INDEX set_asides_user ON set_asides (user_id, guild_id);

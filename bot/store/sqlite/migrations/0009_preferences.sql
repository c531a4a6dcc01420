-- What people prefer, in every server and in direct messages alike. Preferences are texts by name, so a new one needs no
-- migration. Who has no row has the default.

CREATE TABLE preferences (
    user_id INTEGER NOT NULL,
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;

-- For the purge of a server, which asks whether its people are known in another.
CREATE INDEX names_by_user ON names (user_id);

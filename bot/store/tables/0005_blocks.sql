-- Who keeps apart from whom, in all servers (docs/players-and-hosts.md). It counts both ways, whoever of the two wanted it.

CREATE TABLE blocks (
    user_id  INTEGER NOT NULL,
    other_id INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (user_id, other_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX blocks_by_other ON blocks (other_id);

-- When somebody is or was away in this season (docs/players-and-hosts.md), in all servers. Each begun day is one of their days off.

CREATE TABLE absences (
    user_id  INTEGER NOT NULL,
    began_at INTEGER NOT NULL,
    until_at INTEGER NOT NULL CHECK (until_at >= began_at),  -- earlier than planned if they came back earlier
    PRIMARY KEY (user_id, began_at)
) STRICT, WITHOUT ROWID;

CREATE INDEX absences_until ON absences (until_at);

-- A live match whose place was lost rests: since when and why. While it rests it has no timers.
-- And since when the bot has not been in a server that it knows: all of that server is purged some time after.

ALTER TABLE matches ADD COLUMN suspended_at INTEGER;
ALTER TABLE matches ADD COLUMN suspended_why TEXT CHECK (
    (suspended_why IS NULL) = (suspended_at IS NULL)
    AND suspended_why IN ('channel_gone', 'thread_closed', 'no_access', 'no_sending', 'removed')
);

CREATE TABLE departures (
    guild_id INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL
) STRICT;

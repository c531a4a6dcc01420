-- What the promises to players need: each subject under its own heading.

-- Seals and log chains
-- The seal of a deal is kept as it was shown, and each record of a log is chained to the one before it
-- (bot/store/log_chain.py). What is older than this upgrade is sealed and chained here. `chained_from` is the seq of the
-- first record that was chained as it was played.

ALTER TABLE invitations ADD COLUMN commitment BLOB NOT NULL DEFAULT x'';
UPDATE invitations SET commitment = seed_commitment(seed);

ALTER TABLE matches ADD COLUMN commitment BLOB NOT NULL DEFAULT x'';
ALTER TABLE matches ADD COLUMN chained_from INTEGER NOT NULL DEFAULT 0;
UPDATE matches SET
    commitment = seed_commitment(seed),
    chained_from = (SELECT coalesce(max(seq) + 1, 0) FROM records WHERE match_id = matches.id);

CREATE TABLE chained_records (
    match_id       TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seq            INTEGER NOT NULL CHECK (seq >= 0),
    guild_id       INTEGER NOT NULL,
    interaction_id INTEGER UNIQUE,
    actor          INTEGER,
    action         TEXT,
    events         TEXT NOT NULL,
    at             INTEGER NOT NULL,
    chain          BLOB NOT NULL CHECK (length(chain) = 32),
    PRIMARY KEY (match_id, seq)
) STRICT, WITHOUT ROWID;

INSERT INTO chained_records (match_id, seq, guild_id, interaction_id, actor, action, events, at, chain)
SELECT match_id, seq, guild_id, interaction_id, actor, action, events, at,
       log_chain(match_id, seq, actor, action, events, at) OVER (PARTITION BY match_id ORDER BY seq)
FROM records;

DROP TABLE records;
ALTER TABLE chained_records RENAME TO records;

CREATE TRIGGER records_are_never_changed BEFORE UPDATE ON records
BEGIN
    SELECT raise(ABORT, 'a record is never changed');
END;

ALTER TABLE results ADD COLUMN chain BLOB NOT NULL DEFAULT x'';
UPDATE results SET chain = coalesce(
    (SELECT chain FROM records WHERE match_id = results.match_id ORDER BY seq DESC LIMIT 1), x''
);


-- Which database this is, and how many commits it has seen: a witness outside it holds both, and a start compares them.
-- Commits of nothing but the heartbeat are not counted.

CREATE TABLE progress (
    only        INTEGER PRIMARY KEY CHECK (only = 1),
    database_id TEXT NOT NULL,
    commits     INTEGER NOT NULL CHECK (commits >= 0)
) STRICT;

INSERT INTO progress VALUES (1, lower(hex(randomblob(16))), 0);


-- Time between looks, for purges: how long the bot has looked on in all (ms), with at most a day from one look to the
-- next, and when it last looked (ms UTC). What is deleted or called off some day keeps how long that was when it began.

CREATE TABLE looks (
    only     INTEGER PRIMARY KEY CHECK (only = 1),
    observed INTEGER NOT NULL CHECK (observed >= 0),
    at       INTEGER NOT NULL
) STRICT;

ALTER TABLE departures ADD COLUMN observed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN suspended_observed INTEGER NOT NULL DEFAULT 0;


-- Open hands
-- What lets the bot edit the private messages that show hands, for the fifteen minutes of their tokens, so that they stay
-- up to date after a restart. `message` is the interaction that a message was sent for, `shown` a digest of what it shows.
-- A selection is places in the hand, as in a button's id. There is no card.

CREATE TABLE open_hands (
    match_id       TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat           INTEGER NOT NULL CHECK (seat >= 0),
    message        INTEGER NOT NULL,
    guild_id       INTEGER NOT NULL,
    application_id INTEGER NOT NULL,
    token          TEXT NOT NULL,
    locale         TEXT NOT NULL,
    window         INTEGER NOT NULL,
    selection      TEXT NOT NULL,
    shown          BLOB NOT NULL,
    expires_at     INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat, message)
) STRICT, WITHOUT ROWID;

CREATE INDEX open_hands_by_expiry ON open_hands (expires_at);

-- Messages that are being posted in place of former ones: a match's board (seat -1) or a seat's mention. A row that a
-- killed process left says where to look for a message that nothing else knows.

CREATE TABLE postings (
    match_id   TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat       INTEGER NOT NULL CHECK (seat >= -1),
    channel_id INTEGER NOT NULL,
    guild_id   INTEGER NOT NULL,
    former_id  INTEGER,
    at         INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat, channel_id)
) STRICT, WITHOUT ROWID;

-- One more reason for a suspension: the board is removed again and again.

ALTER TABLE matches ADD COLUMN suspended_for TEXT CHECK (
    suspended_for IN ('channel_gone', 'thread_closed', 'no_access', 'no_sending', 'removed', 'board_removed')
);
UPDATE matches SET suspended_for = suspended_why WHERE suspended_why IS NOT NULL;
ALTER TABLE matches DROP COLUMN suspended_why;
ALTER TABLE matches RENAME COLUMN suspended_for TO suspended_why;


-- Fair play around lost places

-- How often and why a match was suspended during one question, and what was left of its deadlines, as JSON:
-- {"window": 7, "causes": ["thread_closed"], "left": [["turn", "7", 12000]]}
ALTER TABLE matches ADD COLUMN lost_places TEXT;
-- Whose time ran out although they could not act, and why they could not: then the match does not count.
ALTER TABLE matches ADD COLUMN unrated_seat INTEGER;
ALTER TABLE matches ADD COLUMN unrated_why TEXT CHECK (
    (unrated_why IS NULL) = (unrated_seat IS NULL)
    AND unrated_why IN ('gone', 'timed_out', 'hidden', 'no_thread_sending', 'unknown')
);

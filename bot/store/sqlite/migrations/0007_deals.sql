-- Version 2 of a deal (engines/deals.py): its commitment binds the game, the rules' version, the deal's own id and the
-- options besides the seed, and each player may add a salt. What exists stays version 1.

ALTER TABLE invitations ADD COLUMN deal_version INTEGER NOT NULL DEFAULT 1 CHECK (deal_version >= 1);
ALTER TABLE invitations ADD COLUMN deal_id TEXT NOT NULL DEFAULT '';
-- Null in version 1, whose matches were dealt by the rules of the day on which they began.
ALTER TABLE invitations ADD COLUMN rules_version INTEGER;
-- All fields of the options as JSON, with sorted keys and no spaces, as the commitment has them.
ALTER TABLE invitations ADD COLUMN sealed_options TEXT NOT NULL DEFAULT '';
-- [[user, salt], ...] in the order in which they were added.
ALTER TABLE invitations ADD COLUMN salts TEXT NOT NULL DEFAULT '[]';

ALTER TABLE matches ADD COLUMN deal_version INTEGER NOT NULL DEFAULT 1 CHECK (deal_version >= 1);
ALTER TABLE matches ADD COLUMN deal_id TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN sealed_options TEXT NOT NULL DEFAULT '';

CREATE INDEX matches_by_deal ON matches (guild_id, deal_id) WHERE deal_id <> '';

-- In version 2: the SHA-256 of the seat's salt, and its text until its player is deleted.
ALTER TABLE seats ADD COLUMN salt_digest BLOB CHECK (length(salt_digest) = 32);
ALTER TABLE seats ADD COLUMN salt TEXT;

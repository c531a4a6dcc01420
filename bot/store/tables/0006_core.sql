-- Matches that begin by themselves, because a feature of the bot began them and nobody pressed.

-- Whether others of the server play the same deal, which is closed until all of them are over.
ALTER TABLE matches ADD COLUMN shared INTEGER NOT NULL DEFAULT 0 CHECK (shared IN (0, 1));
CREATE INDEX matches_live_deal ON matches (deal_id) WHERE live = 1;
-- Whether it may count. Otherwise its players knew beforehand that it doesn't.
ALTER TABLE matches ADD COLUMN rated INTEGER NOT NULL DEFAULT 1 CHECK (rated IN (0, 1));
-- Whether it has its room beside the limits of channel and server, in the budget of such matches.
ALTER TABLE matches ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved IN (0, 1));

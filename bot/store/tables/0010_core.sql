-- What a slow match's clock stands for (bot/play/clocks/standing_match.py), and a player's time for all turns (banks.py there). Times are in ms
-- UTC.

-- Until when its clock stands or stood while it waits for this seat, whose player is away; null if they were not.
ALTER TABLE seats ADD COLUMN away_until INTEGER;
-- What this seat had left in its bank when the open question began, in ms; null before that changes, and on other clocks.
ALTER TABLE seats ADD COLUMN bank_left INTEGER;
-- Until when it stands or stood because its players agreed to pause; null if they did not.
ALTER TABLE matches ADD COLUMN rests_until INTEGER;

-- An outage moves them all.
CREATE INDEX seats_away ON seats (away_until) WHERE away_until IS NOT NULL;
CREATE INDEX matches_resting ON matches (rests_until) WHERE rests_until IS NOT NULL;

-- Computer players have ids below -2^62 (bot/store/computer_ids.py). The acts that they make name who made them: the level and
-- its version. Acts of people and of the clock name nobody.

ALTER TABLE records ADD COLUMN computer TEXT;

-- What becomes of a seat whose time has run out is a term of the match, as the clock is: ruling C-8.
ALTER TABLE invitations ADD COLUMN stand_in TEXT NOT NULL DEFAULT 'off' CHECK (stand_in IN ('off', 'unrated', 'rated'));
ALTER TABLE matches ADD COLUMN stand_in TEXT NOT NULL DEFAULT 'off' CHECK (stand_in IN ('off', 'unrated', 'rated'));

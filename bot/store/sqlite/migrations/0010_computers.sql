-- Computer players have ids below -2^62 (bot/store/computer_ids.py). The acts that they make name who made them: the level and
-- its version. Acts of people and of the clock name nobody.

ALTER TABLE records ADD COLUMN computer TEXT;

-- What a mention says: a digest of its text, and the deadline that it shows (cogs/updates/boards/marks.py). A start edits only
-- mentions that would say something else. Null if that isn't known.

ALTER TABLE notices ADD COLUMN mark BLOB;

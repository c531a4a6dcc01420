-- What a mention says. bot/store/sqlite/migrations/0014_notice_marks.sql says what the column is.

ALTER TABLE notices ADD COLUMN mark bytea;

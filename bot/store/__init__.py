"""What the bot remembers: the interface (`base`), the SQLite implementation (`sqlite`), the log's codec (`codec`)."""

"""Running the bot: checks, backups, metrics, maintenance commands."""

"""The store in one SQLite file: its tables, its thread, its backups and dumps."""

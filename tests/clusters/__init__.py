"""One bot as several processes: each with a file of its own, and all of them on one PostgreSQL database."""

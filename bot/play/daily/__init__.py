"""The deal of the day: one sealed deal a day and game for a whole server, which each person may try once."""

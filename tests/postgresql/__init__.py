"""PostgreSQL: the server that tests start, and what only it can show. The store's contract is in `tests/bot/store`."""

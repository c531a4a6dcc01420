"""Which shards this process of the bot serves, and for how long, when several processes are one bot."""

"""The connection to Discord: client, shards, identify budget, command tree."""

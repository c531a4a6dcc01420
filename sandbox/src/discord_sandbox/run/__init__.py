"""The sandbox as a process: its server, its control API, the bot it starts."""

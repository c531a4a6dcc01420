"""What happens on this Discord: messages, interactions, channels, threads, commands."""

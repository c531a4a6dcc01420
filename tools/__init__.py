"""Commands for those who work on Cardroom itself, started by the Makefile. They are not installed."""

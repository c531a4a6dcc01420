"""A simulator of the bot and of its Discord: one process, one virtual clock, and chance that a seed fixes.

`python -m tests.simulation --help` tells how to run it.
"""

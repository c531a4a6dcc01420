"""Finished matches, step by step: what each player saw after each act. Nothing is stored; the log is folded."""

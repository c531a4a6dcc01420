"""Faults, each brought about for real. F and a number in a test's name say which kind of fault it is about."""

"""Packages of games as others would write them, for tests to install."""

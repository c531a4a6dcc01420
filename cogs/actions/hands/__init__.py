"""Hands as answers to presses."""

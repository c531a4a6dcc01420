"""Tests of ownership of shards."""

"""Benchmarks, each beside a baseline of the same run."""

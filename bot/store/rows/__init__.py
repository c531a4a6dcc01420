"""The rows of a store: the values that it reads and writes.

Times are integer milliseconds since 1970 in UTC, ids of Discord are integers, `options`, `action` and `events` are JSON
texts that the store does not read (`bot.store.codec` writes them).
"""

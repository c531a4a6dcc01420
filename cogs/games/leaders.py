"""Who is ahead: a line for spectators, made of numbers that everybody may know."""

from __future__ import annotations

from cogs.screens.presenter import Lead, Reader


def leader_line(key: str, lead: Lead, reader: Reader) -> str:
    """Those with the best numbers, in the sentence with this key; empty if all have the same."""
    if len(set(lead.numbers.values())) < 2:
        return ""
    best = lead.best
    leading = [f"**{reader.names[seat]}**" for seat, number in lead.numbers.items() if number == best]
    return reader.words.count(key, best, players=reader.words("names.and").join(leading))

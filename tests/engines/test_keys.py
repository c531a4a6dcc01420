"""The keys of a match's chance. That they deal it again, in every game, is one of the laws."""

from __future__ import annotations

import pytest

from engines.deals import DealV1, Sitter
from engines.keys import KeptChance


def test_a_use_without_a_key_is_not_made_up() -> None:
    kept = KeptChance(DealV1("demo", 1, "m", (Sitter(-1), Sitter(-2))), 3, "std52", {})
    with pytest.raises(KeyError):
        kept.deck((1, 2, 3))
    with pytest.raises(KeyError):
        kept.use("hit")

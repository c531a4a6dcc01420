"""The rules pages, from the source tree; `test_wheel` reads them from an installed copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.ui.catalogue import UnknownPage, rules_text

ROOT = Path(__file__).parents[2]


def test_a_games_rules_are_its_page() -> None:
    assert rules_text("haymaker") == (ROOT / "docs" / "rules" / "haymaker.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("key", ["", "whist", "../rules/haymaker", "Haymaker", "haymaker.md", "haymaker\0"])
def test_no_other_file_is_a_page(key: str) -> None:
    with pytest.raises(UnknownPage):
        rules_text(key)

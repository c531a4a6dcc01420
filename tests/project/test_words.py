"""The count of the words that players read."""

from __future__ import annotations

from pathlib import Path

from babel.messages.catalog import Catalog

from tools.words import of_catalogue, of_pages


def test_a_sentence_counts_with_all_its_forms_for_the_first_part_of_its_key() -> None:
    sentences = Catalog(locale="en")
    sentences.add("board.turn", "Your turn, {player}.\nHurry!")
    sentences.add(("board.left", "board.left"), ("{n} card", "{n} cards"))
    sentences.add("yes", "Yes")
    assert of_catalogue(sentences) == {"board": 8, "yes": 1}


def test_a_rules_page_counts_for_its_game(tmp_path: Path) -> None:
    (tmp_path / "whist.md").write_text("# Whist\n\nFollow suit.\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("Not a page.", encoding="utf-8")
    assert of_pages(tmp_path) == {"whist": 4}

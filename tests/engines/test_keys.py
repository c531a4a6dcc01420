"""The keys of a match's chance deal it again, in every game, with neither its seed nor its players."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engines.chance import Chance, Sitter, Table
from engines.game import Event, fold
from engines.keys import KeptChance, NotingChance
from laws.golden import FOLDER, read
from laws.play import FIRST_USER

FILES = sorted(FOLDER.glob("*.txt"))


def play(file: Path, chance: Callable[[int], Chance]) -> list[Event]:
    """Everything that happens in a golden match with this chance."""
    deal, acts = read(file.read_text())
    game = deal.game
    state = game.start(deal.options, deal.seats)
    happened = list(game.deal(state, chance(0)))
    state = fold(game, state, happened)
    for seq, (actor, action) in enumerate(acts, start=1):
        events = tuple(game.decide(state, actor, action, chance(seq)))
        state = fold(game, state, events)
        happened += events
    return happened


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_noted_keys_make_the_same_match_without_seed_and_players(file: Path) -> None:
    deal, _ = read(file.read_text())
    pack_id = deal.game.pack(deal.options, deal.seats).pack_id

    def table(first: int) -> Table:
        info = deal.game.info
        sitters = tuple(Sitter(first + seat) for seat in range(deal.seats))
        return Table(info.key, info.rules_version, deal.match_id, sitters)

    plain = play(file, deal.chance)
    noted: dict[str, bytes] = {}
    assert play(file, lambda seq: NotingChance(deal.seed, table(FIRST_USER), seq, pack_id, noted)) == plain
    assert f"1:{pack_id}" in noted
    assert play(file, lambda seq: KeptChance(table(-9), seq, pack_id, noted)) == plain


def test_a_use_without_a_key_is_not_made_up() -> None:
    kept = KeptChance(Table("demo", 1, "m", (Sitter(-1), Sitter(-2))), 3, "std52", {})
    with pytest.raises(KeyError):
        kept.deck((1, 2, 3))
    with pytest.raises(KeyError):
        kept.use("hit")

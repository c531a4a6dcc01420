"""What the laws read in a message."""

from __future__ import annotations

from bot.games import GAMES
from bot.ui.catalogue import translations
from tests.simulation.reading import Reading, hand_titles, key_of

say = translations("en")


def test_a_note_above_a_shared_win_is_the_note_and_not_the_result() -> None:
    over, won = say("refusal.match_over"), "P0 and P5 share the win."
    assert key_of(won).startswith("ending.")
    title = next(title for title in sorted(hand_titles()) if GAMES["tivmiv"].info.title in title)
    assert Reading((title, f"**{over}**", f"**{won}**"), ()).note == over
    assert Reading((title, f"**{won}**"), ()).note == ""
    why = say("champions.ending.out_of_cards")
    assert Reading((title, f"**{over}**", f"**{why}**"), ()).note == over
    assert Reading((title, f"**{why}**"), ()).note == ""

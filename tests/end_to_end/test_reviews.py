"""*What decided it* after a match, and *Hint* during one against computers alone."""

from __future__ import annotations

import pytest

from bot.play.computers import seats
from bot.ui.catalogue import translations
from bot.ui.screen import Press
from cogs.screens import custom_ids
from discord_sandbox import JsonObject, Sandbox
from tests.end_to_end.cardroom import Cardroom, eventually
from tests.end_to_end.players import challenge, hand_of
from tests.end_to_end.practising import says

say = translations("en")
REVIEW, HINT = say("button.review"), say("button.hint")


@pytest.fixture(autouse=True)
def quick_thoughts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Computers don't wait before they act."""
    monkeypatch.setattr(seats, "thinking_seconds", lambda _size, _luck: 0.0)


async def test_a_hint_names_the_best_moves_in_practice_and_nowhere_else(sandbox: Sandbox, room: Cardroom) -> None:
    # A hint names the best moves in practice and nowhere else.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = (await alice.slash(lobby, "haymaker practice")).message
    hand = await hand_of(alice, board)
    await eventually(lambda: says(hand, HINT))
    hinted = await alice.press(hand, label=HINT)
    assert hinted.visibility == "ephemeral"
    acts = [say(f"haymaker.do.{act}", cards="") for act in ("attack", "block", "hit")]  # by who attacks first
    assert any(act in hinted.text for act in acts)
    assert "%" in hinted.text
    board = await challenge(alice, bob, lobby)
    (match,) = room.app.matches.of_player(bob.id, None)
    mover = alice if 0 in match.awaited else bob
    hand = await hand_of(mover, board)
    assert HINT not in hand.labels
    forged = await mover.forge(lobby, "component", pressed(match.id, "hint", match.window_number), hand)
    assert say("hint.none") in forged.text

    # Where no level is better a hint says that all moves are the same.
    await room.clear()
    hand = (await alice.slash(lobby, "unbreakable practice", pace="swift")).message
    await eventually(lambda: says(hand, HINT))
    assert say("hint.all_same") in (await alice.press(hand, label=HINT)).text


def pressed(match_id: str, verb: str, window: int = 0) -> JsonObject:
    """The data of a press of a button that nobody was shown."""
    return {"custom_id": custom_ids.write(match_id, Press(verb, window)), "component_type": 2}

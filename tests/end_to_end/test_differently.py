"""*Try it differently*: practice from just before a move that cost much, with the cards as they lay; and *Hint*."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from bot.ops.match_check import verify_all
from bot.store.special_ids import computer_id
from bot.ui.catalogue import translations
from bot.ui.screen import Press
from cogs.screens import custom_ids
from discord_sandbox import DrivenChannel, JsonObject, Person, Sandbox
from tests import quick_reviewer
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.deals import fixed_deals
from tests.end_to_end.players import challenge, hand_of, move, press_where_it_is
from tests.end_to_end.practising import only_match, play_against_computers, says, waits_for
from tests.seeds import tells_seed

say = translations("en")
REVIEW, FIRST = say("button.review"), say("button.differently", place=1)


@pytest.fixture(autouse=True)
def alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every run deals alike."""
    fixed_deals(monkeypatch, 5)


@pytest.mark.nightly  # two whole matches each
@pytest.mark.parametrize("game", ["haymaker", "ciq"])
async def test_one_plays_on_from_a_costly_move_with_the_same_cards_also_after_a_restart(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr(quick_reviewer, "SHARE", 1)  # a short review finds no costly move here
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        more = {"computers": 2} if game == "ciq" else {}
        board = (await alice.slash(lobby, f"{game} practice", level="easy", **more)).message
        first = await only_match(room)
        await play_against_computers(first, alice, board)
        await eventually(lambda: says(board, "More…"))
        review = (await press_where_it_is(alice, board, REVIEW)).message
        assert say("review.differently") in review.text
        begun = await alice.press(review, label=FIRST)
        assert begun.visibility == "ephemeral"
        again = await only_match(room)
        assert again.origin is not None
        assert again.origin.match_id == first.id
        seat = again.seats.index(alice.id)
        others = [user for user in again.seats if user != alice.id]
        assert others == [computer_id("easy", others[:index]) for index in range(len(first.seats) - 1)]
        assert again.private(seat) == first.earlier(again.origin.facts, seat)[1]
        assert say("deal.practice") in begun.message.text
        proof = await alice.press(begun.message, custom_id=custom_ids.write(again.id, Press("proof")), force=True)
        assert say("proof.practice", match=first.id) in proof.text
        assert "Seal:" not in proof.text
        await alice.press(begun.message, label=say("button.back_to_cards"))
        running = await alice.slash(lobby, "verify", code=again.id)
        assert say("verify.running") in running.text
        assert "Seal:" not in running.text
        await move(alice, await hand_of(alice, begun.message), random.Random(2))
        await eventually(lambda: waits_for(again, seat))
        before = list(await again.read_events())
    async with cardroom(sandbox, tmp_path) as room:
        restored = await room.app.matches.find(again.id)
        assert restored is not None
        assert restored.origin == again.origin
        assert list(await restored.read_events())[: len(before)] == before
        if not restored.over:
            await play_against_computers(restored, alice, begun.message)
        await eventually(lambda: says(begun.message, say("ending.uncounted_practice"), "Rematch"))
        assert await room.store.games_played(again.guild_id) == []
        await _is_called_no_proof(alice, lobby, again.id, first.id)
        assert not tells_seed(begun.message.text, restored)
    with closing(sqlite3.connect(tmp_path / "cardroom.db")) as db:
        assert verify_all(db).altered == {}
        db.execute("DROP TRIGGER records_are_never_changed")
        db.execute("UPDATE records SET events = replace(events, '3', '4') WHERE seq = 0 AND match_id = ?", (again.id,))
        assert verify_all(db).altered == {again.id: "its log was altered at record 0"}


async def _is_called_no_proof(person: Person, channel: DrivenChannel, match_id: str, source: str) -> None:
    """What `/verify`, the proof and the file say once the match is over."""
    told = await person.slash(channel, "verify", code=match_id)
    for text in ("verify.practice", "verify.unchecked.not_dealt", "verify.fits.acts", "verify.fits.log"):
        assert say(text) in told.text
    assert say("proof.practice", match=source) in told.text
    assert "Seal:" not in told.text
    assert say("verify.fits.seal") not in told.text
    sent = await person.press(told.message, label="Export")
    (file,) = sent.message.raw["attachments"]
    async with aiohttp.ClientSession() as session, session.get(file["url"]) as answer:
        exported = json.loads(await answer.read())
    assert exported["begun_from"]["match"] == source
    assert "seal" not in exported["deal"]
    held = await person.slash(channel, "mydata export")
    (file,) = held.message.raw["attachments"]
    async with aiohttp.ClientSession() as session, session.get(file["url"]) as answer:
        mine = json.loads(await answer.read())
    (entry,) = [each for each in mine["matches"] if each["id"] == match_id]
    assert entry["begun_from"]["match"] == source


# --------------------------------------------------------------------------------------------------------- hints


HINT = say("button.hint")


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
    forged = await mover.forge(lobby, "component", pressed_button(match.id, "hint", match.window_number), hand)
    assert say("hint.none") in forged.text

    # Where no level is better a hint says that all moves are the same.
    await room.clear()
    hand = (await alice.slash(lobby, "unbreakable practice", pace="swift")).message
    await eventually(lambda: says(hand, HINT))
    assert say("hint.all_same") in (await alice.press(hand, label=HINT)).text


def pressed_button(match_id: str, verb: str, window: int = 0) -> JsonObject:
    """The data of a press of a button that nobody was shown."""
    return {"custom_id": custom_ids.write(match_id, Press(verb, window)), "component_type": 2}

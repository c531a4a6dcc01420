"""The secrecy law on the wire: what the running bot sends, to whom, and what it logs, over whole matches."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.art.images import Family, card_name
from bot.play.live_match import LiveMatch
from bot.ui.display_names import DisplayNames
from cogs.games.haymaker import HaymakerPresenter
from cogs.interactions import time_limits
from discord_sandbox import MessageView, Person, Reply, Sandbox
from laws.knowledge import seen
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.deals import fixed_deals
from tests.end_to_end.emojis import give_emojis
from tests.end_to_end.players import OVER, challenge, hand_of, move
from tests.end_to_end.test_proof import add_salt, proof_of
from tests.games.cases import case_of
from tests.laws.planted import PeekingPresenter
from tests.seeds import tells_seed

CARD = re.compile(r"(?<![0-9A-Z])(?:10|[A2-9])[♣♦♥♠]|(?<![0-9A-Za-z])[A2-9T][CDHS](?![0-9A-Za-z])")
EMOJI = re.compile(
    r"(?<![0-9a-z])((?:ace|jack|queen|king|10|[2-9])_(?:clubs|diamonds|hearts|spades)|joker)_[0-9a-f]{6}"
)
MOST_MOVES = 150
DEFERRED, DEFERRED_UPDATE = 5, 6
"""Discord's numbers of first answers that say no more than that one comes."""


class Watch:
    """Holds every request against what its audience has had a right to see when it was sent."""

    def __init__(self, sandbox: Sandbox, match: LiveMatch) -> None:
        self._sandbox = sandbox
        self._match = match
        self.looked_at = 0
        self.cards = 0
        self.emojis = 0

    async def look(self) -> None:
        """Check what was sent since the last look."""
        facts = await self._match.read_events()
        for request in self._sandbox.transcript.requests[self.looked_at :]:
            self.looked_at += 1
            if self._match.over and request.at * 1000 >= match_end(self._match):
                continue  # everything is open once a match is over
            sent = request.raw.decode()  # the path is Discord's own ids, and a token in which anything may stand
            sent = sent.encode().decode("unicode_escape") if "\\u" in sent else sent
            audience = request.audience
            viewer = self._match.seat_of(audience) if isinstance(audience, int) else None
            allowed = seen(case_of(self._match.game.info.key), facts, viewer)
            known = {card.name for card in allowed} | {card.code for card in allowed}
            told = set(CARD.findall(sent))
            assert told <= known, f"{audience} was told of a hidden card"
            shown = set(EMOJI.findall(sent))
            assert shown <= {card_name(Family.FRENCH, card.code) for card in allowed}, (
                f"{audience} was shown the emoji of a hidden card"
            )
            self.cards += len(told)
            self.emojis += len(shown)


async def play_watched(
    sandbox: Sandbox, people: list[Person], board: MessageView, watch: Watch, rng: random.Random
) -> None:
    """Play to the end and look at everything that was sent, the last board included."""
    for _ in range(MOST_MOVES):
        await watch.look()
        if not await somebody_moves(people, board, rng):
            await sandbox.wait_for(lambda: board.labels == OVER)
            await watch.look()
            return
    raise AssertionError("the match did not end")


async def somebody_moves(people: list[Person], board: MessageView, rng: random.Random) -> bool:
    """Have everybody open their hand, and one of them move; False where nobody can, because the match is over."""
    hands = []
    for person in people:
        if "My cards" not in board.labels:  # the last board may come while the others open their hands
            return False
        hands.append(await hand_of(person, board))
    for person, hand in zip(people, hands, strict=True):
        if await move(person, hand, rng) is not None:
            return True
    return False


@pytest.mark.nightly  # whole matches; the laws look at every screen of more
@pytest.mark.parametrize("seed", range(3))
async def test_nobody_is_sent_a_card_they_have_no_right_to_see(
    sandbox: Sandbox, room: Cardroom, caplog: pytest.LogCaptureFixture, seed: int
) -> None:
    caplog.set_level(logging.INFO)
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = (await alice.slash(lobby, "haymaker challenge", opponent=bob)).message
    salts = {alice.id: "quagmire", bob.id: "zeppelin"}
    for person in (alice, bob):
        await add_salt(person, asked, salts[person.id])
    board = (await bob.press(asked, label="Accept")).message
    (match,) = room.app.matches.live()
    row = await room.store.match(match.id)
    assert row is not None
    watch = Watch(sandbox, match)
    for person in (alice, bob, sandbox.user("Carol")):
        await proof_of(person, board)
        await person.slash(lobby, "verify", code=match.id)
    await play_watched(sandbox, [alice, bob], board, watch, random.Random(seed))
    assert watch.cards > 50
    assert not CARD.search(caplog.text)
    assert row.seed.hex() not in caplog.text
    assert sandbox.token not in caplog.text
    before = [request for request in sandbox.transcript.requests if request.at * 1000 < match_end(match)]
    assert row.seed.hex() not in "".join(request.raw.decode() for request in before)
    for owner, salt in salts.items():
        assert salt not in caplog.text
        readers = {request.audience for request in before if salt in request.raw.decode()}
        assert readers == {owner}
        assert salt in (await proof_of(sandbox.user("Carol"), board)).text
    assert tells_seed((await proof_of(sandbox.user("Carol"), board)).text, match)


@pytest.fixture
async def room_with_emojis(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Cardroom]:
    give_emojis(sandbox)
    async with cardroom(sandbox, tmp_path, CARDROOM_CARD_EMOJIS="on") as running:
        await sandbox.wait_for(lambda: running.client.card_emojis.usable(Family.FRENCH))
        yield running


@pytest.mark.nightly  # the same
@pytest.mark.parametrize("seed", range(2))
async def test_nor_its_emoji(
    sandbox: Sandbox, room_with_emojis: Cardroom, caplog: pytest.LogCaptureFixture, seed: int
) -> None:
    caplog.set_level(logging.INFO)
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    (match,) = room_with_emojis.app.matches.live()
    watch = Watch(sandbox, match)
    await play_watched(sandbox, [alice, bob], board, watch, random.Random(seed))
    assert watch.emojis > 50
    assert not EMOJI.search(caplog.text)


@pytest.mark.nightly  # the same
@pytest.mark.parametrize("seed", range(2))
async def test_nor_is_anybody_when_every_answer_is_put_off(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    slowly_answered(sandbox, monkeypatch)
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    assert asked.kind == "deferred"
    await sandbox.wait_for(lambda: lobby.messages)
    (board,) = lobby.messages
    await bob.press(board, label="Accept")
    await sandbox.wait_for(lambda: "My cards" in board.labels)
    (match,) = room.app.matches.live()
    watch = Watch(sandbox, match)
    await play_watched(sandbox, [alice, bob], board, watch, random.Random(seed))
    assert watch.cards > 50
    responses = [each for each in sandbox.transcript.requests if each.path.endswith("/callback")]
    assert {each.status for each in responses} <= {200, 204}
    kinds = [json.loads(each.raw)["type"] for each in responses]
    assert set(kinds) == {DEFERRED, DEFERRED_UPDATE}
    assert lobby.messages == [board]


def slowly_answered(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the bot put every answer off at once, and people wait for what comes of it before they press again."""
    remember, press = DisplayNames.remember, Person.press

    async def remember_slowly(people: DisplayNames, guild_id: int, user_id: int, name: str) -> None:
        await asyncio.sleep(0.01)
        await remember(people, guild_id, user_id, name)

    async def press_and_wait(person: Person, *which: Any, **more: Any) -> Reply:
        reply = await press(person, *which, **more)
        await sandbox.wait_for(lambda: not put_off(sandbox))
        return reply

    monkeypatch.setattr(time_limits, "DEFER_AFTER", 0.0)
    monkeypatch.setattr(DisplayNames, "remember", remember_slowly)
    monkeypatch.setattr(Person, "press", press_and_wait)


def put_off(sandbox: Sandbox) -> set[str]:
    """The tokens of interactions that have their first response and nothing further."""
    paths = [each.path for each in sandbox.transcript.requests if each.status < 300]
    answered = {path.split("/")[-2] for path in paths if path.endswith("/callback")}
    return answered - {path.partition("/webhooks/")[2].split("/")[1] for path in paths if "/webhooks/" in path}


def match_end(match: LiveMatch) -> float:
    assert match.result is not None
    return match.result.ended_at


async def test_planted_leaks_are_caught_on_the_wire(
    sandbox: Sandbox, room_with_emojis: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixed_deals(monkeypatch, seed=1)
    room, lobby = room_with_emojis, sandbox.channel("lobby")
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    for leak, told in (("card", "was told of a hidden card"), ("emoji", "was shown the emoji of a hidden card")):
        await room.clear()
        board = await challenge(alice, bob, lobby)
        (match,) = room.app.matches.live()
        watch = Watch(sandbox, match)
        watch.looked_at = len(sandbox.transcript.requests)
        room.app.presenters["haymaker"] = PeekingPresenter(match, leak)
        with pytest.raises(AssertionError, match=told):
            await play_watched(sandbox, [alice, bob], board, watch, random.Random(1))
        room.app.presenters["haymaker"] = HaymakerPresenter()

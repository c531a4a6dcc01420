"""All that a stranger can be told of a match that is in play, closed or private deals none of its cards."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.match_readers import Derivable
from bot.play.computers import seats
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_state import codec
from bot.store.queries import finished_matches
from bot.store.queries.matches import MatchRow
from bot.ui.screen import Screen, Text
from cogs.actions import finding
from cogs.proofs import commands
from cogs.proofs.screens import running_proof
from discord_sandbox import MessageView, Sandbox
from engines.game import Resign
from tests.end_to_end.cardroom import Cardroom, cardroom, to_noon
from tests.end_to_end.players import OVER
from tests.end_to_end.test_daily import finish
from tests.end_to_end.test_privacy import SALT, kept_private, practised
from tests.end_to_end.test_proof import add_salt
from tests.secrecy.adversary import Adversary
from tests.shared_deals import begin

UNKNOWN = {"closed", "practice in play", "practice"}
"""Of these a stranger learns not even that there is such a match."""
UNSEALED = UNKNOWN | {"shared in play", "shared"}
"""Of these a stranger is not even shown the seal."""


@pytest.fixture
async def room(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cardroom]:
    monkeypatch.setattr(seats, "thinking_seconds", lambda _size, _luck: 0.0)
    async with cardroom(sandbox, tmp_path) as running:
        yield running


async def begun(sandbox: Sandbox, room: Cardroom, stage: str) -> tuple[MatchRow, list[MessageView]]:
    """A match at a stage, and the public messages that show it."""
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    if stage == "private":
        board, code = await kept_private(room, alice, bob, lobby)
        shown = [board]
    elif stage.startswith("practice"):
        code, shown = await practised(room, alice, lobby, finished=stage == "practice"), []
    elif stage.startswith("shared"):
        matches, shown = await shared(sandbox, room), list(lobby.messages)
        over = {"shared in play": 0, "shared": 1, "shared over": len(matches)}[stage]
        for match in matches[:over]:
            await leave(room, match)
        await sandbox.wait_for(lambda: sum(each.labels in ([], OVER) for each in lobby.messages) == over)
        code = matches[0].id
    elif stage == "closed":
        to_noon(room)
        code, shown = (await finish(room, alice, lobby)).id, list(lobby.messages)
    else:
        asked = (await alice.slash(lobby, "haymaker challenge", opponent=bob)).message
        await add_salt(alice, asked, SALT)
        shown = [(await bob.press(asked, label="Accept")).message]
        (match,) = room.app.matches.live()
        code = match.id
    row = await room.store.match(code)
    assert row is not None
    return row, shown


async def shared(sandbox: Sandbox, room: Cardroom) -> list[LiveMatch]:
    """Two matches with one deal, of Alice and Bob, and of Dave and Erin, whose boards are there."""
    lobby = sandbox.channel("lobby")
    alice, bob, dave, erin = (sandbox.user(name).id for name in ("Alice", "Bob", "Dave", "Erin"))
    place = lobby.server_id or 0, lobby.id
    lifecycle = room.app.find(MatchLifecycle)
    found = await begin(room.store, lifecycle, [(alice, bob), (dave, erin)], place)
    await sandbox.wait_for(lambda: len(lobby.messages) == len(found))
    return found


async def leave(room: Cardroom, match: LiveMatch) -> None:
    """End a match by resigning it."""
    await match.act(0, Resign())
    room.app.clock.settle(match)
    room.app.updates.match_changed(match)


async def tried(sandbox: Sandbox, room: Cardroom, stage: str, who: str) -> tuple[Adversary, MatchRow, Any]:
    """What somebody learns of a match at a stage who tries everything; the match, and how it was dealt."""
    row, shown = await begun(sandbox, room, stage)
    players = [sandbox.user("Alice"), sandbox.user("Bob")]
    adversary = Adversary(sandbox, room.app, sandbox.user(who), sandbox.channel("lobby"))
    await adversary.try_everything(row, players, shown)
    assert adversary.asked > 500
    opening = (await room.store.records(row.id))[0]
    return adversary, row, tuple(codec(row.game).decode_all(opening.events))


async def cannot_deal(sandbox: Sandbox, room: Cardroom, stage: str, who: str) -> None:
    """Somebody tries everything, and cannot deal the cards of a match at a stage."""
    adversary, row, _ = await tried(sandbox, room, stage, who)
    assert adversary.deal(row) is None
    assert SALT.encode() not in adversary.told
    assert row.commitment.hex().encode() in adversary.told or stage in UNSEALED


def all_for_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant a table that lets everybody derive everything of a match that is over."""
    for module in (finished_matches, finding):
        monkeypatch.setattr(module, "may_derive", lambda _stage, _reader: Derivable.ALL)


def seed_in_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant a proof that shows the seed of a match in play."""
    shows = running_proof

    def shows_seed(row: MatchRow, *given: Any, **more: Any) -> Screen:
        screen = shows(row, *given, **more)
        return Screen(screen.title, (*screen.sections, Text(row.seed.hex())), screen.rows)

    monkeypatch.setattr(commands, "running_proof", shows_seed)


def nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant nothing."""


@pytest.mark.nightly  # thousands of presses each; who may derive what is unit tested
@pytest.mark.parametrize(
    ("stage", "who", "plant"),
    [
        ("in play", "Carol", None),
        ("shared in play", "Carol", None),
        ("closed", "Carol", None),
        ("private", "Carol", None),
        ("practice in play", "Carol", None),
        ("practice", "Carol", None),
        ("shared", "Carol", None),
        ("shared", "Bob", None),  # a player, while others play the same deal
        ("shared", "Dave", None),
        ("in play", "Carol", seed_in_proof),
        ("private", "Carol", all_for_everybody),
        ("private", "Bob", nothing),  # one of its players
        ("shared over", "Carol", nothing),
    ],
)
async def test_who_tries_everything_deals_the_cards_only_where_they_may_or_a_fault_is_planted(
    sandbox: Sandbox,
    room: Cardroom,
    monkeypatch: pytest.MonkeyPatch,
    *,
    stage: str,
    who: str,
    plant: Callable[[pytest.MonkeyPatch], None] | None,
) -> None:
    if plant is None:
        await cannot_deal(sandbox, room, stage, who)
        return
    plant(monkeypatch)
    adversary, row, opening = await tried(sandbox, room, stage, who)
    assert adversary.deal(row) == opening
    assert SALT.encode() in adversary.told or stage != "private"

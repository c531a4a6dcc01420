"""Whatever changes a match, those who show it are told afterwards."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.play.live_match import LiveMatch
from bot.play.observers import Observers
from bot.store.queries.matches import MatchRow, Suspension
from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from engines.game import Resign
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge, hand_of, move, play_out, press_where_it_is
from tests.failing_rules import fail_rules

say = translations("en")

VALUES = frozenset({"_row", "_position", "_result"})
"""What a match is made of."""


def boardless(value: object) -> object:
    """A value without where the board is: that changes because it is shown, not the other way round."""
    return replace(value, board_id=None, board_at=None) if isinstance(value, MatchRow) else value


class Untold:
    """The matches in play that have changed since their observers were told last."""

    def __init__(self, room: Cardroom, monkeypatch: pytest.MonkeyPatch) -> None:
        self.matches: set[str] = set()
        self.changes = 0
        set_value = object.__setattr__

        def noting(match: LiveMatch, name: str, value: object) -> None:
            changed = name in VALUES and boardless(getattr(match, name, value)) != boardless(value)
            if changed and match in room.app.matches.live():
                self.matches.add(match.id)
                self.changes += 1
            set_value(match, name, value)

        monkeypatch.setattr(LiveMatch, "__setattr__", noting)
        for event in ("match_changed", "match_resumed", "match_repaired"):
            monkeypatch.setattr(Observers, event, self._told(getattr(Observers, event)))

    def _told(self, tell: Callable[..., None]) -> Callable[..., None]:
        def telling(observers: Observers, match: LiveMatch, *more: Any) -> None:
            self.matches.discard(match.id)
            tell(observers, match, *more)

        return telling


@pytest.fixture
async def untold(sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Untold]:
    watched = Untold(room, monkeypatch)
    yield watched
    assert watched.changes
    await all_told(sandbox, watched)


async def all_told(sandbox: Sandbox, untold: Untold) -> None:
    """Wait until the observers know of every change: they are told after the answer. Raises TimeoutError."""
    await sandbox.wait_for(lambda: not untold.matches)


async def test_a_match_from_its_first_move_to_its_last(untold: Untold, sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    await play_out({"Alice": alice, "Bob": bob}, board, random.Random(1))
    assert not list(room.app.matches.live())


async def test_calling_off_resigning_the_clock_suspending_outages_and_faults(
    untold: Untold, sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Calling off resigning and the clock.
    alice, bob, carol, lobby = (*(sandbox.user(name) for name in ("Alice", "Bob", "Carol")), sandbox.channel("lobby"))
    board = await challenge(alice, bob, lobby)
    await press_where_it_is(alice, board, "Call off")
    await all_told(sandbox, untold)
    await press_where_it_is(bob, board, "Call off")
    await all_told(sandbox, untold)
    board = await challenge(bob, carol, lobby)
    asked = await press_where_it_is(carol, board, "Resign")
    await press_where_it_is(carol, asked.message, "Resign")
    await all_told(sandbox, untold)
    await challenge(carol, alice, lobby, clock="blitz")
    room.pass_time(60)
    await sandbox.wait_for(lambda: not list(room.app.matches.live()))

    # A match that is suspended and resumed.
    await room.clear()
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    await challenge(alice, bob, lobby)
    (match,) = room.app.matches.live()
    await room.app.lifecycle.suspend(match, Suspension.NO_ACCESS)
    await all_told(sandbox, untold)
    listed = await bob.slash(lobby, "games")
    (button,) = [each for each in listed.message.buttons if each.label.startswith("Resume")]
    assert say("resume.done") in (await bob.press(listed.message, custom_id=button.custom_id)).text
    await all_told(sandbox, untold)
    await room.app.lifecycle.suspend(match, Suspension.NO_ACCESS)
    observed = await room.store.record_look(room.now(), None)
    await room.app.lifecycle.lapse(observed.suspended, 0)
    assert match.over

    # Time that is given back.
    await room.clear()
    await challenge(sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby"))
    room.client.connection_guard.mark_away()
    room.pass_time(60, ring=False)
    await room.client.connection_guard.connection_restored()

    # A rule that fails.
    await room.clear()
    board = await challenge(alice, bob, lobby)
    (match,) = room.app.matches.live()
    fail_rules(monkeypatch, match, KeyError("a card"))
    for person in (alice, bob):
        await move(person, await hand_of(person, board), random.Random(1))
    assert match.failed is not None


async def test_a_change_without_a_notification_is_noticed_by_this_test(
    monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox, room: Cardroom
) -> None:
    untold = Untold(room, monkeypatch)
    await challenge(sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby"))
    (match,) = room.app.matches.live()
    await match.act(0, Resign())
    assert untold.matches == {match.id}

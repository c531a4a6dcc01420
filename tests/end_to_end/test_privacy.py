"""Who is stored: those who use the bot and those who are invited, and nobody whom others only look at."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from bot.play.matchmaking.invitations import Inviting, Proposal
from bot.play.refusals import Refused
from bot.ui.catalogue import translations
from discord_sandbox import Person, Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.test_my_data import delete, finished
from tests.people_in_database import people_in

say = translations("en")


def stored(folder: Path, *people: Person) -> dict[int, set[str]]:
    """Where the database has any of these people."""
    return people_in(folder / "cardroom.db", {person.id: person.name for person in people})


async def test_whose_history_or_profile_is_looked_at_is_not_stored_and_neither_is_who_looks(
    sandbox: Sandbox, room: Cardroom, tmp_path: Path
) -> None:
    alice, carol, lobby = sandbox.user("Alice"), sandbox.user("Carol"), sandbox.channel("lobby")
    assert "Carol" in (await alice.slash(lobby, "history", user=carol)).text
    assert "Carol" in (await alice.slash(lobby, "profile", player=carol)).text
    assert "Carol" in (await alice.context_menu(lobby, say("command.profile_menu"), carol)).text
    assert "Alice" in (await alice.slash(lobby, "profile")).text
    assert stored(tmp_path, alice, carol) == {}


async def test_who_deleted_everything_does_not_come_back_because_others_look(
    sandbox: Sandbox, room: Cardroom, tmp_path: Path
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    await finished(sandbox, room)
    assert stored(tmp_path, bob).keys() == {bob.id}
    await delete(sandbox, bob, lobby)
    assert "Bob" in (await alice.slash(lobby, "profile", player=bob)).text
    assert "Bob" in (await alice.slash(lobby, "history", user=bob)).text
    panel = (await alice.context_menu(lobby, say("command.menu"), bob)).message
    clock = panel.selects[1]
    picked = await alice.select(panel, custom_id=clock.custom_id, values=[clock.options[-1].value])
    assert say("panel.title", name="Bob") in picked.text
    assert stored(tmp_path, bob) == {}
    await alice.press(panel, label=say("panel.send"))
    assert stored(tmp_path, bob)[bob.id] >= {"names.user_id", "names.name", "invitations.invited"}


async def test_a_challenge_that_is_refused_stores_nobody_but_who_made_it(
    sandbox: Sandbox, room: Cardroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_inviting: Inviting, _proposal: Proposal) -> NoReturn:
        raise Refused("challenge.absent")

    monkeypatch.setattr(Inviting, "invite", refuse)
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    assert asked.text == say("challenge.absent")
    assert stored(tmp_path, alice, bob).keys() == {alice.id}

"""Presses on *Proof*, *Add a salt* and *Export* that go wrong, come late or cross another."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.games import GAMES
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.store.errors import NotSaved
from bot.store.queries.invitations import Invitation, InvitationKind
from cogs.interactions import time_limits
from cogs.interactions.arrivals import SECOND
from cogs.updates.edit_queue import SPACING
from engines.deals import salt_digest
from tests.bot.play.parts import ANN, BOB, CHANNEL, GUILD
from tests.cogs.actions.offline_bot import OfflineBot, say
from tests.cogs.fake_interaction import FakeInteraction, Seen
from tests.cogs.fake_messages import FakeMessages
from tests.failing_rules import raising


async def submit(bot: OfflineBot, invitation: Invitation, user: int, text: object, **more: Any) -> FakeInteraction:
    """Send the form of a salt."""
    typed = {"type": 18, "component": {"type": 4, "custom_id": "typed", "value": text}}
    return await bot.press(f"g1:{invitation.id}:0:salt", user, components=[typed], **more)


async def test_the_form_asks_for_one_line_of_at_most_64_characters(bot: OfflineBot) -> None:
    invitation = await bot.invited()
    press = await bot.press(f"g1:{invitation.id}:0:saltform", BOB)
    assert (press.did, press.texts) == (["form"], [])
    assert press.form is not None
    assert press.form["custom_id"] == f"g1:{invitation.id}:0:salt"
    (label,) = press.form["components"]
    assert label["component"] == {"type": 4, "custom_id": "typed", "style": 1, "max_length": 64}


async def test_a_form_that_can_no_longer_open_says_so(bot: OfflineBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limits, "DEFER_AFTER", 0.0)
    invitation = await bot.invited()
    source = Seen("proof", private=True)
    press = await bot.press(f"g1:{invitation.id}:0:saltform", BOB, source=source, takes=0.1)
    await asyncio.sleep(1)
    assert press.form is None
    assert (source.text, press.texts) == ("proof", [say("press.form_late")])


async def test_a_form_that_this_version_did_not_write_is_refused(bot: OfflineBot) -> None:
    invitation = await bot.invited()
    components: tuple[Any, ...] = (
        *(None, 7, [], [7], [{}], [{"component": None}], [{"component": {"custom_id": "typed"}}]),
        [{"component": {"custom_id": "typed", "value": 7}}],
        [{"component": {"custom_id": "another", "value": "x"}}],
        [{"components": [{"custom_id": "typed", "value": "x"}]}],
    )
    for each in components:
        press = await bot.press(f"g1:{invitation.id}:0:salt", BOB, components=each)
        assert press.texts == [say("press.unknown")], each
        await asyncio.sleep(SECOND)
    assert bot.invitations.open()[0].salts == ()


async def test_a_salt_is_confirmed_in_the_proof_and_shown_in_public_by_its_hash(bot: OfflineBot) -> None:
    invitation = await bot.invited()
    shown = await bot.messages.post_text(GUILD, CHANNEL, "asked", [ANN])
    await bot.invitations.note_message(invitation, shown.message_id)
    source = Seen("proof", private=True)
    press = await submit(bot, invitation, BOB, " pear ", source=source)
    assert press.did == ["edit"]
    assert say("salt.added") in source.text
    await asyncio.sleep(2 * SPACING)
    public = _text(bot.messages)
    assert salt_digest("pear").hex()[:16] in public
    assert "pear" not in public
    again = await submit(bot, invitation, BOB, "plum", source=source)
    assert again.texts == [say("salt.added_already")]


def _text(messages: FakeMessages) -> str:
    (only,) = messages.there(CHANNEL)
    return messages.messages[only.posted].text


async def test_a_salt_that_cannot_be_saved_is_not_added(bot: OfflineBot, monkeypatch: pytest.MonkeyPatch) -> None:
    invitation = await bot.invited()
    monkeypatch.setattr(bot.store, "reseat_invitation", raising(NotSaved("the disk is full")))
    press = await submit(bot, invitation, BOB, "pear")
    assert press.texts == [f"{say('store.unsaved')} {say('store.keeps_failing')}"]
    assert bot.invitations.open()[0].salts == ()


@pytest.mark.parametrize("first", ["accept", "salt"])
async def test_of_an_accept_and_a_salt_at_once_the_first_counts(bot: OfflineBot, first: str) -> None:
    invitation = await bot.invited()
    accept = bot.press(f"g1:{invitation.id}:0:accept", BOB, source=Seen("asked", private=False))
    salt = submit(bot, invitation, ANN, "pear")
    presses = [accept, salt] if first == "accept" else [salt, accept]
    answers = await asyncio.gather(*presses)
    (match,) = bot.registry.live()
    row = await bot.store.match(match.id)
    assert row is not None
    added = {each.text for each in row.salts} == {"pear", ""}
    refused = say("salt.begun") in answers[presses.index(salt)].texts
    assert added != refused
    assert added == (first == "salt")


async def test_a_table_that_changed_while_a_join_was_answered_is_shown_once_more(bot: OfflineBot) -> None:
    terms = Terms(GUILD, CHANNEL, "ciq", GAMES["ciq"].info.options(), "normal")
    table = await bot.inviting.invite(Proposal(terms, ANN, kind=InvitationKind.TABLE))
    shown = await bot.messages.post_text(GUILD, CHANNEL, "asked", [])
    await bot.invitations.note_message(table, shown.message_id)
    source = Seen("asked", private=False)
    joining = bot.interaction(f"g1:{table.id}:0:join", BOB, source=source, takes=1.5)
    joining.message.id = shown.message_id
    slow = asyncio.create_task(bot.send(joining))
    await asyncio.sleep(0.5)
    await submit(bot, table, ANN, "pear")
    await slow
    await asyncio.sleep(3 * SPACING)
    assert "Salt" not in source.text, "the late answer shows the table as it was before"
    assert [doing for doing, _ in bot.messages.requests] == ["post", "edit", "edit"]
    assert "Salt" in _text(bot.messages)

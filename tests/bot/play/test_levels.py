"""The levels of computer players that are offered at each table, where one is not offered for all."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from bot.play.computers.levels import levels_at
from bot.play.deals.tried import level_of_deal
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.play.refusals import Refused
from bot.store.queries.invitations import Invitation, InvitationKind
from bot.store.special_ids import computer_id
from bot.ui.catalogue import translations
from bot.ui.screen import Select
from cogs.screens.invitation import invitation_more
from engines import GAMES
from engines.ciq import Options
from engines.players import levels
from tests.bot.play.parts import ANN, BOB, CHANNEL, GUILD, MESSAGE, Parts

press_ids = count(1)

TERMS = Terms(GUILD, CHANNEL, "ciq", Options(), "blitz")
SHORT = Terms(GUILD, CHANNEL, "ciq", Options(round_limit=20), "blitz")


@pytest.fixture(autouse=True)
def _hard_for_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """CIQ's computer has three levels, and plays at *hard* for two only, and only with the usual limit of rounds."""
    three = {name: levels.LEVELS["ciq"][name] for name in ("easy", "normal", "hard")}
    hard = replace(three["hard"], offered=lambda options, seats: seats == 2 and options == Options())
    monkeypatch.setattr(levels, "LEVELS", {**levels.LEVELS, "ciq": {**three, "hard": hard}})


def test_a_level_is_offered_for_its_options_and_players_alone() -> None:
    assert levels_at("ciq", Options(), 2) == ("easy", "normal", "hard")
    assert levels_at("ciq", Options(), 1) == ("easy", "normal", "hard"), "with fewer than two nobody plays"
    assert levels_at("ciq", Options(), 3) == ("easy", "normal")
    assert levels_at("ciq", Options(round_limit=20), 2) == ("easy", "normal")


async def table(parts: Parts, terms: Terms = TERMS) -> Invitation:
    """A table of Ann's."""
    return await parts.inviting.invite(Proposal(terms, ANN, kind=InvitationKind.TABLE))


def listed(invitation: Invitation) -> tuple[str, ...]:
    """The levels that a table's message lists."""
    screen = invitation_more(invitation, translations("en"), str, invitation.host_id, ())
    selects = [each for row in screen.rows for each in row if isinstance(each, Select)]
    return next(tuple(option.value for option in each.options) for each in selects if each.press.verb == "addcomputer")


async def test_a_table_lists_and_takes_the_offered_levels_alone(parts: Parts) -> None:
    opened = await table(parts)
    assert listed(opened) == ("easy", "normal", "hard")
    joined = await parts.seating.add_computer(opened.id, ANN, "easy")
    assert listed(joined) == ("easy", "normal")
    with pytest.raises(Refused, match=r"computer\.not_at_this_table"):
        await parts.seating.add_computer(opened.id, ANN, "hard")
    assert listed(await table(parts, SHORT)) == ("easy", "normal")


async def test_a_match_does_not_begin_with_a_level_that_is_no_longer_offered(parts: Parts) -> None:
    opened = await table(parts)
    await parts.seating.add_computer(opened.id, ANN, "hard")
    with parts.presses.take_up(opened.id, next(press_ids)) as press:
        await parts.seating.take_seat(opened.id, BOB, MESSAGE, press)
        with pytest.raises(Refused, match=r"computer\.not_at_this_table"):
            await parts.seating.start(opened.id, ANN, MESSAGE, press)
        await parts.seating.leave(opened.id, BOB)
        match = await parts.seating.start(opened.id, ANN, MESSAGE, press)
    assert len(match.seats) == 2


@pytest.mark.parametrize("terms", [TERMS, SHORT], ids=["three", "short"])
async def test_practice_and_rematches_refuse_it_at_once(parts: Parts, terms: Terms) -> None:
    hard = computer_id("hard")
    computers = (hard, computer_id("hard", (hard,))) if terms is TERMS else (hard,)
    with pytest.raises(Refused) as refused:
        await parts.inviting.invite(Proposal(terms, ANN, kind=InvitationKind.TABLE, computers=computers, at_once=True))
    assert refused.value.key == "computer.not_at_this_table"
    assert translations("en")(refused.value.key, **refused.value.values)


def test_the_deal_of_the_day_has_the_level_above_a_decent_players(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = replace(levels.LEVELS["ciq"]["hard"], offered=lambda _, seats: seats == 2)
    monkeypatch.setattr(levels, "LEVELS", {"ciq": {**levels.LEVELS["ciq"], "hard": usual}})
    assert level_of_deal("ciq") == "hard"
    never = replace(usual, offered=lambda _, __: False)
    monkeypatch.setattr(levels, "LEVELS", {"ciq": {**levels.LEVELS["ciq"], "hard": never}})
    assert level_of_deal("ciq") == "normal"
    assert GAMES["ciq"].info.seats[0] == 2

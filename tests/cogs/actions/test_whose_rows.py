"""Whose rows each command and press may make: a table that has them all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from discord import AppCommandType, app_commands

from bot.games import GAMES
from cogs.actions.dispatcher import Router
from cogs.interactions.whose_rows import NotTheirs, Whose, allow, check_may_store, written_by
from tests.cogs.actions.offline_bot import OfflineBot
from tests.cogs.actions.test_verbs import answered
from tests.cogs.fake_interaction import FakeInteraction

INVITING = {"challenge", "ask", "nextmatch", "rematch", "send", "sendagain"}
"""What asks others to a match, and so is all that may store somebody else. Everything else stores nobody but who does
it: a new command or press must not be in this list unless it invites people."""
SHOWING = {
    *("help", "games", "rules", "learn", "leaderboard", "profile", "Profile", "history", "replay", "verify"),
    *("mydata export", "mydata delete"),
}
"""The commands that store nobody at all."""


def commands(tree: app_commands.CommandTree[Any]) -> Iterator[tuple[str, Whose]]:
    """Each command, by its name in the group of a game or its whole name, and whose rows it may make."""
    for kind in (AppCommandType.chat_input, AppCommandType.user):
        for each in tree.get_commands(type=kind):
            if isinstance(each, app_commands.Group):
                for command in each.walk_commands():
                    assert isinstance(command, app_commands.Command)
                    yield command.name if each.name in GAMES else command.qualified_name, written_by(command)
            else:
                yield each.name, written_by(each)


async def test_only_who_acts_and_who_is_invited_may_be_stored_and_looking_stores_nobody(
    offline_bot: OfflineBot,
) -> None:
    verbs = offline_bot.app.find(Router).writes
    table = {*commands(offline_bot.client.tree), *verbs.items()}
    assert {name for name, whose in table if whose is Whose.INVITED} == INVITING
    assert {name for name, whose in table if whose is Whose.NOBODY} == SHOWING
    assert answered() <= verbs.keys()


@pytest.mark.parametrize(
    ("whose", "itself", "others"),
    [(Whose.NOBODY, False, False), (Whose.ACTOR, True, False), (Whose.INVITED, True, True)],
)
def test_what_an_interaction_may_not_store_is_refused(whose: Whose, itself: bool, others: bool) -> None:
    interaction = FakeInteraction({}).as_interaction
    allow(interaction, whose)
    for invited, may in (((), itself), ((1,), others)):
        if may:
            check_may_store(interaction, invited)
        else:
            with pytest.raises(NotTheirs):
                check_may_store(interaction, invited)

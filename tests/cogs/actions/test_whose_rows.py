"""Whose rows each command and press may make: a table that has them all."""

from __future__ import annotations

import pytest

from bot.games import GAMES
from cogs.interactions.whose_rows import NotTheirs, Whose, allow, check_may_store
from tests.cogs.actions.offline_bot import OfflineBot
from tests.cogs.fake_interaction import FakeInteraction
from tests.whose_rows import table_of

INVITING = {"/challenge", "ask", "lgplay", "nextmatch", "rematch", "send", "sendagain", "tourask", "tourwith"}
"""What asks others to a match, and so is all that may store somebody else. Everything else stores nobody but who does
it: a new command or press must not be in this list unless it invites people."""
KEEPING_AWAY = {"/block", "nevermore", "stuckall", "stuckundo", "bar", "unbar", "setaside", "putback"}
"""What may have the id of somebody whom others keep away, in a row of theirs."""
SHOWING = {
    *("/help", "/games", "/rules", "/learn", "/leaderboard", "/profile", "/Profile", "/history", "/replay", "/verify"),
    *("/mydata export", "/mydata delete", "forget", "remain"),
    *("/tournament new", "/tournament me", "tourset", "tourmine", "tourrows", "tourmore", "tourend", "tourfix"),
    *("tourfile", "tourproof", "story", "storypost", "tournow", "boardpost", "boardfile"),
    *("boardreset", "boardover", "boardback"),
    *("/league me", "lgmine", "lgrows", "lgmore", "lgend"),
}
"""What stores nobody at all."""


async def test_only_who_acts_and_who_is_invited_may_be_stored_and_looking_stores_nobody(bot: OfflineBot) -> None:
    table = {_without_game(name): whose for name, whose in table_of(bot.app).items()}
    assert {name for name, whose in table.items() if whose is Whose.INVITED} == INVITING
    assert {name for name, whose in table.items() if whose is Whose.KEPT_AWAY} == KEEPING_AWAY
    assert {name for name, whose in table.items() if whose is Whose.NOBODY} == SHOWING


def _without_game(name: str) -> str:
    """The name of a command in the groups of all games."""
    group, _, command = name.partition(" ")
    return f"/{command}" if group.removeprefix("/") in GAMES else name


@pytest.mark.parametrize(
    ("whose", "itself", "others"),
    [
        (Whose.NOBODY, False, False),
        (Whose.ACTOR, True, False),
        (Whose.INVITED, True, True),
        (Whose.KEPT_AWAY, True, False),
    ],
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

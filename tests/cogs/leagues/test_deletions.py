"""A league while the data of its people are being deleted: nobody's id comes back."""

from __future__ import annotations

from typing import Final

import pytest

from bot.play.refusals import Unsaved
from bot.store.queries import begun_deletions
from bot.store.queries.begun_deletions import Deletion
from cogs.actions.steps import RETRY_SECONDS
from tests.bot.play.parts import GUILD
from tests.cogs.leagues.directed import HOST, Directed

FOUR = (1, 2, 3, 4)
NOTHING: Final[dict[str, list[object]]] = {"member": [], "places": [], "hosted": []}


def delete_as_they_are_asked_for(directed: Directed, user: int) -> None:
    """Delete the data of somebody while it is seen who may play."""
    store, marker = directed.parts.store, -77

    async def may_play(_guild_id: int, asked: int) -> None:
        if asked == user:
            await store.anonymise(GUILD, user, marker, [])

    directed.parts.invitations.admission.add(may_play, None)


async def test_who_is_deleted_as_a_season_begins_gets_no_place(directed: Directed) -> None:
    league = await directed.opened_for((*FOUR, 5))
    delete_as_they_are_asked_for(directed, 5)
    with pytest.raises(Unsaved):
        await directed.leagues.start(GUILD, league.id, HOST)
    assert await directed.queries.of_person(GUILD, 5) == NOTHING
    assert not (await directed.whole(league)).league.is_playing
    await directed.start(league)
    assert {each.user_id for each in (await directed.whole(league)).places} == {*FOUR}


async def test_a_substitute_who_is_deleted_as_a_place_is_vacant_does_not_get_it(directed: Directed) -> None:
    league = await directed.started(FOUR)
    await directed.leagues.join(GUILD, league.id, 8)
    delete_as_they_are_asked_for(directed, 8)
    await directed.after(directed.leagues.leave(GUILD, league.id, 4))
    await directed.pass_time(int(1000 * RETRY_SECONDS))
    assert await directed.queries.of_person(GUILD, 8) == NOTHING
    assert {each.user_id for each in (await directed.whole(league)).places} == {*FOUR}


async def test_nobody_joins_or_begins_one_while_their_data_are_being_deleted(directed: Directed) -> None:
    league = await directed.opened_for(FOUR)
    deletion = Deletion(GUILD, 9, -77)
    await directed.parts.store.database.write(lambda db: begun_deletions.begin(db, deletion))
    with pytest.raises(Unsaved):
        await directed.leagues.join(GUILD, league.id, 9)
    with pytest.raises(Unsaved):
        await directed.opened_for((9,))
    assert await directed.queries.of_person(GUILD, 9) == NOTHING

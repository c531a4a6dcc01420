"""Leagues (GUIDE.md)."""

from collections.abc import Sequence

from cogs.leagues.commands import LeagueCommands, LeaguePresses
from cogs.leagues.director import Director
from cogs.leagues.leagues import Leagues
from cogs.leagues.messages import LeagueMessages, Looking
from cogs.leagues.queries import League, LeagueTables
from cogs.rooms import Core, OpenRoom, Room


def _open(core: Core) -> OpenRoom:
    def changed(guild_id: int, league_id: str) -> None:
        director.wake(guild_id, league_id)
        messages.request(guild_id, league_id)

    def show(guild_id: int, league_id: str) -> None:
        messages.request(guild_id, league_id)

    def remind(league: League, pairs: Sequence[tuple[int, int]]) -> None:
        messages.remind(league, pairs)

    tables = LeagueTables(core.store)
    leagues = Leagues(tables, core.store, core.invitations.admission, core.scheduler, changed)
    director = Director(leagues, core.invitations, show, remind, core.opened_deals.telemetry)
    looking = Looking(core.matches, core.invitations, core.wording)
    messages = LeagueMessages(
        leagues,
        looking,
        core.shown_messages,
        core.edits,
        notifier=core.notifier,
        wording=core.wording,
    )

    async def resume() -> None:
        await director.resume()
        await messages.resume()

    commands = LeagueCommands(leagues, looking, core.terms, core.post_budget, core.server_settings)
    presses = LeaguePresses(leagues, looking, core.terms, core.posts, core.server_settings)
    return OpenRoom(
        (commands.answers(), presses.answers()),
        (director, messages),
        resume,
        closing=(director,),
        export=tables.export,
    )


ROOM = Room("leagues", _open, help_lines=((66, "league"),))

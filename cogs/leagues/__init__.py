"""Leagues (GUIDE.md)."""

from collections.abc import Sequence

from cogs.leagues.commands import LeagueCommands, LeaguePresses
from cogs.leagues.director import Director
from cogs.leagues.leagues import Leagues
from cogs.leagues.messages import LeagueMessages, Looking
from cogs.leagues.queries import League, LeagueQueries
from cogs.leagues.screens import SUBJECT
from cogs.rooms import Core, OpenRoom, Room
from cogs.updates.public_messages import PublicMessages


def _open(core: Core) -> OpenRoom:
    def changed(guild_id: int, league_id: str) -> None:
        director.wake(guild_id, league_id)
        shown.request(guild_id, league_id)

    def show(guild_id: int, league_id: str) -> None:
        shown.request(guild_id, league_id)

    def remind(league: League, pairs: Sequence[tuple[int, int]]) -> None:
        messages.remind(league, pairs)

    queries = LeagueQueries(core.store)
    leagues = Leagues(queries, core.store, core.invitations.admission, core.scheduler, changed)
    telemetry, clock = core.opened_deals.telemetry, core.lifecycle.clock
    director = Director(core.scheduler, telemetry, clock, leagues, core.invitations, show, remind)
    looking = Looking(core.matches, core.invitations, core.wording)
    messages = LeagueMessages(leagues, looking, core.edits, core.notifier, core.wording)
    shown = PublicMessages(SUBJECT, messages.read, messages.note, core.shown_messages, core.edits)

    async def resume() -> None:
        await director.resume()
        for each in await queries.unfinished():
            show(each.guild_id, each.id)

    commands = LeagueCommands(leagues, looking, core.terms, core.post_budget, core.server_settings)
    presses = LeaguePresses(leagues, looking, core.terms, core.posts, core.server_settings, shown)
    return OpenRoom(
        (commands.answers(), presses.answers()),
        (director, shown),
        resume,
        closing=(director,),
        export=queries.export,
    )


ROOM = Room("leagues", _open, help_lines=((66, "league"),))

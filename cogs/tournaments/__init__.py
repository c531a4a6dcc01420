"""Tournaments (GUIDE.md)."""

from bot.scheduler import DAY
from cogs.rooms import Core, OpenRoom, Room
from cogs.tournaments.commands import Hosting, TournamentPresses
from cogs.tournaments.cups import Alone, Tournaments
from cogs.tournaments.events import TournamentEvents
from cogs.tournaments.matches import HeldDeals, TournamentMatches
from cogs.tournaments.messages import Looking, TournamentMessages, TournamentWeek
from cogs.tournaments.queries import TournamentQueries
from cogs.tournaments.rounds import Director, Rounds
from cogs.tournaments.rows import Tournament
from cogs.tournaments.screens import SUBJECT
from cogs.tournaments.threads import MatchThreads
from cogs.updates.public_messages import PublicMessages


def _open(core: Core) -> OpenRoom:
    def show(guild_id: int, tournament_id: str) -> None:
        shown.request(guild_id, tournament_id)
        events.request(guild_id, tournament_id)

    def changed(guild_id: int, tournament_id: str) -> None:
        director.wake(guild_id, tournament_id)
        show(guild_id, tournament_id)

    def tell_host(tournament: Tournament) -> None:
        messages.tell_host(tournament)

    queries, alone, now = TournamentQueries(core.store), Alone(), core.scheduler.now
    held = HeldDeals(core.opened_deals.open)
    threads = MatchThreads(core.own_threads)
    matches = TournamentMatches(queries, core.lifecycle, core.matches, now, held, threads)
    admission = core.invitations.admission
    rounds = Rounds(matches, admission, core.store, now, show, tell_host)
    telemetry, clock = core.opened_deals.telemetry, core.lifecycle.clock
    director = Director(core.scheduler, telemetry, clock, queries, rounds, held, alone)
    tournaments = Tournaments(queries, admission, core.scheduler, alone, changed)
    looking = Looking(core.matches, core.wording, threads, core.presenters)
    messages = TournamentMessages(tournaments, looking, core.edits, core.notifier, core.wording)
    shown = PublicMessages(SUBJECT, messages.read, messages.note, core.shown_messages, core.edits)
    events = TournamentEvents(tournaments, core.calendar, core.edits, core.wording)

    async def resume() -> None:
        await director.resume()
        for each in (*await queries.unfinished(), *await queries.ended_since(now() - DAY)):
            show(each.guild_id, each.id)

    hosting = Hosting(tournaments, looking, core.terms, core.post_budget, core.server_settings, events)
    presses = TournamentPresses(
        tournaments,
        looking,
        core.files,
        core.terms,
        core.post_budget,
        server_settings=core.server_settings,
        shown=shown,
    )
    return OpenRoom(
        (hosting.answers(), presses.answers()),
        (director, shown),
        resume,
        closing=(director,),
        export=queries.export,
        closed_deals=held.is_closed,
        week=TournamentWeek(queries, core.wording).post,
    )


ROOM = Room("tournaments", _open, help_lines=((65, "tournament"),))

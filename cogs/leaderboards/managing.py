"""What who manages a server does with a leaderboard: they post its first page, or save all of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.play.refusals import Refused
from bot.store.queries.leaderboards import Entry, Leaderboard
from cogs.actions.challenging import TermsReader
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.interactions.post_budget import PostBudget
from cogs.interactions.responses import post, reply_file
from cogs.interactions.whose_rows import Whose
from cogs.leaderboards import screens
from cogs.leaderboards.commands import FIRST, Leaderboards
from cogs.leaderboards.exports import standings_file
from cogs.leaderboards.queries import PageOf, PageRequest

NOBODY: Final = 0
"""In place of a reader."""
MOST_SAVED: Final = 2000
SAVED_AT_ONCE: Final = 50
"""How many lines a file has at most, and how many of them are read at once."""


@dataclass(slots=True, eq=False)
class ManagedLeaderboards(Capability):
    """The buttons behind *?* of a leaderboard for members with Manage Server."""

    verbs = Verbs()

    leaderboards: Leaderboards
    terms: TermsReader
    budget: PostBudget

    @verbs(screens.POST, writes=Whose.NOBODY)
    async def _post(self, press: ComponentPress) -> None:
        """Post the first page in the channel, in the server's language. Raises Refused where the bot can't post."""
        board = await self._board(press)
        await self.terms.check_begin(press.interaction)
        words = self.leaderboards.wording.of_server(board.guild_id)
        view = await self.leaderboards.view(board, NOBODY, FIRST, words)
        if not view.page.entries:
            raise Refused("ladder.empty_since")
        with self.budget.spending(press.interaction, ("leaderboard", press.arg)) as take_back:
            if await post(press.interaction, screens.public_screen(view, words), view.subject, ()) is None:
                take_back()

    @verbs(screens.SAVE, writes=Whose.NOBODY)
    async def _save(self, press: ComponentPress) -> None:
        """Answer with a file of everybody who is listed, as far as it has room."""
        board, words = await self._board(press), press.words
        entries = await self._entries(board)
        users = [entry.place.user_id for entry in entries]
        names = await self.leaderboards.wording.loaded(board.guild_id, users, words)
        name = f"leaderboard-{board.game or 'all'}.csv"
        content = standings_file(board.span, entries, names)
        await reply_file(press.interaction, words("ladder.saved"), name, content)

    async def _board(self, press: ComponentPress) -> Leaderboard:
        """The leaderboard of a press, up to date. Raises Refused for who doesn't manage the server."""
        span, game, _ = screens.read(press.arg)
        await self.leaderboards.check(press, game)
        if not press.interaction.permissions.manage_guild:
            raise Refused("ladder.not_yours")
        await self.leaderboards.bring_up_to_date(press.server_id)
        return Leaderboard(press.server_id, game, span)

    async def _entries(self, board: Leaderboard) -> list[Entry]:
        """Everybody who is listed, in their order."""
        found: list[Entry] = []
        request = FIRST
        while len(found) < MOST_SAVED:
            page = await self.leaderboards.tables.page(board, NOBODY, request, SAVED_AT_ONCE)
            found += page.entries
            if not page.has_next:
                break
            request = PageRequest(PageOf.AFTER, place=page.entries[-1].place)
        return found

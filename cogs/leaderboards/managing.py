"""What who manages a server does with leaderboards: they post a first page, save all of one, or have all
standings start over."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from typing import Final

from bot.play.refusals import Refused, Unsaved, translate_errors
from bot.play.server_settings import Act
from bot.store.queries.leaderboards import Entry, Leaderboard, Span
from cogs.actions.challenging import TermsReader
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.file_queue import FileQueue
from cogs.interactions.post_budget import PostBudget
from cogs.interactions.responses import post, reply_file
from cogs.interactions.whose_rows import Whose
from cogs.leaderboards import screens
from cogs.leaderboards.commands import FIRST, Leaderboards
from cogs.leaderboards.queries import PageOf, PageRequest
from cogs.screens.safe_names import spreadsheet_cell, unescaped

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
    files: FileQueue

    @verbs(screens.POST, writes=Whose.NOBODY)
    async def _post(self, press: ComponentPress) -> None:
        """Post the first page in the channel, in the server's language. Raises Refused where the bot can't post."""
        leaderboard = await self._leaderboard(press)
        await self.terms.check_begin(press.interaction)
        words = self.leaderboards.wording.of_server(leaderboard.guild_id)
        view = await self.leaderboards.view(leaderboard, NOBODY, FIRST, words)
        if not view.page.entries:
            raise Refused("ladder.empty_since")
        with self.budget.spending(press.interaction, ("leaderboard", press.arg)) as take_back:
            if await post(press.interaction, screens.public_screen(view, words), view.subject, ()) is None:
                take_back()

    @verbs(screens.SAVE, writes=Whose.NOBODY)
    async def _save(self, press: ComponentPress) -> None:
        """Answer with two files of everybody who is listed, as far as it has room."""
        leaderboard, words = await self._leaderboard(press), press.words
        entries = await self._entries(leaderboard)
        users = [entry.key.user_id for entry in entries]
        names = await self.leaderboards.wording.loaded(leaderboard.guild_id, users, words)
        name = f"leaderboard-{leaderboard.game or 'all'}"

        def make() -> tuple[bytes, bytes]:
            return csv_of(leaderboard.span, entries, names), json_of(leaderboard, entries, names)

        saved, told = await self.files.made(press.interaction, make)
        await reply_file(press.interaction, words("ladder.saved"), f"{name}.csv", saved, (f"{name}.json", told))

    @verbs(screens.RESET, writes=Whose.NOBODY)
    async def _ask_reset(self, press: ComponentPress) -> None:
        await self._check(press)
        await self._show_reset(press)

    @verbs(screens.START_OVER, writes=Whose.NOBODY)
    async def _reset(self, press: ComponentPress) -> None:
        """Have all standings of the server start over."""
        await self._check(press)
        queries = self.leaderboards.queries
        if await translate_errors(queries.reset(press.server_id)):
            await self._note(press, Act.RESET)
            self.leaderboards.calendar.count_again(press.server_id)
        elif await queries.latest_reset(press.server_id) is None:
            raise Refused("ladder.empty")
        await self._show_reset(press)

    @verbs(screens.TAKE_BACK, writes=Whose.NOBODY)
    async def _take_back(self, press: ComponentPress) -> None:
        """Have everything count as if there had been no reset."""
        await self._check(press)
        if not await translate_errors(self.leaderboards.queries.take_back_reset(press.server_id)):
            raise Refused("ladder.reset_final")
        await self._note(press, Act.RESET_TAKEN_BACK)
        self.leaderboards.calendar.count_again(press.server_id)
        await self._show_reset(press, press.words("ladder.reset_undone"))

    async def _show_reset(self, press: ComponentPress, note: str = "") -> None:
        queries = self.leaderboards.queries
        reset = await queries.latest_reset(press.server_id)
        await press.reply(screens.reset_screen(press.arg, reset, queries.now(), press.words, note), press.target)

    async def _note(self, press: ComponentPress, act: Act) -> None:
        """Have it in the list of changes. It is done also if that can't be saved."""
        with suppress(Unsaved):
            await self.leaderboards.server_settings.note_act(press.server_id, press.user_id, act)

    async def _check(self, press: ComponentPress) -> tuple[Span, str]:
        """The span and game of a press. Raises Refused for who doesn't manage the server."""
        span, game, _ = screens.read(press.arg)
        await self.leaderboards.check(press, game)
        if not press.interaction.permissions.manage_guild:
            raise Refused("settings.not_yours")
        return span, game

    async def _leaderboard(self, press: ComponentPress) -> Leaderboard:
        """The leaderboard of a press, up to date. Raises Refused for who doesn't manage the server, and while it is
        being counted again."""
        span, game = await self._check(press)
        if await self.leaderboards.queries.is_counting(press.server_id):
            raise Refused("ladder.counting")
        await self.leaderboards.bring_up_to_date(press.server_id)
        return Leaderboard(press.server_id, game, span)

    async def _entries(self, leaderboard: Leaderboard) -> list[Entry]:
        """Everybody who is listed, in their order, each once: people may win or hide while it is read."""
        found: dict[int, Entry] = {}
        request = FIRST
        while len(found) < MOST_SAVED:
            page = await self.leaderboards.queries.page(leaderboard, NOBODY, request, SAVED_AT_ONCE)
            for entry in page.entries:
                found.setdefault(entry.key.user_id, entry)
            if not page.has_next:
                break
            request = PageRequest(PageOf.AFTER, key=page.entries[-1].key)
        return [*found.values()]


COLUMNS = ("rank", "name", "score", "uncertainty", "wins", "losses", "draws")


def csv_of(span: Span, entries: Sequence[Entry], names: Sequence[str]) -> bytes:
    """The lines, with these names. Spreadsheets know by its first bytes that it is UTF-8.

    The score is a rating, where the leaderboard ranks by one, and otherwise points. Who isn't ranked has no rank.
    """
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for entry, name in zip(entries, names, strict=True):
        rating = entry.rating if span is Span.ALL_TIME else None
        score = (entry.points, "") if rating is None else (rating.shown, rating.uncertainty)
        writer.writerow(
            (entry.rank or "", spreadsheet_cell(unescaped(name)), *score, entry.wins, entry.losses, entry.draws)
        )
    return text.getvalue().encode("utf-8-sig")


def json_of(leaderboard: Leaderboard, entries: Sequence[Entry], names: Sequence[str]) -> bytes:
    """The same lines, with the leaderboard's game, null for all of them, and its time (docs/players-and-hosts.md)."""
    told = {
        "game": leaderboard.game or None,
        "time": leaderboard.span.name.lower(),
        "players": [_line(leaderboard.span, entry, name) for entry, name in zip(entries, names, strict=True)],
    }
    return json.dumps(told, ensure_ascii=False, indent=1).encode()


def _line(span: Span, entry: Entry, name: str) -> dict[str, int | str | None]:
    rating = entry.rating if span is Span.ALL_TIME else None
    return {
        "rank": entry.rank,
        "name": unescaped(name),
        "score": entry.points if rating is None else rating.shown,
        "uncertainty": None if rating is None else rating.uncertainty,
        "wins": entry.wins,
        "losses": entry.losses,
        "draws": entry.draws,
    }

"""Finished matches: /history, and a replay step by step with /replay, the buttons below each step, and what becomes of
it for others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.games import game_title
from bot.gateway.command_texts import Describe
from bot.play.closed_deals import ClosedDeals
from bot.play.refusals import Refused
from bot.store.errors import Conflict, StoreError
from bot.store.queries.finished_matches import FinishedMatch
from bot.store.queries.matches import MatchRow
from bot.store.store import Store
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Screen, Text, Tone
from cogs.actions.challenging import TermsReader
from cogs.actions.command_parameters import game_choices
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.file_queue import FileQueue
from cogs.actions.finding import Finder
from cogs.interactions.autocomplete import MOST_OFFERED, Completion, announced, match_offers
from cogs.interactions.post_budget import PostBudget
from cogs.interactions.responses import Interaction, post, post_file, reply_file, reply_private, translations_for
from cogs.interactions.venues import direct_too, venue_id_of
from cogs.interactions.whose_rows import Whose, writes
from cogs.replays.exports import EXPORTS, Export, Exported, ExportFile
from cogs.replays.history_screen import LISTED, PAGE, HistoryPage, history_screen, opponents, read_edge
from cogs.replays.queries import HistoryQuery, ReplayQueries
from cogs.replays.replay import OpenReplays
from cogs.replays.screens import REPLAY, ShownReplay, View, first_view, next_view, read_view, replay_screen
from cogs.screens.additions import Buttons, Placed, arranged
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.presenter import Presenters, Reader
from cogs.screens.safe_names import unescaped
from cogs.wording import Readers, Wording

COMMAND: Final = "replay"
OPTION: Final = "code"


@dataclass(slots=True, eq=False)
class ReplayOpener:
    """Opens the replays of finished matches."""

    replays: OpenReplays
    readers: Readers
    presenters: Presenters

    async def open(self, interaction: Interaction, finished: FinishedMatch) -> tuple[ShownReplay, Reader]:
        """The replay of a match that somebody may see, and who reads it. Raises what `OpenReplays.open` raises."""
        replay, match = await self.replays.open(finished)
        reader = await self.readers.pressing(interaction, match, match.seat_of(interaction.user.id))
        return ShownReplay(replay, match, self.presenters[match.game.info.key], finished), reader


@dataclass(slots=True, eq=False)
class Replaying(Capability):
    """What the controls of a replay do. Each press finds the match again, because it may be private or gone by now."""

    verbs = Verbs()

    finder: Finder
    opener: ReplayOpener
    queries: ReplayQueries
    closed_deals: ClosedDeals
    terms: TermsReader
    wording: Wording
    budget: PostBudget
    files: FileQueue

    async def _found(self, press: ComponentPress, code: str = "") -> tuple[ShownReplay, Reader]:
        finished = await self.finder.finished(press.interaction, code or press.target)
        return await self.opener.open(press.interaction, finished)

    async def _show(self, press: ComponentPress, shown: ShownReplay, view: View, reader: Reader) -> None:
        await press.reply(replay_screen(shown, view, reader), shown.replay.id)

    @verbs("replay")
    async def _go(self, press: ComponentPress) -> None:
        """Go to another step, or look at this one in another way."""
        if press.arg == REPLAY.arg:
            await self._open_at_the_deal(press, press.target)
            return
        shown, reader = await self._found(press)
        await self._show(press, shown, next_view(press.arg, press.window, shown.replay), reader)

    @verbs("replayopen")
    async def _open(self, press: ComponentPress) -> None:
        """Open the replay that was chosen from a list."""
        await self._open_at_the_deal(press, press.arg)

    async def _open_at_the_deal(self, press: ComponentPress, code: str) -> None:
        shown, reader = await self._found(press, code)
        await self._show(press, shown, first_view(reader), reader)

    @verbs("replaykeep")
    async def _keep(self, press: ComponentPress) -> None:
        """Record whether the presser wants the replay to be private, and show the same step again."""
        shown, reader = await self._found(press)
        wanted, view = read_view(press.arg, press.window, shown.replay)
        if wanted not in ("0", "1"):
            raise UnknownCustomId("neither private nor not")
        if reader.seat is None:
            raise Refused("match.not_seated")
        try:
            await self.queries.set_private_wish(shown.replay.id, reader.seat, wanted=wanted == "1")
        except Conflict:
            raise Refused("replay.unknown") from None
        shown, reader = await self._found(press)
        await self._show(press, shown, view, reader)

    @verbs("replayshare")
    async def _share(self, press: ComponentPress) -> None:
        """Post a message with which everybody can open the replay, each in private and at the deal."""
        interaction = press.interaction
        shown, _ = await self._found(press)
        await self._check_open_to_all(shown)
        await self.terms.check_post(interaction)
        match = shown.match
        reader = self.opener.readers.public(match)
        words = reader.words
        text = words(
            "replay.shared",
            player=self.wording.name(match.guild_id, press.user_id, words),
            when=f"<t:{shown.finished.result.ended_at // 1000}:f>",
        )
        button = Button(words("replay.watch"), REPLAY, Tone.MAIN)
        code = words("replay.code", code=match.id)
        screen = Screen(shown.title(reader), (Text(text),), ((button,),), code, Tone.MAIN)
        with self.budget.spending(interaction, ("replay", match.id)) as take_back:
            if await post(interaction, screen, match.id, ()) is None:
                take_back()

    @verbs("replayfile")
    async def _make_file(self, press: ComponentPress) -> None:
        """Make the file that was chosen from the list, and send it in private or post it."""
        export = next((each for each in EXPORTS if each.key == press.arg), None)
        if export is None:
            raise UnknownCustomId("no such file")
        shown, reader = await self._found(press)
        if not export.is_offered(shown.presenter):
            raise UnknownCustomId("no such file of this game")
        if export.public:
            await self._check_open_to_all(shown)
            await self.terms.check_post(press.interaction, file=True)
            reader = self.opener.readers.public(shown.match)
        row, result = shown.finished.row, shown.finished.result
        match = await self.finder.whole(row, result) if export.needs_match else None
        exported = Exported(shown.replay, shown.presenter, reader, match)
        text = reader.words(f"replay.exported.{export.key}", match=shown.title(reader))
        if export.public:
            await self._post(press, export, exported, shown, text)
            return
        made = await self._made(press, export, exported)
        await reply_file(press.interaction, text, made.name, made.content)

    async def _check_open_to_all(self, shown: ShownReplay) -> None:
        """Raise Refused for what others in the server may not see: a private match, or what was begun from one."""
        if not await self.finder.is_open_to_all(shown.finished.row):
            raise Refused("replay.not_shared")

    async def _made(self, press: ComponentPress, export: Export, exported: Exported) -> ExportFile:
        same = export.key, exported.replay.id, exported.reader
        return await self.files.made(press.interaction, partial(export.make, exported), same)

    async def _post(
        self, press: ComponentPress, export: Export, exported: Exported, shown: ShownReplay, text: str
    ) -> None:
        """Post a file in the channel, unless it is there already."""
        interaction = press.interaction
        with self.budget.spending(interaction, (export.key, exported.replay.id)) as take_back:
            made = await self._made(press, export, exported)
            await self._check_open_to_all(shown)  # others' files may have kept it waiting for minutes
            if not await post_file(interaction, text, made.name, made.content, made.description):
                take_back()

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @direct_too
        @writes(Whose.NOBODY)
        @app_commands.command(name=COMMAND, description=say("command.replay"))
        @app_commands.describe(code=say("option.replay_code"))
        @app_commands.autocomplete(code=announced)
        async def replay(interaction: Interaction, code: str | None = None) -> None:
            finished = await (self._latest(interaction) if code is None else self.finder.finished(interaction, code))
            shown, reader = await self.opener.open(interaction, finished)
            screen = replay_screen(shown, first_view(reader), reader)
            await reply_private(interaction, screen, finished.row.id)

        return (replay,)

    def _completions(self) -> Mapping[tuple[str, str], Completion]:
        return {(COMMAND, OPTION): self._offered}

    async def _offered(self, interaction: Interaction, typed: str, words: Translations) -> list[tuple[str, str]]:
        """The completions of the option: the person's own latest finished matches here, as (name, code)."""
        try:
            found = await self._own(interaction, MOST_OFFERED)
            guild_id = venue_id_of(interaction)
            await self.wording.load(guild_id, {user for each in found for user in each.row.seats})
        except StoreError:
            return []

        def played(row: MatchRow) -> str:
            names = self.wording.names(guild_id, row.seats, words)
            return f"{game_title(row.game)}, {unescaped(opponents(row.seats, names, interaction.user.id, words))}"

        offered = ((played(each.row), each.result.ended_at, each.row.id) for each in found)
        return match_offers(offered, typed, words)

    async def _own(self, interaction: Interaction, most: int) -> list[FinishedMatch]:
        user_id = interaction.user.id
        query = HistoryQuery(venue_id_of(interaction), user_id, user_id, self.closed_deals.today())
        found = await self.queries.finished_matches(query, most)
        return [each for each in found if self.closed_deals.closing(each.row) is None]

    async def _latest(self, interaction: Interaction) -> FinishedMatch:
        """The person's latest finished match here. Raises Refused without one."""
        found = await self._own(interaction, MOST_OFFERED)  # the deal of the latest may be closed
        if not found:
            raise Refused("replay.none")
        return found[0]


@dataclass(slots=True, eq=False)
class History(Capability):
    """The command `/history`, and what turns its pages."""

    verbs = Verbs()

    store: Store
    queries: ReplayQueries
    closed_deals: ClosedDeals
    wording: Wording
    added: Placed[Buttons]
    """What rooms add to an empty history."""

    @verbs("history")
    async def _turn(self, press: ComponentPress) -> None:
        user_id, game, edge, older = read_edge(press.arg, press.window)
        screen = await self._screen(press.interaction, user_id, game, edge, older=older)
        await press.reply(screen, LISTED)

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @direct_too
        @writes(Whose.NOBODY)
        @app_commands.command(name="history", description=say("command.history"))
        @app_commands.describe(user=say("option.history_user"), game=say("option.history_game"))
        @app_commands.choices(game=game_choices())
        async def history(
            interaction: Interaction,
            user: discord.User | None = None,
            game: app_commands.Choice[str] | None = None,
        ) -> None:
            whose = user or interaction.user
            screen = await self._screen(interaction, whose.id, "" if game is None else game.value, seen=(whose,))
            await reply_private(interaction, screen, LISTED)

        return (history,)

    async def _screen(
        self,
        interaction: Interaction,
        user_id: int,
        game: str,
        edge: str = "",
        *,
        older: bool = True,
        seen: Sequence[discord.abc.User] = (),
    ) -> Screen:
        """A page that begins next to the match `edge`; the first one without it, and if that is gone. `seen` are people
        whom the interaction names."""
        guild_id, viewer_id = venue_id_of(interaction), interaction.user.id
        query = HistoryQuery(guild_id, user_id, viewer_id, self.closed_deals.today(), game or None)
        page = await self._page(query, edge, older=older)
        people = {user_id, *(user for each in page.matches for user in each.row.seats)}
        await self.wording.load(guild_id, people)
        words = translations_for(interaction)

        def names(finished: FinishedMatch) -> tuple[str, ...]:
            return self.wording.names(guild_id, finished.row.seats, words, *seen)

        (name,) = self.wording.names(guild_id, [user_id], words, *seen)
        added = () if interaction.guild_id is None else arranged((), self.added, words)
        return history_screen(page, viewer_id, names, name, words, added=added)

    async def _page(self, query: HistoryQuery, edge: str, *, older: bool) -> HistoryPage:
        """The matches of a page, with one more to see whether there is another page."""
        game = query.game or ""
        if edge and await self.store.finished_match(query.guild_id, edge, query.viewer_id, query.today) is not None:
            if older:
                found = await self.queries.finished_matches(query, PAGE + 1, before=edge)
                if found:
                    return HistoryPage(query.user_id, game, self._open(found[:PAGE]), len(found) > PAGE, newer=True)
            else:
                found = await self.queries.finished_matches(query, PAGE + 1, after=edge)
                if len(found) > PAGE:
                    return HistoryPage(query.user_id, game, self._open(found[-PAGE:]), older=True, newer=True)
        found = await self.queries.finished_matches(query, PAGE + 1)
        return HistoryPage(query.user_id, game, self._open(found[:PAGE]), len(found) > PAGE, newer=False)

    def _open(self, found: list[FinishedMatch]) -> list[FinishedMatch]:
        """Those whose deal is open: a day may have ended while somebody still played."""
        return [each for each in found if self.closed_deals.closing(each.row) is None]

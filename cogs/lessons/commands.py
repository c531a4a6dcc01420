"""/learn: a first lesson of a game, in a message that only the learner sees, in a server or a direct message."""

from __future__ import annotations

from dataclasses import dataclass

import discord
from discord import app_commands

from bot.games import GAMES
from bot.gateway.command_texts import Describe
from bot.play.clocks.stops import ClockStops
from bot.play.computers.levels import levels_at, levels_of
from bot.play.refusals import Refused
from bot.ui.catalogue import Translations
from bot.ui.preferences import Preferences
from cogs.actions.challenging import TermsReader
from cogs.actions.command_parameters import game_choices
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.computer_matches import ComputerMatches, computers
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.interactions.venues import direct_too
from cogs.interactions.whose_rows import Whose, writes
from cogs.lessons.progress import UnknownAnswers
from cogs.lessons.screens import LESSONS, LessonContext, lesson_screen, lessons_screen, taught_games
from cogs.screens import custom_ids
from cogs.screens.cards.forms import CardForms
from cogs.screens.lesson import LEARNER, Lesson
from cogs.screens.presenter import Presenters, Reader, Taught
from cogs.screens.safe_names import safe_names


@dataclass(slots=True, eq=False)
class Learning(Capability):
    """What the buttons of lessons do, and the lists that begin one."""

    verbs = Verbs()

    presenters: Presenters
    preferences: Preferences
    card_forms: CardForms
    terms: TermsReader
    computer_matches: ComputerMatches
    stops: ClockStops

    @verbs("lessons")
    async def _list(self, press: ComponentPress) -> None:
        await press.reply(lessons_screen(self.presenters, press.words), LESSONS)

    @verbs("lesson")
    async def _begin(self, press: ComponentPress) -> None:
        """Begin the lesson of the game in the argument."""
        await self._show(press.interaction, press.arg)

    @verbs("learn")
    async def _answer(self, press: ComponentPress) -> None:
        """Show where an answer, *Back* or a skip leads. A button of an older lesson begins the lesson."""
        if press.window == self._taught(press.target).first_lesson.version:
            await self._show(press.interaction, press.target, press.arg)
        else:
            note = press.words("learn.changed")
            await self._show(press.interaction, press.target, note=note)

    @verbs("learnplay")
    async def _play(self, press: ComponentPress) -> None:
        """Begin a match against the computer at its weakest level, with as few players as the game allows.

        A second press, which people make by accident, begins no second match.
        """
        await self.computer_matches.once(press.interaction, self._begin_match(press))

    async def _begin_match(self, press: ComponentPress) -> None:
        game = press.target
        self._taught(game)
        if not levels_of(game):
            raise custom_ids.UnknownCustomId("no computer plays this game")
        players = max(2, GAMES[game].info.seats[0])
        terms = await self.terms.read(press.interaction, game, {}, direct=True, chosen_for=players)
        match = self.computer_matches.played(press.interaction, game)
        if match is not None and match.has_clock:
            raise Refused("learn.playing", game=GAMES[game].info.title)
        if match is not None:
            await self.computer_matches.show(press.interaction, match, press.words("practice.goes_on"))
            return
        weakest, *_ = levels_at(game, terms.options, players)
        seated = computers(game, weakest, players - 1)
        await self.computer_matches.begin(press.interaction, terms, seated)

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        games = taught_games(self.presenters)
        if not games:
            return ()

        @direct_too
        @writes(Whose.NOBODY)
        @app_commands.command(name="learn", description=say("command.learn"))
        @app_commands.describe(game=say("option.learn"))
        @app_commands.choices(game=game_choices(games))
        async def learn(interaction: Interaction, game: app_commands.Choice[str]) -> None:
            await self._show(interaction, game.value)

        return (learn,)

    async def _show(self, interaction: Interaction, game: str, answers: str = "", note: str = "") -> None:
        """Show a lesson after these answers. Raises UnknownCustomId for a game without a lesson and for other
        answers."""
        presenter = self._taught(game)
        await self.preferences.load((interaction.user.id,))
        words = translations_for(interaction)
        cards = self.card_forms.of(game, self.preferences.card_style(interaction.user.id), words)
        reader = Reader(words, _names(interaction.user, presenter.first_lesson, words), LEARNER, cards)
        games = taught_games(self.presenters)
        following = games[(games.index(game) + 1) % len(games)] if len(games) > 1 else ""
        context = LessonContext(game, presenter, reader, following=following)
        try:
            screen = lesson_screen(context, answers, note)
        except UnknownAnswers as unknown:
            raise custom_ids.UnknownCustomId(str(unknown)) from None
        await reply_private(interaction, screen, game)
        await self.stops.begin_reading(interaction.user.id)

    def _taught(self, game: str) -> Taught:
        """The presenter of a game with a lesson. Raises UnknownCustomId for any other game."""
        presenter = self.presenters.get(game)
        if not isinstance(presenter, Taught):
            raise custom_ids.UnknownCustomId("no lesson of this game")
        return presenter


def _names(learner: discord.abc.User, lesson: Lesson, words: Translations) -> tuple[str, ...]:
    """The names of all seats, safe to show and all different."""
    computers = range(1, lesson.seats)
    named = [words("learn.computer") if len(computers) == 1 else words("learn.computers", n=n) for n in computers]
    return safe_names(((learner.display_name, learner.id), *((name, n) for n, name in enumerate(named, start=1))))

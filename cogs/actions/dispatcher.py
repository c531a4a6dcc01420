"""The object that the client calls for each press and command: an `InteractionDispatcher` (`bot.gateway.client`); and
the router, through which every press of a component passes once, whatever its id.

The library's own views are not used: all state is in the id and the store. So a button works after a restart, and a
press with an unknown id is answered, not dropped.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeAlias

import discord

from bot import logs
from bot.gateway import requests
from bot.gateway.client import REPLAYED
from bot.gateway.lean import requests as direct_requests
from bot.play.match_press import MatchPresses
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Invitations
from bot.play.refusals import Refused, translate_errors
from cogs.actions.commands import Commands
from cogs.actions.component_press import Answers, ComponentPress, all_verbs
from cogs.interactions import autocomplete, responses, time_limits
from cogs.interactions.arrivals import BurstLimit, InteractionAge
from cogs.interactions.command_validation import validate_command
from cogs.interactions.responses import Interaction, translations_for
from cogs.interactions.whose_rows import Whose, allow, written_by
from cogs.screens import custom_ids
from cogs.startup import Startup
from cogs.wording import Wording

_log = logging.getLogger(__name__)

FINISH_WITHIN = 2.5
"""Seconds to finish answering presses and commands when the bot stops."""
DROPPED_WITHIN = 0.5
"""Seconds that what is then dropped may take to end."""

_PRESSES = (discord.InteractionType.component, discord.InteractionType.modal_submit)
"""The interactions that do not go to the command tree."""


Joined: TypeAlias = Callable[[discord.Guild], Awaitable[None]]
"""What follows when the bot joins a server. It may raise StoreError."""


class Closable(Protocol):
    """A part that stops with the bot."""

    async def close(self) -> None:
        """Stop."""


class Dispatcher:
    """Admits interactions (each once, in time, and not too many from one person), and passes presses to the router."""

    def __init__(
        self,
        router: Router,
        commands: Commands,
        startup: Startup,
        *,
        joined: Sequence[Joined],
        closing: Sequence[Closable],
        presses_per_second: int,
        lean_session: direct_requests.LeanSessionFor | None = None,
    ) -> None:
        """`joined` are called for each server that the bot joins. `closing` are the parts to stop with the bot, in this
        order; `presses_per_second` is how many a person may
        make. `lean_session` is as for `bot.gateway.lean.requests.install`; without one the library sends everything."""
        self._router = router
        self._commands = commands
        self._startup = startup
        self._joined = joined
        self._parts = closing
        self._presses_per_second = presses_per_second
        self._lean_session = lean_session
        self._ages = InteractionAge()
        self._burst_limit = BurstLimit(presses_per_second)
        self._closing = False
        self._under_way: set[asyncio.Task[Any]] = set()

    def load(self) -> None:
        """Register all commands."""
        self._commands.load()

    async def resume(self, restored: Callable[[], None]) -> None:
        """Restore what was open when the process ended (`Startup.resume`). From here on this task requests no echoes
        of answers."""
        if self._lean_session is None:
            requests.request_none()
        else:
            direct_requests.install(self._lean_session)
        await self._startup.resume(restored)

    async def close(self) -> None:
        """Admit nothing more, wait until everything under way is answered, give the last boards a moment, then stop
        everything.

        Answers that take longer than `FINISH_WITHIN` are dropped. A move that is being saved is still saved, once or
        not at all.
        """
        self._closing = True
        if self._under_way:
            _, late = await asyncio.wait(self._under_way, timeout=FINISH_WITHIN)
            for task in late:
                task.cancel()
            if late:  # they still record what they have sent, before those who save it are closed
                await asyncio.wait(late, timeout=DROPPED_WITHIN)
        for part in self._parts:
            await part.close()

    def _track(self) -> bool:
        """Whether to carry out an interaction in the current task; if so, `close` waits for that task."""
        task = asyncio.current_task()
        if self._closing or task is None:
            return False
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return True

    async def admit(self, interaction: Interaction) -> bool:
        """Whether to carry out a command. One that arrives in time but too soon after others is refused.

        Completions are answered here: the library would retry a failed answer and log an error.
        """
        if self._ages.is_duplicate(interaction.id) or not self._track():
            return False
        now = asyncio.get_running_loop().time()
        age = self._age(interaction, now)
        if age > time_limits.MAX_AGE:
            _log_dropped("command", age)
            interaction.client.telemetry.command_late()
            return False
        typing = interaction.type is discord.InteractionType.autocomplete  # clients send many, and they change nothing
        if not typing and self._burst_limit.excess(interaction.user.id, now):
            await responses.reply_text(interaction, self._too_fast(interaction, "command.too_fast"))
            return False
        try:
            validate_command(self._commands.tree, interaction)
            if not typing:
                responses.start_timer(interaction, age)
                await self._router.begin(interaction, written_by(interaction.command))
        except Refused as refused:
            await self._refuse(interaction, refused)
            return False
        except Exception as error:  # noqa: BLE001  the library answers what a command raises, but not what is raised here
            number = logs.log_error(error, "admitting a command", interaction.client.telemetry)
            await self._refuse(interaction, Refused("error.number", number=number))
            return False
        if typing:
            await autocomplete.complete(interaction, translations_for(interaction), self._commands.completions)
        return not typing

    def _age(self, interaction: Interaction, now: float) -> float:
        """How old an interaction is `now`, by the loop's time, in seconds; infinity if it may be too old and nobody
        knows."""
        held_up = REPLAYED in interaction.extras or interaction.client.loop_lag.stood_still()
        return self._ages.age(interaction.id, held_up=held_up, now=now)

    async def _refuse(self, interaction: Interaction, refused: Refused) -> None:
        """Answer a command that will not be carried out; while it is still being typed, offer no completions."""
        if interaction.type is discord.InteractionType.autocomplete:
            await responses.reply_choices(interaction, ())
        else:
            await responses.reply_text(interaction, refused.told(translations_for(interaction)))

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer a press, once, if it can still be answered."""
        if interaction.type not in _PRESSES or self._ages.is_duplicate(interaction.id):
            return
        if not self._track():
            return
        now = asyncio.get_running_loop().time()
        age = self._age(interaction, now)
        if age > time_limits.MAX_AGE:
            _log_dropped("press", age)
            interaction.client.telemetry.press_late()
            return
        too_many = self._burst_limit.excess(interaction.user.id, now)
        if not too_many:
            responses.start_timer(interaction, age)
            await self._router.on_press(interaction)
        elif too_many == 1:
            await responses.reply_text(interaction, self._too_fast(interaction, "press.too_fast"))
        else:
            await responses.ack(interaction)

    async def joined(self, guild: discord.Guild) -> None:
        """Do what rooms do in a server that the bot has joined. Raises what they raise."""
        for do in self._joined:
            await do(guild)

    async def reply_text(self, interaction: Interaction, text: str) -> None:
        """Answer with a private text."""
        await responses.reply_text(interaction, text)

    def _too_fast(self, interaction: Interaction, key: str) -> str:
        return translations_for(interaction)(key, limit=self._presses_per_second)


def _log_dropped(what: str, age: float) -> None:
    if math.isinf(age):
        _log.info("dropped a %s of unknown age, which was held up on its way", what)
    else:
        _log.info("dropped a %s that came %.1f s late", what, age)


class Router:
    """Reads each press, takes it up, and lets its verb answer. It knows no capability by name."""

    def __init__(
        self,
        answers: Sequence[Answers],
        presses: MatchPresses,
        matches: MatchRegistry,
        invitations: Invitations,
        wording: Wording,
    ) -> None:
        self._verbs = all_verbs(answers)
        self.writes = {verb: whose for each in answers for verb, whose in each.writes.items()}
        """Whose rows each verb may make."""
        self._presses = presses
        self._matches = matches
        self._invitations = invitations
        self._wording = wording

    async def begin(self, interaction: Interaction, whose: Whose, target: str = "") -> None:
        """Have their language ready, and the person's matches in play, which a start may not have restored yet. Say
        whose rows a command or a press may make, and remember their name and language if theirs are among them. Raises
        Refused if that fails."""
        await self._wording.prepare(interaction)
        await translate_errors(self._matches.bring_in(interaction.user.id, target))
        allow(interaction, whose)
        if whose is not Whose.NOBODY:
            await translate_errors(self._wording.remember_names(interaction))
            self._wording.note_locale(interaction)

    async def on_press(self, interaction: Interaction) -> None:
        """Answer a press of a component, or a submitted form."""
        try:
            await self._answer(interaction)
        except custom_ids.UnknownCustomId:
            await self._say(interaction, "press.unknown")
        except Refused as refused:
            await responses.reply_text(interaction, refused.told(translations_for(interaction)))
        except Exception as error:  # noqa: BLE001  whatever happens inside, the press is answered
            number = logs.log_error(error, "answering a press", interaction.client.telemetry)
            await self._say(interaction, "error.number", number=number)

    async def _say(self, interaction: Interaction, key: str, **values: Any) -> None:
        await responses.reply_text(interaction, translations_for(interaction)(key, **values))

    async def _answer(self, interaction: Interaction) -> None:
        target, read = custom_ids.read_press(dict(interaction.data or {}))
        verb = self._verbs.get(read.verb)
        if verb is None:
            raise custom_ids.UnknownCustomId("no such verb")
        self._invitations.note_pressed(target, interaction.user.id)
        with self._presses.take_up(target, interaction.id) as changes:
            await self.begin(interaction, self.writes[read.verb], target)
            await translate_errors(verb(ComponentPress(interaction, target, read.verb, read.window, read.arg, changes)))

"""A press of a component, from its id to the function that answers it; and what has presses or commands."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MethodType
from typing import Any, TypeAlias, TypeVar

from discord import app_commands

from bot.gateway.command_texts import Describe, describe
from bot.play.match_press import MatchPress
from bot.ui.catalogue import Translations
from bot.ui.screen import Screen
from cogs.interactions import responses
from cogs.interactions.autocomplete import Completion
from cogs.interactions.venues import server_of
from cogs.interactions.whose_rows import Whose
from cogs.screens.renderer import Sheet


@dataclass(frozen=True, slots=True)
class ComponentPress:
    """A press, admitted once and read once. Its verb answers it.

    `target`, `verb`, `window` and `arg` are the fields of the id (`cogs.screens.custom_ids`); if a line of a list was
    chosen, `arg` is that line's. The verb changes matches only through `changes`, which notifies the observers once the
    verb has returned.
    """

    interaction: responses.Interaction
    target: str
    verb: str
    window: int
    arg: str
    changes: MatchPress

    @property
    def user_id(self) -> int:
        """Who pressed."""
        return self.interaction.user.id

    @property
    def words(self) -> Translations:
        """The translations for the person who pressed."""
        return responses.translations_for(self.interaction)

    @property
    def server_id(self) -> int:
        """The server where somebody pressed. Raises Refused in direct messages."""
        return server_of(self.interaction)

    @property
    def message_id(self) -> int | None:
        """The message that was pressed."""
        return self.interaction.message.id if self.interaction.message else None

    @property
    def in_private(self) -> bool:
        """Whether only its presser sees the message that was pressed."""
        return self.interaction.message is not None and self.interaction.message.flags.ephemeral

    async def reply(self, screen: Screen, subject: str) -> Sheet | None:
        """Show a screen in private, whose controls act on a subject (`responses.reply_private`)."""
        return await responses.reply_private(self.interaction, screen, subject)

    async def reply_text(self, text: str) -> None:
        """Answer with a private text."""
        await responses.reply_text(self.interaction, text)


@dataclass(slots=True, eq=False)
class OneAtATime:
    """Takes presses of one person at the same moment for one: people press twice by accident."""

    _under_way: set[int] = field(default_factory=set, init=False)

    async def do(self, interaction: responses.Interaction, what: Coroutine[Any, Any, None]) -> None:
        """Answer a press so, unless another one of the same person is being answered. Raises what `what` raises."""
        user_id = interaction.user.id
        if user_id in self._under_way:
            what.close()
            await responses.ack(interaction)
            return
        self._under_way.add(user_id)
        try:
            await what
        finally:
            self._under_way.discard(user_id)


Verb: TypeAlias = Callable[[ComponentPress], Awaitable[None]]
"""A verb's function: it answers the press, once."""

Command: TypeAlias = app_commands.Command[Any, ..., None] | app_commands.Group | app_commands.ContextMenu

Method = TypeVar("Method", bound=Callable[[Any, ComponentPress], Awaitable[None]])


class Verbs:
    """The verbs of a class, each named where the method is that answers it."""

    def __init__(self) -> None:
        self._methods: dict[str, Callable[[Any, ComponentPress], Awaitable[None]]] = {}
        self.writes: dict[str, Whose] = {}
        """Whose rows each may make."""

    def __call__(self, *names: str, writes: Whose = Whose.ACTOR) -> Callable[[Method], Method]:
        """Have a method answer presses with these verbs, which may make rows of these people alone. Raises ValueError
        for a verb that another method has."""

        def add(method: Method) -> Method:
            for name in names:
                if self._methods.setdefault(name, method) is not method:
                    raise ValueError(f"two methods answer {name}")
                self.writes[name] = writes
            return method

        return add

    def of(self, owner: object) -> dict[str, Verb]:
        """The verbs, answered by this object."""
        return {name: MethodType(method, owner) for name, method in self._methods.items()}


@dataclass(frozen=True, slots=True)
class Answers:
    """What somebody answers. The router and the command tree know nobody by name.

    `verbs` answer its presses, and its forms, which are presses too when they are sent. `commands` makes its commands,
    once every game has registered. `completions` complete an option of a command, given the names of both, while it is
    being typed. `writes` says whose rows each verb may make; a command says it itself.
    """

    verbs: Mapping[str, Verb]
    commands: Callable[[], Iterable[Command]] = tuple
    completions: Mapping[tuple[str, str], Completion] = field(default_factory=dict)
    writes: Mapping[str, Whose] = field(default_factory=dict)


class Capability:
    """What has presses or commands, and says which."""

    verbs = Verbs()

    def answers(self) -> Answers:
        """What it answers."""
        return Answers(self.verbs.of(self), lambda: self._commands(describe), self._completions(), self.verbs.writes)

    def _commands(self, say: Describe) -> tuple[Command, ...]:  # noqa: ARG002  many have presses alone
        """Its commands, made when all games have registered; `say` makes the texts that describe them."""
        return ()

    def _completions(self) -> Mapping[tuple[str, str], Completion]:
        """What completes options of its commands (`Answers`)."""
        return {}


def all_verbs(answers: Sequence[Answers]) -> dict[str, Verb]:
    """The verbs of all. Raises ValueError for a verb that two answer."""
    verbs = {name: verb for each in answers for name, verb in each.verbs.items()}
    if len(verbs) != sum(len(each.verbs) for each in answers):
        raise ValueError("two answer the same verb")
    return verbs

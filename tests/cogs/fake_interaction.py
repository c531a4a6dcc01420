"""An interaction without Discord behind it: what `cogs.interactions.responses` and the cogs ask of discord.py's.

It keeps what the person sees, takes one first response, and fails on demand. `contract_responses` holds it to what
discord.py's does on the sandbox.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from types import SimpleNamespace
from typing import Any, Literal, TypeAlias, cast

import discord

from bot.gateway.connectivity import LoopLag
from bot.gateway.sessions import ForeignAnswers
from bot.telemetry import NO_TELEMETRY
from cogs.interactions.responses import Interaction
from cogs.screens.renderer import FormSheet, Sheet
from cogs.updates.channel_messages import translate_failures
from cogs.updates.token_edits import InteractionToken
from tests.cogs.fake_messages import FakeMessages, texts

Doing: TypeAlias = Literal[
    "send", "edit", "defer", "complete", "form", "follow up", "get original", "edit original", "delete original"
]

_FIRST: Collection[Doing] = ("send", "edit", "defer", "complete", "form")

EPOCH = 1_420_070_400_000
_numbers = count(1)


def snowflake(milliseconds: int) -> int:
    """An id that Discord makes at this moment (ms UTC); no two are the same."""
    return (milliseconds - EPOCH << 22) + next(_numbers) % (1 << 12)


def http_error(status: int, code: int) -> discord.HTTPException:
    """Discord's refusal as the library raises it."""
    response: Any = SimpleNamespace(status=status, reason="refused")
    told: dict[str, Any] = {"code": code, "message": "refused"}
    if status >= 500:
        return discord.DiscordServerError(response, told)
    return {404: discord.NotFound, 403: discord.Forbidden}.get(status, discord.HTTPException)(response, told)


@dataclass(repr=False)
class Seen:
    """A message that answers an interaction, or on which it was made, as it is shown now."""

    shown: Sheet | str = ""
    private: bool = True
    thinking: bool = False
    files: tuple[str, ...] = ()
    deleted: bool = False

    answers: int = field(default_factory=lambda: next(_numbers))
    """The interaction that it was sent for."""

    @property
    def text(self) -> str:
        """All that is written on it."""
        return self.shown if isinstance(self.shown, str) else "\n".join(texts(self.shown))


@dataclass(repr=False)
class FakeInteraction:
    """A press, or a command, of a person in a server; `source` is the message that was pressed."""

    data: Any
    user_id: int = 1
    guild_id: int | None = 900_001
    channel_id: int | None = 910_001
    source: Seen | None = None
    type: discord.InteractionType = discord.InteractionType.component
    id: int = field(default_factory=lambda: next(_numbers))
    message_id: int = 920_001
    client: Any = None
    answers: list[Seen] = field(default_factory=list)
    """The messages that were sent in answer."""
    did: list[Doing] = field(default_factory=list)
    choices: list[tuple[str, str | int]] | None = None
    form: dict[str, Any] | None = None
    """The form that was opened, as Discord's JSON."""
    takes: float = 0.0
    """Seconds until each request has its effect."""
    reply_takes: float = 0.0
    """Seconds after its effect until its reply arrives."""
    second_responses: int = 0
    """How many first responses Discord refused because it had already taken one."""
    extras: dict[str, Any] = field(default_factory=dict)
    locale: discord.Locale = discord.Locale.american_english
    application_id: int = 1
    command: Any = None
    guild: None = None
    _state: None = None
    """The library's reader of options asks for both, and needs them only for people and channels."""
    _failures: list[tuple[Collection[Doing], Exception, bool]] = field(default_factory=list)
    _original: Seen | None = None
    _answered: bool = False
    _confirmed: bool = False
    """Whether the library knows that it was answered."""

    def __post_init__(self) -> None:
        self.refusals: list[discord.HTTPException] = []
        self.user = SimpleNamespace(id=self.user_id, display_name=f"User {self.user_id}")
        self.message: Any = None if self.source is None else _Pressed(self, self.source)
        self.response = _FirstResponse(self)
        self.followup = SimpleNamespace(send=self._follow_up)
        if self.client is None:
            self.client = SimpleNamespace(
                telemetry=NO_TELEMETRY,
                get_partial_messageable=self._messageable,
                loop_lag=LoopLag(NO_TELEMETRY),
                foreign_answers=ForeignAnswers(),
                card_emojis=SimpleNamespace(refused=self.refusals.append),
            )
        self.posted = FakeMessages()
        """What was posted in a channel beside the answer."""

    @property
    def context(self) -> discord.app_commands.AppCommandContext:
        """The kind of place: a server, or direct messages with the bot."""
        return discord.app_commands.AppCommandContext(
            guild=self.guild_id is not None, dm_channel=self.guild_id is None, private_channel=False
        )

    @property
    def as_interaction(self) -> Interaction:
        """This, as the type that the cogs take."""
        return cast("Interaction", self)

    def fail(self, doing: Doing, error: Exception, *, after: bool = False) -> None:
        """Have the next request of this kind fail before it has an effect, or after."""
        self._failures.append(([doing], error, after))

    def fail_first_response(self, error: Exception, *, after: bool = False) -> None:
        """Have the next first response fail, of whatever kind it is."""
        self._failures.append((_FIRST, error, after))

    @property
    def texts(self) -> list[str]:
        """What the answers that can be seen say."""
        return [each.text for each in self.answers if not each.deleted]

    async def original_response(self) -> Any:
        """The library's."""
        async with self.requested("get original"):
            self._existing()
        return _message(0)

    async def edit_original_response(self, **content: Any) -> Any:
        """The library's."""
        async with self.requested("edit original"):
            original = self._existing()
            _fill(original, content)
        return _message(next(_numbers))

    async def delete_original_response(self) -> None:
        """The library's."""
        async with self.requested("delete original"):
            self._existing().deleted = True

    @asynccontextmanager
    async def requested(self, doing: Doing) -> AsyncIterator[None]:
        """Take the time of a request, whose effect is the block, and fail where it shall."""
        await asyncio.sleep(self.takes)
        failure = next((each for each in self._failures if doing in each[0]), None)
        if failure is not None:
            self._failures.remove(failure)
            if not failure[2]:
                raise failure[1]
        self.did.append(doing)
        yield
        await asyncio.sleep(self.reply_takes)
        if failure is not None:
            raise failure[1]

    async def respond(self, doing: Doing, original: Seen | None, effect: Callable[[], None] = lambda: None) -> None:
        """Give the first response; `original` is the message that the interaction's token then edits."""
        if self._confirmed:
            raise discord.InteractionResponded(self.as_interaction)
        async with self.requested(doing):
            if self._answered:
                self.second_responses += 1
                raise http_error(400, 40060)
            self._answered, self._original = True, original
            effect()
        self._confirmed = True

    @property
    def token(self) -> str:
        """The interaction's token."""
        return f"token of {self.id}"

    @property
    def answered(self) -> bool:
        """Whether the library knows that the first response was given."""
        return self._confirmed

    async def _follow_up(
        self, content: str = "", *, view: Sheet | None = None, ephemeral: bool = False, file: Any = None, **_: Any
    ) -> None:
        async with self.requested("follow up"):
            shown, files = content if view is None else view, () if file is None else (file.filename,)
            self.answers.append(Seen(shown, ephemeral, files=files))

    def _existing(self) -> Seen:
        if not self._answered:
            raise http_error(404, 10015)
        if self._original is None or self._original.deleted:
            raise http_error(404, 10008)
        return self._original

    def _messageable(self, channel_id: int, **_: Any) -> Any:
        async def send(*, view: Sheet, **_: Any) -> Any:
            posted = await self.posted.post(0, channel_id, view)
            return _message(posted.message_id)

        return SimpleNamespace(send=send)


def _message(message_id: int) -> discord.Message:
    message = discord.Message.__new__(discord.Message)
    message.id = message_id
    return message


def _fill(seen: Seen, content: dict[str, Any]) -> None:
    seen.shown = content["view"] if "view" in content else content.get("content", seen.shown)
    seen.files = tuple(file.filename for file in content.get("attachments") or ())
    seen.thinking = False


class _Pressed:
    """The message that was pressed."""

    def __init__(self, interaction: FakeInteraction, seen: Seen) -> None:
        self.id = interaction.message_id
        self.flags = discord.MessageFlags(ephemeral=seen.private)
        self.interaction_metadata = SimpleNamespace(id=seen.answers, interacted_message_id=None)
        self.components: list[Any] = []
        self._interaction = interaction
        self._seen = seen

    async def edit(self, *, view: Sheet, attachments: object = ()) -> None:
        del attachments  # a picture is in the view
        async with self._interaction.requested("edit"):
            self._seen.shown = view


class _FirstResponse:
    """`discord.InteractionResponse`, as far as the cogs use it."""

    def __init__(self, interaction: FakeInteraction) -> None:
        self._to = interaction

    def is_done(self) -> bool:
        return self._to.answered

    async def send_message(
        self,
        content: str = "",
        *,
        view: Sheet | None = None,
        ephemeral: bool = False,
        file: Any = None,
        files: Any = None,
        **_: Any,
    ) -> Any:
        sent = (*(files or ()), *(() if file is None else (file,)))
        seen = Seen(
            content if view is None else view,
            ephemeral,
            files=tuple(each.filename for each in sent),
            answers=self._to.id,
        )
        await self._to.respond("send", seen, lambda: self._to.answers.append(seen))
        answer = discord.InteractionCallbackResponse.__new__(discord.InteractionCallbackResponse)
        answer.message_id = next(_numbers)  # as Discord's echo names it
        return answer

    async def edit_message(self, *, view: Sheet, attachments: Any = None) -> None:
        source = self._to.source

        def show() -> None:
            if source is not None:
                source.shown = view
                source.files = tuple(file.filename for file in attachments or ())

        await self._to.respond("edit", source, show)

    async def defer(self, *, ephemeral: bool = False, thinking: bool = False) -> None:
        seen = Seen("", ephemeral, thinking=True, answers=self._to.id) if thinking else self._to.source

        def show() -> None:
            if thinking and seen is not None:
                self._to.answers.append(seen)

        await self._to.respond("defer", seen, show)

    async def send_modal(self, modal: FormSheet) -> None:
        def show() -> None:
            self._to.form = modal.to_dict()

        await self._to.respond("form", None, show)

    async def autocomplete(self, choices: Iterable[discord.app_commands.Choice[Any]]) -> None:
        await self._to.respond("complete", None)
        self._to.choices = [(each.name, each.value) for each in choices]


class FakeHands:
    """`TokenEdits`: the answers to the interactions that are noted here."""

    def __init__(self) -> None:
        self._by_token: dict[str, FakeInteraction] = {}

    def note(self, interaction: FakeInteraction) -> None:
        """Note an interaction, so that its token edits its answer."""
        self._by_token[interaction.token] = interaction

    async def edit(self, token: InteractionToken, made: Sheet) -> None:
        with translate_failures():
            await self._by_token[token.token].edit_original_response(view=made)

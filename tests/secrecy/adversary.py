"""An adversary: does all that somebody can do about a match, keeps all that they are told, and tries to deal it."""

from __future__ import annotations

import base64
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from discord import AppCommandOptionType, AppCommandType, app_commands

from bot.play.deals.sealing import chances_of
from bot.play.match_state import codec
from bot.store.queries.matches import MatchRow
from bot.store.verification import opens_seal
from bot.ui.screen import Press
from cogs.actions.commands import Commands
from cogs.interactions.whose_rows import Whose
from cogs.replays.exports import EXPORTS
from cogs.screens import custom_ids
from discord_sandbox import DrivenChannel, MessageView, Person, Reply, Sandbox
from discord_sandbox import Refused as NotSent
from engines import GAMES
from engines.deals import SEED_BYTES
from tests.insides import Insides
from tests.whose_rows import table_of

_HEX: Final = re.compile(rb"(?=([0-9a-fA-F]{64}))")
_BASE64: Final = re.compile(rb"(?=([A-Za-z0-9+/_-]{43}))")
_ARGUMENTS: Final = ("", "0", "1", "o", "n.a.", *(each.key for each in EXPORTS))
"""What ids of replays, pages and files end in."""


class Adversary:
    """Somebody who plays nothing honestly."""

    def __init__(self, sandbox: Sandbox, app: Insides, person: Person, channel: DrivenChannel) -> None:
        self._sandbox = sandbox
        self._app = app
        self._person = person
        self._channel = channel
        self._pressed: set[str] = set()
        self.told = b""
        """Everything that they were told, files too."""
        self.asked = 0
        """How many commands, completions and presses they have made."""

    async def try_everything(self, row: MatchRow, players: Iterable[Person], shown: Sequence[MessageView]) -> None:
        """Send each command that shows something, and press each verb there is, on these messages and on an answer of
        their own, with each argument on the first; then everything that the answers offer."""
        answers = [each async for each in self._commands((row.id, row.deal_id), tuple(players))]
        own = next(each.message for each in answers if each.message_or_none is not None)
        verbs = [name for name in table_of(self._app) if not name.startswith("/")]
        first, *others = shown or (own,)
        for message, arguments in ((first, _ARGUMENTS), *((each, ("",)) for each in (*others, own))):
            ids = [custom_ids.write(row.id, Press(verb, 0, each)) for verb in verbs for each in (*arguments, row.id)]
            answers += [await self._person.press(message, custom_id=each, force=True) for each in ids]
        for answer in answers:
            if answer.message_or_none is not None:
                await self._press_all(answer.message)
        self.asked += len(answers)
        self.told = b"\n".join(each.raw for each in self._sandbox.transcript.seen_by(self._person.id))

    async def _commands(self, codes: tuple[str, ...], people: tuple[Person, ...]) -> AsyncIterator[Reply]:
        """The answers to all commands that only show something, with every code and person that they can be given."""
        table, tree = table_of(self._app), self._app.find(Commands).tree
        for menu in tree.get_commands(type=AppCommandType.user):
            for person in people:
                yield await self._person.context_menu(self._channel, menu.name, person)
        for command in _leaves(tree):
            if table[f"/{command.qualified_name}"] is not Whose.NOBODY:
                continue
            for options in _options(command, codes, people):
                yield await self._person.slash(self._channel, command.qualified_name, **options)
            for parameter in (each for each in command.parameters if each.autocomplete):
                asked = {"option": parameter.name, "value": ""}
                yield await self._person.autocomplete(self._channel, command.qualified_name, **asked)

    async def _press_all(self, message: MessageView) -> None:
        """Press each control of a message that was not pressed yet."""
        pressed = [(button.custom_id, "") for button in message.buttons if not button.disabled]
        pressed += [(each.custom_id, option.value) for each in message.selects for option in each.options]
        for custom_id, value in pressed:
            if f"{custom_id} {value}" in self._pressed:
                continue
            self._pressed.add(f"{custom_id} {value}")
            try:
                if value:
                    await self._person.select(message, custom_id=custom_id, values=[value])
                else:
                    await self._person.press(message, custom_id=custom_id)
            except (NotSent, LookupError):
                continue  # an answer has taken the control away
            self.asked += 1

    def deal(self, row: MatchRow) -> tuple[Any, ...] | None:
        """The facts of a match's deal, if anything that was told is its seed. Of its row only public facts are used."""
        known = replace(row, seed=bytes(SEED_BYTES))
        for guess in {*_guesses(self.told)}:
            dealt = replace(known, seed=guess)
            if opens_seal(dealt):
                options, game = codec(row.game).decode(row.options), GAMES[row.game]
                chance = chances_of(dealt, game.pack(options, len(row.seats)).pack_id)(0)
                return tuple(game.deal(game.start(options, len(row.seats)), chance))
        return None


def _guesses(told: bytes) -> Iterator[bytes]:
    """Everything in a text that may be a seed."""
    for found in _HEX.finditer(told):
        yield bytes.fromhex(found[1].decode())
    for found in _BASE64.finditer(told):
        yield base64.urlsafe_b64decode(found[1].replace(b"+", b"-").replace(b"/", b"_") + b"=")


def _leaves(tree: app_commands.CommandTree[Any]) -> Iterator[app_commands.Command[Any, ..., Any]]:
    for each in tree.walk_commands():
        if isinstance(each, app_commands.Command):
            yield each


def _options(
    command: app_commands.Command[Any, ..., Any], codes: tuple[str, ...], people: tuple[Person, ...]
) -> Iterator[Mapping[str, object]]:
    """What a command can be given: nothing, where it needs nothing, and each code or person."""
    needed = {each.name: each.choices[0].value for each in command.parameters if each.required}
    yield needed
    for parameter in command.parameters:
        given = people if parameter.type is AppCommandOptionType.user else codes if parameter.name == "code" else ()
        for value in given:
            yield {**needed, parameter.name: value}

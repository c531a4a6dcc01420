"""The commands of the control API, by name and with arguments in JSON: what can happen to a bot from outside.

In requests they are called acts. People, servers and channels are given by the name that others see or by id; without
a server, the first one is meant. What happens to connections happens to those of one "shard" where one is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from discord_sandbox.clients.driver import DrivenChannel, Person
from discord_sandbox.clients.resolved_data import Refused
from discord_sandbox.clients.views import MessageView
from discord_sandbox.model import snowflake
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.state import Server
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.interactions import InteractionType

if TYPE_CHECKING:
    from discord_sandbox.run.server import Sandbox

Command = Callable[["Sandbox", JsonObject], None]


class ControlCommandError(ValueError):
    """Raised for an unknown command, or for arguments that are missing or name nothing that exists."""


def prepare(sandbox: Sandbox, raw: object) -> Callable[[], None]:
    """A command from JSON, e.g. {"act": "delete_channel", "channel": "games"}. Calling the result runs it.

    Raises ControlCommandError for an unknown one. Its arguments are looked up only when it is called; the call raises
    ControlCommandError for those that are missing or name nothing.
    """
    if not isinstance(raw, dict) or raw.get("act") not in COMMANDS:
        raise ControlCommandError(f"an act is an object with one of these as its act: {', '.join(COMMANDS)}")
    command = COMMANDS[raw["act"]]
    return lambda: _perform(sandbox, command, raw)


def _perform(sandbox: Sandbox, command: Command, arguments: JsonObject) -> None:
    try:
        command(sandbox, arguments)
    except (KeyError, TypeError, ValueError, LookupError, Refused) as trouble:
        words = f"{trouble.args[0]!r} is missing" if isinstance(trouble, KeyError) else str(trouble)
        raise ControlCommandError(f"{arguments['act']}: {words}") from None


def _advance(sandbox: Sandbox, arguments: JsonObject) -> None:
    sandbox.advance(float(arguments["seconds"]))


def _drop_gateway(sandbox: Sandbox, arguments: JsonObject) -> None:
    code = arguments.get("code")
    sandbox.drop_gateway(
        resumable=bool(arguments.get("resumable", True)),
        code=None if code is None else int(code),
        shard=_shard(arguments),
    )


def _invalidate(sandbox: Sandbox, arguments: JsonObject) -> None:
    sandbox.gateway.invalidate(resumable=bool(arguments.get("resumable", False)), shard=_shard(arguments))


def _reconnect(sandbox: Sandbox, arguments: JsonObject) -> None:
    sandbox.gateway.ask_to_reconnect(_shard(arguments))


def _heartbeat(sandbox: Sandbox, arguments: JsonObject) -> None:
    sandbox.gateway.ask_for_heartbeat(_shard(arguments))


def _silence(sandbox: Sandbox, arguments: JsonObject) -> None:
    sandbox.gateway.fall_silent(_shard(arguments))


def _reset_token(sandbox: Sandbox, _arguments: JsonObject) -> None:
    sandbox.gateway.reset_token()


def _enforce(sandbox: Sandbox, arguments: JsonObject) -> None:
    sandbox.rate_limits.enforced = bool(arguments.get("enforced", True))


def _delete_message(sandbox: Sandbox, arguments: JsonObject) -> None:
    message = sandbox.world.message(int(arguments["message"]))
    if message is None:
        raise LookupError(f"there is no message {arguments['message']!r}")
    sandbox.delete_message(MessageView(message))


def _delete_channel(sandbox: Sandbox, arguments: JsonObject) -> None:
    sandbox.delete_channel(_channel(sandbox, arguments))


def _deny(sandbox: Sandbox, arguments: JsonObject) -> None:
    _channel(sandbox, arguments).deny(*_permissions(arguments), member=_member(sandbox, arguments))


def _allow(sandbox: Sandbox, arguments: JsonObject) -> None:
    _channel(sandbox, arguments).allow(*_permissions(arguments), member=_member(sandbox, arguments))


def _remove_member(sandbox: Sandbox, arguments: JsonObject) -> None:
    sandbox.remove_member(_person(sandbox, arguments["person"]), _server(sandbox, arguments))


def _add_member(sandbox: Sandbox, arguments: JsonObject) -> None:
    sandbox.add_member(_person(sandbox, arguments["person"]), _server(sandbox, arguments))


def _remove_bot(sandbox: Sandbox, arguments: JsonObject) -> None:
    sandbox.remove_bot(_server(sandbox, arguments))


def _add_bot(sandbox: Sandbox, arguments: JsonObject) -> None:
    sandbox.add_bot(_server(sandbox, arguments))


def _lose_server(sandbox: Sandbox, arguments: JsonObject) -> None:
    sandbox.lose_server(_server(sandbox, arguments))


def _restore_server(sandbox: Sandbox, arguments: JsonObject) -> None:
    sandbox.restore_server(_server(sandbox, arguments))


def _forge(sandbox: Sandbox, arguments: JsonObject) -> None:
    kind, data = str(arguments["kind"]).upper(), arguments["data"]
    if kind not in InteractionType.__members__ or not isinstance(data, dict):
        raise LookupError(f"kind is one of {', '.join(InteractionType.__members__).lower()}, data an object")
    message = arguments.get("message")
    source = None if message is None else sandbox.world.message(int(message))
    if message is not None and source is None:
        raise LookupError(f"there is no message {message!r}")
    client = _person(sandbox, arguments["person"]).client
    client.open_forged(InteractionType[kind], _channel(sandbox, arguments).record, data, source)


COMMANDS: Mapping[str, Command] = {
    "advance": _advance,
    "drop_gateway": _drop_gateway,
    "reconnect": _reconnect,
    "invalidate": _invalidate,
    "heartbeat": _heartbeat,
    "silence": _silence,
    "reset_token": _reset_token,
    "enforce_rate_limits": _enforce,
    "delete_message": _delete_message,
    "delete_channel": _delete_channel,
    "deny": _deny,
    "allow": _allow,
    "remove_member": _remove_member,
    "add_member": _add_member,
    "remove_bot": _remove_bot,
    "add_bot": _add_bot,
    "lose_server": _lose_server,
    "restore_server": _restore_server,
    "forge_interaction": _forge,
}


def _shard(arguments: JsonObject) -> int | None:
    """Whose connections are meant; None is all."""
    named = arguments.get("shard")
    return None if named is None else int(named)


def _server(sandbox: Sandbox, arguments: JsonObject) -> Server:
    named = arguments.get("server")
    for server in sandbox.world.servers.values():
        if named is None or str(named) in (server.name, str(server.id)):
            return server
    raise LookupError(f"there is no server {named!r}")


def _channel(sandbox: Sandbox, arguments: JsonObject) -> DrivenChannel:
    named = str(arguments["channel"])
    if snowflake.parsed(named) is not None and int(named) in sandbox.world.channels:
        return DrivenChannel(sandbox.backend, sandbox.world.channels[int(named)])
    for channel in _server(sandbox, arguments).channels.values():
        if channel.name == named:
            return DrivenChannel(sandbox.backend, channel)
    raise LookupError(f"there is no channel {named!r}")


def _person(sandbox: Sandbox, named: object) -> Person:
    for person in sandbox.people:
        if str(named) in (person.name, str(person.id)):
            return person
    raise LookupError(f"there is no person {named!r}")


def _member(sandbox: Sandbox, arguments: JsonObject) -> Person | None:
    """Whose permissions are changed; None is the bot."""
    named = arguments.get("person")
    return None if named is None else _person(sandbox, named)


def _permissions(arguments: JsonObject) -> list[Permission]:
    names = arguments["permissions"]
    unknown = [each for each in names if each not in Permission.__members__]
    if unknown or not names:
        raise LookupError(f"there is no permission {unknown}" if unknown else "permissions are an array of names")
    return [Permission[each] for each in names]

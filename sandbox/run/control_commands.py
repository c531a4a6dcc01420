"""What may be let happen to a bot, by name and with arguments in JSON: the control API's verbs.

People, servers and channels are named as others see them, or by their ids; a server left out is the
first one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from sandbox.clients.driver import DrivenChannel, Person
from sandbox.clients.resolved_data import Refused
from sandbox.clients.views import MessageView
from sandbox.model.permissions import Permission
from sandbox.model.state import Server
from sandbox.model.wire import JsonObject
from sandbox.service.interactions import InteractionType

if TYPE_CHECKING:
    from sandbox.run.server import Sandbox

Act = Callable[["Sandbox", JsonObject], None]


class ControlCommandError(ValueError):
    """Raised for an act that there is not, or whose arguments name nothing there is."""


def prepare(sandbox: Sandbox, raw: object) -> Callable[[], None]:
    """An act from JSON, e.g. {"act": "delete_channel", "channel": "games"}, to be called when it shall happen.

    Raises ActError for an unknown one; what its arguments name is looked up when it is called.
    """
    if not isinstance(raw, dict) or raw.get("act") not in ACTS:
        raise ControlCommandError(f"an act is an object with one of these as its act: {', '.join(ACTS)}")
    act = ACTS[raw["act"]]
    return lambda: _perform(sandbox, act, raw)


def _perform(sandbox: Sandbox, act: Act, given: JsonObject) -> None:
    try:
        act(sandbox, given)
    except (KeyError, TypeError, ValueError, LookupError, Refused) as trouble:
        words = f"{trouble.args[0]!r} is missing" if isinstance(trouble, KeyError) else str(trouble)
        raise ControlCommandError(f"{given['act']}: {words}") from None


def _advance(sandbox: Sandbox, given: JsonObject) -> None:
    sandbox.advance(float(given["seconds"]))


def _drop_gateway(sandbox: Sandbox, given: JsonObject) -> None:
    code = given.get("code")
    sandbox.drop_gateway(resumable=bool(given.get("resumable", True)), code=None if code is None else int(code))


def _invalidate(sandbox: Sandbox, given: JsonObject) -> None:
    sandbox.gateway.invalidate(resumable=bool(given.get("resumable", False)))


def _reconnect(sandbox: Sandbox, _given: JsonObject) -> None:
    sandbox.gateway.ask_to_reconnect()


def _heartbeat(sandbox: Sandbox, _given: JsonObject) -> None:
    sandbox.gateway.ask_for_heartbeat()


def _silence(sandbox: Sandbox, _given: JsonObject) -> None:
    sandbox.gateway.fall_silent()


def _reset_token(sandbox: Sandbox, _given: JsonObject) -> None:
    sandbox.gateway.reset_token()


def _enforce(sandbox: Sandbox, given: JsonObject) -> None:
    sandbox.rate_limits.enforced = bool(given.get("enforced", True))


def _delete_message(sandbox: Sandbox, given: JsonObject) -> None:
    message = sandbox.world.message(int(given["message"]))
    if message is None:
        raise LookupError(f"there is no message {given['message']!r}")
    sandbox.delete_message(MessageView(message))


def _delete_channel(sandbox: Sandbox, given: JsonObject) -> None:
    sandbox.delete_channel(_channel(sandbox, given))


def _deny(sandbox: Sandbox, given: JsonObject) -> None:
    _channel(sandbox, given).deny(*_permissions(given), member=_member(sandbox, given))


def _allow(sandbox: Sandbox, given: JsonObject) -> None:
    _channel(sandbox, given).allow(*_permissions(given), member=_member(sandbox, given))


def _remove_member(sandbox: Sandbox, given: JsonObject) -> None:
    sandbox.remove_member(_person(sandbox, given["person"]), _server(sandbox, given))


def _add_member(sandbox: Sandbox, given: JsonObject) -> None:
    sandbox.add_member(_person(sandbox, given["person"]), _server(sandbox, given))


def _remove_bot(sandbox: Sandbox, given: JsonObject) -> None:
    sandbox.remove_bot(_server(sandbox, given))


def _add_bot(sandbox: Sandbox, given: JsonObject) -> None:
    sandbox.add_bot(_server(sandbox, given))


def _lose_server(sandbox: Sandbox, given: JsonObject) -> None:
    sandbox.lose_server(_server(sandbox, given))


def _restore_server(sandbox: Sandbox, given: JsonObject) -> None:
    sandbox.restore_server(_server(sandbox, given))


def _forge(sandbox: Sandbox, given: JsonObject) -> None:
    kind, data = str(given["kind"]).upper(), given["data"]
    if kind not in InteractionType.__members__ or not isinstance(data, dict):
        raise LookupError(f"kind is one of {', '.join(InteractionType.__members__).lower()}, data an object")
    message = given.get("message")
    source = None if message is None else sandbox.world.message(int(message))
    if message is not None and source is None:
        raise LookupError(f"there is no message {message!r}")
    client = _person(sandbox, given["person"]).client
    client.open_forged(InteractionType[kind], _channel(sandbox, given).record, data, source)


ACTS: Mapping[str, Act] = {
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


def _server(sandbox: Sandbox, given: JsonObject) -> Server:
    named = given.get("server")
    for server in sandbox.world.servers.values():
        if named is None or str(named) in (server.name, str(server.id)):
            return server
    raise LookupError(f"there is no server {named!r}")


def _channel(sandbox: Sandbox, given: JsonObject) -> DrivenChannel:
    named = str(given["channel"])
    if named.isdecimal() and int(named) in sandbox.world.channels:
        return DrivenChannel(sandbox.backend, sandbox.world.channels[int(named)])
    for channel in _server(sandbox, given).channels.values():
        if channel.name == named:
            return DrivenChannel(sandbox.backend, channel)
    raise LookupError(f"there is no channel {named!r}")


def _person(sandbox: Sandbox, named: object) -> Person:
    for person in sandbox.people:
        if str(named) in (person.name, str(person.id)):
            return person
    raise LookupError(f"there is no person {named!r}")


def _member(sandbox: Sandbox, given: JsonObject) -> Person | None:
    """Whose permissions are changed; None is the bot."""
    named = given.get("person")
    return None if named is None else _person(sandbox, named)


def _permissions(given: JsonObject) -> list[Permission]:
    names = given["permissions"]
    unknown = [each for each in names if each not in Permission.__members__]
    if unknown or not names:
        raise LookupError(f"there is no permission {unknown}" if unknown else "permissions are an array of names")
    return [Permission[each] for each in names]

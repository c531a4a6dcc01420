"""Answers to interactions: the callback, @original, and follow-ups through the token.

Source: Discord's developer documentation, "Interactions: Receiving and Responding".
"""

from __future__ import annotations

from discord_sandbox.api.call import Call
from discord_sandbox.model import errors
from discord_sandbox.model.state import Message, MessageFlag
from discord_sandbox.model.transcript import Audience
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.interactions import FirstResponse, Interaction
from discord_sandbox.service.messages import Request
from discord_sandbox.service.responses import Callback
from discord_sandbox.validation.forms import Form
from discord_sandbox.validation.mentions import BY_DEFAULT_IN_ANSWERS


def callback(call: Call) -> JsonObject | None:
    """The first response. Answers 204 or, with `with_response`, the result."""
    interaction = call.backend.interactions.to_answer(call.number("interaction_id"), call.route["token"])
    form = call.form()
    data = form.form("data") or Form({}, form.faults, ("data",))
    call.audience = _first_audience(interaction, form.value.get("type"), data)
    request = Request(data, call.uploads, BY_DEFAULT_IN_ANSWERS)
    response = call.backend.responses.first(interaction, form, request)
    if call.query.get("with_response", "").lower() not in ("1", "true"):
        return None
    return _outcome(interaction, response)


def follow_up(call: Call) -> JsonObject:
    interaction = _interaction(call)
    original = interaction.original
    if original is not None and original.flags & MessageFlag.LOADING:
        call.audience = _audience(original)
    else:
        call.audience = interaction.audience_of(call.body_object().get("flags"))
    return call.backend.responses.follow_up(interaction, _request(call)).data


def get(call: Call) -> JsonObject:
    return _message(call).data


def edit(call: Call) -> JsonObject:
    message = _message(call)
    call.audience = _audience(message)
    return call.backend.messages.edit(message, _request(call)).data


def delete(call: Call) -> None:
    message = _message(call)
    call.audience = _audience(message)
    call.backend.messages.delete(message)


def _interaction(call: Call) -> Interaction:
    if call.number("application_id") != call.backend.world.application.id:
        raise errors.unknown_webhook()
    return call.backend.interactions.by_token(call.route["token"])


def _message(call: Call) -> Message:
    return call.backend.responses.find(_interaction(call), call.route["message_id"])


def _request(call: Call) -> Request:
    return Request(call.form(), call.uploads, BY_DEFAULT_IN_ANSWERS)


def _audience(message: Message) -> Audience:
    return "public" if message.reader is None else message.reader


def _first_audience(interaction: Interaction, kind: object, data: Form) -> Audience:
    if kind in (Callback.MESSAGE, Callback.DEFERRED):
        return interaction.audience_of(data.value.get("flags"))
    if kind in (Callback.UPDATE, Callback.DEFERRED_UPDATE) and interaction.source is not None:
        return _audience(interaction.source)
    return interaction.user.id


def _outcome(interaction: Interaction, response: FirstResponse) -> JsonObject:
    described: JsonObject = {"id": str(interaction.id), "type": int(interaction.kind)}
    message = response.message
    if message is None:
        return {"interaction": described}
    described["response_message_id"] = str(message.id)
    described["response_message_loading"] = bool(message.flags & MessageFlag.LOADING)
    described["response_message_ephemeral"] = message.reader is not None
    if response.kind not in (Callback.MESSAGE, Callback.UPDATE):
        return {"interaction": described}
    return {"interaction": described, "resource": {"type": response.kind, "message": message.data}}

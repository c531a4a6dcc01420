"""A Discord on this machine: its HTTP API and gateway on loopback, people to act in it, a page to see it.

What is listed here, with `discord_sandbox.discord_py`, `.virtual_time`, `.virtual_heartbeats`, `.browser` and
`.openapi.recorder`, is the public API. All other modules may change without notice.
"""

from discord_sandbox.clients.driver import DrivenChannel, Person
from discord_sandbox.clients.reply import Reply
from discord_sandbox.clients.resolved_data import File, Refused
from discord_sandbox.clients.views import Button, MessageView, ModalView, NotOnMessageError, Select
from discord_sandbox.model.faults import Drop, EventFault, Fault, FaultsOnDemand, RequestFault
from discord_sandbox.model.feed import Event
from discord_sandbox.model.payloads import member as member_object
from discord_sandbox.model.payloads import user as user_object
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.rate_limits import Rule, Scope
from discord_sandbox.model.snowflake import Snowflakes, shard_of
from discord_sandbox.model.state import Channel, ChannelType, Message, Role, Server, World
from discord_sandbox.model.transcript import Dispatched, Entry, Exchange, Noted
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.run.server import NotLoopbackError, Sandbox
from discord_sandbox.service.watchers import Opened, Watcher
from discord_sandbox.validation.refusals import refusals

__all__ = [
    "Button",
    "Channel",
    "ChannelType",
    "Dispatched",
    "DrivenChannel",
    "Drop",
    "Entry",
    "Event",
    "EventFault",
    "Exchange",
    "Fault",
    "FaultsOnDemand",
    "File",
    "JsonObject",
    "Message",
    "MessageView",
    "ModalView",
    "NotLoopbackError",
    "NotOnMessageError",
    "Noted",
    "Opened",
    "Permission",
    "Person",
    "Refused",
    "Reply",
    "RequestFault",
    "Role",
    "Rule",
    "Sandbox",
    "Scope",
    "Select",
    "Server",
    "Snowflakes",
    "Watcher",
    "World",
    "member_object",
    "refusals",
    "shard_of",
    "user_object",
]

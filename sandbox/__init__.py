"""A Discord on this machine: its HTTP API and gateway on loopback, people to act in it, a page to see it."""

from sandbox.clients.driver import DrivenChannel, Person
from sandbox.clients.reply import Reply
from sandbox.clients.resolved_data import File, Refused
from sandbox.clients.views import Button, MessageView, ModalView, NotOnMessageError, Select
from sandbox.model.permissions import Permission
from sandbox.run.server import NotLoopbackError, Sandbox

__all__ = [
    "Button",
    "DrivenChannel",
    "File",
    "MessageView",
    "ModalView",
    "NotLoopbackError",
    "NotOnMessageError",
    "Permission",
    "Person",
    "Refused",
    "Reply",
    "Sandbox",
    "Select",
]

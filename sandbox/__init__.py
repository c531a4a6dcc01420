"""A Discord on this machine: its HTTP API and gateway on loopback, people to act in it, a page to see it."""

from sandbox.driver import DrivenChannel, Person
from sandbox.permissions import Permission
from sandbox.reply import Reply
from sandbox.resolved import File, Refused
from sandbox.server import NotLoopbackError, Sandbox
from sandbox.views import Button, MessageView, ModalView, NotOnMessageError, Select

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

"""The result of a person's act: the bot's first response, or the client's message if there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from discord_sandbox.clients.views import MessageView, ModalView
from discord_sandbox.model.wire import JsonObject

ReplyKind: TypeAlias = Literal["message", "deferred", "update", "deferred_update", "choices", "modal", "failed"]
KINDS: dict[int, ReplyKind] = {
    4: "message",
    5: "deferred",
    6: "deferred_update",
    7: "update",
    8: "choices",
    9: "modal",
}
FAILED = "This interaction failed"
NO_RESPONSE = "The application did not respond"
NO_OPTIONS = "Loading options failed"


@dataclass(frozen=True, slots=True)
class Reply:
    """The first response to one act.

    `elapsed` is the real time in seconds from the act to the response; `visibility` is that of
    `message` ("public" or "ephemeral"; None without a message); `reason` is what the client shows
    when the act failed.
    """

    kind: ReplyKind
    elapsed: float
    interaction_id: int
    message_or_none: MessageView | None = None
    modal_or_none: ModalView | None = None
    choices: tuple[JsonObject, ...] = ()
    reason: str = ""

    @property
    def failed(self) -> bool:
        """Whether no response came in time."""
        return self.kind == "failed"

    @property
    def message(self) -> MessageView:
        """The message answered with, or the one that was updated; raises LookupError without one."""
        if self.message_or_none is None:
            raise LookupError(f"the reply is {self.kind!r} ({self.reason or 'no message'})")
        return self.message_or_none

    @property
    def modal(self) -> ModalView:
        """The modal that opened; raises LookupError without one."""
        if self.modal_or_none is None:
            raise LookupError(f"the reply is {self.kind!r}, not a modal")
        return self.modal_or_none

    @property
    def visibility(self) -> Literal["public", "ephemeral"] | None:
        """Who sees the message."""
        if self.message_or_none is None:
            return None
        return "ephemeral" if self.message_or_none.ephemeral else "public"

    @property
    def text(self) -> str:
        """The message's text as it is now; empty without a message."""
        return "" if self.message_or_none is None else self.message_or_none.text

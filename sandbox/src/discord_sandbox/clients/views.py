"""Messages and modals as a person at a client sees them: the raw JSON, with a few helpers.

A view is live: after an edit it shows the message as it is now.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from discord_sandbox.model.state import Message, MessageFlag
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation.controls import LINK_STYLE, SELECTS, Kind
from discord_sandbox.validation.modals import Modal


class NotOnMessageError(LookupError):
    """The message does not have what was looked for; the text says what it has."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button on a message. `style` is Discord's: 1 primary, 2 secondary, 3 success, 4 danger, 5 link."""

    label: str
    custom_id: str
    style: int
    disabled: bool
    emoji: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a string select."""

    label: str
    value: str
    description: str
    default: bool


@dataclass(frozen=True, slots=True)
class Select:
    """A select on a message; `kind` is its component type, `options` are for string selects."""

    custom_id: str
    kind: int
    placeholder: str
    disabled: bool
    least: int
    most: int
    options: tuple[Option, ...]


class MessageView:
    """One message, as its readers see it."""

    def __init__(self, message: Message) -> None:
        self._message = message

    def __repr__(self) -> str:
        return f"<message {self.id}: {self.text[:60]!r}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MessageView) and other._message is self._message

    def __hash__(self) -> int:
        return hash(self._message.id)

    @property
    def record(self) -> Message:
        """The sandbox's own record of the message."""
        return self._message

    @property
    def raw(self) -> JsonObject:
        """The whole Discord JSON, as of now."""
        return self._message.data

    @property
    def id(self) -> int:
        """Its snowflake."""
        return self._message.id

    @property
    def channel_id(self) -> int:
        """Its channel's snowflake."""
        return self._message.channel.id

    @property
    def author_id(self) -> int:
        """Who wrote it."""
        return self._message.author.id

    @property
    def flags(self) -> int:
        """Its flag bits."""
        return self._message.flags

    @property
    def ephemeral(self) -> bool:
        """Whether only one person sees it."""
        return self._message.reader is not None

    @property
    def reader_id(self) -> int | None:
        """The one person who sees it, if it is ephemeral."""
        return self._message.reader

    @property
    def loading(self) -> bool:
        """Whether it still says "thinking"."""
        return bool(self._message.flags & MessageFlag.LOADING)

    @property
    def deleted(self) -> bool:
        """Whether it was deleted."""
        return self._message.deleted

    @property
    def edited(self) -> bool:
        """Whether a client shows "(edited)"."""
        return self.raw["edited_timestamp"] is not None

    @property
    def content(self) -> str:
        """The plain content, without components and embeds."""
        content: str = self.raw["content"]
        return content

    @property
    def mentions(self) -> list[int]:
        """The ids of the users it pings."""
        return [int(each["id"]) for each in self.raw["mentions"]]

    @property
    def text(self) -> str:
        """All text except labels: content, embeds, text displays, one below another."""
        return "\n".join(piece for piece in self._texts() if piece)

    @property
    def components(self) -> Iterator[JsonObject]:
        """Every component, nested ones too, in the order of reading."""
        return walk(self.raw["components"])

    @property
    def buttons(self) -> list[Button]:
        """Every button, in the order of reading."""
        return [_button(each) for each in self.components if each["type"] == Kind.BUTTON]

    @property
    def selects(self) -> list[Select]:
        """Every select, in the order of reading."""
        return [_select(each) for each in self.components if each["type"] in SELECTS]

    @property
    def labels(self) -> list[str]:
        """The labels of all buttons."""
        return [button.label for button in self.buttons]

    def find_button(self, label: str) -> Button | None:
        """The first button with exactly this label, or None."""
        return next((button for button in self.buttons if button.label == label), None)

    def button(self, label: str) -> Button:
        """The one button with exactly this label; raises NotOnMessageError for none or several."""
        found = [button for button in self.buttons if button.label == label]
        if len(found) != 1:
            raise NotOnMessageError(f"{len(found)} buttons are labelled {label!r}; there are {self.labels}")
        return found[0]

    def _texts(self) -> Iterator[str]:
        yield self.content
        for embed in self.raw["embeds"]:
            yield embed.get("title", "")
            yield embed.get("description", "")
            for field in embed.get("fields", ()):
                yield f"{field['name']}: {field['value']}"
            yield embed.get("footer", {}).get("text", "")
        for component in self.components:
            if component["type"] == Kind.TEXT_DISPLAY:
                yield component["content"]


class ModalView:
    """A modal a bot has opened for one person; `id` names it towards the sandbox."""

    def __init__(self, modal_id: int, modal: Modal) -> None:
        self.id = modal_id
        self.modal = modal

    @property
    def title(self) -> str:
        """Its title."""
        return self.modal.title

    @property
    def custom_id(self) -> str:
        """Its custom id."""
        return self.modal.custom_id

    @property
    def raw(self) -> JsonObject:
        """Id, title, custom id and components, as the page's client gets them."""
        return {
            "id": str(self.id),
            "title": self.title,
            "custom_id": self.custom_id,
            "components": self.modal.components,
        }

    @property
    def labels(self) -> dict[str, str]:
        """The custom id of each field by its label."""
        found: dict[str, str] = {}
        for top in self.modal.components:
            if top["type"] == Kind.ACTION_ROW:
                field = top["components"][0]
                found[field["label"]] = field["custom_id"]
            elif top["type"] == Kind.LABEL:
                found[top["label"]] = top["component"]["custom_id"]
        return found


def walk(components: list[JsonObject]) -> Iterator[JsonObject]:
    """Every component below, parents first, in the order a reader meets them."""
    for component in components:
        yield component
        yield from walk(component.get("components", []))
        accessory = component.get("accessory")
        if accessory is not None:
            yield accessory


def _button(raw: JsonObject) -> Button:
    return Button(
        label=raw.get("label", ""),
        custom_id=raw.get("custom_id", ""),
        style=raw["style"],
        disabled=raw.get("disabled", False),
        emoji=(raw.get("emoji") or {}).get("name") or "",
        url=raw.get("url", "") if raw["style"] == LINK_STYLE else "",
    )


def _select(raw: JsonObject) -> Select:
    options = tuple(
        Option(each["label"], each["value"], each.get("description", ""), each.get("default", False))
        for each in raw.get("options", ())
    )
    return Select(
        custom_id=raw["custom_id"],
        kind=raw["type"],
        placeholder=raw.get("placeholder", ""),
        disabled=raw.get("disabled", False),
        least=raw.get("min_values", 1),
        most=raw.get("max_values", 1),
        options=options,
    )

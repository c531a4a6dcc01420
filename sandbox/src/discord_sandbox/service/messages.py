"""Creates, edits and deletes messages: checks a request against Discord's rules, then carries it out.

Source: Discord's developer documentation, "Create Message", "Edit Message".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from discord_sandbox.model import errors, payloads, permissions
from discord_sandbox.model.feed import Event, Feed
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.snowflake import timestamp
from discord_sandbox.model.state import HOLD_MESSAGES, Channel, Message, MessageFlag, User, World
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.threads import Threads
from discord_sandbox.validation import mentions
from discord_sandbox.validation.attachments import Attachments, Upload
from discord_sandbox.validation.components import Layout, Media, read_components
from discord_sandbox.validation.embeds import read_embeds, with_files
from discord_sandbox.validation.forms import Form

MOST_CONTENT = 2000
KEPT_EPHEMERALS = 1000  # in a channel; a client forgets its own at every restart anyway
_SETTABLE = (
    MessageFlag.SUPPRESS_EMBEDS
    | MessageFlag.SUPPRESS_NOTIFICATIONS
    | MessageFlag.IS_COMPONENTS_V2
    | MessageFlag.EPHEMERAL
)
_CHANGEABLE = MessageFlag.SUPPRESS_EMBEDS | MessageFlag.IS_COMPONENTS_V2
"""What an edit may set; only the former may be taken away again."""

_KEPT = MessageFlag.EPHEMERAL | MessageFlag.IS_COMPONENTS_V2 | MessageFlag.HAS_THREAD | MessageFlag.CROSSPOSTED
"""What no edit takes away."""

_LEGACY = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"


@dataclass(frozen=True, slots=True)
class Request:
    """A bot's request for a message: the form, its files, and the default pings."""

    form: Form
    uploads: Mapping[int, Upload] = field(default_factory=dict)
    default_pings: mentions.Allowed = mentions.BY_DEFAULT


@dataclass(frozen=True, slots=True)
class _Draft:
    """The fields of a message as a request leaves them."""

    fields: JsonObject
    controls: dict[str, JsonObject]
    pings_replied: bool = False


class Messages:
    """Creates, edits and deletes messages, and publishes that to the feed."""

    def __init__(self, world: World, feed: Feed, attachments: Attachments, threads: Threads) -> None:
        self._world = world
        self._feed = feed
        self._attachments = attachments
        self._threads = threads

    def create(
        self,
        channel: Channel,
        author: User,
        request: Request,
        *,
        reader: int | None = None,
        origin: JsonObject | None = None,
        message_id: int | None = None,
    ) -> Message:
        """Post a message; `reader` makes it ephemeral, `origin` adds fields such as its interaction.

        `message_id` is given where the id is fixed beforehand, as of a forum post's first message.
        Raises ApiError 50035 for a faulty form, 50006 for an empty message, 50008 where the channel
        holds none, 50083 or 160005 in a thread that is closed.
        """
        if channel.kind not in HOLD_MESSAGES:
            raise errors.cannot_send_here()
        draft = self._read(request, channel, None, controls={}, author=author)
        if channel.thread is not None:
            self._threads.before_message(channel, author)
        if reader is not None:
            draft.fields["flags"] |= MessageFlag.EPHEMERAL
        else:
            draft.fields["flags"] &= ~MessageFlag.EPHEMERAL
        replied = (origin or {}).get("referenced_message")
        if replied is not None and draft.pings_replied and replied["author"] not in draft.fields["mentions"]:
            draft.fields["mentions"].append(replied["author"])
        return self._post(channel, author, draft, reader, origin or {}, message_id=message_id)

    def check(self, channel: Channel, request: Request) -> None:
        """Raise what `create` would raise for the request's form, and post nothing."""
        self._read(request, channel, None, controls={}, author=self._world.application.bot, store=False)

    def system(self, channel: Channel, author: User, kind: int, fields: JsonObject) -> Message:
        """Post one of Discord's own messages about what somebody did."""
        return self._post(channel, author, _Draft({**_empty(0), **fields}, {}), None, {"type": kind})

    def alter(self, message: Message, fields: JsonObject) -> None:
        """Change a message's fields without marking it as edited."""
        message.data = {**message.data, **fields}
        self._tell("MESSAGE_UPDATE", message)

    def loading(self, channel: Channel, author: User, *, reader: int | None, origin: JsonObject) -> Message:
        """Post the "thinking" message of a deferred answer."""
        if channel.thread is not None:
            self._threads.before_message(channel, author)
        flags = MessageFlag.LOADING | (0 if reader is None else MessageFlag.EPHEMERAL)
        return self._post(channel, author, _Draft(_empty(flags), {}), reader, origin)

    def edit(self, message: Message, request: Request, *, is_edit: bool = True) -> Message:
        """Change a message by the fields present in the form; a "thinking" one becomes an answer.

        `is_edit` is false where the change fills a deferred answer, which shows no "edited".
        Raises ApiError 50035, 50006, and 50083 in an archived thread.
        """
        if message.channel.thread is not None and message.channel.thread.archived:
            raise errors.thread_archived()
        draft = self._read(request, message.channel, message.data, controls=message.controls, author=message.author)
        data = {**message.data, **draft.fields}
        was_loading = message.data["flags"] & MessageFlag.LOADING
        data["flags"] = (data["flags"] & ~MessageFlag.LOADING) | (message.data["flags"] & _KEPT)
        if is_edit and not was_loading:
            data["edited_timestamp"] = timestamp(self._world.clock.now())
        message.data = data
        message.controls = draft.controls
        self._tell("MESSAGE_UPDATE", message)
        return message

    def delete(self, message: Message) -> None:
        """Delete a message; deleting it twice raises ApiError 10008."""
        if message.deleted:
            raise errors.unknown_message()
        message.deleted = True
        message.channel.messages.pop(message.id, None)
        channel = message.channel
        data: JsonObject = {"id": str(message.id), "channel_id": str(channel.id)}
        self._feed.publish(
            Event(
                "MESSAGE_DELETE",
                data,
                server_id=None if channel.server is None else channel.server.id,
                channel_id=channel.id,
                reader=message.reader,
                message=message,
            )
        )

    def delete_many(self, channel: Channel, messages: Sequence[Message]) -> None:
        """Delete several messages of a channel at once."""
        for message in messages:
            message.deleted = True
            channel.messages.pop(message.id, None)
        server_id = None if channel.server is None else channel.server.id
        data: JsonObject = {"ids": [str(each.id) for each in messages], "channel_id": str(channel.id)}
        if server_id is not None:
            data["guild_id"] = str(server_id)
        self._feed.publish(Event("MESSAGE_DELETE_BULK", data, server_id, channel.id))

    def _post(
        self,
        channel: Channel,
        author: User,
        draft: _Draft,
        reader: int | None,
        origin: JsonObject,
        *,
        message_id: int | None = None,
    ) -> Message:
        new_id = message_id or self._world.snowflakes.next()
        data: JsonObject = {
            "type": 0,
            "id": str(new_id),
            "channel_id": str(channel.id),
            "author": payloads.user(author),
            "timestamp": timestamp(self._world.clock.now()),
            "edited_timestamp": None,
            "pinned": False,
            "tts": False,
            **draft.fields,
            **origin,
        }
        message = Message(new_id, channel, author, data, reader, draft.controls)
        channel.messages[new_id] = message
        if reader is None:
            channel.last_message_id = new_id
        else:
            _keep_few(channel, new_id)
        self._tell("MESSAGE_CREATE", message)
        if channel.thread is not None and reader is None:
            # The answer to an interaction puts the application into no thread; a message of its own does.
            self._threads.after_message(channel, None if "interaction_metadata" in origin else author, data["mentions"])
        return message

    def _tell(self, name: str, message: Message) -> None:
        channel = message.channel
        self._feed.publish(
            Event(
                name,
                message.data,
                server_id=None if channel.server is None else channel.server.id,
                channel_id=channel.id,
                reader=message.reader,
                message=message,
            )
        )

    def _read(
        self,
        request: Request,
        channel: Channel,
        before: JsonObject | None,
        *,
        controls: dict[str, JsonObject],
        author: User,
        store: bool = True,
    ) -> _Draft:
        form = request.form
        old: JsonObject = before or {"flags": 0, "attachments": [], "components": [], "embeds": []}
        flags = form.integer("flags", 0, 2**31 - 1)
        settable = _SETTABLE if before is None else _CHANGEABLE
        flags = old["flags"] if flags is None else (flags & settable) | (old["flags"] & ~_CHANGEABLE)
        flags |= old["flags"] & MessageFlag.IS_COMPONENTS_V2
        v2 = bool(flags & MessageFlag.IS_COMPONENTS_V2)
        form.truth("tts")
        content = self._content(form, old)
        embeds = read_embeds(form) if "embeds" in form.value else old["embeds"]
        if v2:
            _refuse_legacy(form, content, embeds)
        files = self._attachments.read(form, request.uploads, old["attachments"], store=store)
        if files and form.value.get("embeds"):
            embeds = with_files(embeds, files)
        components: list[JsonObject] = old["components"]
        texts: list[str] = _texts(components) if "components" not in form.value else []
        if form.value.get("components") is not None:
            layout = self._layout(form, v2=v2, files=files)
            components, controls, texts = layout.components, layout.controls, layout.texts
        elif "components" in form.value:
            components, controls = [], {}
        allowed = mentions.read_allowed(form, request.default_pings)
        form.faults.check()
        if not (components if v2 else (content or embeds or components or files)):
            raise errors.empty_message()
        text = "\n".join((content, *texts))
        pings = mentions.pinged(text, allowed, self._world, channel.server, self._may_ping(channel, author, text))
        fields: JsonObject = {
            "content": content,
            "embeds": embeds,
            "components": components,
            "attachments": files,
            "flags": int(flags),
            **pings,
        }
        return _Draft(fields, controls, allowed.replied_user)

    def _layout(self, form: Form, *, v2: bool, files: list[JsonObject]) -> Layout:
        media = Media({each["filename"]: each for each in files})
        return read_components(form, v2=v2, custom_emojis=self._world.application.emojis, media=media)

    def _may_ping(self, channel: Channel, author: User, text: str) -> bool:
        """Whether the author may ping everyone, and roles that not everybody may ping."""
        server = channel.server
        member = None if server is None or "@" not in text else server.members.get(author.id)
        if server is None or member is None:
            return False
        bits = permissions.in_channel(server, channel, member, self._world.clock.now())
        return bool(bits & Permission.MENTION_EVERYONE)

    def _content(self, form: Form, old: JsonObject) -> str:
        if "content" not in form.value:
            before: str = old.get("content", "")
            return before
        return (form.text("content", 0, MOST_CONTENT) or "").strip()


def _empty(flags: int) -> JsonObject:
    return {
        "content": "",
        "embeds": [],
        "components": [],
        "attachments": [],
        "mentions": [],
        "mention_roles": [],
        "mention_everyone": False,
        "flags": int(flags),
    }


def _refuse_legacy(form: Form, content: str, embeds: list[JsonObject]) -> None:
    for key, found in (("content", content), ("embeds", embeds)):
        if found:
            form.fault(key, _LEGACY, f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2")
    for key in ("poll", "sticker_ids"):
        if form.value.get(key):
            form.fault(key, _LEGACY, f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2")


def _texts(components: list[JsonObject]) -> list[str]:
    found: list[str] = []
    for each in components:
        if "content" in each:
            found.append(each["content"])
        found += _texts(each.get("components", []))
    return found


def _keep_few(channel: Channel, new_id: int) -> None:
    """Drop the oldest ephemeral messages, as a client does."""
    channel.ephemerals.append(new_id)
    while len(channel.ephemerals) > KEPT_EPHEMERALS:
        channel.messages.pop(channel.ephemerals.popleft(), None)

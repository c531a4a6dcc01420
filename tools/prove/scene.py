"""What the measures share: the channel, the press that started the run, what must be cleaned up after it, the bodies of
messages, made of Components V2 as the bot's own are (https://discord.com/developers/docs/components/reference), and the
lines of the table, which have no ids, no names, no tokens and no content."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, TypeAlias

from bot.ui.catalogue import Translations
from tools.prove.api import Answer, Api, CannotAsk

UNAUTHORIZED: Final = 401
NOT_FOUND: Final = 404
PRESS_WITHIN: Final = 90.0
"""Seconds the operator has for each further press."""
MESSAGE: Final = 4
UPDATE: Final = 7
"""Types of a first response
(https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object)."""


@dataclass(frozen=True, slots=True)
class Press:
    """One press of a button, as Discord reported it. `permissions` are the bot's own where it was pressed; `late` is
    by how many ms the press arrived later than its id says, by this machine's clock."""

    interaction_id: int
    application_id: int
    user_id: int
    permissions: int
    late: int
    token: str = field(repr=False)

    @property
    def hook(self) -> str:
        """The address through which this press can be answered for 15 minutes."""
        return f"/webhooks/{self.application_id}/{self.token}"


class Presses(Protocol):
    """The presses that reach the bot."""

    async def first_press(self, custom_id: str, seconds: float) -> Press | None:
        """The first press of a button; None if nobody presses it in time. Raises CannotAsk without a connection."""


def tell(text: str) -> None:
    """Tell the operator something at once."""
    print(text, file=sys.stderr, flush=True)


@dataclass(slots=True)
class Scene:
    """One run. `press` is that of *Start*, and `board_id` the message with that button; `mark` begins the ids of this
    run's buttons."""

    api: Api
    say: Translations
    channel: dict[str, Any]
    mark: str
    presses: Presses = field(init=False)
    press: Press = field(init=False)
    board_id: int = field(default=0, init=False)
    left_behind: list[str] = field(default_factory=list, init=False)
    _posted: list[str] = field(default_factory=list, init=False)

    @property
    def channel_path(self) -> str:
        """The channel's address."""
        return f"/channels/{self.channel['id']}"

    async def post(self, body: Body, *, at_once: bool = False) -> Answer:
        """Post a message in the channel, which is removed after the run."""
        path = f"{self.channel_path}/messages"
        answer = await self.api.request("POST", path, body, at_once=at_once)
        if answer.taken:
            self.remove_later(f"{path}/{answer.body['id']}")
        return answer

    async def follow_up(self, body: Body, *, at_once: bool = False, file: tuple[str, bytes] | None = None) -> Answer:
        """Send a further answer to the press, which is removed after the run."""
        answer = await self.api.request("POST", self.press.hook, body, at_once=at_once, file=file)
        if answer.taken:
            self.remove_later(f"{self.press.hook}/messages/{answer.body['id']}")
        return answer

    async def edit(self, path: str, *lines: str, at_once: bool = False) -> Answer:
        """Edit a message to these texts."""
        return await self.api.request("PATCH", path, edited(texts(*lines)), at_once=at_once)

    async def pressed_here(self, custom_id: str, where: str) -> Press | None:
        """Ask for a press of *Here*, and wait for it."""
        tell(f"Now press *Here* in the {where}.")
        return await self.presses.first_press(custom_id, PRESS_WITHIN)

    async def answer(self, press: Press, body: Body, kind: int = MESSAGE) -> Answer:
        """Give a press its first response: a message, or an update of the one that was pressed."""
        path = f"/interactions/{press.interaction_id}/{press.token}/callback"
        return await self.api.request("POST", path, {"type": kind, "data": body}, at_once=True)

    def remove_later(self, path: str) -> None:
        """Delete what has this address after the run."""
        if path not in self._posted:
            self._posted.append(path)

    async def clean_up(self) -> None:
        """Remove what the run posted, the newest first. What cannot be removed is in `left_behind`."""
        failed = 0
        token_is_valid = True
        while self._posted:
            path = self._posted.pop()
            if path.startswith("/webhooks/") and not token_is_valid:
                continue  # private messages; the client forgets them
            try:
                answer = await self.api.request("DELETE", path)
            except CannotAsk:
                failed += 1
                continue
            if answer.status == UNAUTHORIZED:
                token_is_valid = False
            elif not (answer.taken or answer.status == NOT_FOUND):
                failed += 1
        if failed:
            self.left_behind.append(f"{failed} messages or threads could not be removed: please delete them")


COMPONENTS_V2: Final = 1 << 15
EPHEMERAL: Final = 1 << 6
SILENT: Final = 1 << 12
"""Flags of messages (https://discord.com/developers/docs/resources/message#message-object-message-flags)."""

_ACTION_ROW, _BUTTON, _TEXT = 1, 2, 10
_GREY = 2

Body = dict[str, Any]


def texts(*lines: str, flags: int = 0) -> Body:
    """A message of texts, which notifies nobody."""
    return {
        "components": [{"type": _TEXT, "content": line} for line in lines],
        "flags": COMPONENTS_V2 | flags,
        "allowed_mentions": {"parse": []},
    }


def with_button(text: str, label: str, custom_id: str) -> Body:
    """A message of a text and a button."""
    body = texts(text, flags=SILENT)
    button = {"type": _BUTTON, "style": _GREY, "label": label, "custom_id": custom_id}
    body["components"].append({"type": _ACTION_ROW, "components": [button]})
    return body


def edited(body: Body) -> Body:
    """The same as an edit, which can set no other flag."""
    return {**body, "flags": COMPONENTS_V2}


Verdict: TypeAlias = Literal["ok", "differs", "not measured"]


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of the table. `expected` is what the bot and the sandbox assume."""

    name: str
    result: str
    expected: str
    verdict: Verdict


class CannotMeasure(Exception):  # noqa: N818  named for what happened
    """Something could not be measured here: the name and why."""


def measured(name: str, result: object, expected: str, *, as_expected: bool | None = None) -> Measure:
    """A line for something that was measured. Unless it is said, it is as expected if it is the same text."""
    ok = str(result) == expected if as_expected is None else as_expected
    return Measure(name, str(result), expected, "ok" if ok else "differs")


def needed(name: str, answer: Answer) -> Any:
    """The body of an answer without which this cannot be measured. Raises CannotMeasure."""
    if not answer.taken:
        raise CannotMeasure(name, str(answer))
    return answer.body


def not_measured(name: str, why: str) -> Measure:
    """A line for something that could not be measured here."""
    return Measure(name, why, "-", "not measured")


def table(measures: Iterable[Measure]) -> Iterator[str]:
    """The lines of the table, in Markdown, so that it can be pasted into an issue."""
    yield "| measure | result | expected | verdict |"
    yield "|---|---|---|---|"
    for each in measures:
        yield f"| {each.name} | {each.result} | {each.expected} | {each.verdict} |"

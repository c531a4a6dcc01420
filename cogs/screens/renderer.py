"""A screen as Discord's components: the only module that knows the form of a message and its limits.

Discord, Components V2: 40 components counting nested ones, 4,000 characters of text, 5 buttons per row, 25 options per
select, labels of 80 and ids and options of 100 characters, 1,024 characters to describe a picture.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from io import BytesIO
from typing import Any, Final, TypeAlias, TypeVar

import orjson
from discord import File, ui

from bot.ui.screen import (
    Button,
    Cards,
    ChannelSelect,
    Control,
    Form,
    Log,
    Option,
    PeopleSelect,
    Picture,
    RoleSelect,
    Rule,
    Screen,
    SeatLine,
    Seats,
    Section,
    Select,
    Text,
    Tone,
)
from cogs.screens import custom_ids
from cogs.screens.plain_form import plain

Component: TypeAlias = dict[str, Any]
T = TypeVar("T")

LONGEST_TEXT = 3900
"""Of all texts of a message together, in UTF-16 units. Discord takes 4,000 and does not say of what: of all counts that
it uses elsewhere, UTF-16 units are the longest."""
LONGEST_LABEL = 80
LONGEST_OPTION = 100
"""Of a line of a list, and of what describes it."""
MOST_OPTIONS = 25
"""Of a list."""
IN_A_ROW = 5
"""Buttons."""
MOST_COMPONENTS = 40
"""Of a message, nested ones included."""
PICTURE_NAME: Final = "table.png"
"""The name of every picture's file: a name of its own could tell what is hidden."""
PICTURE_REFUSALS: Final = frozenset({50013, 50035, 40005})
"""Discord's error codes for a picture that it does not take: no permission to attach files, a form that is not valid, a
file that is too large (https://discord.com/developers/docs/topics/opcodes-and-status-codes#json)."""
IN_ROW: Final = " \u2003"
"""Between two players in a row."""
NO_BREAK: Final = "\N{NO-BREAK SPACE}"
FRAME = 2
"""Components of every hand besides its controls: the container, and the text in it."""

_ROW, _BUTTON, _SELECT, _INPUT, _PEOPLE, _ROLES, _CHANNELS = 1, 2, 3, 4, 5, 6, 8
_TEXT, _SEPARATOR, _CONTAINER, _LABEL = 10, 14, 17, 18
_GALLERY = 12
_ONE_LINE = 1
_STYLES = {Tone.MAIN: 1, Tone.PLAIN: 2, Tone.GOOD: 3, Tone.BAD: 4}
_EDGES = {Tone.MAIN: 0x5865F2, Tone.GOOD: 0x23A55A, Tone.BAD: 0xDA373C}


class _Finished:
    """What the library asks of a view. Ours are finished when they are made, and it keeps nothing of them."""

    def is_finished(self) -> bool:
        """Always."""
        return True

    def is_dispatchable(self) -> bool:
        """Never."""
        return False


class Sheet(_Finished, ui.LayoutView):
    """A message's finished components in the form that discord.py takes.

    To the library the view is finished from the start. Presses are routed by their id (`cogs.actions.dispatcher`), so
    the library keeps no view, no timeout and no task for a message, and sets up nothing to tell presses apart.
    """

    timeout = None
    picture_name = PICTURE_NAME
    silent = False
    """Whether it is posted without a notification, as Discord's `@silent` does."""

    def __init__(
        self, components: list[Component], picture: bytes = b"", unpictured: Callable[[], list[Component]] | None = None
    ) -> None:
        """`picture` is the PNG file of the picture that the components show. `unpictured` makes those without it."""
        self._made = components
        self._unpictured = unpictured
        self.picture = picture
        self._mark = b""
        self._json = b""

    def to_components(self) -> list[Component]:
        """The components as they were rendered."""
        return self._made

    def json(self) -> bytes:
        """The components as JSON, made once: it is sent, and its digest tells what is shown."""
        if not self._json:
            self._json = orjson.dumps(self._made)
        return self._json

    def mark(self) -> bytes:
        """A digest of 16 bytes, to see whether the same components and the same picture are already shown."""
        if not self._mark:
            self._mark = blake2b(self.json() + self.picture, digest_size=16).digest()
        return self._mark

    def files(self) -> list[File]:
        """What has to be uploaded with the message: new objects each time, because a request uses them up."""
        return [File(BytesIO(self.picture), PICTURE_NAME)] if self.picture else []

    def without_picture(self) -> Sheet:
        """The same message without its picture."""
        return self if self._unpictured is None else Sheet(self._unpictured())

    def silenced(self) -> Sheet:
        """This message, posted without a notification."""
        self.silent = True
        return self

    def plain(self) -> Sheet:
        """The same message without its picture, and with names in the place of emojis."""
        return Sheet(plain(self.without_picture().to_components()))

    def has_components_v2(self) -> bool:
        """Always: all our messages use Components V2."""
        return True


class ButtonsBelow(_Finished, ui.View):
    """Finished buttons below a plain text. Their message has no Components V2, which would allow no such text.

    As with a `Sheet`, the library keeps nothing of it.
    """

    timeout = None

    def __init__(self, components: list[Component]) -> None:
        self._made = components

    def to_components(self) -> list[Component]:
        """The components as they were rendered."""
        return self._made

    def has_components_v2(self) -> bool:
        """Never."""
        return False


class FormSheet(ui.Modal):
    """A finished form, in the form that discord.py takes. As with a `Sheet`, the library keeps nothing of it."""

    def __init__(self, form: Component) -> None:
        self._made = form

    def to_dict(self) -> Component:
        """The form as it was rendered."""
        return self._made

    def is_finished(self) -> bool:
        """Always."""
        return True


def form_sheet(form: Form, subject: str) -> FormSheet:
    """A form that acts on a subject (https://discord.com/developers/docs/components/reference#text-input)."""
    field: Component = {"type": _INPUT, "custom_id": custom_ids.TYPED, "style": _ONE_LINE, "max_length": form.longest}
    label: Component = {"type": _LABEL, "label": form.label, "description": form.hint, "component": field}
    return FormSheet({"custom_id": custom_ids.write(subject, form.press), "title": form.title, "components": [label]})


def buttons_below(row: tuple[Button, ...], subject: str) -> ButtonsBelow:
    """A row of buttons below a plain text, which act on a subject."""
    return ButtonsBelow([_row(row, subject)])


def sheet(screen: Screen, subject: str) -> Sheet:
    """The message of a screen whose controls act on a subject (a match, an invitation, a game)."""
    picture = next((section for section in screen.sections if isinstance(section, Picture)), None)
    if picture is None:
        return Sheet(render(screen, subject))

    def unpictured() -> list[Component]:
        if screen.in_words is not None:
            return render(screen.in_words(), subject)
        texts = tuple(replace(each, png=b"") if isinstance(each, Picture) else each for each in screen.sections)
        return render(replace(screen, sections=texts), subject)

    return Sheet(render(screen, subject), picture.png, unpictured) if picture.png else Sheet(unpictured())


def render(screen: Screen, subject: str) -> list[Component]:
    """The components of a screen as Discord's JSON."""
    parts: list[Component] = [_part(part) for part in _parts(screen)]
    parts += [_row(row, subject) for row in screen.rows if row]
    container: Component = {"type": _CONTAINER, "components": parts}
    if screen.tone in _EDGES:
        container["accent_color"] = _EDGES[screen.tone]
    return [container]


def chunks(items: Sequence[T], size: int = IN_A_ROW) -> list[tuple[T, ...]]:
    """The items in groups of at most this size, by default in rows of buttons."""
    return [tuple(items[start : start + size]) for start in range(0, len(items), size)]


def components_of(rows: Collection[Collection[Control]]) -> int:
    """How many components rows of controls are."""
    return sum([1 + len(row) for row in rows if row])


def is_whole(screen: Screen) -> bool:
    """Whether none of a screen's texts has to be cut."""
    return sum(utf16_units(part) for part in _uncut(screen) if isinstance(part, str)) <= LONGEST_TEXT


def _parts(screen: Screen) -> list[str | Picture]:
    """The parts of a screen, with texts that together are no longer than Discord takes."""
    parts = _uncut(screen)
    if sum([len(part) for part in parts if isinstance(part, str)]) <= LONGEST_TEXT // 2:
        return parts  # no letter has more than two units
    room = LONGEST_TEXT
    cut: list[str | Picture] = []
    for part in parts:
        kept = part
        if isinstance(kept, str):
            kept = kept if utf16_units(kept) <= room else _beginning(kept, max(0, room - 1)) + "…"
            room -= utf16_units(kept)
        cut.append(kept)
    return cut


def _uncut(screen: Screen) -> list[str | Picture]:
    """The texts between rules and pictures, an empty one for each rule, and the pictures that are drawn."""
    parts: list[str | Picture] = []
    text = f"### {screen.title}" if screen.title else ""
    for section in _shown(screen):
        if isinstance(section, Rule):
            parts += [text, ""]
            text = ""
        elif isinstance(section, Picture):
            parts += [text, section] if text else [section]
            text = ""
        elif line := written(section):
            text = f"{text}\n{line}" if text else line
    if screen.footer:
        foot = "\n".join([f"-# {line}" for line in screen.footer.splitlines()])
        text = f"{text}\n{foot}" if text else foot
    return [*parts, text] if text or not parts else parts


def _shown(screen: Screen) -> Iterator[Section]:
    """The sections, with what stands instead of pictures that are not drawn."""
    for section in screen.sections:
        if isinstance(section, Picture) and not section.png:
            yield from section.instead
        else:
            yield section


def utf16_units(text: str) -> int:
    """The length of a text in UTF-16 units. An emoji has two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _beginning(text: str, units: int) -> str:
    """As much of the beginning of a text as fits into this number of UTF-16 units."""
    return text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore")


def written(section: Section) -> str:
    """A section as Discord's Markdown."""
    if isinstance(section, Text):
        return section.text
    if isinstance(section, Log):
        return "\n".join([f"> {line}" for line in section.lines])
    if isinstance(section, Cards):
        return section.separator.join((section.label, *section.cards))
    if isinstance(section, Seats):
        lines = [_seat(line) for line in section.lines]
        # A line breaks between two players alone.
        return IN_ROW.join([line.replace(" ", NO_BREAK) for line in lines]) if section.in_a_row else "\n".join(lines)
    raise TypeError(f"no form for a {type(section).__name__}")


def _seat(line: SeatLine) -> str:
    if line.disc:
        name = f"{line.disc} {f'**{line.name}**' if line.awaited else line.name}"
    else:
        name = f"{'➤' if line.awaited else '•'} **{line.name}**"
    return " · ".join((name, *line.facts))


def _part(part: str | Picture) -> Component:
    if isinstance(part, Picture):
        return _gallery(part)
    return _text(part) if part else _separator()


def _gallery(picture: Picture) -> Component:
    """A picture (https://discord.com/developers/docs/components/reference#media-gallery)."""
    media = {"url": f"attachment://{PICTURE_NAME}"}
    return {"type": _GALLERY, "items": [{"media": media, "description": picture.description}]}


def _text(text: str) -> Component:
    return {"type": _TEXT, "content": text}


def _separator() -> Component:
    return {"type": _SEPARATOR, "divider": True, "spacing": 1}


@lru_cache(maxsize=1024)
def _emoji(markup: str) -> Component:
    """A custom emoji, from its form in a text (https://discord.com/developers/docs/reference#message-formatting).

    Remembered for all messages, so nobody may change it.
    """
    _, name, emoji_id = markup.strip("<>").split(":")
    return {"id": emoji_id, "name": name}


def _option(option: Option) -> Component:
    made: Component = {"label": option.label, "value": option.value}
    if option.description:
        made["description"] = option.description
    if option.emoji:
        made["emoji"] = _emoji(option.emoji)
    return {**made, "default": True} if option.chosen else made


def _row(row: tuple[Control, ...], subject: str) -> Component:
    controls = [
        _button(control, subject) if isinstance(control, Button) else _list(control, subject) for control in row
    ]
    return {"type": _ROW, "components": controls}


def _list(control: PeopleSelect | ChannelSelect | RoleSelect | Select, subject: str) -> Component:
    made: Component = {"custom_id": custom_ids.write(subject, control.press), "placeholder": control.placeholder}
    match control:
        case PeopleSelect(most=most):
            return {"type": _PEOPLE, **made, "max_values": most}
        case ChannelSelect(most=most, chosen=chosen, kinds=kinds):
            return {
                "type": _CHANNELS,
                **made,
                "min_values": 0,
                "max_values": most,
                "channel_types": list(kinds),
                "default_values": [{"id": str(each), "type": "channel"} for each in chosen],
            }
        case RoleSelect(most=most, chosen=chosen):
            picked = [{"id": str(each), "type": "role"} for each in chosen]
            return {"type": _ROLES, **made, "min_values": 0, "max_values": most, "default_values": picked}
        case Select(options=options, enabled=enabled):
            listed: Component = {"type": _SELECT, **made, "options": [_option(option) for option in options]}
            return listed if enabled else {**listed, "disabled": True}


def _button(button: Button, subject: str) -> Component:
    label, press, tone, enabled, emoji = button
    made: Component = {"type": _BUTTON, "style": _STYLES[tone]}
    if label:
        made["label"] = label[:LONGEST_LABEL]
    if emoji:
        made["emoji"] = _emoji(emoji)
    made["custom_id"] = custom_ids.write(subject, press)
    if not enabled:
        made["disabled"] = True
    return made

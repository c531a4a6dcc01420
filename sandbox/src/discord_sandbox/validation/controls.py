"""Buttons and selects: reading one, with Discord's limits.

Source: Discord's developer documentation, "Component Reference".
"""

from __future__ import annotations

from collections.abc import Collection
from enum import IntEnum

from discord_sandbox.model import snowflake
from discord_sandbox.model.state import ChannelType
from discord_sandbox.validation.emoji import read_emoji
from discord_sandbox.validation.forms import Form, choices_text


class Kind(IntEnum):
    """The types of component."""

    ACTION_ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT_DISPLAY = 10
    THUMBNAIL = 11
    MEDIA_GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


SELECTS = frozenset(
    {
        Kind.STRING_SELECT,
        Kind.USER_SELECT,
        Kind.ROLE_SELECT,
        Kind.MENTIONABLE_SELECT,
        Kind.CHANNEL_SELECT,
    }
)
_CHANNEL_TYPES = frozenset(int(each) for each in ChannelType)
LINK_STYLE = 5
PREMIUM_STYLE = 6
MOST_OPTIONS = 25
_DEFAULT_KINDS = {
    Kind.USER_SELECT: {"user"},
    Kind.ROLE_SELECT: {"role"},
    Kind.MENTIONABLE_SELECT: {"user", "role"},
    Kind.CHANNEL_SELECT: {"channel"},
}


def read_button(form: Form, custom_emojis: Collection[int]) -> None:
    """A button: its style decides whether it needs a custom id, an address or a product."""
    style = form.one_of("style", range(1, PREMIUM_STYLE + 1), required=True)
    label = form.text("label", 0, 80)
    form.truth("disabled")
    read_emoji(form, "emoji", custom_emojis)
    if style is None:
        return
    if style == PREMIUM_STYLE:
        if not form.value.get("sku_id"):
            form.fault("sku_id", "BASE_TYPE_REQUIRED", "This field is required")
        return
    if style == LINK_STYLE:
        form.text("url", 1, 512, required=True)
        if form.value.get("custom_id") is not None:
            form.fault(
                "custom_id",
                "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                "A custom id and url cannot both be specified",
            )
    else:
        form.text("custom_id", 1, 100, required=True)
        if form.value.get("url") is not None:
            form.fault(
                "url",
                "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                "A custom id and url cannot both be specified",
            )
    if not label and not form.value.get("emoji") and form.value.get("label") in (None, ""):
        form.fault("label", "BASE_TYPE_REQUIRED", "A label or an emoji is required")


def read_select(form: Form, kind: int, custom_emojis: Collection[int], *, in_modal: bool = False) -> None:
    """A select of any kind, with its options or default values."""
    form.text("custom_id", 1, 100, required=True)
    form.text("placeholder", 0, 150)
    disabled = form.truth("disabled")
    required = form.truth("required")
    if in_modal and disabled:
        form.fault("disabled", "COMPONENT_DISABLED_NOT_ALLOWED", "Components in modals cannot be disabled")
    low = form.integer("min_values", 0, MOST_OPTIONS)
    high = form.integer("max_values", 1, MOST_OPTIONS)
    low, high = (1 if low is None else low), (1 if high is None else high)
    if in_modal and required is not False and low == 0:
        form.fault("min_values", "SELECT_COMPONENT_MIN_VALUES", "min_values must be at least 1 where required")
    if low > high:
        form.fault("min_values", "SELECT_COMPONENT_MIN_VALUES", "min_values must not exceed max_values")
    if kind == Kind.STRING_SELECT:
        _read_options(form, high, custom_emojis)
    else:
        _read_default_values(form, _DEFAULT_KINDS[Kind(kind)], high)
        if kind == Kind.CHANNEL_SELECT:
            _read_channel_types(form)


def _read_options(form: Form, high: int, custom_emojis: Collection[int]) -> None:
    values: set[str] = set()
    chosen = count = 0
    for option in form.forms("options", 1, MOST_OPTIONS, required=True):
        count += 1
        option.text("label", 1, 100, required=True)
        value = option.text("value", 1, 100, required=True)
        option.text("description", 0, 100)
        read_emoji(option, "emoji", custom_emojis)
        chosen += bool(option.truth("default"))
        if value is not None:
            if value in values:
                option.fault(
                    "value",
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            values.add(value)
    if count and high > count:
        form.fault("max_values", "SELECT_COMPONENT_MAX_VALUES", "max_values must not exceed the options")
    if chosen > high:
        form.fault("options", "SELECT_COMPONENT_TOO_MANY_DEFAULTS", f"No more than {high} options may be default")


def _read_channel_types(form: Form) -> None:
    for index, each in enumerate(form.items("channel_types", 0, len(_CHANNEL_TYPES)) or ()):
        if isinstance(each, bool) or each not in _CHANNEL_TYPES:
            path = (*form.path, "channel_types", index)
            form.faults.add(path, "BASE_TYPE_CHOICES", f"Value must be one of {choices_text(_CHANNEL_TYPES)}.")


def _read_default_values(form: Form, kinds: set[str], high: int) -> None:
    for each in form.forms("default_values", 0, high):
        if each.value.get("type") not in kinds:
            each.fault("type", "BASE_TYPE_CHOICES", f"Value must be one of {sorted(kinds)}.")
        if snowflake.parsed(str(each.value.get("id", ""))) is None:
            each.fault("id", "NUMBER_TYPE_COERCE", "Value is not snowflake.")
        each.value["id"] = str(each.value.get("id"))  # as Discord returns it

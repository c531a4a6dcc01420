"""Components that only a modal may have: text inputs, file uploads, radio groups and checkboxes.

Source: Discord's developer documentation, "Component Reference", and its OpenAPI description.
"""

from __future__ import annotations

from discord_sandbox.validation.controls import Kind
from discord_sandbox.validation.forms import Form

MOST_FILES = 10
MOST_OPTIONS = 10
FIELDS = frozenset(
    {Kind.TEXT_INPUT, Kind.FILE_UPLOAD, Kind.RADIO_GROUP, Kind.CHECKBOX_GROUP, Kind.CHECKBOX},
)


def read_field(form: Form, kind: int) -> None:
    """One of them, below a label."""
    if kind == Kind.TEXT_INPUT:
        read_text_input(form, labelled=True)
        return
    form.text("custom_id", 1, 100, required=True)
    if kind == Kind.CHECKBOX:
        form.truth("default")
    elif kind == Kind.FILE_UPLOAD:
        _read_counts(form, MOST_FILES)
    elif kind == Kind.RADIO_GROUP:
        form.truth("required")
        _read_options(form, 2, 1)
    else:
        _, high = _read_counts(form, MOST_OPTIONS)
        _read_options(form, 1, high)


def read_text_input(form: Form, *, labelled: bool) -> None:
    """A text input of a modal; `labelled` when a label component around it names it."""
    form.text("custom_id", 1, 100, required=True)
    form.one_of("style", (1, 2), required=True)
    if not labelled:
        form.text("label", 1, 45, required=True)
    elif form.value.get("label") is not None:
        form.fault("label", "TEXT_INPUT_COMPONENT_LABEL_NOT_ALLOWED", "The label component names this input")
    low = form.integer("min_length", 0, 4000)
    high = form.integer("max_length", 1, 4000)
    if low is not None and high is not None and low > high:
        form.fault("min_length", "TEXT_INPUT_COMPONENT_MIN_LENGTH", "min_length must not exceed max_length")
    form.truth("required")
    form.text("placeholder", 0, 100)
    form.text("value", 0, 4000 if high is None else high)


def _read_counts(form: Form, most: int) -> tuple[int, int]:
    """The least and the most values that may be chosen."""
    required = form.truth("required")
    low, high = form.integer("min_values", 0, most), form.integer("max_values", 1, most)
    least, largest = (1 if low is None else low), (1 if high is None else high)
    if required is not False and low == 0:
        form.fault("min_values", "COMPONENT_MIN_VALUES", "min_values must be at least 1 where required")
    if low is not None and low > largest:
        form.fault("min_values", "COMPONENT_MIN_VALUES", "min_values must not exceed max_values")
    return least, largest


def _read_options(form: Form, least: int, high: int) -> None:
    values: set[str] = set()
    count = chosen = 0
    for option in form.forms("options", least, MOST_OPTIONS, required=True):
        count += 1
        option.text("label", 1, 100, required=True)
        value = option.text("value", 1, 100, required=True)
        option.text("description", 0, 100)
        chosen += bool(option.truth("default"))
        if value is not None and value in values:
            option.fault("value", "COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used")
        values.add(value or "")
    if count and high > count:
        form.fault("max_values", "COMPONENT_MAX_VALUES", "max_values must not exceed the options")
    if chosen > high:
        form.fault("options", "COMPONENT_TOO_MANY_DEFAULTS", f"No more than {high} options may be default")

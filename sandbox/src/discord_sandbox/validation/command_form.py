"""One application command as a bot registers it: read, and refused where Discord refuses it.

Source: Discord's developer documentation, "Application Command Structure", "Application Command
Naming", "Localization".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from discord_sandbox.model import snowflake
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation.forms import Form

CHAT_INPUT, USER, MESSAGE = 1, 2, 3
SUBCOMMAND, SUBCOMMAND_GROUP = 1, 2
STRING, INTEGER, BOOLEAN, USER_OPTION, CHANNEL_OPTION, ROLE_OPTION, MENTIONABLE = 3, 4, 5, 6, 7, 8, 9
NUMBER, ATTACHMENT = 10, 11
MOST_OPTIONS = 25
MOST_CHARACTERS = 8000
LOCALES = frozenset(
    {"ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he", "hi", "hr", "hu"}
    | {"id", "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk", "vi"}
    | {"zh-CN", "zh-TW"}
)
_NESTED = frozenset({SUBCOMMAND, SUBCOMMAND_GROUP})
_CHOSEN = frozenset({STRING, INTEGER, NUMBER})
_NUMBERS = frozenset({INTEGER, NUMBER})
_NAME = re.compile(r"[-_'\w\u0900-\u097f\u0e00-\u0e7f]{1,32}")  # Devanagari and Thai with their marks
_LARGEST = 2**53


def read_command(form: Form) -> JsonObject:
    """The command as Discord keeps it, without its ids; errors are recorded in the form."""
    value = form.value
    kind = form.one_of("type", (CHAT_INPUT, USER, MESSAGE)) or CHAT_INPUT
    named = kind == CHAT_INPUT
    name = form.text("name", 1, 32, required=True)
    _read_localizations(form, "name_localizations", 32, named=named)
    options: list[JsonObject] = []
    if named:
        _check_name(form, name)
        form.text("description", 1, 100, required=True)
        _read_localizations(form, "description_localizations", 100, named=False)
        options = list(_read_options(form, depth=0))
        if _characters(value) > MOST_CHARACTERS:
            form.own_fault("APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({MOST_CHARACTERS})")
    else:
        _refuse_on_menus(form)
    command: JsonObject = {
        "default_member_permissions": _permissions(form),
        "type": kind,
        "name": name if named or name is None else name.strip(),
        "name_localizations": value.get("name_localizations"),
        "description": value.get("description") or "",
        "description_localizations": value.get("description_localizations"),
        "dm_permission": form.truth("dm_permission") is not False,
        "contexts": _numbers(form, "contexts", (0, 1, 2)),
        "integration_types": _numbers(form, "integration_types", (0, 1)) or [0],
        "nsfw": bool(form.truth("nsfw")),
    }
    if options:
        command["options"] = options
    return command


def without_localizations(command: JsonObject) -> JsonObject:
    """The command in lists that were requested without localisations."""
    kept = {key: None if key.endswith("_localizations") else each for key, each in command.items()}
    for key in ("options", "choices"):
        found = kept.get(key)
        if isinstance(found, list):
            kept[key] = [without_localizations(each) for each in found]
    return kept


def _refuse_on_menus(form: Form) -> None:
    if form.value.get("description"):
        form.fault(
            "description",
            "APPLICATION_COMMANDS_DESCRIPTION_NOT_ALLOWED",
            "Context menu commands cannot have descriptions",
        )
    if form.value.get("options"):
        form.fault("options", "APPLICATION_COMMAND_OPTIONS_NOT_ALLOWED", "Context menu commands cannot have options")


def _permissions(form: Form) -> str | None:
    found = form.value.get("default_member_permissions")
    if found is None or (not isinstance(found, bool) and snowflake.parsed(str(found)) is not None):
        return None if found is None else str(found)
    form.fault("default_member_permissions", "NUMBER_TYPE_COERCE", f"Value {found!r} is not int.")
    return None


def _numbers(form: Form, key: str, allowed: tuple[int, ...]) -> list[int] | None:
    """A list of a few numbers, each once."""
    found = form.items(key, 1, len(allowed))
    if found is None:
        return None
    for index, each in enumerate(found):
        if isinstance(each, bool) or each not in allowed:
            form.faults.add((*form.path, key, index), "BASE_TYPE_CHOICES", f"Value must be one of {allowed}.")
        elif each in found[:index]:
            form.faults.add((*form.path, key, index), "SET_TYPE_CONTAINS_NON_UNIQUE", "Set contains a value twice")
    return found


def _check_name(form: Form, name: str | None) -> None:
    if name is not None and not _is_name(name):
        form.fault("name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _is_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and name == name.lower()


def _read_localizations(form: Form, key: str, high: int, *, named: bool) -> None:
    """Texts by locale; `named` applies the rule for names."""
    inner = form.form(key)
    for locale in () if inner is None else inner.value:
        if inner is None or locale not in LOCALES:
            form.fault(key, "ENUM_TYPE_COERCE", f'Value "{locale}" is not a valid enum value.')
            continue
        text = inner.text(locale, 1, high)
        if named and text is not None and not _is_name(text):
            inner.fault(locale, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _read_options(form: Form, depth: int) -> Iterator[JsonObject]:
    names: set[str] = set()
    optional_seen = False
    kinds: set[bool] = set()
    for option in form.forms("options", 0, MOST_OPTIONS):
        name = option.text("name", 1, 32, required=True)
        _check_name(option, name)
        _read_localizations(option, "name_localizations", 32, named=True)
        option.text("description", 1, 100, required=True)
        _read_localizations(option, "description_localizations", 100, named=False)
        if name in names:
            option.fault(
                "name", "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_IN_USE", "This option name is already in use"
            )
        names.add(name or "")
        kind = option.one_of("type", range(SUBCOMMAND, ATTACHMENT + 1), required=True)
        kept = {key: each for key, each in option.value.items() if each is not None}
        kinds.add(kind in _NESTED)
        if len(kinds) > 1:
            option.fault(
                "type",
                "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
                "Sub-command and sub-command group option types are mutually exclusive to all other types",
            )
        elif kind in _NESTED:
            _check_depth(option, depth, kind)
            kept["options"] = list(_read_options(option, depth + 1))
            kept.pop("required", None)
        else:
            if option.truth("required") and optional_seen:
                option.own_fault(
                    "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                    "Required options must be placed before non-required options",
                )
            optional_seen = optional_seen or not option.value.get("required")
            if kind is not None:
                _read_value_option(option, kind)
        yield kept


def _check_depth(option: Form, depth: int, kind: int | None) -> None:
    """A group holds subcommands, a subcommand values, and neither anything else."""
    if depth > 1 or (depth == 1 and kind == SUBCOMMAND_GROUP):
        option.fault("type", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-command option is nested too deep")
        return
    inner = option.value.get("options")
    if kind == SUBCOMMAND_GROUP and isinstance(inner, list):
        if not inner:
            option.items("options", 1, MOST_OPTIONS)
        for index, each in enumerate(inner):
            if isinstance(each, dict) and each.get("type") != SUBCOMMAND:
                option.faults.add(
                    (*option.path, "options", index, "type"),
                    "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
                    "Sub-command groups may only contain sub-commands",
                )
                option.value = {**option.value, "options": []}


def _read_value_option(option: Form, kind: int) -> None:
    _refuse_of_other_kinds(option, kind)
    option.truth("autocomplete")
    if option.value.get("autocomplete") and option.value.get("choices"):
        option.fault(
            "autocomplete",
            "APPLICATION_COMMAND_OPTIONS_CHOICES_AND_AUTOCOMPLETE",
            "Choices and autocomplete exclude each other",
        )
    if kind in _CHOSEN:
        _read_choices(option, kind)
    if kind == STRING:
        _read_bounds(option, "min_length", "max_length", (0, 6000), (1, 6000))
    elif kind == INTEGER:
        _read_bounds(option, "min_value", "max_value", (-_LARGEST, _LARGEST), (-_LARGEST, _LARGEST))
    elif kind == CHANNEL_OPTION:
        option.items("channel_types", 0, 20)


def _refuse_of_other_kinds(option: Form, kind: int) -> None:
    """Record fields that only options of other types may have."""
    fitting = {
        "choices": _CHOSEN,
        "autocomplete": _CHOSEN,
        "min_value": _NUMBERS,
        "max_value": _NUMBERS,
        "min_length": {STRING},
        "max_length": {STRING},
        "channel_types": {CHANNEL_OPTION},
    }
    for key, kinds in fitting.items():
        if option.value.get(key) and kind not in kinds:
            option.fault(
                key, "APPLICATION_COMMAND_OPTIONS_FIELD_NOT_ALLOWED", f"Options of type {kind} do not take {key}"
            )


def _read_bounds(option: Form, low_key: str, high_key: str, low: tuple[int, int], high: tuple[int, int]) -> None:
    least, most = option.integer(low_key, *low), option.integer(high_key, *high)
    if least is not None and most is not None and least > most:
        option.fault(high_key, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {least}.")


def _read_choices(option: Form, kind: int) -> None:
    names: set[object] = set()
    for choice in option.forms("choices", 0, MOST_OPTIONS):
        name = choice.text("name", 1, 100, required=True)
        _read_localizations(choice, "name_localizations", 100, named=False)
        if name is not None and name in names:
            choice.fault(
                "name",
                "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS",
                "Option choice name already exists",
            )
        names.add(name)
        value = choice.value.get("value")
        if kind == STRING:
            choice.text("value", 1, 100, required=True)
        elif isinstance(value, bool) or not isinstance(value, int if kind == INTEGER else int | float):
            choice.fault("value", "NUMBER_TYPE_COERCE", "Value is not a number of the option's type.")


def _characters(command: JsonObject) -> int:
    """The sum Discord limits: names, descriptions and choice values, of all options too.

    For a text with localisations, the longest counts.
    """
    total = 0
    for key in ("name", "description", "value"):
        texts = [command.get(key), *(_texts(command.get(f"{key}_localizations")))]
        total += max((len(each) for each in texts if isinstance(each, str)), default=0)
    for key in ("options", "choices"):
        for inner in command.get(key) or ():
            if isinstance(inner, dict):
                total += _characters(inner)
    return total


def _texts(localizations: object) -> list[object]:
    return list(localizations.values()) if isinstance(localizations, dict) else []

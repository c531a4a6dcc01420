"""Discord shows the commands in everybody's language, and what a language says of them is what is typed in it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands

from bot.__main__ import build
from bot.gateway import announced_commands
from bot.gateway.announced_commands import characters, languages_by_locale, payloads
from bot.languages import DEFAULT_LANGUAGE, LOCALES, WHOLE, language_for, languages
from bot.play.refusals import Refused
from bot.scheduler import LoopScheduler
from bot.settings import Settings
from bot.telemetry import NO_TELEMETRY
from bot.ui.catalogue import Sentences, Translations, catalogue, forget, rules_text, translations
from bot.ui.command_names import name_in
from engines import GAMES
from tests.bot.store.memory_store import MemoryStore
from tests.languages.made_up import MADE_UP, made_up
from tests.shipped_languages import po, ship

Payload = dict[str, Any]
REAL = [each for each in WHOLE if each in languages() and each != DEFAULT_LANGUAGE]
NAMES, DESCRIPTIONS = "name_localizations", "description_localizations"
MENTION = re.compile(r"(?<![\w/<:.~])/([^\W\d_][\w-]*)(?: ([\w-]+))?")
"""A command in a text, and the word after it."""


@cache
def tree() -> app_commands.CommandTree[Any]:
    """All commands."""

    async def registered() -> app_commands.CommandTree[Any]:
        scheduler = LoopScheduler()
        client, _ = build(Settings(), MemoryStore(now=scheduler.now), scheduler, NO_TELEMETRY)
        client.dispatcher.load()
        return client.tree

    return asyncio.run(registered())


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Mapping[str, str]], None]]:
    """Ships German with these sentences alone, until the test ends."""
    yield lambda sentences: ship(tmp_path, monkeypatch, {"de": po("de", sentences)})
    forget()


def made_of(words: Mapping[str, Translations]) -> list[Payload]:
    """What is announced of all commands."""
    return asyncio.run(payloads(tree(), words))


def named(payload: list[Payload], *path: str) -> Payload:
    """A command, a command in a group, or an option, by its English names."""
    found: Payload = {"options": payload}
    for name in path:
        (found,) = [each for each in found["options"] if each["name"] == name]
    return found


def everything(payload: list[Payload]) -> Iterator[Payload]:
    """All commands and options."""
    for each in payload:
        yield each
        yield from everything(each.get("options", []))


# ---------------------------------------------------------------------------------------------- what is announced


@pytest.mark.parametrize("language", REAL)
def test_a_whole_language_has_a_text_for_everything(language: str) -> None:
    """Nothing was left out for being too long, of a wrong form, or the name of something else. A game that has just
    been added may be English."""
    words, kept = translations(language), Sentences(catalogue(language)).forms
    told = {game for game in GAMES if any(key.startswith(f"{game}.") for key in kept)}
    assert len(told) >= 5
    for each in everything(
        [command for command in made_of({"de": words}) if command["name"] not in GAMES.keys() - told]
    ):
        called = each.get(NAMES, {}).get("de", each["name"])
        if each["type"] == 2 and "options" not in each:
            assert called == words(f"command.{'menu' if '…' in each['name'] else 'profile_menu'}")
        elif each["name"] not in GAMES:
            assert called == words(f"name.{each['name']}"), each["name"]
        if "description" in each:
            assert each[DESCRIPTIONS]["de"]
        assert all(len(choice.get(NAMES, {"de": "?"})["de"]) <= 100 for choice in each.get("choices", ()))


def test_each_locale_of_discord_gets_the_language_that_is_read_there() -> None:
    found = languages_by_locale()
    help_ = named(made_of(found), "help")
    for locale in LOCALES:
        language = language_for(locale, languages()) or DEFAULT_LANGUAGE
        about = translations(language)("command.help")  # a language that has just begun says it in English
        expected = about if about != translations(DEFAULT_LANGUAGE)("command.help") else None
        assert help_[DESCRIPTIONS].get(locale) == expected


def test_what_somebody_else_wrote_is_left_out_where_discord_would_not_take_it(
    shipped: Callable[[Mapping[str, str]], None],
) -> None:
    wrong = {
        "name.help": "Hilfe",
        "name.play": "los spielen",
        "name.block": "x" * 33,
        "name.history": "gleich",
        "name.replay": "gleich",
        "name.daily": "games",
        "name.verify": "prüfen",
        "command.verify": "x" * 101,
        "command.daily": "Heute",
        "preferences.button.words": "Emojis",
        "preferences.button.emojis": "Bilder",
    }
    shipped(wrong)
    made = made_of(languages_by_locale())
    for name in ("help", "play", "block", "history", "replay", "daily", "games"):
        assert NAMES not in named(made, name) or "de" not in named(made, name)[NAMES]
    assert named(made, "verify")[NAMES] == {"de": "prüfen"}
    assert DESCRIPTIONS not in named(made, "verify")
    assert named(made, "daily")[DESCRIPTIONS] == {"de": "Heute"}


def test_what_makes_a_command_too_long_is_left_out_by_language() -> None:
    """The longest language first: all others are kept."""
    words = {"de": made_up(MADE_UP[0]), "fr": made_up(MADE_UP[1])}
    whole = named(made_of(words), "champions")
    limit = characters(whole) - 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(announced_commands, "MOST_CHARACTERS", limit)
        cut = named(made_of(words), "champions")
    assert characters(cut) <= limit
    assert whole[DESCRIPTIONS].keys() == {"de", "fr"}
    assert cut[DESCRIPTIONS].keys() == {"fr"}


def test_an_option_of_a_game_from_elsewhere_is_called_by_its_label() -> None:
    class Elsewhere(Translations):
        def __call__(self, key: str, /, **values: object) -> str:
            return {"coin.name.best_of": "Zahl der Würfe"}.get(key) or super().__call__(key, **values)

    words = Elsewhere("de", catalogue(DEFAULT_LANGUAGE))
    assert name_in(words, "best_of", "coin") == "zahl_der_würfe"
    assert name_in(words, "unknown", "coin") == "unknown"


# ---------------------------------------------------------------------------------------------- what is said of them


@cache
def commands_in(words: Translations) -> Mapping[str, str]:
    """Every command by its English name, as it is typed in a language: "/mydata delete"."""
    found = {}
    for command in tree().walk_commands():
        parts = command.qualified_name.split()
        found["/" + " ".join(parts)] = "/" + " ".join(name_in(words, part) for part in parts)
    return found


def mentioned(text: str, known: Mapping[str, str]) -> set[str]:
    """The English names of the commands in an English text."""
    found = set()
    for first, second in MENTION.findall(text):
        both = f"/{first} {second}"
        found.add(both if both in known else f"/{first}")
    return found & known.keys()


def check_mentions(english: str, text: str, words: Translations) -> list[str]:
    """What is wrong with the commands in a text: one that the English text has is not there, or what looks like a
    command is none."""
    known = commands_in(words)
    wanted = {known[each] for each in mentioned(english, known)}
    firsts = {each.split()[0] for each in known.values()}
    lacking = [each for each in sorted(wanted) if not re.search(re.escape(each) + r"(?![\w-])", text)]
    strange = [each for each, _ in MENTION.findall(text) if f"/{each}" not in firsts]
    return [*lacking, *strange]


@pytest.mark.parametrize("language", [DEFAULT_LANGUAGE, *REAL])
def test_every_command_in_a_sentence_is_one_of_its_language(language: str) -> None:
    words, english, other = translations(language), catalogue(DEFAULT_LANGUAGE), Sentences(catalogue(language)).forms
    wrong = {}
    for key, meant in Sentences(english).forms.items():
        forms = other.get(key, meant)
        for form in (forms,) if isinstance(forms, str) else forms:
            first = (meant if isinstance(meant, str) else meant[-1]).replace("/{game} ", "/haymaker ")
            found = check_mentions(first, form.replace("/{game} ", "/haymaker "), words)
            if found:
                wrong[key] = found
    assert wrong == {}


@pytest.mark.parametrize("language", [DEFAULT_LANGUAGE, *REAL])
@pytest.mark.parametrize("game", GAMES)
def test_every_command_in_a_rules_page_is_one_of_its_language(game: str, language: str) -> None:
    assert check_mentions(rules_text(game), rules_text(game, language), translations(language)) == []


@pytest.mark.parametrize("language", REAL)
def test_a_refused_option_is_named_as_it_is_typed(language: str) -> None:
    words = translations(language)
    told = Refused("option.number", option="round_limit", least=10, most=200).told(words)
    assert words("name.round_limit") in told
    assert "round_limit" not in told.replace(words("name.round_limit"), "")

"""Names of the whole world on every screen: they turn nothing round, take no more than their room, and nobody can be
taken for somebody else."""

from __future__ import annotations

import asyncio
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.ui.catalogue import translations
from bot.ui.isolation import END, ISOLATE, cut_whole, each_whole, isolated
from bot.ui.text_lines import fixed, wrapped
from cogs.actions.own_threads import OwnThreads
from cogs.replays.marked_text import read_lines
from cogs.screens.cards.forms import CardForms
from cogs.screens.safe_names import WIDEST, plain_name, safe_name, safe_names, safe_server_name, unescaped
from cogs.servers.screens import StuckMatch
from discord_sandbox import Sandbox
from engines import GAMES
from tests.end_to_end.cardroom import cardroom
from tests.gallery import commands, leaderboards, leagues, matches, profiles, tournaments
from tests.gallery.moments import moments
from tests.gallery.scene import HeardWords, Scene
from tests.games.cases import case_of
from tests.names.bidi import classes_of, drawn_order, paragraph_level
from tests.names.hostile import ALIKE, CONTROLS, GIANTS, HEBREW, hostile_names

TEXTS = frozenset({"content", "label", "placeholder", "description", "title", "text", "name"})
"""Where Discord's JSON has texts that people read."""
SEATS = 6


@cache
def tables() -> list[tuple[str, ...]]:
    """All hostile names as those of tables of six, safe to show."""
    names = hostile_names()
    groups = [names[first : first + SEATS] for first in range(0, len(names) - SEATS + 1, SEATS)]
    return [safe_names(tuple((name, 9_000 + seat) for seat, name in enumerate(group))) for group in groups]


def texts_of(part: Any, key: str = "") -> Iterator[str]:
    """Every text in a part of a message."""
    if isinstance(part, dict):
        for name, inner in part.items():
            yield from texts_of(inner, name)
    elif isinstance(part, list | tuple):
        for inner in part:
            yield from texts_of(inner, key)
    elif isinstance(part, str) and key in TEXTS:
        yield part


@lru_cache(maxsize=100_000)
def fault(line: str) -> str | None:
    """What names do to a line as it is drawn; None if they do nothing."""
    depth, around, inside = 0, [], [False] * len(line)
    for index, char in enumerate(line):
        depth += (char == ISOLATE) - (char == END)
        inside[index] = depth > 0 and char != ISOLATE
        if depth not in (0, 1):
            return "its isolates aren't in pairs"
        if not inside[index] and char not in (ISOLATE, END) and unicodedata.bidirectional(char) != "BN":
            around.append(index)
    if depth:
        return "an isolate isn't ended"
    for base in {0, paragraph_level(classes_of(line))}:
        order = drawn_order(line, base)
        if [index for index in order if not inside[index] and line[index] not in (ISOLATE, END)] != around:
            return "what surrounds a name is turned round"
    return None


def cells(name: str) -> int:
    """Cells by what Unicode says of each character, and by the least that giants have been measured at."""
    count = 0
    for char in name:
        if unicodedata.category(char) in ("Mn", "Me"):
            continue
        wide = unicodedata.east_asian_width(char) in "WF"
        count += {"\ufdfd": 10, "\U0001242b": 7, "\U00012219": 6, "\u2e3b": 4, "\u2e3a": 3}.get(char, 2 if wide else 1)
    return count


def check(scenes: list[Scene]) -> int:
    """Assert that names do nothing in all texts of these scenes. How many lines were seen."""
    seen = 0
    for scene in scenes:
        for shown in scene.shown:
            for text in texts_of(shown.message):
                for line in [each.plain for each in read_lines(text)]:
                    seen += 1
                    where = f"{scene.title}, {shown.caption}: {line!r}"
                    assert fault(line) is None, f"{fault(line)}: {where}"
    return seen


# ------------------------------------------------------------------------------------------------ the oracle


@pytest.mark.parametrize(
    ("line", "drawn"),
    [
        ("• {} · 10 cards", "• 10 · {} cards"),
        ("1. {} · 895 ±368 · 12–3", "1. 3–12 · ±368 895 · {}"),
    ],
)
def test_without_isolates_a_hebrew_name_turns_numbers_round(line: str, drawn: str) -> None:
    """As Discord drew our lines until names were isolated: the law would have found it."""
    bare = line.format(HEBREW)
    assert "".join(bare[index] for index in drawn_order(bare, 0)) == drawn.format(HEBREW[::-1])
    assert fault(bare) == "what surrounds a name is turned round"
    assert fault(line.format(safe_name(HEBREW, 1))) is None


def test_a_planted_fault_is_found() -> None:
    assert fault(ISOLATE + HEBREW + " · 1") == "an isolate isn't ended"
    assert fault(END + HEBREW) == "its isolates aren't in pairs"
    assert fault(isolated(HEBREW) + " · 1") is None
    assert fault("Alice · 1") is None


# ------------------------------------------------------------------------------------------------ every screen


@pytest.mark.nightly(rare=True)  # seconds a game, and their screens come by the same names
@pytest.mark.parametrize("key", GAMES)
def test_names_turn_nothing_round_on_any_screen_of_a_match(key: str) -> None:
    titles = [moment.title for moment in moments(case_of(key))]
    named = tables()
    for first in range(0, len(named), len(titles)):
        called = {title: named[(first + index) % len(named)] for index, title in enumerate(titles)}
        assert check([*matches.scenes(case_of(key), CardForms(), HeardWords(), called)]) > len(titles)


def test_names_turn_nothing_round_in_profiles_and_leaderboards() -> None:
    words = HeardWords()
    named = [name for names in tables() for name in names]
    for first in range(0, len(named) - 11, 11):
        called = named[first : first + 11]
        assert check([*profiles.scenes(words, called), *leaderboards.scenes(words, called)]) > len(called)


@pytest.mark.parametrize("made", [tournaments, leagues], ids=["tournaments", "leagues"])
def test_names_turn_nothing_round_in_what_a_server_plays_together(made: Any) -> None:
    named = [name for names in tables() for name in names]
    assert check([*made.scenes(translations("en"), named)]) > len(named)


async def test_names_turn_nothing_round_in_any_answer_to_a_command(tmp_path: Path) -> None:
    names = [HEBREW + " 1", "\ufdfd" * 32, "\u0639\u0644\u064a\u202e" * 4, "Alice", "\u13aalice", "\U0001242b" * 9]
    people = [{"name": name, "username": f"person{index}"} for index, name in enumerate(names)]
    world = {"people": people, "servers": [{"name": f"{HEBREW} 2", "channels": [{"name": "lobby"}, {"name": "games"}]}]}
    async with Sandbox.running(world) as sandbox, cardroom(sandbox, tmp_path):
        assert check(await commands.scenes(sandbox, ["haymaker"], translations("en"))) > 100


def test_names_turn_nothing_round_in_lists_options_and_alternative_texts() -> None:
    for names in tables():
        plain = unescaped(" · ".join(names))
        assert fault(f"{plain} · 10–3") is None
        assert fault(unescaped(safe_server_name(names[0], 1)) + ": 12") is None


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_a_name_stays_isolated_where_a_line_is_broken_or_cut(lines: int) -> None:
    for names in tables():
        text = f"**{' · '.join(names)}** 1 2 3 · **{names[0]}** 10–3"
        for made in (fixed(text, lines), wrapped(text)):
            assert [fault(line.replace("\\", "")) for line in made] == [None] * len(made)


def test_an_isolate_that_is_cut_ends_where_there_is_no_room_for_the_rest() -> None:
    for names in tables():
        whole = unescaped("Unbreakable: " + " vs ".join(names))
        for longest in (100, *range(13, len(whole))):
            cut = cut_whole(whole, longest)
            assert fault(cut) is None, cut
            assert longest - 1 <= len(cut) <= longest or cut == whole


def test_a_line_of_a_list_and_a_name_of_a_thread_have_no_isolate_that_is_open() -> None:
    named: list[str] = []

    async def begin(_channel_id: int, *, name: str, **_: Any) -> dict[str, str]:
        named.append(name)
        return {"id": "1"}

    async def loaded(*_: Any) -> tuple[str, ...]:
        return names

    http = SimpleNamespace(start_thread_without_message=begin, add_user_to_thread=AsyncMock())
    words = translations("en")
    wording: Any = SimpleNamespace(of_server=lambda _: words, loaded=loaded)
    threads = OwnThreads(AsyncMock(), wording, SimpleNamespace(http=http), AsyncMock())  # type: ignore[arg-type]
    for names in tables():
        option = StuckMatch("m1", "Unbreakable", names, " · ".join(names)).option(words)
        asyncio.run(threads.begin_alone(1, 2, "unbreakable", "blitz", range(SEATS)))
        assert [fault(each) for each in (option.label, option.description, *named)] == [None] * (2 + len(named))
    assert max(map(len, named)) == 100


def test_an_isolate_over_a_lines_end_goes_on_in_the_next() -> None:
    assert [*each_whole([f"a {ISOLATE}b", "c", f"d{END} e", "f"])] == [
        f"a {ISOLATE}b{END}",
        f"{ISOLATE}c{END}",
        f"{ISOLATE}d{END} e",
        "f",
    ]


# ------------------------------------------------------------------------------------------------ how wide they are


@pytest.mark.parametrize("giant", GIANTS)
def test_no_name_takes_more_room_than_24_cells(giant: str) -> None:
    name = plain_name(giant * 32, 1)
    assert cells(name) <= WIDEST
    assert name.endswith("…")


def test_no_hostile_name_takes_more() -> None:
    plain = [plain_name(name, 1) for name in hostile_names()]
    assert max(map(cells, plain)) == WIDEST
    assert any(cells(name) > 5 * WIDEST for name in hostile_names())


def test_a_name_that_fits_is_whole_whatever_it_is_written_in() -> None:
    for name in (
        "W" * 24,
        "Ελευθερία Παπαδοπούλου",
        "Александр Сергеевич П.",
        "中" * 12,
        "🎲" * 12,
        "अमिताभ बच्चन",
        "Zoë",
    ):
        assert plain_name(name, 1) == unicodedata.normalize("NFC", name)
    assert plain_name("W" * 25, 1) == "W" * 23 + "…"
    assert plain_name("中" * 13, 1) == "中" * 11 + "…"


def test_a_cut_never_parts_a_letter_from_its_accents() -> None:
    assert plain_name("x\u0323\u0302" * 10, 1) == "x\u0323\u0302" * 10
    assert plain_name("x\u0323" * 16 + "\u4e2d" * 9, 1).count("\u0323") == 16


# ------------------------------------------------------------------------------------------------ whom they are like


def standard_classes() -> dict[str, set[str]]:
    """Unicode's table as the file has it: all that looks like a prototype, by the prototype."""
    text = resources.files("bot.ui").joinpath("unicode", "look_alikes.txt").read_text(encoding="utf-8")
    found: dict[str, set[str]] = defaultdict(set)
    for line in text.splitlines():
        if not line.startswith("#"):
            prototype, alike = line.split(" ; ")
            found["".join(chr(int(code, 16)) for code in prototype.split("+"))] |= {
                chr(int(code, 16)) for code in alike.split()
            }
    return found


def test_the_whole_table_of_look_alikes_is_there() -> None:
    classes = standard_classes()
    assert sum(map(len, classes.values())) > 6_000
    assert {"\u13aa", "\ua4ee", "\u0410", "\U0001d400"} <= classes["A"]
    assert {"\u2223", "\u05c0", "\uffe8", "I", "1", "|"} <= classes["l"]


def test_two_people_whose_names_are_equal_by_unicodes_table_have_numbers() -> None:
    tried = 0
    for prototype, alike in standard_classes().items():
        for char in alike:
            names = (f"x{prototype}y", f"x{char}y")
            if unicodedata.normalize("NFD", char) != char or "xy" in (
                plain_name(f"x{char}y", 1),
                plain_name(f"x{prototype}y", 1),
            ):
                continue  # the standard asks for its parts, or such a sign isn't shown
            shown = safe_names(tuple((name, 1) for name in names))
            assert [name.rsplit("#")[-1] for name in shown] == ["1", "2"], names
            tried += 1
    assert tried > 5_000


@pytest.mark.parametrize("name", ALIKE)
def test_a_name_that_looks_like_somebodys_has_a_number(name: str) -> None:
    shown = safe_names((("Alice", 1), ("Bob", 2), (name, 3)))
    assert sum("#" in each for each in shown) == 2
    assert "#2" in shown[2]


def test_a_number_stands_after_the_name_and_not_in_it() -> None:
    assert safe_names(((HEBREW, 1), (HEBREW, 2))) == (isolated(HEBREW) + " \\#1", isolated(HEBREW) + " \\#2")


def test_no_control_of_a_name_reaches_a_screen() -> None:
    for name in hostile_names():
        assert not set(plain_name(name, 1)) & set(CONTROLS)

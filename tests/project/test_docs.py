"""The docs say what is there: links lead somewhere, commands and targets exist, nothing speaks of one machine."""

from __future__ import annotations

import asyncio
import re
import subprocess
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from bot.__main__ import build
from bot.durations import PRESETS, read_clock
from bot.play.computers.levels import levels_of
from bot.scheduler import LoopScheduler
from bot.settings import Settings
from bot.telemetry import NO_TELEMETRY
from bot.time_controls import TIME_CONTROLS, time_control
from cogs.rooms import OpenRoom, Room
from engines import GAMES
from tests.bot.store.memory_store import MemoryStore
from tests.conftest import FAST
from tests.postgresql.fixtures import REQUIRED
from tests.project.files import ROOT, relative, text, tracked


def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


# ---------------------------------------------------------------------------------------------- pages


@pytest.mark.parametrize("page", tracked("*.md"), ids=relative)
def test_every_link_leads_somewhere(page: Path) -> None:
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if target.startswith(("https://", "http://")):
            continue
        name, _, anchor = target.partition("#")
        found = (page.parent / name) if name else page
        assert found.exists(), target
        assert not anchor or anchor in anchors(found), target


def test_every_decision_is_in_the_index() -> None:
    index = text("docs/decisions/README.md")
    for record in (ROOT / "docs" / "decisions").glob("[0-9]*.md"):
        assert f"]({record.name})" in index, record.name


def test_every_module_a_page_names_exists() -> None:
    for page in tracked("*.md"):
        named = re.findall(r"`((?:bot|cogs|engines|laws|tests)/[\w/.]+\.(?:py|po|sql))`", page.read_text("utf-8"))
        for name in named:
            assert (ROOT / name).is_file(), f"{relative(page)} names {name}"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_rules_and_rulings_and_is_in_the_readme(game: str) -> None:
    assert text(f"docs/rules/{game}.md").startswith("# ")
    assert text(f"docs/rulings/{game}.md").startswith("# ")
    title = GAMES[game].info.title
    listed = rf"^- \*\*{re.escape(title)}\*\* \(`/{game}`\): .*\(docs/rules/{game}\.md\)$"
    assert re.search(listed, text("README.md"), re.MULTILINE)
    assert title in text("CHANGELOG.md")


# ---------------------------------------------------------------------------------------------- commands


@pytest.fixture(scope="module")
def commands() -> set[str]:
    """Every slash command there is, as it is typed."""

    async def registered() -> set[str]:
        scheduler = LoopScheduler()
        client, _ = build(Settings(), MemoryStore(now=scheduler.now), scheduler, NO_TELEMETRY)
        client.dispatcher.load()
        commands = client.tree.walk_commands()
        return {f"/{command.qualified_name}" for command in commands if not hasattr(command, "commands")}

    return asyncio.run(registered())


PLAYERS = "docs/players-and-hosts.md"


def in_general(command: str) -> str:
    """A command as the page for players has it: those that every game has are there once, as `/<game> challenge`."""
    first, _, rest = command.removeprefix("/").partition(" ")
    return f"/<game> {rest}" if first in GAMES else command


def test_the_page_for_players_lists_every_command_and_no_other(commands: set[str]) -> None:
    listed = re.findall(r"^\| `(/[a-z<> ]+)` \|", text(PLAYERS), re.MULTILINE)
    assert sorted(listed) == sorted({in_general(command) for command in commands})


def test_every_game_has_the_commands_that_the_page_gives_to_all(commands: set[str]) -> None:
    common = {command for command in map(in_general, commands) if command.startswith("/<game> ")}
    for game in GAMES:
        missing = {command.replace("<game>", game) for command in common} - commands
        unfit = set() if 2 in GAMES[game].info.seats else {f"/{game} challenge"}
        unlearned = set() if levels_of(game) else {f"/{game} practice"}
        assert missing == unfit | unlearned


def test_the_changelog_knows_every_command_of_the_bot_itself(commands: set[str]) -> None:
    for command in commands:
        assert in_general(command) != command or f"`{command}`" in text("CHANGELOG.md"), command


def test_the_clocks_are_told_as_they_are() -> None:
    lengths = {30: "30 seconds", 120: "2 minutes", 900: "15 minutes", 86400: "24 hours"}
    for pace in map(time_control, PRESETS):
        assert f"{pace.key} ({lengths[pace.turn]})" in text(PLAYERS)
        assert f"{pace.key} ({lengths[pace.turn]}" in text("docs/settings.md")  # .env.example has the same, wrapped
    for clock in TIME_CONTROLS.values():
        if clock.bank is not None:
            typed = re.findall("`([^`]+[+][^`]+)`", text(PLAYERS))
            assert clock.bank.key in map(read_clock, typed), clock.key


def test_every_make_target_a_page_names_exists() -> None:
    makefile = text("Makefile")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    for page in tracked("*.md"):
        named = re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert set(named) <= targets, relative(page)
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None
    assert set(phony[1].split()) == targets


def test_make_help_shows_the_eight_targets_of_every_day_and_more_the_others() -> None:
    def shown(word: str) -> list[str]:
        done = subprocess.run(["make", word], cwd=ROOT, capture_output=True, text=True, check=True)
        return re.findall(r"^([a-z-]+) ", done.stdout, re.MULTILINE)

    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.MULTILINE))
    daily, rare = shown("help"), shown("more")
    assert len(daily) == 8 + 1
    assert daily[-1] == "more"
    assert sorted([*daily, *rare]) == sorted(targets)
    for target in daily[:-1]:
        assert f"make {target}" in text("CONTRIBUTING.md")


def test_ci_skips_nothing() -> None:
    steps = text(".ci/run").splitlines()
    assert [step for step in steps if step.startswith("make")] == [
        "make --jobs --output-sync check docs  # neither keeps all cores busy",
        "make test-fast  # what people run most, but with the laws' matches of this run",
        "make test BUT=fast",
        "make test-page",
        "make bench ARGS=--brief  # that each benchmark still runs; its figures mean nothing here",
    ]
    assert '    export DISCORD_OPENAPI="$openapi"' in steps
    assert any(step.startswith(f"export {REQUIRED}=1") for step in steps)
    assert 'export LAWS_SHARE="${LAWS_SHARE:-0.25}"' in steps
    _, _, recipe = text("Makefile").partition("\ntest: $(DEV)")
    held, marks, sandboxes = recipe.splitlines()[1:4]
    assert "$(if $(DISCORD_OPENAPI),$(HELD))" in held
    assert marks.strip() == '-m "not page$(if $(BUT), and not $(BUT))"'
    _, _, fast = text("Makefile").partition(" -m fast \\\n")
    assert tuple(f"{folder}/" for folder in fast.split("\n")[0].split()) == FAST
    assert '-m "not page"' in sandboxes
    assert "$(if $(DISCORD_OPENAPI),$(SANDBOX_HELD))" in sandboxes
    assert "set -euo pipefail" in steps
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


# ---------------------------------------------------------------------------------------------- locks


def pins(lock: str) -> dict[str, str]:
    """The exact version of every package of a lock."""
    found = re.findall(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==([^ ;]+)", text(f"requirements/{lock}.lock"), re.MULTILINE)
    return dict(found)


@pytest.mark.parametrize(
    "lock", ["runtime", "sandbox", "postgresql", "dev", "build", "conformance", "advisories", "arena", "docs"]
)
def test_every_pin_of_a_lock_has_its_hash_and_no_address(lock: str) -> None:
    content = text(f"requirements/{lock}.lock")
    entries = re.findall(
        r"^[a-z0-9-]+(?:\[[a-z,]+\])?==[^\n]+\\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+", content, re.MULTILINE
    )
    assert len(entries) == len(pins(lock)) > 0
    assert "://" not in content
    assert "index" not in content


def test_the_locks_agree_and_hold_every_dependency() -> None:
    project = tomllib.loads(text("pyproject.toml"))
    runtime, dev = pins("runtime"), pins("dev")

    def names(requirements: list[str]) -> set[str]:
        return {re.split(r"[<>=\[;]", requirement)[0].replace(".", "-").lower() for requirement in requirements}

    assert names(project["project"]["dependencies"]) <= set(runtime)
    assert names(project["project"]["optional-dependencies"]["dev"]) <= set(dev)
    assert runtime.items() <= dev.items()
    extra = project["project"]["optional-dependencies"]["postgresql"]
    assert set(extra) <= set(project["project"]["optional-dependencies"]["dev"])
    assert names(extra) <= set(pins("postgresql"))
    assert runtime.items() <= pins("postgresql").items() <= dev.items()
    assert pins("build").items() <= dev.items()
    assert names(project["build-system"]["requires"]) == set(pins("build"))
    for group in ("advisories", "arena", "docs"):
        assert names(project["dependency-groups"][group]) <= set(pins(group))
    sandbox = tomllib.loads(text("sandbox/pyproject.toml"))
    assert names(sandbox["project"]["dependencies"]) <= set(pins("sandbox"))
    assert pins("sandbox").items() <= dev.items()
    assert names(sandbox["project"]["optional-dependencies"]["dev"]) <= set(dev)
    assert names(sandbox["dependency-groups"]["conformance"]) <= set(pins("conformance"))


def test_the_changelog_is_ready_for_the_version() -> None:
    version = tomllib.loads(text("pyproject.toml"))["project"]["version"]
    headings = re.findall(r"^## \[([^\]]+)\]", text("CHANGELOG.md"), re.MULTILINE)
    assert headings[0] == "Unreleased" or headings[0] == version


# ---------------------------------------------------------------------------------------------- no machine but yours

# Written apart, so that this file does not hold what it looks for.
FOREIGN = [
    "../sha" + "red",
    "/wo" + "rk/",
    "/ro" + "ot/",
    "index" + "-url",
    "pypi." + "org/simple",
    "pythonhosted" + ".org",
]
# Where one of them is at home: resolving the locks, and finding Discord's description, which is not ours to carry.
ALLOWED = {FOREIGN[0]: {".ci/run"}, FOREIGN[3]: {"Makefile"}}


@pytest.mark.parametrize("words", FOREIGN)
def test_no_file_speaks_of_another_place(words: str) -> None:
    listed = subprocess.run(
        ["git", "grep", "--files-with-matches", "--text", "--fixed-strings", "--", words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert listed.returncode in (0, 1), listed.stderr
    assert set(listed.stdout.splitlines()) <= ALLOWED.get(words, set()), listed.stdout


# ---------------------------------------------------------------------------------------------- rooms


@pytest.mark.parametrize("value", [Room, OpenRoom])
def test_the_page_of_extension_points_has_each_field_of_a_room(value: type[Room] | type[OpenRoom]) -> None:
    page = text("docs/rooms.md")
    missing = {field.name for field in fields(value) if f"`{value.__name__}.{field.name}`" not in page}
    assert missing - {"name", "open"} == set()  # what it is called, and its door: the page begins with them

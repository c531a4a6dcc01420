"""The cogs of installed games: one that fails is left out whole, and the commands of all other games are as before."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands

import engines
from bot.games import DISTRIBUTIONS, GAMES
from bot.ops import game_packages
from bot.ops.game_packages import checks
from bot.telemetry import NO_TELEMETRY
from cogs.actions.commands import Commands, set_up_games
from cogs.actions.game_commands import GameCommands
from cogs.game_registry import GameRegistry
from cogs.screens.additions import NOTHING_ADDED
from tests.cogs.actions.offline_bot import OfflineBot
from tests.packages.site import Site, change, site
from tests.simulation.hostile import COMMANDS


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with site(tmp_path, monkeypatch) as made:
        yield made


def empty_registry() -> GameRegistry:
    """What cogs register at. Nobody sends these commands, so what they would use is left out."""
    unused: Any = None
    commands = GameCommands(unused, unused, unused, presenters={}, additions=NOTHING_ADDED, stops=unused)
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    return GameRegistry(tree, {}, commands.of)


def registered(app: GameRegistry) -> tuple[list[str], list[str]]:
    """The presenters and the commands."""
    kinds = discord.AppCommandType
    return [*app.presenters], [command.name for kind in kinds for command in app.tree.get_commands(type=kind)]


def test_an_installed_game_has_its_presenter_and_its_command(installed: Site) -> None:
    installed.put()
    game_packages.load(installed.entry_points())
    app = empty_registry()
    set_up_games(app, NO_TELEMETRY)
    assert registered(app) == ([*engines.GAMES, "duel"], [*engines.GAMES, "duel"])


async def test_no_game_may_take_the_name_of_a_command_that_belongs_to_no_game(bot: OfflineBot) -> None:
    tree = bot.client.tree
    commands = {command.name for command in tree.get_commands(type=discord.AppCommandType.chat_input)}
    assert commands - {*GAMES} == checks.RESERVED - {"panel", "tables"}


RAISES = "    raise KeyError('the seven of spades')\n"
REGISTERS = '    registry.register("duel", DuelPresenter())'

MISTAKES = {
    "it raises": (REGISTERS, REGISTERS + "\n" + RAISES, "its cog failed: KeyError at cog.py:"),
    "it raises before it is done": (REGISTERS, RAISES, "its cog failed: KeyError at cog.py:"),
    "a sentence is missing": (
        REGISTERS,
        '    from bot.ui.catalogue import translations\n    translations("en")("duel.option.pace")',
        "its cog failed: UnknownSentence (duel.option.pace) at ",
    ),
    "another game's presenter": (
        REGISTERS,
        '    registry.register("haymaker", DuelPresenter(), registry.commands("duel"))',
        "its cog must register one presenter, under the key duel",
    ),
    "no presenter": (
        REGISTERS,
        '    registry.tree.add_command(registry.commands("duel"))',
        "its cog must register one presenter, under the key duel",
    ),
    "no command": (
        REGISTERS,
        '    registry.presenters["duel"] = DuelPresenter()',
        "its cog must register one command, /duel",
    ),
    "another command": (
        REGISTERS,
        '    registry.register("duel", DuelPresenter(), registry.commands("haymaker"))',
        "CommandAlreadyRegistered",
    ),
    "another game's command": (
        REGISTERS,
        '    registry.tree.remove_command("ciq")\n' + REGISTERS,
        "its cog must register one command, /duel",
    ),
    "a second command": (
        REGISTERS,
        REGISTERS + "\n    registry.tree.add_command(registry.commands('ciq'), override=True)",
        "its cog must register one command, /duel",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_cog_with_a_mistake_leaves_nothing_behind(
    installed: Site, caplog: pytest.LogCaptureFixture, mistake: str
) -> None:
    old, new, reason = MISTAKES[mistake]
    change(installed.put() / "cog.py", old, new)
    assert game_packages.load(installed.entry_points()) == []
    app = empty_registry()
    set_up_games(app, NO_TELEMETRY)
    presenters, commands = registered(app)
    assert (presenters, sorted(commands)) == ([*engines.GAMES], sorted(engines.GAMES))
    assert GAMES == engines.GAMES
    assert not DISTRIBUTIONS
    (line,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert line.getMessage().startswith("game duel of cardroom-duel 1.2 is left out: ")
    assert reason in line.getMessage()
    assert "seven of spades" not in caplog.text


@pytest.mark.parametrize(
    ("add", "reason"),
    [
        (
            "c = Command(name='more', description='d' * 101, callback=more)",
            "the description of /duel more needs 1 to 100",
        ),
        ("c = choices(x=[Choice(name=str(n), value=str(n)) for n in range(26)])(c)", "/duel more x has more than 25"),
        ("c = choices(x=[Choice(name='n' * 101, value='n')])(c)", "a choice of /duel more x needs 1 to 100 characters"),
        ("c = choices(x=[Choice(name='n', value=20 * str(n)) for n in range(25)])(c)", "more than 500 characters"),
    ],
)
def test_commands_that_discord_would_refuse_are_found_before_it_refuses_those_of_all_games(
    installed: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, add: str, reason: str
) -> None:
    monkeypatch.setattr("cogs.actions.commands.MOST_CHARACTERS", 500 if "500" in reason else 8000)
    folder = installed.put()
    more = f"""
    async def more(interaction: discord.Interaction, x: str) -> None: ...
    c = Command(name="more", description="d", callback=more)
    {add}
    group = registry.commands("duel")
    group.add_command(c)
    registry.register("duel", DuelPresenter(), group)
"""
    change(folder / "cog.py", REGISTERS, more)
    change(
        folder / "cog.py",
        "from cogs.game_registry",
        "import discord\nfrom discord.app_commands import Choice, Command, choices\nfrom cogs.game_registry",
    )
    game_packages.load(installed.entry_points())
    app = empty_registry()
    set_up_games(app, NO_TELEMETRY)
    assert "Discord would refuse its commands: " in caplog.text
    assert reason in caplog.text
    assert sorted(registered(app)[1]) == sorted(engines.GAMES)


async def test_hostile_people_of_the_simulator_use_every_command(bot: OfflineBot) -> None:
    tree = bot.app.find(Commands).tree
    told = [each for each in tree.walk_commands() if isinstance(each, app_commands.Command)]
    assert {*COMMANDS} == {each.qualified_name for each in told}

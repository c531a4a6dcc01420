"""How objects find each other: by their constructors and by imports, not by assignment from outside or by strings."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.project.reading import Module, found, reads

FOREIGN = {
    "bot/__main__.py": {"discord.VoiceClient", "last_moment"},
    "bot/gateway/client.py": {"Route", "self.http"},
    "bot/gateway/connectivity.py": {"connector"},
    "bot/gateway/installations.py": {"interaction"},
    "bot/gateway/lean/servers.py": {"self._state"},
    "bot/ops/process.py": {"last_moment"},
    "bot/gateway/shards.py": {"DiscordWebSocket", "discord.shard", "http", "reader", "record"},
    "cogs/actions/command_parameters.py": {"callback"},
    "cogs/interactions/venues.py": {"command"},
}
"""Objects of discord.py and of the standard library, which offer no other way."""

OWN = {
    "bot/cluster/database.py": {"error", "item", "other", "self._watch", "self._writer"},
    "bot/cluster/groups.py": {"meaning", "write"},
    "bot/cluster/link.py": {"raw"},
    "bot/computers/pool.py": {"asked"},
    "bot/store/queries/database.py": {"db"},
    "bot/store/sqlite/database.py": {"database", "item", "meaning", "unsettled"},
    "bot/store/sqlite/page_copies.py": {"base", "self._database"},
    "bot/store/sqlite/reading.py": {"error"},
    "bot/store/store.py": {"self.database"},
    "bot/store/sqlite/store.py": {"database"},
    "cogs/matchmaking/notices.py": {"round_"},
    "bot/pairing/elimination.py": {"node"},
    "bot/pairing/matching.py": {"each", "node", "outer"},
    "cogs/updates/edit_queue.py": {"request"},
    "cogs/updates/open_hands.py": {"current", "hand", "older", "slot"},
}
"""Records that a module keeps for itself, and the cause of an exception."""


LOADERS = {"import_module", "__import__", "load_extension", "exec_module", "run_module", "run_path", "entry_points"}
"""Calls that find a module without an import statement."""


TOLD = {"match_changed", "match_resumed", "match_repaired"}
"""What observers are told."""


@reads("bot", "cogs")
def assigned(text: Module) -> Iterator[str]:
    """The objects of which an attribute is set, as they are written; not `self`."""
    for node in text.nodes:
        match node:
            case ast.Attribute(value=ast.Name(id="self")):
                pass
            case ast.Attribute(value=owner, ctx=ast.Store()):
                yield ast.unparse(owner)


def called(call: ast.Call) -> str:
    """The name of what is called, without what it belongs to; empty where it has none."""
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def test_no_object_is_given_attributes_from_outside() -> None:
    for name, owners in found(assigned).items():
        assert set(owners) <= FOREIGN.get(name, set()) | OWN.get(name, set()), name


@reads("bot", "cogs", "engines", "sandbox/src", having=LOADERS)
def loaded(text: Module) -> Iterator[str]:
    """By which words a module loads others."""
    for node in text.nodes:
        if isinstance(node, ast.Call) and called(node) in LOADERS:
            yield ast.unparse((node.args or [keyword.value for keyword in node.keywords])[0])


def test_only_games_are_loaded_by_a_string() -> None:
    """By the cog's name that belongs to each game, and by the entry points of other packages."""
    assert found(loaded) == {
        "bot/ops/game_packages/__init__.py": ["games.ENTRY_POINTS"],
        "bot/ops/game_packages/checks.py": ["package.cog"],
        "bot/ops/game_packages/trial.py": ["ours.cog"],
        "cogs/actions/commands.py": ["package.cog", "package.cog"],
        "cogs/replays/terminal.py": ["PACKAGES[game].cog"],
        # Laid into the path of another program, whose modules it has to find.
        "sandbox/src/discord_sandbox/bot_patch/sitecustomize.py": ["module", "importlib.util.module_from_spec(spec)"],
    }


@reads("bot", "cogs", having=TOLD)
def telling(text: Module) -> Iterator[str]:
    """Whom a module tells what observers are told. An observer may call itself."""
    for node in text.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in TOLD:
            told = ast.unparse(node.func.value)
            if told != "self":
                yield told


def test_only_those_who_change_matches_tell_the_observers() -> None:
    followers = {"bot/play/observers.py", "cogs/updates/screen_updates.py"}  # who hand on what they are told
    assert found(telling).keys() - followers == {
        "bot/play/clocks/match_clock.py",
        "bot/play/clocks/stops.py",
        "bot/play/match_lifecycle.py",
        "bot/play/match_press.py",
    }

"""Points an unchanged bot at the sandbox that started it: Python imports this file at every start.

It is alone on the bot's PYTHONPATH, and does nothing unless the sandbox's addresses are in the environment. It imports
no library before the bot does.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

API, GATEWAY = os.environ.get("SANDBOX_API_BASE", ""), os.environ.get("SANDBOX_GATEWAY", "")


def _http(module: ModuleType) -> None:
    for name in ("BASE", "API_BASE_URL"):  # the names in discord.py and in py-cord
        if hasattr(module.Route, name):
            setattr(module.Route, name, API)


def _gateway(module: ModuleType) -> None:
    # discord.py and its forks have their fallback address as a yarl.URL, or none at all
    socket = module.DiscordWebSocket
    if hasattr(socket, "DEFAULT_GATEWAY"):
        socket.DEFAULT_GATEWAY = type(socket.DEFAULT_GATEWAY)(GATEWAY)


def _asset(module: ModuleType) -> None:
    address = urlsplit(API)
    module.Asset.BASE = f"{address.scheme}://{address.netloc}"


def _hikari(module: ModuleType) -> None:
    address = urlsplit(API)
    vars(module).update(REST_API_URL=API, CDN_URL=f"{address.scheme}://{address.netloc}")


CHANGES: dict[str, Callable[[ModuleType], None]] = {"hikari.urls": _hikari}
for _library in ("discord", "disnake", "nextcord"):
    CHANGES[f"{_library}.http"] = _http
    CHANGES[f"{_library}.gateway"] = _gateway
    CHANGES[f"{_library}.asset"] = _asset


class Pointed(Loader):
    """Loads a module with its own loader, then changes its addresses."""

    def __init__(self, loader: Loader, change: Callable[[ModuleType], None]) -> None:
        self._loader = loader
        self._change = change

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        self._change(module)


class Finder(MetaPathFinder):
    """Finds the few modules that contain Discord's addresses."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        change = CHANGES.get(name)
        if change is None:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = Pointed(spec.loader, change)
        return spec


def _run_the_next() -> None:
    """Run the sitecustomize that this one hides, if there is one."""
    here = Path(__file__).parent
    others = [each for each in sys.path if Path(each).resolve() != here.resolve()]
    spec = PathFinder.find_spec(__name__, others)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if API and GATEWAY:
    sys.meta_path.insert(0, Finder())
_run_the_next()

"""The side of a worker. How its process lives and dies is in `tests/bot/computers/test_pool.py`."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from bot.workers.serving import give_way


def test_a_system_that_allows_no_worker_to_give_way_gets_its_replies_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As under systemd with `SystemCallFilter=~@resources`."""
    tried = []

    def refuse(*arguments: object) -> None:
        tried.append(arguments)
        raise PermissionError

    monkeypatch.setattr(os, "nice", refuse)
    monkeypatch.setattr(resource, "setrlimit", refuse)
    monkeypatch.setattr(Path, "write_text", refuse)
    give_way(5)
    assert len(tried) == 3

"""The store's benchmark runs: its statements are its own, so a change of the tables can break it unseen."""

from __future__ import annotations

import pytest

from tests.bench import store


def test_the_benchmark_of_the_store_runs_whole_at_tiny_sizes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, size in (("SECONDS", 0.05), ("PLAYERS", 200), ("LIVE", 2), ("RECORDS", 3)):
        monkeypatch.setattr(store, name, size)
    store.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(",")[0] for line in lines if "appends/s" in line] == ["bare sqlite3", *["the store"] * 3]
    assert lines[-1].startswith("opening and checking")

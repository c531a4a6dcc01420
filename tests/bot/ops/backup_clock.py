"""The clock that backups are made by."""

from __future__ import annotations

from datetime import datetime, tzinfo

import pytest


def set_backup_clock(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    """Have backups made at a moment, which stays."""

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Clock:
            return cls.fromisoformat(moment.isoformat()).astimezone(tz)

    monkeypatch.setattr("bot.ops.backups.datetime", Clock)
    monkeypatch.setattr("bot.store.sqlite.backup.datetime", Clock)

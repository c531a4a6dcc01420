"""Databases with tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.postgresql.server import Server


@pytest.fixture
def migrated_database(postgresql: Server) -> Iterator[str]:
    """The address of a database with tables."""
    from tests.postgresql.stores import new_database  # noqa: PLC0415  it needs the driver

    name = new_database(postgresql)
    yield postgresql.url(name)
    postgresql.drop_database(name)

"""The server and a database of it for tests anywhere, and a notice if there is no server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from tests.postgresql.server import Server

REQUIRED: Final = "POSTGRESQL_REQUIRED"
"""If this is set in the environment, a missing server is an error."""
MISSING: Final = "PostgreSQL is not installed"
NOTICE: Final = """\
################################################################################
##  TESTS ON POSTGRESQL DID NOT RUN ({count}): there is no server on this machine.
##  On Debian and Ubuntu: apt install postgresql
################################################################################"""


@contextmanager
def running_server(*, tcp: bool = False, fsync: bool = False) -> Iterator[Server]:
    """A server of one's own, for a test that kills or stops it. Without one installed the test is skipped or fails."""
    from tests.postgresql.server import NoServerError, Server  # noqa: PLC0415  only these tests need the driver

    try:
        server = Server(tcp=tcp, fsync=fsync)
    except NoServerError as error:
        if os.environ.get(REQUIRED):
            raise
        pytest.skip(f"{MISSING}: {error}")
    with server:
        yield server


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A server for all tests of this process, with a port on loopback too. Leave it running."""
    with running_server(tcp=True) as server:
        yield server


@pytest.fixture
def empty_database(postgresql: Server) -> Iterator[str]:
    """The address of an empty database, which is removed after the test."""
    name = postgresql.new_database()
    yield postgresql.url(name)
    postgresql.drop_database(name)


def notice(reasons: list[str]) -> str:
    """What to say at the end of a run in which tests were skipped for these reasons."""
    count = sum(MISSING in reason for reason in reasons)
    return NOTICE.format(count=count) if count else ""

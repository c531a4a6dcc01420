"""What tests of the running bot's operation share."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture
def silent() -> Iterator[None]:
    """No log at all: what is counted all the same is not counted from its lines."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)

"""NOTICE: every package of the image is in it, with the licence that its metadata states."""

from __future__ import annotations

import importlib.metadata
from email.message import Message
from pathlib import Path

import pytest

from tools.notice import LicenceError, compose, licences, locked, stated

ROOT = Path(__file__).parents[2]
NOTICE = (ROOT / "NOTICE").read_text(encoding="utf-8")
LOCK = (ROOT / "requirements" / "postgresql.lock").read_text(encoding="utf-8")


def metadata(**fields: str) -> Message:
    """A package's metadata."""
    message = Message()
    for field, value in fields.items():
        message[field.replace("_", "-")] = value
    return message


def test_every_package_that_the_bot_needs_is_in_it() -> None:
    assert list(licences(NOTICE)) == locked(LOCK)


def test_it_is_what_make_notice_writes() -> None:
    assert compose(LOCK, NOTICE) == NOTICE


@pytest.mark.parametrize("package", ["discord-py", "yarl", "orjson"])
def test_the_licence_is_that_of_the_metadata(package: str) -> None:
    stripped = compose(LOCK, "\n".join(line for line in NOTICE.splitlines() if not line.startswith(f"- {package}:")))
    assert licences(stripped)[package] == licences(NOTICE)[package]


def test_a_package_that_is_not_installed_here_keeps_its_line() -> None:
    lock = "nowhere-installed==1.0 ; python_full_version >= '3.99' \\\n"
    with pytest.raises(importlib.metadata.PackageNotFoundError):
        importlib.metadata.metadata("nowhere-installed")
    assert licences(compose(lock, "- nowhere-installed: MIT\n")) == {"nowhere-installed": "MIT"}
    with pytest.raises(LicenceError, match="nowhere-installed"):
        compose(lock, "")


@pytest.mark.parametrize(
    ("given", "expression"),
    [
        (metadata(License_Expression="Apache-2.0 AND MIT"), "Apache-2.0 AND MIT"),
        (metadata(License_Expression="MPL-2.0 AND (Apache-2.0 OR MIT)"), "MPL-2.0 AND (Apache-2.0 OR MIT)"),
        (metadata(License="Apache 2.0"), "Apache-2.0"),
        (
            metadata(
                License="The MIT License (MIT)\n\nPermission is hereby granted, free of charge",
                Classifier="License :: OSI Approved :: MIT License",
            ),
            "MIT",
        ),
        (metadata(License="UNKNOWN"), None),
        (metadata(Classifier="Topic :: Games/Entertainment"), None),
    ],
    ids=["expression", "nested", "old field", "classifier", "unknown", "none"],
)
def test_what_metadata_states_is_read(given: Message, expression: str | None) -> None:
    assert stated(given) == expression

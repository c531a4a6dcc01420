"""The Dockerfile, read: what it copies exists, it installs by hash, runs as nobody special, and holds no secret."""

from __future__ import annotations

import json
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions in order, each with its arguments on one line."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in lines)]


def arguments(name: str) -> list[str]:
    """The arguments of every instruction of a name."""
    return [rest for instruction, rest in instructions() if instruction == name]


def copied() -> list[str]:
    """The paths of the source tree that are copied into the image."""
    return [path for rest in arguments("COPY") if not rest.startswith("--from") for path in rest.split()[:-1]]


@pytest.mark.parametrize("path", copied())
def test_what_is_copied_exists_and_reaches_the_builder(path: str) -> None:
    assert (ROOT / path).exists()
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").split() if line[0] == "!"]
    assert path.rstrip("/") in allowed


def test_nothing_else_reaches_the_builder() -> None:
    lines = [line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    assert lines[0] == "*"
    allowed = {line[1:] for line in lines if line.startswith("!")}
    assert allowed == {path.rstrip("/") for path in copied()}
    for private in (".env", "data", ".git"):
        assert not any(fnmatch(private, pattern) for pattern in allowed)


def test_every_install_is_by_hash_or_of_the_tree_itself() -> None:
    installs = [part for rest in arguments("RUN") for part in rest.split("&&") if "pip install" in part]
    assert len(installs) == 3
    for install in installs:
        assert "--require-hashes" in install or "--no-deps --no-build-isolation ." in install


def test_two_stages_of_one_python_we_support() -> None:
    images = arguments("FROM")
    assert len(images) == 2
    (image,) = {image.split()[0] for image in images}
    assert re.fullmatch(r"python:3\.14-slim@sha256:[0-9a-f]{64}", image)


def test_it_runs_without_root_on_a_volume_by_a_command_without_a_shell() -> None:
    after_last_from = instructions()[[name for name, _ in instructions()].index("FROM", 1) :]
    names = [name for name, _ in after_last_from]
    assert names.index("USER") < names.index("CMD")
    assert arguments("USER") == ["cardroom"]
    assert arguments("VOLUME") == ["/data"]
    assert any("CARDROOM_DATA_DIR=/data" in rest for rest in arguments("ENV"))
    assert json.loads(arguments("CMD")[0]) == ["cardroom", "bot", "--supervised"]
    check = re.search(r"CMD (\[.*\])$", arguments("HEALTHCHECK")[0])
    assert check is not None
    assert json.loads(check[1]) == ["python", "-m", "bot.heartbeat"]

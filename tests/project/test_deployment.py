"""compose.yaml and the systemd unit: they name settings, commands and exit codes that exist, and give few rights."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from bot.settings import EXIT_CONFIGURATION, EXIT_DATABASE, KEYS, Settings

ROOT = Path(__file__).parents[2]


def text(name: str) -> str:
    """A file of the project."""
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture
def compose() -> Any:
    """compose.yaml as plain data."""
    return YAML(typ="safe").load(text("compose.yaml"))


@pytest.fixture
def service(compose: Any) -> Any:
    """Its one service."""
    (service,) = compose["services"].values()
    return service


def directives(name: str) -> list[str]:
    """The values of a key of the systemd unit, in order."""
    return re.findall(rf"^{name}=(.*)$", text("deploy/cardroom.service"), re.MULTILINE)


def directive(name: str) -> str:
    """The one value of a key of the systemd unit."""
    (value,) = directives(name)
    return value


# ---------------------------------------------------------------------------------------------- compose


def test_the_compose_file_fits_its_schema() -> None:
    checker = Path(sys.executable).with_name("check-jsonschema")
    command = [str(checker), "--builtin-schema", "vendor.compose-spec", "compose.yaml"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_data_and_backups_are_volumes_where_the_bot_keeps_them(compose: Any, service: Any) -> None:
    environment = service["environment"]
    data = Path(environment["CARDROOM_DATA_DIR"])
    settings = Settings(CARDROOM_DATA_DIR=data)
    assert service["volumes"] == [f"data:{data}", f"backups:{settings.backups_dir}"]
    assert set(compose["volumes"]) == {"data", "backups"}
    assert Path(environment["CARDROOM_HEARTBEAT_FILE"]) == settings.heartbeat_file
    # A new volume takes its owner from the folder in the image, so the image must have both.
    made = re.search(r"install --directory --mode 0700 --owner cardroom --group cardroom (.*)", text("Dockerfile"))
    assert made is not None
    assert made[1].split()[:2] == [str(data), str(settings.backups_dir)]


def test_the_compose_file_sets_nothing_unknown_and_gives_the_token_by_a_file(service: Any) -> None:
    assert set(service["environment"]) <= set(KEYS)
    assert service["env_file"] == ".env"
    assert not re.search(r"TOKEN\s*[:=]", text("compose.yaml"))
    assert "command" not in service


def test_the_health_check_is_the_image_s(service: Any) -> None:
    stated = re.search(r"^HEALTHCHECK (.*) CMD (\[.*\])$", text("Dockerfile"), re.MULTILINE)
    assert stated is not None
    options = dict(re.findall(r"--([a-z-]+)=(\S+)", stated[1]))
    check = service["healthcheck"]
    assert check["test"] == ["CMD", *json.loads(stated[2])]
    assert {key.replace("_", "-"): str(value) for key, value in check.items() if key != "test"} == options


def test_a_container_comes_back_after_any_number_of_ends_and_waits_between_them_by_itself(service: Any) -> None:
    assert service["restart"] == "unless-stopped"
    cluster = YAML().load(text("deploy/compose.postgresql.yaml"))
    assert {each["restart"] for each in cluster["services"].values()} == {"unless-stopped"}
    assert not any("command" in each for name, each in cluster["services"].items() if name.startswith("bot-"))
    assert text("Dockerfile").rstrip().endswith('CMD ["cardroom", "bot", "--supervised"]')
    assert "--restart unless-stopped" in text("docs/operating.md")
    assert "on-failure" not in text("docs/operating.md") + text("README.md")


# ---------------------------------------------------------------------------------------------- systemd


def test_the_unit_starts_a_command_that_is_installed() -> None:
    path, command = directive("ExecStart").split()
    assert Path(path).name in tomllib.loads(text("pyproject.toml"))["project"]["scripts"]
    assert command == "bot"


def test_the_unit_does_not_start_again_what_another_start_cannot_help() -> None:
    assert directive("Restart") == "on-failure"
    assert set(directive("RestartPreventExitStatus").split()) == {str(EXIT_CONFIGURATION), str(EXIT_DATABASE)}


def test_the_unit_sets_nothing_unknown_and_gives_the_token_by_a_file() -> None:
    given = dict(pair.split("=", 1) for pair in directive("Environment").split())
    assert given.pop("PYTHONUNBUFFERED") == "1"
    assert set(given) <= set(KEYS)
    assert directive("EnvironmentFile") == "/etc/cardroom.env"
    assert not re.search(r"TOKEN\s*=", text("deploy/cardroom.service"))


def test_the_unit_may_write_the_data_folder_alone() -> None:
    assert f"CARDROOM_DATA_DIR=/var/lib/{directive('StateDirectory')}" in directive("Environment").split()
    assert directive("WorkingDirectory") == f"/var/lib/{directive('StateDirectory')}"
    assert directive("ProtectSystem") == "strict"
    assert directive("ProtectHome") == "yes"
    assert not directives("ReadWritePaths")
    assert directive("User") != "root"
    assert directive("NoNewPrivileges") == "yes"
    assert directive("CapabilityBoundingSet") == ""

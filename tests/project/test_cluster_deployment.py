"""The examples for several processes on PostgreSQL: what they set exists, and together they serve every shard once."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from bot.settings import KEYS, Settings
from bot.shard_range import ShardRange, read_ranges
from tests.project.test_github import checked_by

ROOT = Path(__file__).parents[2]
COMPOSE = "deploy/compose.postgresql.yaml"
KUBERNETES = "deploy/kubernetes/cardroom.yaml"
SECRETS = {"DISCORD_TOKEN", "CARDROOM_DATABASE"}


def text(name: str) -> str:
    """A file of the project."""
    return (ROOT / name).read_text(encoding="utf-8")


def test_they_name_only_settings_that_exist() -> None:
    for name in (COMPOSE, KUBERNETES):
        assert set(re.findall(r"\b(CARDROOM_[A-Z_]+)", text(name))) <= set(KEYS)


def test_no_secret_is_in_them() -> None:
    assert "${POSTGRES_PASSWORD:?" in text(COMPOSE)
    assert not re.search(r"TOKEN\s*[:=] *\S", text(COMPOSE))
    for each in containers(kubernetes("StatefulSet")):
        for variable in each["env"]:
            assert ("valueFrom" in variable) == (variable["name"] in SECRETS | {"POD_INDEX"}), variable["name"]


def each_once(ranges: list[ShardRange]) -> list[int]:
    """The shards of these ranges, which all are of the same number of shards."""
    (total,) = {each.total for each in ranges}
    shards = sorted(shard for each in ranges for shard in each.ids)
    assert shards == list(range(total))
    return shards


# ---------------------------------------------------------------------------------------------- compose


@pytest.fixture
def services() -> Any:
    """What the compose file starts."""
    return YAML(typ="safe").load(text(COMPOSE))["services"]


def bots(services: Any) -> list[Any]:
    """The bots of the compose file."""
    return [service for name, service in services.items() if name.startswith("bot-")]


def test_the_compose_file_fits_its_schema() -> None:
    assert checked_by("vendor.compose-spec", ROOT / COMPOSE) == 0


def test_its_two_bots_serve_every_shard_and_each_may_take_the_others(services: Any) -> None:
    lists = [read_ranges(service["environment"]["CARDROOM_SHARDS"]) for service in bots(services)]
    assert len(lists) == 2
    each_once([first for first, *_ in lists])
    assert {frozenset(each) for each in lists} == {frozenset(lists[0])}


def test_its_bots_know_the_database_and_the_key_and_have_no_right_they_do_not_need(services: Any) -> None:
    database = services["postgresql"]["environment"]
    made = re.search(r"install --directory --mode 0700 --owner cardroom --group cardroom (.*)", text("Dockerfile"))
    assert made is not None
    for service in bots(services):
        environment = service["environment"]
        address = environment["CARDROOM_DATABASE"].replace("${POSTGRES_PASSWORD:?set it in .env}", "secret")
        settings = Settings(CARDROOM_DATABASE=address, CARDROOM_DATA_DIR=Path(environment["CARDROOM_DATA_DIR"]))
        assert settings.database_name == f"PostgreSQL database {database['POSTGRES_DB']} on postgresql"
        assert f"//{database['POSTGRES_USER']}:" in address
        assert Path(environment["CARDROOM_HEARTBEAT_FILE"]) == settings.heartbeat_file
        key = Path(environment["CARDROOM_PERSON_KEY_FILE"])
        assert service["volumes"] == [f"shared:{key.parent}"]
        assert str(key.parent) in made[1].split()
        assert service["depends_on"] == {"postgresql": {"condition": "service_healthy"}}
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["env_file"] == ".env"
        assert service["healthcheck"]["test"] == ["CMD", "python", "-m", "bot.heartbeat"]
        assert not {"ports", "privileged", "cap_add", "user", "network_mode", "command"} & set(service)


# ------------------------------------------------------------------------------------------- Kubernetes


def kubernetes(kind: str) -> Any:
    """The one object of a kind."""
    (found,) = [each for each in YAML(typ="safe").load_all(text(KUBERNETES)) if each["kind"] == kind]
    return found


def containers(stateful_set: Any) -> list[Any]:
    """The containers of a pod."""
    found: list[Any] = stateful_set["spec"]["template"]["spec"]["containers"]
    return found


@pytest.fixture
def stateful_set() -> Any:
    """The bots."""
    return kubernetes("StatefulSet")


@pytest.fixture
def container(stateful_set: Any) -> Any:
    """The one container of each."""
    (found,) = containers(stateful_set)
    return found


def ranges_of(container: Any, ordinal: int, **changed: str) -> tuple[ShardRange, ...]:
    """What the pod of a number gives its bot as CARDROOM_SHARDS."""
    shell, option, script = container["command"]
    given = {variable["name"]: variable.get("value", "") for variable in container["env"]}
    environment = {**given, "POD_INDEX": str(ordinal), "PATH": "/usr/bin:/bin", **changed}
    script = script.replace("exec cardroom bot", 'echo "$CARDROOM_SHARDS"')
    done = subprocess.run(
        [shell, option, script], env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    return read_ranges(done.stdout.strip())


def test_each_pod_begins_with_the_range_of_its_number_and_a_spare_takes_any(stateful_set: Any, container: Any) -> None:
    given = {variable["name"]: variable.get("value") for variable in container["env"]}
    shards, ranges = int(given["SHARDS"]), int(given["RANGES"])
    assert shards % ranges == 0
    assert container["command"][2].rstrip().endswith("exec cardroom bot")
    lists = [ranges_of(container, ordinal) for ordinal in range(stateful_set["spec"]["replicas"])]
    assert len(lists) == ranges + kubernetes("PodDisruptionBudget")["spec"]["maxUnavailable"]
    assert {len(each) for each in lists} == {ranges}
    assert each_once([first for first, *_ in lists[:ranges]]) == list(range(shards))
    for each in lists:
        each_once(list(each))
    assert ranges_of(container, 2, SHARDS="6", RANGES="3") == read_ranges("4-5,0-1,2-3/6")
    assert ranges_of(container, 0, SHARDS="1", RANGES="1") == read_ranges("0-0/1")


def test_what_a_pod_mounts_is_where_the_settings_say(stateful_set: Any, container: Any) -> None:
    given = {variable["name"]: variable.get("value") for variable in container["env"]}
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    volumes = {volume["name"]: volume for volume in stateful_set["spec"]["template"]["spec"]["volumes"]}
    assert set(mounts) == set(volumes)
    assert mounts["data"] == given["CARDROOM_DATA_DIR"]
    assert Path(given["CARDROOM_HEARTBEAT_FILE"]).parent == Path(mounts["data"])
    assert Path(given["CARDROOM_PERSON_KEY_FILE"]).parent == Path(mounts["person-key"])
    created = re.search(
        rf"create secret generic {volumes['person-key']['secret']['secretName']} (.*)", text(KUBERNETES)
    )
    assert created is not None
    assert f"--from-file={Path(given['CARDROOM_PERSON_KEY_FILE']).name}" in created[1]

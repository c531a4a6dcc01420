"""`make reference`: what operators read of settings and metrics is what the code has."""

from __future__ import annotations

import re

import pytest

from bot.ops.metrics import Metrics
from bot.settings import KEYS
from tests.bench import __main__ as bench
from tests.project.files import text
from tools import capacity
from tools.reference import WRITTEN, Setting, metrics_page, settings


@pytest.mark.parametrize("name", WRITTEN)
def test_each_file_is_what_make_reference_writes(name: str) -> None:
    assert text(name) == WRITTEN[name]()


def test_every_setting_has_a_text_its_default_and_its_bounds() -> None:
    found = {each.key: each for each in settings()}
    assert tuple(found) == KEYS
    assert all(each.text.endswith(".") for each in found.values())
    days = found["CARDROOM_PURGE_DAYS"]
    assert days == Setting(days.key, "30", "1 to 3,650", days.text)
    assert (found["CARDROOM_CARD_EMOJIS"].default, found["CARDROOM_CARD_EMOJIS"].allowed) == ("on", "on, off")
    assert found["CARDROOM_HEARTBEAT_FILE"].default == "data/heartbeat"


def test_every_metric_is_named_as_it_is_served() -> None:
    served = re.findall(r"^# HELP (\w+) ", Metrics().text(0).decode(), re.MULTILINE)
    named = re.findall(r"^- \*\*`(\w+)`\*\*: ", metrics_page(), re.MULTILINE)
    assert named == [name for name in served if not name.endswith("_created")]


def test_what_an_installation_needs_follows_from_benchmarks_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    named = {name for cost in capacity.COSTS for name in re.findall(r"`(\w+)`", cost.source)}
    assert named - {*bench.SHORT, *bench.LONG} == set()
    capacity.main(["25000", "50000", "1500"])
    told = capsys.readouterr().out
    assert "| shards | 25 |" in told
    assert "| processes | 2 |" in told

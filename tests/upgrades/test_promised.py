"""What a release promised to people and other programs is still there."""

from __future__ import annotations

import json

import pytest

from tests.upgrades.promised import RELEASES, file_of, lost, promised


@pytest.mark.parametrize("release", RELEASES)
def test_no_command_option_setting_exit_code_verb_or_format_of_a_release_is_gone(release: str) -> None:
    assert lost(json.loads(file_of(release).read_text("utf-8")), promised()) == []


def test_what_is_gone_is_named_and_what_came_is_none_of_it() -> None:
    then = {"commands": {"/play": ["game", "clock"]}, "verbs": ["join", "start"], "formats": {"dump": 2}}
    now = {"commands": {"/play": ["game"], "/learn": []}, "verbs": ["join"], "formats": {"dump": 1}}
    assert lost(then, now) == ["/commands//play/clock", "/verbs/start", "/formats/dump"]
    assert lost(then, {**then, "settings": []}) == []

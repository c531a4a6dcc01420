"""Every verb that a button carries is answered, those on messages of older versions too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.ui.catalogue import translations
from cogs.actions.component_press import Answers, ComponentPress, Verbs, all_verbs
from tests.cogs.actions.offline_bot import OfflineBot
from tests.whose_rows import table_of

COGS = Path(__file__).parents[3] / "cogs"
WRITTEN = re.compile(r'\bPress\(\s*"([a-z]+)"')
OLDER = {"ranks", "ownrank", "standings"}
"""Verbs that nothing writes any more."""


def written() -> set[str]:
    """The verbs in ids that are written out somewhere in `cogs`."""
    return {verb for file in COGS.rglob("*.py") for verb in WRITTEN.findall(file.read_text("utf-8"))}


def test_every_verb_that_is_written_is_answered(bot: OfflineBot) -> None:
    assert len(written()) > 40
    assert written() | OLDER <= table_of(bot.app).keys()


async def test_a_verb_that_nobody_answers_is_an_unknown_press(bot: OfflineBot) -> None:
    press = await bot.press("g1:abcdefghij:0:nobodys")
    assert press.texts == [translations("en")("press.unknown")]


class _Two:
    verbs = Verbs()

    @verbs("one", "other")
    async def _answer(self, press: ComponentPress) -> None:
        """Nothing."""


def test_a_verb_belongs_to_one_method_and_to_one_owner() -> None:
    verbs = _Two.verbs.of(_Two())
    assert sorted(verbs) == ["one", "other"]
    with pytest.raises(ValueError, match="two answer"):
        all_verbs((Answers(verbs), Answers(verbs)))

    async def again(_owner: object, press: ComponentPress) -> None:
        """Nothing."""

    with pytest.raises(ValueError, match="two methods answer one"):
        _Two.verbs("one")(again)

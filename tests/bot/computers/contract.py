"""What every `bot.computers.thinker.Thinker` does. Subclass `ThinkerContract` and give it the fixture `thinker`."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import product

import pytest

from bot.computers.thinker import Thinker
from engines.players.levels import LEVELS
from tests.bot.computers.questions import accepted, broken, some_positions, some_questions

SOON = 60.0
"""A deadline that leaves time enough."""


class ThinkerContract:
    """The promises of the protocol."""

    async def test_every_level_gives_an_act_that_the_rules_accept(self, thinker: Thinker) -> None:
        for game, levels in LEVELS.items():
            for position, level in product(some_positions(game, 3), levels):
                assert accepted(position, await thinker.answer(position.question(level), deadline_seconds=SOON))

    async def test_the_same_question_has_the_same_answer(self, thinker: Thinker) -> None:
        for question in some_questions("haymaker", "easy", 5):
            found = await thinker.answer(question, deadline_seconds=SOON)
            assert await thinker.answer(question, deadline_seconds=None) == found

    async def test_a_deadline_that_has_passed_is_answered_all_the_same(self, thinker: Thinker) -> None:
        (position,) = some_positions("ciq", 1)
        assert accepted(position, await thinker.answer(position.question("hard", 60), deadline_seconds=-1.0))

    async def test_a_player_that_fails_still_makes_an_act_that_the_rules_accept(self, thinker: Thinker) -> None:
        for position in some_positions("haymaker", 2):
            question = broken(position.question("normal"))
            assert accepted(position, await thinker.answer(question, deadline_seconds=SOON))

    async def test_a_game_or_level_that_does_not_exist_is_an_error(self, thinker: Thinker) -> None:
        (question,) = some_questions("haymaker", "normal", 1)
        for wrong in (replace(question, game="poker"), replace(question, level="superhuman")):
            with pytest.raises(KeyError):
                await thinker.answer(wrong, deadline_seconds=SOON)

    async def test_many_questions_at_once_are_all_answered(self, thinker: Thinker) -> None:
        found = some_positions("haymaker", 40)
        asking = [thinker.answer(position.question("normal"), deadline_seconds=SOON) for position in found]
        for position, answer in zip(found, await asyncio.gather(*asking), strict=True):
            assert accepted(position, answer)

    async def test_once_closed_it_answers_nothing(self, thinker: Thinker) -> None:
        (question,) = some_questions("haymaker", "normal", 1)
        await thinker.close()
        with pytest.raises(asyncio.CancelledError):
            await thinker.answer(question, deadline_seconds=SOON)

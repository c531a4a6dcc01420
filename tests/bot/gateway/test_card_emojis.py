"""The application's emojis are brought in step with the drawings, and whatever goes wrong, cards are text meanwhile."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.art.images import Family, Size, emoji_names, images
from bot.art.sheet import Sheet
from bot.gateway.card_emojis import INVALID_FORM, MOST_DOUBTS, PAUSE, RETRIES, TOO_MANY, CardEmojis
from tests.known import there

pytestmark = pytest.mark.slow  # uploads hundreds of pictures in most tests

EVERY = [image.emoji_name for image in images(Size.EMOJI).values()]
QUEEN = images(Size.EMOJI)["queen_hearts"]


def refusal(status: int, code: int = 0, text: str = "no") -> discord.HTTPException:
    """What the library raises for an answer with this status."""
    kinds = {403: discord.Forbidden, 404: discord.NotFound}
    kind = discord.DiscordServerError if status >= 500 else kinds.get(status, discord.HTTPException)
    response: Any = SimpleNamespace(status=status, reason="")
    return kind(response, {"code": code, "message": text})


@dataclass
class FakeEmoji:
    home: FakeApplication
    id: int
    name: str
    image: bytes = b""

    async def delete(self) -> None:
        self.home.did.append(f"delete {self.name}")
        if self in self.home.emojis:
            self.home.emojis.remove(self)
        else:
            raise refusal(404)


@dataclass
class FakeApplication:
    """An application's emojis.

    `troubles` are raised by the next requests, None for no trouble. Another process takes the names in `taken` a moment
    before this one asks for them.
    """

    emojis: list[FakeEmoji] = field(default_factory=list)
    did: list[str] = field(default_factory=list)
    troubles: list[Exception | None] = field(default_factory=list)
    refuses: dict[str, Exception] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def add(self, *names: str) -> None:
        for name in names:
            self.emojis.append(FakeEmoji(self, 1000 + len(self.emojis), name))

    async def fetch_application_emojis(self) -> list[FakeEmoji]:
        self._trouble()
        self.did.append("list")
        return list(self.emojis)

    async def create_application_emoji(self, *, name: str, image: bytes) -> FakeEmoji:
        self._trouble()
        if name in self.taken:
            self.add(name)
            raise refusal(400, INVALID_FORM)
        if name in self.refuses:
            raise self.refuses[name]
        self.did.append(f"create {name}")
        self.emojis.append(FakeEmoji(self, 1000 + len(self.emojis), name, image))
        return self.emojis[-1]

    def _trouble(self) -> None:
        trouble = self.troubles.pop(0) if self.troubles else None
        if trouble is not None:
            raise trouble

    @property
    def created(self) -> list[str]:
        return [each.partition(" ")[2] for each in self.did if each.startswith("create")]


def keeper_of(application: FakeApplication) -> CardEmojis:
    client: Any = application
    return CardEmojis(client)


@pytest.fixture
def application() -> FakeApplication:
    return FakeApplication()


@pytest.fixture
async def keeper(application: FakeApplication) -> AsyncIterator[CardEmojis]:
    made = keeper_of(application)

    async def keep() -> None:
        await asyncio.sleep(0.01)  # a test first says what is there
        await made.keep()

    keeping = asyncio.create_task(keep())
    yield made
    keeping.cancel()
    with suppress(asyncio.CancelledError):
        await keeping


@pytest.fixture(autouse=True)
def logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)


def in_use(keeper: CardEmojis) -> set[Family]:
    return {family for family in Family if keeper.usable(family) is not None}


async def test_a_first_start_uploads_every_picture_one_after_the_other(
    application: FakeApplication, keeper: CardEmojis
) -> None:
    await asyncio.sleep(PAUSE * 10)
    assert 5 < len(application.created) < 12
    assert in_use(keeper) == set()
    await asyncio.sleep(PAUSE * 200)
    assert sorted(application.created) == sorted(EVERY)
    assert in_use(keeper) == set(Family)
    (queen,) = [emoji for emoji in application.emojis if emoji.name == QUEEN.emoji_name]
    assert Sheet.read(queen.image).digest == QUEEN.digest
    assert there(keeper.usable(Family.FRENCH))["queen_hearts"] == f"<:{QUEEN.emoji_name}:{queen.id}>"


async def test_a_family_is_used_as_soon_as_it_is_whole_and_not_before(
    application: FakeApplication, keeper: CardEmojis
) -> None:
    french = len(emoji_names(Family.FRENCH))
    await asyncio.sleep(PAUSE * (french - 3))
    assert in_use(keeper) == set()
    await asyncio.sleep(PAUSE * 6)
    assert in_use(keeper) == {Family.FRENCH}


async def test_a_later_start_uploads_nothing(application: FakeApplication, keeper: CardEmojis) -> None:
    application.add("mine", *EVERY)
    await asyncio.sleep(0.1)
    assert application.did == ["list"]
    assert in_use(keeper) == set(Family)


async def test_what_is_missing_is_uploaded_and_the_other_families_are_used_meanwhile(
    application: FakeApplication, keeper: CardEmojis
) -> None:
    application.add(*(name for name in EVERY if name != QUEEN.emoji_name))
    await asyncio.sleep(0.1)
    assert in_use(keeper) == set(Family) - {Family.FRENCH}
    await asyncio.sleep(PAUSE * 2)
    assert application.created == [QUEEN.emoji_name]
    assert in_use(keeper) == set(Family)


async def test_a_changed_drawing_is_removed_after_the_new_one_is_in_use_and_what_is_not_ours_stays(
    application: FakeApplication, keeper: CardEmojis
) -> None:
    others = ["queen_hearts", "queen_hearts_abcdeg", "queen_heart_abcdef", "queen_hearts_0abcdef", "mine_abcdef"]
    application.add("queen_hearts_abcdef", *others, *(name for name in EVERY if name != QUEEN.emoji_name))
    await asyncio.sleep(PAUSE * 5)
    assert application.did[1:] == [f"create {QUEEN.emoji_name}", "list", "delete queen_hearts_abcdef"]
    assert in_use(keeper) == set(Family)
    assert {emoji.name for emoji in application.emojis} == {*others, *EVERY}


async def test_of_two_emojis_with_one_name_the_oldest_is_used(application: FakeApplication, keeper: CardEmojis) -> None:
    application.add(*EVERY, *EVERY)
    await asyncio.sleep(0.1)
    french = there(keeper.usable(Family.FRENCH))
    assert french["queen_hearts"] == f"<:{QUEEN.emoji_name}:{1000 + EVERY.index(QUEEN.emoji_name)}>"
    assert application.did == ["list"]


async def test_a_name_that_another_process_has_just_taken_is_used(
    application: FakeApplication, keeper: CardEmojis
) -> None:
    application.add(*(name for name in EVERY if name != QUEEN.emoji_name))
    application.taken = {QUEEN.emoji_name}
    await asyncio.sleep(PAUSE * 3)
    assert application.created == []
    assert in_use(keeper) == set(Family)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (refusal(400, TOO_MANY), "remove some in the Developer Portal"),
        (refusal(403, 20012), "Discord does not let the bot manage its emojis (HTTP 403, code 20012)"),
        (refusal(404, 10002), "HTTP 404, code 10002"),
    ],
    ids=["too many", "forbidden", "unknown"],
)
async def test_a_refusal_for_good_is_said_once_and_cards_stay_text(
    application: FakeApplication, keeper: CardEmojis, caplog: pytest.LogCaptureFixture, error: Exception, said: str
) -> None:
    application.troubles = [None, error]
    await asyncio.sleep(RETRIES[-1] * 10)
    assert [record.message for record in caplog.records if said in record.message]
    assert len(application.did) == 1, "it did not try again"
    assert in_use(keeper) == set()


@pytest.mark.parametrize("error", [refusal(503), OSError("cut"), discord.RateLimited(900.0)], ids=repr)
async def test_after_a_failure_that_may_pass_it_goes_on_where_it_was(
    application: FakeApplication, keeper: CardEmojis, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    application.troubles = [*([None] * 11), error]
    await asyncio.sleep(50)
    assert len(application.created) == 10
    assert "the next try is in" in caplog.text
    await asyncio.sleep(1200)
    assert sorted(application.created) == sorted(EVERY)
    assert in_use(keeper) == set(Family)


async def test_an_emoji_that_somebody_removed_makes_cards_text_until_it_is_there_again(
    application: FakeApplication, keeper: CardEmojis
) -> None:
    application.add(*EVERY)
    await asyncio.sleep(0.1)
    application.emojis = [emoji for emoji in application.emojis if emoji.name != QUEEN.emoji_name]
    keeper.refused(refusal(400, INVALID_FORM, "In components.0.emoji.id: Invalid emoji"))
    assert in_use(keeper) == set()
    await asyncio.sleep(PAUSE * 3)
    assert application.created == [QUEEN.emoji_name]
    assert in_use(keeper) == set(Family)


async def test_an_emoji_that_is_removed_while_former_drawings_are_is_uploaded_again(
    application: FakeApplication, keeper: CardEmojis
) -> None:
    application.add("queen_hearts_abcdef", *EVERY)
    await asyncio.sleep(PAUSE / 2)
    assert application.did[1:] == ["delete queen_hearts_abcdef"]
    application.emojis = [emoji for emoji in application.emojis if emoji.name != QUEEN.emoji_name]
    keeper.refused(refusal(400, INVALID_FORM, "In components.0.emoji.id: Invalid emoji"))
    await asyncio.sleep(PAUSE * 3)
    assert application.created == [QUEEN.emoji_name]
    assert in_use(keeper) == set(Family)


async def test_messages_that_are_refused_for_other_reasons_change_nothing(
    application: FakeApplication, keeper: CardEmojis
) -> None:
    application.add(*EVERY)
    await asyncio.sleep(0.1)
    keeper.refused(refusal(400, INVALID_FORM, "In content: Must be 4000 or fewer in length."))
    keeper.refused(refusal(404, 10062, "Unknown interaction"))
    assert in_use(keeper) == set(Family)


async def test_emojis_that_are_refused_again_and_again_are_given_up(
    application: FakeApplication, keeper: CardEmojis, caplog: pytest.LogCaptureFixture
) -> None:
    application.add(*EVERY)
    for _ in range(MOST_DOUBTS):
        await asyncio.sleep(0.1)
        assert in_use(keeper) == set(Family)
        keeper.refused(refusal(400, INVALID_FORM, "In components.0.emoji.id: Invalid emoji"))
    await asyncio.sleep(RETRIES[-1])
    assert in_use(keeper) == set()
    assert "cards are text until the next start" in caplog.text

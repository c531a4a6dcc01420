"""Preferences are read from memory, and are there when somebody is loaded."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from bot.store.errors import NotSaved, StoreError, Unsettled
from bot.ui.preferences import CARD_STYLE, DEFAULT_CARD_STYLE, LANGUAGE, CardStyle, Preferences
from tests.bot.store.memory_store import MemoryStore

ANN, BOB = 11, 12


class CountingStore(MemoryStore):
    """Counts what it is asked, and fails to save what it is told to."""

    asked = 0
    written = 0
    fault: StoreError | None = None

    async def preferences(self, user_ids: Sequence[int]) -> dict[int, dict[str, str]]:
        self.asked += 1
        return await super().preferences(user_ids)

    async def set_preference(self, user_id: int, name: str, value: str) -> None:
        self.written += 1
        if self.fault is not None:
            raise self.fault
        await super().set_preference(user_id, name, value)


@pytest.fixture
def store() -> CountingStore:
    return CountingStore(now=lambda: 0)


@pytest.fixture
def preferences(store: CountingStore) -> Preferences:
    return Preferences(store)


async def test_each_person_is_loaded_once_and_then_read_from_memory(
    store: CountingStore, preferences: Preferences
) -> None:
    await store.set_preference(ANN, CARD_STYLE, "words")
    for _ in range(3):
        await preferences.load((ANN, BOB))
    assert store.asked == 1
    assert (preferences.card_style(ANN), preferences.card_style(BOB)) == (CardStyle.WORDS, DEFAULT_CARD_STYLE)


async def test_a_choice_is_saved_and_counts_at_once(store: CountingStore, preferences: Preferences) -> None:
    await preferences.set_card_style(ANN, CardStyle.TEXT)
    assert preferences.card_style(ANN) is CardStyle.TEXT
    again = Preferences(store)
    await again.load((ANN,))
    assert again.card_style(ANN) is CardStyle.TEXT


async def test_a_choice_that_was_not_saved_changes_nothing(store: CountingStore, preferences: Preferences) -> None:
    await preferences.set_card_style(ANN, CardStyle.TEXT)
    store.fault = NotSaved("disk full")
    with pytest.raises(NotSaved):
        await preferences.set_card_style(ANN, CardStyle.WORDS)
    assert preferences.card_style(ANN) is CardStyle.TEXT


async def test_a_choice_that_may_have_been_saved_is_read_again(store: CountingStore, preferences: Preferences) -> None:
    await preferences.set_card_style(ANN, CardStyle.TEXT)
    store.fault = Unsettled("nobody knows")
    with pytest.raises(Unsettled):
        await preferences.set_card_style(ANN, CardStyle.WORDS)
    await MemoryStore.set_preference(store, ANN, CARD_STYLE, "words")
    await preferences.load((ANN,))
    assert preferences.card_style(ANN) is CardStyle.WORDS


async def test_a_style_of_another_version_is_the_default(store: CountingStore, preferences: Preferences) -> None:
    await store.set_preference(ANN, CARD_STYLE, "holograms")
    await preferences.load((ANN,))
    assert preferences.card_style(ANN) is DEFAULT_CARD_STYLE


async def test_what_another_process_may_have_changed_is_read_again_after_a_while() -> None:
    store = MemoryStore(now=lambda: 0)
    here, there = Preferences(store, fresh_for=60), Preferences(store, fresh_for=60)
    await here.load((ANN,))
    await there.set_card_style(ANN, CardStyle.TEXT)
    await here.load((ANN,))
    assert here.card_style(ANN) is DEFAULT_CARD_STYLE
    await asyncio.sleep(61)
    await here.load((ANN,))
    assert here.card_style(ANN) is CardStyle.TEXT


async def noted(preferences: Preferences, user: int, locale: str) -> None:
    """Note a locale, and wait until it is written."""
    task = preferences.note_locale(user, locale)
    if task is not None:
        await task


async def test_a_language_is_written_only_when_it_changed(store: CountingStore, preferences: Preferences) -> None:
    for _ in range(3):
        await noted(preferences, ANN, "pt-BR")
    assert (store.asked, store.written) == (1, 1)
    assert await store.preferences([ANN]) == {ANN: {LANGUAGE: "pt_BR"}}
    again = Preferences(store)
    await noted(again, ANN, "pt-BR")
    assert (again.language(ANN), store.written) == ("pt_BR", 1)
    await noted(again, ANN, "ar")
    assert (again.language(ANN), store.written) == ("ar", 2)


async def test_a_language_and_a_style_stay_beside_each_other(store: CountingStore, preferences: Preferences) -> None:
    await noted(preferences, ANN, "de")
    await preferences.set_card_style(ANN, CardStyle.WORDS)
    await noted(preferences, ANN, "fr")
    for each in (preferences, Preferences(store)):
        await each.load((ANN,))
        assert (each.card_style(ANN), each.language(ANN)) == (CardStyle.WORDS, "fr")


@pytest.mark.parametrize("locale", ["", "../en", "x" * 200, "de\n"])
async def test_what_is_no_locale_is_not_kept(store: CountingStore, preferences: Preferences, locale: str) -> None:
    await noted(preferences, ANN, locale)
    assert (preferences.language(ANN), store.written) == ("", 0)


async def test_a_language_that_cannot_be_saved_counts_until_the_process_ends(
    store: CountingStore, preferences: Preferences
) -> None:
    store.fault = NotSaved("disk full")
    await noted(preferences, ANN, "de")
    assert preferences.language(ANN) == "de"
    assert await store.preferences([ANN]) == {}

"""What screens remember shows in no screen: each is as if it was the first that anybody saw."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import pytest

from bot.play.live_match import LiveMatch
from bot.ui.catalogue import Translations, translations
from bot.ui.preferences import CardStyle
from cogs.screens import custom_ids, narration, selections
from cogs.screens.board import board_screen
from cogs.screens.cards.forms import CardForms
from cogs.screens.hands import hand
from cogs.screens.hands.hand import hand_screen
from cogs.screens.presenter import Racing, Reader
from cogs.screens.renderer import sheet
from engines import GAMES
from engines.game import Pick, Seat
from laws.bodies import emojis, match_after
from laws.case import GameCase
from laws.play import random_match
from tests.games.cases import case_of

FORMS = CardForms(emojis)
MOVES = 8
"""How much of a match is shown to everybody."""


@dataclass(frozen=True)
class Marked:
    """Sentences that say which language they are of."""

    words: Translations

    def __call__(self, key: str, /, **values: object) -> str:
        return f"~{self.words(key, **values)}"

    def count(self, key: str, n: int, /, **values: object) -> str:
        return f"~{self.words.count(key, n, **values)}"

    def all_of(self, items: Iterable[str]) -> str:
        return f"~{self.words.all_of(items)}"


def forget() -> None:
    """Forget everything, as at a start."""
    narration.last_told.cache_clear()
    hand.last_parts.cache_clear()


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    forget()
    yield
    forget()


def readers(case: GameCase, match: LiveMatch) -> list[Reader]:
    """Everybody and each seat, by two names each, in two languages and in each form of cards."""
    english: Any = translations("en")
    marked: Any = Marked(english)
    seats = range(len(match.seats))
    return [
        Reader(words, tuple(f"{called}{each}" for each in seats), seat, FORMS.of(case.key, style, english))
        for seat in (None, *seats)
        for words, called in ((english, "Ann"), (marked, "Ann"), (english, "Bob"))
        for style in CardStyle
    ]


def selections_of(match: LiveMatch, seat: Seat) -> list[str]:
    """Nothing picked, and the first item of each offer."""
    picks = [offer for offer in match.choices(seat) if isinstance(offer, Pick)]
    return ["", *(custom_ids.write_selection(pick.verb, (0,), ordered=pick.ordered) for pick in picks)]


def bodies(case: GameCase, match: LiveMatch, reader: Reader, before: Callable[[], None]) -> list[bytes]:
    """What a reader is sent at this moment, with something done before each screen."""
    made = []
    for selection in [""] if reader.seat is None else selections_of(match, reader.seat):
        before()
        if reader.seat is None:
            screen = board_screen(match, case.presenter, reader)
        else:
            screen = hand_screen(match, reader.seat, case.presenter, reader, selection=selection)
        made.append(orjson.dumps(sheet(screen, match.id).to_components()))
    return made


@pytest.mark.parametrize("key", GAMES)
def test_no_screen_shows_what_was_made_for_another_moment_or_reader(key: str) -> None:
    case, rng = case_of(key), random.Random(key)
    deal = case.deal("default", case.setups[0][1], rng)
    log = random_match(deal, rng)
    for number in range(len(log.moves[:MOVES])):
        match = match_after(log, number)  # the same match, one act later
        shown = rng.sample(readers(case, match), 6)
        with_memory = [bodies(case, match, reader, lambda: None) for reader in shown * 2]
        fresh = [bodies(case, match, reader, forget) for reader in shown]
        assert with_memory == fresh * 2
        for reader in shown:  # what is remembered is of the position before the act
            bodies(case, match, reader, lambda: None)


def test_what_is_remembered_is_bounded_with_no_more_events_than_the_last_log_needed() -> None:
    case, rng = case_of("haymaker"), random.Random(1)
    match = match_after(random_match(case.deal("default", 2, rng), rng), 3)
    for number in range(narration.READERS + 10):
        reader = Reader(
            translations("en"), (f"Ann{number}", "Bob"), 0, FORMS.of(case.key, CardStyle.TEXT, translations("en"))
        )
        hand_screen(match, 0, case.presenter, reader)
    assert narration.last_told.cache_info().currsize == narration.READERS
    assert hand.last_parts.cache_info().currsize == hand.HANDS
    case, rng = case_of("haymaker"), random.Random(1)
    log = random_match(case.deal("default", 2, rng), rng)
    reader = Reader(translations("en"), ("Ann", "Bob"), None)
    for moves in range(len(log.moves)):
        board_screen(match_after(log, moves), case.presenter, reader)
    last = narration.last_told((case.presenter, None, reader))
    assert 0 < len(last) < len(log.events())
    assert sum(bool(told.line) for told in last.values()) <= 6


def test_the_controls_of_few_items_carry_what_each_would_alone() -> None:
    rng = random.Random(5)
    for items in (1, 5, 25, selections.FEW_ITEMS, selections.FEW_ITEMS + 1, 300):
        picked = tuple(sorted(rng.sample(range(items), rng.randrange(items))))
        for ordered in (False, True):
            alone = [selections.argument("attack", picked, ordered=ordered, index=index) for index in range(items)]
            assert selections.arguments("attack", picked, items, ordered=ordered) == alone
    longest = custom_ids.write_selection("a" * 12, tuple(range(selections.FEW_ITEMS)), ordered=False)
    assert len(longest) <= custom_ids.LONGEST_ARGUMENT


def test_a_race_labels_its_buttons_together_as_one_by_one() -> None:
    presenter, rng = case_of("tivmiv").presenter, random.Random(2)
    assert isinstance(presenter, Racing)
    log = random_match(case_of("tivmiv").deal("default", 2, rng), rng)
    for moves in rng.sample(range(len(log.moves)), 5):
        own = match_after(log, moves).private(0)
        reader = Reader(translations("en"), ("Ann", "Bob"), 0)
        verbs: Sequence[str] = [verb for row in presenter.rows(own, ()) for verb in row]
        assert presenter.labels(verbs, own, reader) == {verb: presenter.label(verb, own, reader) for verb in verbs}

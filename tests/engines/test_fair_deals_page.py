"""The page on fair deals has every pack and every use of chance that the games have, and no other."""

from __future__ import annotations

import hashlib
import hmac
import random
import re
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field
from functools import cache

import pytest

import engines.deals
from engines import GAMES
from engines.chance import Chance, SeededChance
from engines.deals import NO_SALT, commitment_of, salt_digest, short_seal
from laws.deals import DECK, NotedChance
from laws.play import Deal, fits, random_match
from tests.bot.play.exported import plan_of
from tests.engines.exported import LEAVING, rows
from tests.project.files import text

pytestmark = pytest.mark.slow  # plays matches at every setting, until each use of chance was met

PAGE = "docs/fair-deals.md"
MORE = 400
"""Matches that are played at most to find a use that the first matches didn't have."""


@dataclass(frozen=True, slots=True)
class NotedDeal(Deal):
    """A deal that notes what each of its draws is for."""

    notes: set[str] = field(default_factory=set, compare=False)

    def chances(self) -> Callable[[int], Chance]:
        chances = super(NotedDeal, self).chances()  # a class with slots is made twice
        return lambda seq: NotedChance(chances(seq), self.notes)


def section(key: str) -> str:
    """The page's section on a game."""
    title = GAMES[key].info.title
    found = re.search(rf"^### {title}\n(.*?)(?=^##)", text(PAGE), re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def listed(key: str, heading: str) -> list[str]:
    """The names in the first column of a game's table with this heading."""
    table = re.search(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", section(key), re.MULTILINE)
    assert table or heading == "use", heading  # a game may leave nothing but its deal to chance
    return [
        name for row in (table[1] if table else "").splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1])
    ]


def settings(key: str) -> Iterator[tuple[object, int]]:
    """Every setting that the laws play, at every number of seats that it fits."""
    game = GAMES[key]
    for plan in map(plan_of, rows(key)):
        yield from ((plan.options, seats) for seats in game.info.seats if fits(game, plan.options, seats))


@cache
def used(key: str) -> frozenset[str]:
    """What `NotedChance` notes of many matches at every setting."""
    notes: set[str] = set()
    plans = [plan_of(row) for row in rows(key)]
    for number in range(max(MORE, len(plans))):
        if number >= len(plans) and uses(notes) == set(listed(key, "use")):
            break
        plan, rng = plans[number % len(plans)], random.Random(f"{key} {number}")
        mine = NotedDeal(plan.game, plan.options, plan.seats, rng.randbytes(32), sealed=plan.sealed, notes=notes)
        random_match(mine, rng, LEAVING if number % 2 else None)
    return frozenset(notes)


def uses(notes: Set[str]) -> set[str]:
    """The names of uses among such notes, as the page writes them."""
    names = {note for note in notes if not note.startswith("deck ")}
    return {re.sub(r"^reshuffle\d+$", "reshuffle<k>", re.sub(r"^bury\d$", "bury<seat>", name)) for name in names}


@pytest.mark.parametrize("key", GAMES)
def test_the_page_lists_exactly_the_uses_of_chance_that_matches_have(key: str) -> None:
    assert uses(used(key)) == set(listed(key, "use"))


@pytest.mark.parametrize("key", GAMES)
def test_the_page_lists_exactly_the_packs_that_matches_have(key: str) -> None:
    game = GAMES[key]
    packs = {game.pack(options, seats).pack_id for options, seats in settings(key)}
    if key == "ciq":
        options = [game.info.options(decks=decks) for decks in range(1, 13)]
        packs |= {game.pack(each, seats).pack_id for each in options for seats in (2, 4, 6) if fits(game, each, seats)}
        assert listed(key, "pack") == ["ciq54x<k>", "ciq54x1", "ciq54x12"]
        assert packs == {f"ciq54x{decks}" for decks in range(1, 13)}
    else:
        assert set(listed(key, "pack")) == packs


@pytest.mark.parametrize("key", GAMES)
def test_only_phases_of_tiv_miv_are_deals_of_their_own(key: str) -> None:
    deals = {note for note in used(key) if note.startswith("deck ")}
    assert (deals > {DECK, "deck 2"}) if key == "tivmiv" else (deals == {DECK})


@pytest.mark.parametrize("key", GAMES)
def test_each_use_names_the_fact_that_shows_its_result(key: str) -> None:
    facts = {event.__name__ for event in GAMES[key].info.events}
    named = set(re.findall(r"`([A-Z]\w+)`", section(key)))
    assert named <= facts
    table = section(key).partition("| use |")[2].partition("\n\n")[0]
    for row in table.splitlines()[2:]:
        assert re.search(r"\(`[A-Z]\w+`\) \|$", row), row


def test_the_page_links_the_script_and_names_the_ways_to_check() -> None:
    page = text(PAGE)
    for way in ("`/verify`", "`cardroom verify FILE`", "(verify_deal.py)", "*Export*"):
        assert way in page, way


def test_the_page_has_the_values_that_the_program_makes() -> None:
    seed, page, names = bytes(range(32)), text(PAGE), [f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA"]
    deal = engines.deals.Deal("demo", 1, "D1", (salt_digest("apple"), NO_SALT))
    seal = commitment_of(seed, "demo", 1, "D1", '{"jokers":false}', terms="off 120")
    assert f"`{seal.hex()}`" in page
    assert f"`{short_seal(seal)}`" in page
    deck = SeededChance(seed, deal, 7, "std52").deck(names)
    assert f"{' '.join(deck[:10])} …" in page
    assert hashlib.sha256(" ".join(deck).encode()).hexdigest() in page
    for use in ("", "\nuse:hit:7"):
        assert hmac.digest(seed, (deal.context(1, "std52") + use).encode(), "sha256").hex() in page

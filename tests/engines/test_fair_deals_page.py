"""The page on fair deals has every pack and every use of chance that the games have, and no other."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

import pytest

from engines import GAMES
from engines.chance import Chance
from engines.deals import DealV1, DealV2, Sitter, commitment_v1, commitment_v2, salt_digest, short_seal
from engines.keys import NotingChance
from laws.play import Deal, fits, random_match
from tests.bot.play.exported import plan_of
from tests.engines.exported import LEAVING, rows
from tests.project.test_docs import text

PAGE = "docs/fair-deals.md"
MORE = 400
"""Matches that are played at most to find a use that the first matches didn't have."""


@dataclass(frozen=True, slots=True)
class NotedDeal(Deal):
    """A deal that notes the purposes of all keys it makes."""

    noted: dict[str, bytes] = field(default_factory=dict, compare=False)

    def chances(self) -> Callable[[int], Chance]:
        pack_id = self.game.pack(self.options, self.seats).pack_id
        return lambda seq: NotingChance(self.seed, self.in_contexts, seq, pack_id, self.noted)


def section(key: str) -> str:
    """The page's section on a game."""
    title = GAMES[key].info.title
    found = re.search(rf"^### {title}\n(.*?)(?=^##)", text(PAGE), re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def listed(key: str, heading: str) -> list[str]:
    """The names in the first column of a game's table with this heading."""
    table = re.search(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", section(key), re.MULTILINE)
    assert table, heading
    return [name for row in table[1].splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1])]


def settings(key: str) -> Iterator[tuple[object, int]]:
    """Every setting that the laws play, at every number of seats that it fits."""
    game = GAMES[key]
    for plan in map(plan_of, rows(key, 2)):
        yield from ((plan.options, seats) for seats in game.info.seats if fits(game, plan.options, seats))


@cache
def used(key: str) -> frozenset[str]:
    """The purposes of all keys of many matches at every setting, such as ``1:ciq54x2:jack:17``."""
    noted: dict[str, bytes] = {}
    plans = [plan_of(row) for version in (1, 2) for row in rows(key, version)]
    for number in range(max(MORE, len(plans))):
        if number >= len(plans) and uses(noted) == set(listed(key, "use")):
            break
        plan, rng = plans[number % len(plans)], random.Random(f"{key} {number}")
        mine = NotedDeal(plan.game, plan.options, plan.seats, rng.randbytes(32), sealed=plan.sealed, noted=noted)
        random_match(mine, rng, LEAVING if number % 2 else None)
    return frozenset(noted)


def uses(noted: object) -> set[str]:
    """The names of uses among such purposes, as the page writes them."""
    assert isinstance(noted, (dict, frozenset))
    names = {purpose.split(":")[2] for purpose in noted if purpose.count(":") == 3}
    return {re.sub(r"^reshuffle\d+$", "reshuffle<k>", re.sub(r"^bury\d$", "bury<seat>", name)) for name in names}


@pytest.mark.parametrize("key", GAMES)
def test_the_page_lists_exactly_the_uses_of_chance_that_matches_have(key: str) -> None:
    assert uses(used(key)) == set(listed(key, "use"))


@pytest.mark.parametrize("key", GAMES)
def test_the_page_lists_exactly_the_packs_that_matches_have(key: str) -> None:
    game = GAMES[key]
    packs = {game.pack(options, seats).pack_id for options, seats in settings(key)}
    assert {purpose.split(":")[1] for purpose in used(key)} <= packs
    if key == "ciq":
        options = [game.info.options(decks=decks) for decks in range(1, 13)]
        packs |= {game.pack(each, seats).pack_id for each in options for seats in (2, 4, 6) if fits(game, each, seats)}
        assert listed(key, "pack") == ["ciq54x<k>", "ciq54x1", "ciq54x12"]
        assert packs == {f"ciq54x{decks}" for decks in range(1, 13)}
    else:
        assert set(listed(key, "pack")) == packs


@pytest.mark.parametrize("key", GAMES)
def test_only_phases_of_tiv_miv_are_deals_of_their_own(key: str) -> None:
    deals = {purpose.split(":")[0] for purpose in used(key)}
    assert (deals > {"1", "2"}) if key == "tivmiv" else (deals == {"1"})


@pytest.mark.parametrize("key", GAMES)
def test_each_use_names_the_fact_that_shows_its_result(key: str) -> None:
    facts = {event.__name__ for event in GAMES[key].info.events}
    named = set(re.findall(r"`([A-Z]\w+)`", section(key)))
    assert named <= facts
    table = section(key).split("| use |")[1].split("\n\n")[0]
    for row in table.splitlines()[2:]:
        assert re.search(r"\(`[A-Z]\w+`\) \|$", row), row


def test_the_page_links_the_script_and_names_the_ways_to_check() -> None:
    page = text(PAGE)
    for way in ("`/verify`", "`cardroom verify FILE`", "(verify_deal.py)", "*Export*"):
        assert way in page, way


def test_the_page_has_the_values_that_the_program_makes() -> None:
    seed, page, names = bytes(range(32)), text(PAGE), [f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA"]
    second = DealV2("demo", 1, "D1", (salt_digest("apple"), salt_digest("")))
    first = DealV1("demo", 1, "G1", (Sitter(100000000000000001, "apple"), Sitter(100000000000000002)))
    for seal in (commitment_v2(seed, "demo", 1, "D1", '{"jokers":false}'), commitment_v1(seed)):
        assert f"`{seal.hex()}`" in page
        assert f"`{short_seal(seal)}`" in page
    for deal in (second, first):
        noted: dict[str, bytes] = {}
        deck = NotingChance(seed, deal, 7, "std52", noted).deck(names)
        NotingChance(seed, second, 7, "std52", noted).use("hit")
        assert f"{' '.join(deck[:10])} …" in page
        assert hashlib.sha256(" ".join(deck).encode()).hexdigest() in page
        assert all(key.hex() in page for key in noted.values())

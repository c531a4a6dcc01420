"""The dealer: the published test vector, the rejection of words that would favour some numbers, and fair orders."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.cards import Card, Suit, pack
from engines.chance import Chance, SeededChance, SeededStream
from engines.deals import NO_SALT, Deal, commitment_of, salt_digest, short_seal

SEED = bytes(range(32))
DEAL = Deal("demo", 1, "D1", (salt_digest("apple"), NO_SALT))
STD52 = tuple(Card(rank, suit) for suit in Suit for rank in (*range(2, 14), 1))


def test_chance_tells_the_version_of_the_rules_to_deal_by() -> None:
    assert demo().rules_version == 1
    assert SeededChance(SEED, replace(DEAL, rules_version=2), 0, "std52").rules_version == 2


def demo(seq: int = 0) -> Chance:
    return SeededChance(SEED, DEAL, seq, "std52")


class TestPublishedVector:
    """The vector that anybody's own program must reproduce (docs/fair-deals.md, cardroom/deal/v3)."""

    def test_commitment(self) -> None:
        commitment = commitment_of(SEED, "demo", 1, "D1", '{"jokers":false}', terms="off 120")
        assert commitment.hex() == "ed14a703bdb4c525636ce2bb97bf0398f16d65548dc9b9b305a472ab83e03bd6"

    def test_key(self) -> None:
        context = DEAL.context(1, "std52")
        assert not context.endswith("\n")
        assert context.split("\n")[:6] == ["cardroom/deal/v3", "demo", "1", "D1", "1", "std52"]
        key = hmac.digest(SEED, context.encode(), "sha256").hex()
        assert key == "f07e4511982fc6cb921a74db06767b73dd290e133b240c0ae653345493abf3b1"

    def test_deck(self) -> None:
        names = [card.code for card in demo().deck(STD52)]
        assert names[:10] == ["5D", "QS", "JH", "TH", "2S", "9S", "3H", "AC", "8D", "3D"]
        digest = hashlib.sha256(" ".join(names).encode()).hexdigest()
        assert digest == "3a436acea5b7fb9f70dc01ebac287cbac935294affb44fd22ebf271ce323e4e5"

    def test_further_uses(self) -> None:
        expected = SeededStream(bytes.fromhex("eaa3dc54dd81170742a2a8d636b0797719517fb38f2205fc11b460726f811e4d"))
        stream = demo(7).use("hit")
        assert [stream.below(1000) for _ in range(20)] == [expected.below(1000) for _ in range(20)]

    def test_a_salt_counts_in_its_composed_form_and_another_changes_the_deal(self) -> None:
        assert salt_digest("cafe\N{COMBINING ACUTE ACCENT}") == salt_digest("caf\N{LATIN SMALL LETTER E WITH ACUTE}")
        salted = SeededChance(SEED, replace(DEAL, salts=(salt_digest("Apple"), NO_SALT)), 0, "std52")
        assert salted.deck(STD52) != demo().deck(STD52)

    def test_no_player_is_part_of_it_so_seats_can_be_exchanged(self) -> None:
        again = Deal("demo", 1, "D1", (salt_digest("apple"), NO_SALT))
        assert SeededChance(SEED, again, 0, "std52").deck(STD52) == demo().deck(STD52)

    @pytest.mark.parametrize(
        "other",
        [
            ("other", 1, "D1", '{"jokers":false}', "off 120"),
            ("demo", 2, "D1", '{"jokers":false}', "off 120"),
            ("demo", 1, "D2", '{"jokers":false}', "off 120"),
            ("demo", 1, "D1", '{"jokers":true}', "off 120"),
            ("demo", 1, "D1", '{"jokers":false}', "off 121"),
        ],
    )
    def test_the_commitment_binds_all_that_the_deal_was_made_for(self, other: tuple[str, int, str, str, str]) -> None:
        game, version, deal_id, options, terms = other
        assert commitment_of(SEED, game, version, deal_id, options, terms=terms) != commitment_of(
            SEED, "demo", 1, "D1", '{"jokers":false}', terms="off 120"
        )

    def test_the_short_seal_is_a_hundred_bits_of_the_commitment(self) -> None:
        short = short_seal(commitment_of(SEED, "demo", 1, "D1", '{"jokers":false}', terms="off 120"))
        assert len(short) == 20
        whole = int.from_bytes(base64.b32decode(short + "A" * 12))
        assert whole >> 60 == int("ed14a703bdb4c525636ce2bb9", 16)


class Words(SeededStream):
    """A stream of given words, to see what becomes of each."""

    def __init__(self, *words: int) -> None:
        super().__init__(b"")
        self._words = list(reversed(words))


def test_words_are_taken_in_order_from_blocks_of_four() -> None:
    key = b"k" * 32
    blocks = b"".join(hmac.digest(key, counter.to_bytes(8, "big"), "sha256") for counter in range(3))
    words = [int.from_bytes(blocks[i : i + 8], "big") for i in range(0, len(blocks), 8)]
    stream = SeededStream(key)
    assert [stream.below(1 << 64) for _ in words] == words


def test_words_past_the_last_whole_multiple_are_rejected() -> None:
    top = (1 << 64) - (1 << 64) % 10
    assert Words(top, (1 << 64) - 1, 27).below(10) == 7
    assert Words(top - 1).below(10) == 9


def test_a_power_of_two_rejects_nothing() -> None:
    assert Words((1 << 64) - 1).below(8) == 7
    assert Words((1 << 64) - 1).below(1) == 0


@pytest.mark.parametrize("n", [0, -1])
def test_nothing_to_draw_from(n: int) -> None:
    with pytest.raises(ValueError, match="something to draw from"):
        SeededStream(b"k").below(n)


@settings(max_examples=50)
@given(key=st.binary(min_size=32, max_size=32), n=st.integers(1, 1 << 64))
def test_numbers_stay_below_their_bound(key: bytes, n: int) -> None:
    stream = SeededStream(key)
    assert all(0 <= stream.below(n) < n for _ in range(20))


@settings(max_examples=50)
@given(key=st.binary(min_size=32, max_size=32), items=st.lists(st.integers()))
def test_an_order_keeps_every_item(key: bytes, items: list[int]) -> None:
    order = SeededStream(key).shuffled(items)
    assert Counter(order) == Counter(items)
    assert order == SeededStream(key).shuffled(items)


@pytest.mark.parametrize(
    "other",
    [
        SeededChance(bytes(32), DEAL, 0, "std52"),
        SeededChance(SEED, replace(DEAL, rules_version=2), 0, "std52"),
        SeededChance(SEED, replace(DEAL, deal_id="D2"), 0, "std52"),
        SeededChance(SEED, replace(DEAL, game="other"), 0, "std52"),
        SeededChance(SEED, replace(DEAL, salts=DEAL.salts[::-1]), 0, "std52"),
        SeededChance(SEED, replace(DEAL, salts=(salt_digest("pear"), NO_SALT)), 0, "std52"),
        SeededChance(SEED, DEAL, 0, "std53"),
    ],
)
def test_everything_in_the_context_changes_the_deck(other: Chance) -> None:
    assert other.deck(STD52) != demo().deck(STD52)


def test_each_deal_has_a_deck_of_its_own() -> None:
    assert demo().deck(STD52, deal=2) != demo().deck(STD52)


def test_a_deck_does_not_depend_on_the_act_it_is_dealt_in() -> None:
    assert demo(3).deck(STD52) == demo().deck(STD52)


def test_uses_differ_by_name_and_by_act() -> None:
    drawn = [tuple(demo(seq).use(name).shuffled(range(20))) for seq in (1, 2) for name in ("hit", "dealer")]
    assert len(set(drawn)) == 4


def test_a_use_is_taken_once_an_act() -> None:
    chance = demo()
    chance.use("hit")
    with pytest.raises(ValueError, match="twice"):
        chance.use("hit")


class TestCards:
    """Codes and names of cards."""

    def test_codes_round_trip(self) -> None:
        cards = pack(range(1, 14))
        assert len({card.code for card in cards}) == 52
        assert all(Card.of(card.code) == card for card in cards)

    @pytest.mark.parametrize("text", ["", "A", "1S", "10S", "AX", "sA", "ASS", "as", "A♠"])
    def test_what_is_no_card(self, text: str) -> None:
        with pytest.raises(ValueError, match=r"card|Suit"):
            Card.of(text)

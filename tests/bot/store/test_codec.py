"""The log's codec: what is written is read back as the same value of the same class, or not at all."""

from __future__ import annotations

import dataclasses
import enum
import json
import random
import types
import typing
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ConfigDict, Field, TypeAdapter

from bot import kept
from bot.play.match_state import codec as match_codec
from bot.store.codec import MAX_KEPT, Codec, CodecError
from engines import GAMES
from engines.cards import Card, Suit
from engines.game import GameInfo, Resign, TimeUp
from laws.play import random_match
from tests.games.cases import case_of
from tests.known import there


@dataclass(frozen=True, slots=True)
class CardsPlayed:
    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardsBurned:
    """Equal fields, another fact."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Nothing:
    pass


@dataclass(frozen=True, slots=True)
class Everything:
    text: str
    sure: bool
    maybe: int | None
    best: Card | None
    either: int | str
    seats: frozenset[int]
    held: frozenset[Card]
    suits: tuple[Suit, ...]
    pairs: tuple[tuple[int, Card], ...]
    later: int = 7


CODEC = Codec([CardsPlayed, CardsBurned, Nothing, Everything])
ACE, KING = Card(1, Suit.SPADES), Card(13, Suit.HEARTS)
SNOWFLAKE = (1 << 62) + 3


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a type that an event's field may have, ids of Discord among the numbers."""
    if dataclasses.is_dataclass(kind):
        assert isinstance(kind, type)
        hints = typing.get_type_hints(kind)
        return st.builds(kind, **{field.name: values(hints[field.name]) for field in dataclasses.fields(kind)})
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is not None:
        return values_of_many(origin, parts)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return st.sampled_from(kind)
    plain: dict[Any, st.SearchStrategy[Any]] = {
        int: st.integers(-(1 << 63), (1 << 63) - 1),
        str: st.text(st.characters(exclude_categories=["Cs"])),
        bool: st.booleans(),
        type(None): st.none(),
    }
    return plain[kind]


def values_of_many(origin: Any, parts: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    """Values of a union, a tuple or a frozenset of such types."""
    if origin in (typing.Union, types.UnionType):
        return st.one_of([values(part) for part in parts])
    if origin is frozenset:
        return st.frozensets(values(parts[0]), max_size=5)
    assert origin is tuple
    if parts[-1] is Ellipsis:
        return st.lists(values(parts[0]), max_size=5).map(tuple)
    return st.tuples(*[values(part) for part in parts])


def codec_of(info: GameInfo[Any]) -> Codec:
    return Codec([*info.actions, *info.events, info.options, TimeUp, Resign])


GAME_CODECS = {key: codec_of(game.info) for key, game in GAMES.items()}
WRITTEN = st.sampled_from(
    [(key, kind) for key, game in GAMES.items() for kind in (*game.info.actions, *game.info.events, TimeUp, Resign)]
).flatmap(lambda one: st.tuples(st.just(one[0]), values(one[1])))
"""A game's key, and an action or event of that game."""


# ------------------------------------------------------------------------------------------ there and back


@given(st.one_of([values(cls) for cls in (CardsPlayed, CardsBurned, Nothing, Everything)]))
def test_every_value_is_read_back_as_itself(value: object) -> None:
    back = CODEC.decode(CODEC.encode(value))
    assert back == value
    assert type(back) is type(value)


@given(WRITTEN)
def test_all_that_a_game_does_is_read_back_as_itself(written: tuple[str, object]) -> None:
    key, value = written
    back = GAME_CODECS[key].decode(GAME_CODECS[key].encode(value))
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_all_presets_of_a_game_are_read_back_as_themselves(key: str) -> None:
    for options in GAMES[key].info.presets.values():
        assert GAME_CODECS[key].decode(GAME_CODECS[key].encode(options)) == options


def test_the_text_is_plain_and_tagged() -> None:
    assert json.loads(CODEC.encode(CardsPlayed(1, (ACE, KING)))) == {
        "type": "CardsPlayed",
        "v": 1,
        "seat": 1,
        "cards": [{"rank": 1, "suit": "S"}, {"rank": 13, "suit": "H"}],
    }
    assert CODEC.encode(Nothing()) == '{"type":"Nothing","v":1}'


def test_what_a_card_remembers_of_itself_is_not_written() -> None:
    card = Card(10, Suit.CLUBS)
    fresh = CODEC.encode(CardsPlayed(0, (card,)))
    assert (card.code, card.name) == ("TC", "10♣")  # cached on the card from now on
    assert CODEC.encode(CardsPlayed(0, (card,))) == fresh


def test_classes_of_equal_fields_stay_apart() -> None:
    written = (CardsPlayed(0, (ACE,)), CardsBurned(0, (ACE,)))
    back = CODEC.decode_all(CODEC.encode_all(written))
    assert [type(value) for value in back] == [CardsPlayed, CardsBurned]


def test_many_values_come_back_in_order_and_none_as_none() -> None:
    written = (CardsPlayed(SNOWFLAKE, ()), Nothing(), CardsPlayed(0, (KING, ACE)))
    assert CODEC.decode_all(CODEC.encode_all(written)) == written
    assert CODEC.encode_all([]) == "[]"
    assert CODEC.decode_all("[]") == ()


def test_the_order_of_keys_does_not_matter() -> None:
    """Another database may keep JSON in an order of its own."""
    assert CODEC.decode('{"cards":[{"suit":"S","rank":1}],"v":1,"seat":4,"type":"CardsPlayed"}') == CardsPlayed(
        4, (ACE,)
    )


# ------------------------------------------------------------------------------------------ refusals

SECRET = "KS7Hsecret"


def assert_refused(run: Callable[[], object]) -> str:
    """The refusal's text; nothing one could log about it holds the secret."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(CodecError) as caught:
            run()
    assert SECRET not in repr(caught.value)
    assert caught.value.__cause__ is caught.value.__context__ is None
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"type":"KS7Hsecret","v":1}', "unknown type"),
        ('{"type":["KS7Hsecret"],"v":1}', "unknown type"),
        ('{"v":1,"seat":"KS7Hsecret"}', "unknown type"),
        ('{"type":"Nothing"}', "unknown version"),
        ('{"type":"Nothing","v":2}', "unknown version"),
        ('{"type":"Nothing","v":true}', "unknown version"),
        ('{"type":"Nothing","v":"KS7Hsecret"}', "unknown version"),
        ('{"type":"Nothing","v":1,"KS7Hsecret":1}', "Nothing: unexpected_keyword_argument"),
        ('{"type":"CardsPlayed","v":1,"seat":"KS7Hsecret","cards":[]}', "CardsPlayed: int_type at seat"),
        ('{"type":"CardsPlayed","v":1,"seat":"1","cards":[]}', "CardsPlayed: int_type at seat"),
        ('{"type":"CardsPlayed","v":1,"seat":1.0,"cards":[]}', "CardsPlayed: int_type at seat"),
        ('{"type":"CardsPlayed","v":1,"seat":true,"cards":[]}', "CardsPlayed: int_type at seat"),
        ('{"type":"CardsPlayed","v":1,"seat":1}', "CardsPlayed: missing at cards"),
        ('{"type":"CardsPlayed","v":1,"seat":1,"cards":[{"rank":"1","suit":"S"}]}', "int_type at cards"),
        ('{"type":"CardsPlayed","v":1,"seat":1,"cards":[{"rank":1,"suit":"KS7Hsecret"}]}', "literal_error at cards"),
        ('{"type":"CardsPlayed","v":1,"seat":1,"cards":[{"rank":1,"suit":"S","KS7Hsecret":"AS"}]}', "at cards"),
        ('"KS7Hsecret"', "not an object"),
        ("[]", "not an object"),
        ('{"type":"Nothing","v":1,"KS7Hsecret', "not JSON"),
        ("", "not JSON"),
    ],
)
def test_a_text_that_was_not_written_so_is_refused_without_a_value(text: str, says: str) -> None:
    assert says in assert_refused(lambda: CODEC.decode(text))


def test_many_are_an_array() -> None:
    assert assert_refused(lambda: CODEC.decode_all('{"type":"Nothing","v":1}')) == "not an array"
    assert assert_refused(lambda: CODEC.decode_all('["KS7Hsecret"]')) == "not an object"


@pytest.mark.parametrize(
    "value",
    [
        CardsPlayed(typing.cast("int", SECRET), ()),
        CardsPlayed(0, typing.cast("tuple[Card, ...]", [SECRET])),
        CardsPlayed(0, (Card(typing.cast("int", SECRET), Suit.CLUBS),)),
        CardsPlayed(0, (Card(1, typing.cast("Suit", SECRET)),)),
    ],
    ids=["a text for a number", "a list for a tuple", "inside a card", "no suit"],
)
def test_a_value_that_breaks_its_own_types_is_not_written(value: object) -> None:
    assert "CardsPlayed" in assert_refused(lambda: CODEC.encode(value))


def test_a_value_of_another_class_is_not_written() -> None:
    assert assert_refused(lambda: CODEC.encode(ACE)) == "unknown class Card"
    assert assert_refused(lambda: CODEC.encode_all([Nothing(), SECRET])) == "unknown class str"


# ------------------------------------------------------------------------------------------ classes


def test_a_class_that_could_not_be_read_back_is_refused_at_once() -> None:
    @dataclass(frozen=True)
    class Tagged:
        type: str

    @dataclass(frozen=True)
    class Ambiguous:
        act: tuple[CardsPlayed | CardsBurned | None, ...]

    with pytest.raises(TypeError, match="named as a tag"):
        Codec([Tagged])
    with pytest.raises(TypeError, match="union of dataclasses"):
        Codec([Ambiguous])
    with pytest.raises(TypeError, match="not a dataclass"):
        Codec([int])


def test_names_are_unique_and_a_class_may_be_given_twice() -> None:
    other = dataclasses.make_dataclass("Nothing", [], frozen=True)
    with pytest.raises(ValueError, match="two classes are called Nothing"):
        Codec([Nothing, other])
    assert Codec([Nothing, Nothing]).decode('{"type":"Nothing","v":1}') == Nothing()


# ------------------------------------------------------------------------------------------ versions


@dataclass(frozen=True, slots=True)
class Moved:
    """Version 1 had `who` (a name), version 2 `seat` alone."""

    V: ClassVar[int] = 3

    seat: int
    cards: int
    asked: bool = False


UPCASTERS = {
    ("Moved", 1): lambda old: {"seat": {"Ann": 0, "Bob": 1}[old["who"]]},
    ("Moved", 2): lambda old: {**old, "cards": 1},
}


def test_an_old_version_is_read_step_by_step() -> None:
    codec = Codec([Moved], UPCASTERS)
    assert codec.encode(Moved(1, 2)) == '{"asked":false,"cards":2,"seat":1,"type":"Moved","v":3}'
    assert codec.decode('{"type":"Moved","v":3,"seat":1,"cards":2}') == Moved(1, 2)
    assert codec.decode('{"type":"Moved","v":2,"seat":1}') == Moved(1, 1)
    assert codec.decode_all('[{"type":"Moved","v":1,"who":"Bob"}]') == (Moved(1, 1),)


def test_an_old_version_that_nothing_reads_is_refused() -> None:
    codec = Codec([Moved], {("Moved", 2): UPCASTERS["Moved", 2]})
    assert assert_refused(lambda: codec.decode('{"type":"Moved","v":1,"who":"KS7Hsecret"}')) == (
        "Moved: nothing reads version 1 any more"
    )


def test_an_old_value_that_its_upcaster_cannot_read_is_refused() -> None:
    codec = Codec([Moved], UPCASTERS)
    assert assert_refused(lambda: codec.decode('{"type":"Moved","v":1,"who":"KS7Hsecret"}')) == (
        "Moved: version 1 cannot be read (KeyError)"
    )


@pytest.mark.parametrize("step", [("Moved", 3), ("Moved", 0), ("Lost", 1)])
def test_an_upcaster_leads_to_a_known_version(step: tuple[str, int]) -> None:
    with pytest.raises(ValueError, match="nothing to upcast to"):
        Codec([Moved], {step: lambda old: old})


def test_equal_cards_of_different_logs_are_one_object() -> None:
    first, second = (CODEC.decode(CODEC.encode(CardsPlayed(seat, (ACE, KING)))) for seat in (0, 1))
    assert first == CardsPlayed(0, (ACE, KING))
    assert [card is other for card, other in zip(first.cards, second.cards, strict=True)] == [True, True]
    best = CODEC.decode(CODEC.encode(Everything("", True, None, ACE, 1, frozenset(), frozenset(), (), ())))
    assert best.best is first.cards[0]


def test_small_values_are_counted_by_the_bound_of_their_class() -> None:
    CODEC.decode(CODEC.encode(CardsBurned(0, (Card(98, Suit.CLUBS),))))
    (count,) = [each for each in kept.counts() if each.name == "small values of logs"]
    assert count.size > 0
    assert there(count.most) % MAX_KEPT == 0


def test_values_of_too_many_kinds_are_left_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.store.codec.MAX_KEPT", 0)
    unheard_of = Card(99, Suit.CLUBS)  # of no pack, so that no other test has read one
    first, second = (CODEC.decode(CODEC.encode(CardsBurned(0, (unheard_of,)))) for _ in range(2))
    assert first == second == CardsBurned(0, (unheard_of,))
    assert first.cards[0] is not second.cards[0]


# ---------------------------------------------------------------------------------------------- against an oracle

ODD: tuple[Any, ...] = (None, True, False, 0, 1, -1, 1.0, 0.5, 1 << 70, "", "x", "C", [], [[]], {}, {"rank": 1})


def oracle(codec: Codec, text: str) -> Any:
    """The one value in an array of these, by the adapter of its class alone. Raises ValidationError, ValueError."""
    (item,) = json.loads(text)
    cls = codec.class_of(json.dumps(item))
    version, fields = item.pop("v", None), {name: each for name, each in item.items() if name != "type"}
    if type(version) is not int or version != getattr(cls, "V", 1):
        raise ValueError("another version")
    surrounded: Any = types.GenericAlias(tuple, (cls,))
    adapter = TypeAdapter(surrounded, config=ConfigDict(strict=True, extra="forbid"))
    return adapter.validate_json(json.dumps([fields]))[0]


def expected(codec: Codec, text: str) -> tuple[type, object]:
    """What the oracle says of a text: the value, or that it is refused."""
    try:
        return Codec, (oracle(codec, text),)
    except (CodecError, ValueError):
        return CodecError, None


def outcome(codec: Codec, text: str) -> tuple[type, object]:
    """What a text is read as, or why it is not."""
    try:
        return Codec, codec.decode_all(text)
    except CodecError as error:
        return CodecError, str(error)


def altered(item: Any) -> Iterator[Any]:
    """Parsed JSON with one part of it replaced, left out or added."""
    if isinstance(item, dict):
        yield {**item, "other": 1}
        for name, part in item.items():
            yield {other: each for other, each in item.items() if other != name}
            for changed in (*ODD, *altered(part)):
                yield {**item, name: changed}
    elif isinstance(item, list):
        yield [*item, *item[:1]]
        for changed in (*ODD, *(altered(item[0]) if item else ())):
            yield [changed, *item[1:]]


@pytest.mark.slow  # alters every field of every fact of whole matches
@pytest.mark.nightly  # one codec reads the facts of all games
@pytest.mark.parametrize("key", GAMES)
def test_facts_are_read_as_their_classes_adapters_read_them_and_nothing_else(key: str) -> None:
    case, luck = case_of(key), random.Random(key)
    log = random_match(case.deal("default", case.setups[-1][1], luck), luck)
    codec, met, refused = match_codec(key), set[str](), 0
    for event in [event for facts in (log.opening, *(move.events for move in log.moves)) for event in facts]:
        assert outcome(codec, codec.encode_all([event])) == (Codec, (event,))
        if type(event).__name__ in met:
            continue
        met.add(type(event).__name__)
        for item in altered(json.loads(codec.encode(event))):
            text = json.dumps([item])
            kind, said = outcome(codec, text)
            assert (kind, said if kind is Codec else None) == expected(codec, text), text
            refused += kind is CodecError
    assert len(met) >= min(6, len(case.game.info.events))
    assert refused > 100


@dataclass(frozen=True, slots=True)
class Limited:
    seats: typing.Annotated[int, Field(lt=3)]


@dataclass(frozen=True, slots=True)
class Mixed:
    """Fields of many types, and values that to Python are one key."""

    flag: Flagged
    chosen: tuple[Suit | None, ...]
    flags: tuple[Flagged, ...]
    name: str | None


@dataclass(frozen=True, slots=True)
class Flagged:
    on: bool
    number: int


@dataclass(frozen=True, slots=True)
class Either:
    what: bool | int


def test_equal_values_of_two_types_are_not_taken_for_each_other() -> None:
    codec = Codec([EitherLaid])
    for what in (True, 1, 0, False):
        read = codec.decode(codec.encode(EitherLaid(Either(what)))).laid.what
        assert (read, type(read)) == (what, type(what))


@dataclass(frozen=True, slots=True)
class EitherLaid:
    laid: Either


def test_a_class_of_which_pydantic_knows_more_is_read_by_it_alone() -> None:
    codec = Codec([Limited])
    assert codec.decode('{"type":"Limited","v":1,"seats":2}') == Limited(2)
    with pytest.raises(CodecError, match="less_than"):
        codec.decode('{"type":"Limited","v":1,"seats":3}')


def test_numbers_and_booleans_are_told_apart_in_looked_up_values() -> None:
    codec = Codec([Mixed])
    value = Mixed(Flagged(True, 1), (Suit.CLUBS, None), (Flagged(False, 0), Flagged(True, 0)), None)
    assert codec.decode(codec.encode(value)) == value
    for item in altered(json.loads(codec.encode(value))):
        text = json.dumps([item])
        kind, said = outcome(codec, text)
        assert (kind, said if kind is Codec else None) == expected(codec, text), text

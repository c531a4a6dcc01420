"""A finished match as a file that anybody can check, `cardroom/match/v1`, and its strict reader (docs/fair-deals.md).

The file has all that the deal was made from, and the log with its texts exactly as they are stored. It names no user.

The reader takes files from strangers. It refuses every other text with one sentence, which contains no value.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Final, Literal, TypeAlias

import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from bot.durations import LEAST_TURN, MOST_TURN, clock_terms, key_of_terms
from bot.play.deals.sealing import LONGEST
from bot.store.codec import is_canonical
from bot.store.queries.invitations import Origin, Series, StandIn
from bot.store.queries.matches import MatchRow, Obstacle, Record, Result, Salt, Unrated
from bot.store.special_ids import computer_id, is_computer, level_of
from engines.deals import VERSION

FORM: Final = "cardroom/match/v1"
FILE: Final = "cardroom-{match}.{kind}"
"""The name of a match's file."""
MOST_BYTES: Final = 32 * 2**20
"""How long a file may be. A long match has a million."""

MOST_SEATS: Final = 64
_LONGEST_OPTIONS: Final = 10_000
_LONGEST_TEXT: Final = 1_000_000
_LATEST: Final = 253_402_300_799_999
"""The last millisecond of the year 9999, in ms since 1970."""
_ONE_LINE: Final = r"^[^\r\n]*$"
"""A text in which no newline can be taken for one between two values of a hash."""

Json: TypeAlias = dict[str, Any]


class NotAnExportError(ValueError):
    """A text is not an exported match. The sentence says why, without a value of it."""


@dataclass(frozen=True, slots=True)
class ExportedMatch:
    """What a file contains. `sealed_at` is when its seal was made (ms UTC).

    The row has what the file has. Server, channel and board are 0 or None, and users are negative numbers. A match that
    was begun from another one has an empty seal.
    """

    row: MatchRow
    records: tuple[Record, ...]
    result: Result
    sealed_at: int


# ---------------------------------------------------------------------------------------------- writing


def export(row: MatchRow, records: Sequence[Record], result: Result | None, sealed_at: int) -> Json:
    """The match as JSON. `sealed_at` (ms UTC) is when it was sealed.

    Raises RuntimeError while the match is being played, because the seed determines the deck.
    """
    if result is None:
        raise RuntimeError("a match can be exported when it is over; the seed is secret until then")
    return {
        "form": FORM,
        "match": row.id,
        "game": row.game,
        "rules_version": row.rules_version,
        "options": row.options,
        "deal": {
            "version": row.deal_version,
            "id": row.deal_id,
            "seed": row.seed.hex(),
            **({"seal": row.commitment.hex()} if row.origin is None else {}),
            "options": row.sealed_options,
        },
        "seats": [_seat(user, salt) for user, salt in zip(row.seats, row.salts, strict=True)],
        **({} if row.origin is None else {"begun_from": _origin(row.origin)}),
        "sealed_at": sealed_at,
        "opened_at": row.opened_at,
        "turn": clock_terms(row.clock),
        **({} if row.stand_in is StandIn.OFF else {"stand_in": row.stand_in.value}),
        **({} if row.series is None else {"series": asdict(row.series)}),
        "records": [_record(record) for record in records],
        "result": {
            "kind": result.kind,
            "ranks": list(result.ranks),
            "ended_at": result.ended_at,
            "counted": result.counted,
            **({} if row.moves_ratings and row.unrated is None else {"excused": True}),
            "chain": result.chain.hex(),
        },
    }


def write(exported: Mapping[str, Any]) -> bytes:
    """The file of an exported match: JSON in UTF-8, indented."""
    return orjson.dumps(exported, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _seat(user: int, salt: Salt) -> Json:
    level = {"level": level_of(user)} if is_computer(user) else {}
    return {"salt": salt.text, "salt_sha256": salt.digest.hex(), **level}


def _origin(origin: Origin) -> Json:
    return {"match": origin.match_id, "facts": origin.facts, "sha256": origin.digest.hex()}


def _record(record: Record) -> Json:
    return {
        "seq": record.seq,
        "actor": record.actor,
        "action": record.action,
        "events": record.events,
        "at": record.at,
        "chain": record.chain.hex(),
        **({} if record.computer is None else {"computer": record.computer}),
    }


# ---------------------------------------------------------------------------------------------- the form


_Hash: TypeAlias = Annotated[
    str, StringConstraints(pattern=r"^[0-9a-f]{64}$"), Field(description="64 hexadecimal digits, in small letters")
]
_Id: TypeAlias = Annotated[
    str,
    StringConstraints(pattern=r"^[0-9A-Za-z_-]{1,64}$"),
    Field(description="an id of at most 64 letters and digits"),
]
_Word: TypeAlias = Annotated[str, StringConstraints(pattern=_ONE_LINE, min_length=1, max_length=64)]
_WORD: Final = "a text of one line with 1 to 64 characters"
_CANONICAL: Final = "JSON on one line, with sorted keys, no name twice and no spaces, with at most {} characters"


def _canonical(text: str) -> str:
    """A text that no two readers can read as two matches. Raises ValueError for any other."""
    if not is_canonical(text):
        raise ValueError("not as the codec writes it")
    return text


def _bank(terms: str) -> str:
    """The terms of a bank that there is. Raises ValueError for any other."""
    key_of_terms(terms)
    return terms


_BANK: Final = "^[1-9][0-9]{1,5}[+][1-9][0-9]{0,5}d?$"

_Options: TypeAlias = Annotated[
    str,
    StringConstraints(pattern=_ONE_LINE, max_length=_LONGEST_OPTIONS),
    AfterValidator(_canonical),
    Field(description=_CANONICAL.format(_LONGEST_OPTIONS)),
]
_Text: TypeAlias = Annotated[
    str, StringConstraints(pattern=_ONE_LINE, max_length=_LONGEST_TEXT), AfterValidator(_canonical)
]
_TEXT: Final = _CANONICAL.format(_LONGEST_TEXT)
_Time: TypeAlias = Annotated[int, Field(ge=0, le=_LATEST, description="a time in milliseconds since 1970")]
_Seat: TypeAlias = Annotated[int, Field(ge=0, lt=MOST_SEATS)]
_Positive: TypeAlias = Annotated[int, Field(ge=1, le=_LONGEST_TEXT, description="a whole number from 1")]
_Version: TypeAlias = Annotated[
    int, Field(ge=VERSION, le=VERSION, description=f"{VERSION}, the version of a deal that this program knows")
]


class _Part(BaseModel):
    """A part of the form. The description of each field says what it must be."""

    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        model_title_generator=lambda part: part.__name__.removeprefix("_"),
    )


class _UnsealedDeal(_Part):
    version: _Version
    id: _Id
    seed: _Hash
    options: _Options


class _Deal(_UnsealedDeal):
    seal: _Hash


class _BegunFrom(_Part):
    match: _Id
    facts: _Positive
    sha256: _Hash


class _Series(_Part):
    id: _Id
    best_of: Annotated[Literal[3, 5], Field(description="3 or 5")]
    number: _Positive
    wins: Annotated[
        list[Annotated[int, Field(ge=0, le=MOST_SEATS)]],
        Field(min_length=2, max_length=2, description="a list of two whole numbers from 0"),
    ]
    first: Annotated[Literal[0, 1] | None, Field(description="0, 1 or null")]


class _SaltedSeat(_Part):
    salt: Annotated[
        Annotated[str, StringConstraints(max_length=LONGEST)] | None,
        Field(description=f"a text with at most {LONGEST} characters, or null"),
    ]
    salt_sha256: _Hash
    level: Annotated[Literal["easy", "normal", "hard"] | None, Field(description="a level of computers, or null")] = (
        None
    )


class _Record(_Part):
    seq: Annotated[int, Field(ge=0, le=_LONGEST_TEXT, description="a whole number from 0")]
    actor: Annotated[_Seat | None, Field(description="the number of a seat, or null")]
    action: Annotated[_Text | None, Field(description=f"{_TEXT}, or null")]
    events: Annotated[_Text, Field(description=_TEXT)]
    at: _Time
    chain: _Hash
    computer: Annotated[_Word | None, Field(description=f"{_WORD}, or null")] = None


class _Result(_Part):
    kind: Annotated[_Word, Field(description=_WORD)]
    ranks: Annotated[
        list[Annotated[int, Field(ge=1, le=MOST_SEATS)]],
        Field(max_length=MOST_SEATS, description=f"a list of at most {MOST_SEATS} whole numbers from 1"),
    ]
    ended_at: _Time
    counted: Annotated[bool, Field(description="true or false")]
    excused: Annotated[bool, Field(description="true or false")] = False
    chain: _Hash


class _AnyMatch(_Part):
    form: Annotated[Literal["cardroom/match/v1"], Field(description=f"the text {FORM}")]
    match: _Id
    game: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,23}$"), Field(description="the key of a game")]
    rules_version: _Positive
    options: _Options
    sealed_at: _Time
    opened_at: _Time
    seats: Annotated[
        list[_SaltedSeat],
        Field(min_length=1, max_length=MOST_SEATS, description=f"a list of 1 to {MOST_SEATS} objects"),
    ]
    turn: Annotated[
        Annotated[int, Field(ge=LEAST_TURN, le=MOST_TURN)]
        | Annotated[str, StringConstraints(pattern=_BANK), AfterValidator(_bank)],
        Field(description="the seconds of a turn, or the two times of a bank as 600+10"),
    ]
    stand_in: Annotated[Literal["off", "unrated", "rated"], Field(description="off, unrated or rated")] = "off"
    series: Annotated[_Series | None, Field(description="an object, or null")] = None
    records: Annotated[list[_Record], Field(min_length=1, description="a list of at least one object")]
    result: Annotated[_Result, Field(description="an object")]


class _Match(_AnyMatch):
    deal: Annotated[_Deal, Field(description="an object")]


class _Unsealed(_AnyMatch):
    deal: Annotated[_UnsealedDeal, Field(description="an object")]
    begun_from: Annotated[_BegunFrom, Field(description="an object")]


_MUST_BE: Final = {
    name: field.description
    for part in (_Match, _Unsealed, _Deal, _BegunFrom, _Series, _SaltedSeat, _Record, _Result)
    for name, field in part.model_fields.items()
}
"""What each part of the form must be. A name means the same wherever it stands."""


def schema() -> Json:
    """The form as a JSON Schema, which docs/match.schema.json publishes."""
    described = TypeAdapter[_Match | _Unsealed](_Match | _Unsealed).json_schema(schema_generator=_Schema)
    return {"$schema": _Schema.schema_dialect, "title": FORM, **described}


class _Schema(GenerateJsonSchema):
    """The names of the form's fields say enough without titles, and those of our classes are not published."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002  no field has a title
        return False

    def normalize_name(self, name: str) -> str:
        return super().normalize_name(name).removeprefix("_")


# ---------------------------------------------------------------------------------------------- reading


def read(text: bytes) -> ExportedMatch:
    """What `write` wrote. Reading accepts other spaces and another order of fields. Raises NotAnExportError."""
    match = _validated(_parsed(text))
    row = MatchRow(
        id=match.match,
        guild_id=0,
        channel_id=0,
        board_id=None,
        board_at=None,
        game=match.game,
        rules_version=match.rules_version,
        options=match.options,
        clock=key_of_terms(match.turn),
        seats=_seats(match.seats),
        seed=bytes.fromhex(match.deal.seed),
        commitment=b"" if isinstance(match, _Unsealed) else bytes.fromhex(match.deal.seal),
        opened_at=match.opened_at,
        deal_version=match.deal.version,
        deal_id=match.deal.id,
        sealed_options=match.deal.options,
        salts=tuple([Salt(bytes.fromhex(seat.salt_sha256), seat.salt) for seat in match.seats]),
        stand_in=StandIn(match.stand_in),
        origin=_read_origin(match.begun_from) if isinstance(match, _Unsealed) else None,
        series=None if match.series is None else _read_series(match.series),
        unrated=Unrated(0, Obstacle.UNKNOWN) if match.result.excused else None,
    )
    records = tuple(
        [
            Record(
                row.id,
                each.seq,
                None,
                each.actor,
                each.action,
                each.events,
                each.at,
                bytes.fromhex(each.chain),
                each.computer,
            )
            for each in match.records
        ]
    )
    end = match.result
    result = Result(row.id, end.kind, tuple(end.ranks), end.ended_at, end.counted, bytes.fromhex(end.chain))
    return ExportedMatch(row, records, result, match.sealed_at)


def _seats(seats: Sequence[_SaltedSeat]) -> tuple[int, ...]:
    """Ids of nobody, and of computers where computers sat."""
    users: list[int] = []
    for index, seat in enumerate(seats):
        users.append(-1 - index if seat.level is None else computer_id(seat.level, users))
    return tuple(users)


def _read_series(series: _Series) -> Series:
    first, second = series.wins
    return Series(series.id, series.best_of, series.number, (first, second), series.first)


def _read_origin(begun_from: _BegunFrom) -> Origin:
    return Origin(begun_from.match, begun_from.facts, bytes.fromhex(begun_from.sha256))


def _parsed(text: bytes) -> Json:
    """The JSON object of a text. Raises NotAnExportError."""
    if len(text) > MOST_BYTES:
        raise NotAnExportError(f"it has more than {MOST_BYTES} bytes")
    fault = "it is not JSON in UTF-8"
    try:
        told = json.loads(text.decode(), object_pairs_hook=_object)
    except _RepeatedError:
        fault = "an object in it has the same name twice"
    except (ValueError, RecursionError):
        pass
    else:
        if isinstance(told, dict):
            return told
        fault = "it is not a JSON object"
    raise NotAnExportError(fault)  # outside the handler: the error it came from holds the text


class _RepeatedError(ValueError):
    """An object has a name twice, so two readers might read two matches."""


def _object(pairs: list[tuple[str, Any]]) -> Json:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise _RepeatedError
    return fields


def _validated(told: Json) -> _Match | _Unsealed:
    model: type[_Match | _Unsealed] = _Unsealed if "begun_from" in told else _Match
    try:
        return model.model_validate(told)
    except ValidationError as error:
        fault = _describe(error)
    raise NotAnExportError(fault)


def _describe(error: ValidationError) -> str:
    """One sentence about the first fault. It has only names of the form, because all others are the file's."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    path, last = "", ""
    for part in first["loc"]:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part in _MUST_BE:
            path, last = f"{path}.{part}" if path else part, part
        else:
            break
    if first["type"] == "extra_forbidden":
        return f"{path or 'it'} has a field that is not part of the form"
    if first["type"] == "missing":
        return f"{path} is missing"
    return f"{path} must be {_MUST_BE[last]}" if last else "it is not a JSON object"

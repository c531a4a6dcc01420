"""A finished match as a text that people can read, `cardroom/notation/v1`, and its strict reader (docs/notation.md).

The text has what the cards are dealt from, and one line for each act in the game's own notation. It has no facts:
reading it deals the cards and plays the acts again. So what was read is the whole match, with the log that was stored,
or nothing: the log must make the chain that the text ends with.

The reader takes texts from strangers. It refuses every other text with one sentence, which contains no value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from bot.games import GAMES
from bot.play.computers.stand_ins import HAND_OVERS, TakenBack, TakenOver
from bot.play.deals import match_export
from bot.play.deals.match_export import MOST_SEATS, ExportedMatch, Json, NotAnExportError, export, of_json
from bot.play.deals.sealing import deal_of
from bot.play.match_state import codec
from bot.store import log_chain
from bot.store.codec import Codec
from bot.store.rows.matches import MatchRow, Record
from engines.chance import Chance, SeededChance
from engines.game import AnyGame, Seat, fold
from engines.keys import KeptChance, Keys

FORM: Final = "cardroom/notation/v1"
MOST_BYTES: Final = 4 * 2**20
"""How long a text may be. A long match has 200,000."""
LONGEST_LINE: Final = 100_000
"""In characters. The longest lines are the facts from which a match was begun."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")
_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
_ACT: Final = re.compile(r"([0-9]+) (\S+) (?:clock|seat ([0-9]{1,2}))(?: \(([^()]{1,64})\))?: (.+)")
_SALT: Final = re.compile(r'salt (deleted|".*") ([0-9a-f]{64})')
_SEATS: Final = re.compile(r"-|[0-9]{1,2}(?:\+[0-9]{1,2}){0,63}")
_KEY: Final = re.compile(r"([0-9a-f]{64}) (.{1,200})")
_OPENING: Final = "deal"
_YES: Final = {"yes": True, "no": False}

_FIRST: Final = ("match", "game", "rules_version", "options", "sealed_at", "opened_at")
_DEAL: Final = ("version", "id", "seed", "seal", "options")
_TIMES: Final = frozenset({"sealed_at", "opened_at", "ended_at"})


class UnknownRulesError(NotAnExportError):
    """A text can't be read here, because its game isn't installed, or only in an earlier version."""


class NotWritableError(ValueError):
    """A match cannot be written in notation, because reading it would not lead to the same log."""


@dataclass(frozen=True, slots=True)
class _Act:
    """The line of an act: its number in the text, counted from 1, and what it says (time in ms since 1970, UTC)."""

    line: int
    seq: int
    at: int
    actor: Seat | None
    computer: str | None
    text: str


# ---------------------------------------------------------------------------------------------- writing


def write(match: ExportedMatch) -> bytes:
    """The match as a text in UTF-8.

    Raises NotWritableError if the rules of this program don't lead to the log that is stored: the game isn't installed,
    its rules have changed since, or the log was altered. A long match takes as long as playing it again.
    """
    try:
        text = "".join([f"{line}\n" for line in _lines(match)]).encode()
        again = read(text)
    except Exception as error:  # an altered log may contain anything
        raise NotWritableError("the log can't be written in notation") from error
    if export_of(again) != export_of(match):
        raise NotWritableError("the text doesn't lead to the same log")
    return text


def export_of(match: ExportedMatch) -> Json:
    """The match in the other form, `cardroom/match/v1`."""
    return export(match.row, match.records, match.result, match.sealed_at, match.keys)


def _lines(match: ExportedMatch) -> Iterator[str]:
    told = export_of(match)
    yield FORM
    yield from _header(told)
    yield ""
    game, written = GAMES[match.row.game], codec(match.row.game)
    if match.row.origin is not None:
        yield from (f"fact: {written.encode(fact)}" for fact in written.decode_all(match.records[0].events))
        yield ""
    for record in match.records:
        who = "clock" if record.actor is None else f"seat {record.actor}"
        computer = "" if record.computer is None else f" ({record.computer})"
        yield f"{record.seq} {_time(record.at)} {who}{computer}: {_act(game, written, record)}"
    yield ""
    yield from _result(told["result"])


def _header(told: Json) -> Iterator[str]:
    for name in _FIRST:
        yield _field(name, told[name])
    if "stand_in" in told:
        yield _field("stand_in", told["stand_in"])
    for name in _DEAL:
        if name in told["deal"]:
            yield _field(f"deal.{name}", told["deal"][name])
    for seat, each in enumerate(told["seats"]):
        if "user" in each:
            yield f"seat {seat}: user {each['user'] or 'deleted'}"
        else:
            salt = "deleted" if each["salt"] is None else json.dumps(each["salt"])
            yield f"seat {seat}: salt {salt} {each['salt_sha256']}"
    for use, key in told.get("keys", {}).items():
        yield f"key: {key} {use}"
    if "begun_from" in told:
        begun = told["begun_from"]
        yield f"begun_from: {begun['match']} {begun['facts']} {begun['sha256']}"


def _result(end: Json) -> Iterator[str]:
    yield f"result: {end['kind']}"
    yield f"ranks: {' '.join(map(str, end['ranks'])) or 'none'}"
    yield _field("ended_at", end["ended_at"])
    yield f"counted: {'yes' if end['counted'] else 'no'}"
    yield f"chain: {end['chain']}"


def _field(name: str, value: str | int) -> str:
    return f"{name}: {_time(int(value)) if name in _TIMES else value}"


def _time(at: int) -> str:
    """A time in ms since 1970, such as ``2027-01-15T08:01:00.001Z``."""
    return f"{_EPOCH + timedelta(milliseconds=at):%Y-%m-%dT%H:%M:%S}.{at % 1000:03}Z"


def _act(game: AnyGame, written: Codec, record: Record) -> str:
    if record.seq == 0:
        return _OPENING
    action = written.decode(record.action or "")
    match action:
        case TakenOver(seats, level, others):
            return f"taken over {_seats(seats)} {level} {_seats(others)}"
        case TakenBack():
            return "taken back"
    return game.write(action)


def _seats(seats: Iterable[Seat]) -> str:
    return "+".join(map(str, seats)) or "-"


# ---------------------------------------------------------------------------------------------- reading


def read(text: bytes) -> ExportedMatch:
    """The match that `write` wrote, played again by the rules of this program. Raises NotAnExportError."""
    lines = _Lines(_decoded(text))
    told, facts = _read_header(lines), list[str]()
    lines.blank()
    if "begun_from" in told:
        while lines.starts("fact: "):
            facts.append(lines.field("fact"))
        lines.blank()
    acts = []
    while not lines.starts("result: ") and (line := lines.next_if_any()):
        acts.append(_read_act(line, lines.number))
    told["result"] = _read_result(lines)
    lines.end()
    match = of_json(told)
    return replace(match, records=_PlayedAgain(match, facts).records(acts))


def read_either(text: bytes) -> ExportedMatch:
    """The match of a file in this form or in `cardroom/match/v1`. Raises NotAnExportError."""
    return read(text) if text.startswith(b"cardroom/") else match_export.read(text)


def _decoded(text: bytes) -> str:
    """Raises NotAnExportError."""
    if len(text) > MOST_BYTES:
        raise NotAnExportError(f"it has more than {MOST_BYTES} bytes")
    try:
        return text.decode()
    except UnicodeDecodeError:
        pass
    raise NotAnExportError("it is not text in UTF-8")  # outside the handler: the error it came from holds the text


class _Lines:
    """The lines of a text, read one after the other. Every method raises NotAnExportError for another line."""

    def __init__(self, text: str) -> None:
        *self._lines, rest = text.split("\n")
        self.number = 0
        """Of the line that was read last, from 1."""
        if not text.startswith(f"{FORM}\n"):
            raise NotAnExportError(f"line 1 must be {FORM}")
        for number, line in enumerate(self._lines, 1):
            if len(line) > LONGEST_LINE:
                raise NotAnExportError(f"line {number} has more than {LONGEST_LINE} characters")
            if not line.isprintable():
                raise NotAnExportError(f"line {number} has a character that can't be printed")
        if rest:
            raise NotAnExportError("its last line does not end")
        self.number = 1

    def _next(self, wanted: str) -> str:
        if self.number == len(self._lines):
            raise NotAnExportError(f"it ends before {wanted}")
        self.number += 1
        return self._lines[self.number - 1]

    def next_if_any(self) -> str:
        """The next line, which may be blank; the empty text at the end."""
        return self._next("") if self.number < len(self._lines) else ""

    def starts(self, beginning: str) -> bool:
        """Whether the next line begins like this."""
        return self.number < len(self._lines) and self._lines[self.number].startswith(beginning)

    def field(self, name: str) -> str:
        """The value of the next line, which must have this name."""
        found, colon, value = self._next(name).partition(": ")
        if found != name or not colon or value != value.strip():
            raise self.fault(f"be {name}")
        return value

    def blank(self) -> None:
        if self._next("a blank line"):
            raise self.fault("be blank")

    def end(self) -> None:
        if self.number < len(self._lines):
            self.number += 1
            raise self.fault("not be there")

    def fault(self, must: str) -> NotAnExportError:
        """What the line that was read last must do."""
        return NotAnExportError(f"line {self.number} must {must}")


def _read_header(lines: _Lines) -> Json:
    told: Json = {"form": "cardroom/match/v1"}
    for name in _FIRST:
        told[name] = _value(lines, name)
    if lines.starts("stand_in: "):
        told["stand_in"] = lines.field("stand_in")
    told["deal"] = {name: _value(lines, f"deal.{name}") for name in _DEAL if lines.starts(f"deal.{name}: ")}
    told["seats"] = []
    while lines.starts("seat ") and len(told["seats"]) < MOST_SEATS:
        told["seats"].append(_read_seat(lines, len(told["seats"])))
    keys: dict[str, str] = {}
    while lines.starts("key: "):
        found = _KEY.fullmatch(lines.field("key"))
        if found is None or found[2] in keys:
            raise lines.fault("have a key and the name of its use")
        keys[found[2]] = found[1]
    if keys:
        told["keys"] = keys
    if lines.starts("begun_from: "):
        match lines.field("begun_from").split(" "):
            case [origin, facts, digest] if _NUMBER.fullmatch(facts):
                told["begun_from"] = {"match": origin, "facts": int(facts), "sha256": digest}
            case _:
                raise lines.fault("have a match, the number of its facts and their SHA-256")
    # The log is worked out from the acts. Until then there is one record, because a match without any is refused.
    opening = {"seq": 0, "actor": None, "action": None, "events": "[]", "at": 0, "chain": "0" * 64}
    return {**told, "records": [opening]}


def _value(lines: _Lines, name: str) -> str | int:
    value = lines.field(name)
    if name in _TIMES:
        return _read_time(lines, value)
    if name.endswith("version"):
        return _read_number(lines, value)
    return value


def _read_number(lines: _Lines, text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise lines.fault("have a whole number")
    return int(text)


def _read_time(lines: _Lines, text: str) -> int:
    at = _milliseconds(text)
    if at is None:
        raise lines.fault("have a time such as 2027-01-15T08:01:00.001Z")
    return at


def _milliseconds(text: str) -> int | None:
    """The time that `_time` wrote, in ms since 1970; None for another text."""
    if not _TIME.fullmatch(text):
        return None
    try:
        at = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f%z") - _EPOCH
    except ValueError:
        return None
    return at // timedelta(milliseconds=1) if at >= timedelta(0) else None


def _read_seat(lines: _Lines, seat: Seat) -> Json:
    value = lines.field(f"seat {seat}")
    if value.startswith("user "):
        user = value.removeprefix("user ")
        return {"user": None if user == "deleted" else user}
    found = _SALT.fullmatch(value)
    if found is None:
        raise lines.fault("have a salt and its SHA-256, or a user")
    return {"salt": None if found[1] == "deleted" else _quoted(lines, found[1]), "salt_sha256": found[2]}


def _quoted(lines: _Lines, text: str) -> str:
    """The text that JSON in ASCII has in these quotes."""
    try:
        salt = json.loads(text)
        salt.encode()  # half a surrogate pair is no text
        if json.dumps(salt) == text:
            return str(salt)
    except ValueError:
        pass
    raise lines.fault("have a salt as JSON writes it in ASCII")


def _read_act(line: str, number: int) -> _Act:
    found = _ACT.fullmatch(line)
    at = None if found is None else _milliseconds(found[2])
    if found is None or at is None or not _NUMBER.fullmatch(found[1]) or (found[3] and not _NUMBER.fullmatch(found[3])):
        raise NotAnExportError(f"line {number} must be an act: its number, its time, its seat or clock, and the act")
    return _Act(number, int(found[1]), at, None if found[3] is None else int(found[3]), found[4], found[5])


def _read_result(lines: _Lines) -> Json:
    kind, ranks = lines.field("result"), lines.field("ranks")
    told: Json = {"kind": kind, "ranks": []}
    if ranks != "none":
        told["ranks"] = [_read_number(lines, rank) for rank in ranks.split(" ")]
    told["ended_at"] = _value(lines, "ended_at")
    counted = lines.field("counted")
    if counted not in _YES:
        raise lines.fault("have yes or no")
    return {**told, "counted": _YES[counted], "chain": lines.field("chain")}


# ---------------------------------------------------------------------------------------------- playing it again


class _PlayedAgain:
    """Makes the log of a match from its deal and its acts. `facts` are those from which it was begun, if it was."""

    def __init__(self, match: ExportedMatch, facts: Sequence[str]) -> None:
        self._row, self._keys, self._chain = match.row, match.keys, match.result.chain
        self._facts = facts
        if match.row.game not in GAMES:
            raise UnknownRulesError("its game isn't installed here")
        self._game, self._written = GAMES[match.row.game], codec(match.row.game)
        if match.row.rules_version > self._game.info.rules_version:
            raise UnknownRulesError("its rules are newer than those of this program")
        try:
            options, seats = self._written.decode(match.row.options), len(match.row.seats)
            self._state = self._game.start(options, seats)
            self._chances = _chances(match.row, match.keys, self._game.pack(options, seats).pack_id)
        except Exception:  # noqa: BLE001  they may be anything, and an error may hold them
            self._state = None
        if self._state is None:
            raise NotAnExportError("no match can be played with its options and seats")

    def records(self, acts: Sequence[_Act]) -> tuple[Record, ...]:
        """The log. Raises NotAnExportError unless the acts make the chain that the text names."""
        if not acts:
            raise NotAnExportError("it has no deal")
        value, records = log_chain.first_link(self._row.id), list[Record]()
        for seq, act in enumerate(acts):
            if act.seq != seq or (act.actor is not None and act.actor >= len(self._row.seats)):
                raise NotAnExportError(f"line {act.line} has the wrong number, or a seat that isn't there")
            made = self._record(act)
            if made is None:
                raise NotAnExportError(f"line {act.line} has an act that the rules of this program don't allow there")
            value = log_chain.link_of(value, made)
            records.append(replace(made, chain=value))
        if value != self._chain:
            raise NotAnExportError("its acts don't make the chain at its end, so something in it was changed")
        return tuple(records)

    def _record(self, act: _Act) -> Record | None:
        """The record of an act; None if it can't be made."""
        try:
            action, events = self._opened(act) if act.seq == 0 else self._decided(act)
        except Exception:  # noqa: BLE001  a rule may raise anything for an act that it never allowed
            return None
        return Record(self._row.id, act.seq, None, act.actor, action, events, act.at, computer=act.computer)

    def _opened(self, act: _Act) -> tuple[None, str]:
        if act.text != _OPENING or act.actor is not None:
            raise ValueError("not an opening")
        if self._row.origin is not None:
            events = f"[{','.join(self._facts)}]"
            self._state = fold(self._game, self._state, self._written.decode_all(events))
            return None, events
        facts = self._game.deal(self._state, self._chances(0))
        self._state = facts.state
        return None, self._written.encode_all(facts)

    def _decided(self, act: _Act) -> tuple[str, str]:
        action = _read_action(self._game, act.text)
        if isinstance(action, HAND_OVERS):  # nothing at the table changes (C-8)
            return self._written.encode(action), "[]"
        facts = self._game.decide(self._state, act.actor, action, self._chances(act.seq))
        self._state = facts.state
        return self._written.encode(action), self._written.encode_all(facts)


def _chances(row: MatchRow, keys: Keys, pack_id: str) -> Callable[[int], Chance]:
    """Chance for any act of a match by its number."""
    deal = deal_of(row)
    if keys:
        return lambda seq: KeptChance(deal, seq, pack_id, keys)
    return lambda seq: SeededChance(row.seed, deal, seq, pack_id)


def _read_action(game: AnyGame, text: str) -> Any:
    """The action of a notation. Raises ValueError, also for another way to write it."""
    match text.split(" "):
        case ["taken", "over", seats, level, others] if _SEATS.fullmatch(seats) and _SEATS.fullmatch(others):
            return TakenOver(_read_seats(seats), level, _read_seats(others))
        case ["taken", "back"]:
            return TakenBack()
    action = game.read(text)
    if game.write(action) != text:
        raise ValueError("another way to write it")
    return action


def _read_seats(text: str) -> tuple[Seat, ...]:
    return () if text == "-" else tuple(map(int, text.split("+")))

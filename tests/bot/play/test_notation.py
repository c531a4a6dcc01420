"""The notation of a finished match: read back as the whole match, and every other text refused with one sentence.

`test_match_export.py` reads the matches of all tables back, in both forms.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator

from bot.play.computers.stand_ins import TakenBack, TakenOver
from bot.play.deals import match_export
from bot.play.deals.match_export import ExportedMatch, NotAnExportError, schema
from bot.play.deals.notation import LONGEST_LINE, MOST_BYTES, NotWritableError, read, read_either, write
from bot.play.match_state import codec
from bot.store.log_chain import first_link
from bot.store.rows.invitations import Origin, StandIn
from bot.store.rows.matches import Record, Salt
from bot.store.verification import opening_digest
from engines.deals import salt_digest
from engines.haymaker import Haymaker
from laws.play import Odds
from tests.bot.play.exported import exported, json_of, rechained, refused_by, text_of, with_record, without_player
from tools import match_schema

ROOT = Path(__file__).resolve().parents[3]


def lines_of(match: ExportedMatch) -> list[str]:
    return write(match).decode().splitlines()


# ---------------------------------------------------------------------------------------------- there and back


@pytest.mark.parametrize("key", ["haymaker", "unbreakable", "ciq", "tivmiv", "champions"])
def test_the_acts_of_the_clock_and_of_those_who_leave_are_read_back_too(key: str) -> None:
    match = exported(key, seed=3, odds=Odds(time=0.2, resign=0.05))
    assert any(": time " in line or line.endswith(": resign") for line in lines_of(match))
    assert text_of(read(write(match))) == text_of(match)


def test_every_line_says_who_acted_and_when() -> None:
    lines = lines_of(exported("haymaker"))
    assert lines[:4] == ["cardroom/notation/v1", "match: 29dh6ucu93", "game: haymaker", "rules_version: 1"]
    assert "0 2027-01-15T08:01:00.001Z clock: deal" in lines
    assert "1 2027-01-15T08:01:01.001Z seat 1: AC+4C+6C" in lines
    assert lines[-5:-1] == ["result: knockout", "ranks: 1 2", "ended_at: 2027-01-15T08:01:31.001Z", "counted: yes"]


def test_the_page_shows_a_text_as_it_is_written() -> None:
    page = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    assert write(exported("haymaker")).decode() in page


def test_no_user_is_named_in_version_2() -> None:
    match = exported("ciq")
    named = replace(match, row=replace(match.row, seats=(987_654_321_098_765_432, 987_654_321_098_765_433)))
    text = write(named)
    assert text == write(match)
    assert b"98765432" not in text


@pytest.mark.parametrize("version", [1, 2])
def test_a_match_with_a_deleted_player_is_read_back_too(version: int) -> None:
    match = without_player(exported("ciq", version=version), 1)
    text = write(match)
    assert b"deleted" in text
    assert text_of(read(text)) == text_of(match)


def test_a_match_with_a_stand_in_is_read_back_with_who_played() -> None:
    match = exported("haymaker")
    written, first = codec("haymaker"), match.records[1]
    other = 1 - int(first.actor or 0)
    over = Record(
        match.row.id, 1, None, None, written.encode(TakenOver((int(first.actor or 0),), "medium", (other,))), "[]", 5
    )
    back = replace(over, seq=3, actor=first.actor, action=written.encode(TakenBack()))
    acts = [
        over,
        replace(first, seq=2, computer="medium 3"),
        back,
        *[replace(each, seq=each.seq + 2) for each in match.records[2:]],
    ]
    held = rechained(replace(match, row=replace(match.row, stand_in=StandIn.RATED), records=(match.records[0], *acts)))
    with pytest.raises(NotWritableError):
        write(held)  # a hit is drawn by the number of its record, so it can't come two records later
    short = rechained(replace(held, records=held.records[:4]))
    text = write(short)
    assert f"clock: taken over {first.actor} medium {other}" in text.decode()
    assert f"seat {first.actor} (medium 3): " in text.decode()
    assert f"seat {first.actor}: taken back" in text.decode()
    assert text_of(read(text)) == text_of(short)


def test_a_match_that_was_begun_from_another_has_the_facts_of_its_opening() -> None:
    match = exported("haymaker")
    opening = match.records[0].events
    begun = replace(match, row=replace(match.row, origin=Origin("earlier", 9, opening_digest(opening))))
    text = write(begun)
    assert text.decode().count("\nfact: {") == len(codec("haymaker").decode_all(opening))
    assert text_of(read(text)) == text_of(begun)
    assert b"deal.seal" not in text


@pytest.mark.parametrize("salt", ["\x1b[31m", "a\nb", '"', "\\", "\u202e", "\N{PLAYING CARD ACE OF SPADES}" * 64, "’"])
def test_a_salt_is_read_back_and_nothing_in_the_text_steers_a_terminal(salt: str) -> None:
    match = exported("haymaker")
    salted = replace(match, row=replace(match.row, salts=(Salt(salt_digest(salt), salt), match.row.salts[1])))
    with pytest.raises(NotWritableError):
        write(salted)  # the deal depends on the salts, so these acts can't have been made
    deleted = replace(match, row=replace(match.row, salts=(replace(match.row.salts[0], text=salt), match.row.salts[1])))
    text = write(deleted).decode()
    assert text.isascii()
    assert all(line.isprintable() for line in text.splitlines())
    assert read(text.encode()).row.salts[0].text == salt


# ---------------------------------------------------------------------------------------------- what can't be written


def test_an_altered_log_is_not_written() -> None:
    match = exported("haymaker")
    for altered in (
        with_record(match, 3, at=7),
        rechained(with_record(match, 3, events="[]")),
        rechained(with_record(match, 3, action="{}")),
        rechained(with_record(match, 3, computer="a) (b")),
        replace(match, records=match.records[:-1]),
        replace(match, row=replace(match.row, game="whist")),
    ):
        with pytest.raises(NotWritableError):
            write(altered)


def test_a_match_under_rules_that_have_changed_since_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    match = exported("haymaker")
    text = write(match)
    before = Haymaker.decide
    monkeypatch.setattr(Haymaker, "decide", lambda *given: before(*given)[:1])
    with pytest.raises(NotWritableError):
        write(match)
    assert "line 17 has an act that the rules of this program don't allow there" in refusal(text)


def test_a_match_that_is_being_played_is_not_written() -> None:
    match = exported("haymaker")
    with pytest.raises(NotWritableError):
        write(replace(match, result=None))  # type: ignore[arg-type]  # as a careless caller would


# ---------------------------------------------------------------------------------------------- other texts


refusal = partial(refused_by, read)

OTHER_TEXTS = {
    "nothing": (b"", "line 1 must be"),
    "no UTF-8": (b"cardroom/notation/v1\n\xff\n", "not text in UTF-8"),
    "the first line alone": (b"cardroom/notation/v1\n", "ends before match"),
    "another form": (b"cardroom/notation/v2\n", "line 1 must be cardroom/notation/v1"),
    "other ends of lines": (b"cardroom/notation/v1\r\nmatch: a\r\n", "line 1 must be"),
    "an end of a line of another kind": (b"cardroom/notation/v1\nmatch: a\r\n", "line 2 has a character"),
    "half a line": (b"cardroom/notation/v1\nmatch: a", "its last line does not end"),
    "an escape": (b"cardroom/notation/v1\nmatch: \x1b[2J\n", "line 2 has a character that can't be printed"),
    "a text turned around": ("cardroom/notation/v1\nmatch: \u202ea\n".encode(), "can't be printed"),
    "a long line": (b"cardroom/notation/v1\nmatch: " + b"a" * LONGEST_LINE + b"\n", "line 2 has more than"),
    "a huge file": (b"a" * (MOST_BYTES + 1), "bytes"),
    "many lines": (b"\n" * MOST_BYTES, "line 1 must be"),
}


@pytest.mark.parametrize("name", OTHER_TEXTS)
def test_another_text_is_refused_with_one_sentence(name: str) -> None:
    text, said = OTHER_TEXTS[name]
    assert said in refusal(text)


SECRET = "Hugo"
EDITS = {
    "an unknown game": ("game: haymaker", f"game: {SECRET.lower()}", "its game isn't installed here"),
    "no key of a game": ("game: haymaker", f"game: {SECRET}", "game must be the key of a game"),
    "newer rules": ("rules_version: 1", "rules_version: 2", "newer than those of this program"),
    "no number": ("rules_version: 1", "rules_version: 01", "line 4 must have a whole number"),
    "other options": ('{"type":"Options","v":1}', '{"type":"Options","v":9}', "no match can be played"),
    "no time": ("sealed_at: 2027-01-15", "sealed_at: 2027-02-30", "line 6 must have a time"),
    "a time before 1970": ("sealed_at: 2027", "sealed_at: 1969", "line 6 must have a time"),
    "no seed": ("deal.seed: b3", "deal.seed: x3", "deal.seed must be 64 hexadecimal digits"),
    "another seed": ("deal.seed: b3", "deal.seed: b4", "don't allow there"),
    "another seal": ("deal.seal: 92", "deal.seal: zz", "deal.seal must be"),
    "a field too many": ("deal.options: {}", "deal.options: {}\ndeal.extra: 1", "line 13 must be blank"),
    "a field twice": ("deal.id: v43cv8r4ch", "deal.id: v43cv8r4ch\ndeal.id: v43cv8r4ch", "line 10 must be blank"),
    "no salt": ('seat 0: salt "apple"', "seat 0: salt apple", "line 13 must have a salt"),
    "a salt in other quotes": ('seat 0: salt "apple"', 'seat 0: salt "\\u0061pple"', "line 13 must have a salt as"),
    "half a surrogate": ('seat 0: salt "apple"', 'seat 0: salt "\\ud800"', "line 13 must have a salt as"),
    "a seat that is not there": ("seat 1: salt", "seat 2: salt", "line 14 must be seat 1"),
    "an act of nobody": ("1 2027-01-15T08:01:01.001Z seat 1:", "1 2027-01-15T08:01:01.001Z seat 7:", "isn't there"),
    "another number": ("1 2027-01-15T08:01:01.001Z", "2 2027-01-15T08:01:01.001Z", "wrong number"),
    "no act": ("seat 1: AC+4C+6C", f"seat 1: {SECRET}", "line 17 has an act that the rules"),
    "a card that is not held": ("seat 1: AC+4C+6C", "seat 1: KD", "line 17 has an act that the rules"),
    "an act written otherwise": (
        "2 2027-01-15T08:01:02.001Z seat 0: hit",
        "2 2027-01-15T08:01:02.001Z seat 0:  hit",
        "line 18 has an act that the rules",
    ),
    "no line of an act": ("1 2027-01-15T08:01:01.001Z seat 1: AC+4C+6C", SECRET, "line 17 must be an act"),
    "another time": ("1 2027-01-15T08:01:01.001Z", "1 2027-01-15T08:01:01.002Z", "don't make the chain"),
    "another computer": ("seat 1: AC+4C+6C", f"seat 1 ({SECRET}): AC+4C+6C", "don't make the chain"),
    "no deal": ("clock: deal", "clock: resign", "line 16 has an act"),
    "no end": ("result: ", "resul: ", "must be result"),
    "ranks of another kind": ("ranks: 1 2", "ranks: 1 x", "must have a whole number"),
    "neither yes nor no": ("counted: yes", "counted: maybe", "must have yes or no"),
    "more behind it": ("chain: b71d", "chain: b71d\nchain: b71d", "must not be there"),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_a_text_may_not_say_is_refused_without_a_value_of_it(name: str) -> None:
    old, new, said = EDITS[name]
    text = write(exported("haymaker")).decode()
    assert text.count(old) == 1
    sentence = refusal(text.replace(old, new).encode())
    assert said in sentence
    assert SECRET.lower() not in sentence.lower()


def test_no_altered_text_is_read_as_another_match() -> None:
    """Lines are dropped, doubled and exchanged, and letters changed: each is refused, or the match stays the same."""
    source = random.Random(16)
    for key in ("haymaker", "champions"):
        whole = write(exported(key))
        before = read(whole)
        for _ in range(150):
            letters = bytearray(whole)
            for _ in range(source.randint(1, 3)):
                match source.randrange(3):
                    case 0:
                        letters[source.randrange(len(letters))] = source.randrange(256)
                    case 1:
                        place = source.randrange(len(letters))
                        del letters[place : place + source.randint(1, 60)]
                    case _:
                        place = source.randrange(len(letters))
                        letters[place:place] = letters[source.randrange(len(letters)) :][: source.randint(1, 80)]
            try:
                after = read(bytes(letters))
            except NotAnExportError:
                continue
            assert (after.records, after.result.chain) == (before.records, before.result.chain)


def test_a_match_without_a_deal_is_refused_even_if_its_chain_says_so() -> None:
    head, _, tail = write(exported("haymaker")).decode().split("\n\n")
    none = re.sub("chain: .*", f"chain: {first_link('29dh6ucu93').hex()}", tail)
    assert "it has no deal" in refusal(f"{head}\n\n\n{none}".encode())


def test_options_that_would_need_a_huge_pack_are_refused() -> None:
    text = write(exported("ciq")).decode()
    assert '"decks":null' in text
    assert "no match can be played" in refusal(text.replace('"decks":null', '"decks":1000000000').encode())


# ---------------------------------------------------------------------------------------------- the other form


def test_a_file_in_either_form_is_read() -> None:
    match = exported("champions")
    assert read_either(text_of(match)) == match
    assert read_either(write(match)) == match
    with pytest.raises(NotAnExportError, match="not JSON"):
        read_either(b"card")


def test_the_published_schema_is_that_of_the_reader() -> None:
    """If this fails, write the file again: `python -m tools.match_schema`."""
    assert (ROOT / "docs" / "match.schema.json").read_text(encoding="utf-8") == match_schema.text()


def test_exported_matches_fit_the_published_schema_and_others_do_not() -> None:
    validator = Draft202012Validator(schema())
    begun = exported("haymaker")
    begun = replace(begun, row=replace(begun.row, origin=Origin("earlier", 9, bytes(32))))
    for match in (
        exported("ciq"),
        exported("tivmiv", version=1),
        without_player(exported("ciq", version=1), 0),
        without_player(exported("haymaker"), 0),
        begun,
    ):
        told = json_of(match)
        validator.validate(told)
        for name in told:
            fewer = {each: told[each] for each in told if each != name}
            optional = name in ("stand_in", "keys")
            assert validator.is_valid(fewer) is optional, name
        assert not validator.is_valid({**told, "extra": 1})
        assert not validator.is_valid({**told, "options": "a\nb"})
        told["records"][1]["chain"] = "A" * 64
        assert not validator.is_valid(told)
        with pytest.raises(NotAnExportError):
            match_export.read(json.dumps(told).encode())

"""Exported matches: read back as they were, without names where none are needed; every other text is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from bot.play.deals.match_export import MOST_BYTES, NotAnExportError, export, read, schema, write
from bot.play.deals.proof import judge
from bot.play.deals.sealing import LONGEST
from bot.store.queries.invitations import Origin
from bot.store.queries.matches import MatchRow
from cogs.personal_data.commands import forget
from tests.bot.play.exported import exported, json_of, refused_by, text_of, without_player
from tests.bot.play.parts import ANN, BOB, GUILD, Parts, press_ids
from tests.known import there


def test_a_match_with_a_deleted_player_is_read_back_too() -> None:
    match = without_player(exported("ciq"), 1)
    text = text_of(match)
    again = read(text)
    assert text_of(again) == text
    assert again.row.salts == match.row.salts
    assert json.loads(text)["seats"][1]["salt"] is None


async def test_a_stored_match_names_no_user_and_fits_also_after_a_deletion(parts: Parts) -> None:
    host, guest = 987_654_321_098_765_432, 987_654_321_098_765_433
    invitation = await parts.invited(host, guest)
    await parts.seating.add_salt(invitation.id, guest, "from the guest")
    match = await parts.accepted(invitation.id, guest)
    for seat in (0, 1):
        await match.call_off(seat, next(press_ids))
    for deleted in (False, True):
        if deleted:
            await forget(parts.store, GUILD, guest)
        row = there(await parts.store.match(match.id))
        records, result = await parts.store.records(row.id), await parts.store.result(row.id)
        text = write(export(row, records, result, invitation.created_at))
        assert (b"from the guest" in text) is not deleted
        assert str(host).encode() not in text
        assert str(guest).encode() not in text
        again = read(text)
        assert judge(again.row, again.records, again.result, again.sealed_at).fits
        assert judge(row, records, result, invitation.created_at).fits


async def test_a_match_that_is_being_played_is_neither_exported_nor_judged(parts: Parts) -> None:
    match = await parts.opened(ANN, BOB)
    row = await parts.store.match(match.id)
    assert isinstance(row, MatchRow)
    records = await parts.store.records(row.id)
    with pytest.raises(RuntimeError, match="secret"):
        export(row, records, None, 1)
    with pytest.raises(RuntimeError, match="secret"):
        judge(row, records, None, 1)


# ---------------------------------------------------------------------------------------------- other texts


refusal = partial(refused_by, read)

OTHER_TEXTS = {
    "nothing": (b"", "not JSON"),
    "no UTF-8": (b"\xff\xfe{}", "not JSON"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "not JSON"),
    "half an object": (b"{", "not JSON"),
    "two objects": (b"{} {}", "not JSON"),
    "a list": (b"[]", "not a JSON object"),
    "null": (b"null", "not a JSON object"),
    "a text": (b'"x"', "not a JSON object"),
    "an empty object": (b"{}", "form is missing"),
    "another form": (b'{"form": "cardroom/mydata/v1"}', "form must be"),
    "deep lists": (b"[" * 1_000_000, "not JSON"),
    "deep objects": (b'{"a":' * 1_000_000, "not JSON"),
    "a deep field": (b'{"form": ' + b"[" * 900 + b"]" * 900 + b"}", "form must be"),
    "a huge number": (b'{"form": ' + b"9" * 10_000 + b"}", "not JSON"),
    "a name twice": (b'{"form": "cardroom/match/v1", "form": "cardroom/match/v1"}', "the same name twice"),
    "a name twice inside": (b'{"form": {"a": 1, "a": 1}}', "the same name twice"),
    "a huge file": (b" " * (MOST_BYTES + 1), "bytes"),
}


@pytest.mark.parametrize("name", OTHER_TEXTS)
def test_another_text_is_refused_with_one_sentence(name: str) -> None:
    text, said = OTHER_TEXTS[name]
    assert said in refusal(text)


SECRET = "Hugo's salt"
WRONG: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.0, 1e400, float("nan"), 2**70, "", SECRET, "\ud800", [], [[]], {}, {SECRET: SECRET},
)  # fmt: skip


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every path in a JSON value: the names and indices that lead there. Of a list, the first and the last."""
    if isinstance(value, dict):
        inner = [found for name in value for found in paths(value[name], (*path, name))]
    elif isinstance(value, list):
        inner = [found for at in {0, len(value) - 1} if value for found in paths(value[at], (*path, at))]
    else:
        inner = []
    return [path, *inner]


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        value = value[part]
    return value


ALLOWED: dict[str, tuple[Any, ...]] = {
    "action": (None,),
    "salt": (None, "", SECRET),
    "kind": (SECRET,),
    "ranks": ([],),
    "counted": (True, False),
    "level": (None,),
    "actor": (None, 0),
    **dict.fromkeys(("seq", "at", "sealed_at", "opened_at", "ended_at"), (0,)),
}
"""What of `WRONG` a field may be, because the verdict judges it; all other values are refused."""


def test_every_field_refuses_what_it_cannot_be() -> None:
    whole = json_of(without_player(exported("haymaker"), 0))
    found = paths(whole)
    assert len(found) > 30
    for path in found[1:]:
        for wrong in WRONG:
            altered = copy.deepcopy(whole)
            at(altered, path[:-1])[path[-1]] = wrong
            text = json.dumps(altered).encode()
            if repr(wrong) in map(repr, ALLOWED.get(path[-1], ())):
                assert json_of(read(text)) == altered, path
            else:
                said = refusal(text)
                assert SECRET not in said, path


def test_every_field_must_be_there_and_no_other() -> None:
    whole = json_of(without_player(exported("haymaker"), 0))
    for path in paths(whole):
        if path and isinstance(path[-1], str):
            altered = copy.deepcopy(whole)
            del at(altered, path[:-1])[path[-1]]
            said = refusal(json.dumps(altered).encode())
            assert "is missing" in said or "part of the form" in said, path
        if isinstance(at(whole, path), dict):
            altered = copy.deepcopy(whole)
            at(altered, path)[SECRET] = 1
            said = refusal(json.dumps(altered).encode())
            assert "a field that is not part of the form" in said
            assert SECRET not in said


def edited(edit: Callable[[dict[str, Any]], object]) -> str:
    whole = json_of(exported("haymaker"))
    edit(whole)
    return refusal(json.dumps(whole).encode())


def test_sizes_are_bounded() -> None:
    assert "options" in edited(lambda told: told.update(options="x" * 10_001))
    assert "deal.options" in edited(lambda told: told["deal"].update(options="x" * 10_001))
    assert "records[1].events" in edited(lambda told: told["records"][1].update(events="x" * 1_000_001))
    assert "seats" in edited(lambda told: told.update(seats=told["seats"] * 40))
    assert "seats[0].salt" in edited(lambda told: told["seats"][0].update(salt="x" * (LONGEST + 1)))
    assert "result.ranks" in edited(lambda told: told["result"].update(ranks=[1] * 65))
    assert "records[2].actor" in edited(lambda told: told["records"][2].update(actor=64))
    assert "records" in edited(lambda told: told.update(records=[]))
    assert "opened_at" in edited(lambda told: told.update(opened_at=10**15))


@pytest.mark.parametrize("name", ["action", "events"])
def test_no_text_of_a_log_has_a_newline_which_could_move_into_its_neighbour(name: str) -> None:
    assert f"records[1].{name}" in edited(lambda told: told["records"][1].update({name: "a\nb"}))


def test_the_longest_salt_is_as_long_as_players_may_add() -> None:
    match = exported("haymaker")
    salts = (replace(match.row.salts[0], text="\N{PLAYING CARD ACE OF SPADES}" * LONGEST), *match.row.salts[1:])
    longest = replace(match, row=replace(match.row, salts=salts))
    assert read(text_of(longest)) == longest


def test_spaces_and_the_order_of_fields_do_not_matter() -> None:
    match = exported("haymaker")
    whole = json_of(match)
    assert read(json.dumps(dict(reversed(whole.items())), indent=7).encode()) == match


# ---------------------------------------------------------------------------------------------- the schema


def test_exported_matches_fit_the_published_schema_and_others_do_not() -> None:
    validator = Draft202012Validator(schema())
    begun = exported("haymaker")
    begun = replace(begun, row=replace(begun.row, origin=Origin("earlier", 9, bytes(32))))
    for match in (
        exported("ciq"),
        without_player(exported("haymaker"), 0),
        begun,
    ):
        told = json_of(match)
        validator.validate(told)
        for name in told:
            fewer = {each: told[each] for each in told if each != name}
            optional = name == "stand_in"
            assert validator.is_valid(fewer) is optional, name
        assert not validator.is_valid({**told, "extra": 1})
        assert not validator.is_valid({**told, "options": "a\nb"})
        told["records"][1]["chain"] = "A" * 64
        assert not validator.is_valid(told)
        with pytest.raises(NotAnExportError):
            read(json.dumps(told).encode())

"""What a proof says before a match, during it and after it, and to whom."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.store.queries.invitations import Invitation, InvitationKind, Origin
from bot.store.queries.matches import MatchRow, Salt
from bot.ui.catalogue import translations
from bot.ui.screen import Screen, Text
from cogs.proofs.screens import finished_proof, invitation_proof, running_proof
from cogs.screens.renderer import LONGEST_TEXT, render, sheet
from engines.deals import salt_digest
from tests.bot.store.rows import ANN, BOB, CAT, invitation, match, result
from tests.cogs.fake_messages import texts

say = translations("en")
NAMES = {ANN: "Ann", BOB: "Bob", CAT: "Cat"}
ANNS, BOBS = "a pinch", "of **salt**"


def written(screen: Screen) -> str:
    return "\n".join(texts(sheet(screen, "m")))


def labels(screen: Screen) -> list[str]:
    (container,) = render(screen, "m")
    return [each["label"] for row in container["components"] for each in row.get("components", ())]


def asked(*salts: tuple[int, str]) -> Invitation:
    return replace(invitation(), invited=(BOB,), salts=salts)


def played(*salted: str | None) -> MatchRow:
    salts = tuple(Salt(salt_digest("gone" if text is None else text), text) for text in salted)
    return replace(match(), salts=salts)


def before(row: Invitation, reader: int) -> Screen:
    return invitation_proof(row, say, NAMES.__getitem__, reader)


def during(row: MatchRow, reader: int) -> Screen:
    return running_proof(row, 1000, say, ("Ann", "Bob"), reader)


def after(row: MatchRow) -> Screen:
    return finished_proof(row, replace(result(), chain=b"\x0c" * 32), 1000, say, ("Ann", "Bob"))


def test_before_the_match_everybody_reads_the_seal_all_that_it_binds_and_of_whom_a_salt_may_come() -> None:
    row = asked()
    shown = written(before(row, CAT))
    assert f"`{row.commitment.hex()}`" in shown
    assert f"`{row.deal_id}`, sealed <t:1:f>" in shown
    assert say("proof.options", options=row.sealed_options) in shown
    assert say("proof.game", game=row.game, version=3) in shown
    assert say("proof.salt_none", player="Ann") in shown
    assert say("proof.salt_none", player="Bob") in shown
    assert row.seed.hex() not in shown
    row = asked((ANN, ANNS))
    assert [labels(before(row, reader)) for reader in (ANN, BOB, CAT)] == [[], [say("button.salt")], []]
    assert labels(during(played("", ""), ANN)) == []
    table = replace(asked(), kind=InvitationKind.TABLE, private=True)
    assert say("proof.salt_none", player="Ann") in written(before(table, ANN))
    assert "Bob" not in written(before(table, ANN))
    assert [labels(before(table, reader)) for reader in (ANN, BOB)] == [[say("button.salt")], []]
    proof = before(replace(asked(), origin=Origin("m0", 30, bytes(32))), ANN)
    assert (proof.sections, proof.rows) == ((Text(say("proof.practice", match="m0")),), ())


@pytest.mark.parametrize(("reader", "own"), [(ANN, ANNS), (BOB, BOBS), (CAT, "")])
def test_before_the_end_a_salt_is_read_by_its_owner_alone_and_its_hash_by_all(reader: int, own: str) -> None:
    for screen in (before(asked((ANN, ANNS), (BOB, BOBS)), reader), during(played(ANNS, BOBS), reader)):
        shown = written(screen).replace("\\", "")
        for salt in (ANNS, BOBS):
            assert f"`{salt_digest(salt).hex()}`" in shown
            assert (salt in shown) == (salt == own)
        assert labels(screen) == []


def test_after_the_match_everybody_reads_seed_and_salts_but_a_deleted_one_by_its_hash() -> None:
    row = played(ANNS, BOBS)
    shown = written(after(row))
    for told in (row.seed.hex(), row.commitment.hex(), "0c" * 32, say("proof.check", match=row.id)):
        assert told in shown
    assert say("proof.salt_revealed", player="Ann", salt=ANNS, hash=salt_digest(ANNS).hex()) in shown
    assert r"of \*\*salt\*\*" in shown
    assert labels(after(row)) == [say("button.export")]
    shown = written(after(played(None, "")))
    assert say("proof.salt_deleted", player="Ann", hash=salt_digest("gone").hex()) in shown
    assert say("proof.salt_none", player="Bob") in shown
    assert f"`{salt_digest('gone').hex()}`" in written(during(played(None, ""), BOB))


@pytest.mark.parametrize(
    ("salt", "shown"),
    [
        ("@everyone <@1> # x", r"\@everyone \<\@1\> \# x"),
        ("a\u202eb\u200b", say("proof.partly_shown", salt="ab")),
        ("\u200b\u2060", say("proof.invisible")),
        ("cafe\u0301", "café"),
        ("two  blanks", say("proof.partly_shown", salt="two blanks")),
    ],
)
def test_a_salt_is_shown_without_any_effect_and_says_where_it_is_not_shown_whole(salt: str, shown: str) -> None:
    told = say("proof.salt_revealed", player="Ann", salt=shown, hash=salt_digest(salt).hex())
    assert told in written(after(played(salt, "")))


def test_the_proof_of_the_largest_table_fits_into_a_message() -> None:
    row = replace(
        match(seats=tuple(range(1, 9))),
        sealed_options='{"x":"' + "y" * 600 + '"}',
        salts=tuple(Salt(salt_digest("*" * 64), "*" * 64) for _ in range(8)),
    )
    names = tuple("\\_" * 32 for _ in range(8))
    for screen in (
        finished_proof(row, replace(result(), chain=bytes(32)), 1000, say, names),
        running_proof(row, 1000, say, names, 1),
    ):
        assert len(written(screen)) < LONGEST_TEXT
        assert "…" not in written(screen)

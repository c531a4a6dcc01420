"""An export's files: JSON that anybody can read, whatever its length."""

from __future__ import annotations

import json
from io import BytesIO
from zipfile import ZipFile

import pytest

from cogs.personal_data import files
from cogs.personal_data.export import Json
from cogs.personal_data.files import Packed, files_of

MATCHES = [{"id": f"m{number}", "name": "Ann “é”\n", "acts": [{"seq": number}]} for number in range(5)]


def held(*, packed: bool) -> Json:
    pack = Packed if packed else dict
    return {
        "form": "f",
        "server": "1",
        "user": "2",
        "matches": [pack(each) for each in MATCHES],
        "names": [],
        "record": {},
        "rating": (1.5, None, True),
        "chats": [{"matches": [pack(MATCHES[0])]}],
    }


def read(name: str, content: bytes) -> Json:
    if name.endswith(".zip"):
        with ZipFile(BytesIO(content)) as archive:
            (inside,) = archive.namelist()
            assert inside == name.replace(".zip", ".json")
            content = archive.read(inside)
    found: Json = json.loads(content)
    return found


def test_an_export_is_the_same_packed_or_not_and_without_matches_a_file_too() -> None:
    ((name, content),) = files_of(held(packed=True))
    assert name == "cardroom-mydata.json"
    assert read(name, content) == json.loads(json.dumps(held(packed=False)))
    assert files_of(held(packed=False))[0][0] == name
    ((name, content),) = files_of({**held(packed=True), "matches": []})
    assert read(name, content)["matches"] == []


def test_a_long_one_is_zipped_and_more_matches_than_a_file_takes_are_in_others(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(files, "LONGEST", 100)
        ((name, content),) = files_of(held(packed=True))
    assert name == "cardroom-mydata.zip"
    assert read(name, content) == json.loads(json.dumps(held(packed=False)))
    monkeypatch.setattr(files, "MOST", 2)
    found = {name: read(name, content) for name, content in files_of(held(packed=True))}
    assert list(found) == [f"cardroom-mydata{part}.json" for part in ("", "-2", "-3")]
    assert [each for part in found.values() for each in part["matches"]] == MATCHES
    assert {(part["form"], part["server"], part["user"]) for part in found.values()} == {("f", "1", "2")}

"""The recorder: what is unlike the description is caught, whoever's side it is on, and nothing else is."""

from __future__ import annotations

import copy
import json

import pytest

from discord_sandbox.openapi.description import Description
from discord_sandbox.openapi.deviations import DEVIATIONS
from discord_sandbox.openapi.recorder import Recorder, Verdict, untried
from tests.conformance.test_description import DOCUMENT

GOOD = b'{"id": "7"}'
BAD = b'{"id": "seven"}'


def judged(
    *,
    test: str = "tests/x",
    method: str = "POST",
    path: str = "/api/v10/posts/7",
    query: str = "",
    **sent: object,
) -> Verdict:
    """The verdict on one exchange."""
    recorder = Recorder(Description(copy.deepcopy(DOCUMENT)), ("tests/x", "tests/strict/"), ("tests/strict/",))
    recorder.test = test
    exchange = {"raw": GOOD, "status": 200, "raw_answer": GOOD, **sent}
    recorder.take(method=method, path=path, query=query, **exchange)  # type: ignore[arg-type]  # as the test has them
    return recorder.judge()


def test_what_is_as_described_is_counted_and_nothing_more() -> None:
    verdict = judged()
    assert (verdict.checked, verdict.faults) == (1, {})
    assert dict(verdict.kinds) == {"POST /posts/{id} -> 200": 1}


def test_an_answer_that_is_not_as_described_is_a_fault_with_its_test() -> None:
    (fault,) = judged(raw_answer=BAD).faults.items()
    assert fault[0].startswith("answer of POST /posts/{id} -> 200: id: ")
    assert fault[1] == "tests/x"


@pytest.mark.parametrize("sent", [{"raw": BAD}, {"query": "wait=perhaps"}, {"query": "speed=1"}])
def test_a_request_that_was_accepted_must_be_as_described(sent: dict[str, object]) -> None:
    (fault,) = judged(**sent).faults  # type: ignore[arg-type]  # keywords of each kind
    assert fault.startswith("request of POST /posts/{id}: ")


def test_a_refused_request_may_be_faulty_but_not_in_the_bots_own_tests() -> None:
    refused = {"raw": BAD, "status": 400, "raw_answer": b'{"code": 50035}'}
    assert judged(**refused).faults == {}  # type: ignore[arg-type]  # as above
    assert len(judged(test="tests/strict/y", **refused).faults) == 1  # type: ignore[arg-type]  # as above


def test_addresses_and_bodies_that_nobody_described() -> None:
    assert list(judged(path="/api/v10/ports/123").faults) == ["request of POST /ports/*: this address is not described"]
    assert len(judged(raw_answer=b"<html>").faults) == 1


def test_what_had_no_answer_or_was_broken_on_purpose_is_not_judged() -> None:
    assert judged(status=0, raw_answer=b"").checked == 0
    assert judged(status=503, raw_answer=b"").faults == {}


def test_verdicts_of_several_processes_are_one() -> None:
    one, other = judged(), judged(raw_answer=BAD)
    one.add(json.loads(json.dumps(other.told())))
    assert (one.total, one.checked) == (2, 2)
    assert one.faults == other.faults
    assert dict(one.kinds) == {"POST /posts/{id} -> 200": 2}


def test_deviations_met_by_another_process_are_needed() -> None:
    other, verdict = Verdict(), Verdict()
    other.used.add(DEVIATIONS[0])
    verdict.add(other.told())
    assert verdict.used == {DEVIATIONS[0]}


def test_of_exchanges_that_are_equal_but_for_ids_one_is_judged() -> None:
    recorder = Recorder(Description(copy.deepcopy(DOCUMENT)))
    for given in ("123456789012345678", "1234567890123456789", "17", "seven"):
        body = json.dumps({"id": given}).encode()
        recorder.take(method="POST", path="/api/v10/posts/7", raw=body, status=200, raw_answer=body, query="")
    verdict = recorder.judge()
    assert (verdict.total, verdict.checked, len(verdict.faults)) == (4, 3, 2)


def test_traffic_of_other_tests_is_not_held_against_anything() -> None:
    assert judged(test="tests/bad_input/z", raw_answer=BAD).total == 0


def test_addresses_never_seen_to_succeed_are_told() -> None:
    assert "GET /users/@me" in untried(Verdict(), Description(copy.deepcopy(DOCUMENT)))

"""A pytest plugin that holds all traffic of every sandbox against Discord's OpenAPI description.

    DISCORD_OPENAPI=openapi.json python -m pytest -p discord_sandbox.openapi.recorder

DISCORD_OPENAPI names the description's file, which is not part of this project. The run fails if

- a request that the sandbox accepted is not one Discord describes, or any request of a test under `--openapi-strict`;
- an answer's status or body is not one Discord describes;
- with `--openapi-whole`: an address of the sandbox was never seen to succeed, or a listed deviation is not needed.

`--openapi-held` and `--openapi-strict` take the beginning of a test's name, and may be given more than once. Without
`--openapi-held` the traffic of all tests is held against the description.

Where several processes share the tests, each judges what it saw, and the first puts the verdicts together.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from discord_sandbox.api.route_table import ADDRESSES
from discord_sandbox.model import wire
from discord_sandbox.model.transcript import Transcript
from discord_sandbox.openapi.description import Description, Operation
from discord_sandbox.openapi.deviations import CORRECTIONS, DEVIATIONS, UNTRIED, Deviation

VARIABLE = "DISCORD_OPENAPI"
_PREFIX = re.compile(r"^/api(/v\d+)?")
_ID = re.compile(r"(?<=/)[1-9]\d{16,18}(?=/|$)")
_IDS = re.compile(rb'"[1-9]\d{16,18}"')
"""The description knows no two of them apart."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request as it was recorded, and the test it came from."""

    test: str
    method: str
    path: str
    raw: bytes
    status: int
    raw_answer: bytes
    query: str
    strict: bool


@dataclass(slots=True)
class Verdict:
    """What came of a run. `faults` map each fault's text to the first test that showed it."""

    total: int = 0
    checked: int = 0
    faults: dict[str, str] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    used: set[Deviation] = field(default_factory=set)

    def told(self) -> dict[str, Any]:
        """The verdict in plain values, for another process."""
        used = [place for place, deviation in enumerate(DEVIATIONS) if deviation in self.used]
        return {
            "total": self.total,
            "checked": self.checked,
            "faults": self.faults,
            "kinds": dict(self.kinds),
            "used": used,
        }

    def add(self, told: Mapping[str, Any]) -> None:
        """Take in what another process found."""
        self.total += told["total"]
        self.checked += told["checked"]
        self.faults = {**told["faults"], **self.faults}
        self.kinds.update(told["kinds"])
        self.used |= {DEVIATIONS[place] for place in told["used"]}

    def note(self, side: str, operation: str, fault: str, test: str) -> None:
        """Write a fault down, unless it is a known deviation."""
        for deviation in DEVIATIONS:
            if deviation.covers(side, operation, fault):
                self.used.add(deviation)
                return
        self.faults.setdefault(f"{side} of {operation}: {fault}", test)


class Recorder:
    """Gathers exchanges while tests run; judges them at the end."""

    def __init__(self, description: Description, held: tuple[str, ...] = ("",), strict: tuple[str, ...] = ()) -> None:
        """`held` are the tests whose traffic is judged, `strict` those whose refused requests must be well formed too;
        both by how their names begin."""
        self.description = description
        self._held = held
        self._strict = strict
        self._seen: dict[tuple[object, ...], Exchange] = {}
        self.total = 0
        self.test = ""

    def take(
        self, *, method: str, path: str, raw: bytes, status: int, raw_answer: bytes, query: str, **_: object
    ) -> None:
        """Keep an exchange, and of those that are equal but for ids the first; what was cut off before its answer is
        none."""
        if not status or not self.test.startswith(self._held):
            return
        self.total += 1
        strict = self.test.startswith(self._strict)
        exchange = Exchange(self.test, method, _PREFIX.sub("", path), raw, status, raw_answer, query, strict)
        bodies = (_IDS.sub(b"id", body) for body in (raw, raw_answer))
        self._seen.setdefault((method, _ID.sub("id", exchange.path), *bodies, status, query, strict), exchange)

    def judge(self) -> Verdict:
        """Hold every exchange against the description."""
        verdict = Verdict(self.total)
        for exchange in self._seen.values():
            operation = self.description.find(exchange.method, exchange.path)
            if operation is None:
                path = re.sub(r"\d{2,}", "*", exchange.path)
                verdict.note("request", f"{exchange.method} {path}", "this address is not described", exchange.test)
            else:
                self._weigh(exchange, operation, verdict)
        return verdict

    def _weigh(self, exchange: Exchange, operation: Operation, verdict: Verdict) -> None:
        verdict.checked += 1
        verdict.kinds[f"{operation} -> {exchange.status}"] += 1
        if exchange.status >= 500:
            return  # a fault asked for by the test: Discord's description knows none of these
        if exchange.status < 300 or exchange.strict:
            for fault in self.description.request_faults(operation, _json(exchange.raw)):
                verdict.note("request", str(operation), str(fault), exchange.test)
            for fault in self.description.query_faults(operation, parse_qsl(exchange.query, keep_blank_values=True)):
                verdict.note("request", str(operation), str(fault), exchange.test)
        for fault in self.description.answer_faults(operation, exchange.status, _json(exchange.raw_answer)):
            verdict.note("answer", f"{operation} -> {exchange.status}", str(fault), exchange.test)


def _json(raw: bytes) -> object:
    if not raw:
        return None
    try:
        return wire.read(raw)
    except ValueError:
        return {"(unreadable)": raw.decode(errors="replace")}


def untried(verdict: Verdict, description: Description) -> list[str]:
    """The sandbox's addresses that were never seen to succeed."""
    tried = {kind.rpartition(" -> ")[0] for kind in verdict.kinds if kind.rpartition(" -> ")[2].startswith("2")}
    missing: list[str] = []
    for address in ADDRESSES:
        sample = re.sub(r"\{\w+\}", "0", address.path)
        operation = description.find(address.method, sample)
        name = f"{address.method} {address.path}"
        if (operation is None or str(operation) not in tried) and name not in UNTRIED:
            missing.append(name)
    return missing


def summary(description: Description, verdict: Verdict, *, whole: bool) -> tuple[list[str], bool]:
    """The report's lines, and whether all is well. `whole`: all addresses and deviations must have been seen."""
    missing = untried(verdict, description) if whole else []
    stale = [each for each in DEVIATIONS if each not in verdict.used] if whole else []
    figures = f"{verdict.total} requests, {verdict.checked} different, {len(verdict.kinds)} kinds of answers"
    lines = [f"{figures}; {len(DEVIATIONS)} known deviations"]
    lines += [f"NOT AS DESCRIBED: {fault}   [{test}]" for fault, test in sorted(verdict.faults.items())]
    lines += [f"NEVER SEEN TO SUCCEED: {name}" for name in missing]
    lines += [f"DEVIATION NO LONGER NEEDED: {each.side} of {each.operation}: {each.fault}" for each in stale]
    return lines, not (verdict.faults or missing or stale)


_RECORDER = pytest.StashKey[Recorder]()
_OTHERS = pytest.StashKey[list[dict[str, Any]]]()
_REPORT = pytest.StashKey[tuple[list[str], bool]]()
_OUTPUT = "conformance"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Whose traffic is judged, and how strictly."""
    group = parser.getgroup("openapi", "Discord's OpenAPI description")
    group.addoption("--openapi-held", action="append", default=[], help="hold the traffic of these tests against it")
    group.addoption("--openapi-strict", action="append", default=[], help="their refused requests too")
    group.addoption("--openapi-whole", action="store_true", help="every address and deviation must be seen")


def pytest_configure(config: pytest.Config) -> None:
    """Begin to record; without a description there is nothing to judge by, and the run is refused."""
    file = os.environ.get(VARIABLE)
    if not file:
        raise pytest.UsageError(f"{VARIABLE} names no file: this needs Discord's OpenAPI description")
    try:
        description = Description.read(Path(file), CORRECTIONS)
    except (OSError, ValueError, KeyError) as trouble:
        raise pytest.UsageError(f"{VARIABLE}: {trouble}") from trouble
    held, strict = tuple(config.getoption("--openapi-held")), tuple(config.getoption("--openapi-strict"))
    recorder = config.stash[_RECORDER] = Recorder(description, held or ("",), strict)
    config.stash[_OTHERS] = []
    written = Transcript.request

    def request(transcript: Transcript, **entry: Any) -> None:
        recorder.take(**entry)
        written(transcript, **entry)

    patch = pytest.MonkeyPatch()
    patch.setattr(Transcript, "request", request)  # every sandbox of this process
    config.add_cleanup(patch.undo)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Know which test the traffic belongs to."""
    item.config.stash[_RECORDER].test = item.nodeid


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Judge; what is not well fails the run. One of several processes hands its verdict to the first."""
    recorder = session.config.stash[_RECORDER]
    verdict = recorder.judge()
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[_OUTPUT] = verdict.told()
        return
    for told in session.config.stash[_OTHERS]:
        verdict.add(told)
    report = summary(recorder.description, verdict, whole=session.config.getoption("--openapi-whole"))
    session.config.stash[_REPORT] = report
    if not report[1] and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Another process has ended."""
    told = getattr(node, "workeroutput", {}).get(_OUTPUT)
    if told is not None:
        node.config.stash[_OTHERS].append(told)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Tell."""
    lines, well = config.stash[_REPORT]
    terminalreporter.section("conformance to Discord's description")
    for line in lines:
        terminalreporter.write_line(line, green=well, red=not well)

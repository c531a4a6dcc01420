"""`cardroom verify FILE`: checks an exported match, and prints one line per check. `cardroom deal-of-day FILE ROOT`
repeats the choice of a deal of the day, for an exported attempt at it.

Exit codes: 0 everything fits, or the root leads to this deal · 1 something doesn't fit, or the root leads to another
deal · 2 a wrong argument · 65 the file can't be read or isn't an exported match · 69 nothing wrong was found, but not
everything could be checked, or the choice can't be repeated here. Both need no settings, no token and no database, and
ask nobody. Matches in files are over, so the seed may be printed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from bot.games import GAMES, game_title
from bot.ops import game_packages
from bot.play.deals.match_export import MOST_BYTES, ExportedMatch, NotAnExportError, read
from bot.play.deals.proof import Finding, Verdict, judge
from bot.play.deals.sealing import deal_of
from bot.play.match_state import codec
from bot.store.codec import CodecError
from bot.store.verification import terms_of
from engines.deals import SEED_BYTES, SHORT_SEAL, short_seal
from engines.players.deal_of_day import DayRequest, choose, program, seed_of
from engines.players.levels import LEVELS, PLAYERS

EXIT_WRONG: Final = 1
EXIT_ARGUMENT: Final = 2
"""As argparse has it."""
EXIT_DATA: Final = 65
"""sysexits.h: EX_DATAERR."""
EXIT_UNCHECKED: Final = 69
"""sysexits.h: EX_UNAVAILABLE."""

STANDARD_INPUT: Final = "-"
SHORT_CHAIN: Final = 16
"""How many hexadecimal digits of a chain a result shows, and the fewest of a seal or a chain that are compared."""
MOST_NAMED: Final = 5
"""How many records a line names."""

_BASE32: Final = re.compile(rf"[A-Z2-7]{{{SHORT_SEAL}}}")
_HEXADECIMAL: Final = re.compile(rf"[0-9a-f]{{{SHORT_CHAIN},64}}")


@dataclass(frozen=True, slots=True)
class Item:
    """One line: what was checked, what was found, and the finding in words."""

    name: str
    finding: Finding
    text: str

    def __str__(self) -> str:
        tag = {Finding.FITS: "ok  ", Finding.DOES_NOT_FIT: "FAIL"}.get(self.finding, "warn")
        return f"{tag} {self.name}: {self.text}"


@dataclass(frozen=True, slots=True)
class Noted:
    """A seal and a chain that somebody noted, whole or shortened as the bot shows them; None where there is none."""

    seal: str | None = None
    chain: str | None = None

    def faults(self) -> Iterator[str]:
        """What is wrong with how they are written."""
        if self.seal is not None and not (_BASE32.fullmatch(self.seal.upper()) or _is_hexadecimal(self.seal)):
            yield f"--seal: {SHORT_SEAL} letters and digits of base32, or {SHORT_CHAIN} to 64 hexadecimal digits"
        if self.chain is not None and not _is_hexadecimal(self.chain):
            yield f"--chain: {SHORT_CHAIN} to 64 hexadecimal digits"

    def items(self, match: ExportedMatch) -> Iterator[Item]:
        """Compare them with those of a match."""
        if self.seal is not None:
            whole = match.row.commitment
            same = whole.hex().startswith(self.seal.lower()) or short_seal(whole) == self.seal.upper()
            yield _compared("noted seal", same)
        if self.chain is not None:
            yield _compared("noted chain", match.result.chain.hex().startswith(self.chain.lower()))


def run(file: str, seal: str | None = None, chain: str | None = None) -> int:
    """Check a file, or standard input for `-`; print one line per check, and return the exit code.

    `seal` and `chain` are what somebody noted, to compare with the file's.
    """
    noted = Noted(_without_blanks(seal), _without_blanks(chain))
    for fault in noted.faults():
        return give_up(fault, EXIT_ARGUMENT)
    try:
        match = opened(file)
    except UnreadableError as error:
        return give_up(str(error), EXIT_DATA)
    left_out = {each.name: str(each) for each in game_packages.load()}
    verdict = judge(match.row, match.records, match.result, match.sealed_at)
    items = [*_items(match, verdict, left_out.get(match.row.game, "")), *noted.items(match)]
    for line in (*_about(match), *items):
        say(str(line))
    return _conclusion(match, items, noted)


def _conclusion(match: ExportedMatch, items: Sequence[Item], noted: Noted) -> int:
    found = {item.finding for item in items}
    if Finding.DOES_NOT_FIT in found:
        say("Something doesn't fit: this isn't how the match was sealed and played.")
        return EXIT_WRONG
    fits = found == {Finding.FITS}
    say("Everything fits." if fits else "Nothing wrong was found, but not everything could be checked.")
    if match.row.origin is not None:
        say("This match was practice without a seal. So the file proves nothing about its cards.")
    elif noted.seal is None or noted.chain is None:
        # A file that somebody made up from beginning to end fits too.
        say("Compare the seal with the one you saw before the match, and the chain with the one in its *Proof*.")
    return 0 if fits else EXIT_UNCHECKED


def repeat_choice(file: str, root: str) -> int:
    """`cardroom deal-of-day FILE ROOT`: repeat the choice of a deal of the day from a root in hexadecimal, for an
    exported attempt at it; print what was found, and return the exit code."""
    try:
        secret = bytes.fromhex(root)
    except ValueError:
        secret = b""
    if len(secret) != SEED_BYTES:
        return give_up(f"ROOT: {2 * SEED_BYTES} hexadecimal digits", EXIT_ARGUMENT)
    try:
        row = opened(file).row
    except UnreadableError as error:
        return give_up(str(error), EXIT_DATA)
    deal = deal_of(row)
    level = next(filter(None, deal.computers), "")
    if row.game not in PLAYERS or level not in LEVELS[row.game]:
        return give_up(f"{file}: not a match that this program can have chosen", EXIT_UNCHECKED)
    try:
        options = codec(row.game).decode(row.options)
        GAMES[row.game].start(options, len(row.seats))
    except (CodecError, ValueError):  # they can't be read, or the rules refuse them for their seats
        return give_up(f"{file}: no match can have its options and seats", EXIT_UNCHECKED)
    choice = choose(DayRequest(row.game, options, deal, level, secret))
    say(f"program: {program(row.game, level)}")
    say(f"choice: number {choice.count} of this root, of which a decent player wins {choice.worth / 10:.1f} %")
    if seed_of(secret, choice.count) != row.seed:
        say("FAIL: it has another seed than this match. Compare the program with the one that `/daily` names.")
        return EXIT_WRONG
    say("ok: it has the seed of this match.")
    return 0


class UnreadableError(Exception):
    """A file that can't be read, or that isn't an exported match; the message says which and why."""


def opened(file: str) -> ExportedMatch:
    """The exported match in a file, or on standard input for `-`. Raises UnreadableError."""
    try:
        return read(_bytes(file))
    except OSError as error:
        raise UnreadableError(f"{file}: {error.strerror}") from None
    except NotAnExportError as error:
        raise UnreadableError(f"{file}: not an exported match: {error}") from None


def _bytes(file: str) -> bytes:
    """The file, or as much of it as shows that it is too long. Raises OSError."""
    if file == STANDARD_INPUT:
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    with Path(file).open("rb") as source:
        return source.read(MOST_BYTES + 1)


# ---------------------------------------------------------------------------------------------- what it is about


def _about(match: ExportedMatch) -> Iterator[str]:
    """What the file says of the match."""
    row, result = match.row, match.result
    yield f"match: {row.id}, {_plain(game_title(row.game))}, rules version {row.rules_version}"
    yield f"options: {_plain(row.options)}"
    yield f"terms: {terms_of(row.clock, row.stand_in, row.series)}"
    yield f"times: sealed {_time(match.sealed_at)}, begun {_time(row.opened_at)}, ended {_time(result.ended_at)}"
    yield f"deal: version {row.deal_version}, id {row.deal_id}"
    if row.origin is None:
        yield f"seal: {short_seal(row.commitment)}, in full {row.commitment.hex()}"
    else:
        yield "seal: none"
        yield f"begun from: match {row.origin.match_id}, after {row.origin.facts} of its facts"
    yield f"seed: {row.seed.hex()}"
    yield f"salts: {', '.join(_salt(salt.text, salt.digest) for salt in row.salts)}"
    yield f"chain: {result.chain.hex()[:SHORT_CHAIN]}, in full {result.chain.hex()}"
    ranks = f"ranks {' '.join(map(str, result.ranks))}" if result.ranks else "called off"
    yield f"result: {_plain(result.kind)}, {ranks}, {'counted' if result.counted else 'not counted'}"


def _salt(text: str | None, digest: bytes) -> str:
    if text is None:
        return f"deleted (SHA-256 {digest.hex()})"
    return f'"{_plain(text)}"' if text else "none"


def _time(at: int) -> str:
    return f"{datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at):%Y-%m-%d %H:%M:%S} UTC"


# ---------------------------------------------------------------------------------------------- what was checked


def _items(match: ExportedMatch, verdict: Verdict, left_out: str) -> Iterator[Item]:
    """One line for each part of the verdict. `left_out` says why an installed game cannot be used."""
    if verdict.seal is not None:
        with_it = "together with the game, its rules version, the deal's id, the options and the terms"
        yield _either("seal", verdict.seal, f"the seed makes it, {with_it}", f"the seed doesn't make it, {with_it}")
    if verdict.options is not None:
        yield _either("options", verdict.options, "as they were sealed", "not those that were sealed")
    if verdict.series is not None:
        wrong = "no match can have this place in a series"
        yield _either("series", verdict.series, "its place in the series is possible", wrong)
    if verdict.salts is not None:
        yield _either("salts", verdict.salts, "each makes its SHA-256", "one doesn't make its SHA-256")
    unchecked = _unchecked(match, verdict, left_out)
    named = _named(verdict.differing)
    yield Item("deal", verdict.deal, unchecked.get(verdict.deal) or _deal(verdict.deal))
    yield Item("acts", verdict.acts, unchecked.get(verdict.acts) or _acts(verdict.acts, len(match.records), named))
    in_order = "sealed, begun, played and ended in this order"
    yield _either("times", verdict.times, in_order, f"not {in_order}")
    at = "" if verdict.broken_at is None else f" at record {verdict.broken_at}"
    unbroken = f"the chain of its {len(match.records)} records is unbroken"
    yield _either("log", verdict.log, unbroken, f"its chain is broken{at}: it was altered there")
    yield _either("end", verdict.end, "the result has the log's chain", "the result has the chain of another log")
    wrong = "not the one to which the facts of the log lead"
    text = unchecked.get(verdict.result) or ("follows from the log" if verdict.result is Finding.FITS else wrong)
    yield Item("result", verdict.result, text)


def _unchecked(match: ExportedMatch, verdict: Verdict, left_out: str) -> dict[Finding, str]:
    """Why something could not be checked."""
    row = match.row
    installed = GAMES[row.game].info.rules_version if row.game in GAMES else 0
    if row.rules_version > installed:
        rules = f"this program only knows the rules up to version {installed}: try a newer one"
    else:
        others = _named([seq for seq in verdict.differing if seq])
        rules = (
            f"{others} would have gone otherwise by the rules of this program, which are version {installed}; the "
            "other records follow"
        )
    return {
        Finding.NOT_INSTALLED: f"the game {row.game} isn't installed here{f': {left_out}' if left_out else ''}",
        Finding.OTHER_RULES: rules,
        Finding.NOT_DEALT: "the opening has the cards of another match, so no seed says how they lie",
    }


def _deal(finding: Finding) -> str:
    return "dealt as the seed says" if finding is Finding.FITS else "not dealt as the seed says"


def _acts(finding: Finding, records: int, differing: str) -> str:
    if finding is Finding.FITS:
        return f"{records - 1}, and all facts and draws follow from them and the seed"
    return f"{differing} can't have happened like this"


def _named(seqs: Sequence[int]) -> str:
    shown = ", ".join(map(str, seqs[:MOST_NAMED]))
    more = f" and {len(seqs) - MOST_NAMED} more" if len(seqs) > MOST_NAMED else ""
    return f"{'record' if len(seqs) == 1 else 'records'} {shown}{more}"


def _either(name: str, finding: Finding, right: str, wrong: str) -> Item:
    return Item(name, finding, right if finding is Finding.FITS else wrong)


def _compared(name: str, same: bool) -> Item:
    finding = Finding.FITS if same else Finding.DOES_NOT_FIT
    return _either(name, finding, "it is the file's", "it isn't the file's")


# ---------------------------------------------------------------------------------------------- texts


def _is_hexadecimal(text: str) -> bool:
    return _HEXADECIMAL.fullmatch(text.lower()) is not None


def _without_blanks(text: str | None) -> str | None:
    return None if text is None else "".join(text.split())


def _plain(text: str) -> str:
    """A text of a stranger without what could steer a terminal or turn a line around."""
    return "".join([each if each.isprintable() else ascii(each)[1:-1] for each in text])


def say(line: str) -> None:
    """Print a line. What the terminal's encoding lacks is written as an escape."""
    encoding = sys.stdout.encoding or "utf-8"
    print(line.encode(encoding, "backslashreplace").decode(encoding))


def give_up(line: str, code: int) -> int:
    """Print why on standard error. Returns the exit code."""
    print(f"cardroom: {_plain(line)}", file=sys.stderr)
    return code

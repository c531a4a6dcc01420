"""`cardroom deal-of-day FILE ROOT`: repeats the choice of a deal of the day, for an exported attempt at it.

Exit codes: 0 the root leads to this deal · 1 it leads to another one · 2 a wrong argument · 65 the file can't be read
or isn't an exported match · 69 the choice can't be repeated here. As `cardroom verify` does, it asks nobody.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bot.ops.verify import EXIT_ARGUMENT, EXIT_DATA, EXIT_UNCHECKED, EXIT_WRONG
from bot.play.deals.match_export import ExportedMatch, NotAnExportError, read
from bot.play.deals.sealing import deal_of
from bot.play.match_state import codec
from engines.deals import SEED_BYTES
from engines.players.deal_of_day import DayRequest, choose, program, seed_of
from engines.players.levels import LEVELS, PLAYERS


def run(file: str, root: str) -> int:
    """Repeat the choice from a root in hexadecimal; print what was found, and return the exit code."""
    try:
        secret = bytes.fromhex(root)
    except ValueError:
        secret = b""
    if len(secret) != SEED_BYTES:
        return _give_up(f"ROOT: {2 * SEED_BYTES} hexadecimal digits", EXIT_ARGUMENT)
    try:
        match = read(Path(file).read_bytes())
    except OSError as error:
        return _give_up(f"{file}: {error.strerror}", EXIT_DATA)
    except NotAnExportError as error:
        return _give_up(f"{file}: not an exported match: {error}", EXIT_DATA)
    game, level = match.row.game, _level(match)
    if game not in PLAYERS or level not in LEVELS[game]:
        return _give_up(f"{file}: not a match that this program can have chosen", EXIT_UNCHECKED)
    options = codec(game).decode(match.row.options)
    choice = choose(DayRequest(game, options, deal_of(match.row), level, secret))
    _say(f"program: {program(game, level)}")
    _say(f"choice: number {choice.count} of this root, of which a decent player wins {choice.worth / 10:.1f} %")
    if seed_of(secret, choice.count) != match.row.seed:
        _say("FAIL: it has another seed than this match. Compare the program with the one that `/daily` names.")
        return EXIT_WRONG
    _say("ok: it has the seed of this match.")
    return 0


def _level(match: ExportedMatch) -> str:
    """The level of the computers that a match was played with; empty where none has acted."""
    named = [record.computer for record in match.records if record.computer]
    return named[0].partition(" ")[0] if named else ""


def _give_up(text: str, code: int) -> int:
    sys.stderr.write(f"{text}\n")
    return code


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")

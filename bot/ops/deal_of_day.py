"""`cardroom deal-of-day FILE ROOT`: repeats the choice of a deal of the day, for an exported attempt at it.

Exit codes: 0 the root leads to this deal · 1 it leads to another one · 2 a wrong argument · 65 the file can't be read
or isn't an exported match · 69 the choice can't be repeated here. As `cardroom verify` does, it asks nobody, and `-`
is standard input.
"""

from __future__ import annotations

from bot.ops.verify import EXIT_ARGUMENT, EXIT_DATA, EXIT_UNCHECKED, EXIT_WRONG, UnreadableError, give_up, opened, say
from bot.play.deals.sealing import deal_of
from bot.play.match_state import codec
from bot.store.codec import CodecError
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
    except CodecError:
        return give_up(f"{file}: its options can't be read", EXIT_UNCHECKED)
    choice = choose(DayRequest(row.game, options, deal, level, secret))
    say(f"program: {program(row.game, level)}")
    say(f"choice: number {choice.count} of this root, of which a decent player wins {choice.worth / 10:.1f} %")
    if seed_of(secret, choice.count) != row.seed:
        say("FAIL: it has another seed than this match. Compare the program with the one that `/daily` names.")
        return EXIT_WRONG
    say("ok: it has the seed of this match.")
    return 0

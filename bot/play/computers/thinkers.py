"""Who answers for a computer's seat when its player fails: a rule of thumb, and at last any legal act."""

from __future__ import annotations

from bot.computers.rule_of_thumb import AnyLegalAct, RuleOfThumb
from bot.computers.thinker import Thinker
from bot.telemetry import Telemetry


def in_turn(thinker: Thinker, telemetry: Telemetry) -> tuple[Thinker, ...]:
    """Those to ask, one after the other, until the rules accept an answer.

    A thinker answers by rule of thumb itself if a player fails. But nobody checks its answer before the match does.
    """
    return thinker, RuleOfThumb(telemetry), AnyLegalAct()

"""What `/verify` says about a finished match: whether everything fits, part by part, and what was sealed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.games import game_title
from bot.play.deals.proof import Finding, Verdict
from bot.store.queries.matches import MatchRow, Result
from bot.ui.catalogue import Translations
from bot.ui.screen import Rule, Screen, Text, Tone
from cogs.proofs.screens import export_button, revealed_salts
from engines.deals import short_seal

PARTS: Final = ("seal", "options", "series", "salts", "deal", "acts", "log", "times", "end", "result")
"""The parts of a verdict, in the order in which they are shown."""


def verdict_screen(
    row: MatchRow,
    result: Result,
    verdict: Verdict,
    *,
    terms: Sequence[str],
    words: Translations,
    names: Sequence[str],
) -> Screen:
    """The verdict on a match. `terms` are its options in words, or as they are stored if its game is not installed."""
    game = game_title(row.game)
    has_seal = row.origin is None
    sealed = [
        words("verify.match", match=row.id, players=words("board.versus").join(names)),
        *(_sealed(row, verdict, words) if has_seal else [words("proof.later_seed", seed=row.seed.hex())]),
        words("proof.log", chain=result.chain.hex()),
        words("proof.game", game=row.game, version=row.rules_version),
        *(terms or (words("verify.defaults"),)),
    ]
    sections = (
        Text(words(f"verify.{_whole(verdict)}")),
        Text("\n".join(_lines(verdict, game, words))),
        Rule(),
        Text("\n".join(sealed)),
        Rule(),
        *(
            (revealed_salts(row, names, words), Rule(), Text(words("verify.check")))
            if has_seal
            else _origin(row, words)
        ),
    )
    title = words("verify.title" if has_seal else "verify.title_practice", game=game)
    return Screen(title, sections, ((export_button(words),),), tone=_tone(verdict))


def private_screen(row: MatchRow, result: Result, verdict: Verdict, words: Translations) -> Screen:
    """The verdict on a private match for those who may not see its cards: without its seed and salts."""
    game, seal = game_title(row.game), row.commitment
    has_seal = row.origin is None
    shown = [words("proof.seal", seal=seal.hex(), short=short_seal(seal))] if has_seal else []
    sections = (
        Text(words("match.private")),
        Rule(),
        Text("\n".join(_lines(verdict, game, words))),
        Rule(),
        Text("\n".join((*shown, words("proof.log", chain=result.chain.hex())))),
    )
    title = words("verify.title" if has_seal else "verify.title_practice", game=game)
    return Screen(title, sections, tone=_tone(verdict))


def _tone(verdict: Verdict) -> Tone:
    return Tone.GOOD if verdict.fits else Tone.BAD if verdict.is_wrong else Tone.MAIN


def _sealed(row: MatchRow, verdict: Verdict, words: Translations) -> list[str]:
    """The deal, its seal, and the seed that makes it."""
    return [
        words("proof.deal", deal=row.deal_id, when=f"<t:{verdict.sealed_at // 1000}:f>"),
        words("proof.seal", seal=row.commitment.hex(), short=short_seal(row.commitment)),
        words("proof.seed", seed=row.seed.hex()),
    ]


def _origin(row: MatchRow, words: Translations) -> tuple[Text, ...]:
    """Why a match that was begun from another one has no seal."""
    return () if row.origin is None else (Text(words("proof.practice", match=row.origin.match_id)),)


def _whole(verdict: Verdict) -> str:
    if verdict.fits:
        return "all_fits"
    if verdict.is_wrong:
        return "is_wrong"
    return "practice" if verdict.seal is None else "not_all"


def _lines(verdict: Verdict, game: str, words: Translations) -> list[str]:
    """A line for each part that fits or does not, then one for each reason why the others could not be checked."""
    lines: list[str] = []
    reasons: list[str] = []
    for part in PARTS:
        found: Finding | None = getattr(verdict, part)
        if found is Finding.FITS:
            lines.append(f"✓ {words(f'verify.fits.{part}')}")
        elif found is Finding.DOES_NOT_FIT:
            lines.append(f"✗ **{words(f'verify.wrong.{part}')}**")
        elif found is not None:
            reasons.append(f"? {words(f'verify.unchecked.{found}', game=game)}")
    return [*lines, *dict.fromkeys(reasons)]

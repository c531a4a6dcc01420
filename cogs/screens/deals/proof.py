"""The proof of a deal: what its seal binds, the salts, and after the match the seed. *Proof* shows it in private.

Before the end it says nothing that would tell the cards. The text of a salt is shown to its player alone until then.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

from bot.games import game_title
from bot.play.deals.salts import LONGEST, may_add_salt
from bot.store.rows import Invitation, MatchRow, Result, Salt
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Control, Form, Press, Rule, Screen, Section, Text, Tone
from cogs.screens.safe_names import plain_salt, safe_salt
from engines.deals import salt_digest, short_seal

EXPORTED: Final = "cardroom-{match}.json"
"""The name of an exported match's file."""


def proof_button(words: Translations) -> Button:
    """Opens the proof of a deal, for everybody who sees the message."""
    return Button(words("button.proof"), Press("proof"))


def export_button(words: Translations) -> Button:
    """Sends a finished match as a file."""
    return Button(words("button.export"), Press("export"))


def salt_form(words: Translations) -> Form:
    """Asks for a salt."""
    return Form(Press("salt"), words("salt.title"), words("salt.label"), words("salt.hint", most=LONGEST), LONGEST)


def invitation_proof(
    invitation: Invitation, words: Translations, name: Callable[[int], str], user_id: int, *, note: str = ""
) -> Screen:
    """The proof of an open invitation's deal, as a user reads it; with a button for those who may add a salt."""
    salts = dict(invitation.salts)
    players = tuple(dict.fromkeys((invitation.host_id, *invitation.seated)))
    waiting = tuple(user for user in invitation.invited if user not in players)
    lines = [_salt(name(user), _as_salt(salts.get(user)), words) for user in (*players, *waiting)]
    row: tuple[Control, ...] = (Button(words("button.salt"), Press("saltform"), Tone.MAIN),)
    return Screen(
        words("proof.title", game=game_title(invitation.game)),
        (
            *_noted(note),
            *_sealed(invitation, invitation.created_at, words),
            Rule(),
            *_salts(invitation, lines, salts.get(user_id), words),
        ),
        (row,) if may_add_salt(invitation, user_id) else (),
    )


def running_proof(
    row: MatchRow, sealed_at: int, words: Translations, names: Sequence[str], user_id: int, *, note: str = ""
) -> Screen:
    """The proof of a running match's deal, as a user reads it."""
    lines = [_salt(name, salt, words) for name, salt in zip(names, row.salts, strict=False)]
    own = dict(zip(row.seats, row.salts, strict=False)).get(user_id)
    sections = (
        *_noted(note),
        *_sealed(row, sealed_at, words),
        Rule(),
        *_salts(row, lines, own.text if own else None, words),
    )
    return Screen(words("proof.title", game=game_title(row.game)), sections)


def finished_proof(row: MatchRow, result: Result, sealed_at: int, words: Translations, names: Sequence[str]) -> Screen:
    """The proof of a finished match's deal: with its seed, the texts of its salts, and how to check it."""
    found = "\n".join(
        (
            words("proof.match", match=row.id),
            words("proof.seed", seed=row.seed.hex()),
            words("proof.log", chain=result.chain.hex()),
        )
    )
    sections = (
        Text(found),
        *_sealed(row, sealed_at, words),
        Rule(),
        *_salts(row, revealed_salts(row, names, words), None, words),
        Rule(),
        how_to_check(row.id, words),
    )
    title = words("proof.title", game=game_title(row.game))
    return Screen(title, sections, ((export_button(words),),))


def how_to_check(match_id: str, words: Translations) -> Text:
    """The three ways to check a finished match."""
    return Text(words("proof.check", match=match_id, file=EXPORTED.format(match=match_id)))


def revealed_salts(row: MatchRow, names: Sequence[str], words: Translations) -> list[str]:
    """A line for each seat of a finished match: its salt's text and hash."""
    return [_revealed(name, salt, words) for name, salt in zip(names, row.salts, strict=False)]


def _noted(note: str) -> tuple[Section, ...]:
    return (Text(f"**{note}**"),) if note else ()


def _sealed(sealed: Invitation | MatchRow, at: int, words: Translations) -> tuple[Section, ...]:
    """What the seal binds, and what that proves."""
    first = [
        words("proof.seal", seal=sealed.commitment.hex(), short=short_seal(sealed.commitment)),
        words("proof.deal", deal=sealed.deal_id or sealed.id, when=f"<t:{at // 1000}:f>"),
    ]
    if sealed.rules_version is None:
        first.append(words("proof.game_later", game=sealed.game))
    else:
        first.append(words("proof.game", game=sealed.game, version=sealed.rules_version))
    if sealed.deal_version > 1:
        first.append(words("proof.options", options=sealed.sealed_options))
    meaning = words("proof.meaning" if sealed.deal_version > 1 else "proof.meaning_before_salts")
    return Text("\n".join(first)), Text(meaning)


def _salts(
    sealed: Invitation | MatchRow, lines: Sequence[str], own: str | None, words: Translations
) -> tuple[Section, ...]:
    if sealed.deal_version == 1:
        return (Text(words("proof.no_salts")),)
    told = [words("proof.salts"), *lines]
    if own:
        told.append(words("proof.own_salt", salt=_shown(own, words)))
    return (Text("\n".join(told)),)


def _as_salt(text: str | None) -> Salt:
    return Salt(salt_digest(text or ""), text or "")


def _salt(name: str, salt: Salt, words: Translations) -> str:
    """A player's salt before the end: its hash."""
    if salt.text == "":
        return words("proof.salt_none", player=name)
    return words("proof.salt", player=name, hash=salt.digest.hex())


def _revealed(name: str, salt: Salt, words: Translations) -> str:
    if salt.text == "":
        return words("proof.salt_none", player=name)
    if salt.text is None:
        return words("proof.salt_deleted", player=name, hash=salt.digest.hex())
    return words("proof.salt_revealed", player=name, salt=_shown(salt.text, words), hash=salt.digest.hex())


def _shown(salt: str, words: Translations) -> str:
    """A salt's text, safe to show, with a word where it could not be shown as it is."""
    shown = safe_salt(salt)
    if not shown:
        return words("proof.invisible")
    if plain_salt(salt) != unicodedata.normalize("NFC", salt):
        return words("proof.partly_shown", salt=shown)
    return shown

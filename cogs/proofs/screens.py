"""The proof of a deal: what its seal binds, the salts, and after the match the seed. *Proof* shows it in private.

Before the end it says nothing that would tell the cards. The text of a salt is shown to its player alone until then.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from bot.games import game_title
from bot.play.deals.sealing import LONGEST, may_add_salt
from bot.play.live_match import LiveMatch
from bot.store.queries.invitations import Invitation, InvitationKind, Origin
from bot.store.queries.matches import MatchRow, Result, Salt
from bot.store.verification import terms_of
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Control, Form, Press, Rule, Screen, Section, Text, Tone, noted
from cogs.screens.presenter import Reader
from cogs.screens.safe_names import plain_salt, safe_salt
from engines.deals import salt_digest, short_seal


def invited_button(_invitation: Invitation, words: Translations, _user_id: int) -> tuple[Button, ...]:
    """Opens the proof of an invitation's deal, for everybody who sees the message."""
    return (Button(words("button.proof"), Press("proof")),)


def played_button(_match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """Opens the proof of a match's deal, for everybody who sees the message."""
    return (Button(reader.words("button.proof"), Press("proof")),)


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
    if invitation.origin is not None:
        return _without_proof(invitation.game, invitation.origin, words, note)
    salts = dict(invitation.salts)
    expected = invitation.invited if invitation.kind is InvitationKind.CHALLENGE else ()
    players = dict.fromkeys((*invitation.seated, *expected))
    lines = [_salt(name(user), _as_salt(salts.get(user)), words) for user in players]
    row: tuple[Control, ...] = (Button(words("button.salt"), Press("saltform"), Tone.MAIN),)
    return Screen(
        words("proof.title", game=game_title(invitation.game)),
        (*noted(note), *_explained(invitation, invitation.created_at, lines, salts.get(user_id), words)),
        (row,) if may_add_salt(invitation, user_id) else (),
    )


def running_proof(
    row: MatchRow, sealed_at: int, words: Translations, names: Sequence[str], user_id: int, *, note: str = ""
) -> Screen:
    """The proof of a running match's deal, as a user reads it."""
    if row.origin is not None:
        return _without_proof(row.game, row.origin, words, note)
    lines = [_salt(name, salt, words) for name, salt in zip(names, row.salts, strict=False)]
    own = dict(zip(row.seats, row.salts, strict=False)).get(user_id)
    sections = (*noted(note), *_explained(row, sealed_at, lines, own.text if own else None, words))
    return Screen(words("proof.title", game=game_title(row.game)), sections)


def finished_proof(row: MatchRow, result: Result, sealed_at: int, words: Translations, names: Sequence[str]) -> Screen:
    """The proof of a finished match's deal: with its seed, the texts of its salts, and how to check it."""
    if row.origin is not None:
        return _unsealed(row, row.origin, result, words)
    found = (
        words("proof.match", match=row.id),
        words("proof.seed", seed=row.seed.hex()),
        *_sealed(row, sealed_at, words),
        words("proof.log", chain=result.chain.hex()),
    )
    sections = (
        Text("\n".join(found)),
        Rule(),
        revealed_salts(row, names, words),
        Rule(),
        Text(f"{words('proof.check', match=row.id)}\n{words('verify.check')}"),
    )
    title = words("proof.title", game=game_title(row.game))
    return Screen(title, sections, ((export_button(words),),))


def _without_proof(game: str, origin: Origin, words: Translations, note: str = "") -> Screen:
    """Why a match that is begun from another one has nothing to prove."""
    sections = (*noted(note), Text(words("proof.practice", match=origin.match_id)))
    return Screen(words("proof.title_practice", game=game_title(game)), sections)


def _unsealed(row: MatchRow, origin: Origin, result: Result, words: Translations) -> Screen:
    """The same once the match is over: with the seed of its later draws, and its log."""
    found = (
        words("proof.match", match=row.id),
        words("proof.later_seed", seed=row.seed.hex()),
        words("proof.log", chain=result.chain.hex()),
    )
    sections = (Text(words("proof.practice", match=origin.match_id)), Rule(), Text("\n".join(found)))
    return Screen(words("proof.title_practice", game=game_title(row.game)), sections, ((export_button(words),),))


def revealed_salts(row: MatchRow, names: Sequence[str], words: Translations) -> Text:
    """The salts of a finished match: for each seat its text and hash."""
    lines = [_revealed(name, salt, words) for name, salt in zip(names, row.salts, strict=False)]
    return Text("\n".join((words("proof.salts_revealed"), *lines)))


def _sealed(sealed: Invitation | MatchRow, at: int, words: Translations) -> list[str]:
    """The seal, and what it binds."""
    return [
        words("proof.seal", seal=sealed.commitment.hex(), short=short_seal(sealed.commitment)),
        words("proof.deal", deal=sealed.deal_id, when=f"<t:{at // 1000}:f>"),
        words("proof.game", game=sealed.game, version=sealed.rules_version),
        words("proof.options", options=sealed.sealed_options),
        words("proof.terms", terms=terms_of(sealed.clock, sealed.stand_in, sealed.series)),
    ]


def _explained(
    sealed: Invitation | MatchRow, at: int, salts: Sequence[str], own: str | None, words: Translations
) -> tuple[Section, ...]:
    """A proof before the end: the seal and the salts, each with what it proves. `own` is the reader's salt."""
    told = [words("proof.salts"), *salts]
    if own:
        told.append(words("proof.own_salt", salt=_shown(own, words)))
    return (
        Text("\n".join(_sealed(sealed, at, words))),
        Rule(),
        Text(words("proof.meaning")),
        Rule(),
        Text("\n".join(told)),
    )


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

"""Deals as a test needs them: the same in every run, or sealed as they were before there was a version 2."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from bot.play.deals.sealing import SealedDeal, seal
from bot.play.matchmaking import inviting
from bot.store.rows.invitations import Invitation
from engines.deals import commitment_v1


def fixed_deals(monkeypatch: pytest.MonkeyPatch, seed: int | str) -> None:
    """Draw the ids and the seeds of invitations from a generator with this seed, so that every run deals alike.

    To be called before the first invitation.
    """
    rng = random.Random(seed)
    monkeypatch.setattr(random.SystemRandom, "choice", lambda _, letters: rng.choice(letters))
    monkeypatch.setattr(random.SystemRandom, "randbytes", lambda _, count: rng.randbytes(count))


def in_version_1(invitation: Invitation) -> Invitation:
    """An invitation as it would be if its deal had been sealed before there was a version 2."""
    return replace(
        invitation,
        commitment=commitment_v1(invitation.seed),
        deal_version=1,
        deal_id="",
        rules_version=None,
        sealed_options="",
        salts=(),
    )


def deals_of_version_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have new invitations sealed in version 1, as a bot of an earlier release sealed them."""
    monkeypatch.setattr(inviting, "seal", sealed_in_version_1)


def sealed_in_version_1(*values: Any) -> SealedDeal:
    """What `bot.play.deals.sealing.seal` made before there was a version 2."""
    seed = seal(*values).seed
    nothing: Any = None  # the row of an invitation has no rules version in version 1
    return SealedDeal(1, "", nothing, "", seed, commitment_v1(seed))

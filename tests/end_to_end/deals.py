"""Deals as a test needs them: the same in every run."""

from __future__ import annotations

import random

import pytest


def fixed_deals(monkeypatch: pytest.MonkeyPatch, seed: int | str) -> None:
    """Draw the ids and the seeds of invitations from a generator with this seed, so that every run deals alike.

    To be called before the first invitation.
    """
    rng = random.Random(seed)
    monkeypatch.setattr(random.SystemRandom, "choice", lambda _, letters: rng.choice(letters))
    monkeypatch.setattr(random.SystemRandom, "randbytes", lambda _, count: rng.randbytes(count))

"""How long a test waits for another process before it fails."""

from __future__ import annotations

from typing import Final

PATIENCE: Final = 600
"""Seconds. What never ends fails its test. A busy machine fails none, so this is far above any real wait."""

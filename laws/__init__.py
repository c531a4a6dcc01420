"""The laws that every game keeps: the games here, and those of other packages.

`laws.case` describes a game to the laws, and `laws.suite` runs them under pytest. The laws are not needed to play:
install them with the extra `laws`.
"""

import pytest

pytest.register_assert_rewrite(  # so that a broken law shows the values that broke it
    *(f"laws.{module}" for module in ("absence", "buttons", "engine", "limits", "play", "secrecy", "suite"))
)

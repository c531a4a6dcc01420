"""What a test knows to be there."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def there(found: T | None) -> T:
    """What was found. It is an error if nothing was."""
    assert found is not None
    return found

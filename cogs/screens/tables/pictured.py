"""What a presenter adds if its game has pictures of the table. Games of other packages may do without."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, TypeAlias

from bot.art.layout import TableLayout
from engines.game import Private

Known: TypeAlias = Sequence[Private[Any, Any] | None]
"""What a reader may know of each seat beyond what everybody does; None for nothing."""


class Pictured(ABC):
    """A presenter of a game whose cards have pictures; its boards have a button that shows the table."""

    @abstractmethod
    def picture(self, public: Any, known: Known) -> TableLayout:
        """Where everything lies, as one reader may see it.

        What is in it, and in which order, may depend only on these observations. Winners are marked elsewhere.
        """

"""A file of which a power cut loses something: what the processes see, what the disk has, and what is between them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

SECTOR = 512
"""Bytes that a disk writes whole or not at all."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change to a file: bytes written at an offset, or, with `length`, the end moved there. `length=None` and no
    bytes at a negative offset is a deletion."""

    offset: int
    data: bytes = b""
    length: int | None = None

    def applied(self, to: bytearray | None) -> bytearray | None:
        """The file afterwards; None is a file that is not there."""
        if self.offset < 0:
            return None
        content = bytearray() if to is None else to
        if self.length is not None:
            del content[self.length :]
            content.extend(bytes(self.length - len(content)))
            return content
        if len(content) < self.offset:
            content.extend(bytes(self.offset - len(content)))
        content[self.offset : self.offset + len(self.data)] = self.data
        return content

    def torn(self, chance: Random) -> Change:
        """The same write of which only the first sectors came through, if it has several."""
        if len(self.data) <= SECTOR:
            return self
        return replace(self, data=self.data[: SECTOR * chance.randrange((len(self.data) - 1) // SECTOR + 1)])


DELETION = Change(-1)


@dataclass(slots=True)
class VolatileFile:
    """A file on a disk with a cache. Nothing is sure until it is synchronised, nor then if the disk lies."""

    seen: bytearray | None
    """What the processes see, as the system's cache has it; None while there is no such file."""
    durable: bytearray | None
    """What is on the disk for sure."""
    pending: list[Change] = field(default_factory=list)
    """What came since, in order. A power cut keeps any part of it."""

    @classmethod
    def of(cls, content: bytes | None) -> VolatileFile:
        """A file that is completely on the disk."""
        if content is None:
            return cls(None, None)
        return cls(bytearray(content), bytearray(content))

    def copy(self) -> VolatileFile:
        """The same at this moment."""
        return VolatileFile(_copied(self.seen), _copied(self.durable), list(self.pending))

    def change(self, change: Change) -> None:
        """Change what the processes see; the disk follows when it likes."""
        self.seen = change.applied(self.seen)
        self.pending.append(change)

    def synchronise(self) -> None:
        """All of it is on the disk now."""
        for change in self.pending:
            self.durable = change.applied(self.durable)
        self.pending.clear()

    def fail_to_synchronise(self, chance: Random) -> None:
        """The disk failed. Each change came through or is lost for ever: Linux takes its pages for clean afterwards, so
        a later success writes none of them (Rebello and others, "Can Applications Recover from fsync Failures?", 2020).
        """
        for change in self.pending:
            if chance.random() < 0.5:
                self.durable = change.applied(self.durable)
        self.pending.clear()

    def after_power_cut(self, chance: Random) -> bytes | None:
        """What the next start finds: a part of what came since, the last of it torn.

        As many disks write in another order than they were told to, half of the cuts keep any of the changes instead
        of the first ones.
        """
        content = _copied(self.durable)
        kept = [change for change in self.pending if chance.random() < 0.5]
        if chance.random() < 0.5:
            kept = self.pending[: chance.randint(0, len(self.pending))]
        for change in kept[:-1]:
            content = change.applied(content)
        if kept:
            content = kept[-1].torn(chance).applied(content)
        return None if content is None else bytes(content)


def _copied(content: bytearray | None) -> bytearray | None:
    return None if content is None else bytearray(content)

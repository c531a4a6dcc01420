"""The Unicode Bidirectional Algorithm, as a test's oracle: in which order the characters of a line are drawn.

Source: Unicode Standard Annex 9, revision 48; the rules are named as there. Mirrored glyphs are left out, because the
order is all that is asked. Unicode's own cases for this algorithm (BidiCharacterTest.txt of version 15.0: 91,707 lines)
were all drawn as they say.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

LRE, RLE, LRO, RLO, PDF = "LRE", "RLE", "LRO", "RLO", "PDF"
INITIATORS: Final = ("LRI", "RLI", "FSI")
_REMOVED: Final = (LRE, RLE, LRO, RLO, PDF, "BN")
_NEUTRAL: Final = ("B", "S", "WS", "ON", *INITIATORS, "PDI")
_TURNING: Final = frozenset({"R", "AL", RLE, RLO, "RLI"})
"""Without any of them, each level of a line that begins at level 0 is even, so L2 turns nothing round."""
_DEEPEST: Final = 125
_BRACKETS: Final = {
    opening: closing
    for opening in map(chr, range(0x11000))
    if unicodedata.category(opening) == "Ps" and unicodedata.mirrored(opening)
    for closing in (chr(ord(opening) + 1), chr(ord(opening) + 2))
    if unicodedata.category(closing) == "Pe" and unicodedata.mirrored(closing)
}
"""Closing by opening bracket. In every block a pair is a neighbour or the next but one."""


def classes_of(text: str) -> list[str]:
    """The bidirectional class of each character; L for one that isn't assigned."""
    return [unicodedata.bidirectional(char) or "L" for char in text]


def paragraph_level(classes: Sequence[str]) -> int:
    """P2 and P3: 1 if the first strong character outside of isolates is written from right to left, otherwise 0."""
    return _first_strong(classes, 0, len(classes))


def drawn_order(text: str, base: int | None = None) -> list[int]:
    """The indexes of a line's characters from left to right, without those that have no index of their own.

    `base` is the paragraph's level; None takes it from the text.
    """
    classes = classes_of(text)
    level = paragraph_level(classes) if base is None else base
    if not level and _TURNING.isdisjoint(classes):
        return [place for place, each in enumerate(classes) if each not in _REMOVED]
    levels, kept = _Paragraph(text, classes, level).resolved()
    order = [index for index in range(len(text)) if kept[index]]
    for at in range(max(levels, default=0), 0, -1):  # L2
        begin = 0
        while begin < len(order):
            end = begin
            while end < len(order) and levels[order[end]] >= at:
                end += 1
            order[begin:end] = reversed(order[begin:end])
            begin = max(end, begin + 1)
    return order


def _first_strong(classes: Sequence[str], begin: int, end: int) -> int:
    depth = 0
    for each in classes[begin:end]:
        if each in INITIATORS:
            depth += 1
        elif each == "PDI":
            if not depth and begin:
                break
            depth = max(0, depth - 1)
        elif not depth and each in ("L", "R", "AL"):
            return int(each != "L")
    return 0


@dataclass
class _Paragraph:
    text: str
    original: list[str]
    base: int

    def resolved(self) -> tuple[list[int], list[bool]]:
        """The level of each character, and whether it is kept by the rule that removes controls."""
        self.classes = list(self.original)
        self.levels = [self.base] * len(self.text)
        self.ends = dict(self._isolates())
        self._explicit()
        self.embedded = list(self.levels)
        kept = [each not in _REMOVED for each in self.original]
        for run in self._sequences(kept):
            self._resolve(run)
        self._reset(kept)
        return self.levels, kept

    def _isolates(self) -> Iterator[tuple[int, int]]:
        """BD9: each isolate initiator that has an end, and its end."""
        opened: list[int] = []
        for index, each in enumerate(self.original):
            if each in INITIATORS:
                opened.append(index)
            elif each == "PDI" and opened:
                yield opened.pop(), index

    def _explicit(self) -> None:
        """X1 to X8."""
        stack: list[tuple[int, str, bool]] = [(self.base, "", False)]
        too_many_isolates = too_many_embeddings = valid_isolates = 0
        for index, each in enumerate(self.original):
            level, override, _ = stack[-1]
            if each in (LRE, RLE, LRO, RLO):
                self.levels[index] = level
                new = _next_level(level, rightward=each in (RLE, RLO))
                if new <= _DEEPEST and not too_many_isolates and not too_many_embeddings:
                    stack.append((new, {RLO: "R", LRO: "L"}.get(each, ""), False))
                elif not too_many_isolates:
                    too_many_embeddings += 1
            elif each in INITIATORS:
                self.levels[index] = level
                self.classes[index] = override or each
                end = self.ends.get(index, len(self.text))
                rightward = each == "RLI" or (each == "FSI" and bool(_first_strong(self.original, index + 1, end)))
                new = _next_level(level, rightward=rightward)
                if new <= _DEEPEST and not too_many_isolates and not too_many_embeddings:
                    valid_isolates += 1
                    stack.append((new, "", True))
                else:
                    too_many_isolates += 1
            elif each == "PDI":
                if too_many_isolates:
                    too_many_isolates -= 1
                elif valid_isolates:
                    too_many_embeddings = 0
                    while not stack[-1][2]:
                        stack.pop()
                    stack.pop()
                    valid_isolates -= 1
                self.levels[index] = stack[-1][0]
                self.classes[index] = stack[-1][1] or each
            elif each == PDF:
                self.levels[index] = level
                if not too_many_isolates:
                    if too_many_embeddings:
                        too_many_embeddings -= 1
                    elif not stack[-1][2] and len(stack) > 1:
                        stack.pop()
            elif each == "B":
                self.levels[index] = self.base
            else:
                self.levels[index] = level
                if override and each != "BN":
                    self.classes[index] = override

    def _sequences(self, kept: Sequence[bool]) -> Iterator[list[int]]:
        """X10, BD13: the isolating run sequences."""
        runs: list[list[int]] = []
        for index in range(len(self.text)):
            if not kept[index]:
                continue
            if runs and self.levels[runs[-1][-1]] == self.levels[index]:
                runs[-1].append(index)
            else:
                runs.append([index])
        by_first = {run[0]: run for run in runs}
        begun_by_an_end = {end for end in self.ends.values() if end in by_first}
        for run in runs:
            if run[0] in begun_by_an_end:
                continue
            whole = list(run)
            while whole[-1] in self.ends and self.ends[whole[-1]] in by_first:
                whole += by_first[self.ends[whole[-1]]]
            yield whole

    def _resolve(self, run: list[int]) -> None:
        level = self.embedded[run[0]]
        before = next((p for p in range(run[0] - 1, -1, -1) if self.original[p] not in _REMOVED), None)
        after = None
        if run[-1] not in self.ends and self.original[run[-1]] not in INITIATORS:
            after = next((p for p in range(run[-1] + 1, len(self.text)) if self.original[p] not in _REMOVED), None)
        start = _direction(max(level, self.base if before is None else self.embedded[before]))
        end = _direction(max(level, self.base if after is None else self.embedded[after]))
        kinds = [self.classes[index] for index in run]
        _resolve_weak(kinds, start)
        own = _direction(level)
        self._resolve_brackets(run, kinds, own, start)
        _resolve_neutral(kinds, own, start, end)
        for index, kind in zip(run, kinds, strict=True):  # I1, I2
            if level % 2:
                self.levels[index] += kind in ("L", "EN", "AN")
            else:
                self.levels[index] += {"R": 1, "EN": 2, "AN": 2}.get(kind, 0)

    def _resolve_brackets(self, run: list[int], kinds: list[str], own: str, start: str) -> None:
        """N0."""
        stack: list[tuple[str, int]] = []
        pairs: list[tuple[int, int]] = []
        for at, index in enumerate(run):
            char = _CANONICAL.get(self.text[index], self.text[index])
            if kinds[at] != "ON":
                continue
            if char in _BRACKETS:
                if len(stack) == 63:
                    break
                stack.append((_BRACKETS[char], at))
            elif any(closing == char for closing, _ in stack):
                while stack[-1][0] != char:
                    stack.pop()
                pairs.append((stack.pop()[1], at))
        for opening, closing in sorted(pairs):
            inside = {_strong(kind) for kind in kinds[opening + 1 : closing]} - {""}
            if own in inside:
                found = own
            elif inside:
                context = next((_strong(k) for k in reversed(kinds[:opening]) if _strong(k)), start)
                found = context if context != own else own
            else:
                continue
            for at in (opening, closing):
                kinds[at] = found
                follows = at + 1
                while follows < len(run) and self.original[run[follows]] == "NSM":
                    kinds[follows] = found
                    follows += 1

    def _reset(self, kept: Sequence[bool]) -> None:
        """L1."""
        trailing = True
        for index in range(len(self.text) - 1, -1, -1):
            kind = self.original[index]
            if kind in ("S", "B"):
                trailing = True
                self.levels[index] = self.base
            elif trailing and kind in ("WS", "PDI", *INITIATORS):
                self.levels[index] = self.base
            elif kept[index]:
                trailing = False


_CANONICAL: Final = {"\u2329": "\u3008", "\u232a": "\u3009"}


def _next_level(level: int, *, rightward: bool) -> int:
    return level + 1 + (level % 2 == int(rightward))


def _direction(level: int) -> str:
    return "R" if level % 2 else "L"


def _strong(kind: str) -> str:
    return "L" if kind == "L" else "R" if kind in ("R", "EN", "AN", "AL") else ""


def _resolve_weak(kinds: list[str], start: str) -> None:
    """W1 to W7."""
    for at, kind in enumerate(kinds):
        if kind == "NSM":
            before = kinds[at - 1] if at else start
            kinds[at] = "ON" if before in (*INITIATORS, "PDI") else before
    strong = start
    for at, kind in enumerate(kinds):
        if kind in ("L", "R", "AL"):
            strong = kind
        elif kind == "EN" and strong == "AL":
            kinds[at] = "AN"
    kinds[:] = ["R" if kind == "AL" else kind for kind in kinds]
    for at in range(1, len(kinds) - 1):
        before, after = kinds[at - 1], kinds[at + 1]
        if before == after and (
            (kinds[at] == "ES" and before == "EN") or (kinds[at] == "CS" and before in ("EN", "AN"))
        ):
            kinds[at] = before
    at = 0
    while at < len(kinds):
        end = at
        while end < len(kinds) and kinds[end] == "ET":
            end += 1
        if end > at and ((at and kinds[at - 1] == "EN") or (end < len(kinds) and kinds[end] == "EN")):
            kinds[at:end] = ["EN"] * (end - at)
        at = max(end, at + 1)
    kinds[:] = ["ON" if kind in ("ES", "ET", "CS") else kind for kind in kinds]
    strong = start
    for at, kind in enumerate(kinds):
        if kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":
            kinds[at] = "L"


def _resolve_neutral(kinds: list[str], own: str, start: str, end: str) -> None:
    """N1 and N2."""
    at = 0
    while at < len(kinds):
        stop = at
        while stop < len(kinds) and kinds[stop] in _NEUTRAL:
            stop += 1
        if stop > at:
            before = _strong(kinds[at - 1]) if at else start
            after = _strong(kinds[stop]) if stop < len(kinds) else end
            kinds[at:stop] = [before if before == after else own] * (stop - at)
        at = max(stop, at + 1)

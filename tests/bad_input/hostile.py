"""What hostile hands write: texts and values for any place that takes one."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

TEXTS = (
    "",
    " ",
    "\0",
    "nul\0in the middle",
    "\u202eback to front\u202c\u2066",
    "\u200b\u200d\ufeff\u2060",
    "Z" + "\u0351\u0352\u0353\u0354\u0355" * 40,
    "@everyone",
    "@here",
    "<@&1>",
    "<@1> <#1> </help:1> <t:0:R>",
    "# heading\n- list\n> quote",
    "[x](https://evil.example) https://evil.example",
    "**`||~~__*_\\",
    "'; DROP TABLE matches; --",
    '" OR "1"="1',
    "%s %n {0} {key} {__class__}",
    "../../etc/passwd",
    "g1:help:0:forget",
    "null",
    "true",
    "-1",
    "0x10",
    "1e9",
    "٣",
    "²",
    "9" * 30,
    "9" * 5000,
    "A" * 6000,
    "👩‍👩‍👧‍👦" * 50,
)

texts = st.one_of(st.sampled_from(TEXTS), st.text(max_size=120))

ints = st.one_of(st.sampled_from((0, -1, 1, 2**31, 2**53, 2**63, -(2**63))), st.integers(-(2**63), 2**64 - 1))
"""As far as the wire's JSON goes."""

values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), ints, st.floats(allow_nan=False, allow_infinity=False), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=4,
)
"""Whatever JSON can hold."""

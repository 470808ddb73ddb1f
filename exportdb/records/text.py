"""Text and numbers that every file can hold: where they enter a record, and where JSON is written.

A text of an operating system may hold half a character (a lone surrogate), which no UTF-8 file can;
a float may be no number, which is no JSON. Owns what stands for them instead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec


def legible(text: str) -> str:
    r"""``text`` with what is no character of Unicode written as an escape.

    >>> print(legible("caf\udce9.so"))
    caf\udce9.so
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def plain(value: Any) -> Any:
    """``value`` as data that JSON can hold: texts are legible, and so are the keys of mappings.

    A float that is no number becomes its name, a set or tuple a list, and anything else its text.

    >>> plain({1: (float("nan"), {"x"})})
    {'1': ['nan', ['x']]}
    """
    if isinstance(value, str):
        return legible(str(value))
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {legible(str(k)): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(v) for v in value]
    return legible(str(value))


def encode(data: Any) -> bytes:
    """JSON-ready data or a structure as one line of JSON, without the end of the line.

    It never fails on what a text holds; a float that is no number becomes null.
    """
    try:
        return msgspec.json.encode(data)
    except UnicodeEncodeError:
        return msgspec.json.encode(plain(msgspec.to_builtins(data)))

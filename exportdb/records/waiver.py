"""When a waiver ends: what ``until`` of an expectation says, as a date or a version of torch.

Owns the form of the text and whether it has ended. Where it is kept is said by ``expectation``,
what follows from it by ``verdict``.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import Any

_TORCH = re.compile(r"torch (\d+)\.(\d+)")


def mistake(until: str) -> str:
    """What is wrong with a text; "" for one that can be read."""
    if _TORCH.fullmatch(until):
        return ""
    try:
        datetime.date.fromisoformat(until)
    except ValueError:
        return f"{until!r} is neither a date like 2027-01-31 nor a version like torch 2.16"
    return ""


def ended(until: str, torch: str, today: datetime.date | None = None) -> bool:
    """Whether it is over: after that day, or from that version of torch on.

    >>> [ended("torch 2.16", torch) for torch in ("2.15.1", "2.16.0a0+git12", "2.100")]
    [False, True, True]
    >>> [ended("2027-01-31", "2.15", datetime.date(2027, *day)) for day in ((1, 31), (2, 1))]
    [False, True]
    """
    if found := _TORCH.fullmatch(until):
        major, minor = torch.split(".")[:2]
        return (int(major), int(minor)) >= (int(found[1]), int(found[2]))
    return (today or datetime.date.today()) > datetime.date.fromisoformat(until)


def in_words(value: Mapping[str, Any]) -> str:
    """One line on a waiver that has ended, from the keys of an expectation."""
    note = f'"{value["note"]}"' if value.get("note") else "for this result"
    waiver = value.get("issue") or note
    at = "with" if value["until"].startswith("torch") else "on"
    return f"the waiver {waiver} ended {at} {value['until']}"

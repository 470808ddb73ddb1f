"""How a site is built, and where to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

#: Told of each step: a sentence.
Say = Callable[[str], None]


@dataclass(frozen=True)
class SiteOptions:
    """Where the site goes and how it is built.

    ``state`` is remembered between builds; ``url`` is the address that the site will have, "" if
    nobody knows; ``repository`` that of the code, see :func:`exportdb.site.addresses.source`;
    ``strict`` makes warnings errors; ``issues`` is the page on which issues are opened.
    """

    out: Path
    state: Path
    jobs: int = 1
    url: str = ""
    strict: bool = False
    repository: str = ""
    issues: str = ""

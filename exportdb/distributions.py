"""The name and the version of an installed distribution, without the parser of e-mails.

``importlib.metadata`` has the whole METADATA file parsed as an e-mail for each of them, and its
import alone takes as long as a command that only reads may. The names of folders say as much of
most; of the others only the first lines of the file are looked at.
"""

from __future__ import annotations

import contextlib
import os
import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import Distribution

#: Lines of METADATA among which the name and the version stand.
_FIRST = 20


def normal(name: str) -> str:
    """The name of a distribution, spelt so that it can be compared."""
    return name.lower().replace("_", "-").replace(".", "-")


def installed_distributions() -> dict[str, str]:
    """Every distribution on this interpreter's path with its version, by the names of folders."""
    return _installed_in(tuple(sys.path))


@cache
def _installed_in(path: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for folder in path:
        with contextlib.suppress(OSError):
            for entry in os.listdir(folder or "."):  # noqa: PTH208  # a hundred times faster
                stem, _, kind = entry.rpartition(".")
                if kind in ("dist-info", "egg-info"):
                    name, _, version = stem.partition("-")
                    found.setdefault(normal(name), version.partition("-")[0])
    return found


def installed_version(name: str) -> str | None:
    """The version of an installed distribution, or None."""
    if version := installed_distributions().get(normal(name)):
        return version
    from importlib import metadata

    try:
        return name_and_version(metadata.distribution(name))[1]
    except metadata.PackageNotFoundError:
        return None


def name_and_version(distribution: Distribution) -> tuple[str, str]:
    """What the distribution is called and which version it has."""
    text = distribution.read_text("METADATA") or distribution.read_text("PKG-INFO") or ""
    header: dict[str, str] = {}
    for line in text.splitlines()[:_FIRST]:
        key, colon, value = line.partition(":")
        if not colon:
            break
        header.setdefault(key.lower(), value.strip())
    if header.get("name") and header.get("version"):
        return header["name"], header["version"]
    return distribution.name, distribution.version

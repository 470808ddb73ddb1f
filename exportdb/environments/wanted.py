"""What an environment must hold: the requirements of an exporter, and ours.

Owns what is compared and digested. Nothing here makes or looks for an environment.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from typing import TYPE_CHECKING

from exportdb.distributions import installed_version
from exportdb.records.record import digest

if TYPE_CHECKING:  # importing it takes longer than most reports, and few exporters require anything
    from packaging.requirements import Requirement


class EnvironmentTrouble(Exception):
    """An environment that cannot be made or used: what is wrong with which package, what to do."""


@dataclass(frozen=True)
class Wanted:
    """The environment that ``requirements`` (specifiers as pip takes them, sorted) ask for.

    ``ours`` are the requirements of exportdb itself, without which no interpreter can examine;
    ``python`` is the interpreter that it is made with.
    """

    requirements: tuple[str, ...]
    ours: tuple[str, ...]
    python: str = sys.executable

    @cached_property
    def name(self) -> str:
        """What it is called and found by: a digest of all that decides what it will hold."""
        facts = (
            *self.requirements, "", *self.ours, platform.python_implementation(),
            platform.python_version(), sys.platform, platform.machine(),
        )  # fmt: skip
        return digest("\n".join(facts))

    @property
    def all(self) -> tuple[str, ...]:
        """Everything that is to be installed."""
        return (*self.ours, *self.requirements)


def wanted(requirements: Iterable[str], torch: str | None = None) -> Wanted:
    """The environment for these requirements.

    Where they name no torch, it gets the version ``torch``, by default the one installed here: an
    exporter is compared with the others on the same torch unless it says otherwise. Raises
    EnvironmentTrouble for a requirement that cannot be read.
    """
    given = sorted({str(parsed(r)) for r in requirements})
    torch = torch or installed_version("torch")
    if torch is not None and "torch" not in map(name_of, given):
        given = [*given, f"torch=={_spelled(torch)}"]
    return Wanted(tuple(given), _ours())


def unmet(requirements: Iterable[str]) -> tuple[str, ...]:
    """Those of ``requirements`` that this interpreter's packages do not meet.

    One that names a file or a URL counts as met where its distribution is installed. Raises
    EnvironmentTrouble.
    """
    return tuple(r for r in requirements if not _met(parsed(r)))


def name_of(requirement: str) -> str:
    """The distribution that a requirement is about. Raises EnvironmentTrouble."""
    from packaging.utils import canonicalize_name

    return canonicalize_name(parsed(requirement).name)


def parsed(requirement: str) -> Requirement:
    """A requirement that was read. Raises EnvironmentTrouble."""
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        return Requirement(requirement)
    except InvalidRequirement as e:
        line = str(e).partition("\n")[0]
        raise EnvironmentTrouble(
            f"{requirement!r} is not a requirement ({line}); write it as pip takes it, like a==1.2"
        ) from None


def _met(requirement: Requirement) -> bool:
    if requirement.marker is not None and not requirement.marker.evaluate():
        return True
    version = installed_version(requirement.name)
    return version is not None and requirement.specifier.contains(version, prereleases=True)


def _spelled(version: str) -> str:
    """``2.13`` as ``2.13.*``, ``2.13.0+cpu`` as ``2.13.0``: a local build is nobody else's."""
    from packaging.version import Version

    parts = version.split("+")[0]
    return parts if len(Version(parts).release) > 2 else f"{parts}.*"


def _ours() -> tuple[str, ...]:
    """What exportdb needs to examine: its dependencies, with those of its extra ``torch``."""
    try:
        listed = metadata.requires("exportdb") or []
    except metadata.PackageNotFoundError:
        raise EnvironmentTrouble(
            "exportdb is not installed here, so what it needs is not known; pip install exportdb"
        ) from None
    found = []
    for text in listed:
        requirement = parsed(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": "torch"}):
            requirement.marker = None
            found.append(str(requirement))
    return tuple(sorted(found))

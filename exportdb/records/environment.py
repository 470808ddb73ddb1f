"""The environment of a run as data: what, besides case and exporter, a result hangs on.

Owns the fields, their digest and how they are read from the installed distributions. It imports
no torch: versions come from package metadata, and the accelerator's name from whoever used it.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated

import exportdb
from exportdb.cases.data import Data, says
from exportdb.distributions import installed_version
from exportdb.records.record import digest
from exportdb.records.switches import Switches


class Environment(Data, frozen=True, dict=True):
    """Where examinations ran."""

    torch: Annotated[str | None, says("Version of torch; null when it is not installed.")]
    python: Annotated[str, says("Version of the Python interpreter.")]
    implementation: Annotated[str, says("Kind of the Python interpreter, such as CPython.")]
    platform: Annotated[str, says("System and machine, such as Linux-x86_64.")]
    packages: Annotated[
        Mapping[str, str],
        says("Versions of numpy and of the distributions that exporters name, where installed."),
    ] = {}
    accelerator: Annotated[
        str | None, says("The hardware's own name, when a device that has one was used.")
    ] = None
    switches: Annotated[
        Switches, says("Switches that were not at their defaults, such as `deterministic`.")
    ] = ()
    exportdb: Annotated[str, says("Version of exportdb.")] = exportdb.__version__

    @cached_property
    def digest(self) -> str:
        """Sixteen hex digits that name this environment: ``env`` in its records."""
        return digest(json.dumps(self.to_json(), sort_keys=True))


def environment(
    packages: Iterable[str] = (), accelerator: str | None = None, switches: Switches = ()
) -> Environment:
    """The environment of this interpreter.

    ``packages`` are the distributions, besides torch and numpy, whose versions decide results.
    """
    names = sorted({"numpy", *packages} - {"torch"})
    versions = {name: version for name in names if (version := installed_version(name))}
    return Environment(
        torch=installed_version("torch"),
        python=platform.python_version(),
        implementation=platform.python_implementation(),
        platform=f"{_SYSTEMS.get(sys.platform, sys.platform)}-{platform.machine()}",
        packages=versions,
        accelerator=accelerator,
        switches=switches,
    )


_SYSTEMS = {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}

"""The environment of a run as data: what, besides case and exporter, a result hangs on.

Owns the fields, their digest and how they are read from the installed distributions. It imports
no torch: versions come from package metadata, and the accelerator's name from whoever used it.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from importlib import metadata
from typing import Any

import exportdb
from exportdb.records.record import digest
from exportdb.records.switches import Switches


@dataclass(frozen=True)
class Environment:
    """Where examinations ran.

    ``torch`` is None when torch is not installed. ``python`` is the interpreter's version,
    ``implementation`` its kind (``CPython``); ``platform`` is system and machine
    (``Linux-x86_64``). ``packages`` maps the other distributions that decide results (numpy, what
    exporters name) to their versions; one that is not installed is left out. ``accelerator`` is
    the hardware's own name when a device that has one was used. ``switches`` are those of
    ``exportdb.records.switches`` that were not at their defaults.
    """

    torch: str | None
    python: str
    implementation: str
    platform: str
    packages: Mapping[str, str] = field(default_factory=dict)
    accelerator: str | None = None
    switches: Switches = ()
    exportdb: str = exportdb.__version__

    @cached_property
    def digest(self) -> str:
        """Sixteen hex digits that name this environment: ``env`` in its records."""
        return digest(json.dumps(asdict(self), sort_keys=True))

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON-ready data."""
        return asdict(self)

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Environment:
        """Rebuild an environment from :meth:`to_json` data; other keys are an error (TypeError)."""
        return Environment(**{**data, "switches": tuple(data.get("switches", ()))})


def installed_version(distribution: str) -> str | None:
    """The version of an installed distribution, or None."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


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

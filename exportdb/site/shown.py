"""The model that a Sphinx project shows: read once in a process, from what its settings name."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

from exportdb.site.load import Inputs, load
from exportdb.site.model import Site


def inputs(app: Sphinx) -> Inputs:
    """What the project's configuration names; paths are relative to its ``conf.py``."""
    config, base = app.config, Path(app.confdir)
    own = config.exportdb_expectations
    return Inputs(
        records=tuple(base / p for p in config.exportdb_records),
        trees=tuple(base / p for p in config.exportdb_cases),
        expectations=base / own if own else None,
        builtin=config.exportdb_builtin,
    )


#: The model that was read last in this process, and what from.
_read: dict[Inputs, Site] = {}


def provide(inputs: Inputs, site: Site) -> None:
    """Let the directives show a model that has been read already."""
    _read.clear()
    _read[inputs] = site


def site(app: Sphinx) -> Site:
    """The model that this project's directives show. Raises as :func:`load` does."""
    wanted = inputs(app)
    if wanted not in _read:
        provide(wanted, load(wanted))
    return _read[wanted]


def forget(_app: Sphinx, config: Config) -> None:
    """Read again what a build before this one in the same process has read, unless it is ours."""
    if not config.exportdb_provided:
        _read.clear()

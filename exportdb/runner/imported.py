"""What was imported for a result: files of nobody's distribution, and distributions.

Owns noting it in the process that imported it, and telling elsewhere whether it is still so. A
result hangs on all of it: a plug-in is seldom one file. The standard library is left out (the
environment names the version of Python), and so are exportdb itself (the key of a result has the
digest of its sources) and what was only written to be imported (scratch, compiled kernels). What a
plug-in reads and runs by itself, with ``exec`` or as a table of settings, is not known here.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import sysconfig
from collections.abc import Callable, Mapping
from functools import cache, wraps
from importlib import machinery, metadata
from pathlib import Path
from typing import Any
from zipimport import zipimporter

import exportdb
from exportdb.cases.data import Data
from exportdb.distributions import installed_distributions, normal
from exportdb.runner import kept_code

#: What the names of modules begin with that are cases: each has a digest of its own.
CASE = "exportdb_case_"
#: Folders in which distributions are installed.
_INSTALLED = ("/site-packages/", "/dist-packages/")
#: Variables that name folders for what is written during an examination: a worker's scratch, and
#: compiled code.
_WRITTEN = ("TMPDIR", kept_code.INDUCTOR, kept_code.PACKAGES)


class Imported(Data, frozen=True):
    """``files`` are paths with the digests of what they held; ``distributions`` have versions."""

    files: Mapping[str, str] = {}
    distributions: Mapping[str, str] = {}

    def holds(self, installed: Mapping[str, str]) -> bool:
        """Whether all of it is still the same, where these distributions are installed."""
        return all(installed.get(n) == v for n, v in self.distributions.items()) and all(
            digest_of_file(path) == known for path, known in self.files.items()
        )


_loaded: list[tuple[str, str]] = []  # modules and their files, as they were loaded
_seen: set[str] = set()  # names of modules
_files: dict[str, str] = {}
_distributions: dict[str, str] = {}


@cache
def note_loading() -> None:
    """From now on note what is loaded in this process: a module need not stand in ``sys.modules``,
    nor stay there."""
    for loader in (machinery.SourceFileLoader, machinery.SourcelessFileLoader, zipimporter):
        loader.get_code = _noting(loader.get_code)  # type: ignore[method-assign]
    native = machinery.ExtensionFileLoader
    native.create_module = _noting(native.create_module)  # type: ignore[method-assign]


def _noting(step: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(step)
    def noted(loader: Any, module: Any) -> Any:
        with contextlib.suppress(Exception):  # whoever loads it is told what is wrong with it
            name = getattr(module, "name", module)
            _loaded.append((name, loader.get_filename(name)))
        return step(loader, module)

    return noted


def imported() -> Imported:
    """All that this worker has imported so far, cases left out.

    What an earlier task of the process imported is part of it: too much is measured again
    sometimes, too little would never be.
    """
    left_out = _left_out()
    while _loaded:
        _note(*_loaded.pop(), left_out)
    for name in [n for n in list(sys.modules) if n not in _seen]:
        _seen.add(name)
        with contextlib.suppress(Exception):  # anything can stand in sys.modules
            _note(name, vars(sys.modules[name]).get("__file__"), left_out)
    return Imported(_files, _distributions)


def _note(name: str, file: Any, left_out: tuple[str, ...]) -> None:
    if not isinstance(file, str) or not os.path.isabs(file):  # noqa: PTH117  # a thousand times
        return
    if name.startswith(CASE):
        return
    if (folder := next((f for f in _INSTALLED if f in file), None)) is not None:
        # Not by the module's name: what a distribution carries along belongs to it.
        top = file.rpartition(folder)[2].partition("/")[0].partition(".")[0]
        for distribution in _distributions_by_module().get(top, ()):
            name = normal(distribution)
            _distributions[name] = installed_distributions().get(name, "")
    elif not file.startswith(left_out):
        while (digest := digest_of_file(file)) == "" and file != (outer := os.path.dirname(file)):  # noqa: PTH120
            file = outer  # the archive that it stands in
        if digest:
            _files[file] = digest


def _left_out() -> tuple[str, ...]:
    own = Path(exportdb.__file__).parent
    folders = [own, own.resolve(), *map(sysconfig.get_path, ("stdlib", "platstdlib"))]
    folders += [os.environ[v] for v in _WRITTEN if v in os.environ]
    return tuple(f"{folder}{os.sep}" for folder in folders)


@cache
def _distributions_by_module() -> Mapping[str, list[str]]:
    return metadata.packages_distributions()


def digest_of_file(path: str) -> str:
    """Sixteen hex digits for what a file holds; "" for one that cannot be read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123  # called for every module
            return hashlib.file_digest(file, "sha256").hexdigest()[:16]
    except OSError:
        return ""

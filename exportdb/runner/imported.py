"""What was imported for a result: files of nobody's distribution, and distributions; and what was
looked for and not found.

Owns noting it in the process that imported it, and telling elsewhere whether it is still so. A
result hangs on all of it: a plug-in is seldom one file, and may do without a module that is there
the next time. The standard library is left out (the
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
from functools import cache, partial, wraps
from importlib import machinery, metadata
from importlib.util import find_spec
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
    """``files`` are paths with the digests of what they held; ``distributions`` have versions;
    ``missing`` are modules that were not found, with the folders in which they were looked for."""

    files: Mapping[str, str] = {}
    distributions: Mapping[str, str] = {}
    missing: Mapping[str, tuple[str, ...]] = {}

    def holds(self, now: Now) -> bool:
        """Whether all of it is still the same."""
        return (
            all(now.installed.get(n) == v for n, v in self.distributions.items())
            and all(now.digest_of_file(path) == known for path, known in self.files.items())
            and not any(now.finds(name, folders) for name, folders in self.missing.items())
        )


class Now:
    """What there is where a result would be used, each looked at once: ``installed`` distributions
    with their versions, files, and modules, with ``here`` those that this process finds too."""

    def __init__(self, installed: Mapping[str, str], here: bool = True) -> None:
        self.installed = installed
        self.digest_of_file = cache(digest_of_file)
        self.finds = cache(partial(_finds, here=here))


_loaded: list[tuple[str, str]] = []  # modules and their files, as they were loaded
_seen: set[str] = set()  # names of modules
_files: dict[str, str] = {}
_distributions: dict[str, str] = {}
_missing: dict[str, tuple[str, ...]] = {}


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


@cache
def note_missing() -> None:
    """From now on note what is not found in this process. What the modules try that are there by
    now, torch and exportdb, is theirs: their versions are known anyway."""
    sys.meta_path.append(
        _NotFoundFinder({"torch", *(name.partition(".")[0] for name in sys.modules)})
    )


class _NotFoundFinder:
    """The finder that is asked when no other one has found a module."""

    def __init__(self, known: set[str]) -> None:
        self._known = known

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:  # noqa: ARG002
        frame = sys._getframe(1)
        while frame.f_back and _top(frame.f_globals) in sys.stdlib_module_names:
            frame = frame.f_back
        if _top(frame.f_globals) not in self._known:
            with contextlib.suppress(Exception):
                folders = sys.path if path is None else path
                _missing.setdefault(name, tuple(map(os.path.abspath, folders)))


def _top(names: Mapping[str, Any]) -> str:
    """The package of the module whose names these are."""
    return str(names.get("__name__")).partition(".")[0]


def _finds(name: str, folders: tuple[str, ...], here: bool) -> bool:
    """Whether a module is found in these folders, or else, if it is in no package, ``here``."""
    if machinery.PathFinder.find_spec(name, folders):
        return True
    with contextlib.suppress(ValueError):  # a module that says nothing of itself
        return here and "." not in name and find_spec(name) is not None
    return True


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
    # What is found after all was found in another way, or by who had made it so.
    missing = {
        name: folders
        for name, folders in _missing.items()
        if name not in sys.modules and not _finds(name, folders, here=True)
    }
    return Imported(_files, _distributions, missing)


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

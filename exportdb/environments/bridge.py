"""Lets another interpreter run this very exportdb, and the plug-ins that are asked for.

Owns a folder of links, put first on that interpreter's path: our package, the packages of the
plug-ins, and what their distributions say of themselves (entry points). Nothing else of this
interpreter's packages can be seen through it, and nothing is written into the other one, so that
the interpreter may be anybody's.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from exportdb.environments.wanted import EnvironmentTrouble
from exportdb.plugins import PluginRef
from exportdb.records.record import digest


@dataclass(frozen=True)
class Interpreter:
    """A Python to examine with, and what is put first on its path.

    By ``refs``, the plug-ins that it can load, and ``holds``, what is installed in an environment
    that we made (``name==version``), another machine can have its like.
    """

    python: Path
    path: tuple[str, ...]
    refs: tuple[PluginRef, ...] = ()
    holds: tuple[str, ...] = ()


def bridge(
    python: Path, refs: Iterable[PluginRef], home: Path, holds: tuple[str, ...] = ()
) -> Interpreter:
    """``python``, able to load exportdb and these plug-ins. The links are kept in ``home``."""
    refs, links = tuple(refs), {}
    for module, distribution in _seen(refs).items():
        spec = importlib.util.find_spec(module)
        if spec is not None and spec.submodule_search_locations:
            links[module] = Path(next(iter(spec.submodule_search_locations)))
        elif spec is not None and spec.origin:
            links[Path(spec.origin).name] = Path(spec.origin)
        if distribution and (told := _metadata_folder(distribution)):
            links[told.name] = told
    links = {name: target.resolve() for name, target in sorted(links.items())}
    folder = home.absolute() / "bridges" / digest("\n".join(f"{n} {t}" for n, t in links.items()))
    folder.mkdir(parents=True, exist_ok=True)
    for name, target in links.items():
        link = folder / name
        if not link.is_symlink():
            temporary = folder / f".{name}.{os.getpid()}"
            temporary.symlink_to(target)
            temporary.replace(link)
    return Interpreter(python, (str(folder),), refs, holds)


def torch_of(python: Path) -> str | None:
    """The version of torch that an interpreter has. Raises EnvironmentTrouble if it cannot run."""
    code = "from importlib.metadata import version as v; print(v('torch'))"
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as e:
        raise EnvironmentTrouble(f"{python} cannot be run: {getattr(e, 'strerror', e)}") from None
    return done.stdout.strip() or None


def _seen(refs: Iterable[PluginRef]) -> dict[str, str]:
    """Top modules with the distributions that they belong to."""
    found = {"exportdb": "exportdb"}
    for ref in refs:
        location = ref.target.rpartition(":")[0]
        if not location.endswith(".py"):
            found.setdefault(location.partition(".")[0], ref.distribution.partition(" ")[0])
    return found


def _metadata_folder(distribution: str) -> Path | None:
    """The folder of a distribution's metadata, if it is one."""
    try:
        path = getattr(metadata.distribution(distribution), "_path", None)
    except metadata.PackageNotFoundError:
        return None
    return Path(path) if path is not None and Path(path).is_dir() else None

"""Versions of torch that a user names: the interpreter of each, made where it is not there.

What ``matrix`` and ``bisect`` share. Environments are left to ``exportdb.environments``.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import click
from packaging.version import InvalidVersion, Version

from exportdb import resolve
from exportdb.cli import output
from exportdb.environments import store
from exportdb.environments.bridge import torch_of
from exportdb.environments.wanted import EnvironmentTrouble, wanted
from exportdb.records.expectation import minor

VERSION = re.compile(r"\d+\.\d+[\w.+]*(=.+)?")


@dataclass(frozen=True)
class Column:
    """A version of torch, and the interpreter that has it."""

    name: str
    python: Path


def column_of(name: str, python: Path | None) -> Column:
    """The column of a version. Raises EnvironmentTrouble where it cannot be had."""
    column = Column(name, python or _made(name))
    found = _torch(column.python)
    if not f"{found}.".startswith(f"{name}.") and found.split("+")[0] != name:
        raise EnvironmentTrouble(f"{column.python} has torch {found}")
    return column


def parsed(text: str, param: str) -> tuple[str, Path | None]:
    """``2.13``, ``2.13=/path/to/python`` or the path alone, as name and interpreter."""
    name, _, path = text.partition("=")
    if path or "/" in name:
        python = Path(path or name).absolute()
        return (name if path else minor(_torch(python))), python
    if not VERSION.fullmatch(name) or not _is_version(name):
        raise click.BadParameter(
            f"{text!r}: give a version like 2.13, or 2.13=/path/to/python", param_hint=param
        )
    return name, resolve.configuration().torch.get(name)


def _is_version(text: str) -> bool:
    try:
        Version(text)
    except InvalidVersion:
        return False
    return True


def _made(version: str) -> Path:
    """The interpreter of the environment for a torch version, made if it is not there."""
    want = wanted([], version)
    if (made := store.find(want)) is None:
        output.note(f"torch {version}: making an environment")
        made = store.make(want, lambda line: _live(f"torch {version}: {line}"))
    return made.python


def _live(line: str) -> None:
    """A line that is only worth reading while it happens."""
    if sys.stderr.isatty():
        output.note(line[:120])


def _torch(python: Path) -> str:
    if (found := torch_of(python)) is None:
        raise EnvironmentTrouble(f"{python} has no torch; {python} -m pip install torch")
    return found

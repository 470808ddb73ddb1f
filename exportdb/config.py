"""The user's configuration: what the options of every command default to in this folder.

Owns the keys of ``[tool.exportdb]`` in ``pyproject.toml`` and of ``exportdb.toml`` (which wins
when both are there). Only the current folder is read: a command means the same whoever calls it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import msgspec

from exportdb.cases.data import Data, DataError, Text, Texts, checked, says
from exportdb.hints import hint
from exportdb.records import switches
from exportdb.records.switches import Switches

_LIST = 'a list of texts, like ["a", "b"]'
_PYTHONS = 'a table of versions and interpreters, like {"2.13" = "py213/bin/python"}'


class ConfigError(Exception):
    """A configuration file that cannot be used: which file and why."""


class Keys(Data, frozen=True):
    """The keys of a configuration. A path is meant from the folder of its file."""

    cases: Annotated[
        Text | Texts, says("Folders of cases of your own, as --cases adds them.", _LIST)
    ] = ()
    only: Annotated[
        bool, says("Examine, list and lint only the cases of your own, as --only does.")
    ] = False
    exporters: Annotated[
        Text | Texts, says("The exporters to run where --exporter is not given.", _LIST)
    ] = ()
    expectations: Annotated[
        Text | None,
        says("The folder of expectations of your own, as --expectations names it.",
             "the path of a folder"),
    ] = None  # fmt: skip
    switches: Annotated[
        Text | Texts, says("The settings of torch to run under, as --switch makes them.", _LIST)
    ] = ()
    torch: Annotated[
        Mapping[str, Text],
        says("The interpreters that have a version of torch, for exportdb matrix.", _PYTHONS),
    ] = msgspec.field(default_factory=dict)
    history: Annotated[
        Text | None,
        says("The history of a team as an SQLAlchemy URL, as --history names it.",
             "the URL of a database"),
    ] = None  # fmt: skip
    repository: Annotated[
        Text,
        says("The address of the repository, for links of the site, as --repository names it.",
             "the address of a repository"),
    ] = ""  # fmt: skip


@dataclass(frozen=True)
class Config:
    """What the configuration says; every path is absolute. ``path`` is the file, if any."""

    cases: tuple[Path, ...] = ()
    only: bool = False
    exporters: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    expectations: Path | None = None
    torch: Mapping[str, Path] = field(default_factory=dict)
    history: str | None = None
    repository: str = ""
    path: Path | None = None


def load(folder: Path) -> Config:
    """The configuration of ``folder``. Raises ConfigError for a file that says something wrong."""
    for name, keys in (("exportdb.toml", ()), ("pyproject.toml", ("tool", "exportdb"))):
        path = folder / name
        if not path.is_file():
            continue
        try:
            data: Any = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
            raise ConfigError(f"{path}: not valid TOML: {e}") from None
        for key in keys:
            data = data.get(key) if isinstance(data, dict) else None
        if data is not None:
            return _parse(data, path)
    return Config()


def _parse(data: Any, path: Path) -> Config:
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: tool.exportdb must be a table")
    known = [f.name for f in msgspec.structs.fields(Keys)]
    if unknown := next((key for key in data if key not in known), None):
        meant = hint(unknown, known, f"keys are {', '.join(known)}")
        raise ConfigError(f"{path}: unknown key {unknown!r}{meant}")
    try:
        keys: Keys = checked(data, Keys)
        switched = _switches(_several(keys.switches))
    except DataError as e:
        raise ConfigError(f"{path}: {e}") from None
    folder = path.parent
    return Config(
        cases=tuple(folder / c for c in _several(keys.cases)),
        only=keys.only,
        exporters=tuple(_located(e, folder) for e in _several(keys.exporters)),
        switches=switched,
        expectations=folder / keys.expectations if keys.expectations is not None else None,
        torch={version: folder / python for version, python in keys.torch.items()},
        history=keys.history,
        repository=keys.repository,
        path=path,
    )


def _several(given: str | tuple[str, ...]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else given


def _switches(words: tuple[str, ...]) -> Switches:
    try:
        return switches.parse(words)
    except ValueError as e:
        raise DataError(f"switches: {e}") from None


def _located(spec: str, folder: Path) -> str:
    """An exporter's file is meant relative to the configuration that names it."""
    return str(folder / spec) if ".py:" in spec and not Path(spec).is_absolute() else spec

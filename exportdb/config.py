"""The user's configuration: what the options of every command default to in this folder.

Owns the keys of ``[tool.exportdb]`` in ``pyproject.toml`` and of ``exportdb.toml`` (which wins
when both are there). Only the current folder is read: a command means the same whoever calls it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exportdb.hints import hint
from exportdb.records import switches
from exportdb.records.switches import Switches

KEYS = {
    "cases": "folders of further cases, as --cases adds them",
    "exporters": "exporters to run when --exporter is not given",
    "torch": "interpreters by the torch version they have, for exportdb matrix",
    "switches": "switches to run under, as --switch turns them",
    "expectations": "the folder of one's own expectations, as --expectations names it",
    "history": "the database of a team's history, as --history names it",
}


class ConfigError(Exception):
    """A configuration file that cannot be used: which file and why."""


@dataclass(frozen=True)
class Config:
    """What the configuration says; every path is absolute. ``path`` is the file, if any."""

    cases: tuple[Path, ...] = ()
    exporters: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    expectations: Path | None = None
    torch: Mapping[str, Path] = field(default_factory=dict)
    history: str | None = None
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
    for key in data:
        if key not in KEYS:
            known = hint(key, KEYS, f"keys are {', '.join(KEYS)}")
            raise ConfigError(f"{path}: unknown key {key!r}{known}")
    own = data.get("expectations")
    if own is not None and not isinstance(own, str):
        raise ConfigError(f"{path}: expectations must be the path of a folder")
    history = data.get("history")
    if history is not None and not isinstance(history, str):
        raise ConfigError(f"{path}: history must be the URL of a database")
    pythons = data.get("torch", {})
    if not isinstance(pythons, dict) or not all(isinstance(p, str) for p in pythons.values()):
        raise ConfigError(f'{path}: torch must map versions to interpreters, like {{"2.13" = "a"}}')
    return Config(
        cases=tuple(path.parent / c for c in _texts(data, "cases", path)),
        exporters=tuple(_located(e, path.parent) for e in _texts(data, "exporters", path)),
        switches=_switches(data, path),
        expectations=path.parent / own if own is not None else None,
        torch={version: path.parent / python for version, python in pythons.items()},
        history=history,
        path=path,
    )


def _texts(data: dict[str, Any], key: str, path: Path) -> list[str]:
    value = data.get(key, [])
    value = [value] if isinstance(value, str) else value
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise ConfigError(f'{path}: {key} must be a list of texts, like ["a", "b"]')
    return value


def _switches(data: dict[str, Any], path: Path) -> Switches:
    try:
        return switches.parse(_texts(data, "switches", path))
    except ValueError as e:
        raise ConfigError(f"{path}: switches: {e}") from None


def _located(spec: str, folder: Path) -> str:
    """An exporter's file is meant relative to the configuration that names it."""
    return str(folder / spec) if ".py:" in spec and not Path(spec).is_absolute() else spec

"""Which programs suites have: asked in a process of its own, and kept until something changes.

Owns the index of a suite. What is in a suite is its own; which of its programs are wanted is left
to ``exportdb.resolve``. This process never imports a suite, nor torch.
"""

from __future__ import annotations

import contextlib
import platform
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from exportdb.cases.case import FrontMatter
from exportdb.cases.data import Data
from exportdb.cases.database import SelectionError
from exportdb.distributions import installed_distributions, installed_version
from exportdb.environments.bridge import Interpreter, bridge
from exportdb.environments.wanted import unmet
from exportdb.executors import open_executor
from exportdb.executors.error import RunnerError
from exportdb.executors.protocol import Task, Workers
from exportdb.files import keep_sealed, read_sealed
from exportdb.plugins import PluginRef, completed
from exportdb.records.record import digest
from exportdb.runner.imported import Imported, Now, imported, note_loading, note_missing
from exportdb.runner.sources import digest_of_sources
from exportdb.suites.listed import ListedProgram
from exportdb.suites.protocol import Suite, SuiteProgram

#: Seconds that a suite may take to say what it has.
LIMIT = 600.0
#: Indexes that are kept of each suite.
KEPT = 8


class IndexEntry(Data, frozen=True):
    """A program in an index."""

    id: str
    digest: str
    meta: FrontMatter
    text: str = ""


class SuiteIndex(Data, frozen=True):
    """What a suite said: the ``options`` it knows, with their values, and its programs.

    ``unmet`` are those of its requirements that are not installed; then it was asked no more.
    ``extra`` is the extra of exportdb that has them.
    """

    options: Mapping[str, str] = {}
    preload: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()
    extra: str = ""
    entries: tuple[IndexEntry, ...] = ()
    imported: Imported = Imported()

    def programs(self, plugin: PluginRef, given: Mapping[str, str]) -> list[ListedProgram]:
        """Its programs, as they are examined; ``given`` are the options that were asked for."""
        options = tuple(sorted((k, v) for k, v in given.items() if k in self.options))
        return [
            ListedProgram(e.id, e.digest, e.meta, plugin, options, self.preload)
            for e in self.entries
        ]


class SuiteError(SelectionError):
    """A suite that cannot say what it has, and why."""

    def __init__(self, suite: str, why: str) -> None:
        super().__init__(f"the suite {suite} cannot be listed: {why}")


def index_of(
    suite: PluginRef, options: Mapping[str, str], home: Path, python: Path | None = None
) -> SuiteIndex:
    """What a suite has under those of the ``options`` that it knows.

    ``python`` is the interpreter that is asked, None for this one; of another one nothing is kept.
    Raises SuiteError.
    """
    kept = None if python is not None else _file(suite, options, home)
    if kept is not None and (known := _read(kept)) is not None:
        return known
    interpreter = bridge(python, [suite], home) if python is not None else None
    index = _asked(suite, options, interpreter)
    if kept is not None and not index.unmet:
        _write(kept, index)
    return index


def described(suites: Iterable[PluginRef]) -> dict[str, tuple[str, Mapping[str, str]]]:
    """By name, what suites say they are, and their options with the defaults. One that cannot be
    asked says why. Raises RunnerError."""
    told: dict[str, tuple[str, Mapping[str, str]]] = {}
    with open_executor() as executor:
        for suite in suites:
            executor.submit(Task(f"{__name__}:{describe_here.__name__}", (suite,), tag=suite.name))
        for ending in executor.endings():
            failed = ending.failure
            told[ending.task.tag] = (failed.message, {}) if failed else tuple(ending.value)
    return told


def describe_here(ref: PluginRef) -> tuple[str, dict[str, str]]:
    """The task of the child: load the suite and read what it says."""
    suite: Suite = completed(ref.load(), Suite)
    return suite.description, dict(suite.options)


def _asked(suite: PluginRef, options: Mapping[str, str], where: Interpreter | None) -> SuiteIndex:
    task = Task(f"{__name__}:{list_here.__name__}", (suite, dict(options)), LIMIT, alone=True)
    try:
        with open_executor(Workers(interpreter=where)) as executor:
            executor.submit(task)
            (ending,) = executor.endings()
    except RunnerError as e:
        raise SuiteError(suite.name, str(e)) from None
    if ending.failure is not None:
        said = ending.failure
        ours = said.type in ("PluginError", "ValueError")
        raise SuiteError(suite.name, said.message if ours else f"{said.type}: {said.message}")
    return SuiteIndex.from_json(ending.value)


def list_here(ref: PluginRef, options: dict[str, str]) -> dict[str, Any]:
    """The task of the child: load the suite and ask it. Raises PluginError and what it raises."""
    note_loading()
    note_missing()
    suite: Suite = completed(ref.load(), Suite)
    known = {**suite.options, **{k: v for k, v in options.items() if k in suite.options}}
    if missing := unmet(tuple(suite.requirements)):
        return SuiteIndex(known, unmet=missing, extra=suite.extra).to_json()
    entries: dict[str, IndexEntry] = {}
    for program in suite.programs(**known):
        if program.id in entries:
            raise ValueError(f"it has two programs with the ID {program.id}")
        entries[program.id] = _entry(program)
    index = SuiteIndex(
        known, tuple(suite.preload), entries=tuple(entries.values()), imported=imported()
    )
    return index.to_json()


def _entry(program: SuiteProgram) -> IndexEntry:
    if not program.id or any(c.isspace() or c in "*?[]'," for c in program.id):
        raise ValueError(f"{program.id!r} is not an ID: words without spaces, joined by /")
    meta = program.meta.to_json()
    return IndexEntry(program.id, digest(repr((program.id, meta, program.text))), program.meta,
                 program.text)  # fmt: skip


def _file(suite: PluginRef, options: Mapping[str, str], home: Path) -> Path:
    ours = digest_of_sources(
        "suites", "suites/models.yaml", "symbolic/requested.py", "runner/listing.py"
    )
    facts = (suite.target, suite.digest, sorted(options.items()), installed_version("torch"),
             platform.node(), platform.python_version(), ours)  # fmt: skip
    return home / "suites" / f"{suite.name}-{digest(repr(facts))}.json"


def _read(path: Path) -> SuiteIndex | None:
    """What is kept, if it still holds; a file that is not as it was written holds nothing."""
    if not (kept := read_sealed(path)):
        return None
    index = msgspec.json.decode(kept, type=SuiteIndex)
    return index if index.imported.holds(Now(installed_distributions())) else None


def _write(path: Path, index: SuiteIndex) -> None:
    keep_sealed(path, msgspec.json.encode(index))
    with contextlib.suppress(OSError):  # somebody else deletes them, too
        same = path.parent.glob(f"{path.name[:-21]}*.json")
        older = sorted(same, key=lambda p: p.stat().st_mtime)
        for old in older[:-KEPT]:
            old.unlink()

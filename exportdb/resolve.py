"""What a user's words mean in this folder: cases, exporters, devices, switches, a whole request.

Owns names and defaults, on top of the folder's configuration. The command line and the pytest
plug-in resolve what they were given here, once; nothing below looks a name up again. Every word
may be several, joined by commas: ``export,make-fx``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from exportdb import config, plugins
from exportdb.cases import database
from exportdb.cases.case import Case, CaseError
from exportdb.cases.database import Database, SelectionError
from exportdb.hints import hint
from exportdb.records.outcome import Outcome
from exportdb.records.switches import Switches, parse

if TYPE_CHECKING:
    from exportdb.records.record import Identity
    from exportdb.runner.request import Request


@dataclass(frozen=True)
class Selection:
    """The cases that were asked for, and those of them that cannot be read."""

    database: Database
    cases: list[Case]
    broken: dict[str, CaseError]


def configuration() -> config.Config:
    """The configuration of the current folder. Raises ConfigError."""
    return config.load(Path.cwd())


def split(words: Iterable[str]) -> list[str]:
    """The words of an option, each once; one that names a file is a word with all its commas."""
    found = [[w] if Path(w.rpartition(":")[0]).is_file() else w.split(",") for w in words]
    return list(dict.fromkeys(w for several in found for w in several if w))


def load(trees: Sequence[Path] = ()) -> Database:
    """The built-in cases with the trees of the configuration and further ones."""
    return database.load([*configuration().cases, *trees])


def select(
    patterns: Sequence[str] = (),
    tags: Sequence[str] = (),
    trees: Sequence[Path] = (),
    whole: bool = False,
) -> Selection:
    """The cases of these patterns that bear all tags, from all trees.

    A pattern that ends in ``.py`` is a file: of a tree, then it means the case there; of one's
    own, then it is a case by itself. The database holds the other cases too where ``whole`` asks
    for it, and where finding the chosen ones took reading them. Raises SelectionError and
    CaseError.
    """
    all_trees = [*configuration().cases, *trees]
    roots = [database.builtin_tree(), *(t.resolve() for t in all_trees)]
    files: list[Path] = []
    wanted: list[str] = []
    for pattern in patterns:
        path = Path(pattern)
        if path.suffix != ".py":
            wanted.append(pattern)
        elif not path.is_file():
            raise SelectionError(f"there is no file {pattern}")
        elif root := next((r for r in roots if path.resolve().is_relative_to(r)), None):
            wanted.append(path.resolve().relative_to(root).with_suffix("").as_posix())
        else:
            files.append(path)
            wanted.append(path.stem)
    alone = len(files) == len(wanted) and bool(files)
    named = bool(wanted) and all(_is_one_case(w, roots) for w in wanted)
    db = database.load(
        [] if alone else all_trees,
        files,
        builtin=not alone,
        only=wanted if named and not whole else None,  # however many others there are
    )
    chosen = db.select(wanted, split(tags))
    asked = {i for i in db.broken if not wanted or any(database.means(p, i) for p in wanted)}
    return Selection(db, chosen, {i: db.broken[i] for i in db.broken if i in asked})


def _is_one_case(pattern: str, roots: Sequence[Path]) -> bool:
    """Whether a pattern is the whole ID of a case and of no topic beside it."""
    return any((r / f"{pattern}.py").is_file() for r in roots) and not any(
        (r / pattern).is_dir() for r in roots
    )


def find_exporters(words: Iterable[str]) -> tuple[plugins.PluginRef, ...]:
    """The exporters asked for, or the configured ones, or the built-in ones that are quick.

    ``all`` means every one that is installed. Raises PluginError.
    """
    specs = split(words) or configuration().exporters or _quick()
    if "all" in specs:
        specs = [*plugins.installed(plugins.EXPORTERS), *(s for s in specs if s != "all")]
    return _refs(plugins.EXPORTERS, specs)


def find_devices(words: Iterable[str]) -> tuple[plugins.PluginRef, ...]:
    """The devices asked for, or the CPU. Raises PluginError."""
    return _refs(plugins.DEVICES, split(words) or ["cpu"])


def _refs(group: str, specs: Iterable[str]) -> tuple[plugins.PluginRef, ...]:
    """Each plug-in once. Raises PluginError if different ones have one name."""
    by_name: dict[str, plugins.PluginRef] = {}
    for ref in (plugins.find(group, spec) for spec in specs):
        if (other := by_name.setdefault(ref.name, ref)).target != ref.target:
            raise plugins.PluginError(
                f"{other.target} and {ref.target} are both named {ref.name}; their results could "
                "not be told apart: give one of the classes another `name`"
            )
    return tuple(by_name.values())


def _quick() -> list[str]:
    """The built-in exporters that a run includes by itself; their modules are light."""
    return [
        ref.name
        for ref in plugins.installed(plugins.EXPORTERS).values()
        if ref.target.startswith("exportdb.") and ref.load().default
    ]


def parse_outcomes(words: Iterable[str]) -> tuple[Outcome, ...]:
    """The outcomes asked for. Raises SelectionError for a word that is none."""
    found = split(words)
    for word in found:
        if word not in list(Outcome):
            known = f"outcomes are {', '.join(Outcome)}"
            raise SelectionError(f"no outcome is named {word!r}{hint(word, Outcome, known)}")
    return tuple(Outcome(word) for word in found)


def parse_switches(words: Iterable[str]) -> Switches:
    """The switches asked for on top of the configured ones. Raises SelectionError."""
    try:
        return parse([*configuration().switches, *split(words)])
    except ValueError as e:
        raise SelectionError(str(e)) from None


def own_expectations(given: Path | None) -> Path | None:
    """The folder of expectations of one's own: the one given, or the configured one."""
    folder = given or configuration().expectations
    return folder.resolve() if folder else None


def request(
    *,
    patterns: Sequence[str] = (),
    tags: Sequence[str] = (),
    trees: Sequence[Path] = (),
    exporters: Sequence[str] = (),
    devices: Sequence[str] = (),
    switches: Sequence[str] = (),
    outcomes: Sequence[str] = (),
    expectations: Path | None = None,
    repeat: int = 1,
    shard: str | None = None,
    python: Path | None = None,
    max_failures: int | None = None,
    home: Path | None = None,
) -> Request:
    """All of it as one value.

    Raises SelectionError, PluginError, CaseError and RunnerError; StoreError and RecordFileError
    for the run by which shards are balanced, which may be the ID of one in ``home``.
    """
    from exportdb.conformance.options import Options
    from exportdb.runner.request import Request, Shard

    selection = select(patterns, tags, trees)
    return Request(
        cases=tuple(selection.cases),
        exporters=find_exporters(exporters),
        devices=find_devices(devices),
        options=Options(switches=parse_switches(switches), repeat=repeat),
        expectations=own_expectations(expectations),
        broken=selection.broken,
        outcomes=parse_outcomes(outcomes),
        shard=None if shard is None else Shard.parse(shard, lambda run: _seconds_in(run, home)),
        python=python and python.absolute(),
        max_failures=max_failures,
    )


def _seconds_in(run: str, home: Path | None) -> dict[Identity, float]:
    """How long each examination of a run took, without rounding that could differ elsewhere."""
    from exportdb.store import open_run

    found: dict[Identity, float] = {}
    for record in open_run(run, home).records():
        taken = math.fsum(record.seconds.values())
        found[record.identity] = max(taken, found.get(record.identity, 0.0))
    return found

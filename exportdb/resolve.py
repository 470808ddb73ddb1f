"""What a user's words mean in this folder: programs, plug-ins, switches, a whole request.

Owns names and defaults, on top of the folder's configuration. The command line and the pytest
plug-in resolve what they were given here, once; nothing below looks a name up again. Every word
may be several, joined by commas: ``export,make-fx``.
"""

from __future__ import annotations

import glob
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from exportdb import config, plugins
from exportdb.cases import database
from exportdb.cases.case import SUITE as CASES
from exportdb.cases.case import Case, CaseError
from exportdb.cases.database import Database, SelectionError
from exportdb.files import names_a_file
from exportdb.hints import hint
from exportdb.records.outcome import Outcome
from exportdb.records.switches import Switches, parse

if TYPE_CHECKING:
    from exportdb.records.expectation import Extends
    from exportdb.records.expectation_files import Expectations
    from exportdb.records.record import Identity
    from exportdb.runner.listing import SuiteIndex
    from exportdb.runner.request import Request
    from exportdb.suites.listed import ListedProgram
    from exportdb.suites.protocol import ProgramRef


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
    """The words of an option, each once; a file may have commas in its name."""
    return list(dict.fromkeys(part for word in words for part in _parts(word) if part))


def _parts(word: str) -> Iterator[str]:
    """The parts of a word between its commas, as many together as are the name of a file."""
    pieces = word.split(",")
    while pieces:
        together = (n for n in range(len(pieces), 1, -1) if _is_of_a_file(",".join(pieces[:n])))
        count = next(together, 1)
        yield ",".join(pieces[:count])
        del pieces[:count]


def _is_of_a_file(text: str) -> bool:
    """Whether it is a file, or ``FILE:NAME``."""
    file, _, name = text.rpartition(":")
    return names_a_file(text) or ("," not in name and names_a_file(file))


def load(trees: Sequence[Path] = ()) -> Database:
    """The built-in cases with the trees of the configuration and further ones."""
    return database.load([*configuration().cases, *trees])


def select(
    patterns: Sequence[str] = (),
    tags: Sequence[str] = (),
    trees: Sequence[Path] = (),
    whole: bool = False,
    only: bool | None = False,
) -> Selection:
    """The cases of these patterns that have all tags, from all trees.

    A pattern that ends in ``.py`` is a file: of a tree, then it means the case there; of one's
    own, then it is a case by itself. The database holds the other cases too where ``whole`` asks
    for it, and where finding the chosen ones took reading them. With ``only``, or where the
    configuration says so, just cases of one's own are chosen; with None all are, whatever it says.
    Raises SelectionError and CaseError.
    """
    all_trees = [*configuration().cases, *trees]
    only = only_own(only)
    if only and not all_trees:
        raise SelectionError("--only selects cases of your own: say where they are with --cases "
                             "DIR, or with `cases` in the configuration")  # fmt: skip
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
        builtin=not alone and (whole or not only),
        only=wanted if named and not whole else None,  # however many others there are
    )
    chosen = db.select(wanted, split(tags))
    asked = {i for i in db.broken if not wanted or any(database.means(p, i) for p in wanted)}
    broken = {i: db.broken[i] for i in db.broken if i in asked}
    if only and whole:
        ours = database.builtin_tree()
        chosen = [case for case in chosen if not case.path.is_relative_to(ours)]
        broken = {i: e for i, e in broken.items() if not e.path.is_relative_to(ours)}
    return Selection(db, chosen, broken)


def only_own(asked: bool | None) -> bool:
    """Whether just cases of one's own are meant, because it is asked for or configured."""
    return asked is not None and (asked or configuration().only)


def own_cases(trees: Sequence[Path]) -> frozenset[str]:
    """The IDs of all cases of one's own, readable or not. Raises SelectionError without a tree."""
    found = select(trees=trees, only=True)
    return frozenset([*(case.id for case in found.cases), *found.broken])


def _is_one_case(pattern: str, roots: Sequence[Path]) -> bool:
    """Whether a pattern is the whole ID of a case and of no topic beside it."""
    return any(names_a_file(r / f"{pattern}.py") for r in roots) and not any(
        (r / pattern).is_dir() for r in roots
    )


@dataclass(frozen=True)
class SuiteRequest:
    """What was asked for of suites: which, under which options, on which interpreter, and where
    their indexes are kept. ``note`` is told which of ``all`` suites cannot be used here."""

    suites: Sequence[str] = ()
    options: Sequence[str] = ()
    python: Path | None = None
    home: Path | None = None
    note: Callable[[str], None] = lambda line: None

    @property
    def names(self) -> list[str]:
        """The suites: those asked for, or the cases."""
        specs = split(self.suites) or [CASES]
        if "all" in specs:
            specs = [*plugins.installed(plugins.SUITES), *(s for s in specs if s != "all")]
        return list(dict.fromkeys(specs))


def suite_names(words: Iterable[str]) -> set[str]:
    """What suites are called in records: those asked for, or the cases. Raises PluginError."""
    return {ref.name for ref in _refs(plugins.SUITES, SuiteRequest([*words]).names)}


@dataclass(frozen=True)
class Programs:
    """The programs that were asked for: ``cases`` are those of the database, ``broken`` the cases
    that cannot be read, ``listed`` those of other suites with their texts by suite and ID."""

    cases: list[Case]
    broken: dict[str, CaseError]
    listed: list[ListedProgram]
    texts: dict[tuple[str, str], str]

    @property
    def refs(self) -> tuple[ProgramRef, ...]:
        """All of them."""
        from exportdb.suites.cases import CaseProgram  # a list needs none of it

        return (*map(CaseProgram, self.cases), *self.listed)

    @property
    def readable(self) -> list[tuple[str, Case]]:
        """All of them with their suites, as a reader sees them: those of other suites are in no
        file, and their source is the text that the suite gives."""
        others = [
            (p.suite, Case(p.id, Path(f"<{p.suite}>"), p.meta, self.texts[p.suite, p.id], p.digest))
            for p in self.listed
        ]
        return [*((CASES, case) for case in self.cases), *others]


def select_programs(
    patterns: Sequence[str] = (),
    tags: Sequence[str] = (),
    trees: Sequence[Path] = (),
    asked: SuiteRequest = SuiteRequest(),
    only: bool | None = False,
) -> Programs:
    """The programs of these patterns that have all tags, from all suites that are asked for.

    A pattern is an ID, a glob, a topic, and for cases a file; in one of several suites it must
    mean something. Raises SelectionError, CaseError and PluginError.
    """
    names = asked.names
    cases: list[Case] = []
    broken: dict[str, CaseError] = {}
    if CASES in names:
        try:
            selection = select(patterns, tags, trees, only=only)
            cases, broken = selection.cases, selection.broken
        except SelectionError:
            if len(names) == 1:
                raise
    elif file := next((p for p in patterns if Path(p).suffix == ".py"), None):
        raise SelectionError(f"{file} is in the suite cases; add --suite cases")
    listed: list[ListedProgram] = []
    texts: dict[tuple[str, str], str] = {}
    for ref, index in _indexes([n for n in names if n != CASES], asked):
        found = index.programs(ref, _pairs(asked.options))
        listed += _chosen(found, patterns, split(tags))
        texts |= {(ref.name, e.id): e.text for e in index.entries}
    if not cases and not listed and not broken:
        what = f" {', '.join(map(repr, patterns))}" if patterns else ""
        raise SelectionError(f"no program{what} is selected in {', '.join(names)}; see exportdb "
                             f"list --suite {','.join(names)}")  # fmt: skip
    return Programs(cases, broken, listed, texts)


def _chosen(
    programs: list[ListedProgram], patterns: Sequence[str], tags: Sequence[str]
) -> list[ListedProgram]:
    return [
        p for p in programs
        if (not patterns or any(database.means(pattern, p.id) for pattern in patterns))
        and set(tags) <= set(p.meta.tags)
    ]  # fmt: skip


def _indexes(
    specs: Sequence[str], asked: SuiteRequest
) -> list[tuple[plugins.PluginRef, SuiteIndex]]:
    """The suites with what each has. Raises SelectionError for an option that none of them has."""
    options = _pairs(asked.options)
    known: set[str] = set()
    found = []
    if specs:
        from exportdb.runner.listing import SuiteError, index_of
        from exportdb.store.home import home_folder

        for ref in _refs(plugins.SUITES, specs):
            index = index_of(ref, options, home_folder(asked.home), asked.python)
            known |= set(index.options)
            if index.unmet:
                lacked = f"'exportdb[{index.extra}]'" if index.extra else " ".join(index.unmet)
                missing = f"it needs {', '.join(index.unmet)}; pip install {lacked}"
                if "all" not in split(asked.suites):
                    raise SuiteError(ref.name, missing)
                asked.note(f"the suite {ref.name} is left out: {missing}")
            found.append((ref, index))
    if unknown := [name for name in options if name not in known]:
        meant = hint(unknown[0], known, f"known: {', '.join(sorted(known)) or 'none'}")
        raise SelectionError(f"no suite asked for has the option {unknown[0]!r}{meant}")
    return found


def _pairs(words: Sequence[str]) -> dict[str, str]:
    """``NAME=VALUE`` each. Raises SelectionError."""
    for word in words:
        if "=" not in word:
            raise SelectionError(f"--suite-option {word}: give NAME=VALUE, like samples=3")
    return {name: value for name, _, value in (word.partition("=") for word in words)}


def find_exporters(words: Iterable[str]) -> tuple[plugins.PluginRef, ...]:
    """The exporters asked for, or the configured ones, or the built-in ones that are quick.

    ``all`` means every one that is installed. Raises PluginError, and SelectionError where words
    name none.
    """
    given = list(words)
    specs = split(given) or configuration().exporters or _quick()
    if given and not split(given):
        raise SelectionError(f"--exporter {' '.join(given)}: no exporter is named")
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
        if ref.ours and ref.load().default
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


def own_expectations(
    given: Path | None, exporters: Iterable[plugins.PluginRef] = ()
) -> Path | None:
    """The folder of expectations of one's own: the one given, the configured one, or the folder
    ``expectations`` beside the file of one of these exporters.

    Raises SelectionError where several exporters have one each: a run is compared with one folder.
    """
    if folder := given or configuration().expectations:
        return folder.resolve()
    beside = (_expectations_beside(r.target.rpartition(":")[0]) for r in exporters)
    found = list(dict.fromkeys(folder for folder in beside if folder is not None))
    if len(found) > 1:
        raise SelectionError(
            f"{' and '.join(map(str, found))} are both expectations beside an exporter; examine "
            "these exporters one at a time, or give --expectations DIR"
        )
    return found[0] if found else None


def _expectations_beside(location: str) -> Path | None:
    """The folder of expectations beside a plug-in's file or module; what is installed by itself
    has it under its own name, since others are installed beside it."""
    if location.startswith("exportdb."):
        return None
    from exportdb.cases.modules import file_of  # of use to modules of one's own alone

    given = location.endswith(".py")
    file = Path(location) if given else file_of(location)
    if file is None:
        return None
    named = [f"{file.stem}_expectations"]
    named += ["expectations"] * (given or "." in location or file.name == "__init__.py")
    return next((f.resolve() for n in named if (f := file.parent / n).is_dir()), None)


def declared_extends(refs: Sequence[plugins.PluginRef], home: Path | None = None) -> Extends:
    """What built-in exporters and these say they extend, each plug-in asked in a process of its
    own. Raises RunnerError, and PluginError for one that extends itself or nobody."""
    others = [r for r in refs if not r.ours]
    if not others:
        return plugins.builtin_extends()
    from exportdb.runner.declarations import declarations_of, extends_of
    from exportdb.store.home import home_folder

    return extends_of(others, declarations_of(others, home_folder(home)))


def expectations_for(
    own: Path | None = None, extends: Extends | None = None,
    exporters: Sequence[plugins.PluginRef] = (),
) -> Expectations:  # fmt: skip
    """The expectations that --expectations or the configuration name, or that stand beside the
    file of one of ``exporters``; then the built-in ones."""
    from exportdb.records.expectation_files import Expectations  # most lists need none of it

    return Expectations(extends or plugins.builtin_extends(), own_expectations(own, exporters))


def request(
    *,
    patterns: Sequence[str] = (),
    tags: Sequence[str] = (),
    trees: Sequence[Path] = (),
    only: bool = False,
    exporters: Sequence[str] = (),
    devices: Sequence[str] = (),
    switches: Sequence[str] = (),
    outcomes: Sequence[str] = (),
    expectations: Path | None = None,
    repeat: int = 1,
    shard: str | None = None,
    python: Path | None = None,
    max_failures: int | None = None,
    only_affected: bool = False,
    measured_before: bool = False,
    repeat_run: int = 1,
    home: Path | None = None,
    suites: Sequence[str] = (),
    suite_options: Sequence[str] = (),
    note: Callable[[str], None] = lambda line: None,
) -> Request:
    """All of it as one value.

    Raises SelectionError, PluginError, CaseError and RunnerError; StoreError and RecordFileError
    for the run by which shards are balanced, which may be the ID of one in ``home``.
    """
    from exportdb.conformance.options import Options
    from exportdb.runner.request import Request, Shard

    asked = SuiteRequest(suites, suite_options, python and python.absolute(), home, note)
    programs = select_programs(patterns, tags, trees, asked, only)
    chosen = find_exporters(exporters)
    return Request(
        programs=programs.refs,
        exporters=chosen,
        devices=find_devices(devices),
        options=Options(switches=parse_switches(switches), repeat=repeat),
        expectations=own_expectations(expectations, chosen),
        broken=programs.broken,
        outcomes=parse_outcomes(outcomes),
        shard=None if shard is None else Shard.parse(shard, lambda run: _seconds_in(run, home)),
        python=python and python.absolute(),
        max_failures=max_failures,
        only_affected=only_affected,
        measured_before=measured_before,
        repeat_run=repeat_run,
    )


def _seconds_in(runs: str, home: Path | None) -> dict[Identity, float]:
    """How long each examination of these runs took, without rounding that could differ elsewhere.

    No shell expands what stands behind an @, so that globs are expanded here.
    """
    from exportdb.store import open_run

    found: dict[Identity, float] = {}
    for word in split([runs]):
        for run in sorted(glob.glob(word)) or [word]:  # noqa: PTH207 (may be absolute)
            for record in open_run(run, home).records():
                taken = math.fsum(record.seconds.values())
                found[record.identity] = max(taken, found.get(record.identity, 0.0))
    return found

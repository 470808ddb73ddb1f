"""What is known beside the records of a run: cases, expectations, the catalogue, adapters.

Owns reading them, each when it is first asked for: what cannot be read is not known, and ends no
report. What is said of it is left to ``words``.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from exportdb.cases import catalogue, database
from exportdb.cases.case import SUITE, Case, CaseError
from exportdb.cases.catalogue import Entry
from exportdb.cases.lint.syntax import unfilled
from exportdb.explain import reading
from exportdb.explain.frames import UserLine, user_line
from exportdb.records.accept import known_links
from exportdb.records.expectation import Expectation, Where, lineage
from exportdb.records.expectation_files import Expectations
from exportdb.records.jsonl import Header
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record
from exportdb.reports.causes import Cause

#: How torch writes the paths of its own files when it shortens them.
_OF_TORCH = re.compile(r"(?:fx|_dynamo|export|_export|_higher_order_ops|_inductor|nn|utils)/")
#: The phases in which what makes inputs and models is called.
_BEFORE_CAPTURE = frozenset({"setup", "eager"})
#: Cases of a cause whose rewrites are looked at.
LOOKED_AT = 10


@dataclass(frozen=True)
class Rewrite:
    """A case that does the same as ``case``; ``by`` is the exporter known to support it, if any."""

    case: str
    rewrite: str
    by: str = ""


@dataclass(frozen=True)
class Background:
    """What is known beside the records under ``header``.

    ``trees`` and ``files`` hold the cases besides the built-in ones; ``adapters`` are the places
    of exporters that were given as files, by name. ``seen`` are the outcomes of the run itself, by
    case, exporter and device: they count before what is expected.
    """

    header: Header
    expectations: Expectations
    trees: Sequence[Path] = ()
    files: Sequence[Path] = ()
    adapters: Mapping[str, UserLine] = field(default_factory=dict)
    seen: Mapping[tuple[str, str, str], Outcome] = field(default_factory=dict)
    _cases: dict[str, Case | None] = field(default_factory=dict, repr=False)
    _alike: dict[str, list[Case]] = field(default_factory=dict, repr=False)

    def read_ahead(self, wanted: Collection[str]) -> None:
        """Read these cases and their rewrites at once, which is quicker than one by one."""
        self._read(wanted)
        self._read({i for w in wanted if (c := self._cases[w]) for i in c.meta.rewrites})

    def _read(self, wanted: Collection[str]) -> None:
        if missing := {i for i in wanted if i not in self._cases}:
            trees = [t for t in self.trees if t.is_dir()]
            found = database.load(trees, [f for f in self.files if f.is_file()], only=missing)
            self._cases.update((i, found.cases.get(i)) for i in missing)

    def case(self, record: Record) -> Case | None:
        """The case of a record; None where it is not here or has changed since."""
        found = self._named(record.case) if record.suite == SUITE else None
        return found if found and record.case_digest in ("", found.digest) else None

    def broken_contracts(self, cause: Cause) -> dict[str, str]:
        """What the programs break that say of themselves that they do, by case."""
        cases = (self.case(record) for record in cause.records)
        return {c.id: c.meta.breaks_contract for c in cases if c and c.meta.breaks_contract}

    def _named(self, case_id: str) -> Case | None:
        self._read([case_id])
        return self._cases[case_id]

    def entry(self, record: Record) -> Entry | None:
        """The entry of the catalogue that its error matches; none of an ``error`` has one, since
        the catalogue is about what exporters raise."""
        if record.outcome is Outcome.ERROR:
            return None
        named = record.error.catalogue if record.error else None
        return self._entries.get(named) if named else None

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        return catalogue.load([t for t in self.trees if t.is_dir()]).entries

    def place(self, cause: Cause) -> UserLine | None:
        """The user's line that the error names, or from which on the capture has other results."""
        return next(self._places_of_a_case(cause, cause.first.label), None)

    def places(self, cause: Cause) -> list[UserLine]:
        """The user's lines that the errors name, one of each case, each line once."""
        found = (next(self._places_of_a_case(cause, case), None) for case in cause.cases)
        return list(dict.fromkeys(place for place in found if place))

    def _places_of_a_case(self, cause: Cause, case: str) -> Iterator[UserLine]:
        return (p for r in cause.records if r.label == case and (p := self._place(r)))

    def _place(self, record: Record) -> UserLine | None:
        case = self.case(record)
        if todos := self.todos(record):
            return todos[0]
        if record.error is None:
            if case is None or record.departs is None or record.departs.line is None:
                return None
            return UserLine(shown_path(case.path), record.departs.line, "", record.departs.code)
        message = reading.clean(record.error.message)
        if case is not None:
            name = re.escape(case.path.name)
            if lines := re.findall(rf"\b{name}\"?(?:, line |:)(\d{{1,7}})", message):
                line, source = int(lines[-1]), case.source.splitlines()
                text = source[line - 1].strip() if 0 < line <= len(source) else ""
                return UserLine(shown_path(case.path), line, "", text)
        found = user_line(message)
        if found is None or _OF_TORCH.match(found.file):
            return None
        return replace(found, file=shown_path(Path(found.file)))

    def adapter_line(self, record: Record) -> UserLine | None:
        """The line of the user's adapter that the error names, or that its class begins on; None
        where the adapter was not even called."""
        if record.outcome is Outcome.ERROR and record.phase in _BEFORE_CAPTURE:
            return None
        adapter = self.adapters.get(record.exporter)
        if adapter is None or record.error is None:
            return adapter
        name = re.escape(Path(adapter.file).name)
        lines = re.findall(rf"\b{name}\", line (\d{{1,7}})", record.error.message)
        return replace(adapter, line=int(lines[-1])) if lines else adapter

    def todos(self, record: Record) -> list[UserLine]:
        """The functions of a case that are still to be filled in, where that is what failed."""
        if record.outcome is not Outcome.ERROR or record.phase not in _BEFORE_CAPTURE:
            return []
        if (case := self.case(record)) is None:
            return []
        path, open_ = shown_path(case.path), unfilled(case.source, case.meta.models)
        return [
            UserLine(path, each.line, each.name, each.text if each.todo else "") for each in open_
        ]

    def expectation(self, record: Record, case_id: str = "") -> Expectation | None:
        """What is expected of a record, or of its exporter for another case, where it was made."""
        if record.suite != SUITE:
            return None
        try:
            case = self._named(case_id or record.case)
            where = Where.of(self.header.environment_of(record), record.device)
            if case is None or where is None:
                return None
            return self.expectations.expectation(case, record.exporter, where)
        except (CaseError, KeyError):
            return None

    def explained(self, record: Record) -> bool:
        """Whether its exporter is unsound by design, and that is explained once for all cases."""
        case = self._named(record.case) if record.suite == SUITE else None
        return case is not None and any(
            record.exporter in names
            for root, names in self._unsound.items()
            if root == self.expectations.own or case.path.is_relative_to(root)
        )

    @cached_property
    def _unsound(self) -> dict[Path, frozenset[str]]:
        """The exporters that the ``exporters.yaml`` of each tree explains."""
        own = self.expectations.own
        found = {}
        for root in (database.builtin_tree(), *self.trees, *([own] if own else [])):
            with contextlib.suppress(CaseError):  # who accepts is told what is wrong with the file
                found[root] = frozenset(known_links(root / "exporters.yaml"))
        return found

    def rewrite(self, cause: Cause) -> Rewrite | None:
        """The best rewrite of one of its cases: known to be captured by the exporter, if any is."""
        named = (
            (record, case)
            for record in cause.records[:LOOKED_AT]
            if record.suite == SUITE and (case := self._named(record.case))
        )
        return self._best(named)

    def rewrite_alike(self, cause: Cause) -> Rewrite | None:
        """The best rewrite of a case of the database that explains the same error, nearest to the
        user's line first."""
        entry, place = self.entry(cause.first), self.place(cause)
        if entry is None:
            return None
        said = set(reading.tokens(place.source if place else ""))

        def unlike(case: Case) -> tuple[int, str]:
            return -len(said & set(reading.tokens(case.program))), case.id

        alike = sorted((c for c in self._explaining(entry.id) if c.meta.rewrites), key=unlike)
        return self._best((cause.first, case) for case in alike[:LOOKED_AT])

    def _explaining(self, entry: str) -> list[Case]:
        """The public cases that explain an entry of the catalogue."""
        if entry not in self._alike:
            ids = database.ids(database.builtin_tree(), [entry.encode()])
            found = database.load(only=ids) if ids else ()
            self._alike[entry] = [c for c in found if entry in c.meta.errors]
        return self._alike[entry]

    def _best(self, cases: Iterable[tuple[Record, Case]]) -> Rewrite | None:
        """The first rewrite of these that the exporter of its record is known to support, or that
        the one it extends is; the first of which nothing is known, if there is none."""
        unknown = None
        for record, case in cases:
            for other in case.meta.rewrites:
                seen = self.seen.get((other, record.exporter, record.device))
                if seen is Outcome.SUPPORTED:
                    return Rewrite(case.id, other, record.exporter)
                known = self.expectation(record, other) if seen is None else None
                if known is not None and known.outcome is Outcome.SUPPORTED:
                    return Rewrite(case.id, other, self._measured(record, other))
                if known is None and seen is None:
                    unknown = unknown or Rewrite(case.id, other)
        return unknown

    def _measured(self, record: Record, case_id: str) -> str:
        """The exporter of which it is known: that of the record, or the nearest that it extends."""
        line = lineage(self.expectations.extends, record.exporter)[::-1]
        for name in line:
            known = self.expectation(record.with_(exporter=name), case_id)
            if known is not None and known.confirmed:
                return name
        return line[-1]


def shown_path(path: Path) -> str:
    """A path as it is shown and pasted: from here, where it lies below."""
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else str(path)

"""The database as a source of programs: files under ``cases/``, each sent as its text."""

from __future__ import annotations

import linecache
import sys
import types
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from exportdb.cases.case import SUITE, Case, FrontMatter
from exportdb.cases.database import builtin_tree, load
from exportdb.suites.protocol import Definition, ProgramError, Suite, SuiteProgram, sizes_of


class Cases(Suite):
    """The built-in tree; a run reads it without a process, and with it the trees of its user."""

    name = SUITE
    description = "the cases of this database and of your own trees"

    def programs(self, **_: str) -> Iterable[SuiteProgram]:
        """Every case that can be read."""
        for case in load():
            yield SuiteProgram(case.id, CaseProgram(case).load, case.meta, case.program)


@dataclass(frozen=True)
class CaseProgram:
    """The program of a case; ``suite`` is ``cases`` for every file that somebody wrote."""

    case: Case
    suite: str = SUITE

    @property
    def id(self) -> str:
        """The case's ID."""
        return self.case.id

    @property
    def digest(self) -> str:
        """That of the whole file."""
        return self.case.digest

    @property
    def meta(self) -> FrontMatter:
        """The front matter."""
        return self.case.meta

    @property
    def where(self) -> str:
        """The file, and the line on which the program begins."""
        return f"{self.case.path}:{self.case.program_line}"

    @property
    def path(self) -> Path:
        """The file."""
        return self.case.path

    @property
    def selector(self) -> tuple[str, ...]:
        """The ID of a case of ours, the file of any other."""
        builtin = self.path.is_relative_to(builtin_tree())
        return (self.id if builtin else str(self.path),)

    @property
    def preload(self) -> tuple[str, ...]:
        """Nothing that others do not import."""
        return ()

    def load(self) -> Definition:
        """Import the file's text. Raises ProgramError where it defines no ``inputs``."""
        case = self.case
        # The name shows in messages of errors, so it is the same on every machine.
        name = "exportdb_case_" + case.id.replace("/", "_")
        module = types.ModuleType(name)
        module.__file__ = str(case.path)
        sys.modules[name] = module  # dataclasses and pickling look the module up by name
        # A candidate of a reduction is in no file, nor is a program on another node: the lines
        # that are shown, and that TorchScript reads, are of what runs.
        file, lines = str(case.path), case.source.splitlines(keepends=True)
        linecache.cache[file] = (len(case.source), None, lines, file)
        exec(compile(case.source, file, "exec", dont_inherit=True), module.__dict__)
        defined = module.__dict__
        inputs = defined.get("inputs")
        if not callable(inputs):
            raise ProgramError(self.where, "defines no inputs()")
        return Definition(
            models={name: defined[name] for name in case.meta.models if name in defined},
            inputs=inputs,
            sizes=sizes_of(inputs, self.where),
            dynamic_shapes=defined.get("dynamic_shapes"),
            accepts=defined.get("accepts"),
            rejects=defined.get("rejects"),
        )

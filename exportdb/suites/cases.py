"""The database as a source of programs: files under ``cases/``, each sent as its text."""

from __future__ import annotations

import sys
import types
from dataclasses import dataclass
from pathlib import Path

from exportdb.cases.case import Case, FrontMatter
from exportdb.suites.protocol import Definition, ProgramError, sizes_of

SUITE = "cases"


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

    def load(self) -> Definition:
        """Import the file's text. Raises ProgramError where it defines no ``inputs``."""
        case = self.case
        # The name shows in messages of errors, so it is the same on every machine.
        name = "exportdb_case_" + case.id.replace("/", "_")
        module = types.ModuleType(name)
        module.__file__ = str(case.path)
        sys.modules[name] = module  # dataclasses and pickling look the module up by name
        exec(compile(case.source, str(case.path), "exec", dont_inherit=True), module.__dict__)
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

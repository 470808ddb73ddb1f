"""A case as data: its ID, what its front matter says, and where its program lies.

Owns the vocabulary of a case. Reading files is left to ``frontmatter`` and ``database``; running
the program to ``exportdb.conformance``. Nothing here imports torch or the program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

#: Path segments of an ID: lower-case words joined by underscores.
ID_PATTERN = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*(/[a-z][a-z0-9]*(_[a-z0-9]+)*)*")


class CaseError(Exception):
    """Something is wrong with a file of the database: which file, which line, and what.

    ``kind`` lets lint tell one sort of trouble from another: ``unreadable``, ``unknown-key``,
    ``bad-value``, ``missing-key``, ``illegal-id`` or ``duplicate-id``.
    """

    def __init__(self, path: Path, line: int, message: str, kind: str = "unreadable") -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path, self.line, self.message, self.kind = path, line, message, kind

    def __reduce__(self) -> tuple[type[CaseError], tuple[Path, int, str, str]]:
        return (CaseError, (self.path, self.line, self.message, self.kind))


@dataclass(frozen=True)
class DimRange:
    """The sizes from ``min`` to ``max``, both included; ``max`` None is unbounded."""

    min: int = 0
    max: int | None = None


@dataclass(frozen=True)
class Tolerance:
    """How far values may differ; None means torch.testing's default for the dtype."""

    rtol: float | None = None
    atol: float | None = None


@dataclass(frozen=True)
class FrontMatter:
    """What the YAML in a case's docstring says."""

    title: str
    description: str
    tags: tuple[str, ...] = ()
    rewrites: tuple[str, ...] = ()
    pitfalls: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    models: tuple[str, ...] = ("Model",)
    dims: Mapping[str, DimRange] = field(default_factory=dict)
    train: bool = False
    tolerance: Tolerance = Tolerance()
    timeout: float | None = None
    #: Lint checks this case breaks on purpose, each with the reason.
    allow: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """One program, one pattern, one file."""

    id: str
    path: Path
    meta: FrontMatter
    source: str  # the whole file
    digest: str  # of the whole file
    #: Line of each front-matter key, counted from 1 in the file.
    lines: Mapping[str, int] = field(default_factory=dict)
    #: Line on which the program begins, after the docstring.
    program_line: int = 1

    @property
    def topic(self) -> str:
        """The folder of the case: ``control_flow`` of ``control_flow/branch_on_value``."""
        return self.id.rpartition("/")[0]

    @property
    def program(self) -> str:
        """The plain PyTorch part, without the front matter."""
        return "\n".join(self.source.splitlines()[self.program_line - 1 :]).strip("\n") + "\n"

    @property
    def expectations_path(self) -> Path:
        """Where the expectations of this case are kept, whether or not the file exists."""
        return self.path.with_suffix(".yaml")

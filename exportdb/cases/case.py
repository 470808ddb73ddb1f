"""A case as data: its ID, what its front matter says, and where its program lies.

Owns the vocabulary of a case. Reading files is left to ``frontmatter`` and ``database``; running
the program to ``exportdb.conformance``. Nothing here imports torch or the program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from exportdb.cases.data import Data, Text, Texts, says

#: The suite that all cases are in.
SUITE = "cases"
#: Path segments of an ID: lower-case words joined by underscores.
ID_PATTERN = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*(/[a-z][a-z0-9]*(_[a-z0-9]+)*)*")


class CaseError(Exception):
    """Something is wrong with a file of the database: which file, which line, and what.

    ``line`` 0 is for what has no lines: a file that is not there, a folder.

    ``kind`` lets lint tell one sort of trouble from another: ``unreadable``, ``unknown-key``,
    ``bad-value``, ``missing-key``, ``illegal-id`` or ``duplicate-id``.
    """

    def __init__(self, path: Path, line: int, message: str, kind: str = "unreadable") -> None:
        super().__init__(f"{path}:{line}: {message}" if line else f"{path}: {message}")
        self.path, self.line, self.message, self.kind = path, line, message, kind

    def __reduce__(self) -> tuple[type[CaseError], tuple[Path, int, str, str]]:
        return (CaseError, (self.path, self.line, self.message, self.kind))


class DimRange(Data, frozen=True):
    """The sizes from ``min`` to ``max``, both included; ``max`` None is unbounded.

    A number that is an input has a range too, which may begin below zero.
    """

    min: Annotated[int, says("The smallest size.", "a whole number")] = 0
    max: Annotated[int | None, says("The largest size.", "a whole number")] = None

    def __post_init__(self) -> None:
        """Raises ValueError for an empty range."""
        if self.max is not None and self.max < self.min:
            raise ValueError("the range is empty")

    def holds(self, size: int) -> bool:
        """Whether a size is in the range."""
        return self.min <= size and (self.max is None or size <= self.max)

    def __str__(self) -> str:
        return f"{self.min} to {'any' if self.max is None else self.max}"


#: A number that is not negative, and is one.
Amount = Annotated[float, Meta(ge=0, le=1e300, extra={"must": "a number that is not negative"})]


class Tolerance(Data, frozen=True):
    """How far values may differ; None means torch.testing's default for the dtype."""

    rtol: Annotated[Amount | None, says("Of the expected value.")] = None
    atol: Annotated[Amount | None, says("As it is.")] = None


class FrontMatter(Data, frozen=True):
    """What the YAML in a case's docstring says."""

    title: Annotated[Text, says("One line, as a reader would search for it.")]
    description: Annotated[Text, says("What happens and why, in a few sentences.")] = ""
    tags: Annotated[Texts, says("Tags from cases/tags.yaml.")] = ()
    rewrites: Annotated[Texts, says("IDs of cases that do the same in a way that captures.")] = ()
    narrower: Annotated[
        Mapping[str, Text],
        says("The rewrites that refuse inputs which this case accepts, and which: they raise, or "
             "declare a smaller range.",
             "a mapping of a rewrite to the inputs it refuses, like {topic/name: no rows}"),
    ] = {}  # fmt: skip
    advice: Annotated[
        Text | None,
        says("What to do where no rewrite does the same, in a sentence, and why none does."),
    ] = None
    pitfalls: Annotated[Texts, says("IDs of cases that show the tempting fix that is wrong.")] = ()
    references: Annotated[
        Texts, says("Issues (pytorch#123) and pages this case is drawn from.")
    ] = ()
    errors: Annotated[Texts, says("IDs of the error catalogue entries this case explains.")] = ()
    requires: Annotated[
        Texts,
        says("Capabilities the program needs, from exportdb.cases.capabilities, and the version of "
             "torch that has what it imports, like torch>=2.8."),
    ] = ()  # fmt: skip
    models: Annotated[Texts, says("Names of the modules to examine with the same inputs.")] = (
        "Model",
    )
    dims: Annotated[
        Mapping[str, DimRange],
        says("Ranges of the sizes of inputs() that no named Dim declares.",
             "a mapping of each dim to its range, like {n: {min: 2, max: 8}}"),
    ] = {}  # fmt: skip
    breaks_contract: Annotated[
        Text | None,
        says("Which contract of torch's the program breaks itself, so that what an exporter makes "
             "of it says nothing against the exporter, and no score counts it."),
    ] = None  # fmt: skip
    train: Annotated[bool, says("Whether gradients are compared too.")] = False
    tolerance: Annotated[
        Tolerance, says("rtol and atol, where the dtype's defaults do not fit.")
    ] = Tolerance()
    timeout: Annotated[
        Amount | None,
        says("Seconds one examination may take, where the default does not fit."),
    ] = None
    allow: Annotated[
        Mapping[str, Text],
        says("Lint checks this case breaks on purpose, each with the reason.",
             "a mapping of check IDs to the reason, like {L031: the case is about this}"),
    ] = {}  # fmt: skip


class Case(Struct, frozen=True, array_like=True):
    """One program, one pattern, one file."""

    id: str
    path: Path
    meta: FrontMatter
    source: str  # the whole file
    digest: str  # of the whole file
    #: Line of each front-matter key, counted from 1 in the file.
    lines: Mapping[str, int] = {}
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

"""What a program to be examined is, wherever it comes from: a file, memory, a suite of others.

Owns the two values that every source of programs gives. A :class:`ProgramRef` is a name with what
is known of the program without running it; it can be sent to another process, where ``load`` makes
the :class:`Definition`. A :class:`Suite` is a plug-in that gives many of them, as
:class:`SuiteProgram`; who asks it, and where, is left to ``exportdb.runner.listing``. Which samples
are tried, and how, is left to ``exportdb.conformance``. Nothing here imports torch.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from exportdb.cases.case import DimRange, FrontMatter


@dataclass(frozen=True)
class Definition:
    """A program whose code has run.

    ``models`` makes a new module for each name that the reference's ``meta.models`` lists.
    ``inputs`` builds a sample from sizes, given by keyword; ``sizes`` are all that it takes, with
    those of the example, which it builds without any. ``dynamic_shapes`` has the form that
    ``torch.export.export`` takes, or is None. ``accepts`` and ``rejects`` give further
    samples that must agree with eager, or must be refused. A sample is a tuple of positional
    arguments, a dict of keyword arguments, exactly ``(tuple, dict)``, or one argument.

    ``ranges`` are those of sizes that no ``Dim`` declares and no front matter.
    ``example`` gives the example anew where it is another than what ``inputs`` builds. With
    ``guessed`` nobody vouches for what ``inputs`` builds: what eager refuses of it must be refused.
    """

    models: Mapping[str, Callable[[], Any]]
    inputs: Callable[..., Any]
    sizes: Mapping[str, int] = field(default_factory=dict)
    dynamic_shapes: Any = None
    accepts: Callable[[], Iterable[Any]] | None = None
    rejects: Callable[[], Iterable[Any]] | None = None
    example: Callable[[], Any] | None = None
    guessed: bool = False
    ranges: Mapping[str, DimRange] = field(default_factory=dict)


_UNTOLD = FrontMatter("a program of a suite", "a program of a suite")


@dataclass(frozen=True)
class SuiteProgram:
    """A program of a suite: its ID, what is known of it beforehand, and what runs its code.

    The ID is unique in the suite: words joined by ``/``, the first of which is the topic. ``text``
    is what a reader should see of the program; when it or ``meta`` changes, so has the program.
    """

    id: str
    define: Callable[[], Definition]
    meta: FrontMatter = _UNTOLD
    text: str = ""


class Suite:
    """A source of many programs, found as a plug-in; it may, and need not, derive from this.

    It is imported and asked in a process of its own. ``requirements`` are the packages that it
    needs, ``extra`` the extra of exportdb that has them, if one does, ``preload`` the modules that
    are worth importing before processes are forked.
    ``options`` are the settings that decide which programs it has, with their defaults.
    """

    name: str = ""
    description: str = ""
    requirements: Sequence[str] = ()
    extra: str = ""
    preload: Sequence[str] = ()
    options: Mapping[str, str] = {}

    def programs(self, **options: str) -> Iterable[SuiteProgram]:
        """All programs under these options. Raises ValueError for an option's bad value."""
        raise NotImplementedError

    def program(self, id: str) -> SuiteProgram:
        """The program of an ID, whatever the options. Raises KeyError."""
        found = {program.id: program for program in self.programs(**self.options)}
        return found[id]


def sizes_of(inputs: Callable[..., Any], where: str) -> dict[str, int]:
    """The parameters of an ``inputs()`` with their defaults. Raises ProgramError."""
    sizes = {name: p.default for name, p in inspect.signature(inputs).parameters.items()}
    for name, size in sizes.items():
        if type(size) is not int:
            raise ProgramError(where, f"{name} of inputs() needs a whole number as default")
    return sizes


class ProgramRef(Protocol):
    """A program by its name, as data; every source has a frozen class of its own that fits this.

    ``(suite, id)`` names it in records, ``digest`` changes when the program does. ``meta`` is what
    is known without running it: models, needs, tags, tolerance, time limit, ranges of sizes that
    no ``Dim`` declares. ``where`` is what a message about it begins with, ``path`` the file it is
    in, if it is in one. ``selector`` are the words that select it on a command line, if any do;
    ``preload`` names modules to import before processes are forked.
    """

    @property
    def suite(self) -> str: ...

    @property
    def id(self) -> str: ...

    @property
    def digest(self) -> str: ...

    @property
    def meta(self) -> FrontMatter: ...

    @property
    def where(self) -> str: ...

    @property
    def path(self) -> Path | None: ...

    @property
    def selector(self) -> tuple[str, ...]: ...

    @property
    def preload(self) -> tuple[str, ...]: ...

    def load(self) -> Definition:
        """Run the program's code, in this process. Raises ProgramError, and whatever it raises."""


class ProgramError(Exception):
    """A program that does not define what a program must; the message says where and what."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(f"{where}: {message}")
        self.where, self.message = where, message

    def __reduce__(self) -> tuple[type[ProgramError], tuple[str, str]]:
        return (ProgramError, (self.where, self.message))

"""A program of a suite by its name: what is known of it in a process that does not load the suite.

Owns the way from that name to the program, in a process that does. Making the list is left to
``exportdb.runner.listing``.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from exportdb.cases.case import FrontMatter
from exportdb.plugins import PluginRef, completed
from exportdb.suites.protocol import Definition, ProgramError, Suite


@dataclass(frozen=True)
class ListedProgram:
    """A program that the suite ``plugin`` has under ``options``."""

    id: str
    digest: str
    meta: FrontMatter
    plugin: PluginRef
    options: tuple[tuple[str, str], ...] = ()
    preload: tuple[str, ...] = ()
    path: None = None

    @property
    def suite(self) -> str:
        """The suite's name."""
        return self.plugin.name

    @property
    def where(self) -> str:
        """The suite and the ID, for it is in no file that we know."""
        return f"{self.suite}:{self.id}"

    @property
    def selector(self) -> tuple[str, ...]:
        """The suite as it was given, the options under which it has this program, and the ID."""
        spec = self.plugin.name if self.plugin.distribution else self.plugin.target
        options = (word for k, v in self.options for word in ("--suite-option", f"{k}={v}"))
        return ("--suite", spec, *options, shlex.quote(self.id))

    def load(self) -> Definition:
        """Ask the suite for it. Raises ProgramError where it has no such program any more."""
        suite: Suite = completed(self.plugin.load(), Suite)
        try:
            program = suite.program(self.id)
        except KeyError:
            raise ProgramError(self.where, "the suite has no such program here") from None
        return program.define()

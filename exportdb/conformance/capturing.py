"""Makes captures of one model, the first one and, where asked, more to compare with it.

Owns what an exporter is given. What it may give back is left to ``receiving``, what a capture looks
like to ``describe``, what it does to ``trial``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest

import torch

from exportdb.conformance.errors import one_line
from exportdb.conformance.program import Inputs, LoadedProgram
from exportdb.conformance.receiving import received
from exportdb.conformance.snapshot import Snapshot
from exportdb.exporters.protocol import Artifact, Exporter, Program


@dataclass(frozen=True)
class Capturing:
    """One exporter and one model of a program; ``train`` when gradients are asked for."""

    program: LoadedProgram
    model: str
    exporter: Exporter
    seed: int
    train: bool

    def make(
        self, inputs: Inputs, announce: Callable[[str], None] = lambda phase: None
    ) -> tuple[Snapshot, Artifact]:
        """A capture of a new module. Raises whatever the exporter raises, and ArtifactError."""
        given = Snapshot(self.program.model(self.model), own=True)
        args, kwargs = inputs
        # Eager may have compiled too (torch.cond and the loops do): what it keeps of that would be
        # asked about the sizes of this capture, and each such question is a guard.
        torch._dynamo.reset()
        with self.program.context(self.seed, capturing=True):
            made = self.exporter.capture(
                Program(given.module, args, kwargs, self.program.dynamic_shapes,
                        self.program.device, self.train, announce)
            )  # fmt: skip
        return given, received(made)

    def again(
        self, inputs: Inputs, first: str | None, graph_of: Callable[[Artifact], str | None]
    ) -> str:
        """How the graph of another capture differs from the ``first`` one, or ""."""
        try:
            graph = graph_of(self.make(inputs)[1])
        except Exception as e:
            return f"captured again, it raised {one_line(e)}"
        if graph == first:
            return ""
        before, after = (first or "").splitlines(), (graph or "").splitlines()
        pairs = zip_longest(before, after, fillvalue="nothing")
        number, (a, b) = next((i, p) for i, p in enumerate(pairs, 1) if p[0] != p[1])
        return f"line {number} is {a.strip()!r}, captured again {b.strip()!r}"[:400]

"""Makes captures of one model, the first one and, where asked, more to compare with it.

Owns what an exporter is given and what it may give back. What a capture looks like is left to
``describe``, what it does to ``trial``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import torch

from exportdb.conformance.errors import one_line
from exportdb.conformance.program import Inputs, LoadedProgram
from exportdb.conformance.trial import Given
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
    ) -> tuple[Given, Artifact]:
        """A capture of a new module. Raises whatever the exporter raises."""
        given = Given(self.program.model(self.model))
        args, kwargs = inputs
        # Eager may have compiled too (torch.cond and the loops do): what it keeps of that would be
        # asked about the sizes of this capture, and each such question is a guard.
        torch._dynamo.reset()
        with self.program.context(self.seed, capturing=True):
            made = self.exporter.capture(
                Program(given.module, args, kwargs, self.program.dynamic_shapes,
                        self.program.device, self.train, announce)
            )  # fmt: skip
        return given, _as_artifact(made)

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


def _as_artifact(captured: Any) -> Artifact:
    if isinstance(captured, Artifact):
        return captured
    if isinstance(captured, torch.export.ExportedProgram):
        return Artifact(call=captured.module(), exported_program=captured)
    if not callable(captured):
        raise TypeError(f"capture() returned {type(captured).__name__}, which is not callable")
    return Artifact(
        call=captured,
        graph_module=captured if isinstance(captured, torch.fx.GraphModule) else None,
    )

"""torch's symbolic-shape engine as a target of its own: shapes predicted, no graph."""

from __future__ import annotations

from exportdb.exporters.protocol import Artifact, Exporter, Program


class Symbolic(Exporter):
    """The program run once on fake tensors whose declared dims are symbols.

    The artifact predicts the outputs' structure, shapes, strides and dtypes from expressions, and
    raises where the recorded guards do not hold.
    """

    name = "symbolic"
    description = "fake tensors with symbolic sizes; predicts shapes, makes no graph"
    lacks = frozenset({"training"})

    def capture(self, program: Program) -> Artifact:
        from exportdb.symbolic.engine import run

        recorded = run(program.module, program.args, program.kwargs, program.dynamic_shapes)
        return Artifact(
            call=recorded,
            compares="metadata",
            facts=recorded.facts.to_json(),
            reports=recorded.facts.findings,
        )

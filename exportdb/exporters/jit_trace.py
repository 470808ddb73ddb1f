"""``torch.jit.trace``: the well-known unsound one, kept as a yardstick."""

from __future__ import annotations

import inspect
import warnings

from exportdb.exporters.jit_graph import canonical
from exportdb.exporters.protocol import Artifact, Exporter, Program


class JitTrace(Exporter):
    """``torch.jit.trace`` on the example inputs, its own check left out: ours is the check."""

    name = "jit-trace"
    description = "torch.jit.trace"
    lacks = frozenset({"training", "fake"})
    advances_state = True

    def capture(self, program: Program) -> Artifact:
        import torch

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # every baked branch warns; the outcome says it
            if program.kwargs:
                traced = torch.jit.trace(
                    program.module,
                    example_kwarg_inputs=_by_name(program),
                    check_trace=False,
                    strict=False,
                )
            else:
                traced = torch.jit.trace(
                    program.module, program.args, check_trace=False, strict=False
                )
        return Artifact(
            call=traced, graph_text=canonical(str(traced.inlined_graph), program.device)
        )


def _by_name(program: Program) -> dict[str, object]:
    """All inputs as keywords: ``torch.jit.trace`` takes either positions or keywords."""
    bound = inspect.signature(program.module.forward).bind(*program.args, **program.kwargs)
    return dict(bound.arguments)

"""``torch.fx.symbolic_trace``: the program run once on proxies, which stand for any value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exportdb.exporters.protocol import Artifact, Exporter, Program


class FxTrace(Exporter):
    """``symbolic_trace`` of the program with its inputs as a flat list.

    Tensors, numbers and objects of the user's are placeholders, whatever ``dynamic_shapes`` says.
    Where tracing fails with that, numbers become constants, as ``concrete_args`` makes them. None,
    flags and words always are.
    """

    name = "fx-trace"
    description = "torch.fx.symbolic_trace"
    default = False
    advances_state = True  # what is done with buffers alone is done while tracing

    def capture(self, program: Program) -> Artifact:
        from exportdb.exporters.flat import is_fixed, is_number

        try:
            return _traced(program, lambda leaf: not is_fixed(leaf))
        except Exception:
            return _traced(program, lambda leaf: not is_fixed(leaf) and not is_number(leaf))


def _traced(program: Program, is_open: Callable[[Any], bool]) -> Artifact:
    import torch

    from exportdb.exporters.flat import Flat

    flat = Flat(program.module, program, is_open)
    # A tuple of its own form: then the leaves are placeholders although the signature is *inputs.
    graph = torch.fx.symbolic_trace(flat, concrete_args=(torch.fx.PH,) * sum(flat.open))

    def call(*args: Any, **kwargs: Any) -> Any:
        return flat.structured(graph(*flat.given(args, kwargs)))

    return Artifact(call=call, graph_module=graph)

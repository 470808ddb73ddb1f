"""``make_fx`` with symbolic tracing: operators as they are dispatched, no guards checked."""

from __future__ import annotations

from typing import Any

from exportdb.exporters.protocol import Artifact, Exporter, Program


class MakeFx(Exporter):
    """``make_fx(tracing_mode="symbolic")``.

    The traced function takes the flat list of the input leaves. All sizes are symbolic, whatever
    ``dynamic_shapes`` says; parameters and buffers become attributes of the graph.
    """

    name = "make-fx"
    description = 'torch.fx.experimental.proxy_tensor.make_fx, tracing_mode="symbolic"'
    advances_state = True  # what involves no input is computed with the parameters and buffers
    lacks = frozenset({"fake"})  # sizes of tensors that are fake already stay numbers

    def capture(self, program: Program) -> Artifact:
        from torch.fx.experimental.proxy_tensor import make_fx
        from torch.utils import _pytree as pytree

        leaves, spec = pytree.tree_flatten((program.args, dict(program.kwargs)))
        out_spec: Any = None

        def flat(*flat_leaves: Any) -> Any:
            nonlocal out_spec
            args, kwargs = pytree.tree_unflatten(list(flat_leaves), spec)
            out, out_spec = pytree.tree_flatten(program.module(*args, **kwargs))
            return out

        graph = make_fx(
            flat,
            tracing_mode="symbolic",
            _allow_non_fake_inputs=True,
            _error_on_data_dependent_ops=False,
        )(*leaves)

        def call(*args: Any, **kwargs: Any) -> Any:
            # Raises ValueError for another structure; the order of keys is no part of it.
            given = spec.flatten_up_to((args, kwargs))
            return pytree.tree_unflatten(graph(*given), out_spec)

        return Artifact(call=call, graph_module=graph)

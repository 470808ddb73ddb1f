"""ExecuTorch with XNNPACK: an exported program lowered, serialised, loaded and run.

No file or folder here has the runtime's name: torch leaves out the guards of an exported program
when a caller's file name contains it.
"""

from __future__ import annotations

from typing import Any

from exportdb.exporters.calling import Convention, dense, keeping_state
from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.exporters.torch_export import exported


class ExecutorchXnnpack(Exporter):
    name = "executorch-xnnpack"
    description = "ExecuTorch: to_edge_transform_and_lower with the XNNPACK partitioner, and run"
    extends = "export"
    requirements = ("executorch==1.5.1", "torch==2.13.*")
    devices = ("cpu",)
    lacks = frozenset({"training"})
    timeout_factor = 2.0
    preload = (
        "executorch.backends.xnnpack.partition.xnnpack_partitioner",
        "executorch.exir.passes.init_mutable_pass",
        "executorch.runtime",
    )

    def capture(self, program: Program) -> Artifact:
        from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
        from executorch.exir import ExecutorchBackendConfig, to_edge_transform_and_lower
        from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass

        first = exported(program)
        program.announce("lower")
        edge = to_edge_transform_and_lower(first, partitioner=[XnnpackPartitioner()])
        lowered = edge.exported_program()
        readable = str(lowered.graph_module.graph)  # to_executorch changes it
        signature = lowered.graph_signature
        changed = list(signature.user_inputs_to_mutate.values())
        buffers = list(signature.buffers_to_mutate.values())
        parameters = sum(s.kind.name == "PARAMETER_MUTATION" for s in signature.output_specs)
        # Without it a buffer that the program changes begins with any content.
        passes = [InitializedMutableBufferPass(buffers)] if buffers else []
        program.announce("save")
        raw = edge.to_executorch(ExecutorchBackendConfig(passes=passes)).buffer
        program.announce("load")
        call = _Method(raw, Convention(first), parameters, changed)
        return Artifact(
            call=keeping_state(call),
            exported_program=first,
            readable=readable,
            put_back=call.begin,
        )


class _Method:
    """The method ``forward``, called as the program was.

    The runtime gives what parameters and inputs were changed to as further outputs, before the
    program's own; into inputs it is written back, as a caller of the runtime has to. Buffers that
    it changes stay with it.
    """

    def __init__(
        self, raw: bytes, convention: Convention, parameters: int, changed: list[str]
    ) -> None:
        self._raw = raw
        self._convention = convention
        self._parameters = parameters
        self._changed = changed
        self.begin()

    def begin(self) -> None:
        """Load the program anew: buffers are as they were when it was lowered."""
        from executorch.runtime import Runtime

        self._loaded = Runtime.get().load_program(self._raw)  # its methods share their buffers
        self._method = self._loaded.load_method("forward")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        import torch

        leaves = self._convention.leaves(args, kwargs)
        given = [_given(x) for x in leaves.values()]
        results = [
            x.clone() if isinstance(x, torch.Tensor) else x for x in self._method.execute(given)
        ][self._parameters :]
        with torch.no_grad():
            for name, value in zip(self._changed, results, strict=False):
                leaves[name].copy_(value)
        return self._convention.whole(results[len(self._changed) :])


def _given(leaf: Any) -> Any:
    import torch

    if not isinstance(leaf, torch.Tensor):
        return leaf
    return dense(leaf) if leaf.is_meta else leaf.detach()

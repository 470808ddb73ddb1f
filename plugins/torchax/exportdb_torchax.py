"""torchax: an exported program as StableHLO, with jax's symbolic sizes, run by XLA on the CPU.

torchax is imported after the program was exported: it changes torch so that some programs (those
with ``cond``) could no longer be. An exporter that is a plug-in has a process of its own for each
examination, so that no export comes later.
"""

from __future__ import annotations

from typing import Any

from exportdb.exporters.calling import Convention, dense, is_constant
from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.exporters.torch_export import exported


class Torchax(Exporter):
    name = "torchax"
    description = "torchax: an exported program as StableHLO through jax.export, run by XLA"
    extends = "export"
    requirements = ("jax==0.10.2", "jaxlib==0.10.2", "torch==2.13.*", "torchax==0.0.13")
    devices = ("cpu",)
    lacks = frozenset({"training"})
    timeout_factor = 3.0
    preload = ("jax", "jax.export")

    def capture(self, program: Program) -> Artifact:
        first = exported(program)
        _import()
        import torchax
        from torchax.export import exported_program_to_stablehlo

        torchax.enable_accuracy_mode()  # int64 and float64 are what they are in torch
        program.announce("lower")
        try:
            weights, hlo = exported_program_to_stablehlo(first)
        except Exception as e:
            e.args = tuple(_first(a) if isinstance(a, str) else a for a in e.args)
            raise
        return Artifact(
            call=_TorchaxFunction(weights, hlo, first),
            exported_program=first,
            readable=hlo.mlir_module(),
        )


def _first(message: str) -> str:
    """What a message begins with. The rest are numbers and places in files, never the same."""
    line = message.partition("\n")[0]
    return line.partition(" Using symbolic scope")[0].partition(" Expected current (from")[0]


def _import() -> None:
    """Import torchax. It lists overloads for named tensors, which torch 2.13 no longer has."""
    from torch._ops import OpOverloadPacket

    look_up = OpOverloadPacket.__getattr__

    def or_nothing(packet: Any, name: str) -> Any:
        try:
            return look_up(packet, name)
        except AttributeError:
            if "name" not in name.lower() or name.startswith("_"):
                raise
            return object()  # an entry of a table that nobody will ever look up

    OpOverloadPacket.__getattr__ = or_nothing
    try:
        import torchax.export  # noqa: F401
    finally:
        OpOverloadPacket.__getattr__ = look_up


class _TorchaxFunction:
    """A function of jax, called as the program was.

    It gives what parameters and inputs were changed to before the program's own outputs; into
    inputs that is written back, as a caller has to. What buffers were changed to it does not give.
    """

    def __init__(self, weights: Any, hlo: Any, first: Any) -> None:
        self._weights, self._hlo = weights, hlo
        self._convention = Convention(first)
        signature = first.run_decompositions().graph_signature  # says what is changed in place
        self._parameters = sum(s.kind.name == "PARAMETER_MUTATION" for s in signature.output_specs)
        self._changed = list(signature.user_inputs_to_mutate.values())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        import torch
        from torchax.ops.mappings import j2t, t2j

        leaves = self._convention.leaves(args, kwargs)
        results = self._hlo.call(self._weights, ([t2j(dense(x)) for x in leaves.values()],))
        results = results[self._parameters :]
        changed, given = results[: len(self._changed)], results[len(self._changed) :]
        with torch.no_grad():
            for name, value in zip(self._changed, changed, strict=True):
                leaves[name].copy_(j2t(value))
        return self._convention.whole(
            _leaf(value, spec, j2t)
            for value, spec in zip(given, self._convention.outputs, strict=True)
        )


def _leaf(value: Any, spec: Any, j2t: Any) -> Any:
    """An output as the program would give it: a constant, a tensor, or a symbol's number."""
    if is_constant(spec):
        return spec.value
    tensor = j2t(value).clone()
    return tensor if type(spec).__name__ == "TensorArgument" else tensor.item()

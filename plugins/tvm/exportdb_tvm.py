"""Apache TVM: an exported program translated to Relax, compiled for the CPU, run by its VM."""

from __future__ import annotations

from typing import Any

from exportdb.exporters.calling import Convention, dense
from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.exporters.torch_export import exported


class Tvm(Exporter):
    name = "tvm"
    description = "Apache TVM: relax.frontend.torch, compiled with LLVM, run by the Relax VM"
    extends = "export"
    requirements = ("apache-tvm==0.27.0.post1", "torch==2.13.*")
    devices = ("cpu",)
    lacks = frozenset({"training"})
    timeout_factor = 2.0
    preload = ("tvm.relax.frontend.torch",)

    def capture(self, program: Program) -> Artifact:
        import tvm
        from tvm import relax

        first = exported(program)
        program.announce("lower")
        module = _translated(first)
        readable = module.script()  # compiling changes it
        compiled = tvm.compile(module, target="llvm")
        machine = relax.VirtualMachine(compiled, tvm.cpu())
        return Artifact(
            call=_Machine(machine, Convention(first)), exported_program=first, readable=readable
        )


def _translated(first: Any) -> Any:
    from tvm.relax.frontend.torch import from_exported_program

    try:
        return from_exported_program(first)
    except AssertionError as e:
        text, bracket, names = str(e).partition("[")
        if not text.startswith("Unsupported function types"):
            raise
        # It names them in the order of a set, which differs from process to process.
        names = ", ".join(sorted(names.removesuffix("]").split(", ")))
        raise AssertionError(f"{text}{bracket}{names}]") from None


class _Machine:
    """A virtual machine, called as the program was. It takes tensors and nothing else."""

    def __init__(self, machine: Any, convention: Convention) -> None:
        self._machine = machine
        self._convention = convention

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        import tvm

        leaves = self._convention.leaves(args, kwargs).values()
        results = self._machine["main"](*(tvm.runtime.from_dlpack(dense(x)) for x in leaves))
        return self._convention.whole(_leaf(value) for value in results)


def _leaf(value: Any) -> Any:
    import torch
    import tvm

    return torch.from_dlpack(value).clone() if isinstance(value, tvm.runtime.Tensor) else value

"""IREE: an exported program imported by iree-turbine, compiled for the CPU, run by its runtime."""

from __future__ import annotations

import io
import re
from typing import Any

from exportdb.exporters.calling import Convention, dense, keeping_state
from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.exporters.torch_export import exported


class Iree(Exporter):
    name = "iree"
    description = "iree.turbine.aot.export of a decomposed program, compiled with LLVM, and run"
    extends = "export"
    requirements = (
        "iree-base-compiler==3.13.0", "iree-base-runtime==3.13.0", "iree-turbine==3.9.0",
        "torch==2.13.*",
    )  # fmt: skip
    devices = ("cpu",)
    lacks = frozenset({"training"})
    timeout_factor = 3.0

    def capture(self, program: Program) -> Artifact:
        first = exported(program)
        # Only now: what it imports is no matter of the export.
        from iree.turbine.aot.decompositions import current_aot_decompositions

        program.announce("decompose")
        simple = first.run_decompositions(current_aot_decompositions())
        program.announce("lower")
        module = _imported(simple)
        mlir = io.BytesIO()
        module.write_bytecode(mlir)
        call = _IreeFunction(_compiled(mlir.getvalue()), simple)
        return Artifact(
            call=keeping_state(call),
            exported_program=first,
            readable=module.get_asm(large_elements_limit=16),
            put_back=call.begin,
        )


def _imported(simple: Any) -> Any:
    """The program as a module of MLIR."""
    from iree.turbine import aot

    try:
        return aot.export(simple).mlir_module
    except (NotImplementedError, ValueError) as e:
        # With addresses and a node's metadata no message is like another.
        said = re.sub(r"( object)? at 0x\w+", "", str(e).partition(", {")[0])
        raise type(e)(said) from None


def _compiled(mlir: bytes) -> bytes:
    """The module as a program for this CPU. Raises ValueError with what the compiler said."""
    import iree.compiler

    try:
        return iree.compiler.compile_str(  # type: ignore[no-any-return]
            mlir, target_backends=["llvm-cpu"], input_type="torch",
            extra_args=["--iree-llvmcpu-target-cpu=host"],
        )  # fmt: skip
    except iree.compiler.CompilerToolError as e:
        # The rest is the command line, and where it says that something was: paths of this machine.
        said = re.search(r"error: (.*?)(?: loc\(.*)?$", str(e), re.MULTILINE)
        raise ValueError(said[1] if said else str(e)) from None


class _IreeFunction:
    """The function ``main``, called as the program was. Buffers that it changes stay with it."""

    def __init__(self, compiled: bytes, first: Any) -> None:
        self._compiled = compiled
        self._convention = Convention(first)
        self._changed = set(first.graph_signature.user_inputs_to_mutate.values())

    def begin(self) -> None:
        """Load the program anew: buffers are as they were when it was compiled."""
        import iree.runtime

        config = iree.runtime.Config("local-sync")  # without threads
        context = iree.runtime.SystemContext(config=config)
        context.add_vm_module(iree.runtime.VmModule.copy_buffer(context.instance, self._compiled))
        self._device = config.device
        self._main = context.modules.module.main

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        import iree.runtime
        import torch

        leaves = self._convention.fed(args, kwargs)
        feeds = {
            name: iree.runtime.asdevicearray(self._device, dense(leaf).numpy())
            if isinstance(leaf, torch.Tensor)
            else leaf
            for name, leaf in leaves.items()
        }
        results = self._main(*feeds.values())
        with torch.no_grad():
            for name in self._changed:
                leaves[name].copy_(_tensor(feeds[name]))
        results = results if isinstance(results, tuple) else (results,)
        return self._convention.structured(
            _tensor(value) if isinstance(value, iree.runtime.DeviceArray) else value
            for value in results
        )


def _tensor(array: Any) -> Any:
    import torch

    host = array.to_host().copy()
    if host.dtype.name == "bfloat16":  # a type of ml_dtypes, which torch does not take
        return torch.from_numpy(host.view("uint16")).view(torch.bfloat16)
    return torch.from_numpy(host)

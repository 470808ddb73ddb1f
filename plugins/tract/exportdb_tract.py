"""tract: an exported program through ONNX, run by Sonos' inference engine in Rust."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from exportdb.exporters.calling import Convention, dense
from exportdb.exporters.onnx import translated
from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.exporters.torch_export import exported


class Tract(Exporter):
    name = "tract"
    description = "torch.onnx.export(dynamo=True), loaded, optimised and run by tract"
    extends = "onnx"
    requirements = ("onnx==1.23.2", "onnxscript==0.7.2", "tract==0.23.9", "torch==2.13.*")
    devices = ("cpu",)
    lacks = frozenset({"training"})
    timeout_factor = 2.0
    preload = ("onnx", "onnxscript")

    def capture(self, program: Program) -> Artifact:
        os.environ["RUST_LIB_BACKTRACE"] = "0"  # with addresses no error is like another
        import onnx
        import tract

        first = exported(program)
        program.announce("lower")
        raw = translated(first)
        program.announce("load")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.onnx"
            path.write_bytes(raw)
            runnable = tract.onnx().load(path).into_model().into_runnable()
        return Artifact(
            call=_Runnable(runnable, Convention(first)),
            exported_program=first,
            readable=onnx.printer.to_text(onnx.load_from_string(raw)),
        )


class _Runnable:
    """A runnable model, called as the program was. It takes tensors and nothing else."""

    def __init__(self, runnable: Any, convention: Convention) -> None:
        self._runnable = runnable
        self._convention = convention

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        feeds = [dense(leaf).numpy() for leaf in self._convention.fed(args, kwargs).values()]
        results = self._runnable.run(feeds)
        return self._convention.structured(
            _leaf(value, spec)
            for value, spec in zip(results, self._convention.computed, strict=True)
        )


def _leaf(value: Any, spec: Any) -> Any:
    """An output as the program would give it: a tensor, or the number that a symbol stands for."""
    import torch

    tensor = torch.from_numpy(value.to_numpy())
    return tensor if type(spec).__name__ == "TensorArgument" else tensor.item()

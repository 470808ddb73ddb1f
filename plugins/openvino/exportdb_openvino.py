"""OpenVINO: an exported program converted, compiled for the CPU in full precision, and run."""

from __future__ import annotations

from typing import Any

from exportdb.exporters.calling import Convention, dense
from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.exporters.torch_export import exported


class Openvino(Exporter):
    name = "openvino"
    description = "openvino.convert_model of an exported program, compiled for the CPU in float32"
    extends = "export"
    requirements = ("openvino==2026.4.1", "torch==2.13.*")
    devices = ("cpu",)
    lacks = frozenset({"training"})
    timeout_factor = 2.0

    def capture(self, program: Program) -> Artifact:
        import openvino

        first = exported(program)
        program.announce("lower")
        model = openvino.convert_model(first)
        # By default the CPU may compute in less than float32, which is 2e-3 off.
        compiled = openvino.compile_model(
            model,
            "CPU",
            {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1},
        )
        return Artifact(
            call=_Compiled(compiled, first), exported_program=first, readable=_text(model)
        )


class _Compiled:
    """A compiled model, called as the program was."""

    def __init__(self, compiled: Any, first: Any) -> None:
        self._compiled = compiled
        self._convention = Convention(first)
        self._names = _fed([port.get_names() for port in compiled.inputs], self._convention.names)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaves = self._convention.leaves(args, kwargs)
        feeds = [dense(leaves[name]).numpy() for name in self._names]
        results = self._compiled(feeds, share_inputs=False)
        outputs = [results[i] for i in range(len(self._compiled.outputs))]
        return self._convention.structured(
            _leaf(value, spec)
            for value, spec in zip(outputs, self._convention.computed, strict=True)
        )


def _fed(ports: list[set[str]], names: list[str]) -> list[str]:
    """The graph's input for each port of the model. Raises ValueError if that cannot be told.

    A port has several names, of which the graph's own is one, unless it came out of a container;
    then the ports stand in the graph's order.
    """
    known = [[name for name in names if name in port] for port in ports]
    if all(len(found) == 1 for found in known):
        return [found[0] for found in known]
    if len(ports) == len(names):
        return names
    raise ValueError(
        f"the model has {len(ports)} inputs, the program {len(names)}: which is which?"
    )


def _leaf(value: Any, spec: Any) -> Any:
    """An output as the program would give it: a tensor, or the number that a symbol stands for."""
    import torch

    tensor = torch.from_numpy(value.copy())
    return tensor if type(spec).__name__ == "TensorArgument" else tensor.item()


def _text(model: Any) -> str:
    """The operations of the model in order."""
    return "\n".join(
        f"{op.get_friendly_name()}: {op.get_type_name()}"
        f"({', '.join(i.get_source_output().get_node().get_friendly_name() for i in op.inputs())})"
        for op in model.get_ordered_ops()
    )

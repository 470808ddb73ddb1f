"""``torch.onnx.export`` with ``dynamo=False``: a trace of TorchScript, translated to ONNX."""

from __future__ import annotations

import copy
import io
import warnings
from typing import Any

from exportdb.exporters.onnx import Onnx, from_ort, number, session_of, to_ort
from exportdb.exporters.protocol import Artifact, Program


class OnnxTorchscript(Onnx):
    """What ``torch.onnx.export`` did before torch 2.9; checked and run as ``onnx`` is.

    Tensors are inputs, and ``dynamic_axes`` those that ``dynamic_shapes`` asks for; numbers, words
    and None are constants of the model.
    """

    name = "onnx-torchscript"
    extends = "jit-trace"
    advances_state = True
    description = "torch.onnx.export(dynamo=False), the ONNX checker, onnxruntime"
    packages = ("onnx", "onnxruntime")

    def capture(self, program: Program) -> Artifact:
        import onnx
        import torch
        from torch.utils import _pytree as pytree

        from exportdb.exporters.flat import FlatTensors, is_fixed, is_number

        def is_tensor(leaf: Any) -> bool:
            return isinstance(leaf, torch.Tensor)

        for leaf in pytree.tree_leaves((program.args, dict(program.kwargs))):
            if not (is_tensor(leaf) or is_fixed(leaf) or is_number(leaf)):
                raise TypeError(f"a {type(leaf).__name__} can be no input of an ONNX model")
        # Tracing runs the program, and so does looking at what it gives: on copies, both.
        args, kwargs = copy.deepcopy((program.args, dict(program.kwargs)))
        outputs = pytree.tree_leaves(copy.deepcopy(program.module)(*args, **kwargs))
        flat = FlatTensors(copy.deepcopy(program.module), program, is_tensor)
        example = copy.deepcopy((program.args, dict(program.kwargs)))
        raw = _translated(flat, flat.given(*example), _axes(program))
        program.announce("save")
        onnx.checker.check_model(raw, full_check=True)
        program.announce("load")
        return Artifact(
            call=_FlatSession(session_of(raw), flat, [is_tensor(leaf) for leaf in outputs]),
            readable=onnx.printer.to_text(onnx.load_from_string(raw)),
        )


def _axes(program: Program) -> dict[str, dict[int, str]]:
    """``dynamic_axes``: the name of each axis that was asked to be dynamic, by input."""
    import torch
    from torch.utils import _pytree as pytree

    from exportdb.symbolic.requested import requests

    leaves = pytree.tree_leaves((program.args, dict(program.kwargs)))
    asked = requests(program.module, program.args, program.kwargs, program.dynamic_shapes)
    found: dict[str, dict[int, str]] = {}
    for request in asked:
        if request.dim is not None and isinstance(leaves[request.leaf], torch.Tensor):
            name = f"in{sum(isinstance(leaf, torch.Tensor) for leaf in leaves[: request.leaf])}"
            axis = request.asked if request.root else request.source
            found.setdefault(name, {})[request.dim % leaves[request.leaf].dim()] = axis
    return found


def _translated(flat: Any, tensors: list[Any], axes: dict[str, dict[int, str]]) -> bytes:
    """The ONNX model of a module that takes these tensors. Raises what the exporter raises."""
    import torch

    written = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # every baked branch warns; the outcome says it
        torch.onnx.export(
            flat, tuple(tensors), written, dynamo=False, dynamic_axes=axes,
            input_names=[f"in{i}" for i in range(len(tensors))],
            # The mode is the program's; the default would switch it to eval.
            training=torch.onnx.TrainingMode.PRESERVE,
        )  # fmt: skip
    return written.getvalue()


class _FlatSession:
    """A session, called as the program was; what is no tensor in eager becomes a number again."""

    def __init__(self, session: Any, flat: Any, tensors: list[bool]) -> None:
        self._session, self._flat = session, flat
        self._numbers = [not t for t, g in zip(tensors, flat.gives, strict=True) if g]
        self._names = {i.name for i in session.get_inputs()}  # those that the model needs

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = self._flat.given(args, kwargs)
        feeds = {f"in{i}": leaf for i, leaf in enumerate(given) if f"in{i}" in self._names}
        results = self._session.run_with_ort_values(None, {n: to_ort(x) for n, x in feeds.items()})
        return self._flat.structured(
            number(value) if is_number else from_ort(value)
            for is_number, value in zip(self._numbers, results, strict=True)
        )

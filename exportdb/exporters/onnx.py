"""``torch.onnx.export`` with Dynamo: checked by ONNX's own checker, run by onnxruntime."""

from __future__ import annotations

import contextlib
import importlib.util
import io
from typing import Any, ClassVar

from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.exporters.torch_export import exported


class Onnx(Exporter):
    """The exported program as an ONNX model; the session's outputs in the program's structure.

    An ONNX model takes tensors and nothing else: numbers among the inputs are constants of the
    model, or inputs where ``dynamic_shapes`` asks for it.
    """

    name = "onnx"
    extends = "export"
    description = "torch.onnx.export(dynamo=True), the ONNX checker, onnxruntime"
    packages: ClassVar[tuple[str, ...]] = ("onnx", "onnxscript", "onnxruntime")
    devices = ("cpu",)
    lacks = frozenset({"training", "fake"})
    default = False
    timeout_factor = 2.0

    def unusable(self) -> str | None:
        missing = [name for name in self.packages if importlib.util.find_spec(name) is None]
        if missing:
            return f"{', '.join(missing)} not installed; pip install 'exportdb[onnx]'"
        return None

    def capture(self, program: Program) -> Artifact:
        import onnx

        first = exported(program)
        program.announce("lower")
        raw = translated(first)
        program.announce("save")
        onnx.checker.check_model(raw, full_check=True)
        program.announce("load")
        return Artifact(
            call=_ExportedSession(session_of(raw), first),
            exported_program=first,
            readable=onnx.printer.to_text(onnx.load_from_string(raw)),
        )


def session_of(model: bytes) -> Any:
    """An ``onnxruntime.InferenceSession`` of a model, on one thread of the CPU."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what fails is raised as well
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def translated(exported: Any) -> bytes:
    """The ONNX model of an exported program. Raises whatever kept it from being translated."""
    import torch

    with contextlib.redirect_stdout(io.StringIO()):  # it reports its progress there
        try:
            model = torch.onnx.export(exported, dynamo=True, verbose=False)
        except torch.onnx.errors.OnnxExporterError as e:
            # The outer message is advice and the same for all; the cause says what it was.
            raise e.__cause__ or e from None
    raw: bytes = model.model_proto.SerializeToString()
    return raw


class _ExportedSession:
    """A session, called as the program was: the program's structure in and out.

    Numbers are tensors inside and out of ONNX, and become numbers again here. A number that
    became a constant of the model cannot be given another value: that is a ValueError.
    """

    def __init__(self, session: Any, exported: Any) -> None:
        self._session = session
        # In order: the exporter may rename an input that is an output as well.
        names = iter([i.name for i in session.get_inputs()])
        signature = exported.graph_signature
        self._inputs = [
            (s.arg, None if hasattr(s.arg, "value") else next(names))
            for s in signature.input_specs
            if s.kind.name == "USER_INPUT"
        ]
        self._outputs = [s.arg for s in signature.output_specs if s.kind.name == "USER_OUTPUT"]
        self._in_spec = exported.call_spec.in_spec
        self._out_spec = exported.call_spec.out_spec

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from torch.utils import _pytree as pytree

        leaves = self._in_spec.flatten_up_to((args, kwargs))
        feeds = {}
        for (given, name), leaf in zip(self._inputs, leaves, strict=True):
            if name is not None:
                feeds[name] = to_ort(leaf)
            elif given.value is not leaf and given.value != leaf:
                raise ValueError(f"{given.name} is the constant {given.value!r} in the model")
        results = self._session.run_with_ort_values(None, feeds)
        outputs = [
            from_ort(value) if type(told).__name__ == "TensorArgument" else number(value)
            for told, value in zip(self._outputs, results, strict=True)
        ]
        return pytree.tree_unflatten(outputs, self._out_spec)


def to_ort(leaf: Any) -> Any:
    """A tensor or a number as onnxruntime takes it."""
    import onnxruntime
    import torch

    tensor = leaf.detach() if isinstance(leaf, torch.Tensor) else torch.tensor(leaf)
    if tensor.is_meta:  # given for its shape alone
        tensor = torch.zeros_like(tensor, device="cpu")
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor.resolve_conj())  # as the exporter declares it
    tensor = tensor.resolve_neg().contiguous()
    if (bits := _BITS.get(str(tensor.dtype))) is not None:
        onnx_type, name = bits
        return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(
            tensor.view(getattr(torch, name)).numpy(), onnx_type
        )
    return onnxruntime.OrtValue.ortvalue_from_numpy(tensor.numpy())


def from_ort(value: Any) -> Any:
    """The tensor that onnxruntime gave."""
    import torch

    if value.element_type() in {onnx_type for onnx_type, _ in _BITS.values()}:
        return torch.from_dlpack(value._get_c_value())
    return torch.from_numpy(value.numpy())


def number(value: Any) -> Any:
    """The Python number that onnxruntime gave as a tensor."""
    return value.numpy().item()


#: Types that numpy does not know: ONNX's number for them, and the integers of their size.
_BITS = {"torch.bfloat16": (16, "uint16"), "torch.float8_e4m3fn": (17, "uint8"),
         "torch.float8_e5m2": (19, "uint8")}  # fmt: skip

"""How each exporter captures a program, in plain torch and what it needs besides.

Owns those lines of a repro; what stands around them is left to ``repro``.
"""

from __future__ import annotations

#: How a capture is made, by exporter; ``model``, ``args``, ``kwargs`` and ``shapes`` are there.
_EXPORT = "torch.export.export(model, args, kwargs, dynamic_shapes=shapes{})"
CAPTURES = {
    "export": _EXPORT.format("") + ".module()",
    "export-strict": _EXPORT.format(", strict=True") + ".module()",
    "export-deferred": _EXPORT.format(", prefer_deferred_runtime_asserts_over_guards=True")
    + ".module()",
    "export-draft": _EXPORT.replace("export(", "draft_export(").format("") + ".module()",
    "export-decomposed": _EXPORT.format("") + ".run_decompositions().module()",
    "export-retraced": _EXPORT.replace("model", _EXPORT.format("") + ".module()").format("")
    + ".module()",
    "export-unflattened": f"torch.export.unflatten({_EXPORT.format('')})",
    "jit-trace": "torch.jit.trace(model, args, check_trace=False, strict=False)",
    "make-fx": 'make_fx(model, tracing_mode="symbolic", _allow_non_fake_inputs=True, '
    "_error_on_data_dependent_ops=False)(*args)",
    "export-moved": f'move_to_device_pass({_EXPORT.format("")}, "cpu").module()',
    "export-saved": f"saved({_EXPORT.format('')}).module()",
    "jit-script": "torch.jit.script(model)",
    "fx-trace": "traced(model, args, kwargs)",
    "aot-eager": 'torch.compile(model, backend="aot_eager", fullgraph=True)',
    "aot-eager-train": 'torch.compile(model, backend="aot_eager", fullgraph=True)',
    "dynamo-unspec": 'torch.compile(model, backend="eager", fullgraph=True, dynamic=True)',
    "inductor": "torch.compile(model, fullgraph=True)",
    "inductor-breaks": "torch.compile(model, fullgraph=False)",
    "aot-inductor": f"packaged(model, {_EXPORT.format('')})",
    "aot-inductor-checked": f"packaged(model, {_EXPORT.format('')})",
    "onnx": f"in_onnx({_EXPORT.format('')})",
    "onnx-torchscript": "in_onnx(model, args, kwargs, shapes)",
    "pt2e-quantized": f"quantised({_EXPORT.format('')}.module(), args, kwargs)",
}
_SESSION = """
    import onnxruntime

    # Types that NumPy does not know: ONNX's number for them, and integers of their size.
    bits = {torch.bfloat16: (16, torch.uint16), torch.float8_e4m3fn: (17, torch.uint8),
            torch.float8_e5m2: (19, torch.uint8)}

    def to_onnx(leaf):
        t = leaf.detach() if isinstance(leaf, torch.Tensor) else torch.tensor(leaf)
        t = torch.view_as_real(t.resolve_conj()) if t.is_complex() else t
        t = t.resolve_neg().contiguous()
        make = onnxruntime.OrtValue
        if t.dtype in bits:
            number, whole = bits[t.dtype]
            return make.ortvalue_from_numpy_with_onnx_type(t.view(whole).numpy(), number)
        return make.ortvalue_from_numpy(t.numpy())

    def from_onnx(value, tensor):
        if value.element_type() in [number for number, _ in bits.values()]:
            return torch.from_dlpack(value._get_c_value())
        return torch.from_numpy(value.numpy()) if tensor else value.numpy().item()
"""
_PACKAGED = """
    def packaged(model, exported):
        settings = {"fallback_random": True}  # else its random numbers are others than eager's
        path = torch._inductor.aoti_compile_and_package(exported, inductor_configs=settings)
        package = torch._inductor.aoti_load_package(path)
        own = dict(model.named_parameters()) | dict(model.named_buffers())
        held = {n: own[n].detach() for n in package.get_constant_fqns() if n in own}

        def call(*args, **kwargs):
            if held:  # it runs on the model's state, so that what it changes is seen
                package.load_constants(held, check_full_update=False, user_managed=True)
            return package(*args, **kwargs)

        return call
"""
_ONNX = (
    _SESSION
    + """
    def in_onnx(exported):
        made = torch.onnx.export(exported, dynamo=True, verbose=False)
        session = onnxruntime.InferenceSession(
            made.model_proto.SerializeToString(), providers=["CPUExecutionProvider"]
        )
        names, signature = iter([i.name for i in session.get_inputs()]), exported.graph_signature
        wanted = [s.arg for s in signature.input_specs if s.kind.name == "USER_INPUT"]
        # What is no tensor and no number that changes is a constant of the model.
        wanted = [(arg, None if hasattr(arg, "value") else next(names)) for arg in wanted]
        given = [s.arg for s in signature.output_specs if s.kind.name == "USER_OUTPUT"]

        def call(*args, **kwargs):
            feeds = {}
            leaves = exported.call_spec.in_spec.flatten_up_to((args, kwargs))
            for (arg, name), leaf in zip(wanted, leaves, strict=True):
                if name is not None:
                    feeds[name] = to_onnx(leaf)
                elif arg.value is not leaf and arg.value != leaf:
                    raise ValueError(f"{arg.name} is the constant {arg.value!r}")
            output = [
                from_onnx(value, type(arg).__name__ == "TensorArgument")
                for arg, value in zip(given, session.run_with_ort_values(None, feeds), strict=True)
            ]
            return pytree.tree_unflatten(output, exported.call_spec.out_spec)

        return call
"""
)
_ONNX_TORCHSCRIPT = (
    _SESSION
    + """
    import copy
    import inspect
    import io

    class Flat(torch.nn.Module):
        # It takes tensors one by one and gives tensors; all else is a constant.
        def __init__(self, program, given):
            super().__init__()
            self.program = program
            self.leaves, self.spec = pytree.tree_flatten(given)

        def forward(self, *inputs):
            rest = iter(inputs)
            leaves = [next(rest) if isinstance(x, torch.Tensor) else x for x in self.leaves]
            args, kwargs = pytree.tree_unflatten(leaves, self.spec)
            self.output, self.out = pytree.tree_flatten(self.program.forward(*args, **kwargs))
            return tuple(tensors(self.output))

    def axes_of(model, args, kwargs, shapes):
        # Which axes of the n-th tensor are dynamic, and what each is called.
        named = inspect.signature(model.forward).bind(*args, **kwargs).arguments
        if not isinstance(shapes, dict):
            shapes = dict(zip(named, shapes or ()))
        order, found = {id(t): i for i, t in enumerate(tensors((args, kwargs)))}, {}

        def walk(value, spec, path):
            if isinstance(value, torch.Tensor):
                if not isinstance(spec, (dict, list, tuple)):
                    spec = [spec] * value.dim()
                axes = spec.items() if isinstance(spec, dict) else enumerate(spec)
                for axis, dim in axes:
                    name = getattr(dim, "__name__", f"{path}_{axis}")
                    if dim is not None and not isinstance(dim, int) and "STATIC" not in str(dim):
                        found.setdefault(f"in{order[id(value)]}", {})[axis % value.dim()] = name
            elif isinstance(value, (dict, list, tuple)) and spec:
                for key, part in value.items() if isinstance(value, dict) else enumerate(value):
                    walk(part, spec[key], f"{path}_{key}")

        for name, value in named.items():
            walk(value, shapes.get(name), name)
        return found

    def in_onnx(model, args, kwargs, shapes):
        axes, given = axes_of(model, args, kwargs, shapes), copy.deepcopy((args, kwargs))
        plain = pytree.tree_leaves(copy.deepcopy(model)(*args, **kwargs))
        flat, written = Flat(copy.deepcopy(model), copy.deepcopy(given)), io.BytesIO()
        torch.onnx.export(
            flat, tuple(tensors(given)), written, dynamo=False, dynamic_axes=axes,
            input_names=[f"in{i}" for i in range(len(tensors(given)))],
            training=torch.onnx.TrainingMode.PRESERVE,
        )
        session = onnxruntime.InferenceSession(
            written.getvalue(), providers=["CPUExecutionProvider"]
        )
        needed = [i.name for i in session.get_inputs()]
        # Which of the tensors of the trace are numbers in eager.
        kinds = [isinstance(x, torch.Tensor)
                 for x, traced in zip(plain, flat.output) if isinstance(traced, torch.Tensor)]

        def call(*args, **kwargs):
            leaves = flat.spec.flatten_up_to((args, kwargs))
            for fixed, leaf in zip(flat.leaves, leaves):
                if isinstance(fixed, torch.Tensor) or fixed is leaf:
                    continue
                if (type(fixed), fixed) != (type(leaf), leaf):
                    raise ValueError(f"an input is the constant {fixed!r}")
            open_ = [x for f, x in zip(flat.leaves, leaves) if isinstance(f, torch.Tensor)]
            feeds = {f"in{i}": to_onnx(x) for i, x in enumerate(open_) if f"in{i}" in needed}
            results = session.run_with_ort_values(None, feeds)
            rest = iter([from_onnx(v, tensor) for v, tensor in zip(results, kinds)])
            output = [next(rest) if isinstance(x, torch.Tensor) else x for x in flat.output]
            return pytree.tree_unflatten(output, flat.out)

        return call
"""
)
#: What stands before the capture of some, an empty line first.
BEFORE = {
    "onnx": _ONNX,
    "onnx-torchscript": _ONNX_TORCHSCRIPT,
    "make-fx": "\n    from torch.fx.experimental.proxy_tensor import make_fx\n",
    "export-moved": "\n    from torch.export.passes import move_to_device_pass\n",
    "export-saved": """
    import io

    def saved(exported):
        file = io.BytesIO()
        torch.export.save(exported, file)
        file.seek(0)
        return torch.export.load(file)
""",
    "fx-trace": """
    import enum

    class Flat(torch.nn.Module):
        # It takes tensors and numbers one by one; None, flags and words are constants.
        def __init__(self, program, given, numbers):
            super().__init__()
            self.program = program
            self.leaves, self.spec = pytree.tree_flatten(given)
            fixed = (type(None), bool, str, bytes, enum.Enum, type, torch.dtype, torch.device)
            fixed += () if numbers else (int, float, complex)
            self.open = [not isinstance(leaf, fixed) for leaf in self.leaves]

        def forward(self, *inputs):
            rest = iter(inputs)
            leaves = [next(rest) if o else v for o, v in zip(self.open, self.leaves)]
            args, kwargs = pytree.tree_unflatten(leaves, self.spec)
            output, self.output = pytree.tree_flatten(self.program.forward(*args, **kwargs))
            return list(output)

    def traced(model, args, kwargs, numbers=True):
        flat = Flat(model, (args, kwargs), numbers)
        try:
            holes = (torch.fx.PH,) * sum(flat.open)
            graph = torch.fx.symbolic_trace(flat, concrete_args=holes)
        except Exception:
            if not numbers:
                raise
            return traced(model, args, kwargs, numbers=False)

        def call(*args, **kwargs):
            leaves = flat.spec.flatten_up_to((args, kwargs))
            for o, fixed, leaf in zip(flat.open, flat.leaves, leaves):
                if not o and fixed is not leaf and fixed != leaf:
                    raise ValueError(f"an input is the constant {fixed!r}")
            output = graph(*[leaf for o, leaf in zip(flat.open, leaves) if o])
            return pytree.tree_unflatten(output, flat.output)

        return call
""",
    "aot-eager-train": """
    def as_call(given, plain=as_call):  # inputs want gradients, too
        for t in tensors(call := plain(given)):
            if t.is_floating_point() or t.is_complex():
                t.requires_grad_()
        return call
""",
    "dynamo-unspec": """
    import torch._dynamo.config as config

    config.specialize_int = config.specialize_float = False
""",
    "pt2e-quantized": """
    import copy

    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
    from torchao.quantization.pt2e.quantizer import x86_inductor_quantizer as x86

    def quantised(exported, args, kwargs):
        state = {name: copy.deepcopy(t) for name, t in exported.state_dict().items()}
        quantizer = x86.X86InductorQuantizer()
        quantizer.set_global(x86.get_default_x86_inductor_quantization_config(is_dynamic=True))
        prepared = prepare_pt2e(exported, quantizer)
        args, kwargs = copy.deepcopy((args, kwargs))
        with torch.no_grad():
            prepared(*args, **kwargs)  # weights are observed while they are used
            prepared.load_state_dict(state, strict=False)  # what that call changed
        return convert_pt2e(prepared)
""",
    "aot-inductor": _PACKAGED,
    "aot-inductor-checked": """
    import os

    os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"
""" + _PACKAGED,
}  # fmt: skip
#: Those that capture when they are first called.
LAZY = {"aot-eager", "aot-eager-train", "dynamo-unspec", "inductor", "inductor-breaks"}
#: Those of which later calls may differ from the first: TorchScript is compiled for what it saw.
LEARNING = {"jit-script"}
#: Those that do while they trace what needs no input: the first call may agree, and a second not.
CALCULATING = {"fx-trace"}
#: Those that may fail in a process in which eager never ran.
AFTER_EAGER = {"make-fx"}
#: Those that run in a process of their own, which no mode of the caller's reaches.
ELSEWHERE = {"export-saved"}
#: Those that take positional arguments alone.
POSITIONAL = {"jit-trace", "make-fx"}
#: Those of which no gradient comes back, so none is asked for.
WITHOUT_GRADIENTS = {
    "aot-inductor", "aot-inductor-checked", "onnx", "onnx-torchscript", "pt2e-quantized",
}  # fmt: skip
#: Those that round to 8 bits: numbers may be off by one of these steps.
QUANTISED = {"pt2e-quantized"}
#: Those that read and write memory without a look at its size.
BY_ADDRESS = {"aot-inductor", "aot-inductor-checked"}

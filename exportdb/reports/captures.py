"""How each exporter that needs nothing but torch captures a program, in plain torch.

Owns those lines of a repro; what stands around them is left to ``repro``.
"""

from __future__ import annotations

#: How a capture is made that needs nothing but torch, by exporter; ``model``, ``args``, ``kwargs``
#: and ``shapes`` are there.
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
}
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
#: What stands before the capture of some, an empty line first.
BEFORE = {
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
WITHOUT_GRADIENTS = {"aot-inductor", "aot-inductor-checked"}

"""The part of ``cleanliness`` that knows torch: what of it a program can change.

Owns the names; reads torch through the module that is already imported and never imports it.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from exportdb.executors.local.aspect import Aspect


def aspects(torch: Any) -> tuple[Aspect, ...]:
    """The settings of torch; none if it is not there."""
    if torch is None:
        return ()
    c, cudnn, future = torch._C, torch.backends.cudnn, torch.__future__
    read_only: dict[str, Callable[[], Any]] = {
        "the default device": torch.get_default_device,
        "dispatch modes": c._len_torch_dispatch_stack,
        "function modes": c._len_torch_function_stack,
        "function transforms": lambda: c._functorch.peek_interpreter_stack() is None,
        "torch functions": c._is_torch_function_enabled,
        "inference mode": torch.is_inference_mode_enabled,
        "anomaly mode": torch.is_anomaly_enabled,
        "multithreading of autograd": c._is_multithreading_enabled,
        "filling of new memory": lambda: torch.utils.deterministic.fill_uninitialized_memory,
        "autocast": lambda: [
            (torch.is_autocast_enabled(kind), torch.get_autocast_dtype(kind))
            for kind in ("cpu", "cuda")
        ],
        "the autocast cache": torch.is_autocast_cache_enabled,
        "flags of cuDNN": lambda: (cudnn.enabled, cudnn.deterministic, cudnn.benchmark),
        "flags of backends": lambda: (c._get_mkldnn_enabled(), c._get_nnpack_enabled()),
        "tracing": lambda: c._get_tracing_state() is None,
        "conversion of parameters": lambda: (
            future.get_overwrite_module_params_on_conversion(),
            future.get_swap_module_params_on_conversion(),
        ),
        "print options": lambda: dict(vars(torch._tensor_str.PRINT_OPTS)),
        "torch's configuration": _configuration,
    }
    # torch tells it from 2.8 on.
    if hooks := getattr(c._autograd, "_top_saved_tensors_default_hooks", None):
        read_only["saved tensor hooks"] = lambda: hooks(True) is None
    return (
        *(Aspect(name, read) for name, read in read_only.items()),
        Aspect("the default dtype", torch.get_default_dtype, torch.set_default_dtype),
        Aspect("grad mode", torch.is_grad_enabled, c._set_grad_enabled),
        Aspect("the number of threads", torch.get_num_threads, torch.set_num_threads),
        Aspect("always warning", torch.is_warn_always_enabled, torch.set_warn_always),
        Aspect(
            "the precision of matmul",
            torch.get_float32_matmul_precision,
            torch.set_float32_matmul_precision,
        ),
        Aspect(
            "deterministic algorithms",
            lambda: (
                torch.are_deterministic_algorithms_enabled(),
                torch.is_deterministic_algorithms_warn_only_enabled(),
            ),
            lambda before: torch.use_deterministic_algorithms(before[0], warn_only=before[1]),
        ),
    )


def _configuration() -> list[Any]:
    """What was set in torch's configuration modules, where it is not in context variables."""
    found = []
    for name in _CONFIGURATIONS:
        if module := sys.modules.get(name):
            entries = getattr(module, "_config", {}).values()
            found += [id(getattr(entry, "user_override", None)) for entry in entries]
    return found


_CONFIGURATIONS = (
    "torch._dynamo.config", "torch._functorch.config", "torch._inductor.config",
    "torch._export.config", "torch.fx.experimental._config", "torch.compiler.config",
)  # fmt: skip

#: Modules whose functions and classes are looked at for patches: what programs import and what
#: captures go through. The rest of torch is five times as large.
_LOOKED_AT = (
    "torch.nn", "torch.fx", "torch.export", "torch._export", "torch._higher_order_ops",
    "torch.autograd", "torch.library", "torch._library", "torch._ops", "torch._tensor",
    "torch.functional", "torch._subclasses", "torch.utils._pytree", "torch.linalg", "torch.special",
    "torch.fft", "torch.compiler", "torch.jit", "torch._decomp", "torch._functorch", "torch._refs",
    "torch._prims", "torch._prims_common", "torch._meta_registrations",
)  # fmt: skip
#: Those of the standard library whose classes are looked at too; of the rest of it, and of these
#: others, what stands at the top: a capture reads source with ``ast``, and parses it with ``re``.
_STANDARD = ("builtins", "random", "math", "os", "copy", "operator", "functools", "json", "time")
_OTHERS = ("numpy", "numpy.random", "sympy", "sympy.core.symbol", "sympy.core.numbers")

#: Containers that grow by themselves: caches, counters and tables of names.
_CACHES = ("torch._dynamo", "torch._logging", "torch._inductor", "torch.distributed", "torch.cuda",
           "torch.utils._sympy", "torch.onnx", "torch.testing", "torch.profiler")  # fmt: skip
_CACHE_NAMES = ("cache", "counter", "_memo", "intern", "_fake_tensor_id", "_dir", "_builtin_table")

_PLAIN = (types.FunctionType, types.BuiltinFunctionType, type)
_MEMBERS = (*_PLAIN, property, staticmethod, classmethod, types.GetSetDescriptorType)


def _modules(prefixes: tuple[str, ...]) -> Iterator[types.ModuleType]:
    for name, module in list(sys.modules.items()):
        inside = any(name == p or name.startswith(p + ".") for p in prefixes)
        if inside and isinstance(module, types.ModuleType):
            yield module


def patchable() -> Iterator[tuple[str, Mapping[str, Any], list[str]]]:
    """Name spaces and, of each, the names of what should stay the same object."""
    for module in _elsewhere():
        names = [k for k, v in vars(module).items() if callable(v) and k != "_"]
        if len(names) > 1:
            yield module.__name__, vars(module), names
    standard = [sys.modules[n] for n in _STANDARD if n in sys.modules]
    for module in (*standard, *_torch(), *_modules(_LOOKED_AT)):
        names = [k for k, v in vars(module).items() if isinstance(v, _PLAIN) and k != "_"]
        if len(names) > 1:
            yield module.__name__, vars(module), names
        for name, value in _classes(module):
            members = [k for k, v in vars(value).items() if isinstance(v, _MEMBERS)]
            if len(members) > 1:
                yield f"{module.__name__}.{name}", vars(value), members


def _elsewhere() -> Iterator[types.ModuleType]:
    for name, module in list(sys.modules.items()):
        listed = name in _OTHERS or name.partition(".")[0] in sys.stdlib_module_names
        if listed and isinstance(module, types.ModuleType):
            yield module


def _torch() -> list[types.ModuleType]:
    """The top module, if it is imported."""
    return [sys.modules["torch"]] if "torch" in sys.modules else []


def _classes(module: types.ModuleType) -> Iterator[tuple[str, type]]:
    """The classes that a module defines."""
    for name, value in list(vars(module).items()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            yield name, value


def registries() -> Iterator[tuple[str, Any]]:
    """What should keep its size, by name: each container at the top of a torch module that is no
    cache, and the classes that programs see (a patch may hide what was inherited)."""
    for module in (*_modules(("torch.nn.modules", "torch.nn.parameter")), *_torch()):
        for name, value in _classes(module):
            yield f"{module.__name__}.{name}", vars(value)
    seen: set[int] = set()
    for module in _modules(("torch",)):
        if any(module.__name__.startswith(p) for p in _CACHES):
            continue
        for name, value in list(vars(module).items()):
            kind = type(value)
            plain = kind.__module__ in ("builtins", "collections", "weakref")
            sized = hasattr(kind, "__len__") and not isinstance(
                value, (str, bytes, tuple, frozenset)
            )
            known = id(value) in seen or name.startswith("__")
            if plain and sized and not known and not any(c in name.lower() for c in _CACHE_NAMES):
                seen.add(id(value))
                yield f"{module.__name__}.{name}", value


def registered(torch: Any) -> tuple[Any, ...]:
    """What has been registered through torch.library, one in the place of another included."""
    if not torch:
        return ()
    rules = sys.modules.get("torch._dynamo.trace_rules")
    graph_rules = [
        len(getattr(getattr(rules, name, None), "function_ids", None) or ())
        for name in ("_allowed_callable_ids", "_disallowed_callable_ids")
    ]
    return (set(torch.library._impls), set(torch.library._defs), len(torch.ops.loaded_libraries),
            graph_rules)  # fmt: skip

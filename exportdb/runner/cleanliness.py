"""Whether a process is as it was before a task ran in it.

Owns the list of what a program can leave behind that the next one would feel: settings, patches,
registrations, threads, child processes. What can be put back surely is put back; of anything else
the guard says what it was, and the worker ends (``exportdb.runner.worker``). A doubt costs a fork,
a leak costs the truth, so the lists below are wide: the only names they leave out are of caches,
which may differ without anybody noticing.

Some state is not looked at because nothing survives it anyway: what a plug-in that is not ours
keeps in its globals (it gets a process of its own, see ``run``), and context variables, torch's
configuration among them (each task runs in a copy of the context).
"""

from __future__ import annotations

import atexit
import gc
import logging
import operator
import os
import random
import signal
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_SIGNALS = [s for s in signal.Signals if s not in (signal.SIGKILL, signal.SIGSTOP)]


@dataclass(frozen=True)
class Aspect:
    """Something a task can change: how it is read and, if it can be, how it is put back."""

    name: str
    read: Callable[[], Any]
    restore: Callable[[Any], object] | None = None


class Guard:
    """Takes note of the state of this process; after each task, restores it or says what is off.

    Made once, in the process that workers are forked from, when everything is warm: going through
    torch takes a tenth of a second. :meth:`settle` is for each child.
    """

    def __init__(self) -> None:
        self._torch = sys.modules.get("torch")
        self._patchable = [(n, d, operator.itemgetter(*k)) for n, d, k in _patchable()]
        self._originals = [get(names) for _, names, get in self._patchable]
        self._registries = list(_registries())
        self._sizes = [len(r) for _, r in self._registries]
        self._library = _library_entries(self._torch)
        self._aspects = _PROCESS + (_torch_aspects(self._torch) if self._torch else ())
        self._before: list[Any] = []

    def settle(self) -> None:
        """Take what the settings are now, in a child that is about to begin, for clean."""
        self._before = [a.read() for a in self._aspects]

    def begin(self) -> None:
        """Just before a task: seed every generator, the same for each."""
        random.seed(0)
        if self._torch:
            self._torch.default_generator.manual_seed(0)
        if numpy_random := sys.modules.get("numpy.random"):
            numpy_random.seed(0)

    def end(self) -> str | None:
        """Just after a task: put back what can be; what cannot be, or None if all is clean."""
        try:
            return self._end()
        except Exception as e:  # not even looking works any more
            return f"the state cannot be read: {type(e).__name__}: {e}"

    def _end(self) -> str | None:
        if self._torch is not sys.modules.get("torch"):
            return "torch was imported"
        for (name, names, get), originals in zip(self._patchable, self._originals, strict=True):
            if get(names) != originals:
                return f"{name} was patched"
        if self._torch:
            self._torch._dynamo.reset()  # before sizes are compared: it forgets what was compiled
        for (name, registry), size in zip(self._registries, self._sizes, strict=True):
            if len(registry) != size:
                return f"{name} has {len(registry) - size:+d} entries"
        if _library_entries(self._torch) != self._library:
            return "operators were registered"
        for aspect, before in zip(self._aspects, self._before, strict=True):
            if aspect.read() != before:
                if aspect.restore is None:
                    return f"{aspect.name} changed"
                aspect.restore(before)
                if aspect.read() != before:
                    return f"{aspect.name} changed and cannot be put back"
        return None


# The process and the interpreter


def _handlers() -> tuple[Any, ...]:
    return tuple(signal.getsignal(s) for s in _SIGNALS)


def _set_handlers(handlers: tuple[Any, ...]) -> None:
    for number, handler in zip(_SIGNALS, handlers, strict=True):
        if handler is not None and signal.getsignal(number) is not handler:
            signal.signal(number, handler)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _has_children() -> bool:
    if not hasattr(os, "waitid"):
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _threads() -> int:
    """Python's threads, and on Linux everybody's."""
    try:
        return len(os.listdir("/proc/self/task"))  # noqa: PTH208  # a hundred times faster
    except OSError:
        return threading.active_count()


def _set_environment(before: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(before)


def _in_place(target: Callable[[], list[Any]]) -> Callable[[list[Any]], None]:
    def put_back(before: list[Any]) -> None:
        target()[:] = before

    return put_back


def _set_filters(before: list[Any]) -> None:
    warnings.filters[:] = before  # type: ignore[index]  # a list, whatever typeshed calls it
    warnings._filters_mutated()  # type: ignore[attr-defined]


def _identities() -> tuple[Any, ...]:
    """Objects of the interpreter that programs like to swap."""
    return (
        sys.stdout, sys.stderr, sys.stdin, sys.excepthook, sys.displayhook, sys.__stdout__,
        sys.gettrace(), sys.getprofile(), warnings.showwarning, warnings.warn,
        threading.excepthook, logging.getLoggerClass(), sys.breakpointhook,
    )  # fmt: skip


_PROCESS = (
    Aspect("threads", _threads),
    Aspect("child processes", _has_children),
    Aspect("os.environ", lambda: dict(os.environ), _set_environment),
    Aspect("the working directory", os.getcwd, os.chdir),
    Aspect("the umask", _umask, os.umask),
    Aspect("signal handlers", _handlers, _set_handlers),
    Aspect("timers", lambda: signal.getitimer(signal.ITIMER_REAL)),
    Aspect("sys.path", lambda: list(sys.path), _in_place(lambda: sys.path)),
    Aspect("sys.argv", lambda: list(sys.argv), _in_place(lambda: sys.argv)),
    Aspect("import hooks", lambda: (list(sys.meta_path), list(sys.path_hooks))),
    Aspect("the recursion limit", sys.getrecursionlimit, sys.setrecursionlimit),
    Aspect("warning filters", lambda: list(warnings.filters), _set_filters),
    Aspect("the garbage collector", lambda: (gc.isenabled(), gc.get_threshold(), len(gc.callbacks))),
    Aspect("exit handlers", atexit._ncallbacks),
    Aspect("streams and hooks", _identities),
    Aspect("log handlers", lambda: (logging.root.level, list(logging.root.handlers), logging.root.disabled)),
)  # fmt: skip


# Torch


def _torch_aspects(torch: Any) -> tuple[Aspect, ...]:
    c = torch._C
    cudnn = torch.backends.cudnn
    return (
        Aspect("the default dtype", torch.get_default_dtype, torch.set_default_dtype),
        Aspect("the default device", torch.get_default_device),
        Aspect("modes on the stack", lambda: (c._len_torch_dispatch_stack(), c._len_torch_function_stack())),
        Aspect("function transforms", lambda: c._functorch.peek_interpreter_stack() is None),
        Aspect("torch function", c._is_torch_function_enabled),
        Aspect("grad mode", torch.is_grad_enabled, c._set_grad_enabled),
        Aspect("inference mode", torch.is_inference_mode_enabled),
        Aspect("anomaly mode", lambda: (torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())),
        Aspect("saved tensor hooks", lambda: c._autograd._top_saved_tensors_default_hooks(True) is None),
        Aspect("multithreading of autograd", c._is_multithreading_enabled),
        Aspect("the number of threads", torch.get_num_threads, torch.set_num_threads),
        Aspect(
            "deterministic algorithms",
            lambda: (torch.are_deterministic_algorithms_enabled(),
                     torch.is_deterministic_algorithms_warn_only_enabled()),
            lambda before: torch.use_deterministic_algorithms(before[0], warn_only=before[1]),
        ),
        Aspect("filling of uninitialized memory", lambda: torch.utils.deterministic.fill_uninitialized_memory),
        Aspect("always-warn", torch.is_warn_always_enabled, torch.set_warn_always),
        Aspect(
            "autocast",
            lambda: (torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu"),
                     torch.is_autocast_enabled("cuda"), torch.is_autocast_cache_enabled()),
        ),
        Aspect("matmul precision", torch.get_float32_matmul_precision, torch.set_float32_matmul_precision),
        Aspect("backend flags", lambda: (cudnn.enabled, cudnn.deterministic, cudnn.benchmark,
                                         c._get_mkldnn_enabled(), c._get_nnpack_enabled())),
        Aspect("tracing state", lambda: c._get_tracing_state() is None),
        Aspect("parameter conversion", lambda: (torch.__future__.get_overwrite_module_params_on_conversion(),
                                                torch.__future__.get_swap_module_params_on_conversion())),
        Aspect("print options", lambda: dict(vars(torch._tensor_str.PRINT_OPTS))),
        Aspect("torch's configuration", _configuration),
    )  # fmt: skip


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
    "torch.fft", "torch.compiler", "torch.jit", "torch._decomp", "torch._functorch",
)  # fmt: skip
_STANDARD = ("builtins", "random", "math", "os", "copy", "operator", "functools", "json", "time")

#: Containers that grow by themselves: caches, counters and tables of names.
_CACHES = ("torch._dynamo", "torch._logging", "torch._inductor", "torch.distributed", "torch.cuda",
           "torch.utils._sympy", "torch.onnx", "torch.testing", "torch.profiler")  # fmt: skip
_CACHE_NAMES = ("cache", "counter", "_memo", "intern", "_fake_tensor_id", "_dir")

_PLAIN = (types.FunctionType, types.BuiltinFunctionType, type)
_MEMBERS = (*_PLAIN, property, staticmethod, classmethod, types.GetSetDescriptorType)


def _modules(prefixes: tuple[str, ...]) -> Iterator[types.ModuleType]:
    for name, module in list(sys.modules.items()):
        inside = any(name == p or name.startswith(p + ".") for p in prefixes)
        if inside and isinstance(module, types.ModuleType):
            yield module


def _patchable() -> Iterator[tuple[str, Mapping[str, Any], list[str]]]:
    """Name spaces and, of each, the names of what should stay the same object."""
    whole = [sys.modules[n] for n in (*_STANDARD, "torch") if n in sys.modules]
    for module in (*whole, *_modules(_LOOKED_AT)):
        names = [k for k, v in vars(module).items() if isinstance(v, _PLAIN) and k != "_"]
        if len(names) > 1:
            yield module.__name__, vars(module), names
        for name, value in list(vars(module).items()):
            if isinstance(value, type) and value.__module__ == module.__name__:
                members = [k for k, v in vars(value).items() if isinstance(v, _MEMBERS)]
                if len(members) > 1:
                    yield f"{module.__name__}.{name}", vars(value), members


def _registries() -> Iterator[tuple[str, Any]]:
    """Every container at the top of a torch module that is no cache, by name."""
    seen: set[int] = set()
    for module in _modules(("torch",)):
        if any(module.__name__.startswith(p) for p in _CACHES):
            continue
        for name, value in list(vars(module).items()):
            kind = type(value)
            plain = kind.__module__ in ("builtins", "collections", "weakref")
            sized = hasattr(kind, "__len__") and not isinstance(value, (str, bytes, tuple, frozenset))
            known = id(value) in seen or name.startswith("__")
            if plain and sized and not known and not any(c in name.lower() for c in _CACHE_NAMES):
                seen.add(id(value))
                yield f"{module.__name__}.{name}", value


def _library_entries(torch: Any) -> tuple[Any, ...]:
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

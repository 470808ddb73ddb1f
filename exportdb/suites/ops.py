"""torch's operators, with the inputs that torch tests them with: OpInfo of the installed torch.

Owns making a program of an operator and a sample of its inputs, with the known traps of that
harness. Which sizes are asked to be dynamic is ``free_dims``'.
"""

from __future__ import annotations

import functools
import importlib
import linecache
import types
import warnings
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from exportdb.cases.case import FrontMatter
from exportdb.suites.protocol import Definition, Program, Suite

_TESTING = "torch.testing._internal"
#: The collections, by the topic of their operators: a module, and a name in it.
_COLLECTIONS = {
    "op": (f"{_TESTING}.common_methods_invocations", "op_db"),
    "custom": (f"{_TESTING}.custom_op_db", "custom_op_db"),
    "autograd": (f"{_TESTING}.autograd_function_db", "autograd_function_db"),
    "hop": (f"{_TESTING}.hop_db", "hop_db"),
}
#: Operators whose values are whatever was in memory: of these the shapes are looked at.
_UNFILLED = ("empty", "new_empty")


class Operators(Suite):
    """``<collection>/<operator>/<dtype>/<dims>/<number of the sample>``."""

    name = "ops"
    description = "operators with OpInfo's samples: op_db, custom_op_db, autograd_function_db, hop_db"
    requirements = ("expecttest", "numpy")
    preload = tuple(module for module, _ in _COLLECTIONS.values())
    #: ``samples`` a dtype, ``dtypes`` (``all`` is every one of an operator) and ``dims``.
    options: Mapping[str, str] = {"samples": "1", "dtypes": "float32", "dims": "auto,named"}

    def programs(self, **options: str) -> Iterable[Program]:
        """The programs of every operator. Raises ValueError for an option's bad value."""
        count, dtypes, kinds = settings(options)
        for topic in _COLLECTIONS:
            for info in _collection(topic).values():
                for dtype in _dtypes(info, dtypes):
                    for number, sample in enumerate(islice(_samples(info, dtype), count)):
                        yield from _programs(topic, info, dtype, number, sample, kinds)

    def program(self, id: str) -> Program:
        """The program of an ID. Raises KeyError."""
        name, dtype, kind, number = id.rsplit("/", 3)
        topic, _, name = name.partition("/")
        info = _collection(topic)[name]
        for sample in islice(_samples(info, dtype), int(number), None):
            return _program(topic, info, dtype, int(number), sample, kind)
        raise KeyError(id)


def settings(options: Mapping[str, str]) -> tuple[int, list[str], list[str]]:
    from exportdb.suites.free_dims import KINDS

    if not options["samples"].isdigit() or options["samples"] == "0":
        raise ValueError(f"samples={options['samples']}: give a whole number from 1 on")
    kinds = options["dims"].split(",")
    if unknown := [k for k in kinds if k not in KINDS]:
        raise ValueError(f"dims={unknown[0]}: give some of {', '.join(KINDS)}")
    return int(options["samples"]), options["dtypes"].split(","), kinds


@functools.cache
def _collection(topic: str) -> dict[str, Any]:
    """The operators of a collection by name; none where this torch does not have it."""
    if topic not in _COLLECTIONS:
        raise KeyError(topic)
    module, name = _COLLECTIONS[topic]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            return {}
    names: dict[str, Any] = {}
    for info in found:
        variant = info.variant_test_name
        named = f"{info.name}.{variant}" if variant else info.name
        names[_unique(named.replace("/", "_").replace(" ", "_"), names)] = info
    return names


def _unique(name: str, taken: Mapping[str, Any]) -> str:
    return name if name not in taken else _unique(f"{name}_", taken)


def _dtypes(info: Any, wanted: list[str]) -> list[str]:
    """The dtypes of an operator that are wanted; one of its own where it has none of them."""
    has = sorted(str(d).removeprefix("torch.") for d in info.supported_dtypes("cpu"))
    if "all" in wanted:
        return has
    return [d for d in wanted if d in has] or has[:1]


def _samples(info: Any, dtype: str) -> Iterator[Any]:
    import torch

    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield from info.sample_inputs("cpu", getattr(torch, dtype), requires_grad=False)
        except Exception:  # an operator that this build of torch lacks has no samples
            return


def _programs(
    topic: str, info: Any, dtype: str, number: int, sample: Any, kinds: Iterable[str]
) -> Iterator[Program]:
    from torch.utils import _pytree as pytree

    leaves = pytree.tree_leaves((sample.input, sample.args, sample.kwargs))
    sizes = any(getattr(leaf, "ndim", 0) for leaf in leaves)
    for kind in kinds if sizes else ("static",):
        yield _program(topic, info, dtype, number, sample, kind)


def _program(
    topic: str, info: Any, dtype: str, number: int, sample: Any, kind: str
) -> Program:  # fmt: skip
    name = next(n for n, i in _collection(topic).items() if i is info)
    id = f"{topic}/{name}/{dtype}/{kind}/{number}"
    written = _Written(sample, unfilled=info.name.startswith(_UNFILLED))
    tags = (f"dims.{kind}", f"dtype.{dtype}", f"ops.{topic}")
    title = f"{info.name}, sample {number} of OpInfo in {dtype}, dims {kind}"
    meta = FrontMatter(title, title, tags=tags)
    return Program(id, lambda: _define(id, info, written, kind), meta, written.source)


def _define(id: str, info: Any, written: _Written, kind: str) -> Definition:
    from exportdb.suites.free_dims import distinct, shapes
    from exportdb.suites.memory import Given

    module, args = written.module(id, _unseeded(info.op)), tuple(written.tensors)
    asked, vary = shapes(module, args, {}, kind)
    if kind == "named" and asked:
        args = tuple(distinct(module, args, {}, vary)[0])
    return Given(module, args, {}, asked, vary=vary).define(id)


class _Written:
    """A call of an operator as the source of a ``forward``: tensors are its parameters."""

    def __init__(self, sample: Any, unfilled: bool) -> None:
        self.tensors: list[Any] = []
        self._names: list[str] = []
        self.constants: dict[str, Any] = {}
        words = [self._write(sample.input, "input")]
        words += [self._write(a, f"arg{i}") for i, a in enumerate(sample.args, 1)]
        words += [f"{k}={self._write(v, k)}" for k, v in sample.kwargs.items()]
        call = f"op({', '.join(words)})"
        self.source = (
            f"def forward({', '.join(['self', *self._names])}):\n"
            f"    return {f'torch.zeros_like({call})' if unfilled else call}\n"
        )

    def _write(self, value: Any, name: str) -> str:
        import torch

        if isinstance(value, torch.Tensor):
            free = name if name not in (*self._names, "self") else f"{name}_{len(self._names)}"
            self.tensors.append(value)
            self._names.append(free)
            return free
        if type(value) in (list, tuple, torch.Size):
            inner = [self._write(v, f"{name}_{i}") for i, v in enumerate(value)]
            one = "," if len(inner) == 1 else ""
            return f"[{', '.join(inner)}]" if type(value) is list else f"({', '.join(inner)}{one})"
        if type(value) is dict:
            inner = [f"{k!r}: {self._write(v, f'{name}_{k}')}" for k, v in value.items()]
            return "{" + ", ".join(inner) + "}"
        if type(value) is float and value == value and abs(value) != float("inf"):
            return repr(value)
        if value is None or type(value) in (bool, int, str, torch.dtype):
            return repr(value)
        constant = f"constant{len(self.constants)}"
        self.constants[constant] = value
        return constant

    def module(self, id: str, op: Any) -> Any:
        """A new module; its source is where a traceback looks for it."""
        import torch

        file = f"<{id}>"
        linecache.cache[file] = (len(self.source), None, self.source.splitlines(True), file)
        names: dict[str, Any] = {"torch": torch, "op": op, **self.constants}
        exec(compile(self.source, file, "exec"), names)
        made = type("Operator", (torch.nn.Module,), {"forward": names["forward"]})
        return made()


def _unseeded(op: Any) -> Any:
    """An operator without OpInfo's ``wrapper_set_seed``, which no exporter can capture.

    Whoever examines seeds before each call.
    """
    if not isinstance(op, types.FunctionType) or "wrapper_set_seed" not in op.__code__.co_names:
        return op
    around = {**op.__globals__, "wrapper_set_seed": _called}
    return types.FunctionType(op.__code__, around, op.__name__, op.__defaults__, op.__closure__)


def _called(op: Any, *args: Any, **kwargs: Any) -> Any:
    return op(*args, **kwargs)

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
from typing import TYPE_CHECKING, Any

from exportdb.cases.case import FrontMatter
from exportdb.suites.protocol import Definition, Suite, SuiteProgram

if TYPE_CHECKING:
    from exportdb.suites.memory import InMemory

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
#: Operators whose values are right with either sign.
_EITHER_SIGN = ("svd_lowrank", "pca_lowrank")
#: Operators that go past the end of memory where sizes do not fit, which eager does not check, or
#: whose result is then whatever was in memory: their sizes stay as they are.
_UNCHECKED = (
    "native_batch_norm", "_native_batch_norm_legit", "_batch_norm_with_update", "resize_as_",
    "torch._scaled_mm", "torch._scaled_mm_v2",
)  # fmt: skip
#: The ways to ask for dims.
KINDS = ("auto", "dynamic", "named", "static")
#: So many samples more are looked at for one that has sizes.
FEW = 10


class Operators(Suite):
    """``<collection>/<operator>/<dtype>/<dims>/<number of the sample>``."""

    name = "ops"
    description = "operators of op_db, custom_op_db, autograd_function_db and hop_db (OpInfo)"
    requirements = ("expecttest", "numpy")
    extra = "suites"
    preload = (
        *(module for module, _ in _COLLECTIONS.values()),
        "exportdb.suites.ops", "exportdb.suites.free_dims", "exportdb.suites.memory",
    )  # fmt: skip
    #: ``samples`` a dtype, ``dtypes`` (``all`` is every one of an operator) and ``dims``.
    options: Mapping[str, str] = {"samples": "1", "dtypes": "float32", "dims": "named"}

    def programs(self, **options: str) -> Iterable[SuiteProgram]:
        """The programs of every operator. Raises ValueError for an option's bad value."""
        count, dtypes, kinds = settings(options)
        for topic in _COLLECTIONS:
            for name, info in collection(topic).items():
                for dtype in _dtypes(info, dtypes):
                    for number, sample in _chosen(_samples(info, dtype), count):
                        sizes = has_sizes((sample.input, sample.args, sample.kwargs))
                        varies = sizes and info.name not in _UNCHECKED
                        for kind in kinds if varies else ("static",):
                            yield _program(f"{topic}/{name}", info, dtype, number, sample, kind)

    def program(self, id: str) -> SuiteProgram:
        """The program of an ID. Raises KeyError."""
        name, dtype, kind, number = id.rsplit("/", 3)
        topic, _, name = name.partition("/")
        info = collection(topic)[name]
        for sample in islice(_samples(info, dtype), int(number), None):
            return _program(f"{topic}/{name}", info, dtype, int(number), sample, kind)
        raise KeyError(id)


def settings(options: Mapping[str, str]) -> tuple[int, list[str], list[str]]:
    if not options["samples"].isdigit() or options["samples"] == "0":
        raise ValueError(f"samples={options['samples']}: give a whole number from 1 on")
    kinds = options["dims"].split(",")
    if unknown := [k for k in kinds if k not in KINDS]:
        raise ValueError(f"dims={unknown[0]}: give some of {', '.join(KINDS)}")
    return int(options["samples"]), options["dtypes"].split(","), kinds


@functools.cache
def collection(topic: str) -> dict[str, Any]:
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
            made = info.sample_inputs("cpu", getattr(torch, dtype), requires_grad=False)
            yield from filter(_comparable, made)
        except Exception:  # an operator that this build of torch lacks has no samples
            return


def _comparable(sample: Any) -> bool:
    """Whether inputs can be kept and compared: those of compressed sparse layouts cannot."""
    import torch
    from torch.utils import _pytree as pytree

    known = (torch.strided, torch.sparse_coo)
    leaves = pytree.tree_leaves((sample.input, sample.args, sample.kwargs))
    return all(getattr(leaf, "layout", torch.strided) in known for leaf in leaves)


def has_sizes(values: Any) -> bool:
    """Whether a tensor among these values has a size that may vary: two or more."""
    from torch.utils import _pytree as pytree

    return any(s >= 2 for leaf in pytree.tree_leaves(values) for s in getattr(leaf, "shape", ()))


def _chosen(samples: Iterable[Any], count: int) -> list[tuple[int, Any]]:
    """The first samples with their numbers, and one that has sizes if any of the first few has."""

    def sized(one: tuple[int, Any]) -> bool:
        return has_sizes((one[1].input, one[1].args, one[1].kwargs))

    numbered = enumerate(samples)
    first = list(islice(numbered, count))
    if any(map(sized, first)):
        return first
    other = next(filter(sized, islice(numbered, FEW)), None)
    return first if other is None else [*first[:-1], other]


def _program(name: str, info: Any, dtype: str, number: int, sample: Any, kind: str) -> SuiteProgram:
    id = f"{name}/{dtype}/{kind}/{number}"
    written = _Written(sample, _shown_as(info.name))
    tags = (f"dims.{kind}", f"dtype.{dtype}", f"ops.{name.partition('/')[0]}")
    title = f"{info.name}, sample {number} of OpInfo in {dtype}, dims {kind}"
    requires = ("cuda",) if info.name.startswith("jiterator") else ()
    meta = FrontMatter(title, title, tags=tags, requires=requires)
    return SuiteProgram(id, lambda: _define(id, info, written, kind), meta, written.source)


def _define(id: str, info: Any, written: _Written, kind: str) -> Definition:
    module = written.module(id, _unseeded(info.op))
    return given(module, tuple(written.tensors), {}, kind).define(id)


def given(module: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], kind: str) -> InMemory:
    """A module with its inputs and the dims of a kind."""
    from exportdb.suites.free_dims import Example
    from exportdb.suites.memory import InMemory

    example = Example(module, args, kwargs)
    asked, vary = example.shapes(kind)
    inputs = example.distinct(vary) if kind == "named" and asked else example.inputs
    return InMemory(module, *inputs, asked, vary=vary)


def _shown_as(name: str) -> str:
    """What a program gives of the result of an operator: what can be compared."""
    if name.startswith(_UNFILLED):
        return "torch.zeros_like({})"
    return "tuple(t.abs() for t in {})" if name in _EITHER_SIGN else "{}"


class _Written:
    """A call of an operator as the source of a ``forward``: tensors are its parameters."""

    def __init__(self, sample: Any, result: str) -> None:
        self.tensors: list[Any] = []
        self._names: list[str] = []
        self.constants: dict[str, Any] = {}
        words = [self._write(sample.input, "input")]
        words += [self._write(a, f"arg{i}") for i, a in enumerate(sample.args, 1)]
        words += [f"{k}={self._write(v, k)}" for k, v in sample.kwargs.items()]
        returned = result.format(f"op({', '.join(words)})")
        parameters = ", ".join(["self", *self._names])
        self.source = f"def forward({parameters}):\n    return {returned}\n"

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

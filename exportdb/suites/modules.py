"""torch's modules with the inputs that torch tests them with: the installed ModuleInfo."""

from __future__ import annotations

import functools
import importlib
import inspect
import warnings
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from exportdb.cases.case import FrontMatter
from exportdb.suites.ops import given, settings
from exportdb.suites.protocol import Definition, Suite, SuiteProgram

_MODULE = "torch.testing._internal.common_modules"


class Modules(Suite):
    """``<module>/<dtype>/<dims>/<number of the sample>``."""

    name = "modules"
    description = "modules of torch.nn with ModuleInfo's inputs: module_db"
    requirements = ("expecttest", "numpy")
    extra = "suites"
    preload = (_MODULE, "exportdb.suites.free_dims", "exportdb.suites.memory")
    options: Mapping[str, str] = {"samples": "1", "dtypes": "float32", "dims": "named"}

    def programs(self, **options: str) -> Iterable[SuiteProgram]:
        """The programs of every module. Raises ValueError for an option's bad value."""
        count, dtypes, kinds = settings(options)
        for name, info in _modules().items():
            for dtype in dtypes:
                for number, sample in enumerate(islice(_samples(info, dtype), count)):
                    for kind in kinds:
                        yield _program(name, info, dtype, number, sample, kind)

    def program(self, id: str) -> SuiteProgram:
        """The program of an ID. Raises KeyError."""
        name, dtype, kind, number = id.rsplit("/", 3)
        info = _modules()[name]
        for sample in islice(_samples(info, dtype), int(number), None):
            return _program(name, info, dtype, int(number), sample, kind)
        raise KeyError(id)


@functools.cache
def _modules() -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = importlib.import_module(_MODULE).module_db
    return {info.name.replace("/", "_"): info for info in found}


def _samples(info: Any, dtype: str) -> list[Any]:
    import torch

    kind = getattr(torch, dtype, None)
    if kind not in info.dtypes:
        return []
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = info.module_inputs_func(
            info, device="cpu", dtype=kind, requires_grad=False, training=False
        )
    return [sample for sample in made if sample.forward_input is not None]


def _program(name: str, info: Any, dtype: str, number: int, sample: Any, kind: str) -> SuiteProgram:
    built, called = sample.constructor_input, sample.forward_input
    text = f"module = torch.{name}({_shown(built)})\nmodule({_shown(called)})\n"
    title = f"{name}, input {number} of ModuleInfo in {dtype}, dims {kind}"
    tags = (f"dims.{kind}", f"dtype.{dtype}")
    meta = FrontMatter(title, title, tags=tags)
    id = f"{name}/{dtype}/{kind}/{number}"

    def define() -> Definition:
        return _define(id, info, dtype, sample, kind)

    return SuiteProgram(id, define, meta, text)


def _define(id: str, info: Any, dtype: str, sample: Any, kind: str) -> Definition:
    import torch

    built = sample.constructor_input
    torch.manual_seed(0)
    module = info.module_cls(*built.args, **built.kwargs).to(getattr(torch, dtype)).eval()
    called = inspect.signature(module.forward).bind(
        *sample.forward_input.args, **sample.forward_input.kwargs
    )
    return given(module, called.args, called.kwargs, kind).define(id)


def _shown(given: Any) -> str:
    words = [*map(_word, given.args), *(f"{k}={_word(v)}" for k, v in given.kwargs.items())]
    return ", ".join(words)


def _word(value: Any) -> str:
    shape = getattr(value, "shape", None)
    return repr(value)[:80] if shape is None else f"tensor of {list(shape)}"

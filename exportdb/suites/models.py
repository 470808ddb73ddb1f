"""Models of installed packages with random weights and tiny configurations: nothing is downloaded.

Owns making a program of an entry of ``models.yaml``. Only what is installed is listed: each package
of :data:`PACKAGES` has its models or none.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from exportdb.cases.case import FrontMatter
from exportdb.suites.protocol import Definition, Suite, SuiteProgram

#: What the models are of.
PACKAGES = ("transformers", "diffusers")
MODEL = "Model"


class Models(Suite):
    """``<kind>/<name>``, the kinds that a tracer stumbles over first."""

    name = "models"
    description = "models of transformers and diffusers, random weights, tiny configurations"
    requirements = PACKAGES
    extra = "models"
    preload = (
        "transformers.modeling_utils", "diffusers.models.modeling_utils", "exportdb.suites.models",
    )  # fmt: skip

    def programs(self, **_: str) -> Iterable[SuiteProgram]:
        """Every model whose class the installed package has."""
        for id, entry in entries().items():
            if hasattr(importlib.import_module(entry.package), entry.name):
                yield entry.program(id)

    def program(self, id: str) -> SuiteProgram:
        """The program of an ID. Raises KeyError."""
        return entries()[id].program(id)


@dataclass(frozen=True)
class ModelEntry:
    """A model as ``models.yaml`` has it; ``arguments`` are given to every call as they are."""

    package: str
    name: str
    config: Mapping[str, Any]
    inputs: Mapping[str, str]
    arguments: Mapping[str, Any]
    dims: Mapping[str, tuple[int, int, int]]

    def program(self, id: str) -> SuiteProgram:
        """Its program."""
        title = f"{self.name} of {self.package} with a tiny configuration and random weights"
        told = [f"{self.package}.{self.name}", f"config: {dict(self.config)}",
                *(f"{name}: {given}" for name, given in self.inputs.items()),
                f"dims: {self.used_dims}"]  # fmt: skip
        meta = FrontMatter(title, title, tags=(f"package.{self.package}",), models=(MODEL,))
        return SuiteProgram(id, self.define, meta, "\n".join(told) + "\n")

    def define(self) -> Definition:
        """The model, its inputs for any sizes, and which sizes are asked to be dynamic."""
        from torch.export import Dim

        if self.config.get("use_cache"):  # its output, and for some an input, is a cache
            integration = importlib.import_module("transformers.integrations.executorch")
            integration.register_dynamic_cache_export_support()
        given = {name: ModelInput.of(text) for name, text in self.inputs.items()}
        dims = self.used_dims
        named = {name: Dim(name, min=low, max=high) for name, (_, low, high) in dims.items()}
        sizes = {name: size for name, (size, *_) in dims.items()}

        def inputs(**others: int) -> dict[str, Any]:
            made = {name: g.make(sizes | others, self.config) for name, g in given.items()}
            return made | dict(self.arguments)

        shapes = {name: g.shapes(named, self.config) for name, g in given.items()}
        return Definition(
            models={MODEL: self.build}, inputs=inputs, sizes=sizes,
            dynamic_shapes=shapes | dict.fromkeys(self.arguments),
        )  # fmt: skip

    @property
    def used_dims(self) -> dict[str, tuple[int, int, int]]:
        """The dims of its inputs: the size of the example, the smallest and the largest."""
        used = {name for text in self.inputs.values() for name in ModelInput.of(text).dims}
        return {name: self.dims[name] for name in self.dims if name in used}

    def build(self) -> Any:
        """The model, with the same weights each time."""
        import torch

        cls = getattr(importlib.import_module(self.package), self.name)
        torch.manual_seed(0)
        if self.package == "diffusers":
            return cls(**self.config).eval()
        return cls(cls.config_class(**self.config)).eval()


@functools.cache
def entries() -> dict[str, ModelEntry]:
    """All models by ID, in the order of the file."""
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # in C it takes a tenth
    data = yaml.load(Path(__file__).with_suffix(".yaml").read_text(), loader)
    found = {}
    for id, entry in data["models"].items():
        package, _, name = entry["class"].partition(".")
        config = {**data["sizes"].get(entry.get("like"), {}), **entry.get("config", {})}
        found[id] = ModelEntry(
            package, name, config, entry["inputs"], entry.get("arguments", {}), data["dims"]
        )
    return found


# --- inputs ------------------------------------------------------------------------------------

_SIZE = re.compile(r"(?:(\d+)\*)?([a-z])(?:\+(\d+))?$")


@dataclass(frozen=True)
class ModelInput:
    """An input: what its values are, and its shape. A size is a number of times a dim, and more."""

    kind: str
    shape: tuple[tuple[int, str, int], ...]

    @staticmethod
    def of(text: str) -> ModelInput:
        """Read it from ``ids b 2*s+1``. Raises ValueError for what is not a size."""
        kind, *shape = text.split()
        return ModelInput(kind, tuple(map(_size, shape)))

    @property
    def dims(self) -> set[str]:
        """The dims of its shape."""
        return {name for _, name, _ in self.shape if name}

    def make(self, sizes: Mapping[str, int], config: Mapping[str, Any]) -> Any:
        """Values of its kind."""
        shape = [times * sizes.get(name, 0) + more for times, name, more in self.shape]
        return _MAKERS[self.kind](shape, config)

    def shapes(self, named: Mapping[str, Any], config: Mapping[str, Any]) -> Any:
        """Its part of ``dynamic_shapes``."""
        asked = {}
        for axis, (times, name, more) in enumerate(self.shape):
            if name:
                dim = named[name] if times == 1 else times * named[name]
                asked[axis] = dim + more if more else dim
        if self.kind != "cache":
            return asked or None
        # Keys and values of each layer: batch, heads, length, size of a head.
        layers = config["num_hidden_layers"]
        return [[{0: asked[0], 2: asked[1]} for _ in range(layers)] for _ in "kv"]


def _size(text: str) -> tuple[int, str, int]:
    if text.isdigit():
        return 0, "", int(text)
    found = _SIZE.match(text)
    if found is None:
        raise ValueError(f"{text!r} is not a size")
    times, name, more = found.groups()
    return int(times or 1), name, int(more or 0)


def _padding(shape: list[int], _: Mapping[str, Any]) -> Any:
    import torch

    mask = torch.ones(shape, dtype=torch.int64)
    mask[0, -1] = 0
    return mask


def _cache(shape: list[int], config: Mapping[str, Any]) -> Any:
    import torch
    from transformers import DynamicCache

    batch, length = shape
    heads, size = config["num_key_value_heads"], config["head_dim"]
    cache = DynamicCache()
    for layer in range(config["num_hidden_layers"]):
        cache.update(*torch.randn(2, batch, heads, length, size), layer)
    return cache


def _torch(name: str, *before: Any, dtype: str | None = None) -> Callable[[list[int], Any], Any]:
    def make(shape: list[int], _: Any) -> Any:
        import torch

        return getattr(torch, name)(*before, shape, dtype=dtype and getattr(torch, dtype))

    return make


def _whole(below: int) -> Callable[[list[int], Any], Any]:
    return _torch("randint", 0, below)


def _steps(shape: list[int], _: Any) -> Any:
    import torch

    return torch.arange(shape[-1]).expand(shape).clone()


#: How values are made, by kind.
_MAKERS: Mapping[str, Callable[[list[int], Any], Any]] = {
    "float": _torch("randn"), "unit": _torch("rand"), "ids": _whole(61), "number": _whole(1000),
    "mask": _torch("ones", dtype="int64"), "padding": _padding, "steps": _steps, "cache": _cache,
    "box": _torch("zeros", dtype="int64"),
}  # fmt: skip
